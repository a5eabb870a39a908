"""`levelbook summary`: the table of the official result summarizer, from our own numbers."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from reports.commands.check import opened
from reports.commands.load import options

if TYPE_CHECKING:
    import duckdb

SYSTEM = (
    "division", "availability", "submitter", "system", "number_of_nodes",
    "host_processor_model_name", "host_processors_count", "accelerator_model_name",
    "accelerators_count", "framework", "notes", "private_id",
)  # fmt: skip
LINKS = ("details_url", "code_url")
# column of the detailed table, and of result_summary; energy is not computed here
DETAILS: Mapping[str, str | None] = {
    "time_to_train": "score_min",
    "Energy": None,
    "GBS": "global_batch_size",
    "samples_to_converge": "samples_to_converge",
    "RCP": "rcp_state",
    "rcp_scaling_factor": "rcp_scaling_factor",
}
PLAIN: Mapping[str, str | None] = {"": "score_min"}
SELECTED = ("round", "organization", "division", "system", "benchmark")
ROWS = """
select *, null as private_id
from result_summary
where (round = $round or $round is null) and (organization = $organization or $organization is null)
    and (division = $division or $division is null) and (description = $system or $system is null)
    and (benchmark = $benchmark or $benchmark is null)
order by result_set
"""
BENCHMARKS = """
select b.benchmark from rule_set_benchmark b where b.rule_set in (select unnest($rule_sets))
order by b.rule_set, b.place
"""

Row = dict[str, Any]


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--detailed", is_flag=True, help="Batch size, convergence and RCP of each benchmark.")
@options
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], detailed: bool, **chosen: Any) -> None:
    """Print the official summary as CSV: one row a system, one column a benchmark, in minutes.

    With PATHs these are summed up on their own, and nothing is stored; without, the options
    --round, --organization, --division, --system and --benchmark select from the database.
    """
    with opened(ctx.obj, paths, chosen) as connection:
        rows = _rows(connection, ROWS, {name: chosen[name] for name in SELECTED})
        rounds = sorted({row["round"] or "no round" for row in rows})
        if not rows:
            raise click.UsageError("no result set; load logs in the MLCommons layout")
        if len(rounds) > 1:
            raise click.UsageError(f"result sets of {', '.join(rounds)}; name one with --round")
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerows(_table(rows, _benchmarks(connection, rows), detailed))


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, said: dict[str, Any]) -> list[Row]:
    result = connection.execute(sql, said)
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _benchmarks(connection: duckdb.DuckDBPyConnection, rows: list[Row]) -> list[str]:
    """The benchmarks of the round in the official order, then those that it does not know."""
    rule_sets = sorted({row["rule_set"] for row in rows if row["rule_set"]})
    official = _rows(connection, BENCHMARKS, {"rule_sets": rule_sets})
    names = [row["benchmark"] for row in official]
    return list(dict.fromkeys([*names, *sorted({row["benchmark"] or "" for row in rows})]))


def _table(rows: list[Row], benchmarks: list[str], detailed: bool) -> list[list[Any]]:
    """Head and rows; a system is one row for each division and collection."""
    systems: dict[str, dict[str, Row]] = {}
    for row in rows:
        place, _, collection = row["result_set"].partition("@")
        key = place.removesuffix(row["benchmark"] or "") + collection
        systems.setdefault(key, {})[row["benchmark"] or ""] = row
    parts = DETAILS if detailed else PLAIN
    head = [f"{name}:{part}" if part else name for name in benchmarks for part in parts]
    lines = [_line(found, benchmarks, parts) for found in systems.values()]
    return [[*SYSTEM, *head, *LINKS], *sorted(lines, key=_order)]


def _line(
    found: dict[str, Row], benchmarks: list[str], parts: Mapping[str, str | None]
) -> list[Any]:
    """A system: what it is, then its benchmarks, empty where it has no result."""
    system = next(iter(found.values()))
    cells = [found.get(name, {}).get(part or "") for name in benchmarks for part in parts.values()]
    return [*(system[name] for name in SYSTEM), *cells, *(system[name] for name in LINKS)]


def _order(line: list[Any]) -> list[tuple[bool, str | float]]:
    """As the official table: by all columns from left to right, empty cells last."""
    return [(cell is None, cell if cell is not None else 0) for cell in line[: len(SYSTEM) - 1]]
