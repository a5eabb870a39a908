"""One run of a text capture while its lines come in, and the records that it gives."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ingest.lines import Line, readable
from ingest.nccl.banner import (
    AVERAGE,
    OUT_OF_BOUNDS,
    RCCL_TESTS_VERSION,
    TESTS_VERSION,
    Parameters,
    collectives_in,
    fits_collective,
)
from ingest.nccl.devices import nodes_in, ranks_in
from ingest.nccl.names import version_of
from ingest.nccl.notes import Surroundings
from ingest.nccl.records import Era, NcclDevice, NcclOutput, NcclRow
from ingest.nccl.row import Cells, rows_of
from ingest.nccl.table import Layout, era_of
from ingest.records import Problem, Record, Run, RunStatus

AGAIN = "run the test again if this size is needed; the other rows are stored"
SIDE_BY_SIDE = "copies of the test ran side by side, each as if it were alone"
WITH_MPI = "build nccl-tests with MPI=1 and start it with mpirun or srun; these rows are no result"
NO_HEADER = "the header of the table is not in this text: columns are told by their number"
KEEP_HEADER = "keep the whole output of the test, from its first line on"
NO_ROWS = "no row of this run can be read"
SEE_NOTES = "see its notes for the reason; keep the whole output of the test"


@dataclass(slots=True)
class Lost:
    """A row that could not be put together."""

    line: int
    reason: str
    text: bytes


@dataclass(slots=True)
class TextRun:
    """The run that lines are given to."""

    line: int
    last_line: int
    openings: dict[str, bytes] = field(default_factory=dict)
    banners: list[Parameters] = field(default_factory=list)
    headers: int = 0
    layout: Layout | None = None
    rows: list[tuple[Cells, Layout]] = field(default_factory=list)
    lost: list[Lost] = field(default_factory=list)
    devices: list[NcclDevice] = field(default_factory=list)
    listed: Counter[int] = field(default_factory=Counter)  # how often each rank is listed
    copies_listed: int = 1
    is_list_cut: bool = False
    told: Surroundings = field(default_factory=Surroundings)
    tests_version: str | None = None
    library: str | None = None
    program: str | None = None
    mentions: set[str] = field(default_factory=set)
    out_of_bounds: list[int] = field(default_factory=list)
    averages: list[tuple[float | None, str | None]] = field(default_factory=list)

    @property
    def copies(self) -> int:
        """Processes that ran side by side without MPI."""
        return max(len(self.banners), self.headers, self.copies_listed)

    @property
    def has_table(self) -> bool:
        """Whether a row was seen, read or not."""
        return bool(self.rows or self.lost)

    @property
    def footers(self) -> int:
        """How many times the last lines were seen."""
        return max(len(self.out_of_bounds), len(self.averages))

    @property
    def is_closed(self) -> bool:
        """Whether every copy has printed its last lines."""
        return self.footers > 0 and self.footers >= self.copies

    @property
    def is_over(self) -> bool:
        """Whether a banner or a header that follows is that of another run."""
        return self.is_closed or self.told.has_failed or self.told.is_aborted

    def take_device(self, device: NcclDevice) -> None:
        """Takes in a device; a rank that is listed again is one of another copy."""
        self.devices.append(device)
        self.listed[device.rank] += 1
        self.copies_listed = max(self.copies_listed, self.listed[device.rank])

    def take_version(self, text: bytes) -> None:
        """Takes in a line that tells the version of the tests."""
        own, rccl = TESTS_VERSION.search(text), RCCL_TESTS_VERSION.search(text)
        if own and self.tests_version is None:
            self.tests_version = readable(own[1])
            code = own[2].decode() if own[2] else ""
            self.library = version_of(int(code)) if code.isdigit() else code or None
        if rccl:
            self.told.is_rccl = True
            self.tests_version = readable(rccl[1]).strip(":+`\"',") or self.tests_version

    def take_footer(self, text: bytes) -> None:
        """Takes in the last lines of a test."""
        bounds, average = OUT_OF_BOUNDS.search(text), AVERAGE.search(text)
        if bounds:
            self.out_of_bounds.append(int(bounds[1]))
        if average:
            said = average[2].decode() if average[2] else None
            self.averages.append((_finite(average[1]), said))

    def take_words(self, line: Line) -> None:
        """Takes in a line that is not of the table."""
        is_preface = not self.headers and not self.has_table
        if is_preface or (b".cu:" in line.text and not self.mentions):
            self.mentions |= collectives_in(line.text)
        self.told.feed(line.number, line.text)

    def take_preface(self, lines: list[Line]) -> None:
        """Takes in the lines in front of the run: a failure among them is not its own."""
        for line in lines:
            self.take_words(line)
        self.told.has_failed = self.told.has_own_failure = self.told.is_aborted = False

    def lose(self, line: int, reason: str, text: bytes) -> None:
        """Keeps account of a row that is not stored."""
        self.lost.append(Lost(line, reason, text))
        self.told.note(line, "lost", text.strip())

    def records(self, attempt: int, is_last: bool, name_says: str | None) -> Iterator[Record]:
        """The records of the run. `name_says` is the test that the name of the file tells."""
        yield self._output(attempt, name_says)
        for device in self.devices:
            device.attempt = attempt
            yield device
        yield from self._rows(attempt)
        if self.copies > 1:
            self.told.note(self.line, "copies", f"{self.copies} {SIDE_BY_SIDE}".encode())
        yield from self.told.records(attempt)
        yield from self._problems()
        yield Run(attempt, self.line, self.last_line, self.status, is_last)

    @property
    def status(self) -> RunStatus:
        """How the run ended, by its last lines and what it said."""
        if self.footers and self.rows:
            return "failed" if self.told.has_own_failure else "success"
        if self.told.has_failed:
            return "failed"
        return "aborted" if self.told.is_aborted else "unfinished"

    def _output(self, attempt: int, name_says: str | None) -> NcclOutput:
        layout = self.layout or (self.rows[0][1] if self.rows else None)
        settings = self.banners[0].values if self.banners else None
        averages = set(self.averages)
        average, said = self.averages[0] if len(averages) == 1 else (None, None)
        return NcclOutput(
            self.line, attempt, self.last_line, "text", self._collective(name_says),
            self._is_rccl(), self._era(layout), self.tests_version,
            self.told.nccl_version or self.library, self.told.driver_version, self._ranks(),
            self._nodes(), self.copies, json.dumps(settings, sort_keys=True) if settings else None,
            self.told.environment_json(), self.told.network, self.told.is_nvls, self.told.is_sharp,
            layout is not None and layout.is_cpu_time,
            sum(self.out_of_bounds) if self.out_of_bounds else None,
            average, said, self.footers > 0, len(self.lost),
        )  # fmt: skip

    def _collective(self, name_says: str | None) -> str | None:
        if self.program:
            return self.program
        if len(self.mentions) == 1:
            return next(iter(self.mentions))
        if self.mentions or not name_says:
            return None
        return name_says if fits_collective(name_says, {c.redop for c, _ in self.rows}) else None

    def _is_rccl(self) -> bool:
        amd = re.compile(r"\bAMD\b|\bInstinct\b|\bRadeon\b")
        return self.told.is_rccl or any(amd.search(each.name or "") for each in self.devices)

    def _era(self, layout: Layout | None) -> Era | None:
        if layout is None or layout.era in ("A", "B") or self._is_rccl():
            return layout.era if layout else None
        version = self.tests_version
        return era_of(version) if version and version[:1].isdigit() else layout.era

    def _ranks(self) -> int | None:
        if self.is_list_cut:
            return None
        return ranks_in(self.devices, self.banners[0].devices_of_process if self.banners else 1)

    def _nodes(self) -> int | None:
        if self.copies > 1 or self._ranks() is None:
            return None
        return nodes_in(self.devices)

    def _rows(self, attempt: int) -> Iterator[NcclRow]:
        cycles = self._cycles()
        for ordinal, ((cells, layout), cycle) in enumerate(
            zip(self.rows, cycles, strict=True), start=1
        ):
            yield from rows_of(cells, layout, attempt, ordinal, cycle)

    def _cycles(self) -> list[int]:
        """The repeat of the table (-N) that each row is of: it begins again with the first row.

        The same row twice in a row is a repeat only where the test has one size: small sizes are
        rounded to the same one.
        """
        if self.copies > 1 or not self.rows:
            return [1] * len(self.rows)
        is_one_size = bool(self.banners) and self.banners[0].is_one_size
        keys = [
            (each.size, each.count, each.type, each.redop, _root(each)) for each, _ in self.rows
        ]
        cycles = [1]
        for before, key in pairwise(keys):
            begins = key == keys[0] and (before != key or is_one_size)
            cycles.append(cycles[-1] + begins)
        return cycles

    def _problems(self) -> Iterator[Problem]:
        for each in self.lost:
            yield Problem(each.line, "warning", each.reason, AGAIN, readable(each.text.strip()))
        if self.copies > 1:
            reason = f"{self.copies} {SIDE_BY_SIDE}"
            yield Problem(self.line, "warning", reason, WITH_MPI)
        if self.rows and self.layout is None:
            yield Problem(self.rows[0][0].line, "warning", NO_HEADER, KEEP_HEADER)
        if not self.rows:
            yield Problem(self.line, "warning", NO_ROWS, SEE_NOTES)


def _root(cells: Cells) -> bytes:
    return cells.numbers[0] if len(cells.numbers) % 2 else b""


def _finite(text: bytes) -> float | None:
    try:
        value = float(text.rstrip(b"`\"',|\\"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None
