"""One `-J` document of nccl-tests to records: versions 1 to 3, whole or broken off.

Source: `util.cu` of NVIDIA/nccl-tests 2.17.3 to 2.19.6. The keys of the average were misspelt up
to 2.17.8, booleans are strings, `root` is a padded string, and of a process with several GPUs only
the first device is listed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from ingest.json_text import Node, Parsed, parsed
from ingest.nccl.blank import blank_output
from ingest.nccl.json_rows import PLACEMENTS, Results, Table
from ingest.nccl.json_setup import (
    devices,
    environment,
    nodes_listed,
    objects,
    ranks_listed,
    settings,
    texts,
)
from ingest.nccl.json_values import number, whole
from ingest.nccl.names import collective_of, version_of
from ingest.nccl.records import NcclNote, NcclOutput, NoteKind
from ingest.records import EXCERPT_CHARACTERS, Problem, Record, Run, RunStatus

RERUN = "load the whole file, or run the test again"
START = re.compile(rb'^[ \t]*\{|\{\s*"version"\s*:\s*\d+\s*,\s*"start_time"', re.MULTILINE)
NEXT = re.compile(rb'\{\s*"version"\s*:\s*\d+\s*,\s*"start_time"')
ELEMENT = re.compile(rb'\{\s*"size"\s*:\s*\d+\s*,')
AVERAGE = ("average_bus_bandwidth", "average_bus_bandwidith")
BANDWIDTH = ("bandwidth", "bandwidith")


@dataclass(slots=True)
class Report:
    """A document up to byte `end`; `later` are results behind the place where it breaks."""

    parsed: Parsed
    end: int
    later: list[Node] = field(default_factory=list)

    @property
    def root(self) -> Node:
        """The outermost object."""
        return self.parsed.root

    @property
    def config(self) -> Node:
        """The parameters; empty where the document breaks off before."""
        return self.root.node("config") or Node(0, is_list=False)

    def results(self) -> list[Node]:
        """The objects of `results` in file order, one that breaks off included."""
        return objects(self.root.node("results", is_list=True)) + self.later


def reports(data: bytes) -> Iterator[Report]:
    """Every `-J` document in the text; other JSON round them is passed over."""
    position = 0
    while found := START.search(data, position):
        start = data.index(b"{", found.start())
        one = parsed(data, start)
        if _is_report(one.root):
            following = NEXT.search(data, one.end) if one.broken_at is not None else None
            limit = following.start() if following else len(data)
            report = Report(one, one.end)
            if one.broken_at is not None:
                report.later, report.end = _later(data, one.end, limit)
            yield report
            position = max(report.end, start + 1)
        else:
            position = start + 1 if one.broken_at is not None else max(one.end, start + 1)


def _is_report(root: Node) -> bool:
    config = root.node("config")
    is_configured = config is not None and config.member("minimum_bytes") is not None
    return is_configured or bool(root.member("version") and root.member("start_time"))


def _later(data: bytes, position: int, limit: int) -> tuple[list[Node], int]:
    """Whole results behind the place where a document cannot be read on."""
    later = []
    while found := ELEMENT.search(data, position, limit):
        one = parsed(data, found.start())
        if one.broken_at is None:
            later.append(one.root)
        position = max(one.end, found.end())
    return later, position


def records(
    data: bytes, report: Report, line_at: Callable[[int], int], attempt: int, is_last: bool
) -> Iterator[Record]:
    """The rows, devices, notes, problems, output and Run of one document."""
    sizes = [whole(report.config, name) for name in ("minimum_bytes", "maximum_bytes")]
    table = Table(data, line_at, attempt)
    results = table.results(report.results(), sizes[0] is not None and sizes[0] == sizes[1])
    output = _output(report, line_at, attempt, results)
    status, notes = _status(report, output, line_at)
    yield from results.rows
    yield from devices(report.config, line_at, attempt)
    yield from notes
    for offset, reason in results.lost:
        yield NcclNote(line_at(offset), attempt, "lost", reason)
        yield Problem(line_at(offset), "warning", f"a row is lost: {reason}", RERUN)
    if report.parsed.broken_at is not None:
        line = line_at(min(report.parsed.broken_at, len(data) - 1))
        yield Problem(line, "warning", "the JSON breaks off or is damaged here", RERUN)
    yield output
    yield Run(attempt, output.line, output.last_line, status, is_last)


def _output(
    report: Report, line_at: Callable[[int], int], attempt: int, results: Results
) -> NcclOutput:
    root = report.root
    bounds = root.node("out_of_bounds") or Node(0, is_list=False)
    average = next((node for name in AVERAGE if (node := root.node(name))), Node(0, is_list=False))
    bandwidth = [number(average, name) for name in BANDWIDTH if average.member(name)]
    arguments = texts(root.node("args", is_list=True))
    last = line_at(max(report.end - 1, root.offset))
    return replace(
        blank_output(line_at(root.offset), last, attempt, "json"),
        collective=next((name for text in arguments if (name := collective_of(text))), None),
        era="D",
        nccl_version=version_of(whole(root, "nccl_version") or 0),
        ranks_listed=ranks_listed(report.config),
        nodes_listed=nodes_listed(report.config),
        settings=settings(root, report.config),
        environment=environment(root),
        is_cpu_time=any(_is_cpu_time(node) for node in report.results()),
        out_of_bounds=whole(bounds, "count", 0),
        average_busbw_gbps=bandwidth[0] if bandwidth else None,
        average_said={"true": "OK", "false": "FAILED"}.get(average.text("okay") or ""),
        has_footer=bounds.is_closed and average.is_closed,
        rows_lost=len(results.lost),
    )


def _status(
    report: Report, output: NcclOutput, line_at: Callable[[int], int]
) -> tuple[RunStatus, list[NcclNote]]:
    """What the document says of its end; an error behind the footer does not undo the rows."""
    errors = report.root.node("errors", is_list=True)
    said = [
        (member.offset, member.value)
        for member in (errors.members if errors else [])
        if isinstance(member.value, str) and member.value.strip()
    ]
    status: RunStatus = "success" if output.has_footer else "failed" if said else "unfinished"
    failure: NoteKind = "timeout" if any("timeout" in text for _, text in said) else "failure"
    kind: NoteKind = "warning" if output.has_footer else failure
    notes = [
        NcclNote(line_at(offset), output.attempt, kind, text.strip()[:EXCERPT_CHARACTERS])
        for offset, text in said
    ]
    return status, notes


def _is_cpu_time(result: Node) -> bool:
    parts = [result.node(placement) for placement in PLACEMENTS]
    return any(part.member("cpu_time") is not None for part in parts if part)
