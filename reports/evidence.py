"""Lines of logs as evidence: taken from the kept text, cut, and escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import duckdb

from ingest.lines import as_utf8, readable
from reports.text import escaped, one_line
from warehouse.text import text_of

LONGEST_QUOTE = 240
Place = tuple[str, int]


@dataclass(frozen=True)
class Quotes:
    """Lines by (path, line number from 1), as text that is not escaped yet."""

    lines: Mapping[Place, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, connection: duckdb.DuckDBPyConnection, places: Iterable[tuple[str | None, int | None]]
    ) -> Quotes:
        """The lines at these places; what is not kept, or past the end of a file, is left out."""
        wanted: dict[str, set[int]] = {}
        for path, line in places:
            if path is not None and line is not None:
                wanted.setdefault(path, set()).add(line)
        lines: dict[Place, str] = {}
        for path, source_id in _sources(connection, wanted):
            lines |= _lines(connection, source_id, path, wanted[path])
        return cls(lines)

    def html(self, path: str | None, line: int | None, value: str | None = None) -> str:
        """The place, and the line itself where it is kept; cut around `value` if it is long."""
        if path is None:
            return ""
        place = f"{path}:{line}" if line is not None else f"{path}, the file as a whole"
        text = self.lines.get((path, line)) if line is not None else None
        quoted = f"<pre>{escaped(cut(one_line(text), value))}</pre>" if text else ""
        return f'<div class="lb-quote"><code>{escaped(place)}</code>{quoted}</div>'


def cut(text: str, value: str | None = None, longest: int = LONGEST_QUOTE) -> str:
    """At most `longest` characters of a text, those around `value` where it is found."""
    if len(text) <= longest:
        return text
    found = text.find(value) if value else -1
    start = max(0, min(found - longest // 2, len(text) - longest))
    head, tail = "…" if start else "", "…" if start + longest < len(text) else ""
    return f"{head}{text[start : start + longest]}{tail}"


def _sources(connection: duckdb.DuckDBPyConnection, paths: Iterable[str]) -> list[tuple[str, int]]:
    """The newest kept text of each path."""
    rows: list[tuple[str, int]] = connection.execute(
        "SELECT path, max(source_id) FROM source JOIN source_text USING (source_id) "
        "WHERE list_contains(?, path) GROUP BY path ORDER BY path",
        [sorted(paths)],
    ).fetchall()
    return rows


def _lines(
    connection: duckdb.DuckDBPyConnection, source_id: int, path: str, numbers: Iterable[int]
) -> dict[Place, str]:
    lines = as_utf8(text_of(connection, source_id)).split(b"\n")
    return {
        (path, number): readable(lines[number - 1].rstrip(b"\r"))
        for number in numbers
        if 0 < number <= len(lines)
    }
