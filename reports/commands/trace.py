"""`levelbook trace`: from a published number to the lines it was made of."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

RELATIONS = """
select view_name from duckdb_views() where view_name like 'trace\\_%' escape '\\' order by view_name
"""
FOUND = """
select subject, detail, path, lines, run_id from {relation}
where subject = $subject or split_part(subject, '@', 1) = $subject or path = $subject
order by subject, place
"""


@click.command()
@click.argument("subject")
@click.option("--lines", is_flag=True, help="Quote the lines from the database.")
@click.pass_obj
def command(database: Path, subject: str, lines: bool) -> None:
    """Show what is behind a published number, each with file and line.

    SUBJECT is a result set (round/division/organization/system/benchmark), a series of storage
    tests (system/series), or a file.
    """
    from warehouse.database import connect
    from warehouse.text import line_of

    connection = connect(database)
    relations = [name for (name,) in connection.execute(RELATIONS).fetchall()]
    rows = [
        row
        for name in relations
        for row in connection.execute(FOUND.format(relation=name), {"subject": subject}).fetchall()
    ]
    if not rows:
        raise click.UsageError(
            f"{subject}: no such result set, series or file; see score and fio_series"
        )
    for name, detail, path, numbers, run_id in rows:
        click.echo(f"{name}  {detail}")
        for number in numbers:
            click.echo(f"    {path}:{number}")
            if lines:
                click.echo(textwrap.indent(line_of(connection, run_id, number), " " * 8))
