"""nccl-tests results that `-J` writes as JSON, versions 1 to 3.

Source: `util.cu` of NVIDIA/nccl-tests 2.17.3 to 2.19.6; and the form of pull request 318, which was
never merged. The environment in the file is dropped but for the variables of the communication.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ingest.lines import as_utf8
from ingest.nccl import json_proposal, json_report
from ingest.nccl.detect import structured_form
from ingest.nccl.secrets import redacted
from ingest.records import Problem, Record

__all__ = ["DESCRIPTION", "NAME", "RUN_KIND", "VERSION", "claims", "parse", "redacted"]

NAME = "nccl_json"
DESCRIPTION = "nccl-tests result as JSON (-J), versions 1 to 3 (NVIDIA/nccl-tests 2.17.3 and later)"
VERSION = 1
RUN_KIND = "nccl"


def claims(head: bytes, name: str) -> bool:
    """True for text with a `-J` document and without the text table."""
    return structured_form(head) == "json"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Rows, devices, notes, an output and a Run of every document. Never raises."""
    data = redacted(as_utf8(data))
    starts = [0, *(found.end() for found in re.finditer(rb"\n", data))]

    def line_at(offset: int) -> int:
        return bisect_right(starts, offset)

    found = list(json_report.reports(data))
    drafts = list(json_proposal.proposals(data))
    if not found and not drafts:
        yield Problem(None, "error", "no document of nccl-tests can be read", json_report.RERUN)
    count = len(found) + len(drafts)
    for attempt, report in enumerate(found, start=1):
        yield from json_report.records(data, report, line_at, attempt, attempt == count)
    for attempt, draft in enumerate(drafts, start=len(found) + 1):
        yield from json_proposal.records(data, draft, line_at, attempt, attempt == count)
