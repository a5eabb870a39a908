"""What an nccl-tests output may say: one model for the text table and the JSON, NVIDIA's and AMD's.

A *run* is one execution of one test program. A table row gives up to two `NcclRow` records, one
for each placement. Sizes are bytes, times microseconds, bandwidths 10^9 bytes per second.
Unknown, not printed and N/A are None, never 0.

Source: `common.cu`, `util.cu` and the tests of NVIDIA/nccl-tests from v1.0.0 (2018) to v2.19.6,
ROCm/rccl-tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ingest.records import Row, counted

Form = Literal["text", "json", "rccl_json", "rccl_csv"]
Era = Literal["A", "B", "C", "D"]
Placement = Literal["out_of_place", "in_place"]
NoteKind = Literal["failure", "timeout", "warning", "elided", "copies", "lost", "network", "note"]


@dataclass(slots=True)
class NcclOutput(Row):
    """One run: what stands around its rows. `line` is its first line, the banner if there is one.

    `collective` is the test's name without _perf and _mpi (`all_reduce`, `sendrecv`, ...), None
    where nothing names it. `era` is the shape of the table: A (bytes N, ms), B (`error`), C and D
    (`#wrong`). `ranks_listed`, `nodes_listed` count the device lines (None where none, or where
    the list is cut or elided; `nodes_listed` also where host names are blank).
    `average_busbw_gbps` is the printed mean, only a check. `copies` counts the banners of
    processes that ran the same test side by side without MPI. `settings` is JSON: the banner's
    numbers by name (minBytes, maxBytes, step, warmup iters, iters, agg iters, validation, graph,
    unalign, nThread, nGpus) and, from -J, its config. `environment` is JSON: only variables of
    NCCL, RCCL, CUDA, UCX, NVSHMEM, FI, OFI and HSA. `network` is the transport that
    `Using network` names; `is_nvls`, `is_sharp` are True where a line shows it, else None.
    """

    TABLE: ClassVar[str] = "nccl_output"

    last_line: int
    form: Form
    collective: str | None
    is_rccl: bool
    era: Era | None
    tests_version: str | None
    nccl_version: str | None
    driver_version: str | None
    ranks_listed: int | None
    nodes_listed: int | None
    copies: int
    settings: str | None
    environment: str | None
    network: str | None
    is_nvls: bool | None
    is_sharp: bool | None
    is_cpu_time: bool
    out_of_bounds: int | None
    average_busbw_gbps: float | None
    average_said: str | None
    has_footer: bool
    rows_lost: int

    def __post_init__(self) -> None:
        counted("last_line", self.last_line, self.line)
        counted("copies", self.copies, 1)
        counted("rows_lost", self.rows_lost, 0)


@dataclass(slots=True)
class NcclRow(Row):
    """One row of one placement. `ordinal` counts table rows from 1, `cycle` the repeats of -N.

    `wrong` is the number of wrong elements (eras C, D), `delta` the largest difference (eras A, B:
    `res`, `error`); both None and `is_unchecked` True where N/A is printed. `time_us` is the time
    as printed, in microseconds (era A prints milliseconds); with -C it is CPU time.
    `iter_*` are of -I. `time_digits`, `algbw_digits` and `busbw_digits` are the printed text, so
    that a check knows how far a number was rounded.
    """

    TABLE: ClassVar[str] = "nccl_row"

    ordinal: int
    cycle: int
    placement: Placement
    size_bytes: int
    count: int | None
    type: str | None
    redop: str | None
    root: int | None
    time_us: float | None
    algbw_gbps: float | None
    busbw_gbps: float | None
    wrong: float | None
    delta: float | None
    is_unchecked: bool
    iter_min_us: float | None
    iter_max_us: float | None
    iter_p99_us: float | None
    iter_cv_pct: float | None
    time_digits: str | None
    algbw_digits: str | None
    busbw_digits: str | None

    def __post_init__(self) -> None:
        counted("ordinal", self.ordinal, 1)
        counted("cycle", self.cycle, 1)
        counted("size_bytes", self.size_bytes, 0)


@dataclass(slots=True)
class NcclDevice(Row):
    """One device line. `host` is the printed name; None where it is blank."""

    TABLE: ClassVar[str] = "nccl_device"

    rank: int
    group: int | None
    host: str | None
    device: int | None
    bus_id: str | None
    name: str | None


@dataclass(slots=True)
class NcclNote(Row):
    """A line of text beside the numbers, classified; addresses are left out of `text`.

    failure: a test, CUDA or NCCL failure; timeout; warning: NCCL WARN and the like; elided: `...`
    stands for rows or devices; copies: processes that do not know of each other; lost: a row that
    could not be put together; network: which transport, plugin, NVLS or SHARP; note: a parameter
    that the test changed (`Reducing maxBytes`, `skipping`), blocking mode, memory report.
    """

    TABLE: ClassVar[str] = "nccl_note"

    kind: NoteKind
    text: str
