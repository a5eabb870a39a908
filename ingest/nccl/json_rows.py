"""The results of a `-J` document to rows, and which of them are lost.

Source: `writeBenchmarkLine*` and `writePerIterReport` in `util.cu` of nccl-tests 2.17.3 to 2.19.6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ingest.json_text import Node
from ingest.nccl.blank import blank_row
from ingest.nccl.json_values import number, printed, whole
from ingest.nccl.records import NcclRow, Placement

PLACEMENTS: tuple[Placement, ...] = ("out_of_place", "in_place")
Combination = tuple[str | None, str | None, int | None]


@dataclass(slots=True)
class Cycles:
    """Counts the repeats of -N: nothing marks them but that the sizes begin again."""

    is_one_size: bool
    cycle: int = 1
    size: int = -1
    of: Combination | None = None

    def at(self, size: int, combination: Combination) -> int:
        """The repeat that a row belongs to, from 1; each type and operation has its own."""
        if combination != self.of:
            self.cycle = 1
        elif size < self.size or (self.is_one_size and size == self.size):
            self.cycle += 1
        self.size, self.of = size, combination
        return self.cycle


@dataclass(slots=True)
class Results:
    """Rows, and each lost row as the byte it begins at and what is wrong with it."""

    rows: list[NcclRow] = field(default_factory=list)
    lost: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    """Where the results of a run stand: the text, its lines, the run."""

    data: bytes
    line_at: Callable[[int], int]
    attempt: int

    def results(self, nodes: list[Node], is_one_size: bool) -> Results:
        """The rows of every result. A placement that is not whole is lost, the other is kept."""
        found, cycles = Results(), Cycles(is_one_size)
        for ordinal, node in enumerate(nodes, start=1):
            size = whole(node, "size", 0)
            if size is None:
                found.lost.append((node.offset, "a result without a whole size"))
                continue
            cycle = cycles.at(size, (node.text("type"), node.text("redop"), whole(node, "root")))
            rows = [self._row(node, part, size) for part in PLACEMENTS if node.member(part)]
            kept = [row for row in rows if row]
            for row in kept:
                row.ordinal, row.cycle = ordinal, cycle
            found.rows += kept
            if fault := _fault(node, kept):
                found.lost.append((node.offset, f"{fault} of {size} bytes"))
        return found

    def _row(self, node: Node, placement: Placement, size: int) -> NcclRow | None:
        part = node.node(placement)
        if part is None or not part.is_closed:
            return None
        time = "cpu_time" if part.member("cpu_time") else "time"
        if not part.member(time) or not part.member("bus_bw"):
            return None
        wrong = number(part, "nwrong")
        iterations = node.node(f"{placement}_per_iter") or Node(0, is_list=False)
        return replace(
            blank_row(self.line_at(part.offset), self.attempt, placement, size),
            count=whole(node, "count", 0),
            type=node.text("type") or None,
            redop=node.text("redop") or None,
            root=whole(node, "root"),
            time_us=number(part, time),
            algbw_gbps=number(part, "alg_bw"),
            busbw_gbps=number(part, "bus_bw"),
            wrong=wrong,
            is_unchecked=wrong is None,
            iter_min_us=number(iterations, "min_us"),
            iter_max_us=number(iterations, "max_us"),
            iter_p99_us=number(iterations, "p99_us"),
            iter_cv_pct=number(iterations, "cv_pct"),
            time_digits=printed(self.data, part, time),
            algbw_digits=printed(self.data, part, "alg_bw"),
            busbw_digits=printed(self.data, part, "bus_bw"),
        )


def _fault(node: Node, kept: list[NcclRow]) -> str | None:
    """What is missing of a result. `null` stands for a placement that was not run."""
    run = [
        part for part in PLACEMENTS if (member := node.member(part)) and member.value is not None
    ]
    got = {row.placement for row in kept}
    for part in run:
        if part not in got:
            return f"no whole {part.replace('_', '-')} measurement"
    if not got:
        return "no measurement"
    if not node.is_closed and not node.member("in_place"):
        return "no whole in-place measurement"
    return None
