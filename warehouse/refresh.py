"""All that is derived, made anew: reference data, relations, rules."""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse import official, reference, relations, rules


def refresh(
    connection: duckdb.DuckDBPyConnection,
    data: Path | None = None,
    official_rules: str | None = None,
) -> None:
    """Brings everything derived up to date with the stored facts and the files of `data/`.

    `official_rules` is a folder of the official rules, None for the installed package's. In one
    transaction: all or nothing, and one write to the disk instead of hundreds.
    """
    connection.execute("begin")
    try:
        reference.rebuild(connection, data)
        official.rebuild(connection, official_rules)
        relations.rebuild(connection, rules.as_relations())
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise
