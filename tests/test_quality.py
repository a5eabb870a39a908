"""The gate: Great Expectations and plain SQL say the same; what is broken, raised or fine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from compliant_logs import add_compliant
from mlperf_logs import Submission, loaded, rows, waiver

from warehouse import refresh as deriving
from warehouse import rules
from warehouse.database import in_memory
from warehouse.load import load
from warehouse.quality import Expectation, Quality, by_sql, gate
from warehouse.refresh import refresh
from warehouse.relations import RelationError, relations
from warehouse.suites import relation_suites, rule_suite

ROOT = Path(__file__).resolve().parent.parent
SET = "v1.1/closed/Acme/box/resnet"


def broken_submission(folder: Path) -> Submission:
    """Breaks required_runs and policy_fixed_hyperparameters (errors) and two rules more."""
    made = Submission(folder)
    made.scored("box", (10, 11, -12))
    made.scored("tower", nodes=2, settings={"eval_samples": 1}, first_seed=11)
    return made


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> duckdb.DuckDBPyConnection:
    return loaded(broken_submission(tmp_path_factory.mktemp("broken")).root)


@pytest.fixture(scope="module")
def bundled() -> duckdb.DuckDBPyConnection:
    connection = in_memory()
    load(connection, [str(ROOT / "data" / "raw")])
    refresh(connection)
    return connection


@pytest.fixture(scope="module")
def found(broken: duckdb.DuckDBPyConnection) -> Quality:
    return gate(broken)


@pytest.fixture
def good(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    """A result set that breaks no rule, in a database that a test may damage."""
    made = Submission(tmp_path)
    add_compliant(made)
    return loaded(made.root)


def unofficial(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The official rules ask for more than the smallest logs say: without what they find."""
    connection.execute("delete from judged where starts_with(rule, 'official_')")
    return connection


def of_rules(quality: Quality) -> dict[tuple[str, str], int | None]:
    return {(one.rule, one.severity): one.observed for one in quality.expectations if one.rule}


def only(quality: Quality, suite: str, column: str | None, kind: str) -> Expectation:
    """The expectation of a suite about a column, of the kind whose name ends so."""
    (one,) = [
        one
        for one in quality.expectations
        if (one.suite, one.column) == (suite, column) and one.type.endswith(kind)
    ]
    return one


# Two runners, one law


def test_both_runners_agree_on_a_broken_submission(
    broken: duckdb.DuckDBPyConnection, found: Quality
) -> None:
    by_rule = by_sql(broken)
    assert of_rules(found) == by_rule
    assert by_rule["required_runs", "error"] == 1
    assert by_rule["policy_fixed_hyperparameters", "error"] == 1
    assert by_rule["fio_dead_job", "error"] == 0
    assert {rule for rule, _ in by_rule} == {rule.name for rule in rules.rules()}


def test_both_runners_agree_on_the_bundled_data(bundled: duckdb.DuckDBPyConnection) -> None:
    quality = gate(bundled)
    assert of_rules(quality) == by_sql(bundled)
    assert sum(by_sql(bundled).values()) > 10
    assert [one for one in quality.expectations if one.status == "raised"] == []
    assert [str(one) for one in quality.failures if not one.rule] == []


def test_no_rule_fails_to_be_evaluated(bundled: duckdb.DuckDBPyConnection) -> None:
    assert rows(bundled, "select rule, message from finding where starts_with(subject, 'rule ')"
                " and contains(message, 'could not be evaluated')") == []  # fmt: skip


def test_errors_fail_the_gate_and_lesser_findings_do_not(
    found: Quality, good: duckdb.DuckDBPyConnection
) -> None:
    assert not found.is_passed
    required = next(one for one in found.failures if one.rule == "required_runs")
    assert (required.suite, required.severity, required.status) == ("rules", "error", "failed")
    assert (required.observed, required.limit) == (1, "0")
    assert str(required) == "required_runs: 1 findings of severity error"
    assert gate(good).is_passed


def test_a_waiver_lets_an_error_pass(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    made.scored("box", (10, 11, 12))
    data = tmp_path / "data"
    data.mkdir()
    (data / "waivers.toml").write_text(waiver("required_runs", SET), encoding="utf-8")
    connection = unofficial(loaded(made.root, data=data))
    assert by_sql(connection)["required_runs", "error"] == 0
    assert gate(connection).is_passed


# Published relations


@pytest.mark.parametrize(
    ("damage", "suite", "column", "kind", "observed", "sample"),
    [
        ("update score set score_min = -1", "score", "score_min", "between", 1, ("-1.0",)),
        ("update score set score_min = 0", "score", "score_min", "between", 1, ("0.0",)),
        ("update score set kind = null", "score", "kind", "not_be_null", 1, None),
        ("update score set kind = 'guessed'", "score", "kind", "in_set", 1, ("guessed",)),
        ("insert into score from score", "score", "result_set", "unique", 2, (SET,)),
        ("update run_result set start_line = 0 where run_number < 2", "run_result",
         "start_line", "between", 2, ("0",)),
        ("update run_result set time_to_train_min = 1e6 where run_number < 2", "run_result",
         "time_to_train_min", "between", 2, ("1000000.0",)),
    ],
)  # fmt: skip
def test_a_broken_relation_fails(
    good: duckdb.DuckDBPyConnection,
    damage: str, suite: str, column: str, kind: str, observed: int, sample: tuple[str, ...] | None,
) -> None:  # fmt: skip
    good.execute(damage)
    quality = gate(good)
    one = only(quality, suite, column, kind)
    assert (one.status, one.severity, one.observed) == ("failed", "error", observed)
    if sample:
        assert one.sample == sample
        assert sample[0] in str(one)
    assert one in quality.failures


def test_a_key_of_several_columns(good: duckdb.DuckDBPyConnection) -> None:
    row = "'a', 'b', 'c', 'd', 'closed', 'acme', 'box', 'resnet', 1"
    names = "report, figure, organization, round, division, system, benchmark, quantity, value"
    good.execute("create table made as select * from published_comparison")
    good.execute("drop view published_comparison")
    good.execute(f"insert into made ({names.replace('value', 'printed_value')}) values ({row})")
    good.execute(f"insert into made ({names.replace('value', 'printed_value')}) values ({row})")
    good.execute("alter table made rename to published_comparison")
    key = "report, figure, system, benchmark, quantity"
    one = only(gate(good), "published_comparison", key, "unique")
    assert (one.status, one.observed) == ("failed", 2)
    assert one.sample == ("a / b / acme / box / resnet",) or len(one.sample) == 1


def test_what_cannot_be_evaluated_is_raised_and_not_failed(
    good: duckdb.DuckDBPyConnection,
) -> None:
    good.execute("alter table run_result drop column time_to_train_min")
    quality = gate(good)
    one = only(quality, "run_result", "time_to_train_min", "between")
    assert (one.status, one.observed) == ("raised", None)
    assert one.reason is not None
    assert "time_to_train_min" in one.reason
    assert "not evaluated" in str(one)
    assert one in quality.failures
    assert only(quality, "run_result", "start_line", "between").status == "passed"


def test_a_relation_that_is_gone_is_raised(good: duckdb.DuckDBPyConnection) -> None:
    good.execute("drop view verdict")
    raised = {one.suite for one in gate(good).expectations if one.status == "raised"}
    assert raised == {"verdict"}


def test_a_relation_whose_query_fails_is_raised(good: duckdb.DuckDBPyConnection) -> None:
    good.execute("drop view published_comparison")
    good.execute("create view published_comparison as select error('torn') as report")
    raised = [one for one in gate(good).expectations if one.suite == "published_comparison"]
    assert {one.status for one in raised} == {"raised"}
    assert all("torn" in (one.reason or "") for one in raised)


@pytest.mark.parametrize(("before", "status"), [(0, "passed"), (2, "passed"), (3, "failed")])
def test_far_fewer_rows_than_in_the_last_build_are_a_warning(
    good: duckdb.DuckDBPyConnection, before: int, status: str
) -> None:
    quality = gate(good, {"score": before})
    one = only(quality, "score", None, "row_count_to_be_between")
    assert (one.status, one.severity, one.observed) == (status, "warning", 1)
    assert one.limit == (">= 2" if status == "failed" else None)
    assert quality.is_passed
    assert (one in quality.warnings) is (status == "failed")


def test_no_rows_where_there_were_some_are_a_warning(good: duckdb.DuckDBPyConnection) -> None:
    quality = gate(good, {"fio_point": 1})
    assert [str(one) for one in quality.warnings if not one.rule] == [
        "fio_point: expected: no fewer than half as many rows as in the last build; 0 rows"
    ]


def test_every_suite_is_about_columns_that_are_there() -> None:
    known = {one.name: {column.name for column in one.columns} for one in relations()}
    known |= {one.name: {column.name for column in one.columns} for one in rules.as_relations()}
    suites = relation_suites()
    printed = {
        "score", "scaling_printed", "run_result", "result_set", "nccl_curve", "nccl_point",
        "fio_point", "fio_curve", "published_comparison", "verdict", "finding",
    }  # fmt: skip
    assert printed <= set(suites)
    for name, expected in suites.items():
        asked = {column for one in expected for column in one.columns}
        assert asked <= known[name], f"expectations/{name}.toml"


def test_every_rule_has_one_expectation() -> None:
    severities = {one.rule: one.severity for one in rule_suite()}
    assert severities["required_runs"] == "error"  # graded
    assert severities["fio_balance"] == "warning"
    assert severities == {
        rule.name: "error" if rule.severity == "graded" else rule.severity for rule in rules.rules()
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [("kye = ['a']", "kye is no entry"), ("[ranges]\na = {over = 1}", "a has {'over': 1}")],
)
def test_a_misspelt_entry_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    folder = tmp_path / "expectations"
    folder.mkdir()
    (folder / "score.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("warehouse.suites.files", lambda _: tmp_path)
    with pytest.raises(RelationError, match=r"expectations/score\.toml") as raised:
        relation_suites()
    assert said in str(raised.value)


# A value, and nothing else


def test_the_result_is_the_same_each_time(
    broken: duckdb.DuckDBPyConnection, found: Quality
) -> None:
    first = json.dumps(found.as_dict())
    assert json.dumps(gate(broken).as_dict()) == first
    assert json.dumps(gate(broken, found.row_counts).as_dict()) == first
    said = json.loads(first)
    assert set(said) == {"is_passed", "versions", "row_counts", "expectations"}
    assert set(said["versions"]) == {"duckdb", "great_expectations", "levelbook"}
    assert said["row_counts"]["run_result"] == 8
    assert set(said["expectations"][0]) >= {
        "suite", "type", "column", "rule", "severity", "status", "observed", "limit", "description",
    }  # fmt: skip


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("stored")
    path = folder / "own.duckdb"
    command = [sys.executable, "-m", "reports.cli", "--database", str(path), "load"]
    made = broken_submission(folder)
    subprocess.run([*command, str(made.root)], check=True, capture_output=True)
    yield path


def test_the_gate_is_silent_and_writes_nothing(tmp_path: Path, stored: Path) -> None:
    code = (
        "import duckdb, logging, os, warnings; from warehouse.quality import gate;"
        f"c = duckdb.connect({str(stored)!r}, read_only=True); before = dict(os.environ);"
        "q = gate(c); assert not q.is_passed; assert dict(os.environ) == before;"
        "assert logging.root.manager.disable == 0"
    )
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    places = {"HOME": str(home), "TMPDIR": str(home), "XDG_CONFIG_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", code], cwd=here, env={**os.environ, **places},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(home.rglob("*")) == []
    assert list(here.rglob("*")) == []


@pytest.mark.parametrize(
    "words",
    [["check"], ["query", "select 1"], ["rules"], ["load", "."], ["check", "."], ["trace", SET]],
    ids=" ".join,
)
def test_other_commands_do_not_wait_for_great_expectations(
    stored: Path, words: list[str], tmp_path: Path
) -> None:
    code = (
        "import sys, click.testing, reports.cli as c;"
        f"r = click.testing.CliRunner().invoke(c.cli, {['--database', str(stored), *words]!r});"
        "assert r.exit_code in (0, 1, 2), r.output;"
        "print(sorted({'great_expectations', 'altair'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]"


# A rule that cannot be evaluated


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("select cast(path as integer) as subject, '' as message, path, 1 as line, '' as value,"
         " '' as limit_value from source", "Could not convert"),
        ("selec nonsense", "syntax error"),
    ],
)  # fmt: skip
def test_a_rule_that_fails_is_named_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, reason: str
) -> None:
    made = rules.rules()
    torn = [replace(one, query=query) if one.name == "duplicate_runs" else one for one in made]
    monkeypatch.setattr(rules, "rules", lambda: torn)
    assert deriving.rules.rules() == torn
    connection = loaded(broken_submission(tmp_path).root)
    (one,) = rows(connection, "select * from finding where rule = 'duplicate_runs'")
    assert (one["severity"], one["subject"]) == ("error", "rule duplicate_runs")
    assert one["message"].startswith("this rule could not be evaluated on this data: ")
    assert reason in one["message"]
    assert one["path"] == "warehouse/rules/duplicate_runs.sql"
    assert rows(connection, "select subject from finding where rule = 'required_runs'") == [
        {"subject": SET}
    ]
    assert by_sql(connection)["duplicate_runs", "error"] == 1
