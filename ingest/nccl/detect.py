"""Which structured form of nccl-tests output a file begins with.

The formats of JSON and CSV ask `structured_form`, so that no file is claimed twice. A file that
also holds what a run prints is read as text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from ingest.lines import as_utf8

StructuredForm = Literal["json", "rccl_json", "rccl_csv"]

TABLE = re.compile(rb"\b(?:size|bytes)[ \t]+(?:count|N)[ \t][^\n]*\balgbw[ \t]+busbw\b")
BANNER = re.compile(
    rb"\bminBytes +\d+ +maxBytes +\d+|\bAvg bus bandwidth +: |\bTest (?:NCCL|CUDA|HIP) failure\b"
    rb"|\bCollective test starting: |\brccl-tests: Version |# nccl-tests version \d"
)
# every match of TABLE or BANNER holds one of these, which are found many times faster
WORDS = (
    b"algbw", b"minBytes", b"Avg bus bandwidth", b" failure", b"Collective test starting: ",
    b"rccl-tests: Version ", b"# nccl-tests version ",
)  # fmt: skip
REPORT = re.compile(
    rb'\{\s*"version"\s*:\s*\d+\s*,\s*"start_time"\s*:\s*"[^"]*"\s*,\s*"args"\s*:'
    rb'|\{\s*"identifier"\s*:\s*"nccl-tests structured output"'
)
SORTED_REPORT = (b'"aggregated_iterations"', b'"minimum_bytes"', b'"nccl_version"')
RCCL_ENTRY = re.compile(rb'\{\s*"(?:numCycle|name)"\s*:')
RCCL_KEYS = (b'"inPlace"', b'"algBw"', b'"busBw"')
RCCL_HEADER = re.compile(
    rb"^\s*(?:numCycle,)?(?:collective|name),[^\n]*\binplace,time,algbw,busbw\b",
    re.IGNORECASE | re.MULTILINE,
)


@lru_cache(maxsize=2)
def structured_form(head: bytes) -> StructuredForm | None:
    """The form of the JSON or CSV within `head`; None when it is none, or text with a table."""
    head = as_utf8(head)
    if REPORT.match(head.lstrip()) and not TABLE.search(head):
        return "json"  # its list of errors may hold what a run prints
    if is_text(head):
        return None
    if REPORT.search(head) or all(key in head for key in SORTED_REPORT):
        return "json"
    if RCCL_ENTRY.search(head) and all(key in head for key in RCCL_KEYS):
        return "rccl_json"
    return "rccl_csv" if RCCL_HEADER.search(head) else None


def is_text(head: bytes) -> bool:
    """Whether `head` holds the header of a text table, or another line that only a run prints."""
    if not any(word in head for word in WORDS):
        return False
    return TABLE.search(head) is not None or BANNER.search(head) is not None
