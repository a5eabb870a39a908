"""One file to columns: what a worker process does, so that little travels between processes."""

from __future__ import annotations

import gc
import hashlib
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, get_args, get_type_hints

import polars as pl

from ingest.detect import formats
from ingest.lines import count_lines
from ingest.records import (
    CheckerFlag,
    ClaimedScore,
    Problem,
    Record,
    Row,
    Run,
    ScalingFactor,
    System,
)

COLUMN_TYPES: dict[type, type[pl.DataType]] = {
    bool: pl.Boolean,
    int: pl.Int64,
    float: pl.Float64,
    str: pl.String,
}


@dataclass(slots=True)
class Parsed:
    """What one file said: rows as a frame for each table, the few other records as such."""

    format: str
    size_bytes: int
    lines: int
    text: bytes
    tables: dict[str, pl.DataFrame] = field(default_factory=dict)
    rows_count: int = 0
    seconds: float = 0.0
    runs: list[Run] = field(default_factory=list)
    systems: list[System] = field(default_factory=list)
    factors: list[ScalingFactor] = field(default_factory=list)
    flags: list[CheckerFlag] = field(default_factory=list)
    claims: list[ClaimedScore] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def records(self) -> int:
        """Number of records read."""
        described = len(self.systems) + len(self.factors) + len(self.flags) + len(self.claims)
        return self.rows_count + described

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
    """Every record of a file, sorted by kind; the text compressed, without its secrets.

    A format whose files may hold addresses or an environment offers `redacted(data)`.
    """
    import zstandard

    began = time.process_time()
    kinds: defaultdict[type[Record], list[Any]] = defaultdict(list)
    with _no_search_for_cycles():
        for record in formats()[format_name].parse(data, name):
            kinds[type(record)].append(record)
    kept = getattr(formats()[format_name], "redacted", bytes)(data)
    text = zstandard.ZstdCompressor(level=3).compress(kept)
    parsed = Parsed(format_name, len(data), count_lines(data), text)
    parsed.tables = {
        kind.TABLE: _frame(kind, rows) for kind, rows in kinds.items() if issubclass(kind, Row)
    }
    parsed.runs, parsed.systems = kinds[Run], kinds[System]
    parsed.factors, parsed.problems = kinds[ScalingFactor], kinds[Problem]
    parsed.flags, parsed.claims = kinds[CheckerFlag], kinds[ClaimedScore]
    parsed.rows_count = sum(frame.height for frame in parsed.tables.values())
    parsed.seconds = time.process_time() - began
    return parsed


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Records refer to no other object: looking at all of them again and again is half the work."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def parse_files(files: Sequence[tuple[str, bytes, str]]) -> list[Parsed]:
    """What each of several files says: format, bytes and name."""
    return [parse_file(*file) for file in files]


def _frame(kind: type[Row], rows: list[Row]) -> pl.DataFrame:
    """Rows of one kind in columns that bear the names of its fields."""
    schema = _schema(kind)
    columns = {name: list(map(attrgetter(name), rows)) for name in schema}
    return pl.DataFrame(columns, schema=schema)


def _schema(kind: type[Row]) -> dict[str, type[pl.DataType]]:
    hints = get_type_hints(kind)
    return {field.name: _type_of(hints[field.name]) for field in fields(kind)}


def _type_of(hint: Any) -> type[pl.DataType]:
    """The column type of an annotation: a plain type, one of some texts, or either or None."""
    for kind in get_args(hint) or (hint,):
        if kind in COLUMN_TYPES:
            return COLUMN_TYPES[kind]
    return pl.String
