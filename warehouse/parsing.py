"""One file to columns: what a worker process does, so that little travels between processes."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

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
    sha256: str
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
    records = list(formats()[format_name].parse(data, name))
    text = zstandard.ZstdCompressor(level=3).compress(data)
    parsed = Parsed(
        format_name, sha256_of(data), len(data), count_lines(data), text, _events(records)
    )
    parsed.runs = [record for record in records if isinstance(record, Run)]
    parsed.systems = [record for record in records if isinstance(record, System)]
    parsed.factors = [record for record in records if isinstance(record, ScalingFactor)]
    parsed.problems = [record for record in records if isinstance(record, Problem)]
    parsed.events_count = parsed.events.height
    parsed.seconds = time.process_time() - began
    return parsed


def _events(records: Iterable[Record]) -> pl.DataFrame:
    events = [record for record in records if isinstance(record, Event)]
    columns = {name: [getattr(event, name) for event in events] for name in EVENT_COLUMNS}
    return pl.DataFrame(columns, schema=EVENT_COLUMNS)
