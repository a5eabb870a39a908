"""Files into a database, all or nothing, and never the same bytes twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import duckdb

from ingest.detect import detect, formats
from ingest.layout import Identity, identify
from ingest.records import Problem
from ingest.sidecar import FILE_NAME, Sidecar, nearest, overridden, read_sidecar
from ingest.sources import Limits, Refusal, Source, walk
from ingest.units import MIB
from warehouse import storing
from warehouse.known import Known, already, known_files
from warehouse.parsing import Parsed, sha256_of
from warehouse.storing import Entry
from warehouse.workers import Workers

FLUSH_FROM_BYTES = 64 * MIB
NOT_OFFICIAL = Problem(
    None,
    "warning",
    "not called result_<n>.txt in a result set's folder: kept, but no run of the result set",
    "rename it if it is a run, delete it if it is a stray copy",
)
EMPTY = Problem(
    None,
    "warning",
    "an empty file: what should have written it was killed, or wrote elsewhere",
    "run the test again, or delete the file",
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

    `known` pairs a path with the path under which its bytes are in the database, `copies` with
    that of another file of this load; `assigned` are those whose source.toml, options or path
    say something else now; `unclaimed` are the files behind `skipped`.
    """

    kinds: dict[str, KindTotal] = field(default_factory=dict)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    known: list[tuple[str, str]] = field(default_factory=list)
    copies: list[tuple[str, str]] = field(default_factory=list)
    unclaimed: list[str] = field(default_factory=list)
    assigned: list[str] = field(default_factory=list)
    unassigned: list[str] = field(default_factory=list)

    @property
    def files(self) -> int:
        """Number of files that were read and stored."""
        return sum(total.files for total in self.kinds.values())


@dataclass(slots=True)
class _Again:
    """A log of known bytes that named no system before: what it is called now may name one."""

    earlier: Known
    source: Source
    identity: Identity


def load(
    connection: duckdb.DuckDBPyConnection,
    paths: list[str],
    said: dict[str, Any] | None = None,
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
        loader.workers.close()
    return loader.report


class _Loader:
    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        said: dict[str, Any],
        progress: Callable[[str, int], None],
    ) -> None:
        self.connection = connection
        self.said = said
        self.progress = progress
        self.report = LoadReport()
        self.sidecars: dict[str, Sidecar] = {}
        self.entries: list[Entry] = []
        self.descriptions: list[tuple[str, Source]] = []
        self.again: list[_Again] = []
        self.reassigned: set[Sidecar] = set()
        self.unrecognised: list[tuple[Source, str, int]] = []
        self.unwritten: list[Entry] = []
        self.unwritten_bytes = 0
        self.paths: set[str] = set()
        self.workers = Workers()
        self.known = known_files(connection)
        first = connection.execute("select coalesce(max(source_id), 0) from source").fetchone()
        self.last_id: int = first[0] if first else 0
        self.first_id = self.last_id

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
        elif formats()[name].RUN_KIND:
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
        self.report.unclaimed.append(found.path)
        data = found.read()
        if not data:
            self.report.problems.append((found.path, EMPTY))
        emptied = replace(found, head=b"", read=bytes)
        self.unrecognised.append((emptied, sha256_of(data), len(data)))

    def _parse(self, format_name: str, found: Source) -> None:
        data = found.read()
        self.progress(found.path, len(data))
        sha256 = sha256_of(data)
        identity = identify(found.origin)
        said = self._sidecar(found)
        claimed = replace(identity, round=said.round or identity.round)
        is_log = formats()[format_name].RUN_KIND is not None
        emptied = replace(found, head=b"", read=bytes)  # or every file would stay in memory
        same = self.known.setdefault((sha256, format_name), [])
        if earlier := already(same, is_log, claimed, said.name):
            is_copy = earlier.source_id > self.first_id and earlier.path != found.path
            (self.report.copies if is_copy else self.report.known).append(
                (found.path, earlier.path)
            )
            if is_log and (not earlier.has_system or earlier.path == found.path):
                self._take_again(earlier, emptied, identity)
            return
        self.last_id += 1
        has_system = identity.system is not None
        same.append(
            Known(self.last_id, found.path, identity.place, said.name, has_system, claimed.round)
        )
        entry = Entry(self.last_id, emptied, identity, sha256, is_log and len(same) > 1)
        self.entries.append(entry)
        self.workers.parse(format_name, data, found.origin, partial(self._collect, entry))

    def _take_again(self, earlier: Known, found: Source, identity: Identity) -> None:
        self.again.append(_Again(replace(earlier), found, identity))
        if identity.system is not None:
            earlier.place, earlier.has_system = identity.place, True

    def _collect(self, entry: Entry, parsed: Parsed) -> None:
        entry.result = parsed
        self.unwritten.append(entry)
        self.unwritten_bytes += parsed.size_bytes
        if self.unwritten_bytes >= FLUSH_FROM_BYTES:
            self._flush()

    def _flush(self) -> None:
        """Rows and texts to the database, so that they do not pile up in memory."""
        for table, frame in storing.rows_by_table(self.unwritten):
            storing.insert_frame(self.connection, table, frame)
        texts = [(entry.source_id, entry.parsed.text) for entry in self.unwritten]
        storing.insert(self.connection, "source_text", ("source_id", "text"), texts)
        for entry in self.unwritten:
            entry.parsed.tables = {}
            entry.parsed.text = b""
        self.unwritten.clear()
        self.unwritten_bytes = 0

    def finish(self) -> None:
        """Waits for the parsers and writes all that is small: identities are known only now."""
        for name, found in self.descriptions:
            self._parse(name, found)
        self.workers.drain()
        for again in self.again:
            self._assign(again)
        settled = [(entry, self._sidecar(entry.source)) for entry in self.entries]
        for entry, said in settled:
            self._count(entry, said)
        self._write_sources(settled)
        self._flush()
        self._write_collections({said for _, said in settled} | self.reassigned)
        self._write_problems()
        for table, columns, rows_of in storing.TABLES:
            rows = [row for entry, said in settled for row in rows_of(entry, said)]
            storing.insert(self.connection, table, columns, rows)

    def _count(self, entry: Entry, said: Sidecar) -> None:
        parsed = entry.parsed
        if entry.identity.is_official_name is False and parsed.runs:
            parsed.problems.append(NOT_OFFICIAL)
        total = self.report.kinds.setdefault(parsed.format, KindTotal())
        total.files += 1
        total.records += parsed.records
        total.problems += len(parsed.problems)
        total.seconds += parsed.seconds
        self.report.problems += [(entry.source.path, problem) for problem in parsed.problems]
        if parsed.runs and overridden(entry.identity, said).system is None:
            self.report.unassigned.append(entry.source.path)

    def _sidecar(self, source: Source) -> Sidecar:
        """What people say about a file: the command line over the nearest source.toml."""
        found = nearest(source.origin, self.sidecars) or Sidecar()
        return replace(found, **self.said) if self.said else found

    def _write_sources(self, settled: list[tuple[Entry, Sidecar]]) -> None:
        rows = [storing.source_row(entry, said) for entry, said in settled]
        for source, sha256, size in self.unrecognised:
            if (sha256, "") not in self.known:
                self.known[sha256, ""] = []
                self.last_id += 1
                rows.append(storing.unrecognised_row(self.last_id, source, sha256, size))
        storing.insert(self.connection, "source", storing.SOURCE_COLUMNS, rows)

    def _assign(self, again: _Again) -> None:
        """Gives a log that named no system the identity that it is found under now."""
        said = self._sidecar(again.source)
        who = overridden(again.identity, said)
        source_id = again.earlier.source_id
        if who.system is None or not self._is_said_anew(source_id, said, again.source, who):
            return
        self.report.assigned.append(again.source.path)
        for entry in self.entries:
            if entry.source_id == source_id:
                entry.source, entry.identity = again.source, again.identity
                return
        self.reassigned.add(said)
        storing.update(
            self.connection, "source", source_id, path=again.source.path,
            archive=again.source.archive, member=again.source.member, place=again.identity.place,
            collection=said.name,
        )  # fmt: skip
        storing.update(
            self.connection, "run", source_id, collection=said.name, round=who.round,
            organization=who.organization, system=who.system, benchmark=who.benchmark,
            division=said.division, run_number=who.run_number,
            is_official_name=again.identity.is_official_name,
            clients_planned=said.clients_planned(again.source.origin),
        )  # fmt: skip
        self.connection.execute(
            "update problem set path = ? where source_id = ?", [again.source.path, source_id]
        )

    def _is_said_anew(self, source_id: int, said: Sidecar, source: Source, who: Identity) -> bool:
        """Whether a log that is in the database is told of in other words than before."""
        if source_id > self.first_id:
            return True
        self.reassigned.add(said)
        columns = "collection, round, organization, system, benchmark, division, clients_planned"
        stored = self.connection.execute(
            f"select distinct {columns} from run where source_id = ?", [source_id]
        ).fetchall()
        now = (
            said.name, who.round, who.organization, who.system, who.benchmark, said.division,
            said.clients_planned(source.origin),
        )  # fmt: skip
        return stored != [now]

    def _write_collections(self, used: set[Sidecar]) -> None:
        names = {sidecar.name for sidecar in used}
        for name in names:
            self.connection.execute("delete from collection where collection = ?", [name])
        # of one name the least trusted counts
        rows = {said.name: storing.collection_row(said) for said in sorted(used, key=_trust)}
        columns = storing.COLLECTION_COLUMNS
        storing.insert(self.connection, "collection", columns, list(rows.values()))

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
        storing.insert(self.connection, "problem", storing.PROBLEM_COLUMNS, rows)


def _trust(said: Sidecar) -> tuple[bool, bool, str]:
    """A sort key that puts what can be trusted least last."""
    return said.verification != "official", said.kind != "logged", repr(said)
