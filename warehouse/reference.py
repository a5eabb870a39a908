"""What people say, from `data/*.toml`, to tables: waivers, thresholds, printed figures."""

from __future__ import annotations

import re
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

# file, tables of it, stored table
TABLES = (
    ("waivers.toml", "waiver", "waiver"),
    ("corrections.toml", "correction", "correction"),
    ("published.toml", "published", "published"),
    ("thresholds.toml", "threshold", "threshold"),
    ("workloads.toml", "workload", "workload"),
    ("platforms.toml", "link", "link_peak"),
    ("platforms.toml", "reference_busbw", "reference_busbw"),
)
RENAMED = {"id": "correction"}


class ReferenceDataError(Exception):
    """A file of data/ that cannot be used; the text says which, where and what to do."""


def share_folder() -> Path:
    """The folder with `data/`, `site/` and `mkdocs.yml`: the checkout, else the installation's."""
    checkout = Path(__file__).resolve().parent.parent
    if (checkout / "data").is_dir():
        return checkout
    return Path(sysconfig.get_path("data")) / "share" / "levelbook"


def rebuild(connection: duckdb.DuckDBPyConnection, folder: Path | None = None) -> None:
    """Fills the tables of reference data anew from the TOML files in `folder`.

    Raises ReferenceDataError for a file that is not valid, or lacks a field.
    """
    folder = folder or share_folder() / "data"
    for file, key, table in TABLES:
        connection.execute(f"delete from {table}")
        for entry, line in _entries(folder / file, key):
            _insert(connection, table, {**entry, "line": line}, folder / file)
    connection.execute("delete from family_override")
    for entry, line in _entries(folder / "systems.toml", "family"):
        systems = entry.get("systems", [])
        if not isinstance(systems, list):
            raise ReferenceDataError(f"{folder / 'systems.toml'}, line {line}: systems is no list")
        for system in systems:
            row = {"organization": entry.get("organization"), "system": system}
            row["family"] = entry.get("name")
            _insert(connection, "family_override", {**row, "line": line}, folder / "systems.toml")


def _entries(path: Path, key: str) -> list[tuple[dict[str, Any], int]]:
    """The `[[key]]` tables of a TOML file, each with the line that it begins on."""
    if not path.is_file():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text).get(key, [])
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ReferenceDataError(f"{path}: not valid TOML ({error}); mend it") from None
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ReferenceDataError(f"{path}: {key} must be tables that begin with [[{key}]]")
    lines = list(_head_lines(text, key)) if tables else []
    return list(zip(tables, lines or [1] * len(tables), strict=True))


def _head_lines(text: str, key: str) -> Iterator[int]:
    """Lines that begin a `[[key]]` table; one inside a text is no head, what is before it shows."""
    head = re.compile(rf"\s*\[\[\s*[\"']?{key}[\"']?\s*\]\]")
    rows = text.split("\n")
    for number, row in enumerate(rows, start=1):
        if head.match(row):
            try:
                tomllib.loads("\n".join(rows[: number - 1]))
            except tomllib.TOMLDecodeError:
                continue
            yield number


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, entry: dict[str, Any], path: Path
) -> None:
    rows = connection.execute(f"describe {table}").fetchall()
    known = [row[0] for row in rows]
    named = {RENAMED.get(key, key): value for key, value in entry.items()}
    row = {key: value for key, value in named.items() if key in known}
    places = ", ".join("?" for _ in row)
    try:
        connection.execute(
            f"insert into {table} ({', '.join(row)}) values ({places})", list(row.values())
        )
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise ReferenceDataError(f"{path}, line {entry['line']}: {reason}; see its head") from None
