"""One block of fio's normal text, from its head to the next one, to rows.

Source: `show_thread_status_normal` of axboe/fio, 2.1 to 3.42. A line is read alone, with the unit
that it prints; only percentiles lean on the line that announces their unit. Lines of one priority
class (`clat prio 1/4`) and the spread of latencies (`lat (usec) : 50=9.15%`) are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from ingest.fio.quantity import count, nanoseconds, size_bytes, wall_clock_s
from ingest.fio.records import (
    Direction,
    FioEntry,
    FioLatPercentile,
    FioLatSummary,
    FioTransfer,
    LatencyKind,
)
from ingest.lines import readable
from ingest.records import Row
from ingest.values import json_text

HEAD = re.compile(
    r"(.*): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err=\s*(-?\d{1,9})"
    r"(?: \((.*)\))?: pid=(\d{1,12})(?:: (.*))?"
)
NEW = re.compile(
    r"(read|write|trim|mixed)\s*: IOPS=(\S+), BW=(\S+) \((\S+?)\)"
    r"\((\S+)/\s*(\d{1,15})msec\)(?:;.*)?"
)
OLD = re.compile(  # 2.0 pads the numbers: `iops=602 , runt= 60072msec`
    r"(read|write|trim|mixed)\s*: io=\s*(\S+?)\s*, bw=\s*(\S+?)\s*, iops=\s*(\S+?)\s*"
    r", runt=\s*(\d{1,15})msec"
)
SYNC = re.compile(r"fsync/fdatasync/sync_file_range:")
LATENCY = re.compile(
    r"(slat|clat|lat|sync) \((\wsec)\)\s*: min=\s*(\S+?)\s*, max=\s*(\S+?)\s*"
    r", avg=\s*(\S+?)\s*, stdev=\s*(\S+)"
)
ANNOUNCED = re.compile(r"(slat|clat|lat|sync) percentiles \((\wsec)\):")
PERCENTILES = re.compile(r"\|(?:\s*\d{1,3}(?:\.\d+)?th=\[\s*[\d.]+[kKMG]?\],?)+")
PERCENTILE = re.compile(r"(\d{1,3})(\.\d+)?th=\[\s*([\d.]+[kKMG]?)\]")
CPU = re.compile(r"cpu\s*: usr=(\d{1,9}\.\d+)%, sys=(\d{1,9}\.\d+)%, ctx=\d+, .*")
DEPTHS = re.compile(r"IO depths\s*:((?: [>=\d]+=\d{1,9}\.\d%,?)+)")
DEPTH = re.compile(r"(>?=?\d+)=(\d+\.\d)%")
NUMBERS = r"[rwd=/,\d]{1,99}?"
ISSUED = re.compile(
    rf"issued[ rwts]*: total=({NUMBERS}),? short=({NUMBERS})(?:,? drop(?:ped)?=({NUMBERS}))?"
)
ERRORS = re.compile(r"errors\s*: total=(\d{1,9}), first_error=(\d{1,9})/.*")
STEADY = re.compile(r"steadystate\s*: attained=(yes|no)\b.*")
OTHER = re.compile(
    r"(?:bw \(|iops\s*:|lat \(\wsec\)\s*: [>=\d]|submit\s*:|complete\s*:|latency\s+: target="
    r"|(?:\w+ )?prio[ _]).*"
)
DIRECTION = re.compile(r"(?:read|write|trim|mixed)\s*: .*")
DAMAGED = re.compile(
    r"(?:\wlat|lat|sync) (?:\(|percentiles)|cpu\s*:|IO depths|issued|errors\s*:|\|"
)
ISSUED_ORDER: tuple[Direction, ...] = ("read", "write", "trim", "sync")


class Block:
    """A block under way; `feed` takes its lines, `rows` gives what they said."""

    def __init__(self, line: int, head: re.Match[str]) -> None:
        name, group, members, error, text, self.pid, time = head.groups()
        self.line = line
        self.name = readable(name.encode())
        self.error_text = readable(text.encode()) if text else None
        self.time_s = wall_clock_s(time or "")
        self.is_complete = False
        self.damaged: list[tuple[int, str]] = []
        self.has_odd_percentiles = False
        self.has_unsummed_mixed = False
        self.entry = FioEntry(
            line,
            1,
            1,
            1,
            self.name,
            int(group),
            None,
            None,
            False,
            int(members),
            int(error),
            *[None] * 11,
        )
        self.transfers: dict[Direction, FioTransfer] = {}
        self.latencies: list[Row] = []
        self._direction: Direction | None = None
        self._kind: LatencyKind = "clat"
        self._unit = ""
        self._skips_percentiles = False
        self._last_percentile = (0.0, 0.0)

    @property
    def key(self) -> tuple[str, int | None, str]:
        """What names the job in every snapshot of one run."""
        return self.name, self.entry.group_id, self.pid

    def feed(self, line: int, text: str) -> bool:
        """Whether the line is part of the block; what it says is kept."""
        if self._skips_percentiles and text.startswith("|"):
            return True
        self._skips_percentiles = False
        if self._unit and PERCENTILES.fullmatch(text):
            self._add_percentiles(line, text)
            return True
        self._unit = ""
        for pattern, read in READERS:
            found = pattern.fullmatch(text)
            if found:
                read(self, line, found)
                return True
        return self._is_damaged(line, text)

    def _is_damaged(self, line: int, text: str) -> bool:
        """A line of the block that cannot be read; what follows a damaged direction has none."""
        is_direction = DIRECTION.fullmatch(text)
        if is_direction:
            self._direction = None
        if is_direction or DAMAGED.match(text):
            self.damaged.append((line, text))
            return True
        return False

    def rows(self, entry: int) -> Iterator[Row]:
        """The entry, its transfers and its latencies."""
        self.entry.entry = entry
        self._unknown_if_not_summed()
        yield self.entry
        for row in [*self.transfers.values(), *self.latencies]:
            row.entry = entry  # type: ignore[attr-defined]
            yield row

    def _unknown_if_not_summed(self) -> None:
        """`unified_rw_reporting=both` prints 0 for mixed beside read and write that are not 0."""
        mixed = self.transfers.get("mixed")
        others = [row for name, row in self.transfers.items() if name in ("read", "write", "trim")]
        if mixed and not mixed.bytes_moved and any(row.bytes_moved for row in others):
            mixed.bytes_moved = mixed.bandwidth_bps = mixed.iops = None
            self.has_unsummed_mixed = True

    def _new(self, line: int, found: re.Match[str]) -> None:
        direction, iops, rate, _, moved, runtime = found.groups()
        transferred = size_bytes(moved, False), size_bytes(rate, False)
        self._add_transfer(line, direction, transferred, iops, runtime)

    def _old(self, line: int, found: re.Match[str]) -> None:
        direction, moved, rate, iops, runtime = found.groups()
        transferred = size_bytes(moved, True), size_bytes(rate, True)
        self._add_transfer(line, direction, transferred, iops, runtime)

    def _add_transfer(
        self,
        line: int,
        name: str,
        transferred: tuple[float | None, float | None],
        iops: str,
        runtime: str,
    ) -> None:
        self._direction = direction = cast("Direction", name)
        moved, rate = transferred
        self.transfers[direction] = FioTransfer(
            line, 1, 1, 1, direction, moved, float(runtime), None, rate, count(iops), None, None
        )

    def _sync(self, line: int, found: re.Match[str]) -> None:
        self._direction = "sync"

    def _latency(self, line: int, found: re.Match[str]) -> None:
        name, unit, *texts = found.groups()
        low, high, mean, deviation = (nanoseconds(text, unit) for text in texts)
        if self._direction and mean:
            self.latencies.append(
                FioLatSummary(
                    line, 1, 1, 1, self._direction, _kind(name), low, high, mean, deviation, None
                )
            )

    def _announce(self, line: int, found: re.Match[str]) -> None:
        self._kind, self._unit = _kind(found[1]), found[2]
        self._last_percentile = (0.0, 0.0)

    def _add_percentiles(self, line: int, text: str) -> None:
        """In rising order; a `100th` without decimals may be any one that rounds to it."""
        for found in PERCENTILE.finditer(text):
            percentile = float(found[1] + (found[2] or ""))
            value_ns = nanoseconds(found[3], self._unit)
            before, value_before = self._last_percentile
            is_rising = before < percentile <= 100 and not (percentile == 100 and not found[2])
            if value_ns is None or not is_rising or value_ns < value_before:
                self.has_odd_percentiles = True
                continue
            self._last_percentile = (percentile, value_ns)
            if self._direction:
                row = FioLatPercentile(
                    line, 1, 1, 1, self._direction, self._kind, percentile, value_ns
                )
                self.latencies.append(row)

    def _cpu(self, line: int, found: re.Match[str]) -> None:
        self.entry.usr_cpu_pct, self.entry.sys_cpu_pct = float(found[1]), float(found[2])

    def _depths(self, line: int, found: re.Match[str]) -> None:
        shares = {each[1]: float(each[2]) for each in DEPTH.finditer(found[1])}
        self.entry.depth_shares = json_text(shares)[0]

    def _issued(self, line: int, found: re.Match[str]) -> None:
        """The exact counts. Directions that did nothing have no line of their own."""
        self.is_complete = True
        total, short, dropped = (_numbers(part or "") for part in found.groups())
        is_mixed = set(self.transfers) == {"mixed"}
        order: tuple[Direction, ...] = ("mixed",) if is_mixed else ISSUED_ORDER
        for place, direction in enumerate(order[: len(total)]):
            if direction == "sync" and not total[place]:
                continue
            row = self.transfers.setdefault(direction, _idle(line, direction, total[place]))
            row.ios = total[place]
            row.short_ios = short[place] if place < len(short) else None
            row.dropped_ios = dropped[place] if place < len(dropped) else None

    def _errors(self, line: int, found: re.Match[str]) -> None:
        self.entry.total_errors, self.entry.first_error = int(found[1]), int(found[2])

    def _steady(self, line: int, found: re.Match[str]) -> None:
        self.entry.is_steady = found[1] == "yes"

    def _other(self, line: int, found: re.Match[str]) -> None:
        """Known, and not kept; percentiles may follow that belong to it."""
        self._skips_percentiles = True


READERS = (
    (NEW, Block._new), (OLD, Block._old), (LATENCY, Block._latency), (ANNOUNCED, Block._announce),
    (CPU, Block._cpu), (DEPTHS, Block._depths), (ISSUED, Block._issued), (SYNC, Block._sync),
    (ERRORS, Block._errors), (STEADY, Block._steady), (OTHER, Block._other),
)  # fmt: skip


def _kind(name: str) -> LatencyKind:
    return "lat" if name == "sync" else cast("LatencyKind", name)


def _numbers(text: str) -> list[float]:
    return [float(each) for each in re.findall(r"\d{1,20}", text)]


def _idle(line: int, direction: Direction, ios: float) -> FioTransfer:
    """A direction without a line: it did nothing, or it ran for less than a millisecond."""
    moved = None if ios or direction == "sync" else 0.0
    return FioTransfer(line, 1, 1, 1, direction, moved, None, ios, None, None, None, None)
