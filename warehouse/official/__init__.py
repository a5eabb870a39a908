"""The official MLPerf rules, applied to loaded runs: read as data, never imported or executed.

Their source is the package `mlperf-logging` (rule files, reference convergence points, run
counts), or a folder of the same layout that a person names, so that a round can be judged with the
rules of its day.
"""

from __future__ import annotations

import duckdb

from warehouse.official import assignment, compliance, package, rcp
from warehouse.official.rule_data import find_rules


def rebuild(connection: duckdb.DuckDBPyConnection, chosen: str | None = None) -> None:
    """Brings the tables of official rules up to date with the stored runs.

    `chosen` is a folder of rules, None for the installed package. Runs that were judged by the same
    rules are not judged again. Raises RuleDataError for a folder without rules.
    """
    rules = find_rules(chosen)
    assignment.store(connection, rules)
    package.store(connection, rules)
    rcp.store(connection, rules)
    compliance.judge(connection, rules)
