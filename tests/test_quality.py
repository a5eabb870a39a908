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


def test_errors_fail_the_gate(found: Quality) -> None:
    assert not found.is_passed
    required = next(one for one in found.failures if one.rule == "required_runs")
    assert (required.suite, required.severity, required.status) == ("rules", "error", "failed")
    assert (required.observed, required.limit) == (1, "0")
    assert str(required) == "required_runs: 1 findings of severity error"


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

DAMAGE = """
update score set score_min = -1, kind = null where system = 'box';
update score set mean_min = 0, verification = 'guessed' where system = 'tower';
insert into score select * from score where system = 'tower';
update run_result set start_line = 0 where run_number < 2;
update run_result set time_to_train_min = 1e6 where run_number = 4;
insert into fio_curve (collection, system, series, direction, axis, held, x)
    values ('', 'nas', 'a', 'read', 'jobs', 'b', 1), ('', 'nas', 'a', 'read', 'jobs', 'b', 1);
alter table result_set drop column global_batch_size;
drop view verdict;
drop view published_comparison;
create view published_comparison as select error('torn') as report;
"""
# rows of the last build: there are 3 of score, 10 of run_result, none of fio_point
BEFORE = {"score": 7, "run_result": 20, "result_set": 0, "fio_point": 1}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Quality:
    """Two result sets in order, then damaged in many places."""
    made = Submission(tmp_path_factory.mktemp("damaged"))
    add_compliant(made, "box")
    add_compliant(made, "tower", 10)
    connection = loaded(made.root)
    for statement in DAMAGE.split(";\n"):
        connection.execute(statement)
    return gate(connection, BEFORE)


@pytest.mark.parametrize(
    ("suite", "column", "kind", "observed", "sample"),
    [
        ("score", "score_min", "between", 1, "-1.0"),
        ("score", "kind", "not_be_null", 1, None),
        ("score", "verification", "in_set", 2, "guessed"),
        ("score", "result_set", "unique", 2, "v1.1/closed/Acme/tower/resnet"),
        ("run_result", "start_line", "between", 4, "0"),
        ("run_result", "time_to_train_min", "between", 2, "1000000.0"),
        ("fio_curve", "collection, system, series, direction, axis, held, x", "unique", 2,
         "/ nas / a / read / jobs / b / 1"),
    ],
)  # fmt: skip
def test_a_broken_relation_fails(
    damaged: Quality, suite: str, column: str, kind: str, observed: int, sample: str | None
) -> None:
    one = only(damaged, suite, column, kind)
    assert (one.status, one.severity, one.observed) == ("failed", "error", observed)
    assert one in damaged.failures
    if sample:
        (shown,) = one.sample
        assert sample in shown
        assert sample in str(one)


def test_what_cannot_be_evaluated_is_raised_and_not_failed(damaged: Quality) -> None:
    one = only(damaged, "result_set", "global_batch_size", "between")
    assert (one.status, one.observed) == ("raised", None)
    assert one.reason is not None
    assert "global_batch_size" in one.reason
    assert "not evaluated" in str(one)
    assert one in damaged.failures
    assert only(damaged, "result_set", "runs", "between").status == "passed"


def test_a_relation_that_is_gone_or_whose_query_fails_is_raised(damaged: Quality) -> None:
    reasons: dict[str, set[str | None]] = {}
    for one in damaged.expectations:
        if one.status == "raised" and one.suite != "result_set":
            reasons.setdefault(one.suite, set()).add(one.reason)
    assert set(reasons) == {"verdict", "published_comparison"}
    assert all("verdict" in (reason or "") for reason in reasons["verdict"])
    assert all("torn" in (reason or "") for reason in reasons["published_comparison"])


@pytest.mark.parametrize(
    ("suite", "status", "rows_now", "limit"),
    [
        ("score", "failed", 3, ">= 4"),
        ("run_result", "passed", 10, None),
        ("result_set", "passed", 2, None),
        ("system_scale", "passed", 2, None),
        ("fio_point", "failed", 0, ">= 1"),
    ],
)
def test_far_fewer_rows_than_in_the_last_build_are_a_warning(
    damaged: Quality, suite: str, status: str, rows_now: int, limit: str | None
) -> None:
    one = only(damaged, suite, None, "row_count_to_be_between")
    assert (one.status, one.severity, one.observed) == (status, "warning", rows_now)
    assert one.limit == limit
    assert one not in damaged.failures
    assert (one in damaged.warnings) is (status == "failed")


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
