"""The kept text of a log, so that a number can be traced when the file itself is gone."""

from __future__ import annotations

import duckdb

from ingest.lines import as_utf8, readable
from warehouse.storing import ATTEMPTS_PER_SOURCE


def text_of(connection: duckdb.DuckDBPyConnection, source_id: int) -> bytes:
    """The bytes of a loaded file; raises KeyError when it is not in the database."""
    import zstandard

    row = connection.execute(
        "select text from source_text where source_id = ?", [source_id]
    ).fetchone()
    if row is None:
        raise KeyError(source_id)
    return zstandard.ZstdDecompressor().decompress(row[0])


def line_of(connection: duckdb.DuckDBPyConnection, run_id: int, number: int) -> str:
    """Line `number` (from 1) of the file that holds a run, made readable; "" past its end."""
    lines = as_utf8(text_of(connection, run_id // ATTEMPTS_PER_SOURCE)).split(b"\n")
    return readable(lines[number - 1].rstrip(b"\r")) if 0 < number <= len(lines) else ""
