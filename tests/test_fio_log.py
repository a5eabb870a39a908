"""fio logs over time and histogram logs: every layout, damaged files, and the whole own corpus."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLES, problems_of, read
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.detect import detect
from ingest.fio import log_stored
from ingest.fio.log_files import LogFile, log_file
from ingest.fio.log_stored import as_text, unpack
from ingest.fio.records import FioLog, FioLogBin, FioLogSample
from ingest.formats import fio_hist_log, fio_log
from ingest.records import Problem, Record, Run

FOLDER = SAMPLES / "fio_log"
HISTOGRAMS = SAMPLES / "fio_hist_log"
PUBLIC = ROOT.parent / "shared" / "corpus" / "public" / "fio"
OWN = ROOT.parent / "shared" / "corpus" / "own" / "fio"

PLAIN = "time value direction block"
OFFSET = "time value direction block offset"
UNDECIDED = "time value direction block undecided"
PRIORITY = "time value direction block priority"
BOTH = "time value direction block offset priority"
ISSUE = "time value direction block offset priority issue"
MAXIMUM = "time value max direction block priority"

Facts = tuple[float, float, str, float | None]


@pytest.fixture(scope="module")
def own() -> Path:
    if not OWN.is_dir():
        pytest.skip(f"the corpus of fio outputs is not here: {OWN}")
    return OWN


def parse(text: str | bytes, name: str = "a_lat.1.log") -> list[Record]:
    data = text.encode() if isinstance(text, str) else text
    return list(fio_log.parse(data, name))


def log_of(records: list[Record]) -> FioLog:
    (log,) = (record for record in records if isinstance(record, FioLog))
    return log


def samples_of(records: list[Record]) -> list[FioLogSample]:
    return [record for record in records if isinstance(record, FioLogSample)]


def bins_of(records: list[Record]) -> list[FioLogBin]:
    return [record for record in records if isinstance(record, FioLogBin)]


def run_of(records: list[Record]) -> Run:
    (run,) = (record for record in records if isinstance(record, Run))
    return run


def facts(samples: Iterable[FioLogSample]) -> list[Facts]:
    return [(s.time_ms, s.value, s.direction, s.block_bytes) for s in samples]


# --- the name ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("a/run_bw.1.log", LogFile("bw", "run", 1, None, False, True)),
        ("run_clat_hist.12.log", LogFile("clat_hist", "run", 12, None, False, True)),
        ("pj0_slat.log", LogFile("slat", "pj0", None, None, False, True)),
        ("agg-read_bw.log", LogFile("bw", "agg-read", None, None, False, True)),
        ("fz_clat.1.log.fz", LogFile("clat", "fz", 1, None, True, True)),
        ("cs_lat.2.log.127.0.0.1", LogFile("lat", "cs", 2, "127.0.0.1", False, True)),
        ("cs_lat.2.log.fe80::1", LogFile("lat", "cs", 2, "fe80::1", False, True)),
        ("x.tar!d/cs_iops.1.log.node-3", LogFile("iops", "cs", 1, "node-3", False, True)),
        (
            "randread-iodepth-4-numjobs-1_bw.1.log",
            LogFile("bw", "randread-iodepth-4-numjobs-1", 1, None, False, True),
        ),
        ("seq_lat_bw.1.log", LogFile("bw", "seq_lat", 1, None, False, True)),
        ("p13_bw_log_5col.log", LogFile("bw", "p13_bw_log_5col", None, None, False, False)),
    ],
)
def test_a_name_says_measure_job_and_host(path: str, said: LogFile) -> None:
    assert log_file(path) == said


@pytest.mark.parametrize(
    "path",
    [
        "run.log",
        "bw_and_lat_of_disk.log",
        "flat.1.log",
        "elbw.log",
        "run_bw.1.csv",
        "bw_run.txt",
        "",
    ],
)
def test_a_name_without_one_measure_says_nothing(path: str) -> None:
    assert log_file(path) is None


@pytest.mark.parametrize(
    ("head", "name", "format_name"),
    [
        (b"0, 5, 0, 4096\n", "a_bw.1.log", "fio_log"),
        (b"", "a_bw.1.log", "fio_log"),
        (b"0, 5, 0, 40", "a_bw.1.log", "fio_log"),  # a head of one line that is cut
        (b"garbage\n0, 5, 0, 4096\n", "a_bw.1.log", "fio_log"),
        (b"garbage\n", "a_bw.1.log", None),
        (b"0, 5, 0, 4096\n", "bw_of_disk.log", "fio_log"),
        (b"garbage\n0, 5, 0, 4096\n", "bw_of_disk.log", None),
        (b"0, 5, 3, 4096\n", "bw_of_disk.log", None),  # no direction is 3
        (b"0, 5, 9, 1, 1\n", "bw_of_disk.log", None),
        (b"0, 5, 9, 1, 0, 0\n", "bw_of_disk.log", "fio_log"),
        (b"0, 5, 0\n", "bw_of_disk.log", None),
        (b"", "bw_of_disk.log", None),
        (b"0, 5, 0, 4096\n", "disk.log", None),  # nothing says what it measures
        (b"0, 5, 0, 4096\n", "disk_bw.csv", None),
        (b"0, 5, 0, 4096\n", "a_clat_hist.1.log", None),
        (b"0, 0, 4096" + b", 1" * 58 + b"\n", "a_clat_hist.1.log", "fio_hist_log"),
        (b"0, 0, 4096" + b", 1" * 57 + b"\n", "a_clat_hist.1.log", None),
        (b"", "a_clat_hist.1.log", "fio_hist_log"),
        (b"x\x9c\x00", "a_clat_hist.1.log.fz", "fio_hist_log"),
        (b"x\x9c\x00", "a_clat.1.log.fz", "fio_log"),
    ],
)
def test_claims_by_name_and_content(head: bytes, name: str, format_name: str | None) -> None:
    assert detect(head, name) == format_name


# --- the layouts ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "layout", "lines", "total"),
    [
        ("avg100_bw.1.log", UNDECIDED, 19, 1_049_672),
        ("lgv3_16_clat.1.log", PLAIN, 21, 6_211_456),
        ("lov2_21_lat.1.log", OFFSET, 8, 1_772),
        ("offprio_clat.1.log", BOTH, 8, 1_174_725),
        ("offraw_iops.1.log", BOTH, 8, 8),
        ("it_slat.1.log", ISSUE, 8, 253_042),
        ("wb_clat.1.log", MAXIMUM, 11, 2_156_018),
        ("fz_clat.1.log.fz", PRIORITY, 11, 2_597_395),
        ("offset_prio_lat.1.log.fz", BOTH, 256, 279_281),
        ("windows_clat.1.log", PLAIN, 4, 11_282),
    ],
)
def test_layout_and_numbers_of_samples(name: str, layout: str, lines: int, total: float) -> None:
    records = read(FOLDER / name)
    samples = samples_of(records)
    assert problems_of(records) == []
    assert log_of(records).layout == layout
    assert log_of(records).columns == len(layout.split())
    assert [sample.line for sample in samples] == list(range(1, lines + 1))
    assert sum(sample.value for sample in samples) == total
    assert run_of(records) == Run(1, 1, lines, "success", is_last=True)


def test_four_columns_of_a_mixed_job() -> None:
    first, second, *_ = samples_of(read(FOLDER / "lgv3_16_clat.1.log"))
    assert facts([first, second]) == [(200, 261100, "read", None), (200, 429467, "write", None)]
    assert first.offset_bytes is first.priority is first.issue_ns is first.undecided is None


def test_the_offset_of_a_log_up_to_3_17() -> None:
    first = samples_of(read(FOLDER / "lov2_21_lat.1.log"))[0]
    assert (first.block_bytes, first.offset_bytes, first.priority) == (16384, 49152, None)


def test_hexadecimal_priority() -> None:
    samples = samples_of(read(FOLDER / "offprio_clat.1.log"))
    assert (samples[0].offset_bytes, samples[0].priority) == (114688, 0x2000)
    assert {sample.priority for sample in samples} == {0, 0x2000}


def test_the_time_of_issue_is_unknown_where_fio_prints_none() -> None:
    samples = samples_of(read(FOLDER / "it_slat.1.log"))
    assert samples[0].issue_ns == 174707
    assert samples_of(parse("0, 1, 0, 4096, 8192, 0, 0\n", "a_iops.1.log"))[0].issue_ns is None


def test_the_maximum_of_a_window() -> None:
    first = samples_of(read(FOLDER / "wb_clat.1.log"))[0]
    assert (first.value, first.value_max, first.direction) == (192797, 15770461, "read")


def test_an_averaged_line_has_no_block_and_no_offset() -> None:
    (sample,) = samples_of(parse("203, 98285, 0, 0, 0, 0\n"))
    assert sample.block_bytes is sample.offset_bytes is None
    assert sample.priority == 0


def test_times_since_1970() -> None:
    assert samples_of(read(FOLDER / "ue_bw.1.log"))[0].time_ms == 1796062571101


def test_all_jobs_in_one_file_stay_in_the_order_of_the_file() -> None:
    records = read(FOLDER / "pj0_bw.log")
    times = [sample.time_ms for sample in samples_of(records)]
    assert log_of(records).job is None
    assert len(times) == 14
    assert times != sorted(times)


def test_host_of_client_server_mode() -> None:
    log = log_of(read(FOLDER / "cs_bw.1.log.127.0.0.1"))
    assert (log.log_name, log.job, log.host) == ("cs", 1, "127.0.0.1")


@pytest.mark.parametrize(
    ("lines", "layout"),
    [
        (["0, 9, 0, 4096, 0"] * 9, UNDECIDED),
        (["0, 9, 0, 4096, 0"] * 9 + ["0, 9, 0, 4096, 1"], PRIORITY),
        (["0, 9, 0, 4096, 0x4001"] * 9, PRIORITY),
        (["0, 9, 0, 4096, 0", *["0, 9, 0, 4096, 8192"] * 9], OFFSET),
        # one number that is damaged does not turn priorities into offsets
        (["0, 9, 0, 4096, 0"] * 9 + ["0, 9, 0, 4096, 5"], UNDECIDED),
        (["0, 9, 0, 4096, 8192, 0"] * 9, BOTH),
        (["9, 7, 0, 0, 0, 0"] * 9, BOTH),
        (["9, 7, 8, 0, 0, 0"] * 9, MAXIMUM),
        (["9, 7, 8, 1, 0, 0x2001"] * 9, MAXIMUM),
        # without log_avg_msec the maximum is 0, and the block is known
        (["9, 7, 0, 0, 4096, 0"] * 9, MAXIMUM),
        (["0, 9, 0, 4096, 8192, 0, 77777"] * 9, ISSUE),
        (["9, 7, 8, 0, 0, 0, 0"] * 9, "time value max direction block offset priority"),
        (
            ["9, 7, 8, 0, 0, 0, 0x0000, 0"] * 9,
            "time value max direction block offset priority issue",
        ),
    ],
)
def test_a_layout_is_decided_over_all_lines(lines: list[str], layout: str) -> None:
    records = parse("\n".join(lines) + "\n")
    assert log_of(records).layout == layout
    assert len(samples_of(records)) == len(lines)


def test_columns_that_can_be_read_in_two_ways_give_no_number() -> None:
    """`1, 1, 0`: average and maximum of an idle disk, or a write of an average of 1."""
    records = parse("9, 1, 1, 0, 0, 0\n" * 9, "a_iops.1.log")
    (problem,) = records
    assert isinstance(problem, Problem)
    assert (problem.severity, problem.line) == ("error", None)
    assert "more than one way" in problem.reason


def test_an_undecided_column_is_kept_and_named_where_it_says_something() -> None:
    records = parse("0, 9, 0, 4096, 0\n" * 9 + "0, 9, 0, 4096, 5\n")
    assert [sample.undecided for sample in samples_of(records)] == [0.0] * 9 + [5.0]
    assert all(sample.offset_bytes is sample.priority is None for sample in samples_of(records))
    (problem,) = problems_of(records)
    assert (problem.severity, problem.line) == ("info", 1)


# --- damage -----------------------------------------------------------------------------------


def test_damaged_lines_are_named_and_the_others_are_kept() -> None:
    records = read(FOLDER / "damaged_bw.2.log")
    assert [(s.line, s.time_ms, s.value) for s in samples_of(records)] == [
        (1, 100, 39200),
        (6, 500, 41000),
    ]
    assert [(p.line, p.reason) for p in problems_of(records)] == [
        (8, "the file ends inside this line: its last number may be short, so it is not read"),
        (2, "a line is lost: 4 columns instead of 5"),
        (3, "a line is lost: its value is negative"),
        (4, "a line is lost: its direction is no such number"),
        (7, "a line is lost: 2 columns instead of 5"),
    ]
    assert run_of(records) == Run(1, 1, 7, "unfinished", is_last=True)


def test_twenty_damaged_lines_are_named_and_the_rest_counted() -> None:
    records = parse("0, 9, 0, 4096\n" * 50 + "0, 9, x, 4096\n" * 30)
    problems = problems_of(records)
    assert len(samples_of(records)) == 50
    assert [problem.line for problem in problems] == [*range(51, 71), 80]
    assert problems[-1].reason == "... and 10 more lines are lost, the last is line 80"


def test_an_empty_log_is_a_problem_and_no_run() -> None:
    (problem,) = read(FOLDER / "lrv2_1_3_bw.log")
    assert isinstance(problem, Problem)
    assert problem.severity == "warning"
    assert problem.reason.startswith("the log is empty")


def test_text_without_a_line_of_a_log_is_an_error_and_no_run() -> None:
    (problem,) = parse("fio: something else\n" * 3)
    assert isinstance(problem, Problem)
    assert problem.severity == "error"


def test_numbers_too_long_for_64_bits_are_lost_not_infinite() -> None:
    records = parse("0, 9, 0, 4096\n" + "0, " + "9" * 400 + ", 0, 4096\n")
    assert len(samples_of(records)) == 1
    assert [problem.line for problem in problems_of(records)] == [2]


def test_a_name_that_says_nothing_is_an_error() -> None:
    for each in (fio_log, fio_hist_log):
        (problem,) = each.parse(b"0, 9, 0, 4096\n", "x.log")
        assert isinstance(problem, Problem)
        assert problem.severity == "error"


BY_LAYOUT = (
    "avg100_bw.1.log",
    "lgv3_16_clat.1.log",
    "lov2_21_lat.1.log",
    "offprio_clat.1.log",
    "it_slat.1.log",
    "wb_clat.1.log",
    "windows_clat.1.log",
)


@pytest.mark.parametrize("name", BY_LAYOUT)
def test_a_cut_log_gives_the_samples_before_the_cut(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    whole = facts(samples_of(parse(data, name)))
    for end in range(0, len(data), 1 if len(data) < 400 else 97):
        records = parse(data[:end], name)
        samples = samples_of(records)
        assert facts(samples) == whole[: data.count(b"\n", 0, end)]
        for problem in problems_of(records):
            assert problem.severity == "warning"
        for run in records:
            if isinstance(run, Run):
                is_cut = bool(end) and not data[:end].endswith(b"\n")
                assert run.status == ("unfinished" if is_cut else "success")


@pytest.mark.parametrize("name", BY_LAYOUT)
def test_shuffled_lines_give_the_same_samples(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    whole = parse(data, name)
    for seed in range(20):
        lines = data.splitlines(keepends=True)
        random.Random(seed).shuffle(lines)
        records = parse(b"".join(lines), name)
        assert log_of(records) == log_of(whole)
        assert sorted(facts(samples_of(records)), key=repr) == sorted(
            facts(samples_of(whole)), key=repr
        )


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(BY_LAYOUT), st.data())
def test_a_damaged_line_costs_only_itself(name: str, data: st.DataObject) -> None:
    """A line is replaced by anything at all: no exception, and every other sample is there."""
    lines = (FOLDER / name).read_bytes().splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines) - 1))
    others = facts(samples_of(parse(b"".join(lines[:place] + lines[place + 1 :]), name)))
    lines[place] = data.draw(st.binary(max_size=40)).replace(b"\n", b" ") + b"\n"
    records = parse(b"".join(lines), name)
    kept = [sample for sample in samples_of(records) if sample.line != place + 1]
    assert facts(kept) == others


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    for each in (fio_log, fio_hist_log):
        for name in ("a_bw.1.log", "a_clat.1.log.fz", "a_clat_hist.1.log", "a_clat_hist.1.log.fz"):
            each.claims(data, name)
            list(each.parse(data, name))


# --- stored as fio holds it in memory ---------------------------------------------------------


def test_a_stored_log_gives_what_fio_prints_of_it() -> None:
    """The lines of `fio --inflate-log`, fio 3.33."""
    found = as_text(unpack((FOLDER / "offset_prio_lat.1.log.fz").read_bytes()).data)
    assert found is not None
    layout, text = found
    assert " ".join(layout) == BOTH
    assert text.splitlines()[:3] == [
        b"0, 75478, 0, 16384, 245760, 0x0000",
        b"0, 844, 0, 16384, 3096576, 0x0000",
        b"0, 2768, 0, 16384, 3522560, 0x0000",
    ]


def test_streams_follow_each_other_in_a_stored_log() -> None:
    packed = (FOLDER / "fz_clat.1.log.fz").read_bytes()
    samples = samples_of(parse(packed * 2, "a_clat.1.log.fz"))
    assert len(samples) == 22
    assert facts(samples[:11]) == facts(samples[11:])


def test_a_cut_stored_log_gives_the_samples_before_the_cut() -> None:
    name = "offset_prio_lat.1.log.fz"
    data = (FOLDER / name).read_bytes()
    whole = facts(samples_of(parse(data, name)))
    counts = []
    for end in range(97, len(data), 97):
        records = parse(data[:end], name)
        samples = facts(samples_of(records))
        counts.append(len(samples))
        assert samples == whole[: len(samples)]
        assert problems_of(records)[0].reason == "the file breaks off: what comes before it is kept"
        assert not samples or run_of(records).status == "unfinished"
    assert counts == sorted(counts)
    assert counts[-1] > 200


def test_a_stream_whose_checksum_fails_is_left_out() -> None:
    packed = (FOLDER / "fz_clat.1.log.fz").read_bytes()
    damaged = bytearray(packed * 2)
    damaged[-1] ^= 1
    records = parse(bytes(damaged), "a_clat.1.log.fz")
    assert len(samples_of(records)) == 11
    (problem,) = problems_of(records)
    assert problem.reason == "a zlib stream is damaged: what comes before it is kept"
    assert run_of(records).status == "unfinished"


def test_a_log_that_unpacks_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = zlib.compress(bytes(1 << 20))
    assert unpack(packed, at_most=1 << 16).lost == "it unpacks to more than 65536 bytes"
    assert len(unpack(packed, at_most=1 << 16).data) == 1 << 16
    assert unpack(packed, at_most=1 << 20).lost is None
    monkeypatch.setattr(log_stored, "PIECE_BYTES", 10)
    assert unpack(packed).data == bytes(1 << 20)


def test_a_stored_log_that_holds_no_samples_is_an_error() -> None:
    records = parse(zlib.compress(b"no samples at all, but enough bytes for one"), "a_bw.log.fz")
    (problem,) = records
    assert isinstance(problem, Problem)
    assert problem.severity == "error"


def packed_samples(codes: str, *samples: tuple[int, ...]) -> bytes:
    return b"".join(log_stored.Struct("<" + codes).pack(*sample) for sample in samples)


@pytest.mark.parametrize(
    ("data", "layout", "line"),
    [
        # 2.21: 24 bytes, with an offset 32
        (packed_samples("QQII", (3, 4655, 0, 16384)), PLAIN, b"3, 4655, 0, 16384\n"),
        (
            packed_samples("QQIIQ", (3, 193, 1 << 31 | 1, 16384, 49152)),
            OFFSET,
            b"3, 193, 1, 16384, 49152\n",
        ),
        # 3.28: 32 bytes; a real-time class is 1 without log_prio
        (
            packed_samples("QQIHxxQ", (3, 9, 2, 0x2004, 4096)),
            PRIORITY,
            b"3, 9, 2, 4096, 1\n",
        ),
        # 3.42: 40 bytes and more
        (
            packed_samples("QQQIHxxQ", (9, 7, 8, 1 << 29, 0, 0)),
            MAXIMUM,
            b"9, 7, 8, 0, 0, 0\n",
        ),
        (
            packed_samples("QQQIHxxQQQ", (0, 9, 0, 0xD << 28, 0, 4096, 8192, 777)),
            ISSUE,
            b"0, 9, 0, 4096, 8192, 0x0000, 777\n",
        ),
    ],
)
def test_samples_of_every_era(data: bytes, layout: str, line: bytes) -> None:
    assert as_text(data * 3 + b"\0" * 7) == (tuple(layout.split()), line * 3)


# --- histograms -------------------------------------------------------------------------------


def test_bins_of_a_histogram_log() -> None:
    records = read(HISTOGRAMS / "hist_clat_hist.1.log")
    log, bins = log_of(records), bins_of(records)
    assert (log.measure, log.log_name, log.job, log.columns, log.bins) == (
        "clat_hist", "hist", 1, 235, 232,
    )  # fmt: skip
    assert log.layout == "time direction block bins"
    assert len(bins) == 215
    ios = {line: sum(bin.ios for bin in bins if bin.line == line) for line in (1, 2, 3)}
    assert ios == {1: 19886, 2: 20478, 3: 15408}
    assert {(bin.line, bin.time_ms) for bin in bins} == {(1, 1001), (2, 2003), (3, 3003)}
    assert {(bin.direction, bin.block_bytes) for bin in bins} == {("read", 4096)}
    assert problems_of(records) == []
    assert run_of(records) == Run(1, 1, 3, "success", is_last=True)


def test_bins_at_full_resolution() -> None:
    records = read(HISTOGRAMS / "histc0_clat_hist.1.log")
    bins = bins_of(records)
    assert log_of(records).bins == 1856
    assert (len(bins), sum(bin.ios for bin in bins)) == (477, 16460)
    assert (bins[0].value_ns, bins[0].ios) == (24_192, 1)
    assert (bins[-1].value_ns, bins[-1].ios) == (16_908_288, 4)  # as p99.99 of its JSON


def test_bins_of_fio_2_are_microseconds() -> None:
    counts = ["0"] * 1216
    counts[3], counts[200] = "5", "7"
    (first, second) = bins_of(
        list(fio_hist_log.parse(f"9, 1, 0, {', '.join(counts)}\n".encode(), "a_clat_hist.log"))
    )
    assert (first.value_ns, first.ios, first.direction) == (3_000, 5, "write")
    assert (second.value_ns, second.ios, second.block_bytes) == (290_000, 7, None)


def test_damaged_lines_of_a_histogram() -> None:
    whole = b"9, 0, 4096" + b", 1" * 29 + b"\n"
    lines = [
        whole,
        b"9, 0, 4096" + b", 1" * 28 + b"\n",
        b"9, 0, 4096" + b", 1" * 28 + b", -1\n",
        b"9, 0, 4096" + b", 1" * 28 + b", 18446744073709551615\n",
        b"9, 5, 4096" + b", 1" * 29 + b"\n",
        whole[:-1],
    ]
    records = list(fio_hist_log.parse(b"".join(lines), "a_clat_hist.1.log"))
    assert [bin.line for bin in bins_of(records)] == [1] * 29
    assert [problem.line for problem in problems_of(records)] == [6, 2, 3, 4, 5]
    assert run_of(records).status == "unfinished"


def test_a_histogram_of_no_known_number_of_bins_is_an_error() -> None:
    (problem,) = fio_hist_log.parse(b"9, 0, 4096" + b", 1" * 30 + b"\n", "a_clat_hist.1.log")
    assert isinstance(problem, Problem)
    assert problem.severity == "error"


def test_a_compressed_histogram_holds_addresses() -> None:
    """Run with fio 3.33: 40 bytes for a run of two seconds."""
    packed = zlib.compress(bytes(96))
    (problem,) = fio_hist_log.parse(packed, "a_clat_hist.1.log.fz")
    assert isinstance(problem, Problem)
    assert problem.severity == "error"
    assert "addresses" in problem.reason


@pytest.mark.parametrize("name", ["hist_clat_hist.1.log", "histc0_clat_hist.1.log"])
def test_a_cut_histogram_gives_the_lines_before_the_cut(name: str) -> None:
    data = (HISTOGRAMS / name).read_bytes()
    whole = bins_of(list(fio_hist_log.parse(data, name)))
    for end in range(0, len(data), 97):
        bins = bins_of(list(fio_hist_log.parse(data[:end], name)))
        lines = data.count(b"\n", 0, end)
        assert bins == [bin for bin in whole if bin.line <= lines]


# --- everything -------------------------------------------------------------------------------

# folder: files, lines, sum of all values, layout; counted with csv.reader
CORPUS = {
    "client_server/v221_2clients_logs": (10, 40, 942097, PLAIN),
    "client_server/v31_2clients_logs": (10, 44, 159194737, PLAIN),
    "client_server/v333_2clients_logs": (10, 40, 92509630, UNDECIDED),
    "client_server/v342_2clients_logs": (10, 44, 75344269, UNDECIDED),
    "logs/avg100_nj2": (10, 200, 37856507, UNDECIDED),
    "logs/avg500_perjob0": (5, 80, 12749149, UNDECIDED),
    "logs/compressed": (5, 320, 12607290, PRIORITY),  # counted with fio --inflate-log
    "logs/max_value": (5, 50, 395618887, UNDECIDED),
    "logs/mixed_rw": (5, 100, 11042765, UNDECIDED),
    "logs/norm_name": (5, 20, 27605735, UNDECIDED),
    "logs/offset": (5, 50, 7872215, BOTH),
    "logs/offset_prio_raw": (5, 640, 101771579, BOTH),
    "logs/offset_raw": (5, 640, 65170255, BOTH),
    "logs/raw_small": (5, 1280, 159477971, UNDECIDED),
    "logs/unixepoch": (5, 20, 2381180, UNDECIDED),
    "logs/v342_everything": (5, 640, 54335397, ISSUE),
    "logs/v342_issue_time": (5, 640, 60384142, ISSUE),
    "logs/v342_plain": (5, 22, 3594521, UNDECIDED),
    "logs/v342_window_both": (5, 50, 5732763, MAXIMUM),
    "versions/v2_1_3_logs": (5, 64, 178721, PLAIN),
    "versions/v2_1_3_logs_raw": (5, 192, 37719, PLAIN),
    "versions/v2_21_logs": (5, 104, 698827, PLAIN),
    "versions/v2_21_logs_offset": (4, 256, 14282286, OFFSET),
    "versions/v2_21_logs_raw": (5, 320, 11286243, PLAIN),
    "versions/v2_2_10_logs": (5, 72, 196355, PLAIN),
    "versions/v2_2_10_logs_offset": (4, 192, 50828, OFFSET),
    "versions/v2_2_10_logs_raw": (5, 192, 58387, PLAIN),
    "versions/v3_16_logs": (5, 98, 14517954, PLAIN),
    "versions/v3_16_logs_offset": (4, 256, 72497831, OFFSET),
    "versions/v3_16_logs_raw": (5, 320, 57814038, PLAIN),
    "versions/v3_1_logs": (5, 98, 139914482, PLAIN),
    "versions/v3_1_logs_offset": (4, 256, 26171969, OFFSET),
    "versions/v3_1_logs_raw": (5, 320, 26556638, PLAIN),
    "versions/v3_28_logs": (5, 98, 9785298, UNDECIDED),
    "versions/v3_28_logs_offset": (4, 256, 24797594, BOTH),
    "versions/v3_28_logs_raw": (5, 320, 77626522, UNDECIDED),
    "versions/v3_42_logs": (5, 104, 24904612, UNDECIDED),
    "versions/v3_42_logs_offset": (4, 256, 28125846, BOTH),
    "versions/v3_42_logs_raw": (5, 320, 352769677, UNDECIDED),
}
EMPTY = {"v2_1_3_logs_raw": 2, "v2_2_10_logs_offset": 1, "v2_2_10_logs_raw": 2}


@pytest.mark.parametrize("folder", CORPUS)
def test_every_log_of_the_corpus(own: Path, folder: str) -> None:
    files, lines, total, layout = CORPUS[folder]
    paths = sorted((own / folder).iterdir())
    assert [path for path in paths if not fio_log.claims(path.read_bytes(), str(path))] == []
    records = [record for path in paths for record in parse(path.read_bytes(), str(path))]
    samples = samples_of(records)
    logs = [record for record in records if isinstance(record, FioLog)]
    empty = EMPTY.get(Path(folder).name, 0)
    assert len(paths) == files
    assert (len(samples), sum(sample.value for sample in samples)) == (lines, total)
    assert {log.layout for log in logs} == {layout}
    assert (len(logs), len(problems_of(records))) == (files - empty, empty)


def test_no_log_of_the_corpus_is_left_out(own: Path) -> None:
    folders = {
        path.parent.relative_to(own).as_posix() for path in own.rglob("*") if ".log" in path.name
    }
    assert folders == {*CORPUS, "logs/hist", "logs/hist_c0"}


def test_the_public_log_of_five_columns() -> None:
    path = PUBLIC / "p13_bw_log_5col_318.log"
    if not path.is_file():
        pytest.skip(f"the corpus of public fio outputs is not here: {PUBLIC}")
    records = read(path)
    assert log_of(records).layout == UNDECIDED
    assert facts(samples_of(records))[:2] == [(0, 82732, "write", 4096), (0, 6509, "write", 4096)]
    assert len(samples_of(records)) == 5


def test_no_other_file_of_the_corpora_is_claimed(own: Path) -> None:
    claimed = [
        path
        for folder in (own, PUBLIC, own.parent / "nccl", PUBLIC.parent / "nccl")
        for path in folder.rglob("*")
        if path.is_file()
        and ".log" not in path.name
        and any(each.claims(path.read_bytes(), str(path)) for each in (fio_log, fio_hist_log))
    ]
    assert claimed == []
