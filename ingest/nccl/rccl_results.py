"""The results that rccl-tests writes with -x, from JSON and CSV alike.

Source: `Reporter` in `common.cu` and `common.cpp` of ROCm/rccl-tests. Each entry is one placement;
`ranks` counts processes, each of which has `gpusPerRank` devices; `numCycle` counts from 0; `wrong`
is N/A, or -1, where nothing was checked. The file is written when the run has ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ingest.nccl.blank import blank_output, blank_row
from ingest.nccl.json_values import whole_of
from ingest.nccl.names import collective_named
from ingest.nccl.records import Form, NcclNote, NcclOutput, NcclRow, Placement
from ingest.records import Problem, Record, Run, RunStatus
from ingest.values import finite_number

RERUN = "load the whole file, or run the test again"
SETTINGS = {"nodes": "nodes", "ranks": "ranks", "rankspernode": "ranksPerNode",
            "gpusperrank": "gpusPerRank", "gpus": "gpus"}  # fmt: skip
NEEDED = ("size", "inplace", "time", "algbw", "busbw")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its values as printed, by the lower-case names of their keys."""

    line: int
    values: dict[str, str]

    def whole(self, name: str, least: int = 0) -> int | None:
        """A whole number, None where there is none."""
        return whole_of(self.values.get(name), least)

    def number(self, name: str) -> float | None:
        """A finite number, None where there is none."""
        return finite_number(self.values.get(name))

    @property
    def fault(self) -> str | None:
        """Why it is no result; None where it is one."""
        missing = [name for name in NEEDED if not self.values.get(name)]
        if missing:
            return f"an entry without {', '.join(missing)}"
        if self.whole("size") is None or self.whole("inplace") not in (0, 1):
            return "an entry whose size or placement is no number"
        return None

    @property
    def run(self) -> tuple[str | None, ...]:
        """What is the same in all entries of one run."""
        return tuple(self.values.get(name) for name in ("name", *SETTINGS))


@dataclass(frozen=True, slots=True)
class Lost:
    """A place where an entry was, and what is wrong with it."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """The entries of one file or list in order. `is_whole`: it does not break off."""

    form: Form
    line: int
    last_line: int
    entries: list[Entry | Lost]
    is_whole: bool


def records(sheets: list[Sheet]) -> Iterator[Record]:
    """Rows, notes, problems, an output and a Run for each run of the sheets."""
    parts = [part for sheet in sheets for part in _runs(sheet)]
    for attempt, part in enumerate(parts, start=1):
        yield from _records(part, attempt, attempt == len(parts))


def _runs(sheet: Sheet) -> Iterator[Sheet]:
    """One sheet for each test in it; what is lost belongs to the run that it stands in."""
    judged = [
        Lost(entry.line, entry.fault) if isinstance(entry, Entry) and entry.fault else entry
        for entry in sheet.entries
    ]
    run: tuple[str | None, ...] | None = None
    groups: list[list[Entry | Lost]] = []
    for entry in judged:
        if not groups or (isinstance(entry, Entry) and run not in (None, entry.run)):
            groups.append([])
        if isinstance(entry, Entry):
            run = entry.run
        groups[-1].append(entry)
    for index, group in enumerate(groups):
        is_first, is_last = index == 0, index == len(groups) - 1
        yield Sheet(
            sheet.form,
            sheet.line if is_first else group[0].line,
            sheet.last_line if is_last else group[-1].line,
            group,
            sheet.is_whole or not is_last,
        )
    if not groups:
        yield sheet


def _records(sheet: Sheet, attempt: int, is_last: bool) -> Iterator[Record]:
    kept = [entry for entry in sheet.entries if isinstance(entry, Entry)]
    lost = [entry for entry in sheet.entries if isinstance(entry, Lost)]
    yield from _rows(kept, attempt)
    for entry in lost:
        yield NcclNote(entry.line, attempt, "lost", entry.reason)
        yield Problem(entry.line, "warning", f"a row is lost: {entry.reason}", RERUN)
    if not sheet.is_whole:
        yield Problem(sheet.last_line, "warning", "the file breaks off here", RERUN)
    yield _output(sheet, kept, attempt, len(lost))
    status: RunStatus = "success" if sheet.is_whole and kept else "unfinished"
    yield Run(attempt, sheet.line, sheet.last_line, status, is_last)


def _rows(entries: list[Entry], attempt: int) -> Iterator[NcclRow]:
    """A row for each entry; in place stands behind out of place and has its ordinal."""
    ordinal, before = 0, None
    for entry in entries:
        key = tuple(entry.values.get(name) for name in ("numcycle", "size", "type", "redop"))
        placement: Placement = "in_place" if entry.whole("inplace") else "out_of_place"
        if placement == "out_of_place" or before != key:
            ordinal += 1
        before = key if placement == "out_of_place" else None
        wrong = entry.number("wrong")
        wrong = wrong if wrong is not None and wrong >= 0 else None
        row = blank_row(entry.line, attempt, placement, entry.whole("size") or 0)
        yield replace(
            row,
            ordinal=ordinal,
            cycle=(entry.whole("numcycle") or 0) + 1,
            type=entry.values.get("type") or None,
            redop=entry.values.get("redop") or None,
            time_us=entry.number("time"),
            algbw_gbps=entry.number("algbw"),
            busbw_gbps=entry.number("busbw"),
            wrong=wrong,
            is_unchecked=wrong is None,
            time_digits=entry.values.get("time"),
            algbw_digits=entry.values.get("algbw"),
            busbw_digits=entry.values.get("busbw"),
        )


def _output(sheet: Sheet, kept: list[Entry], attempt: int, rows_lost: int) -> NcclOutput:
    first = kept[0] if kept else Entry(sheet.line, {})
    settings = {
        shown: value for name, shown in SETTINGS.items() if (value := first.whole(name)) is not None
    }
    return replace(
        blank_output(sheet.line, sheet.last_line, attempt, sheet.form),
        collective=collective_named(first.values.get("name", "")),
        is_rccl=True,
        era="C",
        ranks_listed=_ranks(first),
        nodes_listed=first.whole("nodes", 1),
        settings=json.dumps(settings) if settings else None,
        has_footer=sheet.is_whole and bool(kept),
        rows_lost=rows_lost,
    )


def _ranks(entry: Entry) -> int | None:
    """Processes times devices of each; a build without MPI has one process and says `gpus`."""
    processes, each = entry.whole("ranks", 1), entry.whole("gpusperrank", 1)
    return processes * each if processes and each else entry.whole("gpus", 1)
