"""Which form a text has, what fio's words mean, and files that hold nothing but words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLES, read, sample_files

from ingest.fio.detect import form, unwrapped
from ingest.fio.notes import clients_named, job_lines, lost_client, notes
from ingest.fio.records import NoteKind
from ingest.formats import fio_json, fio_message
from ingest.lines import Line
from ingest.records import Problem

CORPUS = ROOT.parent / "shared" / "corpus"


def lines(text: str) -> list[Line]:
    return unwrapped(text.encode()).lines


@pytest.fixture(scope="module")
def corpus_of_all() -> Path:
    if not CORPUS.is_dir():
        pytest.skip(f"the corpus is not here: {CORPUS}")
    return CORPUS


# --- notes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "host"),
    [
        ("fio: pid=25427, got signal=9", "killed", None),
        ("fio: terminating on signal 2", "interrupted", None),
        ("client: host=127.0.0.1 disconnected", "disconnected", None),
        ("client <127.0.0.1>: exited with error 1", "disconnected", None),
        ("fio: failed to connect to node-b:8765", "disconnected", None),
        ("verify: bad magic header b000, wanted acca at file x offset 0", "verify", None),
        ("crc32c: verify failed at file v.dat offset 0, length 0", "verify", None),
        ("<node-a.home> error: failed to setup shm segment", "refused", "node-a.home"),
        ("fio: engine nosuch not loadable", "refused", None),
        ("fio: unrecognized option '--nosuchoption=1'", "refused", None),
        ("No job(s) defined", "refused", None),
        ("fio: pid=4896, err=5/file:ioengines.c:351, error=Input/output error", "error", None),
        ("<vm> fio: io_u error on file w/out.dat: No space left on device", "error", "vm"),
        ("file:filesetup.c:455, func=fstat, error=Not a directory", "error", None),
        ("fio: time_based requires a runtime/timeout setting", "note", None),
        ("note: both iodepth >= 1 and synchronous I/O engine are selected", "note", None),
        ("CPU mask cannot bind CPUs (e.g. 64, 191)", "note", None),
        (r"D:\>c:\fio\fio --name=random-read --rw=randread", "note", None),
    ],
)
def test_what_a_line_says(text: str, kind: NoteKind, host: str | None) -> None:
    (note,) = notes(lines("\n" + text), 3)
    assert (note.line, note.attempt, note.kind, note.host) == (2, 3, kind, host)
    assert note.text == text.removeprefix(f"<{host}> ")


@pytest.mark.parametrize(
    "text",
    [
        "", "...", "<vm> ", "<vm> ...", "fio-3.33", "Starting 2 processes",
        "<vm> Starting 1 process",
        "w: Laying out IO file (1 file / 16MiB)", "Run status group 0 (all jobs):",
        "hostname=vm, be=0, 64-bit, os=Linux, arch=x86-64, fio=fio-2.21, flags=1",
        "rd: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, ioengine=libaio, iodepth=1",
        "Jobs: 1 (f=1): [R(1)][10.3%][r=40.3MiB/s][r=10.3k IOPS][eta 01m:44s",
        "full: (groupid=0, jobs=1): err=28 (file:io_u.c:1, error=No space left): pid=1: Mon",
        "file     1234 file not found in hash small/nf.dat",
        "     errors    : total=0, first_error=0/<Success>",
        "  read: IOPS=24.5k, BW=95.6MiB/s (100MB/s)(191MiB/2001msec)",
        "  IO depths    : 1=100.0%, 2=0.0%",
    ],
)  # fmt: skip
def test_what_every_run_prints_is_no_note(text: str) -> None:
    assert list(notes(lines(text), 1)) == []


def test_progress_glued_to_an_error_is_cut_off() -> None:
    text = "Jobs: 1 (f=1): [W(1)][10.3%][eta 01m:44s]fio: terminating on signal 15"
    assert [(n.kind, n.text) for n in notes(lines(text), 1)] == [
        ("interrupted", "fio: terminating on signal 15")
    ]


def test_a_warning_of_every_job_is_kept_once_and_an_error_each_time() -> None:
    text = "fio: a hint\nfio: a hint\nfio: pid=1, err=5\nfio: pid=1, err=5\n<b> fio: a hint"
    assert [(n.line, n.kind) for n in notes(lines(text), 1)] == [
        (1, "note"),
        (3, "error"),
        (4, "error"),
        (5, "note"),
    ]


def test_text_of_a_note_is_short_and_printable() -> None:
    (note,) = notes(lines("fio: \x07" + "x" * 500), 1)
    assert note.text.startswith("fio: ·xx") and len(note.text) == 200


def test_only_a_broken_connection_loses_a_client() -> None:
    text = "client: host=a disconnected\nclient <a>: exited with error 1"
    problems = [lost_client(note) for note in notes(lines(text), 1)]
    assert [p and p.line for p in problems] == [1, None]


# --- job lines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "rw", "expected"),
    [
        ("bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B", "randread", "4096"),
        ("bs=(R) 128KiB-128KiB, (W) 128KiB-128KiB, (T) 128KiB-128KiB", "read", "128k"),
        ("bs=(R) 16.0KiB-16.0KiB, (W) 16.0KiB-16.0KiB, (T) 16.0KiB-16.0KiB", "read", "16k"),
        ("bs=(R) 4096B-64KiB, (W) 4096B-64KiB, (T) 4096B-64KiB", "read", "4096-64k"),
        ("bs=(R) 4096B-4096B, (W) 8192B-8192B, (T) 4096B-4096B", "write", "8192"),
        ("bs=(R) 4096B-4096B, (W) 8192B-8192B, (T) 4096B-4096B", "randrw", "4096,8192"),
        ("bs=4K-4K/4K-4K/4K-4K", "randread", "4k"),
        ("bs=1M-1M/1M-1M/1M-1M", "read", "1m"),
        ("bs=4K-4K/8K-8K/16K-16K", "randtrim", "16k"),
    ],
)
def test_block_size_in_the_direction_of_the_job(block: str, rw: str, expected: str) -> None:
    (job,) = job_lines(lines(f"a job: x: (g=3): rw={rw}, {block}, ioengine=libaio, iodepth=4"))
    assert (job.line, job.host, job.name, job.group_id) == (1, None, "a job: x", 3)
    assert job.options == {"rw": rw, "bs": expected, "ioengine": "libaio", "iodepth": "4"}


def test_two_job_lines_torn_into_each_other() -> None:
    text = (
        "<vm> s: (g=0): rw=read, <vm> s: (g=0): rw=read, bs=(R) 128KiB-128KiB, (W) 128KiB-128KiB,"
        " (T) 128KiB-128KiB, bs=(R) 128KiB-128KiB, (W) 128KiB-128KiB, (T) 128KiB-128KiB,"
        " ioengine=libaio, iodepth=4"
    )
    first, second = job_lines(lines(text))
    assert first.options == {"rw": "read"}
    assert second.options == {"rw": "read", "bs": "128k", "ioengine": "libaio", "iodepth": "4"}
    assert (first.host, second.host) == ("vm", "vm")


JOB = "<{}> {}: (g=0): rw=read, bs=(R) 4096B-4096B, ioengine=libaio, iodepth=1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rd: (g=0): rw=read, bs=4K-4K/4K-4K/4K-4K, ioengine=sync, iodepth=1", None),
        ("\n".join([JOB.format("a", "x"), JOB.format("b", "x"), JOB.format("a", "y")]), 2),
        ("\n".join([JOB.format("vm", "x"), "<vm> ...", JOB.format("vm", "x")]), 2),
        ("\n".join([JOB.format("vm", "x"), JOB.format("vm", "y")]), 1),
        ("hostname=vm, be=0, fio=fio-3.1, flags=1\nhostname=vm, be=0, fio=fio-3.1, flags=1", 2),
        ("<node-a.home> error: failed to setup shm segment", 1),
        ("", None),
    ],
)
def test_how_many_servers_a_text_shows(text: str, expected: int | None) -> None:
    assert clients_named(lines(text)) == expected


# --- detection ---------------------------------------------------------------------------------


TERSE = "3;fio-3.33;j;0;0;" + ";".join(["0"] * 125)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "fio version" : "fio-3.33",', "json"),
        ('{ "fio version" : "fio-3.33", "jobs" : [] }', "json"),
        (TERSE + '\n{\n"fio version" : "x"}', "json"),
        ("a: (groupid=0, jobs=1): err= 0: pid=1\n" + TERSE, "terse"),
        (TERSE[:40], "terse"),
        ("<vm> " + TERSE, "terse"),
        ("2;j;0;0;" + ";".join(["0"] * 10 + ["1.0%=5"] + ["0"] * 60), "terse"),
        ("2;j;0;0;1;2;3.0%=4", None),
        ("a: (groupid=0, jobs=1): err= 0: pid=1", "normal"),
        ("Run status group 0 (all jobs):\n", "normal"),
        ("> > a: (groupid=0, jobs=1): err= 0: pid=1", "normal"),
        ("fio-3.33\n", "message"),
        ("fio: engine nosuch not loadable\n", "message"),
        ("verify: bad magic header b000, wanted acca", "message"),
        ("\n\n", None),
        ("", None),
        ("We used fio-3.33 on four nodes.\nThe note: direct=1.\n", None),
        ("# Results\n\nfio: a benchmark\nby Jens Axboe\nis what we ran\non all nodes\n", None),
        ('{"version": "fio-3.33"}', None),
        ("0, 55936, 0, 4096, 0\n1, 55936, 0, 4096, 0\n", None),
        ("[global]\nioengine=libaio\nrw=read\n[job]\nsize=1g\n", None),
    ],
)
def test_form_of_a_text(text: str, expected: str | None) -> None:
    assert form(text.encode()) == expected
    assert form(text.replace("\n", "\r\n").encode()) == expected
    assert form(text.encode("utf-16")) == expected


def test_lines_keep_their_numbers_in_quotes_and_in_a_bytes_repr() -> None:
    text = unwrapped(b"log:\r\n> > a\n>b\nb'fio: x\\nfio: \\'y\\'\\n'\nend")
    assert [(line.number, line.text) for line in text.lines] == [
        (1, b"log:"),
        (2, b"a"),
        (3, b"b"),
        (4, b"fio: x"),
        (4, b"fio: 'y'"),
        (4, b""),
        (5, b"end"),
    ]
    assert text.number_at(text.data.index(b"'y'")) == 4


def test_other_benchmarks_and_plain_files_are_not_claimed(corpus_of_all: Path) -> None:
    folders = [corpus_of_all / "own" / "nccl", corpus_of_all / "public" / "nccl"]
    folders += [SAMPLES / name for name in ("mlperf_log", "mlperf_scaling", "mlperf_system")]
    folders += [ROOT / "site", ROOT / "warehouse"]
    paths = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert len(paths) > 150
    claimed = [path for path in paths if form(path.read_bytes()[: 1 << 20])]
    assert claimed == []
    index = corpus_of_all / "own" / "fio" / "index.json"
    assert form(index.read_bytes()) is None


def test_the_own_corpus_by_form(corpus_of_all: Path) -> None:
    counts: Counter[str | None] = Counter()
    for path in (corpus_of_all / "own" / "fio").rglob("*"):
        if path.is_file() and path.suffix in (".json", ".txt", ".stderr", ".stdout"):
            counts[form(path.read_bytes())] += 1
    assert {key: counts[key] for key in ("json", "terse", "normal", "message")} == {
        "json": 244,
        "terse": 36,
        "normal": 32,
        "message": 58,
    }


# --- messages ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "line", "said", "remedy"),
    [
        ("bad_engine.txt", 1, "fio: engine nosuch not loadable", "install the engine"),
        ("bad_option.txt", 1, "fio: unrecognized option '--nosuchoption=1'", "mend the option"),
        ("usage.txt", 2, "fio [options] [job options] <job file(s)>", "give fio a job file"),
        ("client_without_result.txt", 3, "seqread: (g=0): rw=read, bs=128K-", "fio ended before"),
        ("progress.txt", 1, "Jobs: 4 (f=4)", "this is only the progress line"),
    ],
)
def test_a_file_of_words_is_one_problem(name: str, line: int, said: str, remedy: str) -> None:
    (problem,) = read(SAMPLES / "fio_message" / name)
    assert isinstance(problem, Problem)
    assert problem.line == line
    assert problem.severity == ("info" if name == "progress.txt" else "error")
    assert problem.reason.startswith(f"fio printed no result, only: {said}")
    assert problem.remedy.startswith(remedy)


@pytest.mark.parametrize("path", list(sample_files("fio_message")), ids=lambda path: path.name)
def test_a_cut_message_never_raises(path: Path) -> None:
    data = path.read_bytes()
    for end in range(0, len(data), 31):
        (problem,) = fio_message.parse(data[:end], "x")
        assert json.dumps(repr(problem)).isascii()
        assert not any(format_.claims(data[:end], "x") for format_ in (fio_json,))


def test_pathological_lines_are_read_in_time() -> None:
    for text in (
        ">2;" * 200_000,
        ": (g=" * 200_000,
        "<a> " * 200_000,
        "{" * 200_000,
        "b'\\n" * 99_999,
    ):
        data = ("fio: x\n" + text).encode()
        form(data)
        list(fio_message.parse(data, "x"))
        list(fio_json.parse(data, "x"))
