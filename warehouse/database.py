"""Open a database: read-only for readers, a private copy for the one writer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import duckdb
import polars as pl

DEFAULT = Path("build/levelbook.duckdb")
VARIABLE = "LEVELBOOK_DATABASE"
SCHEMA_VERSION = 3


class DatabaseError(Exception):
    """A database that cannot be opened; the text says which, why and what to do."""


def database_path(chosen: str | None) -> Path:
    """The database file: the one chosen, else LEVELBOOK_DATABASE, else build/levelbook.duckdb."""
    return Path(chosen or os.environ.get(VARIABLE) or DEFAULT)


def connect(path: Path | str, *, read_only: bool = True) -> duckdb.DuckDBPyConnection:
    """A connection to an existing database; raises DatabaseError with the remedy."""
    if Path(path).is_dir():
        raise DatabaseError(f"{path}: a folder; name a file with --database")
    if read_only and not Path(path).is_file():
        raise DatabaseError(f"{path}: no such database; run `levelbook load PATH` first")
    try:
        connection = duckdb.connect(str(path), read_only=read_only)
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise DatabaseError(f"{path}: cannot be opened ({reason}); choose another") from None
    if read_only and (fault := _fault(connection)):
        connection.close()
        raise DatabaseError(f"{path}: {fault}")
    return connection


def _fault(connection: duckdb.DuckDBPyConnection) -> str | None:
    """Why a database cannot be used, and what to do; None when it can."""
    rows = connection.execute("select table_name from information_schema.tables").fetchall()
    if not {"levelbook", "source", "run", "event"} <= {name for (name,) in rows}:
        return "not a Levelbook database; choose another with --database"
    version = connection.execute("select schema_version from levelbook").fetchone()
    if version != (SCHEMA_VERSION,):
        return "made by another version of Levelbook; delete it and load the logs again"
    return None


@contextmanager
def writing(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to a copy that takes the database's place when all went well.

    Readers keep the old file until then and are never blocked; a writer that is killed leaves
    it as it was. A second writer waits at the door: DatabaseError names the lock file.
    """
    import filelock

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = filelock.FileLock(f"{path}.lock")
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        raise DatabaseError(f"{path}: another load is writing it; wait until it ends") from None
    draft = path.with_name(f"{path.name}.writing")
    try:
        _drop(draft)
        if path.exists():
            connect(path).close()
            shutil.copyfile(path, draft)
        connection = connect(draft, read_only=False)
        try:
            _create(connection)
            yield connection
        finally:
            connection.close()
        draft.replace(path)
    finally:
        _drop(draft)
        lock.release()


def fetch_frame(
    connection: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | None = None
) -> pl.DataFrame:
    """The rows of a query as a Polars frame; no columns for a statement that gives none."""
    relation = connection.sql(sql, params=parameters)
    return pl.DataFrame() if relation is None else relation.pl()


def in_memory() -> duckdb.DuckDBPyConnection:
    """An empty database that lives only as long as the connection."""
    connection = duckdb.connect(":memory:")
    _create(connection)
    return connection


def _create(connection: duckdb.DuckDBPyConnection) -> None:
    for name in ("schema.sql", "macros.sql"):
        connection.execute((files("warehouse") / name).read_text(encoding="utf-8"))
    connection.execute("insert or ignore into levelbook values (?)", [SCHEMA_VERSION])


def _drop(draft: Path) -> None:
    for name in (draft, draft.with_name(f"{draft.name}.wal")):
        name.unlink(missing_ok=True)
