"""`levelbook build`: the database becomes a site."""

from __future__ import annotations

from pathlib import Path

import click


def build_site(database: Path, output: Path) -> Path:
    """The folder of the finished site, `output`/site, made from the database and `site/`."""
    from reports.pages import build
    from warehouse.reference import share_folder

    share = share_folder()
    return build(database, output, share / "site", share / "mkdocs.yml")


def say_where(site: Path, output: str) -> None:
    """Tell where the site is and how to look at it."""
    other = "" if output == "build" else f" --output {output}"
    click.echo(f"site: {site}")
    click.echo(f"look at it: open {site / 'index.html'}, or run `levelbook serve{other}`")


@click.command()
@click.option("--output", default="build", show_default=True, help="Folder for pages/ and site/.")
@click.pass_obj
def command(database: Path, output: str) -> None:
    """Build the site from the database: pages in build/pages, the site in build/site."""
    say_where(build_site(database, Path(output)), output)
