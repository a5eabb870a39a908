"""Summary of a submission as CSV: one row a system, one column a benchmark, minutes in the cells.

Source: mlcommons/logging `result_summarizer.py` (`--csv`, and the detailed table with columns such
as `resnet:time_to_train`).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from ingest.lines import as_utf8, readable
from ingest.records import ClaimedScore, Problem, Record
from ingest.values import finite_number

NAME = "mlperf_summary"
DESCRIPTION = "summary of an MLPerf submission (CSV of the official result summarizer)"
VERSION = 1
RUN_KIND = None

TELLING = {"division", "availability", "submitter", "system", "details_url", "code_url"}
DESCRIBING = TELLING | {
    "number_of_nodes", "host_processor_model_name", "host_processors_count",
    "accelerator_model_name", "accelerators_count", "framework", "notes", "private_id",
}  # fmt: skip
BENCHMARK = re.compile(r"^([a-z][a-z0-9_]*)(?::time_to_train)?$")
DESCRIPTION_URL = re.compile(r"/systems/([^/]+)\.json$")
LONGEST_HEADER = 65_536
WRITE_MINUTES = "write the minutes, or leave the cell empty"


def claims(head: bytes, name: str) -> bool:
    """True for a table whose first line names the summarizer's columns."""
    first = as_utf8(head[:LONGEST_HEADER]).split(b"\n", 1)[0]
    return (
        b"details_url" in first
        and {cell.strip().strip('"') for cell in first.decode("latin-1").split(",")} >= TELLING
    )


def parse(data: bytes, name: str) -> Iterator[Record]:
    """One ClaimedScore for each cell with minutes, and a Problem for each that is no number."""
    text = as_utf8(data).decode("utf-8", "replace")
    reader = csv.reader(line.replace("\r", " ") + "\n" for line in text.split("\n"))
    columns: list[str] = []
    line = 1
    try:
        for cells in reader:
            row = [cell.strip() for cell in cells]
            if not columns:
                columns = row
            elif any(row) and row != columns:
                yield from _scores(dict(zip(columns, row, strict=False)), line)
            line = reader.line_num + 1  # a note may hold line ends
    except csv.Error as error:
        reason = f"the table cannot be read from here on: {error}"
        yield Problem(line, "error", reason, "write it as CSV")


def _scores(row: dict[str, str], line: int) -> Iterator[Record]:
    """The cells of a row, which begins on `line`."""
    system = row.get("system", "")
    if not system:
        reason = "the row names no system; it is ignored"
        yield Problem(line, "warning", reason, "name it as in the description's file")
        return
    found = DESCRIPTION_URL.search(row.get("details_url", ""))
    for column, cell in row.items():
        benchmark = BENCHMARK.match(column)
        if not cell or column in DESCRIBING or not benchmark:
            continue
        minutes = finite_number(cell)
        if minutes is None or minutes <= 0:
            reason = f"{column} of {system} is no number of minutes; it is ignored"
            yield Problem(line, "warning", reason, WRITE_MINUTES, readable(cell.encode()))
            continue
        yield ClaimedScore(
            line, row.get("submitter") or None,
            row.get("division", "").lower() or None, system,
            found[1] if found else None, benchmark[1], minutes,
        )  # fmt: skip
