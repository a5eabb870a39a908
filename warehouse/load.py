"""Files into a database, all or nothing, and never the same bytes twice."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

import duckdb
import polars as pl

from ingest.detect import detect, formats
from ingest.layout import Identity, identify
from ingest.records import Problem
from ingest.sidecar import FILE_NAME, Sidecar, nearest, overridden, read_sidecar
from ingest.sources import Limits, Refusal, Source, walk
from ingest.units import MIB
from warehouse.parsing import Parsed, parse_file, sha256_of

POOL_FROM_BYTES = 24 * MIB
FLUSH_FROM_BYTES = 64 * MIB
ATTEMPTS_PER_SOURCE = 1_000_000_000
RUN_KINDS = {"mlperf_log": "mlperf_training"}
NOT_OFFICIAL = Problem(
    None,
    "warning",
    "not called result_<n>.txt in a result set's folder: kept, but no run of the result set",
    "rename it if it is a run, delete it if it is a stray copy",
)


@dataclass(slots=True)
class KindTotal:
    """What was read of one format; seconds are processor seconds of its parser."""

    files: int = 0
    records: int = 0
    problems: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class LoadReport:
    """What a load did: totals by format, problems by path, what was skipped or known already.

    `known` pairs a path with the path under which its bytes are in the database; `assigned` are
    those of them that named no system then and do now.
    """

    kinds: dict[str, KindTotal] = field(default_factory=dict)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    known: list[tuple[str, str]] = field(default_factory=list)
    assigned: list[str] = field(default_factory=list)
    unassigned: list[str] = field(default_factory=list)

    @property
    def files(self) -> int:
        """Number of files that were read and stored."""
        return sum(total.files for total in self.kinds.values())


@dataclass(slots=True)
class _Entry:
    """A file on its way: where it is from, and what it turned out to hold."""

    source_id: int
    source: Source
    identity: Identity
    sha256: str
    is_duplicate: bool
    parsed: Parsed | None = None


@dataclass(slots=True)
class _Known:
    source_id: int
    path: str
    place: str
    collection: str
    has_system: bool


@dataclass(slots=True)
class _Again:
    """A log of known bytes that named no system before: what it is called now may name one."""

    earlier: _Known
    source: Source
    identity: Identity


def load(
    connection: duckdb.DuckDBPyConnection,
    paths: list[str],
    said: dict[str, str] | None = None,
    limits: Limits | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> LoadReport:
    """Reads every file behind `paths` into the database, in one transaction.

    `said` is what the command line says about all of them (fields of a source.toml) and wins;
    `progress` is told each path and its bytes. Raises UnreadablePathError for a path that
    does not exist; a damaged file only yields problems.
    """
    loader = _Loader(connection, said or {}, progress or (lambda path, size: None))
    connection.execute("begin")
    try:
        for found in walk(paths, limits or Limits()):
            loader.take(found)
        loader.finish()
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
    finally:
        loader.close()
    return loader.report


class _Loader:
    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        said: dict[str, str],
        progress: Callable[[str, int], None],
    ) -> None:
        self.connection = connection
        self.said = said
        self.progress = progress
        self.report = LoadReport()
        self.sidecars: dict[str, Sidecar] = {}
        self.entries: list[_Entry] = []
        self.descriptions: list[tuple[str, Source]] = []
        self.again: list[_Again] = []
        self.reassigned: set[Sidecar] = set()
        self.unrecognised: list[tuple[Source, str, int]] = []
        self.waiting: deque[tuple[_Entry, Future[Parsed]]] = deque()
        self.unwritten: list[_Entry] = []
        self.unwritten_bytes = 0
        self.paths: set[str] = set()
        self.pool: ProcessPoolExecutor | None = None
        self.bytes_seen = 0
        self.known = _known(connection)
        first = connection.execute("select coalesce(max(source_id), 0) from source").fetchone()
        self.last_id: int = first[0] if first else 0

    def take(self, found: Source | Refusal) -> None:
        """One file from the walk: refuse, remember, skip, or parse it.

        Descriptions wait until the end, because a source.toml may come after them.
        """
        self.paths.add(found.path)
        if isinstance(found, Source) and found.archive:
            self.paths.add(found.archive)
        if isinstance(found, Refusal):
            self.report.problems.append((found.path, found.problem))
        elif PurePosixPath(found.origin).name == FILE_NAME:
            self._take_sidecar(found)
        elif (name := detect(found.head, found.origin)) is None:
            self._skip(found)
        elif name in RUN_KINDS:
            self._parse(name, found)
        else:
            self.descriptions.append((name, found))

    def _take_sidecar(self, found: Source) -> None:
        sidecar, problems = read_sidecar(found.read(), found.origin)
        self.sidecars[str(PurePosixPath(found.origin).parent)] = sidecar
        self.report.problems += [(found.path, problem) for problem in problems]

    def _skip(self, found: Source) -> None:
        suffix = PurePosixPath(found.origin).suffix.lower()
        self.report.skipped[suffix or "no extension"] += 1
        data = found.read()
        emptied = replace(found, head=b"", read=bytes)
        self.unrecognised.append((emptied, sha256_of(data), len(data)))

    def _parse(self, format_name: str, found: Source) -> None:
        data = found.read()
        self.progress(found.path, len(data))
        sha256 = sha256_of(data)
        identity = identify(found.origin)
        collection = self._sidecar(found).name
        is_log = format_name in RUN_KINDS
        emptied = replace(found, head=b"", read=bytes)  # or every file would stay in memory
        same = self.known.setdefault((sha256, format_name), [])
        if earlier := _already(same, is_log, identity, collection):
            self.report.known.append((found.path, earlier.path))
            if is_log and not earlier.has_system:
                self._take_again(earlier, emptied, identity)
            return
        self.last_id += 1
        has_system = identity.system is not None
        same.append(_Known(self.last_id, found.path, identity.place, collection, has_system))
        entry = _Entry(self.last_id, emptied, identity, sha256, is_log and len(same) > 1)
        self.entries.append(entry)
        self._submit(entry, format_name, data)

    def _take_again(self, earlier: _Known, found: Source, identity: Identity) -> None:
        self.again.append(_Again(replace(earlier), found, identity))
        if identity.system is not None:
            earlier.place, earlier.has_system = identity.place, True

    def _submit(self, entry: _Entry, format_name: str, data: bytes) -> None:
        self.bytes_seen += len(data)
        if self.pool is None and self.bytes_seen < POOL_FROM_BYTES:
            entry.parsed = parse_file(format_name, data, entry.source.origin)
            self._collect(entry)
            return
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(os.cpu_count() or 1, mp_context=context)
        future = self.pool.submit(parse_file, format_name, data, entry.source.origin)
        self.waiting.append((entry, future))
        while len(self.waiting) > 4 * (os.cpu_count() or 1):
            self._await_one()

    def _await_one(self) -> None:
        entry, future = self.waiting.popleft()
        entry.parsed = future.result()
        self._collect(entry)

    def _collect(self, entry: _Entry) -> None:
        self.unwritten.append(entry)
        self.unwritten_bytes += _of(entry).size_bytes
        if self.unwritten_bytes >= FLUSH_FROM_BYTES:
            self._flush()

    def _flush(self) -> None:
        """Events and texts to the database, so that they do not pile up in memory."""
        frames = [_with_run_id(entry) for entry in self.unwritten if _of(entry).events.height]
        if frames:
            frame = pl.concat(frames)
            _insert_frame(self.connection, "event", frame)
        texts = [(entry.source_id, _of(entry).text) for entry in self.unwritten]
        _insert(self.connection, "source_text", ("source_id", "text"), texts)
        for entry in self.unwritten:
            _of(entry).events = _of(entry).events.clear()
            _of(entry).text = b""
        self.unwritten.clear()
        self.unwritten_bytes = 0

    def finish(self) -> None:
        """Waits for the parsers and writes all that is small: identities are known only now."""
        for name, found in self.descriptions:
            self._parse(name, found)
        while self.waiting:
            self._await_one()
        for again in self.again:
            self._assign(again)
        for entry in self.entries:
            self._count(entry)
        self._write_sources()
        self._flush()
        self._write_collections()
        self._write_problems()
        for table, columns, row_of in _TABLES:
            rows = [row for entry in self.entries for row in row_of(self, entry)]
            _insert(self.connection, table, columns, rows)

    def _count(self, entry: _Entry) -> None:
        parsed = _of(entry)
        if entry.identity.is_official_name is False and parsed.runs:
            parsed.problems.append(NOT_OFFICIAL)
        total = self.report.kinds.setdefault(parsed.format, KindTotal())
        total.files += 1
        total.records += parsed.records
        total.problems += len(parsed.problems)
        total.seconds += parsed.seconds
        self.report.problems += [(entry.source.path, problem) for problem in parsed.problems]
        if parsed.runs and overridden(entry.identity, self._sidecar(entry.source)).system is None:
            self.report.unassigned.append(entry.source.path)

    def _sidecar(self, source: Source) -> Sidecar:
        """What people say about a file: the command line over the nearest source.toml."""
        found = nearest(source.origin, self.sidecars) or Sidecar()
        return replace(found, **self.said)

    def _write_sources(self) -> None:
        rows = [self._source_row(entry) for entry in self.entries]
        for source, sha256, size in self.unrecognised:
            if (sha256, "") not in self.known:
                self.known[sha256, ""] = []
                self.last_id += 1
                where = (self.last_id, source.path, source.archive, source.member, sha256, "")
                rows.append((*where, size, None, None, "unrecognised", None, 0, 0, ""))
        _insert(self.connection, "source", SOURCE_COLUMNS, rows)

    def _source_row(self, entry: _Entry) -> tuple[object, ...]:
        source, parsed = entry.source, _of(entry)
        status = "duplicate" if entry.is_duplicate else parsed.status
        return (
            entry.source_id, source.path, source.archive, source.member, entry.sha256,
            entry.identity.place, parsed.size_bytes, parsed.format,
            formats()[parsed.format].VERSION, status, parsed.lines, parsed.records,
            len(parsed.problems), self._sidecar(source).name,
        )  # fmt: skip

    def _assign(self, again: _Again) -> None:
        """Gives a log that named no system the identity that it is found under now."""
        said = self._sidecar(again.source)
        who = overridden(again.identity, said)
        if who.system is None:
            return
        self.report.assigned.append(again.source.path)
        source_id = again.earlier.source_id
        for entry in self.entries:
            if entry.source_id == source_id:
                entry.source, entry.identity = again.source, again.identity
                return
        self.reassigned.add(said)
        _update(
            self.connection, "source", source_id, path=again.source.path,
            archive=again.source.archive, member=again.source.member, place=again.identity.place,
            collection=said.name,
        )  # fmt: skip
        _update(
            self.connection, "run", source_id, collection=said.name, round=who.round,
            organization=who.organization, system=who.system, benchmark=who.benchmark,
            division=said.division, run_number=who.run_number,
            is_official_name=again.identity.is_official_name,
        )  # fmt: skip
        self.connection.execute(
            "update problem set path = ? where source_id = ?", [again.source.path, source_id]
        )

    def _write_collections(self) -> None:
        used = {self._sidecar(entry.source) for entry in self.entries} | self.reassigned
        names = {sidecar.name for sidecar in used}
        for name in names:
            self.connection.execute("delete from collection where collection = ?", [name])
        rows = {
            said.name: (said.name, said.title, said.kind, said.verification, said.licence,
                        said.url, said.retrieved, said.result_ids, said.note)
            for said in sorted(used, key=_trust)  # of one name the least trusted counts
        }  # fmt: skip
        _insert(self.connection, "collection", COLLECTION_COLUMNS, list(rows.values()))

    def _write_problems(self) -> None:
        ids = {entry.source.path: entry.source_id for entry in self.entries}
        stale = self.connection.execute("select path from problem where source_id is null")
        seen = self.paths | {path for path, _ in self.report.problems}
        for path in {path for (path,) in stale.fetchall()} & seen:
            self.connection.execute(
                "delete from problem where source_id is null and path = ?", [path]
            )
        rows = [
            (ids.get(path), path, p.line, p.severity, p.reason, p.remedy, p.excerpt)
            for path, p in self.report.problems
        ]
        _insert(self.connection, "problem", PROBLEM_COLUMNS, rows)

    def run_rows(self, entry: _Entry) -> Iterator[tuple[object, ...]]:
        """The executions of a file, with the identity that its path or a person gives."""
        said = self._sidecar(entry.source)
        who = overridden(entry.identity, said)
        for run in _of(entry).runs:
            yield (
                entry.source_id * ATTEMPTS_PER_SOURCE + run.attempt, entry.source_id, run.attempt,
                RUN_KINDS[_of(entry).format], said.name, who.round, who.organization, who.system,
                who.benchmark, said.division, who.run_number, run.first_line, run.last_line,
                run.status, run.is_last, entry.identity.is_official_name,
            )  # fmt: skip

    def system_rows(self, entry: _Entry) -> Iterator[tuple[object, ...]]:
        """The system description in a file, under the name that the path gives it."""
        said = self._sidecar(entry.source)
        who = overridden(entry.identity, said)
        for system in _of(entry).systems:
            yield (
                entry.source_id, said.name, who.round, who.organization, who.system or system.name,
                system.nodes, system.accelerators_per_node, system.fields,
            )  # fmt: skip

    def factor_rows(self, entry: _Entry) -> Iterator[tuple[object, ...]]:
        """The scaling factor in a file, for the result set whose folder it stands in."""
        said = self._sidecar(entry.source)
        who = overridden(entry.identity, said)
        for found in _of(entry).factors:
            yield (entry.source_id, said.name, who.round, *who.result_set, found.factor)

    def close(self) -> None:
        """Ends the worker processes."""
        if self.pool:
            self.pool.shutdown(cancel_futures=True)


_WHO = ("collection", "round", "organization", "system")
SOURCE_COLUMNS = (
    "source_id", "path", "archive", "member", "sha256", "place", "bytes", "format",
    "parser_version", "status", "lines", "records", "problems", "collection",
)  # fmt: skip
COLLECTION_COLUMNS = (
    "collection", "title", "kind", "verification", "licence", "url", "retrieved", "result_ids",
    "note",
)  # fmt: skip
PROBLEM_COLUMNS = ("source_id", "path", "line", "severity", "reason", "remedy", "excerpt")
RUN_COLUMNS = (
    "run_id", "source_id", "attempt", "kind", *_WHO, "benchmark", "division", "run_number",
    "first_line", "last_line", "status", "is_last_attempt", "is_official_name",
)  # fmt: skip
SYSTEM_COLUMNS = ("source_id", *_WHO, "nodes", "accelerators_per_node", "fields")
FACTOR_COLUMNS = ("source_id", *_WHO, "benchmark", "factor")
_TABLES: tuple[tuple[str, tuple[str, ...], Callable[[_Loader, _Entry], Iterator[Any]]], ...] = (
    ("run", RUN_COLUMNS, _Loader.run_rows),
    ("system", SYSTEM_COLUMNS, _Loader.system_rows),
    ("scaling_factor", FACTOR_COLUMNS, _Loader.factor_rows),
)


def _of(entry: _Entry) -> Parsed:
    if entry.parsed is None:
        raise RuntimeError(f"{entry.source.path} was written before it was parsed")
    return entry.parsed


def _known(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], list[_Known]]:
    """What is in the database, by fingerprint and format ("" for files that no format claims)."""
    rows = connection.execute(
        "select sha256, coalesce(format, ''), source_id, path, place, collection,"
        " source_id in (select source_id from run where system is not null)"
        " from source order by source_id"
    )
    known: dict[tuple[str, str], list[_Known]] = {}
    for sha256, format_name, *rest in rows.fetchall():
        known.setdefault((sha256, format_name), []).append(_Known(*rest))
    return known


def _trust(said: Sidecar) -> tuple[bool, bool, str]:
    """A sort key that puts what can be trusted least last."""
    return said.verification != "official", said.kind != "logged", repr(said)


def _already(
    same: list[_Known], is_log: bool, identity: Identity, collection: str
) -> _Known | None:
    """The file that holds these bytes already, if loading them again would add nothing.

    A log with the same bytes under the name of another run or system is kept, because it claims to
    be another result; its status is `duplicate`. One that named no system before is the same log. A
    description counts once for each system.
    """
    for earlier in same:
        is_same_place = earlier.place == identity.place
        if not is_log:
            is_same_place = is_same_place and earlier.collection == collection
        elif not identity.is_official_name or not earlier.has_system:
            return earlier
        if is_same_place:
            return earlier
    return None


def _with_run_id(entry: _Entry) -> pl.DataFrame:
    first = pl.lit(entry.source_id * ATTEMPTS_PER_SOURCE, dtype=pl.Int64)
    return _of(entry).events.select(
        (first + pl.col("attempt")).alias("run_id"), pl.exclude("attempt")
    )


def _update(
    connection: duckdb.DuckDBPyConnection, table: str, source_id: int, **values: object
) -> None:
    columns = ", ".join(f"{name} = ?" for name in values)
    connection.execute(
        f"update {table} set {columns} where source_id = ?", [*values.values(), source_id]
    )


def _insert_frame(connection: duckdb.DuckDBPyConnection, table: str, frame: pl.DataFrame) -> None:
    connection.register("frame_to_insert", frame)
    names = ", ".join(frame.columns)
    connection.execute(f"insert into {table} ({names}) select {names} from frame_to_insert")
    connection.unregister("frame_to_insert")


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: tuple[str, ...],
    rows: Sequence[tuple[object, ...]],
) -> None:
    if rows:
        frame = pl.DataFrame(rows, schema=list(columns), orient="row", infer_schema_length=None)
        _insert_frame(connection, table, frame)
