"""All that is derived, made anew: reference data, relations, rules."""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse import reference, relations, rules


def refresh(connection: duckdb.DuckDBPyConnection, data: Path | None = None) -> None:
    """Brings everything derived up to date with the stored facts and the files of `data/`.

    In one transaction: all or nothing, and one write to the disk instead of hundreds.
    """
    connection.execute("begin")
    try:
        reference.rebuild(connection, data)
        relations.rebuild(connection, rules.as_relations())
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
