"""Histogram logs of fio (`write_hist_log`): the completion latencies of each window, as bins.

Source: `flush_hist_samples` in `iolog.c` of axboe/fio, from 2.14 on. A line is `time, direction,
block` and the I/Os of every bin since the line before. What comes after the last whole window is
in no line, so the sum is a little less than the I/Os of the job.
"""

from __future__ import annotations

from collections.abc import Iterator

from ingest.fio.bins import log_bin_values_ns
from ingest.fio.log_files import (
    RERUN,
    Damage,
    LogFile,
    chunks,
    cut_line,
    empty_log,
    log_file,
    whole_lines,
    width_of,
)
from ingest.fio.records import Direction, FioLog, FioLogBin
from ingest.lines import as_utf8
from ingest.records import Problem, Record, Run, RunStatus

NAME = "fio_hist_log"
DESCRIPTION = "fio histogram log of completion latencies (write_hist_log), fio 2.14 to 3.42"
VERSION = 1
RUN_KIND = "fio_log"

COLUMNS_BEFORE_BINS = 3
LONGEST_NUMBER = 19  # a count over 2^63 is a negative one that was printed as unsigned
DIRECTIONS: dict[bytes, Direction] = {b"0": "read", b"1": "write", b"2": "trim"}


def claims(head: bytes, name: str) -> bool:
    """True for a name with clat_hist and a line of digits as wide as a histogram, or nothing."""
    log = log_file(name)
    if log is None or log.measure != "clat_hist":
        return False
    text = as_utf8(head).replace(b"\r\n", b"\n")
    if log.is_certain and (log.is_stored or not text.strip()):
        return True
    lines = text[: text.rfind(b"\n") + 1].split(b"\n")[:-1]
    return any(_values_ns(line.count(b",") + 1) and _fault(line, 0) is None for line in lines)


def parse(data: bytes, name: str) -> Iterator[Record]:
    """The FioLog, a FioLogBin for each bin that is not empty, a Run, and Problems.

    Never raises, whatever the bytes.
    """
    log = log_file(name)
    if log is None or log.measure != "clat_hist":
        reason = "the name does not say that this is a histogram log"
        yield Problem(None, "error", reason, "call it NAME_clat_hist.log")
        return
    text, rest = whole_lines(data)
    if log.is_stored and b"," not in text:
        reason = "a compressed histogram log: fio stores addresses of its memory, not the bins"
        yield Problem(None, "error", reason, "run the job again without log_store_compressed")
        return
    if rest:
        yield cut_line(text, rest)
    if text.strip():
        yield from _lines(log, text, is_cut=bool(rest))
    elif not rest:
        yield empty_log()


def _values_ns(columns: int) -> tuple[float, ...] | None:
    return log_bin_values_ns(columns - COLUMNS_BEFORE_BINS)


def _lines(log: LogFile, text: bytes, is_cut: bool) -> Iterator[Record]:
    width = width_of(text, lambda columns: _values_ns(columns) is not None)
    values = _values_ns(width) if width else None
    if width is None or values is None:
        yield Problem(None, "error", "no line has as many bins as a histogram of fio", RERUN)
        return
    yield FioLog(
        1, 1, log.measure, log.log_name, log.job, log.host, width, "time direction block bins",
        len(values), log.is_stored,
    )  # fmt: skip
    damage = Damage()
    for first, piece in chunks(text):
        for number, line in enumerate(piece.split(b"\n")[:-1], start=first):
            if fault := _fault(line, width):
                yield from damage.line(number, line, fault)
            elif line:
                yield from _bins(number, line, values)
    yield from damage.rest()
    status: RunStatus = "unfinished" if is_cut else "success"
    yield Run(1, 1, text.count(b"\n"), status, is_last=True)


def _fault(line: bytes, width: int) -> str | None:
    """What is wrong with a line, None for nothing; a blank line is no fault. `width` 0 is any."""
    if not line:
        return None
    texts = line.split(b", ")
    if width and len(texts) != width:
        return f"{len(texts)} columns instead of {width}"
    if not all(map(bytes.isdigit, texts)) or max(map(len, texts)) > LONGEST_NUMBER:
        return "a number in it is no count"
    return None if texts[1] in DIRECTIONS else "its direction is no such number"


def _bins(number: int, line: bytes, values_ns: tuple[float, ...]) -> Iterator[FioLogBin]:
    """The bins of one line that hold I/Os."""
    time, direction, block, *counts = line.split(b", ")
    for value_ns, count in zip(values_ns, counts, strict=True):
        if count != b"0" and (ios := float(count)):
            yield FioLogBin(
                number, 1, float(time), DIRECTIONS[direction], float(block) or None, value_ns, ios
            )
