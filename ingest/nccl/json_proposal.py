"""The JSON that pull request 318 of nccl-tests printed to stdout; it was never merged.

It has neither parameters nor devices, footer or name of the collective. Sizes are keys; that times
are in microseconds and bandwidths in 10^9 bytes/s follows from each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ingest.json_text import Node, Parsed, parsed
from ingest.nccl.blank import blank_output, blank_row
from ingest.nccl.json_setup import objects
from ingest.nccl.json_values import number, printed, whole, whole_of
from ingest.nccl.records import NcclNote, NcclRow, Placement
from ingest.records import Problem, Record, Run

START = re.compile(rb'\{\s*"identifier"\s*:\s*"nccl-tests structured output"')
PREFIXES: tuple[tuple[Placement, str], ...] = (("out_of_place", "oop_"), ("in_place", "ip_"))


def proposals(data: bytes) -> Iterator[Parsed]:
    """Every document of that form in the text."""
    position = 0
    while found := START.search(data, position):
        one = parsed(data, found.start())
        yield one
        position = max(one.end, found.end())


def records(
    data: bytes, document: Parsed, line_at: Callable[[int], int], attempt: int, is_last: bool
) -> Iterator[Record]:
    """The rows that are whole, an output without parameters, and an unfinished Run."""
    lost, ordinal = 0, 0
    for results in objects(document.root.node("benchmark", is_list=True)):
        for member in results.members:
            ordinal += 1
            size = whole_of(member.name, 0)
            node = member.value
            if size is not None and isinstance(node, Node) and node.is_closed:
                first = blank_row(line_at(member.offset), attempt, "out_of_place", size)
                yield from _rows(data, node, replace(first, ordinal=ordinal))
            else:
                lost += 1
                line, reason = line_at(member.offset), "a result that is not whole"
                yield NcclNote(line, attempt, "lost", reason)
                yield Problem(line, "warning", f"a row is lost: {reason}", "load the whole output")
    yield from _run(document, line_at, attempt, is_last, lost)


def _rows(data: bytes, node: Node, first: NcclRow) -> Iterator[NcclRow]:
    for placement, prefix in PREFIXES:
        if node.member(f"{prefix}time") is None:
            continue
        wrong = number(node, f"{prefix}error")
        yield replace(
            first,
            placement=placement,
            count=whole(node, "count", 0),
            type=node.text("type") or None,
            redop=node.text("redop") or None,
            root=whole(node, "root"),
            time_us=number(node, f"{prefix}time"),
            algbw_gbps=number(node, f"{prefix}algbw"),
            busbw_gbps=number(node, f"{prefix}busbw"),
            wrong=wrong,
            is_unchecked=wrong is None,
            time_digits=printed(data, node, f"{prefix}time"),
            algbw_digits=printed(data, node, f"{prefix}algbw"),
            busbw_digits=printed(data, node, f"{prefix}busbw"),
        )


def _run(
    document: Parsed, line_at: Callable[[int], int], attempt: int, is_last: bool, lost: int
) -> Iterator[Record]:
    first, last = line_at(document.start), line_at(max(document.end - 1, document.start))
    output = blank_output(first, last, attempt, "json")
    yield replace(output, nccl_version=document.root.text("version"), rows_lost=lost)
    yield Problem(
        first,
        "warning",
        "a JSON form that was proposed and never merged: it names neither the collective nor the "
        "ranks, and has no end",
        "run a released nccl-tests (2.17.3 or later) with -J",
    )
    yield Run(attempt, first, last, "unfinished", is_last)
