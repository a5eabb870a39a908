"""One element of fio's `jobs` or `client_stats` to rows, units by the names of the keys.

`*_ns` keys are nanoseconds, plain `slat`, `clat`, `lat` (fio before 2.99) microseconds, `bw` is
KiB/s, `bw_bytes` bytes/s, `runtime` milliseconds. Only `io_bytes` needs a test: it held KiB up to
2.20, and `io_kbytes` stands beside it since it holds bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, get_args

from ingest.fio.bins import bin_value
from ingest.fio.records import (
    Direction,
    FioDisk,
    FioEntry,
    FioLatBin,
    FioLatPercentile,
    FioLatSummary,
    FioTransfer,
    LatencyKind,
)
from ingest.json_text import Member, Node, Value
from ingest.records import Problem, Row
from ingest.units import KIB, MS_PER_S, NS_PER_US, SECTOR_BYTES
from ingest.values import finite_number, json_text

TOTAL = "All clients"
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
KINDS: tuple[LatencyKind, ...] = get_args(LatencyKind)
ENTRY_KEYS = ("jobname", "groupid", "error")
TRANSFER_KEYS = ("io_bytes", "bw", "iops", "runtime")
UNIT_AGREES_WITHIN = 0.1
NANOSECOND_KEYS = ("bw_bytes", "clat_ns", "lat_ns")
# an exabyte, or thirty years in nanoseconds; a database holds whole numbers up to 9.2e18
MOST = 1e18
MOST_BINS, MOST_SUB_BINS = 4096, 1024
LARGEST_WHOLE = 2**31 - 1
PLAT_KEYS = "FIO_IO_U_PLAT_"

NOT_STORED = "nothing to do: the value is not stored"
CHECK = "do not edit fio's output; load the original, or run fio again"


@dataclass(slots=True)
class Place:
    """Where rows belong, and what was wrong with their values: each kind of fault once.

    `line_at` gives the line of the file that a byte of the text stands on.
    """

    line_at: Callable[[int], int]
    problems: list[Problem] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)

    def tell(self, offset: int, severity: Any, reason: str, remedy: str) -> None:
        """A Problem for this document, unless the same was said before."""
        if reason not in self._told:
            self._told.add(reason)
            self.problems.append(Problem(self.line_at(offset), severity, reason, remedy))

    def number(self, node: Node, name: str, unit: float = 1.0) -> float | None:
        """A member as a finite number in units of 1, None when absent or no such number."""
        found = node.member(name)
        return self.usable(found, unit) if found else None

    def usable(self, member: Member, unit: float = 1.0) -> float | None:
        """The value of a measured member; a negative one, NaN or an infinity is told of."""
        plain = None if isinstance(member.value, Node) else finite_number(member.value)
        number = None if plain is None else finite_number(plain * unit)
        if number is None or not 0 <= number < MOST:
            reason = f"{member.name!r} is not a finite number that can be measured"
            self.tell(member.offset, "warning", reason, NOT_STORED)
            return None
        return number

    def whole(self, node: Node, name: str) -> int | None:
        """A member as an integer of 32 bits, None when absent or none."""
        found = node.member(name)
        number = finite_number(found.value) if found and not isinstance(found.value, Node) else None
        if number is None or number != int(number) or abs(number) > LARGEST_WHOLE:
            return None
        return int(number)


def entry_rows(element: Node, root: Node, entry: int, place: Place) -> Iterator[Row]:
    """The FioEntry and all that it measured; `attempt` and `snapshot` are left at 1."""
    _tell_missing(element, entry, ENTRY_KEYS, place)
    yield _entry(element, root, entry, place)
    parts = [(name, element.node(name)) for name in DIRECTIONS]
    for direction, part in parts:
        if part is not None:
            yield from _direction_rows(element, direction, part, entry, place)
    if not any(part for name, part in parts if name != "sync"):
        reason = f"entry {entry} holds no result of any direction"
        place.tell(element.offset, "error", reason, CHECK)


def _tell_missing(node: Node, entry: int, names: tuple[str, ...], place: Place) -> None:
    absent = [name for name in names if node.member(name) is None]
    if absent:
        reason = f"entry {entry} lacks {', '.join(absent)}, which fio always prints: left unknown"
        # without an error key nobody can say that the job went well
        place.tell(node.offset, "warning" if "error" in absent else "info", reason, CHECK)


def _entry(element: Node, root: Node, entry: int, place: Place) -> FioEntry:
    named = element.member("jobname")
    name = element.text("jobname") or ""
    steady = element.node("steadystate")
    attained = place.number(steady, "attained") if steady else None
    depth = element.node("iodepth_level")
    is_total = name == TOTAL
    return FioEntry(
        line=place.line_at(named.offset if named else element.offset), attempt=1, snapshot=1,
        entry=entry, name=name, group_id=place.whole(element, "groupid"),
        hostname=element.text("hostname"), port=place.whole(element, "port"),
        is_total=is_total, members=None, error=place.whole(element, "error"),
        total_errors=place.whole(element, "total_err"),
        first_error=place.whole(element, "first_error"),
        elapsed_s=place.number(element, "elapsed"),
        job_start_ms=place.number(element, "job_start") or None,
        job_runtime_ms=place.number(element, "job_runtime"),
        usr_cpu_pct=place.number(element, "usr_cpu"),
        sys_cpu_pct=place.number(element, "sys_cpu"),
        is_steady=None if attained is None else attained > 0,
        options=_effective_options(element, None if is_total else _globals(root, element)),
        depth_shares=json_text(_plain(depth))[0] if depth else None,
        description=element.text("desc"),
    )  # fmt: skip


def _globals(root: Node, element: Node) -> Node | None:
    """The global options that hold for an element: from 3.39 on one object for each client."""
    alone = root.node("global options")
    if alone:
        return alone
    several = root.node("global options", is_list=True)
    own = [_scalar(element, name) for name in ("hostname", "port")]
    for member in several.members if several else []:
        part = member.value
        if isinstance(part, Node) and [_scalar(part, n) for n in ("hostname", "port")] == own:
            return part
    return None


def _scalar(node: Node, name: str) -> Value:
    found = node.member(name)
    return found.value if found and not isinstance(found.value, Node) else None


def _effective_options(element: Node, common: Node | None) -> str | None:
    own = element.node("job options")
    if own is None and common is None:
        return None
    options = _plain(common) if common else {}
    if element.member("hostname"):  # up to 3.38 every server adds its options to one object
        options = {key: _agreed(value) for key, value in options.items()}
        options = {key: options[key] for key in options if key not in ("hostname", "port")}
    return json_text(options | (_plain(own) if own else {}))[0]


def _agreed(value: Any) -> Any:
    """The one value that all servers give, or else the list of them."""
    return value[0] if isinstance(value, list) and value.count(value[0]) == len(value) else value


def _plain(node: Node) -> dict[str, Any]:
    """The plain members of an object; what is given more than once as a list."""
    found: dict[str, Any] = {}
    for name, _, value in node.members:
        if isinstance(value, Node):
            continue
        if name in found:
            before = found[name]
            found[name] = [*before, value] if isinstance(before, list) else [before, value]
        else:
            found[name] = value
    return found


def _direction_rows(
    element: Node, direction: Direction, part: Node, entry: int, place: Place
) -> Iterator[Row]:
    at = element.member(direction)
    line = place.line_at(at.offset if at else part.offset)
    if direction == "sync":
        transfer = FioTransfer(
            line, 1, 1, entry, "sync", None, None, place.number(part, "total_ios"),
            None, None, None, None,
        )  # fmt: skip
        if not transfer.ios:
            return
    else:
        _tell_missing(part, entry, TRANSFER_KEYS, place)
        transfer = _transfer(line, direction, part, entry, place)
    yield transfer
    if transfer.bytes_moved == 0 and not transfer.ios:
        return
    for kind in KINDS:
        for key, unit_ns in ((f"{kind}_ns", 1), (kind, NS_PER_US)):
            latency, named = part.node(key), part.member(key)
            if latency and named:
                kept = _Latency(entry, direction, kind, unit_ns, place)
                yield from kept.rows(latency, place.line_at(named.offset))


def _transfer(line: int, direction: Direction, part: Node, entry: int, place: Place) -> FioTransfer:
    exact = place.number(part, "bw_bytes")
    bandwidth = place.number(part, "bw", KIB) if exact is None else exact
    runtime = place.number(part, "runtime")
    return FioTransfer(
        line=line, attempt=1, snapshot=1, entry=entry, direction=direction,
        bytes_moved=_bytes_moved(part, bandwidth, runtime, place), runtime_ms=runtime,
        ios=place.number(part, "total_ios"), bandwidth_bps=bandwidth,
        iops=place.number(part, "iops"), short_ios=place.number(part, "short_ios"),
        dropped_ios=place.number(part, "drop_ios"),
    )  # fmt: skip


def _bytes_moved(
    part: Node, bandwidth: float | None, runtime: float | None, place: Place
) -> float | None:
    """`io_bytes` in bytes: where `io_kbytes` is missing bandwidth and run time tell the unit."""
    printed = place.number(part, "io_bytes")
    if printed is None:
        return place.number(part, "io_kbytes", KIB)
    if part.member("io_kbytes") or printed == 0:
        return printed
    units = (1, KIB) if any(part.member(name) for name in NANOSECOND_KEYS) else (KIB, 1)
    if not bandwidth or not runtime:
        return finite_number(printed * units[0])
    least = bandwidth * runtime / MS_PER_S * (1 - UNIT_AGREES_WITHIN)
    most = (bandwidth + KIB) * runtime / MS_PER_S * (1 + UNIT_AGREES_WITHIN)  # bw is rounded down
    for unit in units:
        if least <= printed * unit <= most:
            return finite_number(printed * unit)
    at = part.member("io_bytes")
    reason = "the unit of 'io_bytes' cannot be told: neither bytes nor KiB agree with bw x runtime"
    place.tell(at.offset if at else part.offset, "warning", reason, NOT_STORED)
    return None


@dataclass(frozen=True, slots=True)
class _Latency:
    """Rows of one latency; one that fio did not measure (N or mean 0) has none."""

    entry: int
    direction: Direction
    kind: LatencyKind
    unit_ns: int
    place: Place

    def rows(self, node: Node, line: int) -> Iterator[Row]:
        """Summary, percentiles and bins in file order."""
        samples = self.place.number(node, "N")
        low, high, mean, deviation = (
            self.place.number(node, name, self.unit_ns) for name in ("min", "max", "mean", "stddev")
        )
        if samples == 0 or mean == 0 or (mean is None and high is None):
            return
        yield FioLatSummary(
            line, 1, 1, self.entry, self.direction, self.kind, low, high, mean, deviation, samples
        )
        for percentile, member in self._numbered(node.node("percentile")):
            value = self.place.usable(member, self.unit_ns)
            if value is not None and 0 < percentile <= 100:
                yield FioLatPercentile(
                    self.place.line_at(member.offset), 1, 1, self.entry, self.direction,
                    self.kind, percentile, value,
                )  # fmt: skip
        yield from self._bins(node.node("bins"))

    def _numbered(self, node: Node | None) -> Iterator[tuple[float, Member]]:
        """Members whose names are numbers, each number once."""
        seen: set[float] = set()
        for member in node.members if node else []:
            number = finite_number(member.name)
            if number is None:
                if not member.name.startswith(PLAT_KEYS):
                    reason = f"{member.name[:40]!r} among percentiles or bins is not a number"
                    self.place.tell(member.offset, "warning", reason, NOT_STORED)
            elif number in seen:
                if number:  # fio before 3.4 prints unused percentiles as several "0.00"
                    reason = f"percentile or bin {number:g} is given twice: the first is kept"
                    self.place.tell(member.offset, "info", reason, CHECK)
            else:
                seen.add(number)
                yield number, member

    def _bins(self, node: Node | None) -> Iterator[FioLatBin]:
        """Bins that are not empty; fio 2.2.12 to 2.19 prints the index of a bin, not its value."""
        if node is None:
            return
        is_index = any(member.name.startswith(PLAT_KEYS) for member in node.members)
        sub_bins = self.place.whole(node, PLAT_KEYS + "VAL") or 64
        for number, member in self._numbered(node):
            ios = self.place.usable(member)
            value = _bin_value(number, sub_bins) if is_index else number
            value_ns = None if value is None else finite_number(value * self.unit_ns)
            if value_ns is None or value_ns < 0:
                reason = f"there is no bin {number:g}"
                self.place.tell(member.offset, "warning", reason, NOT_STORED)
            elif ios:
                yield FioLatBin(
                    self.place.line_at(member.offset), 1, 1, self.entry, self.direction,
                    self.kind, value_ns, ios,
                )  # fmt: skip


def _bin_value(index: float, sub_bins: int) -> float | None:
    if not 0 <= index < MOST_BINS or not 0 < sub_bins <= MOST_SUB_BINS:
        return None
    return float(bin_value(int(index), sub_bins))


def disk_rows(root: Node, place: Place) -> Iterator[FioDisk]:
    """The disks of `disk_util`; sectors are 512 bytes (from 3.36 on)."""
    listed = root.node("disk_util", is_list=True)
    for member in listed.members if listed else []:
        disk = member.value
        if not isinstance(disk, Node) or disk.is_list or not disk.is_closed:
            continue
        name = disk.member("name")
        yield FioDisk(
            line=place.line_at(name.offset if name else disk.offset), attempt=1, snapshot=1,
            hostname=disk.text("hostname"), port=place.whole(disk, "port"),
            name=disk.text("name") or "", read_ios=place.number(disk, "read_ios"),
            write_ios=place.number(disk, "write_ios"),
            read_bytes=place.number(disk, "read_sectors", SECTOR_BYTES),
            written_bytes=place.number(disk, "write_sectors", SECTOR_BYTES),
            util_pct=place.number(disk, "util"),
        )  # fmt: skip
