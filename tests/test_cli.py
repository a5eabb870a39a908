"""The command as people meet it: exit status, one line an error, formats, help, quick start."""

from __future__ import annotations

import csv
import io
import json
import os
import socket
import subprocess
import sys
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from compliant_logs import add_compliant
from fio_outputs import Bench, job, output
from mlperf_logs import Submission, log, rows

from reports.cli import cli, main
from warehouse.database import connect

LEVELBOOK = [sys.executable, "-m", "reports.cli"]
ROOT = Path(__file__).resolve().parent.parent
COMMANDS = sorted(path.stem for path in (ROOT / "reports" / "commands").glob("[a-z]*.py"))
SET = "v1.1/closed/Acme/box/resnet"
OUR_RULES = ("--rule", "required_runs", "--rule", "converged_runs")


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Submission:
    """A submission in order, and one of too few runs."""
    made = Submission(tmp_path_factory.mktemp("cli"))
    made.scored("box")
    return made


@pytest.fixture(scope="module")
def database(acme: Submission) -> Path:
    path = acme.root.parent / "own.duckdb"
    done = run("--database", str(path), "load", str(acme.root))
    assert done.returncode == 0, done.stderr
    return path


def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, and nothing but `variables` of Levelbook's own."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("LEVELBOOK_")}
    return subprocess.run(
        [*LEVELBOOK, *words], capture_output=True, text=True, check=False, env={**kept, **variables}
    )


def asked(database: Path, *words: str, status: int = 0) -> str:
    """What a command prints, run in this process; its exit status is checked."""
    done = CliRunner().invoke(cli, ["--database", str(database), *words])
    assert done.exit_code == status, done.output
    return done.output


def error_of(*words: str, status: int = 2) -> str:
    """The one line that a failing command prints on standard error; run in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as ended,
    ):
        patch.setattr(sys, "argv", ["levelbook", *words])
        main()
    assert ended.value.code == status
    assert out.getvalue() == ""
    return one_line(err.getvalue())


def one_line(said: str) -> str:
    """The only line of what an error says: no traceback, and no fault of ours."""
    (line,) = said.splitlines()
    assert line.startswith("levelbook: ")
    assert "Traceback" not in line
    assert "a fault of Levelbook" not in line
    return line


# Help and start


def test_help_lists_every_command() -> None:
    said = asked(Path("none"), "--help")
    assert COMMANDS
    for name in COMMANDS:
        assert f"  {name} " in said


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    import click

    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
    assert len(command.help.split()) > 3
    said = asked(Path("none"), name, "--help")
    assert said.startswith("Usage: ")
    assert command.help.split()[0] in said


def test_starting_imports_nothing_heavy() -> None:
    code = (
        "import sys, click.testing, reports.cli as c;"
        "r = click.testing.CliRunner().invoke(c.cli, ['--help']); assert r.exit_code == 0;"
        "heavy = {'duckdb', 'polars', 'pyarrow', 'altair', 'mkdocs', 'vl_convert'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_a_command_the_help_is_shown() -> None:
    done = run()
    assert done.returncode == 2
    assert done.stdout.startswith("Usage: ")
    assert done.stderr == ""


def test_the_version_is_told() -> None:
    assert "version" in asked(Path("none"), "--version")


# One line an error


def test_an_unknown_command() -> None:
    done = run("nosuch")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nosuch" in one_line(done.stderr)


def test_a_fault_of_ours_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("first\nsecond")

    monkeypatch.setattr("reports.cli.cli", fails)
    monkeypatch.delenv("LEVELBOOK_TRACEBACK", raising=False)
    said = io.StringIO()
    with redirect_stderr(said), pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    expected = "levelbook: first second (ZeroDivisionError; a fault of Levelbook)\n"
    assert said.getvalue() == expected


def test_a_stopped_command_says_that_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.cli.cli", stopped)
    said = io.StringIO()
    with redirect_stderr(said), pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert one_line(said.getvalue()).endswith("the database is as it was")


def test_a_missing_argument_and_an_unknown_option() -> None:
    assert "PATH" in error_of("load")
    assert "--colour" in error_of("load", "--colour", "x")


@pytest.mark.parametrize("command", ["load", "check"])
def test_a_missing_path(tmp_path: Path, command: str) -> None:
    database = tmp_path / "own.duckdb"
    line = error_of("--database", str(database), command, str(tmp_path / "nowhere"))
    assert line.endswith("nowhere: no such file or folder; check the path")
    assert not database.exists()


@pytest.mark.parametrize(
    "words",
    [["check"], ["query", "select 1"], ["trace", SET], ["build"]],
    ids=lambda words: words[0],
)
def test_a_missing_database(tmp_path: Path, words: list[str]) -> None:
    if words[0] not in COMMANDS:
        pytest.skip(f"there is no command {words[0]} yet")
    line = error_of("--database", str(tmp_path / "none.duckdb"), *words)
    assert line.endswith("none.duckdb: no such database; run `levelbook load PATH` first")


@pytest.mark.parametrize("command", ["query", "load"])
def test_a_file_that_is_no_database(tmp_path: Path, acme: Submission, command: str) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("some text", encoding="utf-8")
    word = "select 1" if command == "query" else str(acme.root)
    line = error_of("--database", str(path), command, word)
    assert "text.duckdb: cannot be opened (" in line
    assert path.read_text(encoding="utf-8") == "some text"


def test_a_folder_that_is_no_database(tmp_path: Path) -> None:
    line = error_of("--database", str(tmp_path), "query", "select 1")
    assert line.endswith("a folder; name a file with --database")


def test_a_database_of_another_program(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "other.duckdb"
    duckdb.connect(str(path)).execute("create table t (a int)").close()
    line = error_of("--database", str(path), "query", "select 1")
    assert line.endswith("not a Levelbook database; choose another with --database")


def test_a_database_where_none_can_be(acme: Submission) -> None:
    line = error_of("--database", "/proc/nowhere/own.duckdb", "load", str(acme.root))
    assert line.endswith("check the path and its permissions")


@pytest.mark.parametrize("sql", ["selec 1", "select nothing from score", "select * from nowhere"])
def test_bad_sql(database: Path, sql: str) -> None:
    assert "Error: " in error_of("--database", str(database), "query", sql)


@pytest.mark.parametrize(
    "sql",
    [
        "delete from event",
        "drop table run",
        "create table t (a int)",
        "insert into levelbook values (9)",
        "update source set path = ''",
        "comment on table run is 'x'",
    ],
)
def test_query_changes_nothing(database: Path, sql: str) -> None:
    before = database.read_bytes()
    assert "read-only" in error_of("--database", str(database), "query", sql)
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "copy (select 1) to '{folder}/out.csv'",
        "select * from read_text('{folder}/secret.txt')",
        "select * from '{folder}/secret.csv'",
        "attach '{folder}/other.duckdb' as other",
        "export database '{folder}/out'",
        "install httpfs",
        "set enable_external_access = true",
        "select * from connection",
    ],
)
def test_query_touches_no_other_file(database: Path, tmp_path: Path, sql: str) -> None:
    for name in ("secret.txt", "secret.csv"):
        (tmp_path / name).write_text("a,b\n1,2\n", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    done = CliRunner().invoke(
        cli, ["--database", str(database), "query", sql.format(folder=tmp_path)]
    )
    assert done.exit_code == 2, done.output
    assert sorted(tmp_path.iterdir()) == before


def test_an_unknown_rule(database: Path) -> None:
    assert "nosuch is no rule" in error_of("--database", str(database), "check", "--rule", "nosuch")
    assert "nosuch is no rule" in error_of("rules", "nosuch")


def test_an_unknown_result_set(database: Path) -> None:
    assert "no such result set" in error_of("--database", str(database), "trace", "nosuch")


def test_a_site_that_was_not_built(tmp_path: Path) -> None:
    line = error_of("serve", "--output", str(tmp_path))
    assert "run `levelbook build` first" in line


def test_a_port_in_use(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<title>x</title>", encoding="utf-8")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = error_of("serve", "--output", str(tmp_path), "--port", str(port))
    assert f"port {port}: " in line
    assert line.endswith("choose another with --port")
    assert "65536" in error_of("serve", "--output", str(tmp_path), "--port", "65536")


def test_bad_toml_of_what_people_say(
    tmp_path: Path, acme: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "waivers.toml"
    path.write_text("[[waiver]\n", encoding="utf-8")
    monkeypatch.setattr("warehouse.reference.share_folder", lambda: tmp_path)
    database = tmp_path / "own.duckdb"
    line = error_of("--database", str(database), "load", str(acme.root))
    assert line.startswith(f"levelbook: {path}: not valid TOML (")
    assert not database.exists()


def test_a_second_writer(tmp_path: Path, acme: Submission) -> None:
    import filelock

    database = tmp_path / "own.duckdb"
    with filelock.FileLock(f"{database}.lock"):
        line = error_of("--database", str(database), "load", str(acme.root))
    assert line.endswith("own.duckdb: another load is writing it; wait until it ends")


# Load


def test_load_prints_what_it_read(tmp_path: Path, acme: Submission) -> None:
    said = asked(tmp_path / "own.duckdb", "load", str(acme.root))
    assert "mlperf_log" in said
    assert said.endswith(f"database: {tmp_path / 'own.duckdb'}\n")
    again = asked(tmp_path / "own.duckdb", "load", str(acme.root))
    assert "6 files were loaded already and changed nothing" in again
    assert f"loaded as {acme.root}" in again


def test_load_as_json(tmp_path: Path, acme: Submission) -> None:
    said = json.loads(asked(tmp_path / "own.duckdb", "load", "--json", str(acme.root)))
    assert said["kinds"]["mlperf_log"]["files"] == 5
    assert said["already_loaded"] == 0
    assert said["problems"] == []
    again = json.loads(asked(tmp_path / "own.duckdb", "load", "--json", str(acme.root)))
    assert (again["already_loaded"], again["kinds"]) == (6, {})


def test_load_says_what_is_skipped_unassigned_and_wrong(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "notes.md").write_text("notes", encoding="utf-8")
    text = log()
    for number in range(7):
        (logs / f"train{number}.log").write_text(
            log(seed=number)[: len(text) * 3 // 4], encoding="utf-8"
        )
    said = asked(tmp_path / "own.duckdb", "load", str(logs))
    assert "skipped, no format claims them: 1 .md" in said
    assert "7 logs name no system (such as " in said
    assert "use --system, or a source.toml beside them" in said
    assert "error: no run_stop" in said
    assert "(7) - load the complete log" in said
    assert "train0.log:" in said
    assert "and 2 more (query the relation problem)" in said
    fixed = asked(tmp_path / "own.duckdb", "load", "--system", "box", str(logs))
    assert "7 logs are now described as their path, source.toml or options say" in fixed
    assert "name no system (" not in fixed


def test_load_of_nothing_says_so(tmp_path: Path) -> None:
    database = tmp_path / "own.duckdb"
    (tmp_path / "empty").mkdir()
    said = asked(database, "load", str(tmp_path / "empty"))
    assert "error: no file in this folder (1) - check the path" in said
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    assert "nothing was read" in asked(database, "load", str(tmp_path / "empty.zip"))


def test_load_from_standard_input(tmp_path: Path) -> None:
    database = tmp_path / "own.duckdb"
    words = ["--database", str(database), "load", "-", "--system", "box", "--benchmark", "resnet"]
    done = subprocess.run(
        [*LEVELBOOK, *words], input=log(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    with connect(database) as connection:
        assert rows(connection, "select system, benchmark from score") == [
            {"system": "box", "benchmark": "resnet"}
        ]


def test_limits_are_adjustable(tmp_path: Path, acme: Submission) -> None:
    said = asked(tmp_path / "own.duckdb", "load", "--max-file-mib", "0", str(acme.root))
    assert "over the limit of 0" in said


def test_the_database_of_the_environment(tmp_path: Path, acme: Submission) -> None:
    named, chosen = tmp_path / "named.duckdb", tmp_path / "chosen.duckdb"
    done = run("load", str(acme.root), LEVELBOOK_DATABASE=str(named))
    assert done.returncode == 0, done.stderr
    assert named.is_file()
    words = ("--database", str(chosen), "load", str(acme.root))
    assert run(*words, LEVELBOOK_DATABASE=str(named)).returncode == 0
    assert chosen.is_file()


def test_the_default_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, acme: Submission
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LEVELBOOK_DATABASE", raising=False)
    done = CliRunner().invoke(cli, ["load", str(acme.root)])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "build" / "levelbook.duckdb").is_file()


# Check


def test_check_of_a_submission_in_order(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    add_compliant(made)
    said = asked(Path("none"), "check", str(made.root))
    assert said.rstrip().endswith("0 findings: 0 error, 0 warning, 0 info")
    assert "judged by training 1.1.0 (mlperf-logging 4.1.68): 1 result sets" in said


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Submission:
    made = Submission(tmp_path_factory.mktemp("broken"))
    made.scored("box", (10, 11, -12))
    return made


def test_check_of_paths_stores_nothing(tmp_path: Path, broken: Submission) -> None:
    database = tmp_path / "own.duckdb"
    said = asked(database, "check", *OUR_RULES, str(broken.root), status=1)
    assert "error: Required number of runs (required_runs)" in said
    assert f"    {SET}: 3 runs, 5 are required" in said
    assert f"        at {broken.root}/" in said
    assert "    remedy: Add the missing result_<n>.txt files" in said
    assert said.index("error: ") < said.index("warning: ")
    assert said.rstrip().endswith("2 findings: 1 error, 1 warning, 0 info")
    assert list(tmp_path.iterdir()) == []


def test_check_exits_0_on_warnings(broken: Submission) -> None:
    said = asked(Path("none"), "check", "--rule", "converged_runs", str(broken.root))
    assert "1 findings: 0 error, 1 warning, 0 info" in said


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_check_for_machines(broken: Submission, kind: str) -> None:
    words = ["check", "--format", kind, *OUR_RULES, str(broken.root)]
    said = asked(Path("none"), *words, status=1)
    found: list[dict[str, Any]] = (
        json.loads(said) if kind == "json" else list(csv.DictReader(io.StringIO(said)))
    )
    assert [one["rule"] for one in found] == ["required_runs", "converged_runs"]
    assert found[0]["subject"] == SET
    assert int(found[0]["line"]) > 0


def test_check_of_nothing_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# notes", encoding="utf-8")
    line = error_of("check", str(tmp_path))
    assert line.endswith("no file that can be read; see `levelbook formats`")


# Build and publish


def test_build_passes_the_gate_or_exits_1(tmp_path: Path, broken: Submission) -> None:
    database, out = tmp_path / "own.duckdb", tmp_path / "out"
    asked(database, "load", str(broken.root))
    said = asked(database, "build", "--output", str(out), status=1)
    assert "gate: required_runs: 1 findings of severity error\n" in said
    assert "gate failed: " in said
    assert f"site: {out / 'site'}\n" in said
    record = json.loads((out / "quality.json").read_text(encoding="utf-8"))
    assert record["is_passed"] is False
    assert record["row_counts"]["run_result"] == 3
    first = (out / "quality.json").read_bytes()
    assert (out / "site" / "quality.json").read_bytes() == first
    asked(database, "build", "--output", str(out), status=1)
    assert (out / "quality.json").read_bytes() == first


def test_publish_tells_what_has_become_fewer(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    add_compliant(made)
    database, out = tmp_path / "own.duckdb", tmp_path / "out"
    out.mkdir()
    record = {"row_counts": {"run_result": 11, "score": 1}}
    (out / "quality.json").write_text(json.dumps(record), encoding="utf-8")
    said = asked(database, "publish", "--output", str(out), str(made.root))
    assert said.count("gate, warning: ") == 1
    assert "gate, warning: run_result: expected: no fewer than half as many rows" in said
    assert "gate passed: " in said


@pytest.mark.parametrize("text", ["", "[]", '{"row_counts": 3}', '{"row_counts": {"a": "b"}}'])
def test_a_damaged_record_of_the_last_build_is_no_record(tmp_path: Path, text: str) -> None:
    from reports.commands.build import _row_counts

    (tmp_path / "quality.json").write_text(text, encoding="utf-8")
    assert _row_counts(tmp_path / "quality.json") == {}
    assert _row_counts(tmp_path / "none.json") == {}


# Query


def test_query_as_table(database: Path) -> None:
    said = asked(database, "query", "select system, score_min, reason from score")
    assert "system" in said
    assert "box" in said
    assert "10.0" in said
    assert "None" not in said


def test_query_shows_markup_of_a_log_as_it_is(database: Path) -> None:
    assert "[red]x[/red]" in asked(database, "query", "select '[red]x[/red]' as a")


def test_query_as_csv(database: Path) -> None:
    said = asked(database, "query", "--format", "csv", "select 'a,b' as x, true as y, null as z")
    assert said == 'x,y,z\n"a,b",true,\n'


def test_query_as_json(database: Path) -> None:
    sql = "select system, score_min, reason, sum(runs) over () as n, first_started_at from score"
    (found,) = json.loads(asked(database, "query", "--format", "json", sql))
    assert found == {
        "system": "box", "score_min": 10.0, "reason": None, "n": 5,
        "first_started_at": "2020-09-13 12:26:40",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["table", "csv", "json"])
def test_query_of_any_type(database: Path, kind: str) -> None:
    sql = (
        "select [1, 2] as l, {'a': 1} as s, interval 1 day as i, 'a'::blob as b, 1.5::decimal as d,"
        " 'nan'::double as n, 18446744073709551615::ubigint as u, 1::hugeint as h,"
        " '01:02:03'::time as t, map {'k': 1} as m, uuid() as id, 1 as a, 2 as a"
    )
    said = asked(database, "query", "--format", kind, sql)
    if kind == "json":
        (found,) = json.loads(said)
        assert (found["l"], found["s"], found["n"]) == ([1, 2], {"a": 1}, None)
        assert (found["u"], found["a"], found["a_1"]) == (18446744073709551615, 1, 2)


def test_query_of_many_rows(database: Path) -> None:
    many = "select * from range(300)"
    assert "200 of 300 rows; --format csv gives all" in asked(database, "query", many)
    assert asked(database, "query", "--format", "csv", many).count("\n") == 301


def test_query_without_rows(database: Path) -> None:
    assert asked(database, "query", "--format", "json", "select 1 where false").strip() == "[]"
    assert asked(database, "query", "--format", "csv", "select 1 as a where false") == "a\n"


def test_query_into_a_closed_pipe(database: Path) -> None:
    command = [*LEVELBOOK, "--database", str(database), "query", "--format", "csv",
               "select * from range(200000)"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


# Trace, rules, formats


def test_trace_leads_to_the_lines(database: Path, acme: Submission) -> None:
    said = asked(database, "trace", "--lines", SET)
    assert said.count("10.000 min  counts") == 3
    assert said.count("10.000 min  fastest") == 1
    assert said.count("10.000 min  slowest") == 1
    assert said.count('"key": "run_start"') == 5
    assert said.count('"key": "run_stop"') == 5
    assert f"{acme.root}/Acme/results/box/resnet/result_0.txt:" in said


def test_rules_are_listed_and_explained() -> None:
    said = asked(Path("none"), "rules")
    assert "required_runs (graded): Required number of runs" in said
    one = asked(Path("none"), "rules", "required_runs")
    for word in ("basis: ", "why: ", "remedy: ", "false positives: "):
        assert word in one


def test_trace_leads_from_a_series_to_the_lines(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.write("a.json", output(job(client="a:1"), job(client="b:1")))
    database = tmp_path / "x.duckdb"
    asked(database, "load", str(bench.root))
    (path,) = bench.root.glob("*.json")
    said = asked(database, "trace", "--lines", str(path))
    assert "read, 2 clients, 2 jobs, depth 4, 1048576 B blocks: 209.7 MB/s in 60.0 s" in said
    assert said.count('"read": {') == 2
    subject = said.split("  read, ")[0]
    assert subject.startswith("Acme/read-")
    assert asked(database, "trace", subject.split("@")[0], "--lines") == said


def test_formats_are_listed() -> None:
    said = asked(Path("none"), "formats").splitlines()
    files = sorted(path.stem for path in (ROOT / "ingest" / "formats").glob("[a-z]*.py"))
    assert [line.split(":")[0] for line in said] == files
    assert any(line.startswith("fio_json: fio result as JSON") for line in said)
