"""The text table of nccl-tests and rccl-tests, whatever a launcher or a log put around it.

Source: `common.cu`, `util.cu` and the tests of NVIDIA/nccl-tests v1.0.0 (2018) to v2.19.6 and
ROCm/rccl-tests. Columns are known by the header's names, rows by their first cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.lines import as_utf8, plain_lines, without_inner_labels
from ingest.nccl import secrets
from ingest.nccl.banner import collective_in_name
from ingest.nccl.notes import SPOKEN
from ingest.nccl.row import cells_in, guessed_layout
from ingest.nccl.table import HEADER
from ingest.nccl.text_reader import Reader
from ingest.records import Problem, Record

NAME = "nccl_text"
DESCRIPTION = "nccl-tests and rccl-tests text table, v1.0 to v2.19"
VERSION = 1
RUN_KIND = "nccl"

BANNER = re.compile(rb"\bminBytes +\d+ +maxBytes +\d+")
CLAIMED = re.compile(
    rb"\bAvg bus bandwidth +: |\bTest (?:NCCL|CUDA|HIP) failure \S+:\d"
    rb"|\bCollective test starting: |\brccl-tests: Version \w|# nccl-tests version \d"
)
MLPERF = b":::MLL"
OTHERS = (b'"nccl_version"', b'"results"', b"numCycle")  # -J and -x write the same words
ROWS_LOOKED_AT = 2000
NOTHING = "no table of nccl-tests can be read in this text"
WHOLE = "keep the whole output of the test, from its first line on"

redacted = secrets.redacted


def claims(head: bytes, name: str) -> bool:
    """True for text with a line of nccl-tests, or a debug log of NCCL."""
    head = as_utf8(head)
    if MLPERF in head:
        return False
    if HEADER.search(head) or BANNER.search(head):
        return True
    if any(word in head for word in OTHERS):
        return False
    lines = head.split(b"\n", ROWS_LOOKED_AT)[:ROWS_LOOKED_AT]
    return CLAIMED.search(head) is not None or any(map(_is_row, lines)) or _is_debug_log(head)


def _is_row(text: bytes) -> bool:
    found = cells_in(1, without_inner_labels(text)) if b"0" in text else None
    return found is not None and guessed_layout(found[1]) is not None


def _is_debug_log(head: bytes) -> bool:
    lines = [line for line in head.split(b"\n") if line.strip()]
    return sum(SPOKEN.search(line) is not None for line in lines) * 2 > len(lines)


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Each run with its devices, rows and notes, and a Problem for each row that was lost.

    Never raises, whatever the bytes.
    """
    data = redacted(data)
    lines = list(plain_lines(data))
    reader = Reader(lines, is_ended=data.endswith(b"\n"))
    runs = reader.read()
    says = collective_in_name(name) if len(runs) == 1 else None
    for attempt, run in enumerate(runs, start=1):
        yield from run.records(attempt, attempt == len(runs), says)
    if not runs:
        yield Problem(None, "error", NOTHING, WHOLE)
