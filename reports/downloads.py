"""Every published view as a CSV file, and the words about its columns."""

from __future__ import annotations

from pathlib import Path

import duckdb

from reports.links import Links
from reports.text import escaped
from warehouse.database import fetch_frame
from warehouse.relations import identifier

_PRINTED = "_printed"
_TABLES = ("source", "problem", "collection")
_RELATIONS = """
SELECT name FROM (
    SELECT view_name AS name, comment FROM duckdb_views() WHERE NOT internal
    UNION ALL SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal
)
WHERE comment IS NOT NULL OR list_contains(?, name)
ORDER BY name
"""
_COLUMNS = """
SELECT table_name, column_name, data_type, comment FROM duckdb_columns()
WHERE NOT internal AND database_name <> 'temp' ORDER BY table_name, column_index
"""


def published_views(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Names of the relations to publish: the documented ones and the tables about files.

    A view that has a `_printed` form is published in that form only, so that no withheld
    number leaves by the CSV.
    """
    rows = connection.execute(_RELATIONS, [list(_TABLES)]).fetchall()
    names = [row[0] for row in rows]
    return [name for name in names if name + _PRINTED not in names]


def write_csv(connection: duckdb.DuckDBPyConnection, view: str, file: Path) -> int:
    """Write all rows of a view in a fixed order, without binary columns; gives their number."""
    relation = identifier(view)
    described = connection.execute(f"DESCRIBE {relation}").fetchall()
    columns = ", ".join(_column(name, kind) for name, kind, *_ in described if kind != "BLOB")
    rows = fetch_frame(connection, f"SELECT {columns} FROM {relation} ORDER BY ALL")
    file.parent.mkdir(parents=True, exist_ok=True)
    rows.write_csv(file)
    return rows.height


def _column(name: str, kind: str) -> str:
    """The column as it can stand in a CSV file: nested values as their text."""
    is_nested = kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "JSON"))
    return f"{identifier(name)}::VARCHAR AS {identifier(name)}" if is_nested else identifier(name)


def downloads_html(connection: duckdb.DuckDBPyConnection, folder: Path, links: Links) -> str:
    """Write the CSV files into `folder`/downloads; gives the list of them, with columns."""
    columns: dict[str, list[tuple[str, str, str]]] = {}
    for view, name, kind, comment in connection.execute(_COLUMNS).fetchall():
        columns.setdefault(view, []).append((name, kind, comment or ""))
    parts = []
    for view in published_views(connection):
        rows = write_csv(connection, view, folder / "downloads" / f"{view}.csv")
        parts.append(_entry(view, rows, columns.get(view, []), links))
    return "\n\n".join(parts) or '<p class="lb-empty">No view is published yet.</p>'


def _entry(view: str, rows: int, columns: list[tuple[str, str, str]], links: Links) -> str:
    name, noun = escaped(view), "row" if rows == 1 else "rows"
    address = f"{links.root}downloads/{name}.csv"
    body = "".join(
        f"<tr><td><code>{escaped(column)}</code></td><td>{escaped(kind)}</td><td>{escaped(comment)}</td></tr>"
        for column, kind, comment in columns
    )
    return (
        f'<details class="lb-download"><summary><a href="{address}" download>{name}.csv</a> '
        f"({rows:,} {noun})</summary>"
        f'<div class="lb-table"><table class="lb-data"><thead><tr><th scope="col">Column</th>'
        f'<th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div></details>"
    )
