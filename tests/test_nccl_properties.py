"""What must hold for every nccl-tests capture: no exception, no invented row, no changed row."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable

import pytest
from conftest import SAMPLES, problems_of, sample_files
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.formats import nccl_text
from ingest.nccl.records import NcclNote, NcclRow
from ingest.records import Problem, Record, Run

TEXTS = {path.name: path.read_bytes() for path in sample_files("nccl_text")}
Measured = tuple[int, str | None, str | None, str | None]
Facts = tuple[int, int, int, str, int, float | None, float | None, float | None, float | None]


def parse(data: bytes) -> list[Record]:
    return list(nccl_text.parse(data, "capture.txt"))


def rows_of(records: Iterable[Record]) -> list[NcclRow]:
    return [record for record in records if isinstance(record, NcclRow)]


def measured(data: bytes) -> set[Measured]:
    return {
        (r.size_bytes, r.time_digits, r.algbw_digits, r.busbw_digits) for r in rows_of(parse(data))
    }


def facts(data: bytes) -> list[Facts]:
    """All that a row says, without its line."""
    return [
        (r.attempt, r.ordinal, r.cycle, r.placement, r.size_bytes, r.time_us, r.algbw_gbps,
         r.busbw_gbps, r.wrong)
        for r in rows_of(parse(data))
    ]  # fmt: skip


def statuses(data: bytes) -> list[str]:
    return [record.status for record in parse(data) if isinstance(record, Run)]


WHOLE = {name: measured(data) for name, data in TEXTS.items()}


@pytest.mark.parametrize("name", TEXTS)
def test_a_cut_text_gives_no_row_that_the_whole_one_has_not(name: str) -> None:
    data = TEXTS[name]
    for place in range(0, len(data), 97):
        assert measured(data[:place]) <= WHOLE[name], f"cut behind byte {place}"
        assert measured(data[place:]) <= WHOLE[name], f"cut before byte {place}"


@pytest.mark.parametrize("name", ["blank_redop.txt", "timestamps.txt", "per_iteration.txt"])
def test_a_cut_anywhere_in_a_row_stores_the_row_whole_or_not_at_all(name: str) -> None:
    data = TEXTS[name]
    whole = {fact[3:] for fact in facts(data)}
    first = data.index(b"\n     1048576")
    for place in range(first, first + 2 * (data.index(b"\n", first + 1) - first)):
        assert {fact[3:] for fact in facts(data[:place])} <= whole, f"cut behind byte {place}"
        assert {fact[3:] for fact in facts(data[place:])} <= whole, f"cut before byte {place}"


@pytest.mark.parametrize("name", TEXTS)
def test_a_row_that_is_cut_is_said_to_be_lost(name: str) -> None:
    data = TEXTS[name]
    lines = {row.line for row in rows_of(parse(data))}
    last = max(lines, default=0)
    if last == 0 or name == "alltoallv_summary_splits_row.txt":
        return
    start = sum(len(line) + 1 for line in data.split(b"\n")[: last - 1])
    for length in range(20, 60, 7):
        records = parse(data[: start + length])
        assert last in [p.line for p in problems_of(records)], f"silent behind {length} bytes"
        assert last not in [row.line for row in rows_of(records)]


@pytest.mark.parametrize("name", TEXTS)
def test_shuffled_lines_give_no_new_row(name: str) -> None:
    lines = TEXTS[name].splitlines(keepends=True)
    for seed in range(20):
        random.Random(seed).shuffle(lines)
        assert measured(b"".join(lines)) <= WHOLE[name]


@pytest.mark.parametrize("second", TEXTS)
@pytest.mark.parametrize("first", TEXTS)
def test_two_texts_line_by_line_give_no_new_row(first: str, second: str) -> None:
    one, two = (TEXTS[name].splitlines(keepends=True) for name in (first, second))
    mixed = [line for pair in zip(one, two, strict=False) for line in pair]
    shorter = min(len(one), len(two))
    mixed += one[shorter:] + two[shorter:]
    assert measured(b"".join(mixed)) <= WHOLE[first] | WHOLE[second]


def each_line(label: bytes | Callable[[int], bytes]) -> Callable[[bytes], bytes]:
    def labelled(data: bytes) -> bytes:
        lines = data.splitlines(keepends=True)
        at = label if callable(label) else lambda _: label
        return b"".join(at(number) + line for number, line in enumerate(lines))

    return labelled


def coloured(data: bytes) -> bytes:
    return re.sub(rb"(?m)^(.*?)(\r?)$", b"\x1b[32m\\1\x1b[0m\\2", data)


def container_log(data: bytes) -> bytes:
    lines = data.decode().splitlines(keepends=True)
    said = ({"log": line, "stream": "stdout", "time": "2026-07-09T16:03:00Z"} for line in lines)
    return "".join(json.dumps(each) + "\n" for each in said).encode()


def ansible(data: bytes) -> bytes:
    text = data.decode()
    said = {"changed": True, "stdout": text, "stdout_lines": text.splitlines()}
    return b"ok: [node01] => " + json.dumps(said).encode() + b"\n"


def pretty_ansible(data: bytes) -> bytes:
    text = data.decode()
    said = {"changed": True, "stdout": text, "stdout_lines": text.splitlines()}
    return b"ok: [node01] => " + json.dumps(said, indent=4).encode() + b"\n"


def label_at_each_write(data: bytes) -> bytes:
    """Hydra labels every write: a row has three."""
    rows = rb"(?m)^( +\d+ +\d+ +\w+ +(?:\w+ +)?-?\d+)( +\S+ +\S+ +\S+ +\S+)( +\S+ +\S+ +\S+ +\S+)$"
    return each_line(b"[0] ")(re.sub(rows, rb"\1[0] \2[0] \3", data))


LABELS: dict[str, Callable[[bytes], bytes]] = {
    "mpirun": each_line(b"[1,0]<stdout>:"),
    "mpirun_indented": each_line(b"   [1,0]<stdout>:"),
    "mpirun_timestamp": each_line(lambda n: b"Thu Jul  9 16:%02d:00 2026[1,0]<stdout>:" % (n % 60)),
    "srun": each_line(b"0: "),
    "srun_wide": each_line(b"  0: "),
    "pod_and_container": each_line(b"[pod/nccl-launcher-lnnrw/launcher] "),
    "kubectl_timestamps": each_line(lambda n: b"2026-02-16T02:00:%02d.5-07:00 " % (n % 60)),
    "kubectl_utc": each_line(lambda n: b"2026-02-16T02:00:%02d.123456789Z " % (n % 60)),
    "container_runtime": each_line(b"2026-02-16T02:00:00.123456789Z stdout F "),
    "stern": each_line(b"nccl-launcher-lnnrw launcher "),
    "compose": each_line(b"nccl-1  | "),
    "pals": each_line(b"node01.hsn.cluster 0: "),
    "hydra": label_at_each_write,
    "pdsh": each_line(b"node01: "),
    "ray": each_line(b"(head, rank=0, pid=3808) "),
    "ray_mpirun": each_line(b"(head, rank=0, pid=3808) [1,0]<stdout>:"),
    "date_time": each_line(lambda n: b"[2026-04-28 14:14:%02d] " % (n % 60)),
    "syslog": each_line(lambda n: b"Aug  6 09:33:%02d node01 nccl[812]: " % (n % 60)),
    "logger": each_line(lambda n: b"2026-04-28 14:14:%02d,123 - INFO - " % (n % 60)),
    "bullet": each_line(b"* "),
    "bullet_sign": each_line("\N{BULLET} ".encode()),
    "indentation": each_line(b"        "),
    "tab": each_line(b"\t"),
    "quoted": each_line(b"> "),
    "quoted_twice": each_line(b"> > "),
    "code": each_line(b"    > "),
    "colours": coloured,
    "crlf": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "bom": lambda data: b"\xef\xbb\xbf" + data,
    "utf16": lambda data: data.decode().encode("utf-16"),
    "container_log": container_log,
    "ansible": ansible,
    "pretty_ansible": pretty_ansible,
}


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("name", TEXTS)
def test_a_label_on_every_line_changes_no_row(name: str, label: str) -> None:
    data = TEXTS[name]
    labelled = LABELS[label](data)
    assert facts(labelled) == facts(data)
    assert statuses(labelled) == statuses(data)
    assert nccl_text.claims(labelled, "capture.txt")
    if "ansible" not in label:
        before, after = problems_of(parse(data)), problems_of(parse(labelled))
        assert [problem.line for problem in after] == [problem.line for problem in before]


@pytest.mark.parametrize("label", ["mpirun", "srun", "ray", "kubectl_utc"])
def test_lines_of_other_processes_between_the_rows_change_nothing(label: str) -> None:
    for name in ("blank_redop.txt", "timestamps.txt", "cpu_time.txt"):
        data = LABELS[label](TEXTS[name])
        noise = LABELS[label](
            b"node02:77:78 [3] NCCL INFO comm 0x7f9c rank 3 nranks 8 busId f5000\n"
        )
        lines = data.splitlines(keepends=True)
        assert facts(noise.join(lines)) == facts(data)


def test_a_debug_line_inside_a_row_loses_nothing() -> None:
    for name in ("blank_redop.txt", "min_bw_failed.txt"):
        data = TEXTS[name]
        noise = rb"node02:77:78 [3] NCCL INFO 1048576 Bytes -> Algo 1 proto 2 time 25.495272\n"
        rows = (
            rb"(?m)^( +\d+ +\d+ +\w+ +(?:\w+ +)?-?\d+)( +\S+ +\S+ +\S+ +\S+)( +\S+ +\S+ +\S+ +\S+)$"
        )
        assert facts(re.sub(rows, rb"\1" + noise + rb"\2\3", data)) == facts(data)
        assert facts(re.sub(rows, rb"\1" + noise + rb"\2" + noise + rb"\3", data)) == facts(data)
        assert facts(re.sub(rows, rb"\1\2" + noise + rb"\3", data)) == facts(data)


PIECES = [
    b"# nThread 1 nGpus 8 minBytes 8 maxBytes 128 step: 2(factor) warmup iters: 5 iters: 20\n",
    b"#       size         count      type   redop    root     time   algbw   busbw #wrong     time"
    b"   algbw   busbw #wrong\n",
    b"     1048576        262144     float     sum      -1    27.49   38.14   66.75      0    27.76"
    b"   37.77   66.09      0\n",
    b"     1048576        262144     float     sum      -1", b"    27.49   38.14   66.75      0",
    b"# Out of bounds values : 0 OK\n", b"# Avg bus bandwidth    : nan \n", b"...\n", b"\n", b"\r",
    b"#  Rank  0 Group  0 Pid   4000 on     node01 device  0 [0000:10:00] NVIDIA H100\n",
    b"node01: Test NCCL failure common.cu:1204 'x'\n", b"[0] ", b"\x1b[32m", b"\\n",
    b'{"stdout": "',
    b"\xff\xfe", b"\x00", b"time algbw busbw", b"size count type time algbw busbw error", b"1e400 ",
    b"99999999999999999999 9 float sum -1 1 1 1 0 1 1 1 0\n", b"N/A ", b"nan ", b"inf ", b"XXX.XX ",
    b'"stdout_lines": [', b"node01:1:2 [0] NCCL INFO ", b"# error: ", b"-1", b" ", b"#",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=12)), max_size=25))
def test_no_bytes_raise(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    nccl_text.claims(data, "")
    lines = data.count(b"\n") + 1
    for record in parse(data):
        json.dumps(repr(record)).encode()
        if isinstance(record, Problem):
            assert record.remedy
            assert record.line is None or record.line <= lines
        elif isinstance(record, NcclRow | NcclNote):
            assert 1 <= record.line <= lines


def test_the_samples_are_here() -> None:
    assert len(TEXTS) == 16
    assert sum(len(rows) > 0 for rows in WHOLE.values()) == 15
    assert (SAMPLES / "nccl_text" / "device_list_cut.txt").is_file()
