"""One file to columns: what a worker process does, so that little travels between processes."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import polars as pl

from ingest.detect import formats
from ingest.lines import count_lines
from ingest.records import Event, Problem, Record, Run, ScalingFactor, System

EVENT_COLUMNS: dict[str, type[pl.DataType]] = {
    "attempt": pl.Int32,
    "line": pl.Int64,
    "key": pl.String,
    "value": pl.String,
    "number": pl.Float64,
    "time_ms": pl.Float64,
    "clock": pl.String,
    "event_type": pl.String,
    "rank": pl.Int32,
    "metadata": pl.String,
}


@dataclass(slots=True)
class Parsed:
    """What one file said: events in columns (EVENT_COLUMNS), the few other records as such."""

    format: str
    size_bytes: int
    lines: int
    text: bytes
    events: pl.DataFrame
    events_count: int = 0
    seconds: float = 0.0
    runs: list[Run] = field(default_factory=list)
    systems: list[System] = field(default_factory=list)
    factors: list[ScalingFactor] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def records(self) -> int:
        """Number of records read."""
        return self.events_count + len(self.systems) + len(self.factors)

    @property
    def status(self) -> str:
        """What the file is: complete, truncated, aborted or unreadable."""
        if not self.records:
            return "unreadable"
        last = self.runs[-1].status if self.runs else "success"
        return {"unfinished": "truncated", "aborted": "aborted"}.get(last, "complete")


def sha256_of(data: bytes) -> str:
    """The fingerprint by which the same bytes are known again."""
    return hashlib.sha256(data).hexdigest()


def parse_file(format_name: str, data: bytes, name: str) -> Parsed:
    """Every record of a file, sorted by kind; the text compressed."""
    import zstandard

    began = time.process_time()
    kinds: defaultdict[type[Record], list[Any]] = defaultdict(list)
    for record in formats()[format_name].parse(data, name):
        kinds[type(record)].append(record)
    text = zstandard.ZstdCompressor(level=3).compress(data)
    events = _columns(kinds[Event])
    parsed = Parsed(format_name, len(data), count_lines(data), text, events)
    parsed.runs, parsed.systems = kinds[Run], kinds[System]
    parsed.factors, parsed.problems = kinds[ScalingFactor], kinds[Problem]
    parsed.events_count = parsed.events.height
    parsed.seconds = time.process_time() - began
    return parsed


def _columns(events: list[Event]) -> pl.DataFrame:
    columns = zip(*map(attrgetter(*EVENT_COLUMNS), events), strict=True)
    return pl.DataFrame(dict(zip(EVENT_COLUMNS, columns, strict=False)), schema=EVENT_COLUMNS)
