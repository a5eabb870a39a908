"""Logs over time of fio: `write_bw_log`, `write_iops_log` and `write_lat_log`, every column layout.

Source: `iolog.c` of axboe/fio over its history and `HOWTO` ("Log File Formats"), run with 2.1.3 to
3.42. No log says which fio wrote it: what its columns cannot tell is left `undecided`, and the unit
of a latency (microseconds up to 2.x, nanoseconds from 2.99) is not judged here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import TypeVar

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
from ingest.fio.log_layout import LAYOUTS, Layout, any_rows, decide, rows, shapes
from ingest.fio.log_stored import as_text, unpack
from ingest.fio.records import Direction, FioLog, FioLogSample
from ingest.lines import as_utf8
from ingest.records import Problem, Record, Run, RunStatus

NAME = "fio_log"
DESCRIPTION = "fio log over time (bw, iops, slat, clat, lat), fio 2.1 to 3.42, plain or .log.fz"
VERSION = 1
RUN_KIND = "fio_log"

LATER = rb"(?:, (?:\d{1,20}|0x[0-9a-f]{4}))"
LOG_LINE = re.compile(
    rb"^\d{1,20}, \d{1,20}, "
    rb"(?:[0-2], \d{1,20}%b{0,3}|\d{1,20}, [0-2], \d{1,20}%b{1,3})\r?$" % (LATER, LATER),
    re.M,
)
START_OF_LINE = re.compile(rb"[\d, x]*")
DIRECTIONS: dict[bytes, Direction] = {b"0": "read", b"1": "write", b"2": "trim"}

RENAME = "call it NAME_bw.log, NAME_iops.log, NAME_lat.log, NAME_clat.log or NAME_slat.log"

T = TypeVar("T")
Numbers = Sequence[int]


def claims(head: bytes, name: str) -> bool:
    """True by name and content: `NAME_bw.1.log` with a line of a log in it, or nothing at all.

    A log that was renamed must end in .log, name its measure and hold lines of a log only.
    """
    log = log_file(name)
    if log is None or log.measure == "clat_hist":
        return False
    if log.is_stored:
        return True
    text = as_utf8(head)
    if log.is_certain:
        return bool(LOG_LINE.search(text) or START_OF_LINE.fullmatch(text.strip()))
    lines = text[: text.rfind(b"\n") + 1].split(b"\n")[:-1]
    return bool(lines) and all(LOG_LINE.fullmatch(line) for line in lines)


def parse(data: bytes, name: str) -> Iterator[Record]:
    """The FioLog, a sample for each line, a Run, and a Problem for all that was lost.

    Never raises, whatever the bytes. Lines of a stored log (.log.fz) are counted as
    `fio --inflate-log` prints them.
    """
    log = log_file(name)
    if log is None or log.measure == "clat_hist":
        yield Problem(None, "error", "the name does not say what this log measures", RENAME)
    elif log.is_stored and not LOG_LINE.search(data[:4096]):
        yield from _stored(log, data)
    else:
        yield from _plain(log, data, None)


def _stored(log: LogFile, data: bytes) -> Iterator[Record]:
    """A log in fio's own compressed form."""
    unpacked = unpack(data)
    if unpacked.lost:
        reason = f"{unpacked.lost}: what comes before it is kept"
        yield Problem(None, "warning" if unpacked.data else "error", reason, RERUN)
    if LOG_LINE.match(unpacked.data):
        yield from _plain(log, unpacked.data, None, bool(unpacked.lost))
    elif found := as_text(unpacked.data):
        yield from _plain(log, found[1], found[0], bool(unpacked.lost))
    elif unpacked.data:
        reason = "what it unpacks to are no samples of a fio that is known here"
        yield Problem(None, "error", reason, "unpack it with fio --inflate-log and load the text")
    elif not unpacked.lost:
        yield empty_log()


def _plain(
    log: LogFile, data: bytes, layout: Layout | None, is_short: bool = False
) -> Iterator[Record]:
    """A log as text. `layout` is None when its lines have to say it."""
    text, rest = whole_lines(data)
    if rest:
        yield cut_line(text, rest)
    if not text.strip():
        yield from () if rest else [empty_log()]
        return
    layout = layout or _layout(text)
    if layout is None:
        yield _unclear(text)
        return
    yield FioLog(
        1, 1, log.measure, log.log_name, log.job, log.host, len(layout), " ".join(layout),
        None, log.is_stored,
    )  # fmt: skip
    yield from _lines(text, layout)
    status: RunStatus = "unfinished" if rest or is_short else "success"
    yield Run(1, 1, text.count(b"\n"), status, is_last=True)


def _layout(text: bytes) -> Layout | None:
    """The layout that the lines show, None when they show none or more than one."""
    width = width_of(text, LAYOUTS.__contains__)
    if width is None or len(LAYOUTS[width]) == 1:
        return LAYOUTS[width][0] if width else None
    found: Counter[tuple[str, ...]] = Counter()
    lines = any_rows(width)
    for _, piece in chunks(text):
        columns, _ = lines.columns(piece)
        if columns[0]:
            found.update(shapes(columns))
    return decide(width, found) if found else None


def _unclear(text: bytes) -> Problem:
    width = width_of(text, LAYOUTS.__contains__)
    if width is None:
        return Problem(None, "error", "no line has the 4 to 8 numbers of a fio log", RERUN)
    reason = f"its {width} columns can be read in more than one way: no number is kept"
    return Problem(None, "error", reason, "write the log without log_window_value=both")


def _lines(text: bytes, layout: Layout) -> Iterator[Record]:
    """The samples, and Problems of the lines that do not fit the layout."""
    damage, fitting, odd = Damage(), rows(layout), set[bytes]()
    for first, piece in chunks(text):
        columns, lines = fitting.columns(piece)
        numbers: Numbers = range(first, first + len(columns[0]))
        if lines is not None:
            numbers = yield from _damaged(lines, first, layout, damage)
        named = dict(zip(layout, columns, strict=True))
        odd.update(named.get("undecided", ()))
        yield from _samples(named, numbers)
    yield from damage.rest()
    if odd - {b"0"}:
        reason = "a column may be the offset or the priority of the I/O: kept as undecided"
        yield Problem(1, "info", reason, "compare with the fio version: the priority is of 3.18")


def _damaged(
    lines: list[bytes], first: int, layout: Layout, damage: Damage
) -> Generator[Record, None, Numbers]:
    """Problems of the lines that do not fit; gives the numbers of those that do."""
    fitting, numbers = rows(layout).line, list[int]()
    for number, line in enumerate(lines, start=first):
        if fitting.fullmatch(line):
            numbers.append(number)
        elif line.strip():
            yield from damage.line(number, line, _reason(line, layout))
    return numbers


def _reason(line: bytes, layout: Layout) -> str:
    """Why a line does not fit the layout."""
    texts = line.split(b", ")
    if len(texts) != len(layout):
        return f"{len(texts)} columns instead of {len(layout)}"
    for name, text in zip(layout, texts, strict=True):
        if not rows((name,)).line.fullmatch(text):
            kind = "is negative" if text.startswith(b"-") else "is no such number"
            return f"its {name} {kind}"
    return "it is no line of a log"


def _samples(columns: Mapping[str, Sequence[bytes]], numbers: Numbers) -> Iterator[FioLogSample]:
    """One sample for each line; 0 where fio has nothing to say becomes None."""
    blocks, offsets = columns["block"], columns.get("offset")
    places: Iterable[float | None] = repeat(None)
    if offsets is not None:  # an averaged line has no block, and its offset is no place
        pairs = zip(offsets, blocks, strict=True)
        places = (None if block == b"0" else float(offset) for offset, block in pairs)
    return map(
        FioLogSample,
        numbers,
        repeat(1),
        map(float, columns["time"]),
        map(float, columns["value"]),
        _each(columns.get("max"), float),
        map(DIRECTIONS.__getitem__, columns["direction"]),
        _each(blocks, _positive),
        places,
        _each(columns.get("priority"), _priority),
        _each(columns.get("issue"), _positive),
        _each(columns.get("undecided"), float),
    )


def _each(texts: Sequence[bytes] | None, read: Callable[[bytes], T]) -> Iterable[T | None]:
    """The column, each text read once; nothing but None for a column that is not there."""
    if texts is None:
        return repeat(None)
    return map({text: read(text) for text in set(texts)}.__getitem__, texts)


def _positive(text: bytes) -> float | None:
    return float(text) or None


def _priority(text: bytes) -> int:
    return int(text, 16)
