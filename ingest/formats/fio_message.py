"""What fio said where it printed no result: refused jobs, unknown options, usage, bare errors.

Source: `log_err` and `log_info` of axboe/fio. Such a file has no numbers, and is told of so that
a failed run in a folder of results is not passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.fio.detect import TELLING, form, unwrapped
from ingest.fio.notes import notes, without_host
from ingest.lines import Line, readable
from ingest.records import Problem, Record, Severity

NAME = "fio_message"
DESCRIPTION = "words of fio without a result: errors, refused jobs, usage (axboe/fio)"
VERSION = 1
RUN_KIND = None

LEADING = ("refused", "killed", "interrupted", "disconnected", "verify", "error")
REMEDIES = (
    (r"engine .*not loadable|load engine|func=dlopen", "install the engine of fio that the job "
     "asks for, or choose another ioengine, and run again"),
    (r"(?:unrecognized|[Bb]ad|invalid|unknown) option|failed parsing",
     "mend the option in the job file or on the command line, and run again"),
    (r"No job\(s\) defined|fio \[options\]", "give fio a job file or --name, and run again"),
    (r"shm segment|connect", "see to it that every server runs and takes the job, and run again"),
    (r"^Jobs: ", "this is only the progress line: load the file that --output names"),
    (r"got signal|terminating", "the run was killed: run it again"),
    (r"No space left", "make room for the files of the job, and run again"),
    (r"^verify|verify failed", "what was read back is not what was written: check the storage"),
    (r"^hostname=|\(g=\d", "fio ended before its result, or the file is cut: run it again"),
)  # fmt: skip
RUN = "load the file that --output names; if there is none, run fio again"
LEAST_TELLING = (rb"Jobs: \d", rb"fio-\d", rb"hostname=")


def claims(head: bytes, name: str) -> bool:
    """True for text that holds fio's own words and no result in any form."""
    return form(head) == "message"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """One Problem with the most telling line, and what to do about it. Never raises.

    A progress line alone is no failure: it goes to the screen while the result goes to a file.
    """
    line = _telling(unwrapped(data).lines)
    if line is None:
        yield Problem(None, "error", "fio printed no result", RUN)
        return
    shown = readable(_own(line))
    remedy = next((then for said, then in REMEDIES if re.search(said, shown)), RUN)
    reason = f"fio printed no result, only: {shown[:150]}"
    severity: Severity = "info" if shown.startswith("Jobs: ") else "error"
    yield Problem(line.number, severity, reason, remedy, shown)


def _telling(lines: list[Line]) -> Line | None:
    """The line that says most: a refusal or an error before a banner or the progress."""
    by_number = {line.number: line for line in reversed(lines)}
    said = {note.kind: note.line for note in reversed(list(notes(lines, 1)))}
    for kind in LEADING:
        if kind in said:
            return by_number[said[kind]]
    return min(
        (line for line in lines if TELLING.match(_own(line))),
        key=lambda line: any(re.match(part, _own(line)) for part in LEAST_TELLING),
        default=None,
    )


def _own(line: Line) -> bytes:
    return without_host(line.text)[1].strip()
