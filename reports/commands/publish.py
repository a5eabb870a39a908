"""`levelbook publish`: load, check and build in one go."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from reports.commands.build import build_site, say_where
from reports.commands.load import load_into, options


def _bundled() -> tuple[str, ...]:
    """The bundled logs, as seen from here when that is shorter: same inputs, same site."""
    from warehouse.reference import share_folder

    folder = share_folder() / "data" / "raw"
    near = Path(os.path.relpath(folder))
    return (str(folder if near.parts[0] == ".." else near),)


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@options
@click.option("--output", default="build", show_default=True, help="Folder for pages/ and site/.")
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], output: str, **chosen: Any) -> None:
    """Load PATHs (else the bundled results), check them, and build the site.

    The site is built even where a rule is broken, with the findings in it; the exit status is 1
    then, as that of `levelbook check`.
    """
    from reports.checking import findings, formatted, has_errors
    from reports.loading import print_report
    from warehouse.database import connect

    print_report(load_into(ctx.obj, paths or _bundled(), chosen))
    with connect(ctx.obj) as connection:
        found = findings(connection)
    click.echo(formatted(found, "table"))
    say_where(build_site(ctx.obj, Path(output)), output)
    if has_errors(found):
        ctx.exit(1)
