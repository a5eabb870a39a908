"""`levelbook check`: the rules and what breaks them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from reports.checking.outputs import names, written
from reports.commands.load import options_beside_selection, said_and_limits

if TYPE_CHECKING:
    import duckdb

    from reports.checking.findings import Found
    from reports.checking.selection import Selection

SELECTED = ("organization", "system", "benchmark", "rule")


def _output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is asked for, and how it is told."""
    what = "exact, or with * and ?; may be given several times."
    added = [
        click.option("--organization", multiple=True, help=f"Only of this submitter: {what}"),
        click.option("--system", multiple=True, help=f"Only of this system: {what}"),
        click.option("--benchmark", multiple=True, help=f"Only of this benchmark: {what}"),
        click.option("--rule", multiple=True, help=f"Only of this rule: {what}"),
        click.option(
            "--severity", type=click.Choice(["error", "warning", "info"]), default="info",
            help="Only of this severity and above.",
        ),
        click.option(
            "--format", "kind", type=click.Choice(names()), default="table", show_default=True,
        ),
        click.option(
            "--output", metavar="FILE", help="Write that format to FILE and print the table."
        ),
        click.option("--strict", is_flag=True, help="Exit with 1 on warnings too."),
        click.option(
            "--against", metavar="DATABASE",
            help="Mark what is new, gone or unchanged since that database; only what is new makes"
            " the exit status 1.",
        ),
    ]  # fmt: skip
    for option in reversed(added):
        function = option(function)
    return function


@contextmanager
def opened(
    database: Path, paths: tuple[str, ...], chosen: dict[str, Any]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The database; one in memory that holds only the paths; or a copy that is judged anew."""
    from warehouse.database import connect, in_memory
    from warehouse.refresh import refresh

    rules = chosen["rules_folder"]
    if paths:
        with in_memory() as connection:
            _load(connection, paths, chosen)
            refresh(connection, official_rules=rules)
            yield connection
    elif rules:
        connect(database).close()
        with TemporaryDirectory(prefix="levelbook-") as folder:
            copy = shutil.copyfile(database, Path(folder) / "copy.duckdb")
            with connect(copy, read_only=False) as connection, _of_this_version(database):
                refresh(connection, official_rules=rules)
                yield connection
    else:
        with connect(database) as connection, _of_this_version(database):
            yield connection


@contextmanager
def _of_this_version(database: Path | str) -> Iterator[None]:
    """Tells what to do where a database lacks a relation or column that is read."""
    import duckdb

    try:
        yield
    except (duckdb.CatalogException, duckdb.BinderException):
        raise click.UsageError(
            f"{database}: made by another version of Levelbook; delete it and load the logs again"
        ) from None


def _load(
    connection: duckdb.DuckDBPyConnection, paths: tuple[str, ...], chosen: dict[str, Any]
) -> None:
    from reports.loading import progress_bar
    from warehouse.load import load

    said, limits = said_and_limits(chosen)
    with progress_bar() as told:
        report = load(connection, list(paths), said, limits, told)
    if not report.files and not report.problems:
        where = ", ".join(paths)
        raise click.UsageError(f"{where}: no file that can be read; see `levelbook formats`")


def _selection(chosen: dict[str, Any]) -> Selection:
    """What is asked for; a rule that is none is an error."""
    from reports.checking.selection import Selection, matches
    from warehouse.rules import rules

    known = [rule.name for rule in rules()]
    for pattern in chosen["rule"]:
        if not any(matches(name, [pattern]) for name in known):
            raise click.UsageError(f"{pattern} is no rule; `levelbook rules` lists them")
    asked = {name: tuple(chosen[name]) for name in SELECTED}
    return Selection(**asked, severity=chosen["severity"])


def _found(
    connection: duckdb.DuckDBPyConnection, selection: Selection, chosen: dict[str, Any]
) -> Found:
    from reports.checking.findings import Found, compared, findings
    from reports.checking.selection import Subjects
    from warehouse.database import connect

    Subjects(connection, selection).verify()
    found = findings(connection, selection)
    against = chosen["against"]
    if against:
        with connect(against) as other, _of_this_version(against):
            found = compared(found, findings(other, selection))
    return Found(connection, found, selection, chosen["strict"], bool(against))


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]")
@_output_options
@options_beside_selection
@click.pass_context
def command(ctx: click.Context, /, paths: tuple[str, ...], **chosen: Any) -> None:
    """Print what breaks a rule, by severity and with evidence.

    With PATHs these are checked on their own, and nothing is stored. The exit status is 0 when no
    error is left that is not waived (with --strict: no warning either; with --against: none that is
    new), 1 when one is, 2 when something cannot be read or was asked for wrongly.
    """
    selection = _selection(chosen)
    with opened(ctx.obj, paths, chosen) as connection:
        found = _found(connection, selection, chosen)
        text = written(found, chosen["kind"])
        if chosen["output"]:
            Path(chosen["output"]).write_text(text + "\n", encoding="utf-8")
            text = written(found, "table")
        click.echo(text)
    if found.is_failed:
        ctx.exit(1)
