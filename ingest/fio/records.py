"""What an fio output may say: one model of a job result for JSON, terse and normal text.

An *output* is one document of a file (`--status-interval` prints several, each cumulative); an
*entry* is one element of its `jobs` or `client_stats`, one terse line, or one block of normal
text. What is printed is kept in one unit system: bytes, milliseconds of run time, nanoseconds of
latency. Nothing is summed here. Unknown is None; a latency that fio did not measure has no record.

Source: formats of fio 2.1 to 3.42 (`stat.c`, `client.c`, `iolog.c` of axboe/fio).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from ingest.records import Row, counted, finite

Direction = Literal["read", "write", "trim", "mixed", "sync"]
LatencyKind = Literal["slat", "clat", "lat"]
Form = Literal["json", "terse", "normal"]
NoteKind = Literal["error", "killed", "interrupted", "disconnected", "verify", "refused", "note"]
Measure = Literal["bw", "iops", "slat", "clat", "lat", "clat_hist"]


def _not_negative(*values: float | None) -> None:
    for value in values:
        finite("value", value)
        if value is not None and value < 0:
            raise ValueError(f"a measured value cannot be negative: {value}")


@dataclass(slots=True)
class FioOutput(Row):
    """One document: `snapshot` counts from 1 within the run, the last one is the result.

    `time_s` is seconds since 1970 as logged (end of the run locally, its start in client/server
    mode). `is_rounded`: numbers have the few digits of normal text. `is_complete` is False for a
    document that breaks off. `clients_named` is how many clients the output itself shows (its
    global options or the job lines that servers sent), None for a local run or where none shows.
    """

    TABLE: ClassVar[str] = "fio_output"

    snapshot: int
    last_line: int
    form: Form
    version: str | None
    time_s: float | None
    is_client_server: bool | None
    is_rounded: bool
    is_complete: bool
    is_last: bool
    clients_named: int | None

    def __post_init__(self) -> None:
        counted("snapshot", self.snapshot, 1)
        counted("last_line", self.last_line, self.line)


@dataclass(slots=True)
class FioEntry(Row):
    """One job, or one group of jobs where group_reporting merged them.

    `entry` is the position in the document, from 1 (clones share one name). `is_total` marks "All
    clients", which is only a check. `members` is the number of jobs as normal text prints it.
    `options` is JSON: the effective options, job over global, a value given twice as a list; None
    where the output prints none. `depth_shares` is JSON: share of I/Os by depth level.
    """

    TABLE: ClassVar[str] = "fio_entry"

    snapshot: int
    entry: int
    name: str
    group_id: int | None
    hostname: str | None
    port: int | None
    is_total: bool
    members: int | None
    error: int | None
    total_errors: int | None
    first_error: int | None
    elapsed_s: float | None
    job_start_ms: float | None
    job_runtime_ms: float | None
    usr_cpu_pct: float | None
    sys_cpu_pct: float | None
    is_steady: bool | None
    options: str | None
    depth_shares: str | None
    description: str | None

    def __post_init__(self) -> None:
        counted("entry", self.entry, 1)
        _not_negative(self.elapsed_s, self.job_runtime_ms, self.job_start_ms)
        _not_negative(self.usr_cpu_pct, self.sys_cpu_pct)


@dataclass(slots=True)
class FioTransfer(Row):
    """What an entry moved in one direction. Directions without any I/O have a record too.

    `bandwidth_bps` and `iops` are as fio prints them, bytes and operations per second: a check on
    bytes over run time, never the result.
    """

    TABLE: ClassVar[str] = "fio_transfer"

    snapshot: int
    entry: int
    direction: Direction
    bytes_moved: float | None
    runtime_ms: float | None
    ios: float | None
    bandwidth_bps: float | None
    iops: float | None
    short_ios: float | None
    dropped_ios: float | None

    def __post_init__(self) -> None:
        _not_negative(self.bytes_moved, self.runtime_ms, self.ios, self.bandwidth_bps, self.iops)
        _not_negative(self.short_ios, self.dropped_ios)


@dataclass(slots=True)
class FioLatSummary(Row):
    """Latency of one kind in one direction, nanoseconds. `samples` is None where not printed."""

    TABLE: ClassVar[str] = "fio_lat_summary"

    snapshot: int
    entry: int
    direction: Direction
    kind: LatencyKind
    min_ns: float | None
    max_ns: float | None
    mean_ns: float | None
    stddev_ns: float | None
    samples: float | None

    def __post_init__(self) -> None:
        _not_negative(self.min_ns, self.max_ns, self.mean_ns, self.stddev_ns, self.samples)


@dataclass(slots=True)
class FioLatPercentile(Row):
    """One percentile of a latency, nanoseconds."""

    TABLE: ClassVar[str] = "fio_lat_percentile"

    snapshot: int
    entry: int
    direction: Direction
    kind: LatencyKind
    percentile: float
    value_ns: float

    def __post_init__(self) -> None:
        _not_negative(self.value_ns)
        if not 0 < self.percentile <= 100:
            raise ValueError(f"percentile must be over 0 and at most 100, not {self.percentile}")


@dataclass(slots=True)
class FioLatBin(Row):
    """One bin of json+: how many I/Os took about `value_ns` (the value fio gives the bin)."""

    TABLE: ClassVar[str] = "fio_lat_bin"

    snapshot: int
    entry: int
    direction: Direction
    kind: LatencyKind
    value_ns: float
    ios: float

    def __post_init__(self) -> None:
        _not_negative(self.value_ns, self.ios)


@dataclass(slots=True)
class FioDisk(Row):
    """Use of one disk during a document; `read_bytes` and `written_bytes` from 3.36 on."""

    TABLE: ClassVar[str] = "fio_disk"

    snapshot: int
    hostname: str | None
    port: int | None
    name: str
    read_ios: float | None
    write_ios: float | None
    read_bytes: float | None
    written_bytes: float | None
    util_pct: float | None

    def __post_init__(self) -> None:
        _not_negative(self.read_ios, self.write_ios, self.read_bytes, self.written_bytes)


@dataclass(slots=True)
class FioNote(Row):
    """A line of text beside the numbers, classified; `text` is printable and shortened.

    error: `err=`, `io_u error`, `error=`; killed: a worker `got signal=`; interrupted:
    `terminating on signal`; disconnected: a client was lost or exited with an error; verify: a
    verification failed; refused: a server or fio would not take the job; note: any other `note:`,
    warning or unread line worth keeping.
    """

    TABLE: ClassVar[str] = "fio_note"

    kind: NoteKind
    host: str | None
    text: str


@dataclass(slots=True)
class FioLog(Row):
    """One log file (`write_bw_log` and its like), by its name and the shape of its lines.

    `log_name` is the part before `_bw.1.log`; `job` the number in the name (None with
    per_job_logs=0); `host` what client/server mode appends. `layout` names the columns in order,
    separated by blanks; `undecided` stands for a column that may be offset or priority.
    `bins` is the number of bins of a histogram log.
    """

    TABLE: ClassVar[str] = "fio_log"

    measure: Measure
    log_name: str
    job: int | None
    host: str | None
    columns: int
    layout: str
    bins: int | None
    is_compressed: bool

    def __post_init__(self) -> None:
        counted("columns", self.columns, 4)


@dataclass(slots=True)
class FioLogSample(Row):
    """One line of a log, as printed: bandwidth in KiB/s, latency in us (2.x) or ns (from 2.99).

    `undecided` holds a column that may be offset or priority.
    """

    TABLE: ClassVar[str] = "fio_log_sample"

    time_ms: float
    value: float
    value_max: float | None
    direction: Direction
    block_bytes: float | None
    offset_bytes: float | None
    priority: int | None
    issue_ns: float | None
    undecided: float | None

    def __post_init__(self) -> None:
        # there are millions: the plain case costs no call
        if not (0 <= self.time_ms < math.inf and 0 <= self.value < math.inf):
            _not_negative(self.time_ms, self.value)


@dataclass(slots=True)
class FioLogBin(Row):
    """One bin that is not empty in one line of a histogram log; `value_ns` as in JSON."""

    TABLE: ClassVar[str] = "fio_log_bin"

    time_ms: float
    direction: Direction
    block_bytes: float | None
    value_ns: float
    ios: float

    def __post_init__(self) -> None:
        _not_negative(self.time_ms, self.value_ns, self.ios)
