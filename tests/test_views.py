"""The views on small submissions whose numbers can be worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mlperf_logs import (
    MINUTE_MS,
    START_MS,
    Submission,
    correction,
    load_more,
    loaded,
    log,
    record,
    row,
    rows,
    runs,
    waiver,
)

ACROSS = "identical_hyperparameters_across_nodes"


@pytest.fixture
def acme(tmp_path: Path) -> Submission:
    return Submission(tmp_path)


def the_score(acme: Submission) -> dict[str, Any]:
    return row(loaded(acme.root), "select * from score")


def replaced(text: str, key: str, line: str) -> str:
    """The log with another line in place of that of a key."""
    lines = text.split("\n")
    place = next(n for n, one in enumerate(lines) if f'"key": "{key}"' in one)
    return "\n".join([*lines[:place], *([line] if line else []), *lines[place + 1 :]])


# Scores


OLYMPIC = {
    "a": ((10, 12, 14, 16, 30), 5, (12 + 14 + 16) / 3),
    "b": ((30, 16, 14, 12, 10), 5, (12 + 14 + 16) / 3),
    "c": ((10, 12, 14, 16, -5), 4, (12 + 14 + 16) / 3),
    "d": ((-90, 10, 12, 14, 16), 4, (12 + 14 + 16) / 3),
    "e": ((10, 10, 10, 10, 10), 5, 10),
}


def test_olympic_mean_of_five(acme: Submission) -> None:
    for system, (minutes, _, _) in OLYMPIC.items():
        acme.scored(system, minutes)
    found = {one["system"]: one for one in rows(loaded(acme.root), "select * from score")}
    for system, (_, converged, expected) in OLYMPIC.items():
        one = found[system]
        assert (one["runs"], one["runs_converged"], one["runs_dropped"]) == (5, converged, 2)
        assert one["score_min"] == pytest.approx(expected, rel=1e-12), system
        assert one["reason"] is None


def test_two_failures_of_five_have_no_score(acme: Submission) -> None:
    acme.scored("box", (10, 12, 14, -16, -18))
    found = the_score(acme)
    assert found["score_min"] is None
    assert found["score_scaled_min"] is None
    assert found["reason"] == "2 of 5 runs did not converge, more than the 1 that may be dropped"
    assert found["mean_min"] == pytest.approx(12)


def test_no_run_converged(acme: Submission) -> None:
    acme.scored("box", (-10, -11, -12, -13, -14))
    found = the_score(acme)
    assert (found["score_min"], found["mean_min"], found["runs_converged"]) == (None, None, 0)
    assert found["reason"].startswith("5 of 5 runs did not converge")


def test_too_few_runs_have_no_score(acme: Submission) -> None:
    for given in (1, 2, 4):
        acme.scored(f"box{given}", range(10, 10 + given))
    for one in rows(loaded(acme.root), "select * from score order by runs"):
        given = one["runs"]
        assert one["score_min"] is None
        assert one["reason"] == f"{given} of 5 runs"
        assert one["mean_min"] == pytest.approx(sum(range(10, 10 + given)) / given)


def test_unet3d_drops_four_at_each_end(acme: Submission) -> None:
    acme.scored("box", range(1, 41), benchmark="unet3d")
    found = the_score(acme)
    assert found["runs_dropped"] == 8
    assert found["score_min"] == pytest.approx(sum(range(5, 37)) / 32)


@pytest.mark.parametrize(("failed", "has_score"), [(4, True), (5, False)])
def test_unet3d_may_lose_four_runs(acme: Submission, failed: int, has_score: bool) -> None:
    minutes = [*range(1, 41 - failed), *(-1 for _ in range(failed))]
    acme.scored("box", minutes, benchmark="unet3d")
    found = the_score(acme)
    assert (found["score_min"] is not None) is has_score
    if has_score:
        assert found["score_min"] == pytest.approx(sum(range(5, 37)) / 32)


def test_plain_mean_is_of_all_converged_runs(acme: Submission) -> None:
    acme.scored("box", (10, 12, 14, 16, 30))
    found = the_score(acme)
    assert found["mean_min"] == pytest.approx(82 / 5)
    assert (found["fastest_min"], found["slowest_min"]) == (10, 30)


def test_scaling_factor_is_a_column_of_its_own(acme: Submission) -> None:
    name = acme.scored("box")
    other = acme.scored("crate", first_seed=11)
    factor = acme.home / "results" / "box" / "resnet" / "scaling.json"
    factor.write_text('{"scaling_factor": 1.25}', encoding="utf-8")
    connection = loaded(acme.root)
    found = row(connection, "select * from score where result_set = ?", name)
    assert (found["score_min"], found["scaling_factor"]) == (10, 1.25)
    assert found["score_scaled_min"] == 12.5
    plain = row(connection, "select * from score where result_set = ?", other)
    assert (plain["scaling_factor"], plain["score_scaled_min"]) == (None, 10)


def test_a_log_of_unknown_round_counts_once(tmp_path: Path) -> None:
    """Whatever changed between rounds is unknown then: titles, size of the data set, progress."""
    acme = Submission(tmp_path, "logs")
    for benchmark in ("resnet", "ssd", "bert", "unet3d"):
        acme.scored("box", range(10, 15), benchmark=benchmark)
    connection = loaded(acme.root)
    found = {one["benchmark"]: one for one in rows(connection, "select * from score")}
    assert {one["runs"] for one in found.values()} == {5}
    assert {one["round"] for one in found.values()} == {None}
    assert found["ssd"]["benchmark_title"] == "ssd"
    assert found["ssd"]["samples_to_converge"] is None
    assert found["resnet"]["benchmark_title"] == "ResNet-50"
    assert found["resnet"]["samples_to_converge"] == 4 * 1_281_167


def test_an_unknown_benchmark_is_scored_without_a_number_of_runs(acme: Submission) -> None:
    acme.scored("box", (10, 12, 14), benchmark="mybench")
    found = the_score(acme)
    assert (found["runs_required"], found["score_min"]) == (None, 12)


# Time to train


def test_run_stop_before_start_gives_no_time(acme: Submission) -> None:
    good = runs((10, 10, 10, 10))
    stop = record("run_stop", None, START_MS - MINUTE_MS, status="success")
    acme.system("box")
    acme.results("box", "resnet", [*good, replaced(log(seed=9), "run_stop", stop)])
    connection = loaded(acme.root)
    bad = row(connection, "select * from run_result where run_number = 4")
    assert (bad["time_to_train_min"], bad["is_converged"]) == (None, False)
    assert bad["reason"] == "run_stop is not after run_start"
    assert row(connection, "select * from score")["score_min"] == 10


def test_start_and_stop_of_different_clocks_give_no_time(acme: Submission) -> None:
    stop = record("run_stop", None, 600_000, status="success")
    acme.system("box")
    acme.results("box", "resnet", [replaced(log(), "run_stop", stop)])
    found = row(loaded(acme.root), "select * from run_result")
    assert found["time_to_train_min"] is None
    assert found["reason"] == "run_start and run_stop are of different clocks"


def test_a_clock_without_a_date_still_gives_a_difference(acme: Submission) -> None:
    acme.system("box")
    acme.results("box", "resnet", [log(minutes=3, start_ms=1_592_985_147)])
    found = row(loaded(acme.root), "select * from run_result")
    assert found["time_to_train_min"] == pytest.approx(3)
    assert found["started_at"] is None


@pytest.mark.parametrize(
    ("key", "reason"), [("run_stop", "no run_stop"), ("run_start", "no run_start")]
)
def test_a_missing_end_gives_no_time(acme: Submission, key: str, reason: str) -> None:
    acme.system("box")
    acme.results("box", "resnet", [replaced(log(), key, "")])
    found = row(loaded(acme.root), "select * from run_result")
    assert found["time_to_train_min"] is None
    assert found["is_converged"] is False
    assert found["reason"] == reason


def test_a_placeholder_time_is_unknown(acme: Submission) -> None:
    acme.system("box")
    acme.results("box", "resnet", [replaced(log(), "run_start", record("run_start", None, 0))])
    found = row(loaded(acme.root), "select * from run_result")
    assert found["time_to_train_min"] is None
    assert found["reason"] == "run_start or run_stop has no time"


def test_time_is_not_the_span_of_the_log(acme: Submission) -> None:
    """Another node's clock is days ahead, and the last evaluation is logged after run_stop."""
    ahead = record("cache_clear", True, START_MS + 6 * 24 * 60 * MINUTE_MS)
    late = record("eval_accuracy", 0.759, START_MS + 20 * MINUTE_MS, epoch_num=4)
    acme.system("box")
    acme.results("box", "resnet", [ahead + "\n" + log(minutes=10) + late + "\n"])
    found = row(loaded(acme.root), "select * from run_result")
    assert found["time_to_train_min"] == 10
    assert found["start_line"] > 1


def test_only_the_last_attempt_of_a_file_counts(acme: Submission) -> None:
    first = replaced(log(minutes=40, seed=1), "run_stop", "")
    again = log(minutes=10, seed=2, start_ms=START_MS + 60 * MINUTE_MS)
    acme.system("box")
    acme.results("box", "resnet", [first + again])
    connection = loaded(acme.root)
    found = rows(connection, "select * from run_result order by run_id")
    assert [one["is_counted"] for one in found] == [False, True]
    assert found[0]["reason"] == "an earlier attempt in the same file"
    assert found[1]["time_to_train_min"] == 10
    assert row(connection, "select runs from score") == {"runs": 1}


def test_a_hundred_attempts_in_each_of_two_files(acme: Submission) -> None:
    acme.system("box")
    attempts = [
        log(minutes=5, epochs=1, seed=n, start_ms=START_MS + n * 60 * MINUTE_MS)
        for n in range(1_050)
    ]
    acme.results("box", "resnet", ["".join(attempts), log(seed=2_000)])
    found = row(
        loaded(acme.root),
        "select count(*) as n, count(distinct run_id) as ids, max(attempt) as attempts from run",
    )
    assert found == {"n": 1_051, "ids": 1_051, "attempts": 1_050}


# Hyperparameters


def test_equal_settings_are_equal_however_written(acme: Submission) -> None:
    cases: list[tuple[object, object, str]] = [
        (37, 37.0, "37"),
        ("0.94", 0.94, "0.94"),
        ("37", 37.0, "37"),
        ([3872218], 3872218, "3872218"),
        ([44.0, 55], [44, 55.0], "[44,55]"),
        (1e-05, 0.00001, "1e-05"),
        ("sgd", "sgd", "sgd"),
        (True, True, "true"),
        ({"a": 1.0}, {"a": 1}, '{"a":1}'),
    ]
    acme.system("box")
    both = [
        log(settings={f"opt_{n}": case[side] for n, case in enumerate(cases)}) for side in (0, 1)
    ]
    acme.results("box", "resnet", both)
    connection = loaded(acme.root)
    for number, (_, _, text) in enumerate(cases):
        found = rows(connection, "select value from hyperparameter where key = ?", f"opt_{number}")
        assert found == [{"value": text}] * 2
    assert rows(connection, "select * from hyperparameter_difference") == []


def test_the_last_value_of_a_setting_counts(acme: Submission) -> None:
    acme.system("box")
    first = record("opt_x", 5) + "\n"
    acme.results("box", "resnet", [first + log(settings={"opt_x": 6})])
    found = row(loaded(acme.root), "select * from hyperparameter where key = 'opt_x'")
    assert (found["value"], found["number"]) == ("6", 6)


def test_a_last_value_that_is_no_number_counts_too(acme: Submission) -> None:
    acme.system("box")
    first = record("opt_x", 5) + "\n"
    acme.results("box", "resnet", [first + log(settings={"opt_x": "lamb"})])
    found = row(loaded(acme.root), "select * from hyperparameter where key = 'opt_x'")
    assert (found["value"], found["number"]) == ("lamb", None)


def test_a_setting_says_where_it_stands(acme: Submission) -> None:
    acme.system("box")
    folder = acme.results("box", "resnet", [log()])
    found = row(
        loaded(acme.root), "select * from hyperparameter where key = 'opt_base_learning_rate'"
    )
    lines = (folder / "result_0.txt").read_text(encoding="utf-8").split("\n")
    assert '"opt_base_learning_rate"' in lines[found["line"] - 1]


# Families


FAMILIES = [
    [("R750x4A100", 1, 4), ("2xR750x4A100", 2, 4), ("8xR750x4A100", 8, 4)],
    [("dgx", 1, 8), ("dgx_n2", 2, 8), ("dgx_n64", 64, 8)],
    [("dgx_ngc21.09_mxnet", 1, 8), ("dgx_n2_ngc21.09_pytorch", 2, 8)],
    [("HLS-1H-N2", 2, 8), ("HLS-1H-N4", 4, 8)],
    [("ipu-pod16", 1, 16), ("ipu-pod64", 4, 16)],
    [("BM.GPU.8", 1, 8), ("BM.GPU.16", 2, 8)],
    [("rack1chips", 1, 8), ("rack2chips", 2, 8)],
]
STRANGERS = [
    [("XE8545-40GB", 1, 4), ("XE8545-80GB", 1, 4)],
    [("R750xa", 1, 4), ("R750xa-8368", 1, 4)],
    [("2xR750", 3, 4), ("R750", 1, 4)],
    [("rack1chips", 1, 8), ("rack2chips", 2, 4)],
]


def test_families_by_name_and_description(tmp_path: Path) -> None:
    """One organization a case, so that the cases do not see each other."""
    for number, systems in enumerate([*FAMILIES, *STRANGERS]):
        own = Submission(tmp_path, organization=f"org{number}")
        for name, nodes, per_node in systems:
            own.system(name, nodes, per_node)
    found = rows(
        loaded(tmp_path / "training_v1.1"),
        "select organization, count(*) as systems, count(distinct family_key) as families"
        " from family group by organization",
    )
    families = {one["organization"]: one["families"] for one in found}
    for number, systems in enumerate(FAMILIES):
        assert families[f"org{number}"] == 1, systems
    for number, systems in enumerate(STRANGERS, len(FAMILIES)):
        assert families[f"org{number}"] == 2, systems
    assert sum(one["systems"] for one in found) == sum(map(len, [*FAMILIES, *STRANGERS]))


def test_digits_are_not_merged_across_processors(acme: Submission) -> None:
    acme.system("R750xa-83", 1, 4, host_processor_model_name="Xeon 83")
    acme.system("R750xa-63", 2, 4, host_processor_model_name="Xeon 63")
    found = rows(loaded(acme.root), "select distinct family_key from family")
    assert len(found) == 2


def test_an_override_names_a_family(acme: Submission, tmp_path: Path) -> None:
    acme.scored("alpha", nodes=1)
    acme.scored("omega", nodes=2, first_seed=20)
    data = tmp_path / "data"
    data.mkdir()
    text = '[[family]]\norganization = "Acme"\nsystems = ["alpha", "omega"]\nname = "Greek"\n'
    (data / "systems.toml").write_text(text, encoding="utf-8")
    connection = loaded(acme.root, data=data)
    assert rows(connection, "select distinct family from family") == [{"family": "Greek"}]
    found = rows(connection, "select system, family from scaling order by nodes")
    assert [one["system"] for one in found] == ["alpha", "omega"]


def test_divisions_never_mix(acme: Submission) -> None:
    acme.scored("dgx", (20, 20, 20, 20, 20))
    acme.scored("dgx_n2", header={"submission_division": "open"}, nodes=2, first_seed=20)
    connection = loaded(acme.root)
    assert rows(connection, "select distinct family from family") == [{"family": "dgx"}]
    assert rows(connection, "select * from scaling") == []


def test_rounds_never_mix(tmp_path: Path) -> None:
    old, new = Submission(tmp_path, "training_v1.1"), Submission(tmp_path, "training_v2.0")
    old.scored("dgx", (20, 20, 20, 20, 20))
    new.scored("dgx_n2", nodes=2, first_seed=20)
    assert rows(loaded(old.root, new.root), "select * from scaling") == []


# Scaling


def test_speed_up_and_the_three_factors(acme: Submission) -> None:
    """Base: 40 epochs in 38 of 40 min. Four times the nodes: 50 epochs in 14 of 15 min."""
    acme.scored("dgx", [40] * 5, epochs=40, epoch_minutes=38 / 40)
    batch = {"global_batch_size": 4096}
    acme.scored(
        "dgx_n4", [15] * 5, nodes=4, epochs=50, epoch_minutes=14 / 50, settings=batch, first_seed=9
    )
    connection = loaded(acme.root)
    base, wide = rows(connection, "select * from scaling order by nodes")
    assert (base["speedup"], base["efficiency_pct"], base["is_like_for_like"]) == (1, 100, True)
    assert wide["speedup"] == pytest.approx(40 / 15)
    assert wide["efficiency_pct"] == pytest.approx(100 * 40 / 15 / 4)
    assert wide["throughput_efficiency_pct"] == pytest.approx(100 * (50 / 14) / (40 / 38) / 4)
    assert wide["convergence_efficiency_pct"] == pytest.approx(100 * 40 / 50)
    assert wide["overhead_efficiency_pct"] == pytest.approx(100 * (14 / 15) / (38 / 40))
    product = (
        wide["throughput_efficiency_pct"]
        * wide["convergence_efficiency_pct"]
        * wide["overhead_efficiency_pct"]
        / 1e4
    )
    assert product == pytest.approx(wide["efficiency_pct"], rel=1e-12)
    assert wide["note"].startswith("global batch size 1024 -> 4096")


def test_the_factors_are_unknown_without_epochs(acme: Submission) -> None:
    acme.scored("dgx", [40] * 5, epochs=0)
    acme.scored("dgx_n2", [20] * 5, nodes=2, epochs=0, first_seed=9)
    _, wide = rows(loaded(acme.root), "select * from scaling order by nodes")
    assert wide["efficiency_pct"] == 100
    factors = ("throughput_efficiency_pct", "convergence_efficiency_pct", "overhead_efficiency_pct")
    assert [wide[name] for name in factors] == [None, None, None]


def test_scale_is_counted_in_accelerators(acme: Submission) -> None:
    acme.scored("ipu-pod16", [40] * 5, nodes=1, per_node=16)
    acme.scored("ipu-pod64", [20] * 5, nodes=1, per_node=64, first_seed=9)
    _, wide = rows(loaded(acme.root), "select * from scaling order by accelerators")
    assert (wide["speedup"], wide["efficiency_pct"]) == (2, 50)


def two_scales(acme: Submission, one: dict[str, Any], two: dict[str, Any]) -> list[str]:
    """A system on one and on two nodes, twice as fast there, with these settings."""
    names = [acme.scored("dgx", [40] * 5, settings=one)]
    names.append(acme.scored("dgx_n2", [20] * 5, nodes=2, settings=two, first_seed=9))
    return names


def waived(acme: Submission, tmp_path: Path, text: str) -> dict[str, Any]:
    data = tmp_path / "data"
    data.mkdir()
    (data / "waivers.toml").write_text(text, encoding="utf-8")
    return row(loaded(acme.root, data=data), "select * from scaling where nodes = 2")


def test_a_difference_at_one_batch_size_is_withheld(acme: Submission) -> None:
    two_scales(acme, {}, {"opt_base_learning_rate": 3.0})
    found = row(loaded(acme.root), "select * from scaling where nodes = 2")
    assert (found["is_like_for_like"], found["is_printable"]) == (False, False)
    assert (found["speedup"], found["efficiency_pct"]) == (2, 100)
    assert found["note"] == "opt_base_learning_rate 2 -> 3 at equal global batch size 1024"
    assert found["footnote"] is None


def test_a_waiver_lets_it_be_printed_with_its_reason(acme: Submission, tmp_path: Path) -> None:
    _, name = two_scales(acme, {}, {"opt_base_learning_rate": 3.0})
    found = waived(acme, tmp_path, waiver(ACROSS, name))
    assert (found["is_like_for_like"], found["is_printable"]) == (False, True)
    assert found["footnote"] == "known and accepted"


@pytest.mark.parametrize(
    ("since", "until"), [("2999-01-01", "2999-12-31"), ("2020-01-01", "2020-12-31")]
)
def test_a_waiver_out_of_its_time_lets_nothing_be_printed(
    acme: Submission, tmp_path: Path, since: str, until: str
) -> None:
    _, name = two_scales(acme, {}, {"opt_base_learning_rate": 3.0})
    found = waived(acme, tmp_path, waiver(ACROSS, name, since, until))
    assert (found["is_printable"], found["footnote"]) == (False, None)


def test_two_waivers_give_one_row(acme: Submission, tmp_path: Path) -> None:
    (acme.root / "source.toml").write_text('name = "own"\n', encoding="utf-8")
    _, name = two_scales(acme, {}, {"opt_base_learning_rate": 3.0})
    found = waived(acme, tmp_path, waiver(ACROSS, name) + waiver(ACROSS, f"{name}@own"))
    assert found["is_printable"] is True
    connection = loaded(acme.root, data=tmp_path / "data")
    assert len(rows(connection, "select * from finding where rule = ?", ACROSS)) == 1


def test_a_waiver_of_one_collection_says_nothing_of_another(
    acme: Submission, tmp_path: Path
) -> None:
    _, name = two_scales(acme, {}, {"opt_base_learning_rate": 3.0})
    found = waived(acme, tmp_path, waiver(ACROSS, f"{name}@other"))
    assert found["is_printable"] is False


@pytest.mark.parametrize("key", ["d_batch_size", "model_bn_span"])
def test_the_share_of_a_device_may_shrink(acme: Submission, key: str) -> None:
    two_scales(acme, {key: 256}, {key: 128})
    connection = loaded(acme.root)
    found = row(connection, "select * from scaling where nodes = 2")
    assert (found["is_like_for_like"], found["note"]) == (True, None)
    difference = row(connection, "select * from hyperparameter_difference")
    assert (difference["severity"], difference["is_explained"]) == ("info", True)


@pytest.mark.parametrize("key", ["d_batch_size", "model_bn_span"])
def test_the_share_of_a_device_may_not_grow(acme: Submission, key: str) -> None:
    two_scales(acme, {key: 128}, {key: 256})
    found = row(loaded(acme.root), "select * from scaling where nodes = 2")
    assert found["is_like_for_like"] is False


@pytest.mark.parametrize(
    ("one", "two", "is_like_for_like"), [(2, 1, True), (8, 4, True), (8, 1, False), (1, 2, False)]
)
def test_accumulation_is_explained_while_the_micro_batch_stays(
    acme: Submission, one: int, two: int, is_like_for_like: bool
) -> None:
    """1024 / (8 x 2) = 1024 / (16 x 1): the same micro-batch of 64."""
    key = "gradient_accumulation_steps"
    two_scales(acme, {key: one}, {key: two})
    found = row(loaded(acme.root), "select * from scaling where nodes = 2")
    assert found["is_like_for_like"] is is_like_for_like


def test_accumulation_is_not_explained_by_an_unknown_batch_size(acme: Submission) -> None:
    key = "gradient_accumulation_steps"
    unknown = {"global_batch_size": None}
    two_scales(acme, {key: 8, **unknown}, {key: 1, **unknown})
    connection = loaded(acme.root)
    difference = row(connection, "select * from hyperparameter_difference")
    assert (difference["is_explained"], difference["severity"]) == (False, "warning")


@pytest.mark.parametrize(
    ("one", "two"), [(None, 1024), (1024, None), (None, None)], ids=["base", "row", "both"]
)
def test_like_for_like_is_unknown_without_both_batch_sizes(
    acme: Submission, one: int | None, two: int | None
) -> None:
    two_scales(acme, {"global_batch_size": one}, {"global_batch_size": two})
    found = row(loaded(acme.root), "select * from scaling where nodes = 2")
    assert (found["is_like_for_like"], found["is_printable"]) == (None, True)
    assert found["note"] == "the global batch size of one end is not known, or not one"


def test_another_batch_size_explains_learning_rate_and_schedule(acme: Submission) -> None:
    other = {"global_batch_size": 2048, "opt_base_learning_rate": 4.0, "opt_warmup_epochs": 5}
    two_scales(acme, {"opt_warmup_epochs": 2}, other)
    connection = loaded(acme.root)
    found = row(connection, "select * from scaling where nodes = 2")
    assert (found["is_like_for_like"], found["note"]) == (True, "global batch size 1024 -> 2048")
    assert rows(connection, "select * from finding where rule = ?", ACROSS) == []


def test_another_batch_size_does_not_explain_the_optimizer(acme: Submission) -> None:
    two_scales(acme, {"opt_name": "sgd"}, {"global_batch_size": 2048, "opt_name": "lars"})
    connection = loaded(acme.root)
    found = row(connection, "select * from scaling where nodes = 2")
    assert found["is_like_for_like"] is True
    assert found["note"] == "global batch size 1024 -> 2048; opt_name sgd -> lars"
    finding = row(connection, "select * from finding where rule = ?", ACROSS)
    assert finding["severity"] == "warning"


def test_a_setting_that_one_end_does_not_log_is_not_compared(acme: Submission) -> None:
    two_scales(acme, {"opt_name": "sgd"}, {})
    found = row(loaded(acme.root), "select * from scaling where nodes = 2")
    assert (found["is_like_for_like"], found["note"]) == (True, None)


def test_two_other_scales_that_differ_are_noted_at_both(acme: Submission) -> None:
    two_scales(acme, {}, {"global_batch_size": 4096})
    other = {"global_batch_size": 4096, "opt_base_learning_rate": 9.0}
    acme.scored("dgx_n4", [10] * 5, nodes=4, settings=other, first_seed=30)
    connection = loaded(acme.root)
    found = rows(connection, "select note from scaling where nodes > 1 order by nodes")
    said = "opt_base_learning_rate 2 -> 9 at equal global batch size 4096"
    assert all(said in one["note"] for one in found)
    finding = row(connection, "select * from finding where rule = ?", ACROSS)
    assert finding["severity"] == "warning"


# Revised scaling


def corrected(tmp_path: Path, expect: float) -> Any:
    first, second = (Submission(tmp_path / name) for name in ("first", "second"))
    (tmp_path / "first" / "source.toml").write_text('verification = "official"\n', encoding="utf-8")
    (tmp_path / "second" / "source.toml").write_text("", encoding="utf-8")
    two_scales(first, {}, {})
    second.scored("dgx", [30], first_seed=50)
    data = tmp_path / "data"
    data.mkdir()
    (data / "corrections.toml").write_text(
        correction(expect, "dgx", "first", "second"), encoding="utf-8"
    )
    return loaded(tmp_path / "first", tmp_path / "second", data=data)


def test_the_ideal_counts_accelerators_in_both_editions(acme: Submission) -> None:
    """Two pods of one node each: four times the accelerators, a quarter of the time."""
    acme.scored("ipu-pod16", [40] * 5, nodes=1, per_node=16)
    acme.scored("ipu-pod64", [20] * 5, nodes=1, per_node=64, first_seed=9)
    connection = loaded(acme.root)
    for relation in ("scaling_printed", "scaling_revised_printed"):
        found = row(
            connection,
            f"select growth, ideal_min, efficiency_pct from {relation} where accelerators = 64",
        )
        assert found == {"growth": 4, "ideal_min": 10, "efficiency_pct": 50}, relation


def test_a_correction_changes_only_the_revised_scaling(tmp_path: Path) -> None:
    connection = corrected(tmp_path, 40)
    name = "v1.1/closed/Acme/dgx{}/resnet@{}"
    submitted = row(connection, "select * from scaling where nodes = 2")
    assert (submitted["speedup"], submitted["verification"]) == (2, "official")
    revised = row(connection, "select * from scaling_revised where nodes = 2")
    assert (revised["speedup"], revised["efficiency_pct"]) == (1.5, 75)
    assert revised["verification"] == "unverified"
    assert revised["footnote"] == "run again"
    base = row(connection, "select * from scaling_revised where nodes = 1")
    assert base["result_set"] == name.format("", "second")
    assert base["replaces"] == name.format("", "first")
    assert base["score_min"] == 30


def test_a_correction_that_does_not_fit_takes_no_effect(tmp_path: Path) -> None:
    connection = corrected(tmp_path, 41)
    assert rows(connection, "select * from superseded") == []
    revised = row(connection, "select * from scaling_revised where nodes = 2")
    assert (revised["speedup"], revised["verification"]) == (2, "official")
    assert len(rows(connection, "select * from finding where rule = 'correction_guard'")) == 1


# Unknown is NULL


def test_without_a_description_counts_are_unknown(acme: Submission) -> None:
    acme.results("box", "resnet", runs([10] * 5))
    found = the_score(acme)
    assert (found["nodes"], found["accelerators"], found["score_min"]) == (None, None, 10)


def test_an_unknown_number_of_accelerators_is_not_one(acme: Submission) -> None:
    acme.scored("box", nodes=4, per_node=None)
    connection = loaded(acme.root)
    for relation in ("score", "system_scale", "family"):
        found = row(connection, f"select nodes, accelerators from {relation}")
        assert found == {"nodes": 4, "accelerators": None}, relation


def test_nodes_are_never_compared_with_accelerators(acme: Submission) -> None:
    acme.scored("dgx", [40] * 5, nodes=1, per_node=8)
    acme.scored("dgx_n2", [20] * 5, nodes=2, per_node=None, first_seed=9)
    assert rows(loaded(acme.root), "select * from scaling") == []


def test_nodes_are_compared_where_no_accelerators_are_known(acme: Submission) -> None:
    acme.scored("dgx", [40] * 5, nodes=1, per_node=None)
    acme.scored("dgx_n2", [20] * 5, nodes=2, per_node=None, first_seed=9)
    found = row(loaded(acme.root), "select * from scaling where nodes = 2")
    assert (found["speedup"], found["efficiency_pct"]) == (2, 100)
    revised = row(loaded(acme.root), "select * from scaling_revised where nodes = 2")
    assert revised["efficiency_pct"] == 100


def test_a_system_without_accelerators_counts_its_nodes(acme: Submission) -> None:
    acme.scored("box", nodes=4, per_node=0)
    found = the_score(acme)
    assert (found["nodes"], found["accelerators"]) == (4, 4)


def test_a_description_loaded_later_is_used(acme: Submission) -> None:
    acme.results("box", "resnet", runs([10] * 5))
    connection = loaded(acme.root)
    load_more(connection, acme.system("box", 2, 8))
    assert row(connection, "select accelerators from score") == {"accelerators": 16}


# Throughput and epochs


def test_rates_of_a_run(acme: Submission) -> None:
    acme.system("box")
    acme.results("box", "resnet", [log(minutes=10, epochs=4, epoch_minutes=2.0)])
    found = row(loaded(acme.root), "select * from throughput")
    images = 4 * 1_281_167
    assert found["overall_samples_per_s"] == pytest.approx(images / 600)
    assert found["training_samples_per_s"] == pytest.approx(images / 480)
    assert found["first_epoch_samples_per_s"] == pytest.approx(1_281_167 / 120)
    assert found["logged_samples_per_s"] is None


def test_an_epoch_that_is_cut_by_the_end_is_left_out(acme: Submission) -> None:
    acme.system("box")
    begun = record("epoch_start", None, START_MS + 9 * MINUTE_MS, epoch_num=5)
    text = log(minutes=10, epochs=4, epoch_minutes=2.0)
    stop = text.split("\n")[-2]
    acme.results("box", "resnet", [replaced(text, "run_stop", begun + "\n" + stop)])
    found = rows(loaded(acme.root), "select * from epoch order by ordinal")
    assert [one["minutes"] for one in found] == [2, 2, 2, 2]


def test_a_logged_rate_stays_a_cross_check(acme: Submission) -> None:
    acme.system("box")
    acme.results("box", "resnet", [log() + record("throughput", 123.5) + "\n"])
    found = row(loaded(acme.root), "select * from throughput")
    assert found["logged_samples_per_s"] == 123.5
    assert found["overall_samples_per_s"] == pytest.approx(4 * 1_281_167 / 600)


def test_an_evaluation_of_two_metrics(acme: Submission) -> None:
    acme.system("box")
    both = record("eval_accuracy", {"BBOX": 0.4, "SEGM": 0.3}, START_MS + 7, epoch_num=9)
    acme.results("box", "maskrcnn", [log(epochs=0) + both + "\n" + both + "\n"])
    found = rows(loaded(acme.root), "select metric, accuracy, ordinal from evaluation order by 1")
    assert found == [
        {"metric": "BBOX", "accuracy": 0.4, "ordinal": 1},
        {"metric": "SEGM", "accuracy": 0.3, "ordinal": 1},
    ]


def test_text_of_a_log_is_data(acme: Submission) -> None:
    evil = "'); drop table run; --"
    acme.scored("box", header={"submission_org": evil, "submission_platform": evil})
    connection = loaded(acme.root)
    assert row(connection, "select count(*) as n from run") == {"n": 5}
    said = row(connection, "select distinct logged_organization as said from run_header")
    assert said == {"said": evil}


# A log loaded again, and values that the policy fixes


def test_a_complete_log_takes_the_place_of_the_truncated_one(tmp_path: Path) -> None:
    """The remedy for a truncated log is to load the complete one: the set has five runs again."""
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12, 13, 14))
    path = acme.home / "results" / "box" / "resnet" / "result_2.txt"
    whole = path.read_text("utf-8")
    path.write_text(whole[: len(whole) // 2], encoding="utf-8")
    connection = loaded(acme.root)
    assert row(connection, "select runs, runs_converged from score") == {
        "runs": 5, "runs_converged": 4,
    }  # fmt: skip
    path.write_text(whole, encoding="utf-8")
    load_more(connection, acme.root)
    assert row(connection, "select runs, runs_converged, score_min from score") == {
        "runs": 5, "runs_converged": 5, "score_min": 12.0,
    }  # fmt: skip
    old = row(connection, "select reason, is_counted from run_result where stop_line is null")
    assert old == {"reason": "loaded again later with other contents", "is_counted": False}
    own = "not starts_with(rule, 'official_')"  # the small logs here lack what these ask for
    assert rows(connection, f"select * from finding where severity = 'error' and {own}") == []


def test_a_fixed_value_at_an_equal_batch_is_withheld_until_waived(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (40,) * 5)
    acme.scored("box_n2", (20,) * 5, nodes=2, settings={"eval_samples": 49999}, first_seed=9)
    asked = "select is_like_for_like, is_printable, footnote from scaling where nodes = 2"
    connection = loaded(acme.root)
    assert row(connection, asked) == {
        "is_like_for_like": False, "is_printable": False, "footnote": None,
    }  # fmt: skip
    data = tmp_path / "data"
    data.mkdir()
    subject = "v1.1/closed/Acme/box_n2/resnet"
    text = waiver("policy_fixed_hyperparameters", subject)
    (data / "waivers.toml").write_text(text, encoding="utf-8")
    assert row(loaded(acme.root, data=data), asked) == {
        "is_like_for_like": False, "is_printable": True, "footnote": "known and accepted",
    }  # fmt: skip
