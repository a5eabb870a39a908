"""Terse output of fio, versions 2 to 5: exact numbers of real files, and what is lost."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path
from typing import Any, TypeVar

import pytest
from conftest import ROOT, SAMPLES, problems_of, sample_files

from ingest.fio.records import (
    FioDisk,
    FioEntry,
    FioLatPercentile,
    FioLatSummary,
    FioOutput,
    FioTransfer,
)
from ingest.fio.terse_line import terse_line
from ingest.formats import fio_terse
from ingest.records import Record, Row, Run

OWN = ROOT.parent / "shared" / "corpus" / "own" / "fio"
T = TypeVar("T")


def parse(data: bytes) -> list[Record]:
    return list(fio_terse.parse(data, "out.txt"))


def sample(name: str) -> list[Record]:
    data = (SAMPLES / "fio_terse" / name).read_bytes()
    assert fio_terse.claims(data, name)
    return parse(data)


def of(records: list[Record], kind: type[T]) -> list[T]:
    return [record for record in records if isinstance(record, kind)]


def moved(records: list[Record]) -> list[tuple[int, str, float | None, float | None, float | None]]:
    return [
        (row.entry, row.direction, row.bytes_moved, row.runtime_ms, row.iops)
        for row in of(records, FioTransfer)
        if row.bytes_moved
    ]


def statuses(records: list[Record]) -> list[tuple[str, bool]]:
    return [(run.status, run.is_last) for run in of(records, Run)]


def line_of(name: str, number: int = 1) -> str:
    return (SAMPLES / "fio_terse" / name).read_text().split("\n")[number - 1]


# what a line says


def test_version_4_says_kib_kib_per_second_and_microseconds() -> None:
    records = sample("terse_v4.txt")
    read, write, trim = of(records, FioTransfer)
    assert (read.bytes_moved, read.bandwidth_bps) == (78520 * 1024, 39240 * 1024)
    assert (read.iops, read.runtime_ms, read.ios, read.short_ios) == (9810, 2001, None, None)
    assert (write.bytes_moved, write.iops) == (78644 * 1024, 9825)
    assert (trim.direction, trim.bytes_moved, trim.runtime_ms) == ("trim", 0, 0)
    summaries = {(row.direction, row.kind): row for row in of(records, FioLatSummary)}
    assert set(summaries) == {(d, k) for d in ("read", "write") for k in ("slat", "clat", "lat")}
    clat = summaries["read", "clat"]
    assert (clat.min_ns, clat.max_ns, clat.mean_ns) == (2_000, 21_667_000, 123_255.246)
    assert (clat.stddev_ns, clat.samples) == (638_912.615, None)
    assert summaries["write", "lat"].mean_ns == 253_811.669
    percentiles = {
        (row.direction, row.percentile): row.value_ns for row in of(records, FioLatPercentile)
    }
    assert len(percentiles) == 2 * 17  # 20 fields, of which three are "0%=0"; trim has none
    assert percentiles["read", 99.99] == 21_364_000
    assert percentiles["write", 50] == 90_000
    (entry,) = of(records, FioEntry)
    assert (entry.name, entry.error, entry.usr_cpu_pct, entry.sys_cpu_pct) == ("terse", 0, 3.05, 36)
    assert json.loads(entry.depth_shares or "")["4"] == 100
    (disk,) = of(records, FioDisk)
    assert (disk.name, disk.read_ios, disk.write_ios, disk.util_pct) == ("vda", 17959, 17961, 49.57)
    (output,) = of(records, FioOutput)
    assert (output.version, output.form, output.is_rounded) == ("fio-3.33", "terse", False)
    assert (output.is_client_server, output.clients_named, output.time_s) == (False, None, None)
    assert statuses(records) == [("success", True)]
    assert not problems_of(records)


def test_version_3_of_fio_2_1_has_no_trim() -> None:
    records = sample("v2_1_3_terse3.txt")
    assert moved(records) == [
        (1, "read", 68444 * 1024, 2004, 8538),
        (1, "write", 68332 * 1024, 2004, 8524),
    ]
    assert len(of(records, FioTransfer)) == 2
    assert of(records, FioOutput)[0].version == "fio-2.1.3"


def test_version_2_has_no_fio_version_and_its_description_on_the_next_line() -> None:
    records = sample("terse_v2_desc.txt")
    (entry,) = of(records, FioEntry)
    assert (entry.name, entry.description) == ("t2", "desc on second line")
    assert of(records, FioOutput)[0].version is None
    assert of(records, FioOutput)[0].last_line == 2
    assert moved(records) == [(1, "read", 188828 * 1024, 2001, 23591)]


def test_version_5_with_unified_both_has_a_fourth_block() -> None:
    records = sample("terse_v5_unified_both.txt")
    assert moved(records) == [
        (1, "read", 77052 * 1024, 2001, 9626),
        (1, "write", 77588 * 1024, 2001, 9693),
        (1, "mixed", 154640 * 1024, 2001, 19320),
    ]
    mixed = [row for row in of(records, FioLatSummary) if row.direction == "mixed"]
    assert {row.kind: row.mean_ns for row in mixed} == {
        "slat": 22_659.789, "clat": 389_783.055, "lat": 412_442.844,
    }  # fmt: skip


def test_one_block_alone_is_mixed() -> None:
    """unified_rw_reporting=mixed prints a single block, whatever the version."""
    fields = line_of("terse_v4.txt").split(";")
    for version, kept in (("3", fields[:46]), ("4", fields[:46])):
        line = ";".join([version, *kept[1:], *fields[5 + 3 * 41 :]])
        assert moved(parse(line.encode() + b"\n")) == [(1, "mixed", 78520 * 1024, 2001, 9810)]


def test_semicolons_in_name_and_description() -> None:
    records = sample("terse_v3_numjobs4_desc.txt")
    entries = of(records, FioEntry)
    assert [(row.entry, row.line, row.name, row.description) for row in entries] == [
        (number, number, "t;semi colon", 'a; description, with "quotes"') for number in range(1, 5)
    ]
    assert [row[2] for row in moved(records)] == [
        kib * 1024 for kib in (90656, 89288, 91884, 91568)
    ]
    assert len(of(records, FioDisk)) == 1  # each line repeats it
    assert len(of(records, FioOutput)) == 1
    assert statuses(records) == [("success", True)]


def test_names_that_look_like_fields() -> None:
    line = line_of("terse_v4.txt").replace(";terse;0;0;", ";1;2;3.5;4%;0;0;")
    (entry,) = of(parse(line.encode() + b"\n"), FioEntry)
    assert (entry.name, entry.group_id, entry.error) == ("1;2;3.5;4%", 0, 0)


def test_an_error_makes_the_run_fail() -> None:
    records = sample("enospc_28_terse.txt")
    assert of(records, FioEntry)[0].error == 28
    assert moved(records) == [(1, "write", 8192 * 1024, 17, 3823)]
    assert statuses(records) == [("failed", True)]
    idle = [
        row for row in of(records, FioLatSummary) if row.direction == "read" or row.kind == "slat"
    ]
    assert idle == []  # not measured, not 0
    assert {row.direction for row in of(records, FioLatPercentile)} == {"write"}


@pytest.mark.parametrize(
    ("tail", "total", "first", "description"),
    [
        ("", None, None, None),
        (";3;5", 3, 5, None),
        (";3;5;a;b", 3, 5, "a;b"),
        (";a;1", None, None, "a;1"),
    ],
)
def test_errors_and_description_behind_the_disks(
    tail: str, total: int | None, first: int | None, description: str | None
) -> None:
    records = parse((line_of("terse_v4.txt") + tail + "\n").encode())
    (entry,) = of(records, FioEntry)
    assert (entry.total_errors, entry.first_error, entry.description) == (total, first, description)
    assert statuses(records) == [("failed" if total else "success", True)]
    assert len(of(records, FioDisk)) == 1


def test_several_disks() -> None:
    line = line_of("terse_v4.txt")
    records = parse((line + line[line.index(";vda") :].replace("vda", "sdb") + "\n").encode())
    assert [row.name for row in of(records, FioDisk)] == ["vda", "sdb"]
    assert of(records, FioEntry)[0].description is None


# documents and runs


def test_status_interval_lines_are_snapshots_of_one_run() -> None:
    records = sample("terse_status_interval.txt")
    outputs = of(records, FioOutput)
    assert [(row.snapshot, row.is_last) for row in outputs] == [
        (1, False), (2, False), (3, False), (4, False), (5, True),
    ]  # fmt: skip
    assert [(row.snapshot, row.bytes_moved) for row in of(records, FioTransfer) if row.iops] == [
        (number, kib * 1024)
        for number, kib in enumerate((44080, 105760, 192128, 292512, 311644), start=1)
    ]
    assert statuses(records) == [("success", True)]


def test_snapshots_of_two_jobs_alternate() -> None:
    lines = [line_of("terse_status_interval.txt", number) for number in range(1, 6)]
    both = [line.replace(";si;0;", f";{name};0;") for line in lines for name in ("a", "b")]
    records = parse("\n".join(both).encode() + b"\n")
    assert len(of(records, FioOutput)) == 5
    entries = [(row.snapshot, row.entry, row.name) for row in of(records, FioEntry)]
    assert entries[:3] == [(1, 1, "a"), (1, 2, "b"), (2, 1, "a")]


def test_a_snapshot_that_breaks_off_leaves_the_one_before_as_the_result() -> None:
    data = (SAMPLES / "fio_terse" / "terse_status_interval.txt").read_bytes()
    cut = data[: data.rindex(b";vda") - 60]
    records = parse(cut)
    assert [(row.snapshot, row.is_last) for row in of(records, FioOutput)][-1] == (4, True)
    assert statuses(records) == [("unfinished", True)]
    (problem,) = problems_of(records)
    assert problem.line == 5
    assert "the broken one is not stored" in problem.reason


def test_runs_appended_to_one_file_are_told_apart() -> None:
    first, second = line_of("terse_v3_numjobs4_desc.txt"), line_of("v2_1_3_terse3.txt")
    other = line_of("terse_v4.txt")
    same = other.replace(";vda;17959;17961;", ";vda;100;200;").replace(";78520;", ";70000;")
    for lines, runs in (([first, second], 2), ([other, same], 2), ([other, other], 1)):
        records = parse("\n".join(lines).encode() + b"\n")
        assert statuses(records) == [("success", number == runs) for number in range(1, runs + 1)]
        assert len(of(records, FioEntry)) == 2


def test_lines_without_disks_cannot_tell_clones_from_runs() -> None:
    line = line_of("terse_v2_desc.txt")
    records = parse(f"{line}\n{line.replace(';188828;', ';180000;')}\n".encode())
    assert [row.entry for row in of(records, FioEntry)] == [1, 2]
    (problem,) = problems_of(records)
    assert (problem.line, problem.severity) == (1, "info")
    assert "no disks tell runs apart" in problem.reason


def test_append_terse_is_read_once_with_the_options_of_the_job_line() -> None:
    records = sample("normal_append_terse.txt")
    (entry,) = of(records, FioEntry)
    assert json.loads(entry.options or "") == {
        "rw": "randread", "bs": "4096", "ioengine": "libaio", "iodepth": "4",
    }  # fmt: skip
    assert moved(records) == [(1, "read", 164692 * 1024, 2001, 20576)]
    (problem,) = problems_of(records)
    assert (problem.line, problem.severity) == (6, "info")
    assert "not read twice" in problem.reason


def test_append_terse_of_two_runs_in_one_file() -> None:
    data = (SAMPLES / "fio_terse" / "normal_append_terse.txt").read_bytes()
    second = data.replace(b"164692", b"160000").replace(b";38716;", b";38000;")
    records = parse(data + second)
    assert [(row[0], row[2]) for row in moved(records)] == [(1, 164692 * 1024), (1, 160000 * 1024)]
    assert [row.attempt for row in of(records, FioEntry)] == [1, 2]
    assert [(run.first_line, run.last_line) for run in of(records, Run)] == [(4, 4), (37, 37)]


def test_a_banner_begins_a_new_run() -> None:
    line = line_of("terse_v2_desc.txt")
    job = "t2: (g=0): rw=randread, bs=(R) {}B-{}B, ioengine=libaio, iodepth=4\nfio-3.33\n"
    text = "".join(job.format(size, size) + line + "\n" for size in (4096, 8192))
    records = parse(text.encode())
    assert statuses(records) == [("success", False), ("success", True)]
    assert [json.loads(row.options or "")["bs"] for row in of(records, FioEntry)] == [
        "4096",
        "8192",
    ]
    assert [row.version for row in of(records, FioOutput)] == ["fio-3.33"] * 2
    assert not problems_of(records)


# client/server


def test_clients_with_disks_on_lines_of_their_own() -> None:
    records = sample("v342_2clients_terse.txt")
    entries = of(records, FioEntry)
    assert [(row.line, row.name, row.is_total) for row in entries] == [
        (8, "seqread", False), (11, "seqread", False), (13, "All clients", True),
    ]  # fmt: skip
    assert [row[2] for row in moved(records)] == [kib * 1024 for kib in (768640, 772608, 1541248)]
    disks = [(row.line, row.name, row.read_ios) for row in of(records, FioDisk)]
    assert disks == [(9, "vda", 4586), (12, "vda", 4627)]
    (output,) = of(records, FioOutput)
    assert (output.is_client_server, output.clients_named) == (True, None)
    assert json.loads(entries[0].options or "")["bs"] == "128k"
    assert entries[2].options is None


def test_clients_of_2_21_with_a_host_glued_to_the_disk() -> None:
    records = sample("v221_2clients_terse.txt")
    assert [row.hostname for row in of(records, FioEntry)] == ["vm", "vm", None]
    assert [(row.line, row.util_pct) for row in of(records, FioDisk)] == [(12, 93.73), (17, 94.57)]
    assert of(records, FioOutput)[0].clients_named == 2
    assert statuses(records) == [("success", True)]


def test_a_server_that_is_late_belongs_to_the_same_run() -> None:
    lines = (SAMPLES / "fio_terse" / "v342_2clients_terse.txt").read_text().split("\n")
    late = [*lines[:5], *lines[6:9], lines[5], *lines[9:]]
    assert late[8] == "Starting 2 processes"
    records = parse("\n".join(late).encode())
    assert [row.is_total for row in of(records, FioEntry)] == [False, False, True]
    assert statuses(records) == [("success", True)]


# what is lost


def test_a_line_that_breaks_off_keeps_what_is_certain() -> None:
    records = sample("terse_v3_cut.txt")
    assert moved(records) == [
        (1, "read", 29396 * 1024, 2004, 3667),
        (1, "write", 29572 * 1024, 2004, 3689),
    ]
    write = [row for row in of(records, FioLatSummary) if row.direction == "write"]
    assert [row.kind for row in write] == ["slat", "clat"]
    percentiles = [row for row in of(records, FioLatPercentile) if row.direction == "write"]
    assert [(row.percentile, row.value_ns) for row in percentiles] == [
        (1, 2_000), (5, 60_000), (10, 73_000), (20, 86_000),
    ]  # fmt: skip
    assert of(records, FioOutput)[0].is_complete is False
    assert of(records, FioEntry)[0].usr_cpu_pct is None
    assert statuses(records) == [("unfinished", True)]
    (problem,) = problems_of(records)
    assert (problem.line, problem.severity) == (1, "warning")


def test_a_shell_that_strips_the_last_line_end_loses_nothing() -> None:
    data = (SAMPLES / "fio_terse" / "terse_v4.txt").read_bytes()
    assert parse(data.rstrip(b"\n")) == parse(data)


@pytest.mark.parametrize(
    ("tail", "is_complete", "total", "first", "description"),
    [
        (";3;5", True, 3, None, None),  # of 5 digits may be lost
        (";3", False, None, None, None),
        (";3;5;a b", True, 3, 5, "a b"),
        (";a b", True, None, None, "a b"),
        (";sdb;1795", False, None, None, None),
        (";sdb;1;2;3;4;5;6;7;94.5", False, None, None, None),
    ],
)
def test_a_cut_behind_the_disks(
    tail: str, is_complete: bool, total: int | None, first: int | None, description: str | None
) -> None:
    records = parse((line_of("terse_v4.txt") + tail).encode())
    (entry,) = of(records, FioEntry)
    assert (entry.total_errors, entry.first_error, entry.description) == (total, first, description)
    assert of(records, FioOutput)[0].is_complete is is_complete
    assert len(problems_of(records)) == (not is_complete)
    assert len(of(records, FioDisk)) == 1


def test_a_cut_in_the_first_block_does_not_show_its_direction() -> None:
    line = line_of("terse_v4.txt")
    records = parse(line[: line.index(";95.000000%")].encode())
    assert of(records, FioTransfer) == []
    assert [row.name for row in of(records, FioEntry)] == ["terse"]
    assert statuses(records) == [("unfinished", True)]


def test_a_cut_behind_the_blocks_keeps_them() -> None:
    line = line_of("v2_1_3_terse3.txt")
    records = parse(line[: line.index(";27.658512%")].encode())
    assert [row[:3] for row in moved(records)] == [
        (1, "read", 68444 * 1024), (1, "write", 68332 * 1024),
    ]  # fmt: skip
    assert of(records, FioEntry)[0].usr_cpu_pct is None
    fields = line.split(";")
    mixed = ";".join(fields[:46] + fields[87:90])
    assert [row[1] for row in moved(parse(mixed.encode()))] == ["mixed"]


def test_a_damaged_line_keeps_only_whole_blocks() -> None:
    fields = line_of("terse_v4.txt").split(";")
    for lost, kept in ((7, []), (48, ["read"]), (60, ["read"]), (90, ["read", "write"])):
        records = parse(";".join(fields[:lost] + fields[lost + 1 :]).encode() + b"\n")
        assert [row[1] for row in moved(records)] == kept[: len(moved(records))], lost
        assert problems_of(records), lost
    changed = [*fields[:60], "x", *fields[61:]]
    records = parse(";".join(changed).encode() + b"\n")
    assert problems_of(records)[0].line == 1


def test_every_damaged_line_is_reported() -> None:
    text = (SAMPLES / "fio_terse" / "terse_status_interval.txt").read_text()
    lines = text.split("\n")
    for number in (1, 3):
        lines[number] = lines[number].replace(";0.1%;0.1%;", ";0.1%;0.1;")
    records = parse("\n".join(lines).encode())
    assert [problem.line for problem in problems_of(records)] == [2, 4]
    assert [row.is_complete for row in of(records, FioOutput)] == [True, False, True, False, True]
    assert len(moved(records)) == 5
    assert statuses(records) == [("success", True)]


def test_a_line_that_cannot_be_told_is_a_problem_and_no_number() -> None:
    for text in (b"3;fio-3.33;terse;0;0;29396;14668", b"3;fio-3.33;x\n", b"3;fio-;\n"):
        records = parse(text)
        assert not of(records, FioEntry)
        assert problems_of(records)[-1].severity == "error"


# JSON and terse of one run


def documents(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON document of a file, and the file with blank lines in its place."""
    text = data.decode()
    start = next(found.start() for found in re.finditer(r"^\{", text, re.MULTILINE))
    document, end = json.JSONDecoder(strict=False).raw_decode(text, start)
    blank = "\n" * text.count("\n", start, end)
    return document, (text[:start] + blank + text[end:]).encode()


def test_json_and_terse_of_one_run_agree() -> None:
    path = OWN / "formats" / "json_terse_mixed.txt"
    if not path.is_file():
        pytest.skip(f"the corpus is not here: {path}")
    document, text = documents(path.read_bytes())
    records = parse(text)
    (job,) = document["jobs"]
    said = job["read"]
    row = of(records, FioTransfer)[0]
    assert row.bytes_moved == said["io_bytes"] == 178536 * 1024
    assert row.bandwidth_bps == said["bw"] * 1024
    assert row.iops == math.floor(said["iops"])
    assert row.runtime_ms == said["runtime"]
    for summary in of(records, FioLatSummary):
        same = said[f"{summary.kind}_ns"]
        assert summary.mean_ns == pytest.approx(same["mean"], abs=0.001)
        assert summary.stddev_ns == pytest.approx(same["stddev"], abs=0.001)
        assert (summary.min_ns, summary.max_ns) == (
            same["min"] // 1000 * 1000, same["max"] // 1000 * 1000,
        )  # fmt: skip
    percentiles = of(records, FioLatPercentile)
    assert len(percentiles) == len(said["clat_ns"]["percentile"]) == 17
    for percentile in percentiles:
        same = said["clat_ns"]["percentile"][f"{percentile.percentile:f}"]
        assert percentile.value_ns == same // 1000 * 1000
    disk, util = of(records, FioDisk)[0], document["disk_util"][0]
    assert (disk.read_ios, disk.write_ios) == (util["read_ios"], util["write_ios"])


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(OWN.glob("*/*terse*.txt")) if "json" not in path.name],
    ids=lambda path: str(path.relative_to(OWN)),
)
def test_every_terse_file_of_the_corpus_is_read_to_the_last_field(path: Path) -> None:
    data = path.read_bytes()
    assert fio_terse.claims(data, path.name)
    lines = [line for line in data.decode().split("\n") if re.match("[2-5];", line)]
    records = parse(data)
    if "append" not in path.name:
        assert len(of(records, FioEntry)) == len(lines)
    if "cut" not in path.name:
        assert all(problem.severity == "info" for problem in problems_of(records))
        assert all(row.is_complete for row in of(records, FioOutput))
        for line in lines:
            read = terse_line(line, is_ended=True)
            assert read is not None
            assert read.is_complete
    for row in of(records, FioTransfer):  # fio's own arithmetic
        if row.bytes_moved and row.runtime_ms and row.bandwidth_bps:
            rate = row.bytes_moved * 1000 / row.runtime_ms
            assert row.bandwidth_bps == pytest.approx(rate, rel=0.01, abs=2048)


# properties


@pytest.mark.parametrize("path", sample_files("fio_terse"), ids=lambda path: path.name)
def test_line_ends_quoting_and_encoding_change_nothing(path: Path) -> None:
    data = path.read_bytes()
    whole = parse(data)
    assert parse(data.replace(b"\n", b"\r\n")) == whole
    quoted = b"".join(b"> " + line for line in data.splitlines(keepends=True))
    assert parse(quoted) == whole
    assert fio_terse.claims(quoted, path.name)
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
    last = 0
    for record in records:
        json.dumps(repr(record)).encode()
        if isinstance(record, Run):
            last += 1
            assert record.attempt == last
    assert [run.is_last for run in of(records, Run)] == [False] * (last - 1) + [True] * (last > 0)


@pytest.mark.parametrize("path", sample_files("fio_terse"), ids=lambda path: path.name)
def test_no_cut_and_no_order_of_lines_invents_a_number(path: Path) -> None:
    data = path.read_bytes()
    whole = numbers(parse(data))
    for place in range(0, len(data), 97):
        for part in (data[:place], data[place:]):
            records = parse(part)
            sound(records)
            assert len(problems_of(records)) + len(of(records, Run)) > 0
            assert numbers(records) <= whole | {0.0, 1.0}, place
    dice = random.Random(path.name)
    lines = data.split(b"\n")
    for _ in range(30):
        dice.shuffle(lines)
        records = parse(b"\n".join(lines))
        sound(records)
        assert numbers(records) <= whole | {0.0, 1.0}
