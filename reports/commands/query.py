"""`levelbook query`: SQL over the database, read-only."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

ROWS_SHOWN = 200


@click.command()
@click.argument("sql")
@click.option(
    "--format", "kind", type=click.Choice(["table", "csv", "json"]), default="table",
    show_default=True,
)  # fmt: skip
@click.pass_obj
def command(database: Path, sql: str, kind: str) -> None:
    """Run one SQL query on the database, which is opened read-only.

    The relations and their columns: levelbook query "select table_name, comment from
    duckdb_tables() union all select view_name, comment from duckdb_views() where not internal".
    """
    import duckdb

    from warehouse.database import connect, fetch_frame

    connection = connect(database)
    try:
        rows = fetch_frame(connection, sql)
    except duckdb.Error as error:
        raise click.UsageError(" ".join(str(error).split())) from None
    if kind == "csv":
        rows.write_csv(sys.stdout)
    elif kind == "json":
        click.echo(json.dumps(rows.to_dicts(), ensure_ascii=False, default=str, indent=1))
    else:
        _print_table(rows.columns, rows.head(ROWS_SHOWN).rows())
        if rows.height > ROWS_SHOWN:
            click.echo(f"{ROWS_SHOWN} of {rows.height:,} rows; --format csv gives all")


def _print_table(columns: list[str], rows: list[tuple[object, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns)
    for row in rows:
        table.add_row(*(Text("" if value is None else str(value)) for value in row))
    console = Console()
    if not console.is_terminal:
        console.width = 10_000
    console.print(table)
