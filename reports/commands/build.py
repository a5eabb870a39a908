"""`levelbook build`: the database passes the gate and becomes a site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from warehouse.quality import Quality


def build_site(database: Path, output: Path) -> tuple[Path, Quality]:
    """The folder of the finished site, `output`/site, and what the gate found.

    Its result is written to `output`/quality.json, where the next build finds the row counts.
    """
    from reports.pages import build
    from warehouse.database import connect
    from warehouse.quality import gate
    from warehouse.reference import share_folder

    record = output / "quality.json"
    with connect(database) as connection:
        quality = gate(connection, _row_counts(record))
    output.mkdir(parents=True, exist_ok=True)
    record.write_text(json.dumps(quality.as_dict(), indent=1) + "\n", encoding="utf-8")
    share = share_folder()
    site = build(database, output, share / "site", share / "mkdocs.yml", quality.as_dict())
    return site, quality


def _row_counts(record: Path) -> dict[str, int]:
    """Rows of each relation at the last build; none where that left no record that can be read."""
    try:
        found: Any = json.loads(record.read_text(encoding="utf-8"))["row_counts"]
        return {str(name): int(count) for name, count in found.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def say_quality(quality: Quality) -> None:
    """One line for each failure of the gate, and for each warning about a relation.

    Findings of lesser severity are told by `levelbook check`.
    """
    for failure in quality.failures:
        click.echo(f"gate: {failure}")
    for warning in quality.warnings:
        if warning.rule is None:
            click.echo(f"gate, warning: {warning}")
    passed = sum(one.status == "passed" for one in quality.expectations)
    verdict = "passed" if quality.is_passed else "failed"
    click.echo(f"gate {verdict}: {passed} of {len(quality.expectations)} expectations are met")


def say_where(site: Path, output: str) -> None:
    """Tell where the site is and how to look at it."""
    other = "" if output == "build" else f" --output {output}"
    click.echo(f"site: {site}")
    click.echo(f"look at it: open {site / 'index.html'}, or run `levelbook serve{other}`")


@click.command()
@click.option("--output", default="build", show_default=True, help="Folder for pages/ and site/.")
@click.pass_context
def command(ctx: click.Context, output: str) -> None:
    """Build the site from the database: pages in build/pages, the site in build/site.

    Great Expectations judges the findings and the published relations first. Where they do not
    pass, the site is built all the same, with what was found in it, and the exit status is 1.
    """
    site, quality = build_site(ctx.obj, Path(output))
    say_quality(quality)
    say_where(site, output)
    if not quality.is_passed:
        ctx.exit(1)
