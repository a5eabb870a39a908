"""`levelbook check` and `levelbook rules`: selection, comparison, formats, exit status."""

from __future__ import annotations

import csv
import io
import json
import shutil
import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from compliant_logs import add_compliant
from mlperf_logs import Submission, loaded, log, runs, waiver

from reports.checking.findings import Found, compared, findings
from reports.checking.outputs import names, written
from reports.checking.outputs.markdown import code, plain
from reports.checking.selection import Selection
from reports.cli import cli
from warehouse.database import connect
from warehouse.official.rule_data import find_rules

SET = "v1.1/closed/Acme/box/resnet"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Acme: box has 3 of 5 runs, one of which failed; tower and ssd are of other makes."""
    place = tmp_path_factory.mktemp("check")
    made = Submission(place)
    made.scored("box", (10, 11, -12))
    made.scored("Tower-2x", (10, 11, 12, 13), nodes=2, first_seed=11)
    made.scored("box", (10, 11), benchmark="ssd", first_seed=21)
    other = Submission(place, organization="Other Inc")
    other.scored("shed", (20, 21), first_seed=31)
    return place


@pytest.fixture(scope="module")
def database(folder: Path) -> Path:
    path = folder / "own.duckdb"
    asked(path, "load", str(folder / "training_v1.1"))
    return path


def asked(database: Path, *words: str, status: int = 0) -> str:
    """What a command prints on standard output; its exit status is checked."""
    done = CliRunner().invoke(cli, ["--database", str(database), *words])
    assert done.exit_code == status, done.output
    return done.stdout


def error_of(database: Path, *words: str) -> str:
    """The one line of a usage error."""
    done = CliRunner().invoke(
        cli, ["--database", str(database), *words], standalone_mode=False
    )  # fmt: skip
    assert done.exception is not None
    text = getattr(done.exception, "message", str(done.exception))
    assert "\n" not in text
    return str(text)


def found(database: Path, *words: str, status: int = 1) -> list[dict[str, Any]]:
    """The findings of a check as JSON."""
    listed: list[dict[str, Any]] = json.loads(
        asked(database, "check", "--format", "json", *words, status=status)
    )
    return listed


def subjects(listed: list[dict[str, Any]]) -> set[str]:
    return {one["subject"] for one in listed}


# Selection


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--organization", "acme"], {SET, "v1.1/closed/Acme/Tower-2x/resnet",
                                      "v1.1/closed/Acme/box/ssd"}),
        (["--organization", "OTHER*"], {"v1.1/closed/Other Inc/shed/resnet"}),
        (["--system", "tower*"], {"v1.1/closed/Acme/Tower-2x/resnet"}),
        (["--system", "box", "--benchmark", "ssd"], {"v1.1/closed/Acme/box/ssd"}),
        (["--system", "shed", "--system", "tower-2x"],
         {"v1.1/closed/Acme/Tower-2x/resnet", "v1.1/closed/Other Inc/shed/resnet"}),
        (["--benchmark", "ss?"], {"v1.1/closed/Acme/box/ssd"}),
    ],
)  # fmt: skip
def test_selection_by_what_a_finding_is_about(
    database: Path, words: list[str], expected: set[str]
) -> None:
    assert subjects(found(database, "--rule", "required_runs", *words)) == expected


def test_a_finding_about_a_file_is_selected_by_its_path(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    made.scored("box", (10, 11))
    made.scored("tower", (10, 11), first_seed=11)
    for system in ("box", "tower"):
        (made.home / "results" / system / "resnet" / "result_4.txt").write_bytes(b"")
    listed = found(Path("none"), "--rule", "unread_logs", "--system", "tower", str(made.root))
    assert [Path(one["path"]).parent.parent.name for one in listed] == ["tower"]


def test_a_storage_test_is_selected_by_its_system() -> None:
    raw = str(Path(__file__).resolve().parent.parent / "data" / "raw")
    listed = found(Path("none"), "--system", "NAS B", "--rule", "fio_*", raw, status=0)
    assert listed
    assert all("nas_b" in one["path"] for one in listed)


def test_rules_by_name_and_pattern(database: Path) -> None:
    listed = found(database, "--rule", "required_*", "--rule", "converged_runs")
    assert {one["rule"] for one in listed} == {"required_runs", "converged_runs"}


def test_least_severity(database: Path) -> None:
    every, graver = found(database), found(database, "--severity", "warning")
    gravest = found(database, "--severity", "error")
    assert {one["severity"] for one in gravest} == {"error"}
    assert {one["severity"] for one in graver} == {"error", "warning"}
    assert len(gravest) < len(graver) <= len(every)


def test_a_misspelt_name_is_no_success(database: Path) -> None:
    line = error_of(database, "check", "--organization", "Acmee", "--system", "box")
    assert line == (
        "nothing of organization Acmee and system box is there; there is organization: Acme, "
        "Other Inc; system: Tower-2x, box, shed; benchmark: resnet, ssd"
    )
    assert "nosuch* is no rule" in error_of(database, "check", "--rule", "nosuch*")


def test_logs_that_name_no_system_are_told_it(tmp_path: Path) -> None:
    for number, text in enumerate(runs((10, 11))):
        (tmp_path / f"job{number}.log").write_text(text, encoding="utf-8")
    words = ["--as-system", "mine", "--as-organization", "Me", "--as-benchmark", "resnet"]
    words += ["--round", "v1.1", "--system", "mine", "--rule", "required_runs"]
    listed = found(Path("none"), *words, str(tmp_path))
    assert subjects(listed) == {"v1.1/closed/Me/mine/resnet"}


# Exit status


def test_exit_status_of_errors_warnings_and_waivers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Submission(tmp_path / "in")
    add_compliant(made)
    path = made.home / "systems" / "extra.json"
    shutil.copy(made.home / "systems" / "box.json", path)  # a warning: no results
    database = tmp_path / "own.duckdb"
    asked(database, "load", str(made.root))
    (one,) = found(database, status=0)
    assert (one["rule"], one["severity"]) == ("system_without_results", "warning")
    found(database, "--strict", status=1)
    found(database, "--strict", "--severity", "error", status=0)
    (tmp_path / "data").mkdir()
    text = waiver("system_without_results", one["subject"])
    (tmp_path / "data" / "waivers.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("warehouse.reference.share_folder", lambda: tmp_path)
    asked(database, "load", str(made.root))
    (one,) = found(database, "--strict", status=0)
    assert (one["is_waived"], one["waiver_reason"]) == (True, "known and accepted")


def test_what_a_finding_holds(database: Path, folder: Path) -> None:
    (one,) = found(database, "--system", "box", "--benchmark", "resnet", "--rule", "required_runs")
    assert one == {
        "rule": "required_runs", "severity": "error", "subject": SET,
        "message": "3 runs, 5 are required",
        "path": f"{folder}/training_v1.1/Acme/results/box/resnet/result_0.txt", "line": 13,
        "value": "3", "limit": "5", "remedy": one["remedy"], "is_waived": False,
        "waiver_reason": None, "title": "Required number of runs", "rule_set": "levelbook",
        "rule_set_version": "0.1.0",
    }  # fmt: skip


def test_an_official_finding_names_its_rule_set(database: Path) -> None:
    listed = found(database, "--rule", "official_system_description")
    assert {one["rule_set"] for one in listed} == {"training 1.1.0"}
    assert {one["rule_set_version"] for one in listed} == {"mlperf-logging 4.1.68"}


# Comparison


def finding(message: str, severity: str = "error", is_waived: bool = False) -> dict[str, Any]:
    return {"rule": "r", "subject": "s", "message": message, "severity": severity,
            "is_waived": is_waived}  # fmt: skip


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        (finding("a"), finding("a"), "unchanged"),
        (finding("a", "error", True), finding("a", "error", True), "unchanged"),
        (finding("a"), finding("a", "error", True), "unchanged"),
        (finding("a", "error", True), finding("a"), "new"),  # its waiver has ended
        (finding("a", "warning"), finding("a", "error"), "new"),
        (finding("a", "error"), finding("a", "warning"), "unchanged"),
    ],
)
def test_a_finding_that_got_worse_is_new(
    before: dict[str, Any], now: dict[str, Any], change: str
) -> None:
    assert [one["change"] for one in compared([now], [before])] == [change]


def test_new_and_gone() -> None:
    marked = compared([finding("b"), finding("c")], [finding("a"), finding("b")])
    assert [(one["message"], one["change"]) for one in marked] == [
        ("b", "unchanged"), ("c", "new"), ("a", "gone"),
    ]  # fmt: skip


def test_against_an_earlier_database(database: Path, folder: Path, tmp_path: Path) -> None:
    same = found(database, "--against", str(database), status=0)
    assert {one["change"] for one in same} == {"unchanged"}
    later = tmp_path / "training_v1.1"
    shutil.copytree(folder / "training_v1.1", later)
    results = later / "Acme" / "results" / "box" / "resnet"
    (results / "result_3.txt").write_text(
        log(minutes=13, seed=4, start_ms=1_700_000_000_000,
            header={"submission_platform": "box", "submission_benchmark": "resnet"})
    )  # fmt: skip
    words = ["--against", str(database), "--rule", "required_runs", str(later)]
    listed = found(Path("none"), *words)
    changes = {one["message"]: one["change"] for one in listed if one["subject"] == SET}
    assert changes == {"4 runs, 5 are required": "new", "3 runs, 5 are required": "gone"}
    said = asked(Path("none"), "check", *words, status=1)
    assert f"[new] {SET}: 4 runs, 5 are required" in said
    assert f"[gone] {SET}: 3 runs, 5 are required" in said
    assert "1 new, 1 gone, 3 unchanged\n4 findings: 4 error, 0 warning, 0 info" in said
    table = asked(Path("none"), "check", "--format", "csv", *words, status=1)
    assert [row["change"] for row in csv.DictReader(io.StringIO(table))].count("gone") == 1


def test_against_what_is_no_database(database: Path, tmp_path: Path) -> None:
    line = error_of(database, "check", "--against", str(tmp_path / "none.duckdb"))
    assert "no such database" in line


def test_a_database_of_an_older_version(database: Path, tmp_path: Path) -> None:
    older = tmp_path / "older.duckdb"
    shutil.copy(database, older)
    with connect(older, read_only=False) as connection:
        connection.execute("drop view official_verdict")
    for words in (["--against", str(older)], []):
        line = error_of(database if words else older, "check", *words)
        assert line.startswith(f"{older}: made by another version of Levelbook; delete it")


# Official rules of another version


def rules_folder(tmp_path: Path, version: str) -> Path:
    copy = tmp_path / "rules"
    shutil.copytree(find_rules().folder, copy / "mlperf_logging")
    (copy / "VERSION").write_text(f"{version}\n", encoding="utf-8")
    return copy


def test_rules_of_a_folder_judge_without_storing(database: Path, tmp_path: Path) -> None:
    chosen = rules_folder(tmp_path, "4.0.9")
    before = database.read_bytes()
    words = ["--rule", "official_system_description", "--rules", str(chosen)]
    for more in ([], [str(database.parent / "training_v1.1")]):
        listed = found(database, *words, *more)
        assert {one["rule_set_version"] for one in listed} == {f"{chosen} 4.0.9"}
    assert database.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rules"]
    listed = json.loads(asked(
        database, "rules", "--official", "--rules", str(chosen), "--format", "json"
    ))  # fmt: skip
    assert {(one["rules_version"], one["rules"]) for one in listed} == {("4.0.9", str(chosen))}


def test_a_folder_without_rules(database: Path, tmp_path: Path) -> None:
    line = error_of(database, "check", "--rules", str(tmp_path))
    assert line.startswith(f"{tmp_path}: no folder compliance_checker in it")


# Formats


def test_every_format_is_a_module() -> None:
    assert {"table", "json", "junit", "markdown", "csv"} <= set(names())
    assert "[csv|json|junit|markdown|table]" in asked(Path("none"), "check", "--help")


def test_a_table_says_what_was_judged_by_what(database: Path) -> None:
    said = asked(database, "check", status=1)
    assert (
        f"error: Required number of runs (required_runs)\n    v1.1/closed/Acme/{'Tower-2x'}" in said
    )
    assert " (found 3, limit 5)" in said
    assert "judged by training 1.1.0 (mlperf-logging 4.1.68): 4 result sets" in said
    assert "there are no power files" in said


def test_a_run_without_a_round_is_told_how_to_name_it(tmp_path: Path) -> None:
    made = Submission(tmp_path, name="mine")
    made.scored("box", (10, 11))
    said = asked(Path("none"), "check", str(made.root), status=1)
    assert "no round is known; name it with --round" in said
    told = asked(Path("none"), "check", "--round", "v1.1", str(made.root), status=1)
    assert "judged by training 1.1.0" in told


def test_junit(database: Path, folder: Path) -> None:
    said = asked(database, "check", "--format", "junit", status=1)
    root = Xml.fromstring(said.split("\n", 1)[1])
    suites = {suite.get("name"): suite for suite in root}
    suite = suites["required_runs"]
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped", "errors")} == {
        "tests": "4", "failures": "4", "skipped": "0", "errors": "0",
    }  # fmt: skip
    case = next(case for case in suite if case.get("name") == SET)
    assert case.get("file") == f"{folder}/training_v1.1/Acme/results/box/resnet/result_0.txt"
    assert case.get("line") == "13"
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("message") == "3 runs, 5 are required"
    assert "result_0.txt:13 (found 3, limit 5)" in (failure.text or "")
    assert all(len(case) == 0 for case in suites["duplicate_runs"])  # passes
    power = suites["official_power"]
    assert power.get("skipped") == "4"
    skipped = power[0].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "not judged: there are no power files"


def test_junit_warnings_fail_when_strict_only(database: Path) -> None:
    words = ["check", "--format", "junit", "--rule", "converged_runs", "--benchmark", "resnet"]
    mild = Xml.fromstring(asked(database, *words).split("\n", 1)[1])
    strict = Xml.fromstring(asked(database, *words, "--strict", status=1).split("\n", 1)[1])
    assert (mild.get("failures"), strict.get("failures")) == ("0", "1")
    assert "run 2: did not converge" in (mild.findtext(".//system-out") or "")


ODD = "bad \x1b[31m\x00\x08 ]]> <b>&\ufffe @octocat #7 `x` | **y** \u202e https://evil.example"


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A finding whose texts come from a log that means harm."""
    made = Submission(tmp_path_factory.mktemp("odd"))
    made.scored("box", header={"submission_org": ODD})
    return loaded(made.root)


@pytest.mark.parametrize("kind", names())
def test_texts_of_logs_do_no_harm(odd: Any, kind: str) -> None:
    selection = Selection(rule=("header_against_path",))
    result = Found(odd, findings(odd, selection), selection)
    said = written(result, kind)
    if kind == "junit":
        root = Xml.fromstring(said.split("\n", 1)[1])
        text = root.findtext(".//system-out") or ""
        assert "]]> <b>&\ufffd @octocat" in text
    if kind == "json":
        assert json.loads(said)[0]["value"] == ODD
    if kind in ("table", "markdown"):
        assert not set(click.unstyle(said)) & {"\x1b", "\x00", "\x08", "\u202e"}
    if kind == "markdown":
        heads, _, row = said.split("\n")[:3]
        bars = row.replace("\\|", "").count("|")
        assert bars == heads.count("|")
        assert "<b>" not in row
        assert "@octocat" not in row
        assert "https://" not in row


def test_markdown_escapes() -> None:
    assert plain("a_b *c* [d](e) <f> | g") == r"a\_b \*c\* \[d\]\(e\) &lt;f&gt; \| g"
    assert plain("@me #12 a@b.c") == "@&#8203;me #&#8203;12 a@&#8203;b.c"
    assert code("v1.1/box@x") == "`v1.1/box@x`"
    assert code("a|b") == r"`a\|b`"
    assert code("a`b*") == r"a\`b\*"


def test_markdown_without_findings_is_no_table(database: Path) -> None:
    said = asked(database, "check", "--format", "markdown", "--rule", "fio_dead_job")
    assert "|" not in said
    assert "- 0 findings: 0 error, 0 warning, 0 info" in said


def test_a_format_into_a_file_beside_the_table(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.xml"
    words = ["--format", "junit", "--output", str(path), "--rule", "required_runs"]
    said = asked(database, "check", *words, status=1)
    assert "error: Required number of runs (required_runs)" in said
    assert Xml.parse(path).getroot().get("failures") == "4"


# Rules


def test_a_rule_is_explained() -> None:
    said = asked(Path("none"), "rules", "required_runs")
    assert said.startswith("required_runs (graded): Required number of runs\n")
    for words in (
        "  applies to: result sets\n", "  basis: ", "  why: ", "  remedy: ", "  false positives: ",
        "  sql: warehouse/rules/required_runs.sql\n",
        "  graded: each finding is error or warning, as its SQL decides\n",
    ):  # fmt: skip
        assert words in said


def test_rules_as_json() -> None:
    listed = json.loads(asked(Path("none"), "rules", "--format", "json"))
    one = {row["rule"]: row for row in listed}["fio_balance"]
    assert (one["severity"], one["severities"]) == ("warning", ["warning"])
    assert (one["applies_to"], one["sql"]) == ("fio runs", "warehouse/rules/fio_balance.sql")
    (same,) = json.loads(asked(Path("none"), "rules", "fio_balance", "--format", "json"))
    assert same == one


def test_official_rule_sets_are_listed() -> None:
    lines = asked(Path("none"), "rules", "--official").splitlines()
    (line,) = [line for line in lines if line.startswith("training 1.1.0 ")]
    assert line.startswith("training 1.1.0  round v1.1  mlperf-logging 4.1.68  /")
    assert line.endswith("compliance_checker/training_1.1.0")
    assert any(line.startswith("hpc 3.0.0  round v3.0") for line in lines)
