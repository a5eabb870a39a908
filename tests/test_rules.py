"""Every rule: a submission that breaks it and one that does not; waivers and corrections."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mlperf_logs import Submission, correction, loaded, log, record, row, rows, runs, waiver

from warehouse.rules import FIELDS, SEVERITIES, rules

SET = "v1.1/closed/Acme/box/resnet"
NAMES = [rule.name for rule in rules()]
# else test_fio_rules.py, test_nccl_rules.py
ABOUT_TRAINING = [name for name in NAMES if not name.startswith(("fio_", "nccl_"))]

Make = Callable[[Submission, Path], object]


@dataclass(frozen=True)
class Case:
    """A submission that breaks a rule and, but for that, the same that does not.

    `breaks` and `keeps` fill a submission and a folder like `data/`.
    """

    rule: str
    breaks: Make
    keeps: Make
    severity: str
    subject: str = SET
    message: str = ""
    line_holds: str | None = None


def two_scales(one: dict[str, Any], two: dict[str, Any], fast: float = 20) -> Make:
    """A system on one and on two nodes, with these settings."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box_n2", [fast] * 5, nodes=2, settings=two, first_seed=9)
        acme.scored("box", [40] * 5, settings=one)

    return make


def scored(*minutes: float, **common: Any) -> Make:
    return lambda acme, data: acme.scored("box", minutes or (10,) * 5, **common)


def with_data(name: str, text: str, *minutes: float) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", minutes or (10,) * 5)
        (data / name).write_text(text, encoding="utf-8")

    return make


def odd_setting(acme: Submission, data: Path) -> None:
    acme.system("box")
    odd = log(settings={"opt_base_learning_rate": 9.5}, seed=7)
    acme.results("box", "resnet", [*runs([10] * 4), odd])


def copied(as_other_system: bool) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        acme.scored("crate", first_seed=50)
        source = acme.home / "results" / "box" / "resnet" / "result_0.txt"
        other = acme.home / "results" / "crate" / "resnet" / "result_0.txt"
        shutil.copy(source, other if as_other_system else acme.root / "copy.txt")

    return make


def again(is_other: bool) -> Make:
    """Run 2 a second time, further down, with other contents or the same."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        first = acme.home / "results" / "box" / "resnet" / "result_2.txt"
        second = acme.root / "later" / acme.root.name / first.relative_to(acme.root)
        second.parent.mkdir(parents=True)
        second.write_text(log(seed=99) if is_other else first.read_text("utf-8"), encoding="utf-8")

    return make


def headed(**header: str) -> Make:
    """Beside another system of the submitter, whose name a log may give by mistake."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("crate", first_seed=50)
        acme.scored("box", header=header)

    return make


def described(is_there: bool) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        if not is_there:
            (acme.home / "systems" / "box.json").unlink()

    return make


def cut(share: float, name: str = "result_2.txt") -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        path = acme.home / "results" / "box" / "resnet" / name
        text = log(seed=77)
        path.write_text(text[: int(len(text) * share)], encoding="utf-8")

    return make


CASES = [
    Case(
        "converged_runs", scored(10, 11, 12, 13, -14), scored(10, 11, 12, 13, 14), "warning",
        message="run 4: did not converge (1 of 5 runs; 1 may be dropped)", line_holds="run_stop",
    ),
    Case(
        "converged_runs", scored(10, 11, 12, -13, -14), scored(), "error",
        message="run 3: did not converge (2 of 5 runs; 1 may be dropped)", line_holds="run_stop",
    ),
    Case(
        "correction_guard",
        with_data("corrections.toml", "\n" + correction(11)),
        with_data("corrections.toml", correction(10)),
        "error", message="again expects score_min 11.0, the data give 10.0",
    ),
    Case(
        "correction_guard",
        with_data("corrections.toml", correction(10), 10, 10),
        with_data("corrections.toml", correction(10.0005)),
        "error", message="the data give none",
    ),
    Case(
        "duplicate_runs", copied(True), copied(False), "error",
        subject="v1.1/closed/Acme/crate/resnet", message="the same bytes as",
        line_holds=":::MLLOG",
    ),
    Case(
        "header_against_path", headed(submission_benchmark="bert"), headed(), "error",
        message="gives the benchmark as bert, the path as resnet",
    ),
    Case(
        "header_against_path", headed(submission_org="NVIDIA"), headed(submission_org="ACME Inc."),
        "warning", message="gives the organisation as NVIDIA", line_holds="submission_org",
    ),
    Case(
        "header_against_path", headed(submission_platform="1xcrate"),
        headed(submission_platform="1xBOX"), "warning",
        message="the log of 5 run(s) gives the platform as 1xcrate, the path as box",
        line_holds="submission_platform",
    ),
    Case(
        "header_against_path", headed(submission_platform="SUBMISSION_PLATFORM_PLACEHOLDER"),
        headed(submission_platform="a free text"), "warning", message="PLACEHOLDER",
        line_holds="submission_platform",
    ),
    Case(
        "identical_hyperparameters_across_nodes",
        two_scales({}, {"opt_base_learning_rate": 3.0}), two_scales({}, {}), "error",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box (base): opt_base_learning_rate 2 -> 3 at equal global batch size 1024",
        line_holds="opt_base_learning_rate",
    ),
    Case(
        "identical_hyperparameters_across_nodes",
        two_scales({"opt_name": "sgd"}, {"opt_name": "lars", "global_batch_size": 2048}),
        two_scales({}, {"global_batch_size": 2048, "opt_base_learning_rate": 4.0}), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box (base): opt_name sgd -> lars", line_holds="opt_name",
    ),
    Case(
        "identical_hyperparameters_within_set", odd_setting, scored(), "error",
        message="opt_base_learning_rate is 9.5 in 1 run(s), 2 in the others",
        line_holds="opt_base_learning_rate",
    ),
    Case(
        "missing_system_description", described(False), described(True), "warning",
        message="no systems/box.json was loaded",
    ),
    Case(
        "policy_fixed_hyperparameters", two_scales({}, {"eval_samples": 49999}), two_scales({}, {}),
        "error", subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box: eval_samples 50000 -> 49999", line_holds="eval_samples",
    ),
    Case(
        "required_runs", scored(10, 11, 12), scored(), "error", message="3 runs, 5 are required",
        line_holds="run_start",
    ),
    Case(
        "required_runs", scored(10, 11, 12, 13, 14, 15), scored(), "warning",
        message="6 runs, 5 are required", line_holds="run_start",
    ),
    Case(
        "super_linear_efficiency", two_scales({}, {}, 19), two_scales({}, {}, 19.7), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="scaling efficiency 105.3 % from box to box_n2", line_holds="run_stop",
    ),
    Case(
        "unread_logs", cut(0.7), cut(1), "error", message="no run_stop", line_holds=":::MLLOG",
    ),
    Case(
        "unread_logs", cut(0.7, ".!65!result_2.txt"), cut(1, ".!65!result_2.txt"), "warning",
        message="no run_stop", line_holds=":::MLLOG",
    ),
    Case(
        "waiver_state",
        with_data("waivers.toml", waiver("required_runs", SET, until="2020-12-31"), 10, 11, 12),
        with_data("waivers.toml", waiver("required_runs", SET), 10, 11, 12), "error",
        message="the waiver of required_runs is stale: it ended on 2020-12-31",
    ),
    Case(
        "waiver_state",
        with_data("waivers.toml", waiver("required_runs", SET, since="2999-01-01"), 10, 11, 12),
        with_data("waivers.toml", waiver("required_runs", SET), 10, 11, 12), "error",
        message="the waiver of required_runs is early: it begins on 2999-01-01",
    ),
    Case(
        "replaced_runs", again(True), again(False), "info",
        message="run 2 was loaded again later with other contents, which count",
    ),
    Case(
        "waiver_state", with_data("waivers.toml", waiver("required_runs", SET)),
        with_data("waivers.toml", waiver("required_runs", SET.replace("box", "not loaded"))),
        "error", message="the waiver of required_runs is unmatched: no finding matches it",
    ),
]  # fmt: skip


def made(tmp_path: Path, make: Make) -> tuple[Any, Path]:
    acme, data = Submission(tmp_path), tmp_path / "data"
    data.mkdir()
    make(acme, data)
    return loaded(acme.root, data=data), data


@pytest.mark.parametrize("name", ABOUT_TRAINING)
def test_every_rule_has_a_pair(name: str) -> None:
    assert name in {case.rule for case in CASES}, f"rules/{name}.sql has no case in test_rules.py"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.severity}")
def test_a_submission_that_breaks_the_rule(tmp_path: Path, case: Case) -> None:
    connection, data = made(tmp_path, case.breaks)
    found = rows(
        connection, "select * from finding where rule = ? order by severity, message", case.rule
    )
    assert found
    assert {one["subject"] for one in found} == {case.subject}
    assert {one["severity"] for one in found} == {case.severity}
    assert case.message in found[0]["message"]
    assert all(one["remedy"] and one["title"] and one["basis"] for one in found)
    path = Path(found[0]["path"])
    if case.line_holds is not None:
        line = path.read_text(encoding="utf-8").split("\n")[found[0]["line"] - 1]
        assert case.line_holds in line
    elif path.parts[0] == "data":
        text = (data / path.name).read_text(encoding="utf-8").split("\n")
        assert text[found[0]["line"] - 1].startswith("[[")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.severity}")
def test_a_submission_that_keeps_the_rule(tmp_path: Path, case: Case) -> None:
    connection, _ = made(tmp_path, case.keeps)
    assert rows(connection, "select * from finding where rule = ?", case.rule) == []


def test_a_plain_submission_has_no_findings(tmp_path: Path) -> None:
    connection, _ = made(tmp_path, two_scales({}, {}))
    assert rows(connection, "select * from finding") == []
    assert row(connection, "select count(*) as n from rule") == {"n": len(NAMES)}


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_every_rule_says_what_it_rests_on(rule: Any) -> None:
    for field in FIELDS:
        text = getattr(rule, field.replace(" ", "_"))
        assert len(text) > 3, field
    assert rule.severity in SEVERITIES


# Waivers


def of_required_runs(tmp_path: Path, text: str, source: str | None = None) -> list[dict[str, Any]]:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", (10, 11, 12))
        (data / "waivers.toml").write_text(text, encoding="utf-8")
        if source is not None:
            (acme.root / "source.toml").write_text(source, encoding="utf-8")

    connection, _ = made(tmp_path, make)
    return rows(connection, "select * from finding order by rule")


def test_an_active_waiver_stands_beside_the_finding(tmp_path: Path) -> None:
    (found,) = of_required_runs(tmp_path, waiver("required_runs", SET))
    assert (found["rule"], found["severity"]) == ("required_runs", "error")
    assert (found["is_waived"], found["waiver_reason"]) == (True, "known and accepted")


def test_a_waiver_speaks_of_every_collection(tmp_path: Path) -> None:
    (found,) = of_required_runs(tmp_path, waiver("required_runs", SET), 'name = "lab"\n')
    assert (found["subject"], found["is_waived"]) == (f"{SET}@lab", True)


def test_a_waiver_of_one_collection(tmp_path: Path) -> None:
    text = waiver("required_runs", f"{SET}@lab")
    (found,) = of_required_runs(tmp_path, text, 'name = "lab"\n')
    assert found["is_waived"] is True


def test_a_waiver_of_another_collection_is_left_alone(tmp_path: Path) -> None:
    text = waiver("required_runs", f"{SET}@other")
    (found,) = of_required_runs(tmp_path, text, 'name = "lab"\n')
    assert (found["rule"], found["is_waived"]) == ("required_runs", False)


@pytest.mark.parametrize(
    ("since", "until"), [("2020-01-01", "2020-12-31"), ("2999-01-01", "2999-12-31")]
)
def test_a_waiver_out_of_its_time_waives_nothing(tmp_path: Path, since: str, until: str) -> None:
    found = of_required_runs(tmp_path, waiver("required_runs", SET, since, until))
    assert [(one["rule"], one["is_waived"]) for one in found] == [
        ("required_runs", False), ("waiver_state", False),
    ]  # fmt: skip


def test_two_waivers_waive_once(tmp_path: Path) -> None:
    text = waiver("required_runs", SET) + waiver("required_runs", f"{SET}@lab")
    (found,) = of_required_runs(tmp_path, text * 2, 'name = "lab"\n')
    assert found["is_waived"] is True


def test_a_waiver_of_another_rule_waives_nothing(tmp_path: Path) -> None:
    found = of_required_runs(tmp_path, waiver("converged_runs", SET))
    assert [(one["rule"], one["is_waived"]) for one in found] == [
        ("required_runs", False), ("waiver_state", False),
    ]  # fmt: skip


def test_a_waiver_of_no_rule_at_all_fails(tmp_path: Path) -> None:
    found = of_required_runs(tmp_path, waiver("no_such_rule", SET))
    assert [one["rule"] for one in found] == ["required_runs", "waiver_state"]


# Evidence


def test_evidence_is_the_line_of_a_log_with_text_before(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.system("box")
    noise = "a line\nanother\r\n\r  0% 0/51\r 100%\n"
    logs = [noise + log(seed=n) for n in range(4)]
    acme.results("box", "resnet", [*logs, noise + log(seed=9, settings={"opt_name": "x"})])
    connection = loaded(acme.root)
    assert rows(connection, "select * from finding") == []
    odd = record("opt_base_learning_rate", 8)
    (acme.home / "results" / "box" / "resnet" / "result_1.txt").write_text(
        noise + log(seed=1) + odd + "\n", encoding="utf-8"
    )
    found = row(loaded(acme.root), "select path, line from finding")
    with Path(found["path"]).open("rb") as file:
        assert b'"value": 8' in file.read().split(b"\n")[found["line"] - 1]
