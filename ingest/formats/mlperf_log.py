"""MLPerf Training result logs of every round from v0.5 on.

Source of the grammars: mlcommons/logging (`mlperf_logging/mllog`, rule sets 0.6.0 to 6.1.0) and
the published results of rounds v0.5 to v5.1. Unlike the official parser every record of a line
is kept, line numbers are those of the file, and a record that is lost is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ingest.lines import Line, as_utf8, line_from, lines_with, rank_of, readable
from ingest.mlperf_records import DamagedRecordError, Fields, decode_fields
from ingest.records import Event, Problem, Record, Run, RunStatus

NAME = "mlperf_log"
DESCRIPTION = "MLPerf Training result log, rounds v0.5 to v5.1 (mlcommons/logging)"
VERSION = 1

MARKER = re.compile(rb":::(?:MLLOG|MLL(?= )|MLPv0\.5\.0(?= ))|^MLPerf:(?= \w+ \[)")
TOKENS = (b"MLLOG", b"MLL ", b"MLPv0", b":::ML", b"MLPerf: ", b'"event_type"', b'"metadata"')
DAMAGED = re.compile(rb"MLLOG\s*\{|:::ML|::MLL \d|::MLPv0")
RESULT_NAME = re.compile(r"(?:^|/)\.?(?:![^/]*!)?result_[^/]*\.txt$")
TRAINING = re.compile(r"(?:(?:epoch|block|eval)_(?:start|stop|accuracy)|run_stop|throughput)$")
HEADER = re.compile(r"cache_clear$|init_start$|submission_|run_clear_caches$")
RANKS_START_WITHIN_MS = 1_000.0
LAUNCH_TAKES_AT_MOST_MS = 60_000.0
LONGEST_SPLIT_LINES = 4

REPAIR = "mend the record in a copy of the log and load the copy, or run the benchmark again"
RERUN = "load the complete log, or run the benchmark again"


def claims(head: bytes, name: str) -> bool:
    """True for text with an MLPerf marker, and for any file called result_*.txt."""
    return bool(MARKER.search(head)) or RESULT_NAME.search(name) is not None


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

    def records(self, line: Line) -> Iterator[Event | Problem]:
        """All records of one line, left to right."""
        position = 0
        while marker := MARKER.search(line.text, position):
            grammar = marker.group()
            prefix = line.text[: marker.start()]
            try:
                fields, position = self._decode(grammar, line, marker.end())
            except DamagedRecordError as damage:
                yield _damaged(line, marker.start(), str(damage), self._is_cut(line))
                position = marker.end()
                continue
            rank = rank_of(prefix)
            yield from (_problem(line, note) for note in fields.notes)
            yield _event(line.number, rank, fields)

    def _decode(self, grammar: bytes, line: Line, start: int) -> tuple[Fields, int]:
        """The fields of the record that begins at `start`, joined over raw newlines if need be."""
        try:
            return decode_fields(grammar, line.text[start:], start)
        except DamagedRecordError:
            joined = self._joined(line)
            for text, end in joined if grammar == b":::MLLOG" else ():
                try:
                    fields, _ = decode_fields(grammar, text[start:], start)
                except DamagedRecordError:
                    continue
                self.done = end
                note = "a raw newline splits this record over several lines; joined"
                return replace(fields, notes=(*fields.notes, note)), len(line.text)
            raise

    def _joined(self, line: Line) -> Iterator[tuple[bytes, int]]:
        """This line with one, two ... of the lines after it, while they hold no marker."""
        text, end = line.text, line.start + len(line.text)
        for _ in range(LONGEST_SPLIT_LINES):
            end = self.data.find(b"\n", end)
            if end < 0:
                return
            after = line_from(self.data, line.number, end + 1)
            if MARKER.search(after.text):
                return
            text += b"\n" + after.text
            end += 1 + len(after.text)
            yield text, end

    def _is_cut(self, line: Line) -> bool:
        return line.start + len(line.text) >= len(self.data)


def _records(data: bytes) -> Iterator[Event | Problem]:
    reader = _Reader(data)
    found = False
    for line in lines_with(data, TOKENS):
        if line.start < reader.done:
            continue
        found = True
        if MARKER.search(line.text):
            yield from reader.records(line)
        elif _is_record_without_marker(line.text):
            yield _damaged(line, 0, "its marker is damaged or missing", False)
    if tail := _cut_marker(data):
        yield tail
    if not found and data.strip():
        yield Problem(None, "error", "no MLPerf record in the file", RERUN)
    elif not data.strip():
        yield Problem(None, "error", "the file is empty", RERUN)


def _is_record_without_marker(text: bytes) -> bool:
    if DAMAGED.search(text):
        return True
    return b'"key"' in text and (b'"event_type"' in text or b'"time_ms"' in text)


def _cut_marker(data: bytes) -> Problem | None:
    """A last line that ends inside a marker: the file was cut there."""
    start = data.rfind(b"\n") + 1
    tail = data[start:]
    if not 3 <= len(tail) <= len(b":::MLLOG") or MARKER.search(tail):
        return None
    cut = tail.startswith(b":::") and b":::MLPv0.5.0".startswith(tail[:6])
    if not (cut or b":::MLLOG ".startswith(tail)):
        return None
    number = data.count(b"\n") + 1
    return Problem(number, "warning", "the file ends inside a record's marker", RERUN)


def _damaged(line: Line, start: int, reason: str, is_cut: bool) -> Problem:
    if is_cut:
        reason, remedy = f"the file ends inside this record ({reason})", RERUN
    else:
        reason, remedy = f"a record is lost: {reason}", REPAIR
    return Problem(line.number, "warning", reason, remedy, readable(line.text[start : start + 400]))


def _problem(line: Line, note: str) -> Problem:
    return Problem(line.number, "info", note, "nothing to do: the record is kept")


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
    return replace(event, attempt=1 + sum(event.line >= line for line in boundaries))


def _runs(events: list[Event], boundaries: list[int]) -> Iterator[Record]:
    """A Run for each attempt, and what is missing from it."""
    edges = [0, *boundaries, max((event.line for event in events), default=0) + 1]
    for attempt, (first, end) in enumerate(zip(edges, edges[1:], strict=False), start=1):
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


def _status(events: list[Event]) -> RunStatus:
    """What run_stop says: its status, or only that the run ended (rounds before v0.6)."""
    stop = next((event for event in events if event.key == "run_stop"), None)
    if stop is None:
        return "unfinished"
    said = f"{stop.metadata or ''} {stop.value or ''}".lower()
    if re.search(r'"status":\s*"abort|"success":\s*false|"abort', said):
        return "aborted"
    if re.search(r'"status":\s*"success"|"success":\s*true|"success"\s*$', said):
        return "success"
    return "stopped"
