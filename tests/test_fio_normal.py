"""Normal text of fio 2.1 to 3.42: exact numbers of real files, units, and what is lost."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any, TypeVar

import pytest
from conftest import ROOT, SAMPLES, problems_of, sample_files

from ingest.fio.quantity import count, nanoseconds, size_bytes, wall_clock_s
from ingest.fio.records import (
    FioDisk,
    FioEntry,
    FioLatPercentile,
    FioLatSummary,
    FioNote,
    FioOutput,
    FioTransfer,
)
from ingest.formats import fio_normal
from ingest.records import Record, Row, Run

OWN = ROOT.parent / "shared" / "corpus" / "own" / "fio"
PUBLIC = ROOT.parent / "shared" / "corpus" / "public" / "fio"
MIB = 1 << 20
T = TypeVar("T")


def parse(data: bytes) -> list[Record]:
    return list(fio_normal.parse(data, "out.txt"))


def sample(name: str) -> list[Record]:
    data = (SAMPLES / "fio_normal" / name).read_bytes()
    assert fio_normal.claims(data, name)
    return parse(data)


def public(name: str) -> list[Record]:
    path = PUBLIC / name
    if not path.is_file():
        pytest.skip(f"the public corpus is not here: {path}")
    data = path.read_bytes()
    assert fio_normal.claims(data, name)
    return parse(data)


def of(records: list[Record], kind: type[T]) -> list[T]:
    return [record for record in records if isinstance(record, kind)]


def transfers(records: list[Record]) -> dict[tuple[int, str], FioTransfer]:
    return {(row.entry, row.direction): row for row in of(records, FioTransfer)}


def summaries(records: list[Record], entry: int = 1) -> dict[tuple[str, str], FioLatSummary]:
    rows = of(records, FioLatSummary)
    return {(row.direction, row.kind): row for row in rows if row.entry == entry}


def percentiles(records: list[Record], direction: str, entry: int = 1) -> dict[float, float]:
    rows = of(records, FioLatPercentile)
    return {
        row.percentile: row.value_ns
        for row in rows
        if (row.direction, row.entry) == (direction, entry)
    }


def statuses(records: list[Record]) -> list[str]:
    return [run.status for run in of(records, Run)]


# numbers with units


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("199", 199), ("25.7k", 25_700), ("1.96M", 1_960_000), ("55435k", 55_435_000), ("2K", 2000),
        ("", None), ("k", None), ("1.2.3", None), ("nan", None), ("-3", None), ("1e5", None),
    ],
)  # fmt: skip
def test_counts_are_shortened_by_1000(text: str, value: float | None) -> None:
    assert count(text) == value


@pytest.mark.parametrize(
    ("text", "is_binary", "value"),
    [
        ("100MiB/s", False, 100 * MIB), ("105MB/s", False, 105e6), ("8192KiB", False, 8 * MIB),
        ("8389kB", False, 8_389_000), ("66.9GiB", False, 66.9 * 1024 * MIB), ("0B", False, 0),
        ("3110935568B/s", False, 3_110_935_568), ("1826Mi", False, 1826 * MIB), ("0", False, 0),
        ("1914M", False, 1_914_000_000), ("692Mbit/s", False, 86_500_000),
        ("660Mibit/s", False, 660 * MIB / 8), ("173MB", False, 173e6),
        ("774144KB", True, 774144 * 1024), ("551816B/s", True, 551_816),
        ("1.5GB", True, 1.5 * 1024 * MIB),
        ("12 parsecs", False, None), ("", False, None), ("MiB", False, None),
    ],
)  # fmt: skip
def test_sizes_say_their_own_base(text: str, is_binary: bool, value: float | None) -> None:
    assert size_bytes(text, is_binary) == value


def test_latencies_and_times() -> None:
    assert nanoseconds("63956k", "nsec") == 63_956_000
    assert nanoseconds("295602.23", "nsec") == 295_602.23
    assert nanoseconds("265.90", "usec") == 265_900
    assert nanoseconds("39.28", "msec") == 39_280_000
    assert nanoseconds("2", "sec") == 2e9
    assert nanoseconds("2", "fortnight") is None
    assert wall_clock_s("Mon Nov 30 18:03:41 2026") == 1_796_061_821
    assert wall_clock_s("Mon Nov  3 18:03:41 2026") == 1_796_061_821 - 27 * 86_400
    assert wall_clock_s("Mon ovD 30 18:03:41 2026") is None
    assert wall_clock_s("Mon Feb 31 18:03:41 2026") is None


# what a block says


def test_fio_2_1_prints_kb_of_1024_bytes() -> None:
    records = sample("v2_1_3_normal_large.txt")
    assert [(row.name, row.members, row.error) for row in of(records, FioEntry)] == [
        ("big", 1, 0), ("big", 1, 0),
    ]  # fmt: skip
    rows = transfers(records)
    first, second = rows[1, "read"], rows[2, "read"]
    assert (first.bytes_moved, first.bandwidth_bps) == (419840 * 1024, 204004 * 1024)
    assert (first.iops, first.runtime_ms, first.ios) == (199, 2058, 410)
    assert (first.short_ios, first.dropped_ios) == (0, None)  # 2.1.3 prints no dropped I/Os
    assert (second.bytes_moved, second.ios) == (354304 * 1024, 346)
    assert (rows[1, "write"].bytes_moved, rows[1, "write"].ios) == (0, 0)
    clat = summaries(records)["read", "clat"]
    assert (clat.min_ns, clat.max_ns, clat.mean_ns, clat.stddev_ns) == (
        1e6,
        118e6,
        39.28e6,
        22.93e6,
    )
    assert summaries(records)["read", "slat"].mean_ns == 140_470
    assert percentiles(records, "read")[99] == 117e6
    assert percentiles(records, "read", 2)[99.95] == 204e6
    (disk,) = of(records, FioDisk)
    assert (disk.name, disk.read_ios, disk.write_ios, disk.util_pct) == ("vda", 1533, 38, 95.04)
    (output,) = of(records, FioOutput)
    assert (output.version, output.form, output.is_rounded) == ("fio-2.1.3", "normal", True)
    assert (output.line, output.last_line, output.time_s) == (6, 48, 1_796_062_502)
    assert json.loads(of(records, FioEntry)[0].options or "") == {
        "rw": "read", "bs": "1m", "ioengine": "libaio", "iodepth": "8",
    }  # fmt: skip
    assert statuses(records) == ["success"]
    assert not problems_of(records)


def test_fio_2_21_prints_mib_and_shortened_iops() -> None:
    records = sample("v2_21_normal_randrw.txt")
    (entry,) = of(records, FioEntry)
    assert (entry.members, entry.usr_cpu_pct, entry.sys_cpu_pct) == (2, 4.03, 20.12)
    read, write = transfers(records)[1, "read"], transfers(records)[1, "write"]
    assert (read.bytes_moved, read.iops, read.ios) == (122 * MIB, 15_400, 31262)
    assert read.bandwidth_bps == pytest.approx(60.3 * MIB)
    assert (write.ios, write.short_ios, write.dropped_ios) == (30943, 0, 0)
    assert summaries(records)["write", "clat"].mean_ns == 308_890
    assert percentiles(records, "write")[50] == 143_000


def test_fio_3_42_has_a_unit_for_every_line() -> None:
    records = sample("v3_42_normal_randrw.txt")
    write = transfers(records)[1, "write"]
    assert (write.iops, write.ios, write.runtime_ms) == (8872, 17754, 2001)
    rows = summaries(records)
    assert rows["read", "clat"].max_ns == 63_956_000  # printed as 63956k nsec
    assert rows["read", "clat"].mean_ns == 295_602.23
    assert rows["write", "clat"].min_ns == 731
    assert rows["write", "lat"].mean_ns == 572_100
    assert percentiles(records, "read")[1] == 3_000
    assert len(percentiles(records, "read")) == len(percentiles(records, "write")) == 17
    (disk,) = of(records, FioDisk)
    assert (disk.read_bytes, disk.written_bytes) == (133704 * 512, 131320 * 512)
    assert json.loads(of(records, FioEntry)[0].depth_shares or "") == {
        "1": 0.1, "2": 0.1, "4": 100, "8": 0, "16": 0, "32": 0, ">=64": 0,
    }  # fmt: skip


def test_bits_are_divided_by_eight() -> None:
    read = transfers(sample("normal_bits_kb1000.txt"))[1, "read"]
    assert (read.bandwidth_bps, read.bytes_moved, read.ios) == (692e6 / 8, 173e6, 42314)


def test_clones_are_entries_of_one_name() -> None:
    records = sample("normal_numjobs4_nogroup.txt")
    assert [(row.entry, row.name, row.line) for row in of(records, FioEntry)] == [
        (number, "normal4n", line) for number, line in enumerate((6, 28, 50, 72), start=1)
    ]
    assert [transfers(records)[entry, "read"].ios for entry in range(1, 5)] == [
        22024, 18086, 20530, 20752,
    ]  # fmt: skip


def test_an_error_comes_with_its_text() -> None:
    records = sample("enospc_28_normal.txt")
    assert of(records, FioEntry)[0].error == 28
    (note,) = of(records, FioNote)
    assert (note.kind, note.line) == ("error", 6)
    assert note.text.endswith("func=io_u error, error=No space left on device)")
    write = transfers(records)[1, "write"]
    assert (write.bytes_moved, write.runtime_ms, write.ios) == (8192 * 1024, 15, 65)
    assert set(percentiles(records, "read")) == set()
    assert percentiles(records, "write")[95] == 253_000
    assert statuses(records) == ["failed"]


def test_a_signal_aborts_the_run() -> None:
    records = sample("sigint_normal.txt")
    assert statuses(records) == ["aborted"]
    assert [(note.kind, note.line) for note in of(records, FioNote)] == [("interrupted", 5)]
    assert transfers(records)[1, "read"].runtime_ms == 1011


def test_steady_state_and_progress_lines() -> None:
    assert of(sample("normal_steadystate.txt"), FioEntry)[0].is_steady is True
    records = sample("normal_stdout_eta.txt")
    assert of(records, FioEntry)[0].is_steady is None
    assert transfers(records)[1, "read"].ios == 56985
    assert not problems_of(records)
    assert not of(records, FioNote)


def test_a_head_behind_a_progress_line_that_is_not_ended() -> None:
    data = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_bytes()
    eta = b"Jobs: 2 (f=2): [m(2)][66.7%][r=34.1MiB/s,w=34.4MiB/s][r=8735,w=8798 IOPS][eta 00m:01s"
    for glue in (eta, eta + b"]", eta + b"]\r", eta + eta + b"]"):
        records = parse(data.replace(b"\nn: (groupid", b"\n" + glue + b"n: (groupid"))
        assert [row.name for row in of(records, FioEntry)] == ["n"]
        assert transfers(records)[1, "read"].ios == 17615


def test_unified_both_prints_no_sum_for_mixed() -> None:
    records = sample("normal_unified_both.txt")
    mixed = transfers(records)[1, "mixed"]
    assert (mixed.bytes_moved, mixed.bandwidth_bps, mixed.iops) == (None, None, None)
    assert (mixed.runtime_ms, mixed.ios) == (2004, None)
    assert transfers(records)[1, "write"].ios == 17538
    assert summaries(records)["mixed", "clat"].mean_ns == 436_664.38
    assert summaries(records)["write", "clat"].mean_ns == 648_621.59
    (problem,) = problems_of(records)
    assert (problem.line, problem.severity) == (6, "info")


def test_mixed_alone_has_the_counts_of_all_directions() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    start, end = text.index("  write: "), text.index("  lat (nsec)")
    mixed = (text[:start] + text[end:]).replace("  read: ", "  mixed: ")
    records = parse(mixed.replace("total=17615,17754,0,0", "total=35369,0,0,0").encode())
    rows = of(records, FioTransfer)
    assert [(row.direction, row.ios) for row in rows] == [("mixed", 35369)]


SYNC = """  fsync/fdatasync/sync_file_range:
    sync (usec): min=161, max=5729.7k, avg=192.48, stdev=20.09
    sync percentiles (msec):
     |  1.00th=[  2], 99.00th=[  260]
"""


def test_fsync_is_a_direction_of_its_own() -> None:
    text = (SAMPLES / "fio_normal" / "enospc_28_normal.txt").read_text()
    text = text.replace("  cpu  ", SYNC + "  cpu  ").replace("total=0,65,0,0", "total=0,65,0,64")
    records = parse(text.encode())
    assert summaries(records)["sync", "lat"].max_ns == 5_729_700_000
    assert percentiles(records, "sync") == {1: 2e6, 99: 260e6}
    sync = transfers(records)[1, "sync"]
    assert (sync.ios, sync.bytes_moved) == (64, None)


def test_priority_classes_are_not_taken_for_the_whole() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    line = "    clat prio 2/1 (50.00% of IOs) (usec): min=1, max=2, avg= 1.50, stdev= 0.50\n"
    table = "    clat prio 2/1 (50.00% of IOs) percentiles (usec):\n     |  1.00th=[    1]\n"
    place = text.index("   bw (")
    records = parse((text[:place] + line + table + text[place:]).encode())
    assert summaries(records)["read", "clat"].mean_ns == 295_602.23
    assert percentiles(records, "read")[1] == 3_000
    assert not problems_of(records)


def test_high_and_low_priority_of_3_18() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    lines = "    high prio_clat (usec): min=1, max=2, avg= 1.50, stdev= 0.50\n"
    lines += "    high prio (0.50%) clat percentiles (usec):\n     |  1.00th=[    1]\n"
    place = text.index("   bw (")
    records = parse((text[:place] + lines + text[place:]).encode())
    assert summaries(records)["read", "clat"].mean_ns == 295_602.23
    assert percentiles(records, "read")[1] == 3_000
    assert not problems_of(records)


def test_fio_2_0_pads_its_numbers() -> None:
    text = (SAMPLES / "fio_normal" / "v2_1_3_normal_large.txt").read_text()
    text = text.replace("iops=199, runt", "iops=199 , runt").replace(
        "min=40, max=6490,", "min=40 , max=6490 ,"
    )
    text = text.replace("bw (KB  /s):", "bw (KB/s)  :")
    records = parse(text.encode())
    assert (transfers(records)[1, "read"].iops, summaries(records)["read", "slat"].max_ns) == (
        199,
        6_490_000,
    )
    assert not problems_of(records)


def test_indented_text_and_disk_lines_that_a_mail_wraps() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    indented = "<pre>\n" + "".join(f"\t{line}\n" for line in text.splitlines()) + "</pre>\n"
    records = parse(indented.replace("in_queue=5513, ", "in_queue=5513,\n").encode())
    (entry,) = of(records, FioEntry)
    assert (entry.name, entry.hostname) == ("n", None)
    assert json.loads(entry.options or "")["rw"] == "randrw"
    (disk,) = of(records, FioDisk)
    assert (disk.read_ios, disk.write_ios, disk.util_pct) == (16399, 16394, None)
    (output,) = of(records, FioOutput)
    assert (output.version, output.is_client_server) == ("fio-3.42", False)
    assert statuses(records) == ["success"]


def test_a_sum_over_several_disks() -> None:
    text = (SAMPLES / "fio_normal" / "v2_1_3_normal_large.txt").read_text()
    line = "    dm-0: ios=4/33, merge=0/0, ticks=0/0, in_queue=0, util=0.50%, aggrios=1/16, "
    text = text.replace("  vda: ios", line + "aggrmerge=0/4, aggrutil=70.32%\n  vda: ios")
    disks = [(row.name, row.read_ios, row.util_pct) for row in of(parse(text.encode()), FioDisk)]
    assert disks == [("dm-0", 4, 0.5), ("vda", 1533, 95.04)]


def test_continue_on_error() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    line = "     errors    : total=3, first_error=5/<Input/output error>\n     latency "
    records = parse(text.replace("     latency ", line, 1).encode())
    (entry,) = of(records, FioEntry)
    assert (entry.total_errors, entry.first_error) == (3, 5)
    assert statuses(records) == ["failed"]


def test_a_job_that_ran_less_than_a_millisecond_has_no_line() -> None:
    text = (SAMPLES / "fio_normal" / "enospc_28_normal.txt").read_text()
    text = re.sub(r"  write: .*\n", "", text)
    write = transfers(parse(text.encode()))[1, "write"]
    assert (write.ios, write.bytes_moved, write.runtime_ms) == (65, None, None)


# options and runs


def test_options_of_a_group_are_those_its_jobs_share() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    first = text[: text.index("\n") + 1]
    other = first.replace("n: (g=0)", "m: (g=0)").replace("4096B", "8192B")
    (entry,) = of(parse((first + other + text[len(first) :]).encode()), FioEntry)
    assert json.loads(entry.options or "") == {
        "rw": "randrw", "ioengine": "libaio", "iodepth": "4",
    }  # fmt: skip


def test_status_interval_documents_are_snapshots() -> None:
    records = sample("normal_status_interval.txt")
    assert [(row.snapshot, row.is_last) for row in of(records, FioOutput)] == [
        (1, False), (2, False), (3, False), (4, False), (5, True),
    ]  # fmt: skip
    ios = [row.ios for row in of(records, FioTransfer) if row.direction == "read"]
    assert ios == [18717, 40609, 58787, 79782, 83522]
    assert statuses(records) == ["success"]


def test_a_snapshot_that_breaks_off_leaves_the_one_before_as_the_result() -> None:
    data = (SAMPLES / "fio_normal" / "normal_status_interval.txt").read_bytes()
    records = parse(data[: data.rindex(b"issued rwts")])
    outputs = of(records, FioOutput)
    assert [row.is_last for row in outputs] == [False, False, False, True]
    assert all(row.is_complete for row in outputs)
    assert statuses(records) == ["unfinished"]
    (problem,) = problems_of(records)
    assert "the broken one is not stored" in problem.reason


def test_a_cut_inside_a_head_begins_no_run() -> None:
    data = (SAMPLES / "fio_normal" / "normal_status_interval.txt").read_bytes()
    records = parse(data[: data.rindex(b"pid=11026") + 6])
    assert [(row.snapshot, row.is_last) for row in of(records, FioOutput)][-1] == (4, True)
    assert len(of(records, Run)) == 1


def test_runs_appended_to_one_file() -> None:
    one = (SAMPLES / "fio_normal" / "v2_21_normal_randrw.txt").read_bytes()
    two = (SAMPLES / "fio_normal" / "enospc_28_normal.txt").read_bytes()
    three = (SAMPLES / "fio_normal" / "sigint_normal.txt").read_bytes()
    records = parse(one + two + three)
    assert statuses(records) == ["success", "failed", "aborted"]
    assert [run.is_last for run in of(records, Run)] == [False, False, True]
    assert [row.version for row in of(records, FioOutput)] == ["fio-2.21", "fio-3.33", "fio-3.33"]
    assert [(note.attempt, note.kind) for note in of(records, FioNote)] == [
        (2, "error"), (3, "interrupted"),
    ]  # fmt: skip
    broken = parse(one[: one.index(b"Run status")] + three)
    assert statuses(broken) == ["unfinished", "aborted"]


# client/server


def test_all_clients_is_marked_as_a_total() -> None:
    records = sample("v342_2clients_normal.txt")
    assert [(row.name, row.hostname, row.is_total) for row in of(records, FioEntry)] == [
        ("seqread", "vm", False), ("seqread", "vm", False), ("All clients", None, True),
    ]  # fmt: skip
    rows = transfers(records)
    assert [rows[entry, "read"].ios for entry in (1, 2, 3)] == [21878, 21952, 43830]
    assert rows[3, "read"].bandwidth_bps == 1826 * MIB  # printed as 1826Mi (1914M)
    assert rows[3, "read"].iops == 14_600
    assert len(percentiles(records, "read")) == 17
    assert max(percentiles(records, "read", 3)) == 99  # four are printed as 100th
    (output,) = of(records, FioOutput)
    assert (output.is_client_server, output.clients_named) == (True, 2)
    assert [(row.hostname, row.line) for row in of(records, FioDisk)] == [("vm", 38), ("vm", 66)]
    assert [problem.severity for problem in problems_of(records)] == ["info"]


def test_clients_of_2_2_10_without_a_total() -> None:
    records = sample("v2210_2clients_normal.txt")
    assert [(row.hostname, row.is_total) for row in of(records, FioEntry)] == [("vm", False)] * 2
    rows = transfers(records)
    assert [rows[entry, "read"].bytes_moved for entry in (1, 2)] == [
        753408 * 1024, 947840 * 1024,
    ]  # fmt: skip
    assert (rows[1, "read"].short_ios, rows[1, "read"].dropped_ios) == (0, 0)
    assert of(records, FioOutput)[0].version == "fio-2.2.10"
    assert statuses(records) == ["success"]


def test_hosts_with_names_of_their_own() -> None:
    data = (SAMPLES / "fio_normal" / "v2210_2clients_normal.txt").read_bytes()
    lines = data.split(b"\n")
    lines[2:4] = [line.replace(b"<vm>", b"<left>") for line in lines[2:4]]
    unknown = parse(b"\n".join(lines))
    assert [row.hostname for row in of(unknown, FioEntry)] == [None, None]
    named = b"\n".join(lines).replace(b"<left> seqread", b"<left> other")
    named = named.replace(b"\nseqread: (groupid", b"\nother: (groupid", 1)
    assert [row.hostname for row in of(parse(named), FioEntry)] == ["left", "vm"]


def test_a_server_that_failed_has_no_entry_but_notes() -> None:
    records = sample("v333_2clients_one_setup_fail.txt")
    assert [row.is_total for row in of(records, FioEntry)] == [False, True]
    assert of(records, FioOutput)[0].clients_named == 2
    assert ("disconnected", 9) in [(note.kind, note.line) for note in of(records, FioNote)]


# outputs of others


def test_bandwidth_without_a_prefix() -> None:
    read = transfers(public("p15_normal_2113_bytes_unit.txt"))[1, "read"]
    assert (read.bandwidth_bps, read.bytes_moved) == (551_816, 11004 * 1024)
    assert (read.ios, read.runtime_ms) == (2688, 20420)


def test_odd_units_of_a_client() -> None:
    records = public("p16_client_server_odd_units.txt")
    (entry,) = of(records, FioEntry)
    assert (entry.name, entry.members, entry.hostname) == ("job1", 4, "client-2")
    read = transfers(records)[1, "read"]
    assert (read.bandwidth_bps, read.bytes_moved) == (3_110_935_568, 364_565_800 * 1024)
    assert summaries(records)["read", "clat"].max_ns == 310_618_000
    assert percentiles(records, "read")[99.99] == 31_065_000
    assert [row.name for row in of(records, FioDisk)] == ["sdb", "sdc"]


@pytest.mark.parametrize(
    ("name", "moved", "runtime_ms", "mean_ns", "last_percentile"),
    [
        ("p18_macos_326_cached.txt", 1024 * MIB, 207, 3_211_300, (99.99, 206_570_000)),
        ("p20_quoted_mail_319.txt", 66.9 * 1024 * MIB, 30001, 6_568.14, (99.99, 60_160)),
        ("p21_windows_327.txt", 659 * MIB, 60015, 5_621_210, (90, 11_076_000)),
    ],
)
def test_text_that_breaks_off_keeps_its_lines(
    name: str, moved: float, runtime_ms: float, mean_ns: float, last_percentile: tuple[float, float]
) -> None:
    records = public(name)
    read = transfers(records)[1, "read"]
    assert read.bytes_moved == pytest.approx(moved)
    assert (read.runtime_ms, read.ios) == (runtime_ms, None)
    assert (1, "write") not in transfers(records)
    assert summaries(records)["read", "clat"].mean_ns == mean_ns
    assert max(percentiles(records, "read").items()) == last_percentile
    assert statuses(records) == ["unfinished"]
    assert [problem.severity for problem in problems_of(records)] == ["warning"]


def test_quoted_text_keeps_its_true_lines() -> None:
    records = public("p20_quoted_mail_319.txt")
    (entry,) = of(records, FioEntry)
    assert (entry.line, entry.members) == (6, 4)
    assert json.loads(entry.options or "")["ioengine"] == "sync"


@pytest.mark.parametrize("name", ["p26_eta_glued_31.txt", "p27_time_based_without_runtime.txt"])
def test_words_without_a_result_are_not_claimed(name: str) -> None:
    path = PUBLIC / name
    if not path.is_file():
        pytest.skip(f"the public corpus is not here: {path}")
    data = path.read_bytes()
    assert not fio_normal.claims(data, name)
    records = parse(data)
    assert [problem.severity for problem in problems_of(records)] == ["error"]
    assert len(records) == 1


# what is lost


def test_a_damaged_direction_lends_its_latencies_to_no_other() -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    records = parse(text.replace("write: IOPS=8872", "write: IOPS8872").encode())
    assert [row.direction for row in of(records, FioLatSummary)] == ["read"] * 3
    assert [row.direction for row in of(records, FioLatPercentile)] == ["read"] * 17
    assert transfers(records)[1, "write"].ios == 17754
    assert transfers(records)[1, "write"].bytes_moved is None
    (problem,) = problems_of(records)
    assert (problem.line, problem.severity) == (19, "warning")


@pytest.mark.parametrize(
    ("damaged", "line"),
    [
        ("clat (nsec): min", 9),
        ("cpu          : usr", 36),
        ("issued rwts: total", 40),
        ("|  1.00th=[", 12),
    ],
)
def test_a_damaged_line_is_reported(damaged: str, line: int) -> None:
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text()
    records = parse(text.replace(damaged, damaged + "#", 1).encode())
    assert line in [problem.line for problem in problems_of(records)]


def test_a_run_status_without_a_block_is_no_result() -> None:
    records = parse(b"Run status group 0 (all jobs):\n   READ: bw=1MiB/s (1MB/s)\n")
    assert [problem.severity for problem in problems_of(records)] == ["error"]
    assert len(records) == 1


# JSON and text of one run


def documents(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON document of a file, and the file with blank lines in its place."""
    text = data.decode()
    start = next(found.start() for found in re.finditer(r"^\{", text, re.MULTILINE))
    document, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    blank = "\n" * text.count("\n", start, end)
    return document, (text[:start] + blank + text[end:]).encode()


BOTH = sorted(OWN.glob("*/*normal_json*.txt"))


def printed_step(value_ns: float) -> float:
    """The last place of a latency that was printed as a whole number of its unit."""
    return next(step for step in (1e6, 1e3, 1.0) if not value_ns % step or step == 1)


@pytest.mark.parametrize("path", BOTH, ids=[path.name for path in BOTH])
def test_json_and_text_of_one_run_agree(path: Path) -> None:
    document, text = documents(path.read_bytes())
    jobs = document.get("jobs") or document["client_stats"]
    records = parse(text)
    entries = of(records, FioEntry)
    assert len(entries) == len(jobs)
    by_ios = {job["read"]["total_ios"]: job for job in jobs}  # clients come in another order
    for entry in entries:
        row = transfers(records)[entry.entry, "read"]
        job = by_ios[int(row.ios or -1)]
        said = job["read"]
        assert (entry.name, entry.error) == (job["jobname"], job["error"])
        assert entry.usr_cpu_pct == pytest.approx(job["usr_cpu"], abs=0.0051)
        size = said["io_bytes"] * (1 if "io_kbytes" in said else 1024)
        assert row.bytes_moved == pytest.approx(size, rel=0.005)
        assert row.bandwidth_bps == pytest.approx(said["bw"] * 1024, rel=0.005)
        assert row.iops == pytest.approx(said["iops"], rel=0.005)
        assert row.runtime_ms == said["runtime"]
        assert transfers(records)[entry.entry, "write"].ios == 0
        agree_on_latency(records, entry.entry, said)
        depths = {key: round(value, 1) for key, value in job["iodepth_level"].items()}
        assert json.loads(entry.depth_shares or "") == pytest.approx(depths, abs=0.11)
    assert statuses(records) == ["success"]


def agree_on_latency(records: list[Record], entry: int, said: dict[str, Any]) -> None:
    suffix, unit = ("_ns", 1) if "clat_ns" in said else ("", 1000)
    rows = summaries(records, entry)
    assert set(rows) == {("read", kind) for kind in ("slat", "clat", "lat")}
    for (_, kind), row in rows.items():
        same = said[kind + suffix]
        step = printed_step((row.min_ns or 0) + (row.max_ns or 0))
        assert row.mean_ns == pytest.approx(same["mean"] * unit, abs=0.0051 * step)
        assert row.stddev_ns == pytest.approx(same["stddev"] * unit, abs=0.0051 * step)
        assert row.min_ns == pytest.approx(same["min"] * unit, abs=step)
        assert row.max_ns == pytest.approx(same["max"] * unit, abs=step, rel=0.0005)
    for percentile, value_ns in percentiles(records, "read", entry).items():
        same = said["clat" + suffix]["percentile"][f"{percentile:f}"]
        assert value_ns == pytest.approx(same * unit, abs=printed_step(value_ns))


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(OWN.glob("*/*normal*.txt"))
        if not re.search("json|append", path.name)
    ],
    ids=lambda path: str(path.relative_to(OWN)),
)
def test_every_normal_file_of_the_corpus_is_read_to_the_last_line(path: Path) -> None:
    data = path.read_bytes()
    assert fio_normal.claims(data, path.name)
    records = parse(data)
    assert len(of(records, FioEntry)) == data.count(b"(groupid=")
    assert all(problem.severity == "info" for problem in problems_of(records))
    assert all(row.is_complete for row in of(records, FioOutput))
    assert len(of(records, FioDisk)) == data.count(b": ios=")
    assert len(of(records, FioLatPercentile)) >= data.count(b"th=[") - 4 * data.count(b" 100th=[")
    assert len(of(records, FioLatSummary)) == len(re.findall(rb"(?:s|c| )lat \(.sec\): min", data))
    for row in of(records, FioTransfer):
        assert row.ios is not None or row.direction == "mixed"
        if row.bytes_moved and row.runtime_ms and row.bandwidth_bps:  # fio's own arithmetic
            rate = row.bytes_moved * 1000 / row.runtime_ms
            assert row.bandwidth_bps == pytest.approx(rate, rel=0.03)


# properties


@pytest.mark.parametrize("path", sample_files("fio_normal"), ids=lambda path: path.name)
def test_line_ends_quoting_and_encoding_change_nothing(path: Path) -> None:
    data = path.read_bytes()
    whole = parse(data)
    assert parse(data.replace(b"\n", b"\r\n")) == whole
    quoted = b"".join(b"> " + line for line in data.splitlines(keepends=True))
    assert parse(quoted) == whole
    assert fio_normal.claims(quoted, path.name)
    assert parse(data.decode().encode("utf-16")) == whole
    assert parse(b"\xef\xbb\xbf" + data) == whole


PLACES = ("line", "attempt", "snapshot", "entry", "last_line", "time_s", "clients_named", "port")


def numbers(records: list[Record]) -> set[float]:
    """Every number that a record took from the file."""
    found: set[float] = set()
    for row in of(records, Row):
        for name in row.__dataclass_fields__:
            value = getattr(row, name)
            if name not in PLACES and isinstance(value, int | float):
                found.add(float(value))
    return found


def sound(records: list[Record]) -> None:
    for record in records:
        json.dumps(repr(record)).encode()
    runs = of(records, Run)
    assert [run.attempt for run in runs] == list(range(1, len(runs) + 1))
    assert [run.is_last for run in runs] == [run is runs[-1] for run in runs]
    assert problems_of(records) or runs


@pytest.mark.parametrize("path", sample_files("fio_normal"), ids=lambda path: path.name)
def test_no_cut_invents_a_number(path: Path) -> None:
    data = path.read_bytes()
    whole = numbers(parse(data)) | {0.0, 1.0}
    for place in range(0, len(data), 97):
        records = parse(data[:place])
        sound(records)
        assert numbers(records) <= whole, place
        sound(parse(data[place:]))


@pytest.mark.parametrize("path", sample_files("fio_normal"), ids=lambda path: path.name)
def test_no_order_of_lines_invents_a_number(path: Path) -> None:
    """A percentile may stand under another unit then, but its digits are those of the file."""
    data = path.read_bytes()
    whole = numbers(parse(data)) | {0.0, 1.0}
    scaled = {round(value * factor, 3) for value in whole for factor in (1e-6, 1e-3, 1, 1e3, 1e6)}
    lines = data.split(b"\n")
    dice = random.Random(path.name)
    for _ in range(20):
        dice.shuffle(lines)
        records = parse(b"\n".join(lines))
        sound(records)
        assert {round(value, 3) for value in numbers(records)} <= scaled
