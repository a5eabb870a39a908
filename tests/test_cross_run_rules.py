"""What the cross-run rules of MLPerf training leave alone, and how they put things together."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from mlperf_logs import MINUTE_MS, SLOT_MS, START_MS, Submission, log, record, runs
from test_rules import judged, scored

ACME = "v1.1/closed/Acme"


def found(tmp_path: Path, rule: str, make: Any) -> list[dict[str, Any]]:
    return judged(tmp_path, make, rule)[0]


def log_of(acme: Submission, system: str, run: int = 0) -> Path:
    return acme.home / "results" / system / "resnet" / f"result_{run}.txt"


# Copies


def test_five_copies_are_one_finding(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        acme.system("crate")
        shutil.copytree(log_of(acme, "box").parent, log_of(acme, "crate").parent)

    (one,) = found(tmp_path, "duplicate_runs", make)
    assert (one["subject"], one["value"]) == (f"{ACME}/crate/resnet", "5")
    assert one["message"].startswith(f"5 logs have the same bytes as logs of {ACME}/box/resnet,")
    assert one["message"].endswith("/box/resnet/result_0.txt")


def test_a_later_round_may_take_a_run_again(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        later = acme.root / "training_v2.0" / "Acme"
        shutil.copytree(acme.home, later)

    assert found(tmp_path, "duplicate_runs", make) == []


def test_a_copy_that_does_not_count_is_none(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        shutil.copy(log_of(acme, "box"), log_of(acme, "box").with_name("first.txt"))

    assert found(tmp_path, "duplicate_runs", make) == []


def test_reconstructed_logs_are_no_copies_of_the_real_ones(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        again = acme.root / "facts" / "training_v1.1" / "Acme"
        shutil.copytree(acme.home, again)
        (again.parent / "source.toml").write_text('name = "facts"\nkind = "reconstructed"\n')
        path = again / "results" / "box" / "resnet" / "result_0.txt"
        path.write_text(path.read_text("utf-8") + "a line\n", "utf-8")

    assert found(tmp_path, "duplicate_runs", make) == []


# Hyperparameters


def test_two_keys_of_one_odd_run_are_one_finding(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.system("box")
        odd = log(seed=9, settings={"opt_base_learning_rate": 9.5, "d_batch_size": 128})
        acme.results("box", "resnet", [*runs([10] * 4), odd])

    (one,) = found(tmp_path, "identical_hyperparameters_within_set", make)
    assert one["message"] == (
        "d_batch_size is 128 in 1 run(s), 256 in the others;"
        " opt_base_learning_rate is 9.5 in 1 run(s), 2 in the others"
    )
    assert (one["value"], one["limit_value"]) == ("128; 9.5", "256; 2")


def three_systems(third: dict[str, Any], **described: Any) -> Any:
    """Two systems alike, a third with these settings and this description."""

    def make(acme: Submission, data: Path) -> None:
        for number, system in enumerate(("box", "crate", "desk")):
            settings = third if system == "desk" else {}
            acme.scored(system, first_seed=1 + 50 * number, settings=settings)
        acme.system("desk", **described)

    return make


RULE_X3 = "identical_hyperparameters_across_systems"


def test_the_odd_system_is_compared_once_with_the_rest(tmp_path: Path) -> None:
    make = three_systems({"opt_base_learning_rate": 3, "opt_momentum": 0.9})
    (one,) = found(tmp_path, RULE_X3, make)
    assert one["subject"] == f"{ACME}/desk/resnet"
    assert one["message"] == (
        "against box at the same global batch size: opt_base_learning_rate 2 -> 3"
    )


def test_another_framework_is_another_experiment(tmp_path: Path) -> None:
    make = three_systems({"opt_base_learning_rate": 3}, framework="another")
    assert found(tmp_path, RULE_X3, make) == []


@pytest.mark.parametrize(
    ("settings", "per_node"),
    [
        ({"opt_base_learning_rate": 2.0}, 8),
        ({"d_batch_size": 128}, 16),
        ({"gradient_accumulation_steps": 2}, 4),
    ],
)
def test_what_scale_explains_is_no_difference(
    tmp_path: Path, settings: dict[str, Any], per_node: int
) -> None:
    make = three_systems(settings, per_node=per_node, accelerator_model_name="H100")
    assert found(tmp_path, RULE_X3, make) == []


def test_node_counts_of_a_family_are_left_to_their_own_rule(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        acme.scored("box_n2", nodes=2, first_seed=9, settings={"opt_base_learning_rate": 3})

    assert found(tmp_path, RULE_X3, make) == []


def test_the_open_division_may_change_fixed_values(tmp_path: Path) -> None:
    make = scored(settings={"eval_samples": 1}, header={"submission_division": "open"})
    assert found(tmp_path, "policy_fixed_hyperparameters", make) == []


def test_a_row_against_an_odd_base_is_found_too(tmp_path: Path) -> None:
    """Its efficiency is withheld, so a waiver must have something to speak of."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", (40,) * 5, settings={"eval_samples": 49999})
        acme.scored("box_n2", (20,) * 5, nodes=2, first_seed=9)

    got = found(tmp_path, "policy_fixed_hyperparameters", make)
    assert [one["subject"] for one in got] == [f"{ACME}/box/resnet", f"{ACME}/box_n2/resnet"]
    assert got[1]["message"].startswith("against box (base): eval_samples 49999 -> 50000")


# Seeds


def sharing(seeds: list[int]) -> Any:
    """Two systems that use these seeds, at other times."""

    def make(acme: Submission, data: Path) -> None:
        for number, system in enumerate(("box", "crate")):
            acme.system(system)
            start_ms = START_MS + number * 50 * SLOT_MS
            logs = [log(seed=n, start_ms=start_ms + k * SLOT_MS) for k, n in enumerate(seeds)]
            acme.results(system, "resnet", logs)

    return make


def test_a_list_of_consecutive_seeds_is_no_choice(tmp_path: Path) -> None:
    assert found(tmp_path, "reused_seeds", sharing([42, 43, 44, 45, 46])) == []


def test_drawn_seeds_that_come_again_are_one_finding(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "reused_seeds", sharing([7, 712, 9, 31, 55]))
    assert one["message"].startswith("5 seed(s) of resnet are found on more than one system, in 2")


# Clocks


def rewritten(*lines: str) -> Any:
    """The first log of box with these lines before its run_stop."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        text = log_of(acme, "box").read_text("utf-8").split("\n")
        log_of(acme, "box").write_text("\n".join([*text[:-2], *lines, *text[-2:]]), "utf-8")

    return make


@pytest.mark.parametrize("key", ["eval_accuracy", "eval_start", "save_model", "tracked_stats"])
def test_what_may_be_logged_afterwards_is_no_step_of_the_clock(tmp_path: Path, key: str) -> None:
    make = rewritten(record(key, 0.5, START_MS + MINUTE_MS, epoch_num=2))
    assert found(tmp_path, "clock_steps", make) == []


def test_ranks_that_lag_behind_each_other_are_no_step_of_the_clock(tmp_path: Path) -> None:
    late = [record("epoch_stop", None, START_MS + n * MINUTE_MS, epoch_num=n) for n in (1, 2)]
    make = rewritten("1: " + late[0], "2: " + late[0], "1: " + late[1], "2: " + late[1])
    assert found(tmp_path, "clock_steps", make) == []


def test_run_stop_may_be_earlier_than_the_last_epoch(tmp_path: Path) -> None:
    """Evaluated afterwards, a run ends at its first passing checkpoint."""
    make = rewritten(record("epoch_start", None, START_MS + 30 * MINUTE_MS, epoch_num=5))
    assert found(tmp_path, "clock_steps", make) == []


# Names


def test_a_platform_that_the_own_description_names_is_no_other(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        other = Submission(acme.root.parent, organization="NVIDIA")
        other.scored("dgxa100", first_seed=60, header={"submission_platform": "NVIDIA DGX A100"})
        acme.scored("box", header={"submission_platform": "128xNVIDIA DGX A100"})
        acme.system("box", system_name="Acme cluster of DGX A100")

    assert found(tmp_path, "foreign_platform", make) == []


def test_node_count_before_the_platform_is_ignored(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("2xbox", nodes=2, first_seed=50, header={"submission_platform": "2xbox"})
        acme.scored("box", header={"submission_platform": "1xbox"})

    assert found(tmp_path, "foreign_platform", make) == []


# Time and place


def test_the_slow_one_of_a_short_set_is_left_alone(tmp_path: Path) -> None:
    assert found(tmp_path, "epoch_time_outliers", scored(2, 2, 2, 2, 4)) == []


def test_low_efficiency_where_another_submitter_does_no_better(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        for number, name in enumerate(("Acme", "Bolt")):
            one = Submission(acme.root.parent, organization=name)
            header, seed = {"submission_org": name}, 1 + 100 * number
            one.scored("box", (40,) * 5, header=header, first_seed=seed)
            one.scored("box_n16", (5.5 if number else 5.6,) * 5, nodes=16, header=header,
                       first_seed=seed + 9)  # fmt: skip

    assert found(tmp_path, "low_efficiency", make) == []


def test_low_efficiency_where_another_submitter_does_better(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        for number, name in enumerate(("Acme", "Bolt")):
            one = Submission(acme.root.parent, organization=name)
            header, seed = {"submission_org": name}, 1 + 100 * number
            one.scored("box", (40,) * 5, header=header, first_seed=seed)
            one.scored("box_n16", (3.5 if number else 5.6,) * 5, nodes=16, header=header,
                       first_seed=seed + 9)  # fmt: skip

    (one,) = found(tmp_path, "low_efficiency", make)
    assert (one["subject"], one["value"]) == (f"{ACME}/box_n16/resnet", "44.6")
    assert one["limit_value"] == "71.4"


def test_two_other_submitters_are_needed_for_an_outlier(tmp_path: Path) -> None:
    def make(acme: Submission, data: Path) -> None:
        other = Submission(acme.root.parent, organization="Bolt")
        other.scored("rack", first_seed=100, header={"submission_org": "Bolt"})
        acme.scored("box", (20,) * 5)

    assert found(tmp_path, "score_outlier", make) == []
