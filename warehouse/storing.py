"""What a file said, as rows of the stored tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from ingest.detect import formats
from ingest.layout import Identity
from ingest.sidecar import Sidecar, overridden
from ingest.sources import Source
from warehouse.parsing import Parsed
from warehouse.relations import identifier

ATTEMPTS_PER_SOURCE = 1_000_000_000

Row = tuple[object, ...]


@dataclass(slots=True)
class Entry:
    """A file on its way: where it is from, and what it turned out to hold."""

    source_id: int
    source: Source
    identity: Identity
    sha256: str
    is_duplicate: bool
    result: Parsed | None = None

    @property
    def parsed(self) -> Parsed:
        """What the file said; raises RuntimeError before it is parsed."""
        if self.result is None:
            raise RuntimeError(f"{self.source.path} was written before it was parsed")
        return self.result


_WHO = ("collection", "round", "organization", "system")
SOURCE_COLUMNS = (
    "source_id", "path", "archive", "member", "sha256", "place", "bytes", "format",
    "parser_version", "status", "lines", "records", "problems", "collection",
)  # fmt: skip
COLLECTION_COLUMNS = (
    "collection", "title", "kind", "verification", "licence", "url", "retrieved", "result_ids",
    "storage", "storage_nodes", "link_gbit_s", "client_memory_gib", "client_cores", "note",
)  # fmt: skip
PROBLEM_COLUMNS = ("source_id", "path", "line", "severity", "reason", "remedy", "excerpt")
RUN_COLUMNS = (
    "run_id", "source_id", "attempt", "kind", *_WHO, "benchmark", "division", "run_number",
    "first_line", "last_line", "status", "is_last_attempt", "is_official_name",
    "clients_planned",
)  # fmt: skip
SYSTEM_COLUMNS = ("source_id", *_WHO, "nodes", "accelerators_per_node", "fields")
FACTOR_COLUMNS = ("source_id", *_WHO, "benchmark", "factor")
FLAG_COLUMNS = ("source_id", "line", *_WHO, "benchmark", "flag")
CLAIM_COLUMNS = (
    "source_id", "line", "collection", "round", "organization", "division", "system",
    "description", "benchmark", "score_min",
)  # fmt: skip


def source_row(entry: Entry, said: Sidecar) -> Row:
    """The file itself."""
    source, parsed = entry.source, entry.parsed
    status = "duplicate" if entry.is_duplicate else parsed.status
    return (
        entry.source_id, source.path, source.archive, source.member, entry.sha256,
        entry.identity.place, parsed.size_bytes, parsed.format,
        formats()[parsed.format].VERSION, status, parsed.lines, parsed.records,
        len(parsed.problems), said.name,
    )  # fmt: skip


def unrecognised_row(source_id: int, source: Source, sha256: str, size: int) -> Row:
    """A file that no format claims."""
    where = (source_id, source.path, source.archive, source.member, sha256, "")
    return (*where, size, None, None, "unrecognised", None, 0, 0, "")


def collection_row(said: Sidecar) -> Row:
    """A collection, as its source.toml describes it."""
    return (
        said.name, said.title, said.kind, said.verification, said.licence, said.url,
        said.retrieved, said.result_ids, said.storage, said.storage_nodes, said.link_gbit_s,
        said.client_memory_gib, said.client_cores, said.note,
    )  # fmt: skip


def run_rows(entry: Entry, said: Sidecar) -> Iterator[Row]:
    """The executions of a file, with the identity that its path or a person gives."""
    who = overridden(entry.identity, said)
    for run in entry.parsed.runs:
        yield (
            entry.source_id * ATTEMPTS_PER_SOURCE + run.attempt, entry.source_id, run.attempt,
            formats()[entry.parsed.format].RUN_KIND, said.name, who.round, who.organization,
            who.system, who.benchmark, said.division, who.run_number, run.first_line, run.last_line,
            run.status, run.is_last, entry.identity.is_official_name,
            said.clients_planned(entry.source.origin),
        )  # fmt: skip


def system_rows(entry: Entry, said: Sidecar) -> Iterator[Row]:
    """The system description in a file, under the name that the path gives it."""
    who = overridden(entry.identity, said)
    for system in entry.parsed.systems:
        yield (
            entry.source_id, said.name, who.round, who.organization, who.system or system.name,
            system.nodes, system.accelerators_per_node, system.fields,
        )  # fmt: skip


def factor_rows(entry: Entry, said: Sidecar) -> Iterator[Row]:
    """The scaling factor in a file, for the result set whose folder it stands in."""
    who = overridden(entry.identity, said)
    for found in entry.parsed.factors:
        yield (entry.source_id, said.name, who.round, *who.result_set, found.factor)


def flag_rows(entry: Entry, said: Sidecar) -> Iterator[Row]:
    """The flags for the package checker in a file, for the system or benchmark of its folder."""
    who = overridden(entry.identity, said)
    for found in entry.parsed.flags:
        yield (
            entry.source_id, found.line, said.name, who.round, *who.result_set, found.flag,
        )  # fmt: skip


def claim_rows(entry: Entry, said: Sidecar) -> Iterator[Row]:
    """The scores that a summary claims; the submitter is the row's."""
    who = overridden(entry.identity, said)
    for found in entry.parsed.claims:
        yield (
            entry.source_id, found.line, said.name, who.round,
            found.organization or who.organization, found.division, found.system,
            found.description, found.benchmark, found.score_min,
        )  # fmt: skip


TABLES: tuple[tuple[str, tuple[str, ...], Callable[[Entry, Sidecar], Iterator[Row]]], ...] = (
    ("run", RUN_COLUMNS, run_rows),
    ("system", SYSTEM_COLUMNS, system_rows),
    ("scaling_factor", FACTOR_COLUMNS, factor_rows),
    ("checker_flag", FLAG_COLUMNS, flag_rows),
    ("claimed_score", CLAIM_COLUMNS, claim_rows),
)


def rows_by_table(entries: Sequence[Entry]) -> Iterator[tuple[str, pl.DataFrame]]:
    """The rows of some files, a frame for each table, with the run that each belongs to."""
    frames: defaultdict[str, list[pl.DataFrame]] = defaultdict(list)
    for entry in entries:
        first = pl.lit(entry.source_id * ATTEMPTS_PER_SOURCE, dtype=pl.Int64)
        run_id = (first + pl.col("attempt")).alias("run_id")
        for table, frame in entry.parsed.tables.items():
            frames[table].append(frame.select(run_id, pl.exclude("attempt")))
    for table, parts in frames.items():
        yield table, pl.concat(parts)


def update(
    connection: duckdb.DuckDBPyConnection, table: str, source_id: int, **values: object
) -> None:
    """Changes columns of the rows that came from one file."""
    columns = ", ".join(f"{name} = ?" for name in values)
    connection.execute(
        f"update {table} set {columns} where source_id = ?", [*values.values(), source_id]
    )


def insert_frame(connection: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    """Adds the rows of a frame, whose columns bear the table's names."""
    connection.register("frame_to_insert", frame)
    names = ", ".join(map(identifier, frame.columns))
    connection.execute(f"insert into {table} ({names}) select {names} from frame_to_insert")
    connection.unregister("frame_to_insert")


def insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: tuple[str, ...],
    rows: Sequence[Row],
) -> None:
    """Adds rows, in one go whatever their number."""
    if rows:
        frame = pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)
        insert_frame(connection, table, frame)
