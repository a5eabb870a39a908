"""`levelbook query`: SQL over the database, read-only."""

from __future__ import annotations

import csv
import json
import math
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

ROWS_SHOWN = 200
CLOSED = (
    "enable_external_access = false",  # no other file, no request
    "python_enable_replacements = false",  # a name is a relation, never a variable of ours
    "lock_configuration = true",
)


@click.command()
@click.argument("sql")
@click.option(
    "--format", "kind", type=click.Choice(["table", "csv", "json"]), default="table",
    show_default=True,
)  # fmt: skip
@click.pass_obj
def command(database: Path, sql: str, kind: str) -> None:
    """Run one SQL query on the database, which is opened read-only: no other file is touched.

    The relations and their columns: levelbook query "select table_name, comment from
    duckdb_tables() union all select view_name, comment from duckdb_views() where not internal".
    """
    columns, rows = _fetched(database, sql)
    if kind == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_text(value) for value in row] for row in rows)
    elif kind == "json":
        found = [dict(zip(columns, map(_plain, row), strict=True)) for row in rows]
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
    else:
        _print_table(columns, rows[:ROWS_SHOWN])
        if len(rows) > ROWS_SHOWN:
            click.echo(f"{ROWS_SHOWN} of {len(rows):,} rows; --format csv gives all")


def _fetched(database: Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Names of the columns, numbered where two are the same, and the rows."""
    import duckdb

    from warehouse.database import connect

    with connect(database) as connection:
        for setting in CLOSED:
            connection.execute(f"set {setting}")
        try:
            result = connection.execute(sql)
            rows = result.fetchall() if result.description else []
        except duckdb.Error as error:
            raise click.UsageError(" ".join(str(error).split())) from None
        columns: list[str] = []
        for name, *_ in result.description or ():
            columns.append(f"{name}_{columns.count(name)}" if name in columns else name)
        return columns, rows


def _plain(value: object) -> Any:
    """What JSON can hold: unknown for a number that is none, text for dates and the like."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return float(value) if isinstance(value, Decimal) else _text(value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return json.dumps(_plain(value), ensure_ascii=False)
    return "" if value is None else value.hex() if isinstance(value, bytes) else str(value)


def _print_table(columns: list[str], rows: list[tuple[object, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns)
    for row in rows:
        table.add_row(*(Text(_text(value)) for value in row))
    console = Console()
    if not console.is_terminal:
        console.width = 10_000
    console.print(table)
