"""All that is derived, made anew: reference data, relations, rules."""

from __future__ import annotations

from collections.abc import Mapping
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
    transaction: all or nothing, and one write to the disk instead of hundreds. A rule whose SQL
    fails is a finding of its own and stops nothing else.
    """
    try:
        _derive(connection, data, official_rules, {})
    except duckdb.Error:
        broken = _broken_rules(connection, data, official_rules)
        if not broken:
            raise
        _derive(connection, data, official_rules, broken)


def _derive(
    connection: duckdb.DuckDBPyConnection,
    data: Path | None,
    official_rules: str | None,
    broken: Mapping[str, str],
) -> None:
    connection.execute("begin")
    try:
        reference.rebuild(connection, data)
        official.rebuild(connection, official_rules)
        relations.rebuild(connection, rules.as_relations(broken))
        connection.execute("commit")
    except BaseException:
        connection.execute("rollback")
        raise


def _broken_rules(
    connection: duckdb.DuckDBPyConnection, data: Path | None, official_rules: str | None
) -> dict[str, str]:
    """The rules whose query fails on this data, each with the reason; the others are not blamed."""
    _derive(connection, data, official_rules, {rule.name: "" for rule in rules.rules()})
    broken = {}
    for rule in rules.rules():
        try:
            connection.execute(rules.query_of(rule)).fetchall()
        except duckdb.Error as error:
            broken[rule.name] = " ".join(str(error).split("LINE", maxsplit=1)[0].split())
    return broken
