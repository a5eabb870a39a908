"""What a load did, for people: progress, totals by kind of file, problems with their remedy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Protocol

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from ingest.records import Problem
from ingest.units import MIB
from warehouse.load import LoadReport

PLACES_SHOWN = 5
SEVERITIES = ("error", "warning", "info")
COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def place(path: str, line: int | None) -> str:
    """Where something stands: file:line, or the file as a whole."""
    return path if line is None else f"{path}:{line}"


class Told(Protocol):
    """What a loader calls for each file: its path and its bytes."""

    def __call__(self, path: str, size: int) -> None:
        """One file has been taken up."""


@contextmanager
def progress_bar() -> Iterator[Told]:
    """A bar on a terminal; nothing where standard error is a file or a pipe."""
    if not sys.stderr.isatty():
        yield lambda path, size: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("looking for files", total=None)
        seen = {"files": 0, "bytes": 0}

        def told(path: str, size: int) -> None:
            seen["files"] += 1
            seen["bytes"] += size
            text = f"{seen['files']:,} files, {seen['bytes'] / MIB:,.0f} MiB"
            bar.update(task, description=text)

        yield told


def print_report(report: LoadReport) -> None:
    """The table of kinds, then what was known, skipped, unassigned, and the problems."""
    if report.kinds:
        Console().print(_table(report))
    if not (report.kinds or report.known or report.skipped or report.problems):
        click.echo("nothing was read: no files there; check the path")
    if report.known:
        path, earlier = report.known[0]
        changed = "" if report.assigned else " and changed nothing"
        click.echo(
            f"{len(report.known):,} files were loaded already{changed}"
            f" (such as {path}, loaded as {earlier})"
        )
    if report.copies:
        path, other = report.copies[0]
        click.echo(
            f"{len(report.copies):,} files have the bytes of another file of this load and count"
            f" once (such as {path}, the same as {other})"
        )
    if report.assigned:
        click.echo(
            f"{len(report.assigned):,} logs are now described as their path, source.toml or"
            f" options say (such as {report.assigned[0]})"
        )
    if report.skipped:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(report.skipped.items()))
        named = ", ".join(report.unclaimed[:PLACES_SHOWN])
        more = ", ..." if len(report.unclaimed) > PLACES_SHOWN else ""
        click.echo(f"skipped, no format claims them: {kinds} ({named}{more})")
    if report.unassigned:
        click.echo(
            f"{len(report.unassigned):,} logs name no system (such as {report.unassigned[0]}):"
            " stored as unassigned; use --system, or a source.toml beside them"
        )
    for line in problem_lines(report.problems):
        click.echo(line)


def _table(report: LoadReport) -> Table:
    table = Table("kind", "files", "records", "problems", "seconds")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, total in sorted(report.kinds.items()):
        seconds = f"{total.seconds:.2f}"
        table.add_row(
            name, f"{total.files:,}", f"{total.records:,}", f"{total.problems:,}", seconds
        )
    return table


def problem_lines(problems: list[tuple[str, Problem]]) -> Iterator[str]:
    """Problems grouped by what is wrong, worst first, each place as file:line."""

    def group(item: tuple[str, Problem]) -> tuple[int, str, str]:
        problem = item[1]
        return SEVERITIES.index(problem.severity), problem.reason, problem.remedy

    for (rank, reason, remedy), members in groupby(sorted(problems, key=group), group):
        found = list(members)
        severity = click.style(SEVERITIES[rank], fg=COLOURS[SEVERITIES[rank]], bold=True)
        yield f"{severity}: {reason} ({len(found):,}) - {remedy}"
        for path, problem in found[:PLACES_SHOWN]:
            excerpt = f"  {problem.excerpt[:80]}" if problem.excerpt else ""
            yield f"    {place(path, problem.line)}{excerpt}"
        if len(found) > PLACES_SHOWN:
            yield f"    and {len(found) - PLACES_SHOWN:,} more (query the relation problem)"


def as_json(report: LoadReport) -> dict[str, Any]:
    """The same for machines."""
    return {
        "kinds": {
            name: {"files": t.files, "records": t.records, "problems": t.problems}
            for name, t in sorted(report.kinds.items())
        },
        "already_loaded": len(report.known),
        "assigned": report.assigned,
        "skipped": dict(sorted(report.skipped.items())),
        "unclaimed": report.unclaimed,
        "copies": [path for path, _ in report.copies],
        "unassigned": report.unassigned,
        "problems": [
            {"path": path, "line": p.line, "severity": p.severity, "reason": p.reason,
             "remedy": p.remedy}
            for path, p in report.problems
        ],
    }  # fmt: skip
