"""Loading: all or nothing, never the same bytes twice, one writer, readers never blocked."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from fio_outputs import Bench, job, output
from mlperf_logs import Submission, facts, load_more, loaded, log, record, row, rows, runs

from ingest.records import Problem
from ingest.sources import UnreadablePathError
from warehouse.database import DatabaseError, connect, in_memory, writing
from warehouse.load import LoadReport, load
from warehouse.refresh import refresh
from warehouse.text import line_of, text_of

DERIVED = (
    "run_result", "result_set", "score", "scaling", "hyperparameter", "epoch", "evaluation",
    "throughput", "family", "finding",
)  # fmt: skip


@pytest.fixture
def acme(tmp_path: Path) -> Submission:
    made = Submission(tmp_path)
    made.scored("dgx", [40, 41, 42, 43, -44])
    made.scored("dgx_n2", [20] * 5, nodes=2, first_seed=9, settings={"opt_base_learning_rate": 3})
    (made.home / "notes.md").write_text("# notes", encoding="utf-8")
    return made


def tarred(root: Path, target: Path, name: str | None = None) -> Path:
    with tarfile.open(target, "w:gz") as archive:
        archive.add(root, name or root.name)
    return target


def zipped(root: Path, target: Path, name: str) -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                archive.write(path, f"{name}/{path.relative_to(root)}")
    return target


def stored(database: Path) -> str:
    return hashlib.sha256(database.read_bytes()).hexdigest()


def into(database: Path, *paths: Path, **said: str) -> LoadReport:
    with writing(database) as connection:
        report = load(connection, [str(path) for path in paths], said)
        refresh(connection, database.parent / "no such folder")
    return report


def derived(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    """All derived relations without what depends on order of loading: the numbers of sources."""
    found = {}
    for name in DERIVED:
        columns = [row[0] for row in connection.execute(f"describe {name}").fetchall()]
        kept = ", ".join(column for column in columns if column != "run_id")
        found[name] = connection.execute(f"select {kept} from {name} order by all").fetchall()
    return found


# The same bytes again


def test_the_first_load(acme: Submission) -> None:
    connection = in_memory()
    report = load(connection, [str(acme.root)])
    assert {name: total.files for name, total in report.kinds.items()} == {
        "mlperf_log": 10, "mlperf_system": 2,
    }  # fmt: skip
    assert report.files == 12
    assert report.known == []
    assert report.unassigned == []
    assert report.problems == []
    assert dict(report.skipped) == {".md": 1}
    total = row(
        connection, "select sum(records)::bigint as n from source where format = 'mlperf_log'"
    )
    assert report.kinds["mlperf_log"].records == total["n"]
    assert row(connection, "select count(*) as n from event") == total


@pytest.mark.parametrize("form", ["same folder", "tar", "zip under another root", "copied folder"])
def test_known_bytes_change_nothing(acme: Submission, tmp_path: Path, form: str) -> None:
    made = {
        "same folder": lambda: acme.root,
        "tar": lambda: tarred(acme.root, tmp_path / "a.tar.gz"),
        "zip under another root": lambda: zipped(acme.root, tmp_path / "b.zip", "other/place"),
        "copied folder": lambda: shutil.copytree(acme.root, tmp_path / "copy" / "elsewhere"),
    }
    connection = loaded(acme.root)
    before = derived(connection)
    sources = "select * from source order by source_id"
    known = rows(connection, sources)
    report = load_more(connection, made[form]())
    assert (report.files, len(report.known)) == (0, 12)
    assert report.known[0][1].startswith(str(acme.root))
    assert derived(connection) == before
    assert rows(connection, sources) == known


def test_the_folder_after_its_archive_changes_nothing(acme: Submission, tmp_path: Path) -> None:
    connection = loaded(tarred(acme.root, tmp_path / "a.tar.gz"))
    report = load_more(connection, acme.root)
    assert (report.files, len(report.known)) == (0, 12)


def test_a_single_copy_elsewhere_changes_nothing(acme: Submission, tmp_path: Path) -> None:
    connection = facts(acme.root)
    copy = tmp_path / "mail" / "attachment.txt"
    copy.parent.mkdir()
    shutil.copy(acme.home / "results" / "dgx" / "resnet" / "result_0.txt", copy)
    report = load_more(connection, copy)
    assert (report.files, len(report.known), report.unassigned) == (0, 1, [])
    assert row(connection, "select count(*) as n from run") == {"n": 10}


def test_the_same_bytes_twice_in_one_load(acme: Submission, tmp_path: Path) -> None:
    copy = shutil.copytree(acme.root, tmp_path / "again")
    report = load(in_memory(), [str(acme.root), str(copy)])
    assert (report.files, len(report.known), len(report.copies)) == (12, 0, 12)


def test_a_log_under_another_system_is_kept_as_a_duplicate(acme: Submission) -> None:
    shutil.copytree(acme.home / "results" / "dgx", acme.home / "results" / "copied")
    connection = loaded(acme.root)
    found = rows(
        connection,
        "select status, count(*) as n from source where format = 'mlperf_log' group by 1",
    )
    counted = {one["status"]: one["n"] for one in found}
    assert counted == {"complete": 9, "aborted": 1, "duplicate": 5}
    assert row(connection, "select runs from score where system = 'dgx'") == {"runs": 5}
    report = load_more(connection, acme.root)
    assert report.files == 0


def test_equal_factors_of_two_sets_are_no_duplicates(acme: Submission) -> None:
    for system in ("dgx", "dgx_n2"):
        path = acme.home / "results" / system / "resnet" / "scaling.json"
        path.write_text('{"scaling_factor": 1.5}', encoding="utf-8")
    connection = loaded(acme.root)
    found = rows(connection, "select status from source where format = 'mlperf_scaling'")
    assert [one["status"] for one in found] == ["complete", "complete"]
    assert row(connection, "select count(scaling_factor) as n from score") == {"n": 2}
    assert load_more(connection, acme.root).files == 0


def test_a_second_submission_adds_only_itself(acme: Submission, tmp_path: Path) -> None:
    connection = loaded(acme.root)
    other = Submission(tmp_path, organization="Other")
    other.scored("box", first_seed=100)
    report = load_more(connection, acme.root)
    assert (report.files, len(report.known)) == (6, 12)
    assert row(connection, "select count(*) as n from score") == {"n": 3}


def test_two_orders_give_the_same(tmp_path: Path) -> None:
    one, two = Submission(tmp_path / "one"), Submission(tmp_path / "two")
    one.scored("dgx", [40] * 5)
    two.scored("dgx_n2", [20] * 5, nodes=2, first_seed=9, settings={"opt_base_learning_rate": 3})
    first = loaded(one.root)
    load_more(first, two.root)
    second = loaded(two.root)
    load_more(second, one.root)
    assert derived(first) == derived(second)
    assert row(first, "select count(*) as n from scaling") == {"n": 2}
    assert derived(loaded(tmp_path)) == derived(first)


# Who a log belongs to


def test_logs_without_a_system_are_said_to_be_unassigned(tmp_path: Path) -> None:
    path = tmp_path / "train.log"
    path.write_text(log(header={"submission_benchmark": "resnet"}), encoding="utf-8")
    connection = in_memory()
    report = load(connection, [str(path)])
    refresh(connection, tmp_path / "no such folder")
    assert report.unassigned == [str(path)]
    found = row(connection, "select result_set, system, organization, runs from score")
    assert found["result_set"] == "no round/closed/unassigned/unassigned/resnet"
    assert (found["organization"], found["runs"]) == (None, 1)


def test_a_log_is_assigned_by_loading_it_again(tmp_path: Path) -> None:
    """The remedy that the load prints: --system, or a source.toml beside the log."""
    path = tmp_path / "logs" / "train.log"
    path.parent.mkdir()
    path.write_text(log(), encoding="utf-8")
    connection = loaded(path)
    report = load_more(connection, path, system="box", organization="Acme", benchmark="resnet")
    assert (report.files, report.assigned, report.unassigned) == (0, [str(path)], [])
    found = row(connection, "select result_set, runs from score")
    assert found == {"result_set": "no round/closed/Acme/box/resnet", "runs": 1}
    again = load_more(connection, path, system="box", organization="Acme", benchmark="resnet")
    assert (again.files, again.assigned, len(again.known)) == (0, [], 1)


def test_a_log_is_assigned_by_a_source_toml_written_later(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "result_0.txt"
    path.parent.mkdir()
    path.write_text(log(), encoding="utf-8")
    connection = loaded(path)
    text = 'system = "box"\nbenchmark = "resnet"\nverification = "official"\n'
    (tmp_path / "logs" / "source.toml").write_text(text, encoding="utf-8")
    report = load_more(connection, tmp_path / "logs")
    assert report.assigned == [str(path)]
    found = row(connection, "select result_set, verification from score")
    assert found["result_set"] == "no round/closed/unassigned/box/resnet@logs"
    assert found["verification"] == "official"


def test_a_loose_log_is_the_one_of_its_folder(acme: Submission, tmp_path: Path) -> None:
    loose = tmp_path / "loose.txt"
    shutil.copy(acme.home / "results" / "dgx" / "resnet" / "result_0.txt", loose)
    connection = loaded(loose)
    report = load_more(connection, acme.root)
    assert (report.files, len(report.assigned)) == (11, 1)
    assert derived(connection) == derived(loaded(acme.root))
    assert row(connection, "select count(*) as n from run") == {"n": 10}


def test_what_the_command_line_says_wins(acme: Submission) -> None:
    (acme.root / "source.toml").write_text('organization = "Nobody"\nround = "v2.0"\n', "utf-8")
    path = acme.home / "results" / "dgx"
    connection = loaded(
        path, system="other", organization="Somebody", round="v5.1", division="open"
    )
    found = row(
        connection,
        "select distinct round, division, organization, system, benchmark from run_result",
    )
    assert found == {
        "round": "v5.1", "division": "open", "organization": "Somebody", "system": "other",
        "benchmark": "resnet",
    }  # fmt: skip


def test_source_toml_names_the_collection(acme: Submission) -> None:
    text = (
        'name = "lab"\ntitle = "Our lab"\nkind = "reconstructed"\nverification = "official"\n'
        'organization = "Lab"\nround = "v2.0"\ndivision = "open"\nlicence = "Apache-2.0"\n'
    )
    (acme.root / "source.toml").write_text(text, encoding="utf-8")
    connection = loaded(acme.root)
    found = rows(
        connection, "select distinct result_set, kind, verification from run_result order by 1"
    )
    assert found == [
        {"result_set": f"v2.0/open/Lab/{system}/resnet@lab", "kind": "reconstructed",
         "verification": "official"}
        for system in ("dgx", "dgx_n2")
    ]  # fmt: skip
    said = row(connection, "select * from collection")
    assert (said["collection"], said["title"], said["licence"]) == ("lab", "Our lab", "Apache-2.0")
    assert row(connection, "select count(*) as n from family where collection = 'lab'") == {"n": 2}


def test_without_a_source_toml_nothing_is_official(acme: Submission) -> None:
    connection = loaded(acme.root)
    found = row(connection, "select distinct kind, verification from score")
    assert found == {"kind": "logged", "verification": "unverified"}


def test_the_nearest_source_toml_counts(acme: Submission) -> None:
    (acme.root / "source.toml").write_text('name = "far"\n', encoding="utf-8")
    near = acme.home / "results" / "dgx" / "source.toml"
    near.write_text('name = "near"\n', encoding="utf-8")
    found = rows(facts(acme.root), "select distinct system, collection from run order by 1")
    assert found == [
        {"system": "dgx", "collection": "near"}, {"system": "dgx_n2", "collection": "far"},
    ]  # fmt: skip


def test_a_source_toml_at_the_end_of_an_archive_counts(acme: Submission, tmp_path: Path) -> None:
    (acme.root / "source.toml").write_text('name = "lab"\n', encoding="utf-8")
    target = tmp_path / "late.tar.gz"
    with tarfile.open(target, "w:gz") as archive:
        for path in [*sorted(acme.home.rglob("*.*")), acme.root / "source.toml"]:
            archive.add(path, str(path.relative_to(tmp_path)), recursive=False)
    connection = loaded(target)
    assert rows(connection, "select distinct collection from run") == [{"collection": "lab"}]
    assert rows(connection, "select distinct collection from system") == [{"collection": "lab"}]
    report = load_more(connection, target)
    assert (report.files, len(report.known)) == (0, 12)


def test_of_two_collections_of_one_name_the_least_trusted_counts(tmp_path: Path) -> None:
    for place, verification in (("a", "unverified"), ("b", "official")):
        made = Submission(tmp_path / place / "runs")
        made.scored("box", first_seed=1 if place == "a" else 50)
        text = f'verification = "{verification}"\n'
        (tmp_path / place / "runs" / "source.toml").write_text(text, encoding="utf-8")
    found = rows(loaded(tmp_path), "select distinct collection, verification from run_result")
    assert found == [{"collection": "runs", "verification": "unverified"}]


@pytest.mark.parametrize(
    ("text", "severity", "line", "reason"),
    [
        ('name = "lab"\ncolour = "red"\n', "warning", 2, "colour is no name of a source.toml"),
        ('name = "lab"\n\nkind = "dreamt"\n', "error", 3, "kind must be one of"),
        ('verification = "maybe"\n', "error", 1, "verification must be one of"),
        ("name = lab\n", "error", 1, "not valid TOML"),
        ("\xff\n", "error", 1, "not valid TOML"),
    ],
)
def test_what_a_source_toml_gets_wrong_is_a_problem(
    acme: Submission, text: str, severity: str, line: int, reason: str
) -> None:
    path = acme.root / "source.toml"
    path.write_bytes(text.encode("latin-1"))
    connection = loaded(acme.root)
    found = row(connection, "select * from problem")
    assert (found["path"], found["severity"], found["line"]) == (str(path), severity, line)
    assert found["reason"].startswith(reason)
    assert row(connection, "select count(*) as n from run") == {"n": 10}
    path.write_text('name = "lab"\n', encoding="utf-8")
    load_more(connection, acme.root)
    assert rows(connection, "select * from problem") == []


# What cannot be read


def test_a_folder_of_unknown_files_is_said(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.png", "README"):
        (tmp_path / name).write_text(f"text of {name}", encoding="utf-8")
    connection = in_memory()
    report = load(connection, [str(tmp_path)])
    assert (report.files, dict(report.skipped)) == (0, {".md": 2, ".png": 1, "no extension": 1})
    found = rows(connection, "select distinct format, status, records from source")
    assert found == [{"format": None, "status": "unrecognised", "records": 0}]
    load_more(connection, tmp_path)
    assert row(connection, "select count(*) as n from source") == {"n": 4}


def test_a_log_that_was_skipped_under_another_name_is_loaded(tmp_path: Path) -> None:
    loose = tmp_path / "empty.md"
    loose.write_text("text without a record", encoding="utf-8")
    connection = loaded(loose)
    named = tmp_path / "result_0.txt"
    shutil.copy(loose, named)
    report = load_more(connection, named)
    assert (report.files, report.known) == (1, [])
    found = row(connection, "select status from source where format is not null")
    assert found == {"status": "unreadable"}


def test_the_same_description_in_another_round_counts_there_too(tmp_path: Path) -> None:
    """A system may be submitted unchanged in a later round: its nodes are known in both."""
    for round_name, seed in (("training_v1.1", 1), ("training_v2.0", 50)):
        Submission(tmp_path, round_name).scored("box", nodes=2, first_seed=seed)
    connection = loaded(tmp_path)
    asked = "select round, nodes, score_min from score order by round"
    assert rows(connection, asked) == [
        {"round": "v1.1", "nodes": 2, "score_min": 10.0},
        {"round": "v2.0", "nodes": 2, "score_min": 10.0},
    ]
    assert load_more(connection, tmp_path).files == 0


def test_an_empty_folder_loads_nothing(tmp_path: Path) -> None:
    report = load(in_memory(), [str(tmp_path)])
    assert report.files == 0
    assert [path for path, _ in report.problems] == [str(tmp_path)]


def test_a_missing_path_loads_nothing_at_all(acme: Submission, tmp_path: Path) -> None:
    connection = in_memory()
    with pytest.raises(UnreadablePathError, match="no such file or folder"):
        load(connection, [str(acme.root), str(tmp_path / "nowhere")])
    assert rows(connection, "select * from source") == []


def test_a_truncated_archive_gives_what_it_can(acme: Submission, tmp_path: Path) -> None:
    for number in range(20):
        noise = hashlib.sha256(str(number).encode()).hexdigest() * 300
        acme.results("noisy", "resnet", [log(seed=50 + number) + noise], first=number)
    whole = tarred(acme.root, tmp_path / "whole.tar.gz")
    broken = tmp_path / "broken.tar.gz"
    broken.write_bytes(whole.read_bytes()[: whole.stat().st_size * 2 // 3])
    connection = loaded(broken)
    assert 0 < row(connection, "select count(*) as n from run")["n"] < 30
    problem = row(connection, "select * from problem where severity = 'error'")
    assert problem["path"] == str(broken)
    assert "members before it are kept" in problem["reason"]
    assert problem["remedy"].startswith("copy the archive again")
    finding = row(connection, "select * from finding where rule = 'unread_logs'")
    assert (finding["subject"], finding["severity"]) == (str(broken), "error")
    shutil.copy(whole, broken)
    load_more(connection, broken)
    assert row(connection, "select count(*) as n from run") == {"n": 30}
    assert rows(connection, "select * from problem") == []


def test_problems_are_stored_with_their_line(acme: Submission) -> None:
    path = acme.home / "results" / "dgx" / "resnet" / "result_1.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text("u" + text[1:], encoding="utf-8")
    connection = in_memory()
    report = load(connection, [str(acme.root)])
    refresh(connection, acme.root)
    found = row(connection, "select * from problem")
    assert (found["path"], found["line"], found["severity"]) == (str(path), 1, "warning")
    assert found["remedy"]
    assert [(at, type(problem)) for at, problem in report.problems] == [(str(path), Problem)]
    source = row(connection, "select problems, status from source where path = ?", str(path))
    assert source == {"problems": 1, "status": "complete"}


def test_a_truncated_log_is_marked(acme: Submission) -> None:
    path = acme.home / "results" / "dgx" / "resnet" / "result_1.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: len(text) * 2 // 3], encoding="utf-8")
    connection = facts(acme.root)
    assert row(connection, "select status from source where path = ?", str(path)) == {
        "status": "truncated"
    }
    found = rows(connection, "select line from problem where severity = 'error'")
    assert len(found) == 1
    assert found[0]["line"] > 1


@pytest.mark.parametrize("text", ["", "\0\0\0", "no record at all", ":::MLLOG {", "\xff\xfe"])
def test_a_log_without_records_is_unreadable(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "Acme" / "results" / "box" / "resnet"
    folder.mkdir(parents=True)
    (folder / "result_0.txt").write_bytes(text.encode("latin-1"))
    connection = facts(tmp_path)
    found = row(connection, "select status, records from source")
    assert found == {"status": "unreadable", "records": 0}
    assert rows(connection, "select * from problem") != []
    assert rows(connection, "select * from run") == []


def test_the_text_of_a_log_can_be_read_when_the_file_is_gone(acme: Submission) -> None:
    path = acme.home / "results" / "dgx" / "resnet" / "result_0.txt"
    connection = loaded(acme.root)
    original = path.read_bytes()
    shutil.rmtree(acme.root)
    found = row(
        connection,
        "select run_id, source_id, start_line from run_result join run using (run_id)"
        " where path = ?",
        str(path),
    )
    assert text_of(connection, found["source_id"]) == original
    assert '"run_start"' in line_of(connection, found["run_id"], found["start_line"])
    assert line_of(connection, found["run_id"], 10**6) == ""
    with pytest.raises(KeyError):
        text_of(connection, 10**6)


# The file


def test_a_database_is_made_with_its_folder(acme: Submission, tmp_path: Path) -> None:
    database = tmp_path / "deep" / "er" / "own.duckdb"
    into(database, acme.root)
    with connect(database) as connection:
        assert row(connection, "select count(*) as n from score") == {"n": 2}
    assert sorted(path.name for path in database.parent.iterdir() if "lock" not in path.name) == [
        "own.duckdb"
    ]


def test_a_failed_load_leaves_the_database_as_it_was(acme: Submission, tmp_path: Path) -> None:
    database = tmp_path / "own.duckdb"
    into(database, acme.root)
    before = stored(database)
    with pytest.raises(UnreadablePathError):
        into(database, acme.root, tmp_path / "nowhere")
    assert stored(database) == before
    with pytest.raises(ZeroDivisionError), writing(database) as connection:
        connection.execute("delete from event")
        raise ZeroDivisionError
    assert stored(database) == before
    assert not list(tmp_path.glob("*.writing*"))


def test_a_failing_file_takes_the_whole_load_back(
    acme: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = in_memory()
    calls = iter(range(100))

    def fails(*_: object) -> None:
        if next(calls) == 5:
            raise MemoryError

    with pytest.raises(MemoryError):
        load(connection, [str(acme.root)], progress=fails)
    assert rows(connection, "select * from source") == []
    assert rows(connection, "select * from event") == []
    assert load(connection, [str(acme.root)]).files == 12


def test_another_file_in_its_place_is_refused(tmp_path: Path, acme: Submission) -> None:
    database = tmp_path / "own.duckdb"
    database.write_text("not a database", encoding="utf-8")
    with pytest.raises(DatabaseError, match="cannot be opened"):
        into(database, acme.root)
    assert database.read_text(encoding="utf-8") == "not a database"
    database.unlink()
    duckdb.connect(str(database)).execute("create table t (a int)").close()
    with pytest.raises(DatabaseError, match="not a Levelbook database"):
        into(database, acme.root)
    with pytest.raises(DatabaseError, match="not a Levelbook database"):
        connect(database)


def test_a_missing_database_is_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="run `levelbook load PATH` first"):
        connect(tmp_path / "none.duckdb")


# Several processes

SLOW = """
import sys, time
from pathlib import Path
from warehouse.database import writing
from warehouse.load import load
from warehouse.refresh import refresh

def told(path, size):
    print("reading", flush=True)
    time.sleep(0.05 if sys.argv[3] == "slow" else 0)

if __name__ == "__main__":
    with writing(Path(sys.argv[1])) as connection:
        load(connection, [sys.argv[2]], progress=told)
        refresh(connection)
        if sys.argv[3] == "waits":
            print("loaded", flush=True)
            time.sleep(60)
"""


@contextmanager
def loading(database: Path, path: Path, how: str, until: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that loads, once it has said `until`; killed at the end."""
    command = [sys.executable, "-c", SLOW, str(database), str(path), how]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if line.strip() == until:
                break
        else:
            pytest.fail("the other process ended early")
        yield process
    finally:
        process.kill()
        process.wait(timeout=30)
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.parametrize(("how", "until"), [("slow", "reading"), ("waits", "loaded")])
def test_a_killed_load_leaves_the_database_as_it_was(
    acme: Submission, tmp_path: Path, how: str, until: str
) -> None:
    database = tmp_path / "db" / "own.duckdb"
    other = Submission(tmp_path / "other", organization="Other")
    other.scored("box")
    into(database, other.root)
    before = stored(database)
    with loading(database, acme.root, how, until) as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
    assert stored(database) == before
    with connect(database) as connection:
        assert row(connection, "select count(*) as n from score") == {"n": 1}
    assert into(database, acme.root).files == 12
    with connect(database) as connection:
        assert row(connection, "select count(*) as n from score") == {"n": 3}
    assert not list(database.parent.glob("*.writing*"))


def test_a_killed_first_load_leaves_no_database(acme: Submission, tmp_path: Path) -> None:
    database = tmp_path / "db" / "own.duckdb"
    with loading(database, acme.root, "slow", "reading") as process:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
    assert not database.exists()
    assert into(database, acme.root).files == 12


def test_readers_are_not_blocked_and_a_second_writer_is_refused(
    acme: Submission, tmp_path: Path
) -> None:
    database = tmp_path / "db" / "own.duckdb"
    other = Submission(tmp_path / "other", organization="Other")
    other.scored("box")
    into(database, other.root)
    with loading(database, acme.root, "waits", "loaded"):
        began = time.monotonic()
        with connect(database) as connection:
            assert row(connection, "select count(*) as n from score") == {"n": 1}
        with pytest.raises(DatabaseError, match="another load is writing it") as refused:
            into(database, acme.root)
        assert "\n" not in str(refused.value)
        assert time.monotonic() - began < 10
    with connect(database) as connection:
        assert row(connection, "select count(*) as n from score") == {"n": 1}


def test_a_reader_keeps_what_it_had_while_another_loads(acme: Submission, tmp_path: Path) -> None:
    database = tmp_path / "own.duckdb"
    other = Submission(tmp_path / "other", organization="Other")
    other.scored("box")
    into(database, other.root)
    reader = connect(database)
    command = [sys.executable, "-m", "reports.cli", "--database", str(database), "load"]
    done = subprocess.run([*command, str(acme.root)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert row(reader, "select count(*) as n from score") == {"n": 1}
    reader.close()
    with connect(database) as connection:
        assert row(connection, "select count(*) as n from score") == {"n": 3}


def test_worker_processes_give_the_same(
    acme: Submission, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    alone = loaded(acme.root)
    monkeypatch.setattr("warehouse.workers.POOL_FROM_BYTES", 1)
    monkeypatch.setattr("warehouse.load.FLUSH_FROM_BYTES", 1)
    together = loaded(acme.root)
    assert derived(alone) == derived(together)
    events = "select * from event order by run_id, line, key"
    assert rows(alone, events) == rows(together, events)


def test_more_than_one_path_and_a_glob(acme: Submission, tmp_path: Path) -> None:
    results = acme.home / "results"
    connection = facts(results / "*" / "resnet" / "result_[0-2].txt", acme.home / "systems")
    assert row(connection, "select count(*) as n from run") == {"n": 6}
    assert row(connection, "select count(*) as n from system") == {"n": 2}


def test_a_record_at_the_wrong_time_of_a_rank_is_kept(acme: Submission) -> None:
    extra = "3: " + record("eval_accuracy", 0.5, 0, epoch_num=1)
    acme.results("ranked", "resnet", [log(seed=77) + extra + "\n"])
    found = row(
        facts(acme.root),
        "select rank, clock, time_ms, number from event where rank is not null",
    )
    assert found == {"rank": 3, "clock": "placeholder", "time_ms": None, "number": 0.5}


def test_runs_of_two_seeds_differ() -> None:
    assert len(set(runs([10] * 5))) == 5


def test_a_source_toml_that_was_changed_is_taken_up(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.write("a.json", output(job()))
    connection = loaded(bench.root)
    assert row(connection, "select clients_planned from run") == {"clients_planned": None}
    bench.say(clients=5, storage_nodes=4)
    report = load_more(connection, bench.root)
    assert (report.files, len(report.known), len(report.assigned)) == (0, 1, 1)
    assert row(connection, "select clients_planned from run") == {"clients_planned": 5}
    assert row(connection, "select storage_nodes from collection") == {"storage_nodes": 4}
    assert load_more(connection, bench.root).assigned == []
    load_more(connection, bench.root, system="Other")
    assert row(connection, "select system from fio_result") == {"system": "Other"}
