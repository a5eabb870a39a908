"""The official checks of seeds, system description, power files and the package as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import official_oracle
import pytest
from mlperf_logs import Submission, loaded, log, row, rows, runs

from ingest.sources import Limits, Source, walk
from warehouse.database import in_memory
from warehouse.load import load
from warehouse.official.rule_data import find_rules
from warehouse.refresh import refresh

HEADER = {"submission_benchmark": "resnet"}
REQUIRED = find_rules().literal("system_desc_checker/system_desc_checker.py", "required_fields")
NO_SEED = "logs no seed"


def seeded(*seeds: Any, line: str = "7", **said: Any) -> list[str]:
    """One log for each seed, which stands where mllog says that it was logged."""
    place = f'"metadata": {{"file": "train.py", "lineno": {line}}}}}'
    logs = []
    for number, seed in enumerate(seeds):
        text = log(seed=number, epochs=36, header={**HEADER, **said},
                   settings={"global_batch_size": 3264})  # fmt: skip
        old = f'"key": "seed", "value": {number}, "metadata": {{}}}}'
        assert old in text
        new = f'"key": "seed", "value": {json.dumps(seed)}, {place}'
        lines = text.replace(old, new).split("\n")
        logs.append("\n".join(each for each in lines if seed != NO_SEED or '"seed"' not in each))
    return logs


def described(acme: Submission, system: str = "box", **changed: Any) -> Path:
    """A system whose description has every key, but for those that are changed to None."""
    fields = {key: "x" for key in REQUIRED if key not in ("number_of_nodes", "division")}
    return acme.system(system, **{**fields, "accelerators_per_node": "8", **changed})


def of_acme(tmp_path: Path, logs: list[str], name: str = "training_v1.1") -> tuple[Any, Submission]:
    acme = Submission(tmp_path, name)
    described(acme)
    acme.results("box", "resnet", logs)
    return loaded(acme.root), acme


def verdict(connection: Any, check: str, columns: str = "verdict, reason") -> dict[str, Any]:
    return row(connection, f"select {columns} from official_{check}")


def found(connection: Any, rule: str) -> list[tuple[str, str]]:
    sql = "select severity, message from finding where rule = ? order by all"
    return [(each["severity"], each["message"]) for each in rows(connection, sql, rule)]


def folder_of(acme: Submission) -> Path:
    return acme.home / "results" / "box" / "resnet"


# Seeds


@pytest.mark.parametrize(
    ("seeds", "passes", "reason"),
    [
        ((1, 2, 3, 4, 5), "pass", None),
        ((1, "2", 3.9, 4, 5), "pass", None),
        ((2**62, 2**62 + 1, 3, 4, 5), "pass", None),
        ((1, 2, 3, 2, 5), "fail", "run 3 logs seed 2 of train.py:7 as run 1 does"),
        ((1, 2, 3, " 2 ", 2.7), "fail", "run 3 logs seed 2 of train.py:7 as run 1 does (2 runs "),
        ((1, 2, NO_SEED, 4, 5), "fail", "1 of 5 runs log no seed"),
        (
            (1, 2, None, 4, 5),
            "fail",
            "run 2 logs a seed that is no whole number with file and line",
        ),
        ((1, 2, [3], 4, 5), "fail", "run 2 logs a seed that is no whole number with file and line"),
        ((1, 2, "three", 4, 5), "fail", "run 2 logs a seed that is no whole number"),
        ((1, 2, "3.5", 4, 5), "fail", "run 2 logs a seed that is no whole number"),
    ],
)
def test_seeds(tmp_path: Path, seeds: Any, passes: str, reason: str | None) -> None:
    connection, acme = of_acme(tmp_path, seeded(*seeds))
    judged = verdict(connection, "seeds", "verdict, reason, path, line")
    assert judged["verdict"] == passes
    assert judged["reason"] is None if reason is None else judged["reason"].startswith(reason)
    official = official_oracle.seeds(sorted(folder_of(acme).iterdir()), "1.1.0")
    assert (official == []) == (passes == "pass")
    if judged["line"]:
        assert '"seed"' in Path(judged["path"]).read_text().split("\n")[judged["line"] - 1]


def test_a_seed_without_its_place_fails(tmp_path: Path) -> None:
    connection, acme = of_acme(tmp_path, runs([10] * 5, header=HEADER))
    assert verdict(connection, "seeds")["verdict"] == "fail"
    assert official_oracle.seeds(sorted(folder_of(acme).iterdir()), "1.1.0") != []


@pytest.mark.parametrize(("name", "severity"), [("v1.1", "warning"), ("v2.0", "error")])
def test_no_seed_is_graded_by_round(tmp_path: Path, name: str, severity: str) -> None:
    connection, _ = of_acme(tmp_path, seeded(*[NO_SEED] * 5), f"training_{name}")
    rule_set = f"training {name[1:]}.0"
    assert found(connection, "official_seeds") == [
        (severity, f"5 of 5 runs log no seed ({rule_set})")
    ]


def test_the_same_seed_is_an_error_in_every_round(tmp_path: Path) -> None:
    connection, _ = of_acme(tmp_path, seeded(1, 1, 3, 4, 5))
    ((severity, message),) = found(connection, "official_seeds")
    assert severity == "error"
    assert message == "run 1 logs seed 1 of train.py:7 as run 0 does (training 1.1.0)"


@pytest.mark.parametrize("text", ["seed-checker-bypass", "Seed-Checker-Bypass\r\n"])
def test_the_bypass_of_the_seed_check(tmp_path: Path, text: str) -> None:
    acme = Submission(tmp_path)
    path = acme.results("box", "resnet", seeded(1, 1, 3, 4, 5)) / "package_checker_params"
    path.write_text(text, newline="")
    connection = loaded(acme.root)
    judged = verdict(connection, "seeds", "verdict, reason, options")
    assert judged["verdict"] == "pass"
    assert judged["reason"].endswith(f"; passed using the bypass file {path}")
    assert judged["options"] == f"bypass: {path}"
    ((severity, _),) = found(connection, "official_seeds")
    assert severity == "info"


def test_a_duplicate_run_without_seeds_fails_by_its_seeds_alone(tmp_path: Path) -> None:
    logs = seeded(*[NO_SEED] * 5)
    connection, _ = of_acme(tmp_path, [*logs[:4], logs[0]])
    assert verdict(connection, "seeds")["reason"] == "5 of 5 runs log no seed"
    assert [each[0] for each in found(connection, "duplicate_runs")] == ["error"]


def test_the_open_division_has_no_seeds_checked(tmp_path: Path) -> None:
    connection, _ = of_acme(tmp_path, seeded(1, 1, submission_division="open"))
    assert verdict(connection, "seeds") == {
        "verdict": "not judged", "reason": "only the closed division has its seeds checked",
    }  # fmt: skip


# System description


def lacking(acme: Submission) -> None:
    described(acme, cooling=None, hw_notes=None)


def misspelt(acme: Submission) -> None:
    described(acme, **{"framework": None, "Framework": "x"})


def broken(acme: Submission) -> None:
    described(acme).write_text('{"division": "closed",}')


def listed(acme: Submission) -> None:
    described(acme).write_text("[]")


def absent(acme: Submission) -> None:
    described(acme).unlink()


@pytest.mark.parametrize(
    ("change", "passes", "reason"),
    [
        (described, "pass", None),
        (lacking, "fail", "lacks 2 of the required keys: cooling, hw_notes"),
        (misspelt, "fail", "lacks 1 of the required keys: framework"),
        (broken, "invalid input", "cannot be read: no valid JSON: "),
        (listed, "invalid input", "cannot be read: the JSON is not an object"),
        (absent, "invalid input", "the system description is missing"),
    ],
)
def test_system_descriptions(
    tmp_path: Path, change: Callable[[Submission], Any], passes: str, reason: str | None
) -> None:
    acme = Submission(tmp_path)
    acme.results("box", "resnet", seeded(1, 2, 3, 4, 5))
    acme.results("crate", "resnet", seeded(6, 7, 8, 9, 10))
    change(acme)
    described(acme, "crate")
    connection = loaded(acme.root)
    box, crate = rows(
        connection, "select verdict, reason from official_system_description order by result_set"
    )
    assert crate == {"verdict": "pass", "reason": None}
    assert box["verdict"] == passes
    assert box["reason"] is None if reason is None else reason in box["reason"]
    expected = [] if passes == "pass" else ["error"]
    assert [each[0] for each in found(connection, "official_system_description")] == expected
    packages = rows(connection, "select verdict from official_package order by result_set")
    assert packages[0]["verdict"] != "pass" or passes == "pass"


@pytest.mark.parametrize(
    ("name", "status", "passes"),
    [
        ("training_v3.1", "on premises", "pass"),
        ("training_v5.1", "on premises", "fail"),
        ("training_v5.1", "Available on-premise", "pass"),
        ("training_v5.1", "Research, Development, or Internal (RDI)", "pass"),
    ],
)
def test_words_for_availability(tmp_path: Path, name: str, status: str, passes: str) -> None:
    acme = Submission(tmp_path, name)
    acme.results("box", "resnet", seeded(1))
    described(acme, status=status)
    assert verdict(loaded(acme.root), "system_description")["verdict"] == passes


# Power


def power(acme: Submission, files: dict[str, str]) -> None:
    for number in range(5):
        names = files.get(str(number), files["all"])
        folder = folder_of(acme) / "power" / f"result_{number}"
        for name in names.split():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(f"{number} {name}")


@pytest.mark.parametrize(
    ("files", "passes", "reason"),
    [
        ({"all": "node_0.txt node_1.txt sw_0.txt"}, "pass", None),
        ({"all": "node_0.txt", "3": ""}, "fail", "run 3 has no power files"),
        ({"all": "node_0.txt node_2.txt"}, "fail",
         "run 0 has power files of nodes that are not numbered from 0 to 1 (5 runs have a fault)"),
        ({"all": "node_0.txt sw_0.txt", "2": "node_0.txt sw_1.txt"}, "fail",
         "run 2 has power files of switches that are not numbered from 0 to 0"),
        ({"all": "node_0.txt node_1.txt", "2": "node_0.txt"}, "fail",
         "run 2 has power files of 1 nodes, the others of 2"),
        ({"all": "node_0.txt", "2": "node_a.txt"}, "invalid input",
         "run 2 has a power file whose name does not end in a number"),
    ],
)  # fmt: skip
def test_power_files(
    tmp_path: Path, files: dict[str, str], passes: str, reason: str | None
) -> None:
    acme = Submission(tmp_path)
    described(acme)
    acme.results("box", "resnet", seeded(1, 2, 3, 4, 5))
    power(acme, files)
    connection = loaded(acme.root)
    assert verdict(connection, "power") == {"verdict": passes, "reason": reason}
    assert [each[0] for each in found(connection, "official_power")] == (
        [] if passes == "pass" else ["error"]
    )


def test_no_power_files(tmp_path: Path) -> None:
    connection, _ = of_acme(tmp_path, seeded(1, 2, 3, 4, 5))
    assert verdict(connection, "power") == {
        "verdict": "not judged", "reason": "there are no power files",
    }  # fmt: skip


# The package


def test_a_package_says_all_that_fails(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    described(acme, cooling=None)
    acme.results("box", "resnet", seeded(1, 1, 3))
    (folder_of(acme) / "notes.md").write_text("see elsewhere")
    judged = verdict(loaded(acme.root), "package")
    assert judged["verdict"] == "fail"
    assert "the system description lacks 1 of the required keys: cooling" in judged["reason"]
    assert "3 result files instead of 5" in judged["reason"]
    assert "seeds: run 1 logs seed 1 of train.py:7 as run 0 does" in judged["reason"]
    assert judged["reason"].endswith("1 other file is in the folder")


def test_a_folder_that_is_no_benchmark_of_the_round_is_skipped(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.results("box", "gpt3", seeded(1))
    connection = loaded(acme.root)
    assert verdict(connection, "package") == {
        "verdict": "not judged",
        "reason": "gpt3 is no benchmark of training 1.1.0: the official checker skips the folder",
    }
    assert [each[0] for each in found(connection, "official_package")] == ["warning"]


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02\xff" * 50])
def test_a_result_file_without_a_record(tmp_path: Path, data: bytes) -> None:
    acme = Submission(tmp_path)
    described(acme)
    acme.results("box", "resnet", seeded(1, 2, 3, 4))
    acme.results("crate", "resnet", seeded(1, 2, 3, 4, 5))
    (folder_of(acme) / "result_4.txt").write_bytes(data)
    connection = loaded(acme.root)
    judged = {
        name: row(
            connection, f"select verdict, reason from official_{name} where result_set like '%box%'"
        )
        for name in ("rcp", "seeds", "package")
    }
    assert judged["rcp"] == {
        "verdict": "invalid input", "reason": "there is no record in result file result_4.txt",
    }  # fmt: skip
    assert judged["seeds"] == {"verdict": "fail", "reason": "1 of 5 runs log no seed"}
    assert judged["package"]["verdict"] == "invalid input"
    # the official tool crashes on it, unless the folder happens to list that file first
    other = "select verdict from official_rcp where result_set like '%crate%'"
    assert row(connection, other) == {"verdict": "pass"}


def test_without_a_round_nothing_is_judged(tmp_path: Path) -> None:
    connection, _ = of_acme(tmp_path, seeded(1, 1), "some_logs")
    for check in ("seeds", "rcp", "system_description", "power", "package"):
        judged = verdict(connection, check)
        assert judged["verdict"] == "not judged", check
        assert judged["reason"] == "no round is known; name it with --round", check
        assert found(connection, f"official_{check}") == []


# The public logs

# mlcommons/training_results_v1.1, NVIDIA/summarizer.csv: system, benchmark, minutes
NVIDIA = [
    ("dgxa100_n128_ngc21.09_mxnet", "resnet", 0.5746833333333333),
    ("dgxa100_n128_ngc21.09_mxnet", "ssd", 0.4542),
    ("dgxa100_n128_ngc21.09_pytorch", "bert", 0.5575583333333334),
    ("dgxa100_n14_ngc21.09_merlin_hugectr", "dlrm", 0.6325),
    ("dgxa100_n16_ngc21.09_pytorch", "rnnt", 4.40828125),
    ("dgxa100_n192_ngc21.09_pytorch", "rnnt", 2.3752583333333335),
    ("dgxa100_n224_ngc21.09_tensorflow", "minigo", 15.465202083333335),
    ("dgxa100_n32_ngc21.09_tensorflow", "minigo", 29.093331249999995),
    ("dgxa100_n4_ngc21.09_pytorch", "maskrcnn", 14.499416666666667),
    ("dgxa100_n51_ngc21.09_pytorch", "maskrcnn", 3.241722222222222),
    ("dgxa100_n540_ngc21.09_mxnet", "resnet", 0.3470333333333333),
    ("dgxa100_n540_ngc21.09_pytorch", "bert", 0.22621874999999997),
    ("dgxa100_n8_ngc21.09_merlin_hugectr", "dlrm", 0.6848555555555557),
    ("dgxa100_n8_ngc21.09_mxnet", "resnet", 4.533744444444444),
    ("dgxa100_n8_ngc21.09_mxnet", "ssd", 1.5238833333333333),
    ("dgxa100_n8_ngc21.09_pytorch", "bert", 3.038058333333333),
    ("dgxa100_n96_ngc21.09_mxnet", "unet3d", 1.372829166666667),
    ("dgxa100_n9_ngc21.09_mxnet", "unet3d", 3.7571520833333336),
    ("dgxa100_ngc21.09_merlin_hugectr", "dlrm", 1.7091166666666666),
    ("dgxa100_ngc21.09_mxnet", "resnet", 29.14658888888889),
    ("dgxa100_ngc21.09_mxnet", "ssd", 8.258344444444445),
    ("dgxa100_ngc21.09_mxnet", "unet3d", 25.524379166666666),
    ("dgxa100_ngc21.09_pytorch", "bert", 20.003233333333334),
    ("dgxa100_ngc21.09_pytorch", "maskrcnn", 46.16744444444444),
    ("dgxa100_ngc21.09_pytorch", "rnnt", 34.243404166666664),
    ("dgxa100_ngc21.09_tensorflow", "minigo", 264.86751458333333),
]
CLAIMED = "division,availability,submitter,system,{},details_url,code_url\n"


def claimed(path: Path, changed: dict[tuple[str, str], float]) -> None:
    """A summary with NVIDIA's published numbers, some of them changed."""
    names = sorted({benchmark for _, benchmark, _ in NVIDIA})
    scores = {(system, name): minutes for system, name, minutes in NVIDIA} | changed
    text = CLAIMED.format(",".join(names))
    for system in sorted({system for system, _, _ in NVIDIA}):
        cells = ",".join(repr(scores.get((system, name), "")).strip("'") for name in names)
        text += f"closed,available,NVIDIA,{system},{cells},,\n"
    path.write_text(text, encoding="utf-8")


def test_the_scores_that_nvidia_published(corpus: Path, tmp_path: Path) -> None:
    root = tmp_path / "training_v1.1"
    for member in walk([str(corpus / "training_v1.1.tar.xz")], Limits()):
        assert isinstance(member, Source)
        name = (member.member or "").partition("NVIDIA/")[2]
        if name.startswith(("results/", "systems/")):
            path = root / "NVIDIA" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(member.read())
    claimed(root / "NVIDIA" / "summarizer.csv", {})
    connection = in_memory()
    load(connection, [str(root)])
    refresh(connection)
    ours = {
        (each["system"], each["benchmark"]): each["score_min"]
        for each in rows(connection, "select system, benchmark, score_min from score")
    }
    assert len(NVIDIA) == 26
    for system, benchmark, minutes in NVIDIA:
        assert ours[system, benchmark] == pytest.approx(minutes, abs=1e-9), (system, benchmark)
    assert found(connection, "claimed_score") == []
    wrong = {("dgxa100_ngc21.09_mxnet", "ssd"): 8.2584, ("dgxa100_ngc21.09_mxnet", "bert"): 1.0}
    claimed(root / "NVIDIA" / "summarizer_2.csv", wrong)
    load(connection, [str(root / "NVIDIA" / "summarizer_2.csv")])
    refresh(connection)
    first, second = found(connection, "claimed_score")
    assert first[1].startswith("a score of 8.2584 min is claimed, the logs give 8.2583444")
    assert second == ("warning", "a score of 1.0 min is claimed, but no logs of it were loaded")


# benchmark: systems of Dell in v1.1 of which the package checker 4.1.68 refuses it
REFUSED = {
    "bert": ("2xXE8545x4A100-SXM-80GB", "DSS8440x10A100-PCIE-80GB", "DSS8440x8A100-PCIE-40GB",
             "DSS8440x8A100-PCIE-80GB", "R750xax4A100-PCIE-80GB", "R750xax4A100-PCIE-80GB-8368",
             "XE8545x4A100-SXM-80GB"),
    "dlrm": ("XE8545x4A100-SXM-80GB",),
    "minigo": ("DSS8440x8A100-PCIE-40GB", "DSS8440x8A100-PCIE-40GB-NVBridge",
               "R750xax4A100-PCIE-80GB", "XE8545x4A100-SXM-80GB"),
    "rnnt": ("R750xax4A100-PCIE-80GB",),
    "ssd": ("DSS8440x10A100-PCIE-80GB",),
    "unet3d": ("DSS8440x8A100-PCIE-80GB", "R750xax4A100-PCIE-80GB", "XE8545x4A100-SXM-80GB"),
}  # fmt: skip


def test_the_packages_of_dell(corpus: Path) -> None:
    connection = in_memory()
    load(connection, [str(corpus / "training_v1.1_dell.tar.xz")])
    refresh(connection)
    judged = rows(
        connection,
        "select s.system, s.benchmark, p.verdict, p.reason from official_package p"
        " join result_set s using (result_set)",
    )
    refused = {(each["system"], each["benchmark"]) for each in judged if each["verdict"] == "fail"}
    assert refused == {(system, name) for name in REFUSED for system in REFUSED[name]}
    assert len(judged) == 51
    assert sum(each["verdict"] == "pass" for each in judged) == 34
    reasons = {(each["system"], each["benchmark"]): each["reason"] for each in judged}
    assert reasons["XE8545x4A100-SXM-80GB", "bert"].startswith("10 of 10 runs do not comply")
    assert reasons["XE8545x4A100-SXM-80GB", "dlrm"].startswith("seeds: 5 of 5 runs log no seed")
    assert reasons["XE8545x4A100-SXM-40GB", "rnnt"].startswith("1 run does not comply, which the")
    convergence = rows(
        connection,
        "select rcp_case, verdict, verdict_full, count(*) as sets from official_rcp group by all"
        " order by all",
    )
    assert [tuple(each.values()) for each in convergence] == DELL_CONVERGENCE


# case, verdict with pruned points, with all points, result sets
DELL_CONVERGENCE: list[tuple[Any, ...]] = [
    ("found", "pass", "pass", 18),
    ("interpolated", "fail", "fail", 1),
    ("interpolated", "pass", "fail", 1),
    ("interpolated", "pass", "pass", 14),
    ("missing", "fail", "fail", 1),
    ("smaller batch", "pass", "fail", 1),
    ("smaller batch", "pass", "pass", 11),
    (None, "not judged", "not judged", 4),
]
