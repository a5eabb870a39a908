"""MLPerf Training result logs of every round from v0.5 on.

Source of the grammars: mlcommons/logging (`mlperf_logging/mllog`, rule sets 0.6.0 to 6.1.0) and
the published results of rounds v0.5 to v5.1. Unlike the official parser every record of a line
is kept, line numbers are those of the file, and a record that is lost is reported.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

from ingest.lines import (
    Line,
    as_utf8,
    last_line,
    line_from,
    lines_with,
    rank_of,
    readable,
    without_rank,
)
from ingest.mlperf_records import DamagedRecordError, Fields, decode_fields
from ingest.mlperf_regular import FRAME, RegularRecords
from ingest.records import Event, Problem, Record, Run, RunStatus

NAME = "mlperf_log"
DESCRIPTION = "MLPerf Training result log, rounds v0.5 to v5.1 (mlcommons/logging)"
VERSION = 1
RUN_KIND = "mlperf_training"

MARKER = re.compile(rb":::ML(?:LOG|L(?= )|Pv0\.5\.0(?= ))")
SIGNATURE = MARKER
UNMARKED = re.compile(rb"(?<![^\s>:])MLPerf:(?= \S+ \[\d\d/\d\d/\d\d )")
# One damaged byte leaves the first or the second half of a marker whole; where all of it is gone
# the members of a record show. DAMAGED sees only text that holds no whole marker.
TOKENS = (b":::ML", b'LOG {"', b'"metadata"')
OLDER_TOKENS = (b"v0.5.0 ", b"MLPe", b"rf: ", b': {"value"')
DAMAGED = re.compile(
    rb':::ML|LOG ?\{"|v0\.5\.0 \S+ \d+\.\d|(?:MLPe|rf: ).{1,40}(?:\d/\d\d/\d\d |\d\d:\d\d:\d\d\])'
    rb'|\d \w+ ?: ?\{"value"|"(?:key|event_type|time_ms|lineno)":.*"metadata":'
    rb'|"metadata": ?\{.*"(?:key|event_type|time_ms|lineno|line_no)":'
)
RESULT_NAME = re.compile(r"(?:^|/)\.?(?:![^/]*!)?result_[^/]*\.txt$")
TRAINING = re.compile(r"(?:(?:epoch|block|eval)_(?:start|stop|accuracy)|run_stop|throughput)$")
HEADER = re.compile(r"cache_clear$|init_start$|submission_|run_clear_caches$")
RANKS_START_WITHIN_MS = 1_000.0
LAUNCH_TAKES_AT_MOST_MS = 60_000.0
SHORTEST_HALF = 4
LONGEST_SPLIT_LINES = 4
LONGEST_QUOTE_BYTES = 1 << 16

REPAIR = "mend the record in a copy of the log and load the copy, or run the benchmark again"
RERUN = "load the complete log, or run the benchmark again"
KEPT = "nothing to do: the record is kept"


def claims(head: bytes, name: str) -> bool:
    """True for text with an MLPerf marker, and for any file called result_*.txt."""
    if name.endswith(".json"):
        return False
    return RESULT_NAME.search(name) is not None or bool(_marks(as_utf8(head)))


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Events in file order, a Run for each attempt, and a Problem for all that was lost.

    Never raises, whatever the bytes. Nothing is sorted: clocks differ between nodes, and
    evaluations may be logged after run_stop by design.
    """
    events: list[Event] = []
    for record in _records(as_utf8(data)):
        if isinstance(record, Event):
            events.append(record)
        else:
            yield record
    boundaries = _relaunch_lines(events)
    yield from (_with_attempt(event, boundaries) for event in events) if boundaries else events
    yield from _runs(events, boundaries)


@dataclass(slots=True)
class _Reader:
    """Walks candidate lines; `done` is the byte up to which a split record has been read."""

    data: bytes
    done: int = 0
    last_number: int = 0
    tokens: tuple[bytes, ...] = TOKENS

    def body(self) -> Iterator[Event | Problem]:
        """The records, whole or damaged, of every line that may hold one."""
        if b":::MLLOG " not in self.data:
            self.tokens = TOKENS + OLDER_TOKENS
        regular = RegularRecords()
        start, number = 0, 1
        for found in FRAME.finditer(self.data):
            mark = found.start()
            begin = self.data.rfind(b"\n", start, mark) + 1 or start
            prefix = self.data[begin:mark]
            if prefix and DAMAGED.search(prefix):
                continue
            line = number + (self.data.count(b"\n", start, begin) if start < begin else 0)
            event = regular.event(found, line, rank_of(prefix) if prefix else None)
            if event is None:
                continue
            if start < begin:
                yield from self._between(start, begin, number)
            yield event
            self.last_number = line
            start, number = found.end(), line + 1
        yield from self._between(start, len(self.data), number)

    def _between(self, start: int, end: int, number: int) -> Iterator[Event | Problem]:
        """The records of whole lines between regular ones, of which line `number` is the first."""
        for line in lines_with(self.data, self.tokens, start, end, number):
            if line.start >= self.done:
                for record in self.records(line):
                    self.last_number = line.number
                    yield record

    def records(self, line: Line) -> Iterator[Event | Problem]:
        """All records of one line, left to right."""
        text = line.text
        marks = _marks(text)
        rank = rank_of(text[: marks[0].start()]) if marks else None
        position = 0
        for index, mark in enumerate(marks, start=1):
            start, body = mark.span()
            if start < position:
                continue  # quoted in the record before it
            if start - position > SHORTEST_HALF:
                yield from _lost(line, position, start)
            stop = marks[index].start() if index < len(marks) else len(text)
            try:
                fields, taken = self._decode(mark.group(), line, body, stop)
            except DamagedRecordError as damage:
                yield _damaged(line, start, str(damage), self._is_cut(line))
                position = stop
                continue
            position = body + taken
            if index == len(marks) and _is_followed(text, position):
                fields.notes.append("text follows it on its line: no record to the official tools")
            for note in fields.notes:
                yield Problem(line.number, "info", note, KEPT, readable(text[start:position]))
            yield _event(line.number, rank, fields)
        if len(text) - position > SHORTEST_HALF:
            yield from _lost(line, position, len(text), self._is_cut(line))

    def _decode(self, grammar: bytes, line: Line, start: int, stop: int) -> tuple[Fields, int]:
        """The fields of a record, and how many bytes of its line from `start` on it takes."""
        piece = line.text[start:stop]
        if grammar != b":::MLLOG":
            if self._is_cut(line) and not piece.endswith((b"}", b"]", b'"')):
                raise DamagedRecordError("nothing shows where it ends")
            if grammar != b":::MLL" and DAMAGED.search(piece):
                raise DamagedRecordError("another record stands inside it")
            return decode_fields(grammar, piece)
        try:
            return decode_fields(grammar, piece)
        except DamagedRecordError:
            for text, end in self._longer(line, start, stop):
                try:
                    fields, taken = decode_fields(grammar, text)
                except DamagedRecordError:
                    continue
                if end > line.start + len(line.text):
                    self.done = end
                    fields.notes.append("a raw newline splits it over several lines: joined")
                return fields, min(taken, len(line.text) - start)
            raise

    def _longer(self, line: Line, start: int, stop: int) -> Iterator[tuple[bytes, int]]:
        """More text for a record that breaks off, and the byte of the file at which it ends.

        Beyond a marker that it may quote in a string, or up to four lines that hold no marker.
        """
        text, end = line.text[start:], line.start + len(line.text)
        if stop < len(line.text):
            yield line.text[start : stop + LONGEST_QUOTE_BYTES], end
            return
        for _ in range(LONGEST_SPLIT_LINES):
            end = self.data.find(b"\n", end)
            if end < 0:
                return
            after = line_from(self.data, line.number, end + 1)
            if _marks(after.text):
                return
            text += b"\n" + after.text
            end += 1 + len(after.text)
            yield text, end

    def _is_cut(self, line: Line) -> bool:
        """Whether this is the last line, and not ended."""
        return self.data.find(b"\n", line.start) < 0

    def ends(self) -> Iterator[Problem]:
        """What the first and the last line say about a file that was cut there."""
        first = line_from(self.data, 1, 0)
        if not _may_hold_record(first.text) and _closes_more_than_opens(first.text):
            reason = "the file begins inside this record"
            yield Problem(1, "warning", reason, RERUN, readable(first.text))
        last = last_line(self.data)
        tail = without_rank(last.text)
        if tail and last.number > self.last_number and _is_half_a_marker(tail):
            reason = "the file ends inside a record's marker"
            yield Problem(last.number, "warning", reason, RERUN, readable(last.text))


def _records(data: bytes) -> Iterator[Event | Problem]:
    reader = _Reader(data)
    is_silent = True
    for record in chain(reader.body(), reader.ends()):
        is_silent = False
        yield record
    if is_silent:
        reason = "no MLPerf record in the file" if data.strip() else "the file is empty"
        yield Problem(None, "error", reason, RERUN)


def _marks(text: bytes) -> list[re.Match[bytes]]:
    """Every whole marker; the grammar without one is looked for only where there is no other."""
    found = list(MARKER.finditer(text))
    return found or (list(UNMARKED.finditer(text)) if b"MLPerf: " in text else [])


def _is_followed(text: bytes, position: int) -> bool:
    """Whether other text stands behind a record on its line; remains of a record are told apart."""
    tail = text[position:].split(b"\r")[0].strip()
    return bool(tail) and DAMAGED.search(text, position) is None


def _may_hold_record(text: bytes) -> bool:
    return any(token in text for token in TOKENS + OLDER_TOKENS)


def _closes_more_than_opens(text: bytes) -> bool:
    return text.rstrip().endswith(b"}") and text.count(b"}") > text.count(b"{")


def _is_half_a_marker(tail: bytes) -> bool:
    return b":::M".startswith(tail) or tail.startswith(b"MLPe") or tail.endswith((b":::", b":::M"))


def _lost(line: Line, start: int, end: int, is_cut: bool = False) -> Iterator[Problem]:
    """A Problem when text without a whole marker is what remains of a record."""
    if DAMAGED.search(line.text, start, end):
        yield _damaged(line, start, "its marker is damaged or missing", is_cut)


def _damaged(line: Line, start: int, reason: str, is_cut: bool) -> Problem:
    if is_cut:
        reason, remedy = f"the file ends inside this record ({reason})", RERUN
    else:
        reason, remedy = f"a record is lost: {reason}", REPAIR
    return Problem(line.number, "warning", reason, remedy, readable(line.text[start : start + 400]))


def _event(line: int, rank: int | None, fields: Fields) -> Event:
    return Event(
        line, 1, fields.key, fields.value, fields.number, fields.time_ms, fields.clock,
        fields.event_type, rank, fields.metadata,
    )  # fmt: skip


def _relaunch_lines(events: list[Event]) -> list[int]:
    """Lines at which a new attempt begins in a log to which a relaunch was appended."""
    boundaries: list[int] = []
    start: Event | None = None
    fresh: Event | None = None
    has_trained = False
    for event in events:
        if event.key == "run_start":
            if start and _is_relaunch(start, event, has_trained):
                boundaries.append((fresh or event).line)
                start, has_trained = None, False
            start, fresh = start or event, None
        elif TRAINING.match(event.key):
            fresh, has_trained = None, start is not None
        elif start and fresh is None and HEADER.match(event.key):
            fresh = event
    return boundaries


def _is_relaunch(first: Event, second: Event, has_trained: bool) -> bool:
    """Ranks repeat run_start within seconds and before training; a relaunch does it later."""
    if first.time_ms is None or second.time_ms is None or first.clock != second.clock:
        return False
    wait_ms = RANKS_START_WITHIN_MS if has_trained else LAUNCH_TAKES_AT_MOST_MS
    return first.rank == second.rank and second.time_ms - first.time_ms > wait_ms


def _with_attempt(event: Event, boundaries: list[int]) -> Event:
    return replace(event, attempt=1 + bisect_right(boundaries, event.line))


def _runs(events: list[Event], boundaries: list[int]) -> Iterator[Record]:
    """A Run for each attempt, and what is missing from it."""
    edges = [0, *boundaries, max((event.line for event in events), default=0) + 1]
    for attempt, (first, end) in enumerate(pairwise(edges), start=1):
        own = [event for event in events if first <= event.line < end]
        if own:
            is_last = attempt == len(edges) - 1
            run = Run(attempt, own[0].line, own[-1].line, _status(own), is_last)
            yield run
            yield from _missing(own, run)
    for line in boundaries:
        reason = "a relaunch was appended to this file here; only its last attempt counts"
        yield Problem(line, "warning", reason, "write each attempt to a file of its own")


def _missing(events: list[Event], run: Run) -> Iterator[Problem]:
    if all(event.key != "run_start" for event in events):
        yield Problem(run.first_line, "error", "no run_start: the run has no time", RERUN)
    if run.status == "unfinished":
        reason = "no run_stop: the run was killed, or the file is cut off after this line"
        yield Problem(run.last_line, "error", reason, RERUN)
    stop = _stop(events)
    if stop and run.status == "unknown":
        said = _said(stop)[:40]
        reason = f"run_stop says {said!r}, neither success nor aborted: the run does not count"
        yield Problem(stop.line, "warning", reason, RERUN)


def _stop(events: list[Event]) -> Event | None:
    return next((event for event in events if event.key == "run_stop"), None)


def _status(events: list[Event]) -> RunStatus:
    """What run_stop says: its status, or only that the run ended (rounds before v0.6)."""
    stop = _stop(events)
    if stop is None:
        return "unfinished"
    said = _said(stop)
    if said.startswith("abort"):
        return "aborted"
    if said == "success":
        return "success"
    return "unknown" if said else "stopped"


def _said(stop: Event) -> str:
    """The status in the metadata or the value of a run_stop, in lower case; empty for none."""
    for text in (stop.metadata, stop.value):
        found: Any = json.loads(text) if text else None
        if isinstance(found, dict) and isinstance(found.get("success"), bool):
            return "success" if found["success"] else "aborted"
        if isinstance(found, dict):
            found = found.get("status")
        if isinstance(found, str) and found:
            return found.lower()
    return ""
