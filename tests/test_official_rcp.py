"""The official convergence test: reference points of every round, cases, verdicts, bad input."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import official_oracle
import pytest
from mlperf_logs import Submission, loaded, log, record, row, rows, runs

from ingest.sources import Limits, Source, walk
from warehouse.database import in_memory
from warehouse.load import load
from warehouse.official import assignment, rcp
from warehouse.official.rule_data import RuleDataError, Rules, find_rules
from warehouse.refresh import refresh

RULES = find_rules()
POINTS = [
    (rule_set, benchmark, path)
    for rule_set in RULES.rule_sets()
    for benchmark, path in RULES.rcp_files(rule_set).items()
]
SET = "v1.1/closed/Acme/box/resnet"
HEADER = {"submission_benchmark": "resnet"}


def of_acme(tmp_path: Path, logs: list[str], benchmark: str = "resnet") -> Any:
    acme = Submission(tmp_path)
    acme.system("box")
    acme.results("box", benchmark, logs)
    return loaded(acme.root)


def converged(*epochs: int, batch: Any = 3264, **settings: Any) -> list[str]:
    said = {"global_batch_size": batch, **settings}
    return [
        log(epochs=number, header=HEADER, settings=said, seed=seed)
        for seed, number in enumerate(epochs, start=1)
    ]


def verdict(connection: Any, columns: str = "verdict, rcp_case, reason") -> dict[str, Any]:
    return row(connection, f"select {columns} from official_rcp")


# Reference points


@pytest.mark.parametrize(
    ("rule_set", "benchmark", "path"), POINTS, ids=[f"{r.folder}-{b}" for r, b, _ in POINTS]
)
def test_every_point_of_every_round_is_the_official_one(
    rule_set: Any, benchmark: str, path: Path
) -> None:
    from mlperf_logging.rcp_checker import rcp_checker

    rcp_checker.submission_runs["training"].setdefault("dlrm", 5)
    runs_of_a_set = rcp_checker.submission_runs[rule_set.usage][benchmark]
    official = rcp_checker.RCP_Checker(rule_set.usage, rule_set.version, benchmark, False)
    ours = {found.record: found for found in rcp.read(path, runs_of_a_set)}
    assert list(ours) == list(official.rcp_data)
    for name, said in official.rcp_data.items():
        found = ours[name]
        assert (found.batch_size, found.mean) == (said["BS"], said["RCP Mean"])
        assert (found.stdev, found.min_mean) == (said["RCP Stdev"], said["Min Epochs"])
        assert found.is_pruned == (name not in official.pruned_rcp_data)


@pytest.mark.parametrize("submission_runs", [3, 5, 10, 40])
def test_the_bound_in_sql_is_the_official_search(submission_runs: int) -> None:
    connection = in_memory()
    allowed = rcp.allowance(2 * submission_runs, submission_runs - 2)
    assert allowed == assignment.interpolation_factor(submission_runs)
    chance = random.Random(submission_runs)
    cases = [(10 ** chance.uniform(-1, 9), chance.uniform(0, 1.2)) for _ in range(300)]
    for mean, share in [*cases, (35.0, 0.0), (2.0, 9.0), (1e-5, 0.1)]:
        (bound,) = connection.execute(
            "select rcp_least_mean(?, ?, ?)", [mean, mean * share, allowed]
        ).fetchone() or (None,)
        assert bound == pytest.approx(rcp.least_mean(mean, mean * share, allowed), rel=1e-9)


def test_known_allowances() -> None:
    known = {3: 2.1765010004, 5: 1.1821961155, 10: 0.7135111670, 40: 0.3266734330}
    for submission_runs, factor in known.items():
        found = rcp.allowance(2 * submission_runs, submission_runs - 2)
        assert found == pytest.approx(factor, abs=1e-10)


POINT: dict[str, Any] = {
    "Benchmark": "resnet", "BS": 512, "Hyperparams": {}, "Epochs to converge": [35, 36, 37, 38],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "no JSON"),
        ("[]", "not an object of records"),
        (json.dumps({"one": []}), "record one: list indices"),
        (json.dumps({"one": {**POINT, "BS": "512"}}), "record one: '512' is no number"),
        (json.dumps({"one": {**POINT, "BS": True}}), "record one: True is no number"),
        (
            json.dumps({"one": {k: v for k, v in POINT.items() if k != "BS"}}),
            "record one: no 'BS'",
        ),
        (json.dumps({"one": {**POINT, "Epochs to converge": [1, None, 3]}}), "None is no number"),
        (json.dumps({"one": {**POINT, "Epochs to converge": [1, 2]}}), "2 runs are too few"),
        (
            '{"one": {"Benchmark": "resnet", "BS": 1, "Epochs to converge": [NaN, 1, 2]}}',
            "nan is no",
        ),
    ],
)
def test_a_point_that_cannot_be_used_is_named(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "rcps_resnet.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleDataError) as raised:
        rcp.read(path, 5)
    assert str(raised.value).startswith(f"{path}: ")
    assert reason in str(raised.value)
    assert str(raised.value).endswith("mend it, or name another folder with --rules")


def test_only_what_the_runs_need_is_read_and_kept(tmp_path: Path) -> None:
    connection = of_acme(tmp_path, converged(36))
    stored = "select distinct rule_set, benchmark, rules, rules_version from rcp_record"
    (found,) = rows(connection, stored)
    assert (found["rule_set"], found["benchmark"]) == ("training 1.1.0", "resnet")
    connection.execute("update rcp_record set mean = 1")
    rcp.store(connection, RULES)
    assert row(connection, "select max(mean) as mean from rcp_record")["mean"] == 1
    rcp.store(connection, Rules(RULES.folder, "a folder", "9"))
    (found,) = rows(connection, stored)
    assert (found["rules"], found["rules_version"]) == ("a folder", "9")
    assert row(connection, "select min(mean) as mean from rcp_record")["mean"] == 35.0


# Cases. ResNet-50 in rule set 1.1.0: points that are left at 1632, 3264 ... 65536


@pytest.mark.parametrize(
    ("logs", "case", "passes", "said"),
    [
        (converged(36, 36, 36, 36, 36), "found", "pass", "36 epochs is no faster than the ref"),
        (converged(36, 1, 36, 36, 36), "found", "pass", "36 epochs is no faster than"),
        (converged(20, 20, 20, 36, 36), "found", "fail", "25.3333 epochs is faster than the ref"),
        (converged(*[44] * 5, batch=5000), "interpolated", "pass", "between two reference points"),
        (converged(*[9] * 5, batch=5000), "interpolated", "fail", "between two reference points"),
        (converged(*[36] * 5, batch=512), "smaller batch", "pass", "is smaller than all reference"),
        (converged(*[9] * 5, batch=512), "missing", "fail", "no reference point for batch size 51"),
        (converged(*[99] * 5, batch=10**6), "missing", "fail", "1000000, which is larger than all"),
        (converged(*[36] * 5, batch=None), "no batch size", "fail", "no global_batch_size is log"),
    ],
)  # fmt: skip
def test_cases(tmp_path: Path, logs: list[str], case: str, passes: str, said: str) -> None:
    found = verdict(of_acme(tmp_path, logs))
    assert (found["verdict"], found["rcp_case"]) == (passes, case)
    assert said in found["reason"]


def test_the_evidence_is_the_last_evaluation_of_a_counted_run(tmp_path: Path) -> None:
    found = verdict(of_acme(tmp_path, converged(20, 20, 20, 36, 36)), "path, line, value, verdict")
    assert found["value"] == "25.3333 epochs"
    text = Path(found["path"]).read_text().split("\n")
    assert '"key": "eval_accuracy"' in text[found["line"] - 1]
    assert '"epoch_num": 20' in text[found["line"] - 1]


@pytest.mark.parametrize(("aborted", "passes"), [(1, "pass"), (2, "fail")])
def test_aborted_runs_are_the_slowest(tmp_path: Path, aborted: int, passes: str) -> None:
    logs = runs([10] * (5 - aborted) + [-10] * aborted, header=HEADER, epochs=36,
                settings={"global_batch_size": 3264})  # fmt: skip
    connection = of_acme(tmp_path, logs)
    found = verdict(connection, "verdict, rcp_case, reason, path, line, mean_converged")
    assert found["verdict"] == passes
    if passes == "pass":
        assert found["mean_converged"] == 36.0
    else:
        assert found["rcp_case"] == "not converged"
        assert found["reason"] == "2 runs did not converge, more than may be dropped"
        assert "run_stop" in Path(found["path"]).read_text().split("\n")[found["line"] - 1]


def without_number(text: str) -> str:
    return text.replace('"epoch_num": 36}', '"epoch_num": "36"}')


def cut_in_evaluation(text: str) -> str:
    return text[: text.rindex('"eval_accuracy"') + 40]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (without_number, "run 2: the evaluation on line {} has no number epoch_num"),
        (cut_in_evaluation, "run 2: the record on line {} is damaged"),
        (lambda text: text.replace('"status": "success"', '"x": 1'), "a run_stop has no status"),
        (lambda text: text.replace("3264", '"3264"'), "global_batch_size on line 5 is no number"),
        (lambda text: text.replace("3264", "1632"),
         "the runs have different global batch sizes: 1632, 3264"),
        (lambda text: text.replace('"resnet"', '"bert"'),
         "the runs name different benchmarks: bert, resnet"),
        (lambda text: "\n".join(line for line in text.split("\n") if "global_batch" not in line),
         "the runs have different global batch sizes: 3264, none"),
        (lambda text: "\n".join(line for line in text.split("\n") if "eval_accuracy" not in line),
         "run 2: no evaluation stands before run_stop"),
    ],
)  # fmt: skip
def test_what_the_official_tool_crashes_on(
    tmp_path: Path, change: Callable[[str], str], reason: str
) -> None:
    logs = converged(*[36] * 5)
    lines = logs[2].split("\n")
    last = max(n for n, line in enumerate(lines, 1) if '"eval_accuracy"' in line)
    logs[2] = change(logs[2])
    connection = of_acme(tmp_path, logs)
    found = verdict(connection)
    assert found["verdict"] == "invalid input"
    assert found["rcp_case"] is None
    assert reason.format(last) in found["reason"]
    folder = tmp_path / "training_v1.1" / "Acme" / "results" / "box" / "resnet"
    if "none" not in reason:  # then it crashes unless the folder happens to list that file first
        assert isinstance(official_oracle.rcp(folder, "training", "1.1.0"), Exception)
    finding = row(connection, "select severity from finding where rule = 'official_rcp'")
    assert finding == {"severity": "error"}


def test_a_null_accuracy_is_no_matter_of_this_test(tmp_path: Path) -> None:
    logs = converged(*[36] * 5)
    logs[1] = logs[1].replace('"value": 0.76', '"value": null')
    connection = of_acme(tmp_path, logs)
    assert verdict(connection)["verdict"] == "pass"


@pytest.mark.parametrize(
    ("name", "header", "reason"),
    [
        ("training_v1.1", {"submission_division": "open"}, "only the closed division"),
        ("training_v0.7", {}, "has no reference convergence points in training 0.7.0"),
        (
            "training_v1.1",
            {"submission_benchmark": "minigo"},
            "has no reference convergence points",
        ),
        ("some_logs", {}, "no round is known; name it with --round"),
        ("training_v0.4", {}, "there is no official rule set of training for round v0.4"),
    ],
)
def test_what_is_not_judged(tmp_path: Path, name: str, header: dict[str, Any], reason: str) -> None:
    acme = Submission(tmp_path, name)
    acme.results("box", "resnet", runs([10] * 5, header={**HEADER, **header}))
    connection = loaded(acme.root)
    found = verdict(connection)
    assert found["verdict"] == "not judged"
    assert reason in found["reason"]
    assert rows(connection, "select * from finding where rule = 'official_rcp'") == []


def test_a_benchmark_that_nobody_knows_is_invalid(tmp_path: Path) -> None:
    logs = runs([10] * 5, header={"submission_benchmark": "chess"})
    found = verdict(of_acme(tmp_path, logs, "chess"))
    assert found["verdict"] == "invalid input"
    assert found["reason"] == "no official benchmark is called chess"


def bert(epoch_num: int, train_samples: int) -> str:
    text = log(epochs=1, header={"submission_benchmark": "bert"},
               settings={"global_batch_size": 448})  # fmt: skip
    text = text.replace('"epoch_num": 1}', f'"epoch_num": {epoch_num}}}')
    stop = text.index(":::MLLOG", text.index('"eval_accuracy"'))
    return text[:stop] + record("train_samples", train_samples) + "\n" + text[stop:]


@pytest.mark.parametrize(
    ("epoch_num", "train_samples", "counted_in", "passes"),
    [
        (1, 2_600_000, "train_samples", "pass"),
        (2_600_000, 156_725_653, "epoch_num", "pass"),
        (2_600_000, 1_600_000, "epoch_num", "pass"),
        (1, 1_600_000, "train_samples", "fail"),
        (1, 156_725_653, "epoch_num", "fail"),
    ],
)
def test_bert_is_counted_in_what_is_of_the_size_of_the_reference(
    tmp_path: Path, epoch_num: int, train_samples: int, counted_in: str, passes: str
) -> None:
    connection = of_acme(tmp_path, [bert(epoch_num, train_samples)] * 10, "bert")
    found = verdict(connection, "verdict, options")
    assert found["verdict"] == passes
    assert found["options"] == f"pruned points; unit {counted_in}; bypass: none"


@pytest.mark.parametrize("place", ["box/resnet", "box"])
@pytest.mark.parametrize("text", ["rcp-bypass", "rcp-bypass\n", " RCP-Bypass\r\n"])
def test_a_bypass_file_counts_with_or_without_a_line_end(
    tmp_path: Path, place: str, text: str
) -> None:
    acme = Submission(tmp_path)
    acme.system("box")
    acme.results("box", "resnet", converged(*[9] * 5))
    path = acme.home / "results" / place / "package_checker_params"
    path.write_text(text, encoding="utf-8", newline="")
    connection = loaded(acme.root)
    found = verdict(connection, "verdict, reason, has_bypass, options")
    assert (found["verdict"], found["has_bypass"]) == ("pass", True)
    assert found["reason"].endswith(f"; passed using the bypass file {path}")
    assert found["options"].endswith(f"; bypass: {path}")
    finding = row(connection, "select severity, message from finding where rule = 'official_rcp'")
    assert finding["severity"] == "info"


def test_a_bypass_does_not_help_runs_that_did_not_converge(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    folder = acme.results("box", "resnet", runs([10, 10, 10, -10, -10], header=HEADER))
    (folder / "package_checker_params").write_text("rcp-bypass")
    assert verdict(loaded(acme.root))["verdict"] == "fail"


def test_the_summary_of_other_batches_is_another_result_set(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.results("box", "resnet", converged(*[9] * 5))
    acme.results("crate", "resnet", converged(*[36] * 5))
    found = rows(loaded(acme.root), "select result_set, verdict from official_rcp order by all")
    assert [each["verdict"] for each in found] == ["fail", "pass"]


# The public logs

CASES_OF = {
    "RCP found": "found", "RCP Interpolation": "interpolated",
    "RCP not found but slower convergence on smaller batch size": "smaller batch",
    "Insufficient convergence": "not converged",
    "Could not detect global_batch_size": "no batch size",
}  # fmt: skip
# archive, rule set, folders that are compared, result sets of them
COMPARED = [
    ("training_v1.1_dell.tar.xz", "1.1.0", ("/",), 51),
    ("training_v2.0_part.tar.xz", "2.0.0", ("/",), 19),
    ("training_v5.1_part.tar.xz", "5.1.0", ("/1x", "/XE"), 25),
    pytest.param("training_v1.1.tar.xz", "1.1.0", ("/",), 183, marks=pytest.mark.slow),
]


def unpacked(archive: Path, folder: Path, parts: tuple[str, ...]) -> Path:
    """The logs and descriptions of some systems in an archive, as files."""
    for found in walk([str(archive)], Limits()):
        assert isinstance(found, Source)
        member = found.member or ""
        if "/systems/" in member or any(part in member for part in parts):
            path = folder / member
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(found.read())
    return folder


@pytest.mark.parametrize(("archive", "version", "parts", "sets"), COMPARED)
def test_public_logs_are_judged_as_officially(
    corpus: Path, tmp_path: Path, archive: str, version: str, parts: tuple[str, ...], sets: int
) -> None:
    root = unpacked(corpus / archive, tmp_path, parts)
    connection = in_memory()
    load(connection, [str(root)])
    refresh(connection)
    found = rows(
        connection,
        "select r.*, s.folder from rcp_comparison r join official_set s using (result_set)",
    )
    assert len(found) == 2 * sets
    for ours in found:
        pruned = "pruned_rcps" if ours["is_pruned"] else "full_rcps"
        in_samples = ours["counted_in"] == "train_samples"
        said = official_oracle.rcp(Path(ours["folder"]), "training", version, in_samples, pruned)
        if isinstance(said, Exception):
            assert ours["fault"] or ours["rcp_case"] == "no points", ours["result_set"]
            continue
        case = CASES_OF.get(said.message, "missing")
        is_missing = ours["rcp_case"] == "smaller batch" and not ours["is_passed"]
        assert ("missing" if is_missing else ours["rcp_case"]) == case, ours["result_set"]
        assert ours["is_passed"] == said.passed, ours["result_set"]
        assert (ours["norm_factor"] or 1) == pytest.approx(said.factor, rel=1e-9)
