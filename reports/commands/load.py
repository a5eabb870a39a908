"""`levelbook load`: files into the database."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ingest.sources import Limits
from ingest.units import GIB, MIB

SAID = ("round", "organization", "system", "benchmark", "division")
Function = Callable[..., Any]


def options(function: Function) -> Function:
    """The options that say what files are and how much of them is read."""
    return _with(function, [*_identity("--"), *_reading()])


def options_beside_selection(function: Function) -> Function:
    """The same where --organization, --system and --benchmark select: --as-system and so on."""
    return _with(function, [*_identity("--as-"), *_reading()])


def _with(function: Function, added: list[Function]) -> Function:
    for option in reversed(added):
        function = option(function)
    return function


def _identity(prefix: str) -> list[Function]:
    return [
        click.option("--round", help="Round of all files, such as v1.1."),
        click.option(f"{prefix}organization", help="Submitter of all files."),
        click.option(f"{prefix}system", help="System of all files."),
        click.option(f"{prefix}benchmark", help="Benchmark of all files, such as resnet."),
        click.option("--division", type=click.Choice(["closed", "open"])),
    ]


def _reading() -> list[Function]:
    defaults = Limits()
    return [
        click.option(
            "--clients", type=click.IntRange(min=1),
            help="Planned number of fio clients of all files: a lost one leaves no trace in them.",
        ),
        click.option(
            "--max-file-mib", default=defaults.file_bytes // MIB, show_default=True,
            help="Largest file or archive member that is read.",
        ),
        click.option(
            "--max-archive-gib", default=defaults.archive_bytes // GIB, show_default=True,
            help="Most that one archive may unpack to.",
        ),
        click.option(
            "--max-members", default=defaults.members, show_default=True,
            help="Most members of one archive.",
        ),
        click.option(
            "--max-ratio", default=defaults.ratio, show_default=True,
            help="Most that an archive may grow by when it is unpacked.",
        ),
        official_rules,
    ]  # fmt: skip


official_rules = click.option(
    "--rules", "rules_folder", metavar="DIR",
    help="Official rules to judge by: a folder with a copy of mlperf_logging, such as that of a"
    " round's day. Default: those of the installed package.",
)  # fmt: skip


def said_and_limits(chosen: dict[str, Any]) -> tuple[dict[str, Any], Limits]:
    """What the options say of the files, and the limits they set.

    Where --system selects, what says it is --as-system, and so on.
    """
    named = {name: chosen.get(f"as_{name}", chosen[name]) for name in SAID}
    said: dict[str, Any] = {name: value for name, value in named.items() if value}
    if chosen["clients"]:
        said["clients"] = (("*", chosen["clients"]),)
    limits = Limits(
        file_bytes=chosen["max_file_mib"] * MIB,
        archive_bytes=chosen["max_archive_gib"] * GIB,
        members=chosen["max_members"],
        ratio=chosen["max_ratio"],
    )
    return said, limits


def load_into(database: Path, paths: tuple[str, ...], chosen: dict[str, Any]) -> Any:
    """Loads the paths and derives everything anew; gives the report."""
    from reports.loading import progress_bar
    from warehouse.database import writing
    from warehouse.load import load
    from warehouse.refresh import refresh

    said, limits = said_and_limits(chosen)
    with writing(database) as connection:
        with progress_bar() as told:
            report = load(connection, list(paths), said, limits, told)
        refresh(connection, official_rules=chosen["rules_folder"])
    return report


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@options
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.pass_obj
def command(database: Path, /, paths: tuple[str, ...], as_json: bool, **chosen: Any) -> None:
    """Read logs into the database: folders, globs, files, archives, or - for standard input.

    Bytes that are in the database already change nothing. A damaged file is kept as far as it can
    be read; what is lost is listed with its line and the remedy.
    """
    from reports import loading

    report = load_into(database, paths, chosen)
    if as_json:
        click.echo(json.dumps(loading.as_json(report), ensure_ascii=False, indent=1))
    else:
        loading.print_report(report)
        click.echo(f"database: {database}")
