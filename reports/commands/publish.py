"""`levelbook publish`: load, check and build in one go."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from reports.commands.build import build_site, say_quality, say_where
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
    """Load PATHs (else the bundled results), check them, pass the gate and build the site.

    The site is built even where a rule is broken, with the findings in it; the exit status is 1
    then, as that of `levelbook check`, and tells the step that would upload it to stop.
    """
    from reports.checking.findings import Found, findings
    from reports.checking.outputs import written
    from reports.loading import print_report
    from warehouse.database import connect

    print_report(load_into(ctx.obj, paths or _bundled(), chosen))
    with connect(ctx.obj) as connection:
        found = Found(connection, findings(connection))
        click.echo(written(found, "table"))
    site, quality = build_site(ctx.obj, Path(output))
    say_quality(quality)
    say_where(site, output)
    if found.is_failed or not quality.is_passed:
        ctx.exit(1)
