"""What the two kinds of fio log share: the name of the file, whole lines, damaged lines.

Source: `init.c` (`make_filename`), `client.c` and `iolog.c` of axboe/fio: `NAME_MEASURE.JOB.log`,
without the job for `per_job_logs=0` and before 2.2; `.log.fz` where `log_store_compressed` is set;
client/server mode appends the host.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import get_args

from ingest.fio.records import Measure
from ingest.lines import as_utf8, readable
from ingest.records import Problem

MEASURES = "clat_hist|bw|iops|slat|clat|lat"
NAMED_BY_FIO = re.compile(
    rf"(?P<name>.*)_(?P<measure>{MEASURES})(?:\.(?P<job>\d{{1,9}}))?"
    r"\.log(?P<stored>\.fz)?(?:\.(?P<host>[\w.:%-]+))?",
    re.S,
)
RENAMED = re.compile(rf"(?<![^_.-])(?:{MEASURES})(?=[_.-])")
FOLDER = re.compile(r"[/\\!]")

CHUNK_BYTES = 1 << 18
PROBLEMS_AT_MOST = 20
RERUN = "load the complete log, or run the job again"
REPAIR = "take the line out of a copy of the log and load the copy, or run the job again"


@dataclass(frozen=True, slots=True)
class LogFile:
    """What the name of a log says. `is_certain` is False for a file that somebody renamed."""

    measure: Measure
    log_name: str
    job: int | None
    host: str | None
    is_stored: bool
    is_certain: bool


def log_file(path: str) -> LogFile | None:
    """What the name says; None when it does not name exactly one measure."""
    name = FOLDER.split(path)[-1]
    if found := NAMED_BY_FIO.fullmatch(name):
        job = int(found["job"]) if found["job"] else None
        return LogFile(
            _measure(found["measure"]),
            found["name"],
            job,
            found["host"],
            bool(found["stored"]),
            True,
        )
    measures = {_measure(text) for text in RENAMED.findall(name)}
    if len(measures) == 1 and name.endswith(".log"):
        return LogFile(measures.pop(), name.removesuffix(".log"), None, None, False, False)
    return None


def _measure(text: str) -> Measure:
    return next(measure for measure in get_args(Measure) if measure == text)


def whole_lines(data: bytes) -> tuple[bytes, bytes]:
    """The lines that are ended, in UTF-8 with LF, and what stands behind the last line end.

    fio ends every line, so a rest is a line that was cut.
    """
    text = as_utf8(data).replace(b"\r\n", b"\n")
    end = text.rfind(b"\n") + 1
    return text[:end], text[end:]


def chunks(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Pieces of whole lines, each with the number of its first line."""
    number, start = 1, 0
    while start < len(text):
        end = text.find(b"\n", start + CHUNK_BYTES) + 1 or len(text)
        yield number, text[start:end]
        number += text.count(b"\n", start, end)
        start = end


def width_of(text: bytes, is_known: Callable[[int], bool]) -> int | None:
    """The number of columns that most lines have, of those that are known; None for no line."""
    commas = text[: text.find(b"\n")].count(b",")
    if is_known(commas + 1) and text.count(b",") == commas * text.count(b"\n"):
        return commas + 1
    found: Counter[int] = Counter()
    for _, piece in chunks(text):
        found.update(map(bytes.count, piece.split(b"\n"), repeat(b",")))
    likely = [(count, commas + 1) for commas, count in found.items() if is_known(commas + 1)]
    return max(likely)[1] if likely else None


class Damage:
    """Problems of damaged lines: the first few one by one, then their number."""

    def __init__(self) -> None:
        self.lines = 0
        self.last = 0

    def line(self, number: int, text: bytes, reason: str) -> Iterator[Problem]:
        """The Problem of one line, unless there have been enough."""
        self.lines, self.last = self.lines + 1, number
        if self.lines <= PROBLEMS_AT_MOST:
            excerpt = readable(text[:400])
            yield Problem(number, "warning", f"a line is lost: {reason}", REPAIR, excerpt)

    def rest(self) -> Iterator[Problem]:
        """What was not said one by one."""
        more = self.lines - PROBLEMS_AT_MOST
        if more > 0:
            reason = f"... and {more} more lines are lost, the last is line {self.last}"
            yield Problem(self.last, "warning", reason, RERUN)


def cut_line(text: bytes, rest: bytes) -> Problem:
    """The Problem of a last line that has no end."""
    number, excerpt = text.count(b"\n") + 1, readable(rest[:400])
    reason = "the file ends inside this line: its last number may be short, so it is not read"
    return Problem(number, "warning", reason, RERUN, excerpt)


def empty_log() -> Problem:
    """The Problem of a log without a line."""
    reason = "the log is empty: fio was killed before it wrote it, or the job ended too soon"
    remedy = "let the job end by itself, and run longer than one window (log_avg_msec, else 500 ms)"
    return Problem(None, "warning", reason, remedy)
