"""`levelbook check`: the rules and what breaks them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reports.commands.load import options, said_and_limits

if TYPE_CHECKING:
    import duckdb


def _opened(database: Path, paths: tuple[str, ...], chosen: dict[str, Any]) -> Any:
    """The database, or one in memory that holds only the paths."""
    from warehouse.database import connect, in_memory
    from warehouse.load import load
    from warehouse.refresh import refresh

    if not paths:
        return connect(database)
    connection: duckdb.DuckDBPyConnection = in_memory()
    said, limits = said_and_limits(chosen)
    report = load(connection, list(paths), said, limits)
    if not report.files and not report.problems:
        where = ", ".join(paths)
        raise click.UsageError(f"{where}: no file that can be read; see `levelbook formats`")
    refresh(connection)
    return connection


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@click.option("--rule", help="Only this rule; see `levelbook rules`.")
@click.option(
    "--format", "kind", type=click.Choice(["table", "json", "csv"]), default="table",
    show_default=True,
)  # fmt: skip
@options
@click.pass_context
def command(
    ctx: click.Context, /, paths: tuple[str, ...], rule: str | None, kind: str, **chosen: Any
) -> None:
    """Print what breaks a rule, by severity and with evidence; exit 1 if an error is not waived.

    With PATHs these are checked on their own, and nothing is stored.
    """
    from reports.checking import findings, formatted, has_errors
    from warehouse.rules import rules

    if rule is not None and rule not in {known.name for known in rules()}:
        raise click.UsageError(f"{rule} is no rule; `levelbook rules` lists them")
    found = findings(_opened(ctx.obj, paths, chosen), rule)
    click.echo(formatted(found, kind))
    if has_errors(found):
        ctx.exit(1)
