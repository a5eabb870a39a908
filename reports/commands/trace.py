"""`levelbook trace`: from a published number to the log lines it was made of."""

from __future__ import annotations

import textwrap
from pathlib import Path

import click

RUNS = """
select s.result_set, r.path, r.start_line, r.stop_line, r.time_to_train_min, s.is_kept,
    s.drop_reason, r.run_id
from scored_run s
join run_result r using (run_id)
where s.result_set = ? or split_part(s.result_set, '@', 1) = ?
order by s.result_set, s.place
"""


@click.command()
@click.argument("result_set")
@click.option(
    "--lines", is_flag=True, help="Quote the run_start and run_stop lines from the database."
)
@click.pass_obj
def command(database: Path, result_set: str, lines: bool) -> None:
    """Show the runs behind a score, each with file and line.

    RESULT_SET is round/division/organization/system/benchmark, as the relation score gives it.
    """
    from warehouse.database import connect
    from warehouse.text import line_of

    connection = connect(database)
    rows = connection.execute(RUNS, [result_set, result_set]).fetchall()
    if not rows:
        raise click.UsageError(f"{result_set}: no such result set; see the relation score")
    for name, path, start, stop, minutes, is_kept, why, run_id in rows:
        time = "no time" if minutes is None else f"{minutes:.3f} min"
        click.echo(f"{name}  {time}  {'counts' if is_kept else why or 'does not count'}")
        for number in (start, stop):
            if number is not None:
                click.echo(f"    {path}:{number}")
                if lines:
                    click.echo(textwrap.indent(line_of(connection, run_id, number), " " * 8))
