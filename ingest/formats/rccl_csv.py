"""rccl-tests results that `-x` with `-X csv` writes.

Source: `Reporter::writeFile` in `common.cu` and `common.cpp` of ROCm/rccl-tests. A build with MPI
writes a value that its own header does not name: `nodes`, behind the name of the collective.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from ingest.lines import Line, as_utf8, readable
from ingest.nccl.detect import RCCL_HEADER, structured_form
from ingest.nccl.rccl_results import RERUN, Entry, Lost, Sheet, records
from ingest.nccl.secrets import redacted
from ingest.records import Problem, Record

__all__ = ["DESCRIPTION", "NAME", "RUN_KIND", "VERSION", "claims", "parse", "redacted"]

NAME = "rccl_csv"
DESCRIPTION = "rccl-tests result as CSV (-x, -X csv, ROCm/rccl-tests)"
VERSION = 1
RUN_KIND = "nccl"

SPELLINGS = {"collective": "name", "#wrong": "wrong"}
LONGEST_LINE = 2_000


def claims(head: bytes, name: str) -> bool:
    """True for CSV with the header of rccl-tests."""
    return structured_form(head) == "rccl_csv"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Rows, an output and a Run for each test in the file. Never raises."""
    sheets = list(_sheets(redacted(as_utf8(data))))
    if not sheets:
        yield Problem(None, "error", "no header of rccl-tests can be read in the file", RERUN)
    yield from records(sheets)


def _sheets(data: bytes) -> Iterator[Sheet]:
    """One sheet for each header. One whose last line is not ended may have lost some of it."""
    lines = [
        Line(number, 0, text.rstrip(b"\r"))
        for number, text in enumerate(data.split(b"\n"), start=1)
    ]
    heads = [index for index, line in enumerate(lines) if RCCL_HEADER.match(line.text)]
    for head, following in zip(heads, [*heads[1:], len(lines)], strict=False):
        names = [_name(cell) for cell in _cells(lines[head].text)]
        body = [line for line in lines[head + 1 : following] if line.text.strip()]
        entries = [_entry(names, line) for line in body]
        is_ended = not body or body[-1] is not lines[-1] or body[-1].text.endswith(b'"')
        if not is_ended:
            entries[-1] = Lost(body[-1].number, "a line that may have lost its end")
        last = body[-1].number if body else lines[head].number
        yield Sheet("rccl_csv", lines[head].number, last, entries, is_ended)


def _entry(names: list[str], line: Line) -> Entry | Lost:
    cells = _cells(line.text)
    if len(cells) == len(names) + 1 and "ranks" in names and "nodes" not in names:
        place = names.index("ranks")
        names = [*names[:place], "nodes", *names[place:]]
    if len(cells) != len(names):
        reason = f"{len(cells)} values under {len(names)} names: {readable(line.text[:80])}"
        return Lost(line.number, reason)
    return Entry(line.number, dict(zip(names, cells, strict=True)))


def _name(cell: str) -> str:
    name = cell.lower()
    return SPELLINGS.get(name, name)


def _cells(text: bytes) -> list[str]:
    """The cells of a line without quotes and blanks round them."""
    shown = re.sub(r"[^\S ]", " ", text[:LONGEST_LINE].decode("utf-8", "replace"))
    return [cell.strip() for cell in next(csv.reader([shown.replace("\0", " ")],
                                                     skipinitialspace=True), [])]  # fmt: skip
