"""rccl-tests results that `-x` writes as JSON: a list with an entry for each placement.

Source: `Reporter::writeFile` in `common.cu` and `common.cpp` of ROCm/rccl-tests.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ingest.json_text import Node, parsed
from ingest.lines import as_utf8
from ingest.nccl.detect import RCCL_ENTRY, structured_form
from ingest.nccl.json_values import printed
from ingest.nccl.rccl_results import RERUN, Entry, Lost, Sheet, records
from ingest.nccl.secrets import redacted
from ingest.records import Problem, Record

__all__ = ["DESCRIPTION", "NAME", "RUN_KIND", "VERSION", "claims", "parse", "redacted"]

NAME = "rccl_json"
DESCRIPTION = "rccl-tests result as JSON (-x, ROCm/rccl-tests)"
VERSION = 1
RUN_KIND = "nccl"

START = re.compile(rb'\[\s*(?=\{\s*"(?:numCycle|name)"\s*:)')


def claims(head: bytes, name: str) -> bool:
    """True for JSON with entries of rccl-tests."""
    return structured_form(head) == "rccl_json"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Rows, an output and a Run for each test in the file. Never raises."""
    data = redacted(as_utf8(data))
    sheets = list(_sheets(data))
    if not sheets:
        yield Problem(None, "error", "no entry of rccl-tests can be read in the file", RERUN)
    yield from records(sheets)


def _sheets(data: bytes) -> Iterator[Sheet]:
    """Every list of entries; entries outside any list, one a line, are one that breaks off."""
    starts = [0, *(found.end() for found in re.finditer(rb"\n", data))]
    lists = [found.start() for found in START.finditer(data)]
    if not lists and (first := RCCL_ENTRY.search(data)):
        lists = [first.start()]
    for start, limit in zip(lists, [*lists[1:], len(data)], strict=False):
        entries: list[Entry | Lost] = []
        position = start
        while found := RCCL_ENTRY.search(data, position, limit):
            one = parsed(data, found.start())
            line = bisect_right(starts, found.start())
            is_whole = one.broken_at is None
            entries.append(
                _entry(data, one.root, line) if is_whole else Lost(line, "an entry that breaks off")
            )
            position = one.end if is_whole else found.end()
        is_closed = data[start : start + 1] == b"[" and data[position:limit].lstrip()[:1] == b"]"
        last = max(position - 1, start)
        end = data.find(b"]", position, limit) if is_closed else last
        yield Sheet("rccl_json", bisect_right(starts, start), bisect_right(starts, end), entries,
                    is_closed)  # fmt: skip


def _entry(data: bytes, node: Node, line: int) -> Entry:
    """Its values as printed; a text without the blanks round it."""
    values = {}
    for member in node.members:
        text = member.value if isinstance(member.value, str) else printed(data, node, member.name)
        if text and not isinstance(member.value, Node):
            values[member.name.lower()] = text.strip()
    return Entry(line, values)
