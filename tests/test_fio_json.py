"""fio's JSON: numbers against the printed text, lines against the file, and what damage costs."""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from conftest import ROOT, SAMPLES, problems_of, read, sample_files

from ingest.fio.records import (
    FioDisk,
    FioEntry,
    FioLatBin,
    FioLatPercentile,
    FioLatSummary,
    FioNote,
    FioOutput,
    FioTransfer,
)
from ingest.formats import fio_json
from ingest.records import Record, Row, Run

FOLDER = SAMPLES / "fio_json"
CORPUS = ROOT.parent / "shared" / "corpus"
MEASURED = (FioEntry, FioTransfer, FioLatSummary, FioLatPercentile, FioLatBin, FioDisk)
T = TypeVar("T")


@pytest.fixture(scope="module")
def own() -> Path:
    if not (CORPUS / "own" / "fio").is_dir():
        pytest.skip(f"the corpus is not here: {CORPUS}")
    return CORPUS / "own" / "fio"


@pytest.fixture(scope="module")
def public() -> Path:
    if not (CORPUS / "public" / "fio").is_dir():
        pytest.skip(f"the public corpus is not here: {CORPUS}")
    return CORPUS / "public" / "fio"


def parse(data: bytes | str) -> list[Record]:
    return list(fio_json.parse(data.encode() if isinstance(data, str) else data, "out.json"))


def of(kind: type[T], records: Iterable[Record]) -> list[T]:
    return [record for record in records if isinstance(record, kind)]


def run_of(records: Iterable[Record]) -> Run:
    (run,) = of(Run, records)
    return run


def measured(records: Iterable[Record]) -> list[Row]:
    return [record for record in records if isinstance(record, MEASURED)]


def document(*jobs: dict[str, Any], **more: Any) -> str:
    whole = {"fio version": "fio-3.33", "jobs": [{**ENTRY, **job} for job in jobs], **more}
    return json.dumps(whole, indent=2)


TRANSFER = {"io_bytes": 2048, "io_kbytes": 2, "bw": 1, "iops": 1.0, "runtime": 2000, "total_ios": 2}
ENTRY: dict[str, Any] = {"jobname": "j", "groupid": 0, "error": 0, "read": TRANSFER}


# --- client/server -----------------------------------------------------------------------------


@cache
def enospc() -> list[Record]:
    return read(FOLDER / "client_server_enospc.json")


def test_client_server_output() -> None:
    (output,) = of(FioOutput, enospc())
    assert (output.line, output.last_line, output.version) == (13, 780, "fio-3.42")
    assert (output.is_client_server, output.clients_named, output.is_complete) == (True, 2, True)
    assert (output.snapshot, output.is_last, output.is_rounded) == (1, True, False)


def test_all_clients_is_marked_and_does_not_hide_the_failed_client() -> None:
    found = [(e.line, e.entry, e.name, e.port, e.error, e.is_total) for e in of(FioEntry, enospc())]
    assert found == [
        (22, 1, "w", 8765, 0, False),
        (274, 2, "w", 8766, 28, False),
        (526, 3, "All clients", 8766, 0, True),
    ]
    assert run_of(enospc()) == Run(1, 13, 780, "failed", True)


def test_a_transfer_has_its_own_line_and_units() -> None:
    written = [t for t in of(FioTransfer, enospc()) if t.direction == "write"]
    assert [(t.line, t.entry, t.bytes_moved) for t in written] == [
        (78, 1, 16777216),
        (330, 2, 8388608),
        (573, 3, 25165824),
    ]
    first = written[0]
    assert first.bandwidth_bps == pytest.approx(16777216 * 1000 / first.runtime_ms, rel=0.01)
    assert (first.ios, first.short_ios, first.dropped_ios) == (128, 0, 0)


def test_idle_directions_have_a_transfer_and_no_latency() -> None:
    idle = [t for t in of(FioTransfer, enospc()) if not t.bytes_moved]
    assert {t.direction for t in idle} == {"read", "trim"}
    assert {s.direction for s in of(FioLatSummary, enospc())} == {"write"}


def test_percentiles_have_the_line_of_their_key() -> None:
    found = [p for p in of(FioLatPercentile, enospc()) if p.percentile == 99]
    assert [(p.line, p.entry, p.kind, p.value_ns) for p in found] == [
        (114, 1, "clat", 2408448),
        (366, 2, "clat", 4145152),
        (609, 3, "clat", 4145152),
    ]


def test_global_options_are_those_of_the_client() -> None:
    first, second, total = (e.options for e in of(FioEntry, enospc()))
    assert first and second
    assert json.loads(first)["rw"] == json.loads(second)["rw"] == "write"
    assert "hostname" not in json.loads(first)
    assert total is None


def test_notes_of_servers_have_their_host() -> None:
    assert [(n.line, n.kind, n.host, n.text[:35]) for n in of(FioNote, enospc())] == [
        (7, "error", "vm", "fio: io_u error on file w/out.dat: "),
        (8, "error", "vm", "fio: pid=6796, err=28/file:io_u.c:2"),
        (11, "disconnected", None, "client <127.0.0.1>: exited with err"),
    ]


def test_a_disk_belongs_to_its_client() -> None:
    (disk,) = of(FioDisk, enospc())
    assert (disk.line, disk.hostname, disk.port, disk.name) == (765, "127.0.0.1", 8765, "vda")


def test_sectors_of_a_disk_are_512_bytes() -> None:
    (disk,) = of(FioDisk, read(FOLDER / "normal_too.txt"))
    assert (disk.line, disk.hostname, disk.read_ios, disk.write_ios) == (268, None, 39624, 310)
    assert (disk.read_bytes, disk.written_bytes) == (330728 * 512, 7360 * 512)
    assert disk.util_pct == 49.94985


def test_a_lost_client_leaves_fewer_entries_than_clients_and_a_problem() -> None:
    records = read(FOLDER / "client_server_lost.json")
    assert [e.port for e in of(FioEntry, records)] == [8765]
    assert of(FioOutput, records)[0].clients_named == 2
    assert [(p.line, p.severity) for p in problems_of(records)] == [(7, "warning")]
    assert run_of(records).status == "success"


def test_options_that_servers_share_before_339_are_one_value_each() -> None:
    client = json.dumps({**ENTRY, "hostname": "a", "port": 8765})
    shared = (
        '{"fio version": "fio-3.33", "global options": {"bs": "4k", "rw": "read", "bs": "4k",'
        f' "rw": "write"}}, "client_stats": [{client}]}}'
    )
    records = parse(shared)
    (entry,) = of(FioEntry, records)
    assert json.loads(entry.options or "") == {"bs": "4k", "rw": ["read", "write"]}
    (problem,) = problems_of(records)
    assert "'rw' differs between servers" in problem.reason


def test_each_client_has_its_own_global_options_from_339_on() -> None:
    clients = [{**ENTRY, "hostname": host, "port": 8765} for host in "ab"]
    listed = [{"hostname": h, "port": 8765, "bs": b} for h, b in (("b", "8k"), ("a", "4k"))]
    text = json.dumps(
        {"fio version": "fio-3.42", "global options": listed, "client_stats": clients}
    )
    assert [e.options for e in of(FioEntry, parse(text))] == ['{"bs":"4k"}', '{"bs":"8k"}']
    assert of(FioOutput, parse(text))[0].clients_named == 2


# --- versions ----------------------------------------------------------------------------------


def test_213_bytes_are_kib_latency_is_us_and_there_is_no_time() -> None:
    records = read(FOLDER / "v213_mixed.json")
    (transfer,) = of(FioTransfer, records)
    assert (transfer.direction, transfer.line) == ("mixed", 8)
    assert transfer.bytes_moved == 127556 * 1024
    assert transfer.bandwidth_bps == 63682 * 1024
    assert (transfer.ios, transfer.iops, transfer.runtime_ms) == (None, 15920, 2003)
    latency = {s.kind: s for s in of(FioLatSummary, records)}
    assert (latency["slat"].min_ns, latency["slat"].max_ns) == (4_000, 9_026_000)
    assert latency["clat"].mean_ns == pytest.approx(323_330)
    assert latency["clat"].samples is None
    assert of(FioOutput, records)[0].time_s is None
    assert 0.0 not in {p.percentile for p in of(FioLatPercentile, records)}
    assert not problems_of(records)


def test_221_bins_are_microseconds() -> None:
    records = read(FOLDER / "v221_bins.json")
    bins = of(FioLatBin, records)
    assert (bins[0].line, bins[0].value_ns, bins[0].ios) == (68, 23_000, 1)
    assert sum(each.ios for each in bins) == 47319
    assert [t.ios for t in of(FioTransfer, records)] == [47319, 0, 0]


def test_bins_of_2212_to_219_are_indexes() -> None:
    bins = {"10": 5, "127": 1, "128": 2, "200": 0, "1215": 4, "FIO_IO_U_PLAT_BITS": 6,
            "FIO_IO_U_PLAT_VAL": 64, "FIO_IO_U_PLAT_NR": 1216}  # fmt: skip
    clat = {"min": 10, "max": 9, "mean": 8.5, "stddev": 1.0, "bins": bins}
    records = parse(document({"read": {**TRANSFER, "clat": clat}}))
    assert [(b.value_ns, b.ios) for b in of(FioLatBin, records)] == [
        (10_000, 5),
        (127_000, 1),
        (129_000, 2),
        (16_711_680_000, 4),
    ]
    assert not problems_of(records)


def test_io_bytes_of_219_are_kib_and_of_221_bytes() -> None:
    older = {key: value for key, value in TRANSFER.items() if key != "io_kbytes"}
    for io_bytes, kbytes, expected in (
        (2, {}, 2048),
        (2048, {}, 2048),
        (2048, {"io_kbytes": 2}, 2048),
    ):
        read_part = {**older, "io_bytes": io_bytes, **kbytes}
        (transfer,) = of(FioTransfer, parse(document({"read": read_part})))
        assert transfer.bytes_moved == expected


def test_io_bytes_that_agree_with_no_unit_are_unknown() -> None:
    odd = {**TRANSFER, "io_bytes": 77}
    del odd["io_kbytes"]
    records = parse(document({"read": odd}))
    assert of(FioTransfer, records)[0].bytes_moved is None
    (problem,) = problems_of(records)
    assert "the unit of 'io_bytes' cannot be told" in problem.reason


def test_unified_both_has_all_four_directions() -> None:
    found = of(FioTransfer, read(FOLDER / "unified_both.json"))
    assert [(t.line, t.direction, t.bytes_moved) for t in found] == [
        (28, "read", 109842432),
        (90, "write", 110911488),
        (152, "trim", 0),
        (205, "mixed", 220753920),
    ]


def test_syncs_have_a_count_and_a_latency_but_no_bytes() -> None:
    records = read(FOLDER / "fsync.json")
    (sync,) = [t for t in of(FioTransfer, records) if t.direction == "sync"]
    assert (sync.line, sync.ios, sync.bytes_moved) == (174, 396, None)
    (latency,) = [s for s in of(FioLatSummary, records) if s.direction == "sync"]
    assert (latency.line, latency.kind, latency.max_ns) == (176, "lat", 35494115)


# --- text, options, names ----------------------------------------------------------------------


def test_an_option_given_twice_is_a_list() -> None:
    records = read(FOLDER / "option_twice.json")
    (entry,) = of(FioEntry, records)
    assert json.loads(entry.options or "")["filename"] == ["data.64m", "data2.32m"]
    assert [(p.line, p.severity) for p in problems_of(records)] == [(23, "info")]


def test_job_options_override_global_ones() -> None:
    text = document({"job options": {"bs": "8k", "thread": ""}}, **{"global options": {"bs": "4k"}})
    (entry,) = of(FioEntry, parse(text))
    assert entry.options == '{"bs":"8k","thread":""}'


def test_without_options_they_are_unknown() -> None:
    assert of(FioEntry, parse(document({})))[0].options is None


def test_a_raw_tab_and_quotes_in_names() -> None:
    (entry,) = of(FioEntry, read(FOLDER / "raw_tab_in_description.json"))
    assert entry.name == 'näme "q" \\ back'
    assert entry.description == 'tab\there "quoted" µs'


def test_normal_text_beside_the_json_is_not_read_twice() -> None:
    records = read(FOLDER / "normal_too.txt")
    assert len(of(FioEntry, records)) == 1
    assert [(p.line, p.severity) for p in problems_of(records)] == [(283, "info")]
    assert not of(FioNote, records)


def test_notes_before_a_document_belong_to_its_run() -> None:
    records = read(FOLDER / "v2210_notes_before.txt")
    assert [(n.line, n.attempt, n.kind) for n in of(FioNote, records)] == [(1, 1, "error")]
    assert run_of(records).status == "failed"
    assert of(FioEntry, records)[0].error == 28


def test_a_killed_worker_fails_the_run_though_every_error_is_0() -> None:
    records = read(FOLDER / "worker_killed.json")
    assert [e.error for e in of(FioEntry, records)] == [0, 0]
    assert [(n.line, n.kind) for n in of(FioNote, records)] == [(1, "killed")]
    assert run_of(records).status == "failed"


def test_an_interrupted_run_is_aborted() -> None:
    records = parse("fio: terminating on signal 2\n" + document({"error": 4}))
    assert run_of(records).status == "aborted"


def test_total_errors_fail_a_run_and_those_of_all_clients_do_not() -> None:
    assert run_of(parse(document({"total_err": 3}))).status == "failed"
    assert run_of(parse(document({}, {"jobname": "All clients", "error": 5}))).status == "success"


def test_steady_state() -> None:
    for attained, expected in ((1, True), (0, False)):
        text = document({"steadystate": {"ss": "iops:90%", "attained": attained}})
        assert of(FioEntry, parse(text))[0].is_steady is expected
    assert of(FioEntry, parse(document({})))[0].is_steady is None


def test_what_fio_did_not_measure_has_no_record() -> None:
    zeros = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "percentile": {"99.000000": 0}}
    records = parse(document({"read": {**TRANSFER, "clat_ns": zeros, "lat_ns": {**zeros, "N": 0}}}))
    assert not of(FioLatSummary, records) and not of(FioLatPercentile, records)


# --- several documents -------------------------------------------------------------------------


def test_snapshots_of_one_run_and_a_run_without_end() -> None:
    records = read(FOLDER / "snapshots_without_end.json")
    assert [(o.line, o.last_line, o.snapshot, o.is_last) for o in of(FioOutput, records)] == [
        (1, 273, 1, False),
        (274, 546, 2, True),
    ]
    ios = [(t.snapshot, t.ios) for t in of(FioTransfer, records) if t.direction == "read"]
    assert ios == [(1, 11318), (2, 30344)]
    assert run_of(records) == Run(1, 1, 546, "unfinished", True)
    assert [p.reason for p in problems_of(records)] == [
        "the run has no end: its last output expects 6 s more"
    ]


def stamped(time_s: int, elapsed: int, io_bytes: int = 2048, name: str = "j") -> str:
    read_part = {**TRANSFER, "io_bytes": io_bytes}
    return document(
        {"jobname": name, "elapsed": elapsed, "eta": 0, "read": read_part}, timestamp=time_s
    )


@pytest.mark.parametrize(
    ("first", "second", "attempts"),
    [
        (stamped(1000, 10), stamped(1005, 15, 4096), 1),
        (stamped(1000, 10), stamped(1012, 10), 2),  # the same job run again
        (stamped(1000, 10), stamped(1005, 15, 4096, "k"), 2),
        (document({}), document({"read": {**TRANSFER, "io_bytes": 4096}}), 1),
        (document({}), document({"read": {**TRANSFER, "io_bytes": 1024}}), 2),
        (document({}), document({}, {}), 2),
        (document({"job_start": 5000}), document({"job_start": 5000}), 1),
        (document({"job_start": 5000}), document({"job_start": 9000}), 2),
    ],
)
def test_documents_are_snapshots_or_runs_of_their_own(
    first: str, second: str, attempts: int
) -> None:
    records = parse(first + "\n" + second)
    assert [run.attempt for run in of(Run, records)] == list(range(1, attempts + 1))
    assert [run.is_last for run in of(Run, records)] == [False] * (attempts - 1) + [True]
    assert len(of(FioOutput, records)) == 2


def test_notes_between_runs_belong_to_the_later_one_and_at_the_end_to_the_last() -> None:
    parts = [
        "fio: a, err=1",
        stamped(1000, 10),
        "fio: b, err=2",
        stamped(1100, 10),
        "fio: c, err=3",
    ]
    assert [(n.attempt, n.text[5]) for n in of(FioNote, parse("\n".join(parts)))] == [
        (1, "a"),
        (2, "b"),
        (2, "c"),
    ]


def test_a_broken_last_snapshot_leaves_the_one_before_it_as_the_result() -> None:
    text = stamped(1000, 10) + "\n" + stamped(1005, 15, 4096)
    records = parse(text[:-60])
    (output,) = of(FioOutput, records)
    assert (output.is_last, output.is_complete) == (True, True)
    assert [t.bytes_moved for t in of(FioTransfer, records)] == [2048]
    assert run_of(records).status == "unfinished"
    (problem,) = problems_of(records)
    assert "entry 1 (j) and what follows is lost" in problem.reason
    assert "the broken one is not stored" in problem.reason


# --- damage ------------------------------------------------------------------------------------


def test_a_document_cut_inside_its_only_entry() -> None:
    records = read(FOLDER / "cut_in_number.json")
    assert not measured(records)
    assert of(FioOutput, records)[0].is_complete is False
    (problem,) = problems_of(records)
    assert problem.line == 64
    assert problem.reason.startswith(
        "the document breaks off on line 64: entry 1 (randread-qd8) and what follows is lost"
    )
    assert run_of(records).status == "unfinished"


def test_whole_entries_before_a_cut_are_kept(own: Path) -> None:
    records = read(own / "cut" / "client_server_cut_mid.json")
    assert [e.port for e in of(FioEntry, records)] == [8765, 8765, 8765]
    assert len({e.hostname for e in of(FioEntry, records)}) == 3
    assert of(FioOutput, records)[0].clients_named == 4
    assert "entry 4 (seqread) and what follows is lost" in problems_of(records)[0].reason


def test_entries_behind_a_damaged_one_are_found_again() -> None:
    text = document({"jobname": "a"}, {"jobname": "b"}, {"jobname": "c"})
    damaged = text.replace('"iops": 1.0', '"iops": 1.0 !', 2).replace(
        '"iops": 1.0 !', '"iops": 1.0', 1
    )
    records = parse(damaged)
    assert [(e.entry, e.name) for e in of(FioEntry, records)] == [(1, "a"), (3, "c")]
    (problem,) = problems_of(records)
    assert "is damaged" in problem.reason and "entry 2 (b) is lost" in problem.reason


def test_lines_printed_into_a_document_are_notes_and_cost_nothing() -> None:
    whole = document({}, {"jobname": "k"})
    lines = whole.split("\n")
    lines.insert(5, "fio: pid=7, err=5/file:io_u.c:1, error=Input/output error")
    records = parse("\n".join(lines))
    assert [(n.line, n.kind) for n in of(FioNote, records)] == [(6, "error")]
    assert [e.name for e in of(FioEntry, records)] == ["j", "k"]
    assert of(FioOutput, records)[0].is_complete
    assert not problems_of(records)


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("NaN", None), ("-nan", None), ("Infinity", None), ("-5", None), ("9" * 100_000, None),
        ("1e999", None), ('"12"', 12.0), ('"30s"', None), ("null", None), ("true", None),
        ("18446744073709551615", None), ("[1,2]", None), ("{}", None),
    ],
)  # fmt: skip
def test_values_that_are_no_measure(value: str, stored: float | None) -> None:
    records = parse(document({}).replace('"iops": 1.0', f'"iops": {value}'))
    (transfer,) = of(FioTransfer, records)
    assert transfer.iops == stored
    assert bool(problems_of(records)) == (stored is None)
    assert transfer.bytes_moved == 2048


@pytest.mark.parametrize("opening", ['{"a":', "[", '{"fio version":', '{"jobname":'])
def test_no_depth_of_nesting_raises(opening: str) -> None:
    text = '{"fio version": "fio-3.33", "jobs": ' + opening * 50_000
    assert problems_of(parse(text))


def test_a_document_whose_jobs_all_failed_to_report_is_no_success() -> None:
    assert run_of(parse(document())).status == "unknown"
    assert run_of(parse("fio: pid=1, err=5\n" + document())).status == "failed"
    assert problems_of(parse(document()))[0].reason.startswith("the document holds no entry")


def test_missing_keys_are_named() -> None:
    text = '{"fio version": "fio-3.36", "jobs": [{"jobname": "x", "read": {"iops": 5}}]}'
    assert [p.reason for p in problems_of(parse(text))] == [
        "entry 1 lacks groupid, error, which fio always prints: left unknown",
        "entry 1 lacks io_bytes, bw, runtime, which fio always prints: left unknown",
    ]
    (transfer,) = of(FioTransfer, parse(text))
    assert (transfer.iops, transfer.bytes_moved, transfer.runtime_ms) == (5, None, None)


def test_a_result_given_twice_is_told_of() -> None:
    text = document({}).replace('"iops": 1.0', '"iops": 1.0, "iops": 3.0')
    (problem,) = problems_of(parse(text))
    assert (problem.severity, problem.reason) == (
        "warning",
        "'iops' is given more than once: the last value is kept",
    )
    assert of(FioTransfer, parse(text))[0].iops == 3


# --- other shapes of the same text -------------------------------------------------------------


def unplaced(records: Iterable[Record]) -> list[tuple[Any, ...]]:
    return [(type(r).__name__, *astuple(replace(r, line=1))) for r in measured(records)]


WHOLE_LOCAL = ["fsync.json", "unified_both.json", "v213_mixed.json", "v221_bins.json"]


@pytest.mark.parametrize("name", WHOLE_LOCAL)
def test_a_minified_document_says_the_same_on_line_1(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    small = json.dumps(json.loads(data), separators=(",", ":"))
    records = parse(small)
    assert unplaced(records) == unplaced(parse(data))
    assert {record.line for record in measured(records)} == {1}


@pytest.mark.parametrize("name", WHOLE_LOCAL)
def test_wrappers_quotes_and_encodings_change_no_number(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    expected = unplaced(parse(data))
    text = data.decode()
    for shape in (
        data.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + data,
        text.encode("utf-16"),
        re.sub("^", "> > ", text, flags=re.MULTILINE).encode(),
        repr(data).encode(),
        b'{"host": "a", "result": ' + data + b"}",
        b"[\n" + data + b"]",
    ):
        assert fio_json.claims(shape, name)
        assert sorted(unplaced(parse(shape)), key=repr) == sorted(expected, key=repr)


@pytest.mark.parametrize("name", WHOLE_LOCAL)
def test_the_order_of_keys_means_nothing(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    found = [
        sorted(map(repr, unplaced(r for r in parse(each) if not isinstance(r, FioEntry))))
        for each in (data, json.dumps(json.loads(data), sort_keys=True))
    ]
    assert found[0] == found[1]


def test_lines_of_a_quoted_mail_are_those_of_the_mail() -> None:
    data = (FOLDER / "v213_mixed.json").read_bytes()
    quoted = b"hello,\n\n" + re.sub(rb"(?m)^", b"> ", data)
    assert of(FioTransfer, parse(quoted))[0].line == 8 + 2


# --- the whole corpus --------------------------------------------------------------------------


def corpus_files(*folders: Path) -> list[Path]:
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return [path for path in paths if fio_json.claims(path.read_bytes(), str(path))]


def test_the_corpus_holds_what_it_holds(own: Path, public: Path) -> None:
    statuses: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for path in corpus_files(own, public):
        for record in parse(path.read_bytes()):
            counts[type(record).__name__] += 1
            if isinstance(record, Run):
                statuses[record.status] += 1
                assert record.attempt == 1
    assert statuses == {"success": 213, "failed": 34, "unfinished": 5, "aborted": 2, "unknown": 2}
    assert counts == {
        "FioOutput": 285, "FioEntry": 503, "FioTransfer": 1466, "FioLatSummary": 1490,
        "FioLatPercentile": 8199, "FioLatBin": 4398, "FioDisk": 353, "FioNote": 46,
        "Problem": 26, "Run": 256,
    }  # fmt: skip


def test_bandwidth_and_iops_follow_from_bytes_and_time(own: Path, public: Path) -> None:
    checked: Counter[str] = Counter()
    for path in corpus_files(own, public):
        for each in of(FioTransfer, parse(path.read_bytes())):
            if not each.bytes_moved or not each.runtime_ms or each.bandwidth_bps is None:
                continue
            checked["bandwidth"] += 1
            rate = each.bytes_moved * 1000 / each.runtime_ms
            assert abs(rate - each.bandwidth_bps) <= max(0.01 * each.bandwidth_bps, 2048), path
            if each.ios is not None and each.iops is not None:
                checked["iops"] += 1
                per_second = each.ios * 1000 / each.runtime_ms
                assert abs(per_second - each.iops) <= max(0.01 * each.iops, 1), path
    print(dict(checked))
    assert checked == {"bandwidth": 515, "iops": 501}


def test_percentiles_rise_and_bins_add_up(own: Path, public: Path) -> None:
    checked: Counter[str] = Counter()
    for path in corpus_files(own, public):
        tables: dict[tuple[Any, ...], list[tuple[float, float]]] = defaultdict(list)
        bins: Counter[tuple[Any, ...]] = Counter()
        samples: dict[tuple[Any, ...], float | None] = {}
        for record in parse(path.read_bytes()):
            if isinstance(record, FioTransfer):
                samples[record.snapshot, record.entry, record.direction] = record.ios
            elif isinstance(record, FioLatSummary | FioLatPercentile | FioLatBin):
                key = (record.snapshot, record.entry, record.direction, record.kind)
                if isinstance(record, FioLatSummary):
                    samples[key] = record.samples
                elif isinstance(record, FioLatPercentile):
                    tables[key].append((record.percentile, record.value_ns))
                else:
                    bins[key] += record.ios
        for table in tables.values():
            checked["tables"] += 1
            assert [value for _, value in sorted(table)] == sorted(value for _, value in table)
        for key, ios in bins.items():
            checked["bins"] += 1
            assert ios == (samples[key] if samples[key] is not None else samples[key[:3]])
    print(dict(checked))
    assert checked == {"tables": 486, "bins": 9}


def key_texts(record: Row) -> list[str]:
    """What must stand on the line of a record."""
    if isinstance(record, FioEntry):
        return ['"jobname"']
    if isinstance(record, FioTransfer):
        return [f'"{record.direction}" : {{']
    if isinstance(record, FioLatSummary):
        return [f'"{record.kind}_ns" : {{', f'"{record.kind}" : {{']
    if isinstance(record, FioLatPercentile):
        return [f'"{record.percentile:.6f}" : ', f'"{record.percentile:.2f}" : ']
    if isinstance(record, FioLatBin):
        return [
            f'"{unit:g}" : {record.ios:g}' for unit in (record.value_ns, record.value_ns / 1000)
        ]
    return [f'"{record.name}"'] if isinstance(record, FioDisk) else []


def test_every_record_stands_on_its_line(own: Path) -> None:
    checked = 0
    for path in corpus_files(own):
        lines = path.read_bytes().decode("utf-8").split("\n")
        for record in measured(parse(path.read_bytes())):
            if isinstance(record, FioLatBin) and record.value_ns >= 1e6:
                continue  # {:g} rounds
            checked += 1
            line = lines[record.line - 1]
            assert any(text in line for text in key_texts(record)), (path, record, line)
    assert checked > 10_000


def test_odd_public_outputs(public: Path) -> None:
    by_name = {path.name[:3]: read(path) for path in corpus_files(public)}
    assert [(n.line, n.text[:30]) for n in of(FioNote, by_name["p08"])] == [
        (1, "fio: file /dev/sda exceeds 32-"),
        (1, "fio: Switching to tausworthe64"),
    ]
    assert of(FioOutput, by_name["p08"])[0].version == "fio-3.27"
    assert of(FioTransfer, by_name["p10"])[0].bytes_moved == 1024 * 1024
    assert [(n.kind, n.host) for n in of(FioNote, by_name["p23"])] == [("refused", "node-a.home")]
    assert run_of(by_name["p23"]).status == "failed"
    assert of(FioOutput, by_name["p24"])[0].version == "fio-3.8-5-g464b-dirty"
    assert run_of(by_name["p24"]).status == "unfinished"
    handmade = by_name["p29"]
    assert of(FioEntry, handmade)[0].group_id is None
    assert of(FioTransfer, handmade)[0].bytes_moved == 70254592000
    assert [p.severity for p in problems_of(handmade)] == ["warning"]


# --- whatever the bytes ------------------------------------------------------------------------


@pytest.mark.parametrize("path", list(sample_files("fio_json")), ids=lambda path: path.name)
def test_a_cut_invents_nothing(path: Path) -> None:
    data = path.read_bytes()
    whole = {repr(record) for record in measured(parse(data))}
    for end in range(0, len(data), 97):
        found = {repr(record) for record in measured(parse(data[:end]))}
        assert found <= whole


@pytest.mark.parametrize("path", list(sample_files("fio_json")), ids=lambda path: path.name)
def test_shuffled_and_struck_text_never_raises(path: Path) -> None:
    data = path.read_bytes()
    printed = {float(text) for text in re.findall(rb"-?\d+(?:\.\d+)?", data)}
    allowed = {number * unit for number in printed for unit in (1, 1000, 1024, 512)} | {0.0}
    rng = random.Random(path.name)
    lines = data.split(b"\n")
    for _ in range(5):
        rng.shuffle(lines)
        for each in of(FioTransfer, parse(b"\n".join(lines))):
            numbers = {each.bytes_moved, each.runtime_ms, each.ios, each.bandwidth_bps, each.iops}
            assert numbers - {None} <= allowed
    for _ in range(30):
        struck = bytearray(data)
        for _ in range(4):
            struck[rng.randrange(len(struck))] = rng.randrange(256)
        records = parse(bytes(struck))
        assert of(Run, records) or problems_of(records)
