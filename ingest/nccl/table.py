"""The table of nccl-tests: which columns its header names.

Source: `print_header` of the tests and `common.cu` of NVIDIA/nccl-tests v1.0.0 to v2.17.2,
`util.cu` from v2.17.3 on, ROCm/rccl-tests. Columns are known by their names, never by their number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.nccl.records import Era, Placement

HEADER = re.compile(
    rb"(?:#[ \t]*)?\b(size|bytes)[ \t]+(?:count|N)[ \t][^\n]{0,200}?"
    rb"\b(?:cpu)?time[ \t]+algbw[ \t]+busbw\b"
)
TITLE = re.compile(rb"\b(?:out-of-place|in-place)\b")
UNITS = re.compile(rb"\(B\)\s+\(elements\)")
TIMES = ("time", "cputime")
NAMES = {
    "#wrong": "wrong", "wrong": "wrong", "error": "delta", "res": "delta", "delta": "delta",
    "i_cv%": "i_cv", "cputime": "time",
}  # fmt: skip
KNOWN = frozenset({"time", "algbw", "busbw", "sidebw", "wrong", "delta"}) | frozenset(
    {"i_min", "i_max", "i_p99", "i_cv"}
)
BOTH: tuple[Placement, ...] = ("out_of_place", "in_place")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table: those in front, then a group of columns for each placement.

    `era` is None where the header's blanks, the only difference of C and D, are lost.
    """

    has_redop: bool
    has_root: bool
    group: tuple[str, ...]
    placements: tuple[Placement, ...]
    has_timestamp: bool
    is_cpu_time: bool
    era: Era | None

    @property
    def cells(self) -> int:
        """Number of measured cells in a row."""
        return len(self.group) * len(self.placements)


def layout_of(text: bytes, title: bytes) -> tuple[bytes, Layout] | None:
    """What stands in front of a header, and its columns; None for another line.

    `title` is the line above it, which tells in-place from out-of-place.
    """
    found = HEADER.search(text) if b"algbw" in text else None
    if not found:
        return None
    header = text[found.start() :].decode("utf-8", "replace").lstrip("# \t")
    words = header.rstrip(" `\"',|\t").split()
    starts = [index for index, word in enumerate(words) if word in TIMES]
    lead, measured = words[: starts[0]], words[starts[0] :]
    has_timestamp = measured[-1] == "timestamp"
    measured = measured[: len(measured) - has_timestamp]
    groups = min(len(starts), len(BOTH))
    group = tuple(NAMES.get(word.lower(), word.lower()) for word in measured)
    if group != group[: len(group) // groups] * groups or len(starts) > len(BOTH):
        return None
    group = group[: len(group) // groups]
    if not KNOWN.issuperset(group) or "type" not in lead:
        return None
    return text[: found.start()], Layout(
        "redop" in lead or "op" in lead, "root" in lead, group, _placements(groups, title),
        has_timestamp, "cputime" in words, _era(found[1], group, header),
    )  # fmt: skip


def _placements(groups: int, title: bytes) -> tuple[Placement, ...]:
    if groups == len(BOTH):
        return BOTH
    is_in_place = b"in-place" in title and b"out-of-place" not in title
    return ("in_place",) if is_in_place else ("out_of_place",)


def _era(size_name: bytes, group: tuple[str, ...], header: str) -> Era | None:
    if size_name == b"bytes":
        return "A"
    if "delta" in group:
        return "B"
    if "  " not in header:
        return None
    blanks = re.search(r"busbw( +)#wrong", header)
    return "D" if "i_min" in group or (blanks and len(blanks[1]) > 1) else "C"


def era_of(version: str) -> Era:
    """C or D by the version of nccl-tests that a file names: the layout changed with 2.17.3."""
    numbers = tuple(int(number) for number in re.findall(r"\d{1,9}", version)[:3])
    return "D" if numbers >= (2, 17, 3) else "C"
