"""Compliance rules."""

from __future__ import annotations

import duckdb

from warehouse.official.rule_data import Rules


def judge(connection: duckdb.DuckDBPyConnection, rules: Rules) -> None:
    """Nothing yet."""
