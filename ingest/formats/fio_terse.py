"""Terse output of fio (`--minimal`, `--output-format=terse`, `--append-terse`), versions 2 to 5.

Source: `show_thread_status_terse` of axboe/fio 2.1 to 3.42. A line says I/O in KiB, bandwidth in
KiB/s, IOPS without its fraction, and latency in microseconds; it says neither the number of I/Os
nor the time. Its percentiles are taken for those of clat, fio's default: with `lat_percentiles=1`
they are of lat, and nothing in the line tells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ingest.fio.detect import form, unwrapped
from ingest.fio.notes import JobLine, clients_named, job_lines, without_host
from ingest.fio.quantity import nanoseconds
from ingest.fio.records import (
    FioDisk,
    FioEntry,
    FioLatPercentile,
    FioLatSummary,
    FioTransfer,
    LatencyKind,
)
from ingest.fio.terse_line import DEPTHS, Block, TerseLine, terse_disk, terse_line
from ingest.fio.terse_series import Printed, is_ambiguous, series
from ingest.fio.text_runs import (
    NORMAL_HEAD,
    RERUN,
    TOTAL,
    Document,
    host_of,
    hosts_in,
    options_of,
    records,
    version_in,
)
from ingest.lines import Line, readable
from ingest.records import Problem, Record, Row
from ingest.units import KIB, NS_PER_US
from ingest.values import json_text

NAME = "fio_terse"
DESCRIPTION = "fio terse output, versions 2 to 5 (fio 2.1 to 3.42)"
VERSION = 1
RUN_KIND = "fio"

LIKE_TERSE = re.compile(rb"[345];fio-[^;]|2;(?:[^;]*;){12}")
GLUED_HOST = re.compile(rb"(?<=%)<[^<>\s]+> ?$")
RUN_START = re.compile(rb"Starting \d+ (?:process|thread)")
NOTHING = "nothing to do: the terse line is the exact form, its options come from the job lines"


def claims(head: bytes, name: str) -> bool:
    """True for text with a terse line and without a JSON document."""
    return form(head) == "terse"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Entries of all terse lines, a Run for each execution, and a Problem for all that was lost.

    Never raises, whatever the bytes. Normal text beside the lines is not read a second time.
    """
    reader = _Reader(unwrapped(data).lines)
    runs = series(reader.printed, reader.is_client_server)
    documents = []
    for number, run in enumerate(runs):
        first = runs[number - 1][-1][-1].last_number if number else 0
        documents.append([reader.document(part, first) for part in run])
        if any(is_ambiguous(part) for part in run) and not reader.is_client_server:
            yield _ambiguous(run[0])
    yield from reader.problems
    yield from records(documents, reader.words)
    if not runs:
        yield Problem(None, "error", "no terse line of fio can be read in this file", RERUN)


class _Reader:
    """The lines of a file sorted out: terse lines, their disks and descriptions, and words."""

    def __init__(self, lines: list[Line]) -> None:
        self.printed: list[Printed] = []
        self.words: list[Line] = []
        self.problems: list[Problem] = []
        self.version: str | None = None
        self.is_fresh = False
        self.normal_line: int | None = None
        for index, line in enumerate(lines):
            self._sort(line, is_ended=index < len(lines) - 1)
        if self.normal_line and self.printed:
            reason = "the same result stands here as normal text too: it is not read twice"
            self.problems.append(Problem(self.normal_line, "info", reason, NOTHING))
        self.jobs = job_lines(self.words)
        self.hosts = hosts_in(self.words)
        self.is_client_server = bool(self.hosts) or any(
            each.loose_disks or each.terse.name == TOTAL for each in self.printed
        )
        self.clients = clients_named(self.words) if self.is_client_server else None

    def _sort(self, line: Line, is_ended: bool) -> None:
        text = without_host(line.text.rpartition(b"\r")[2].lstrip(b"\0"))[1]
        disk = _disk(text) if self.printed else None
        if LIKE_TERSE.match(text):
            self._add(line, text.rstrip(b"\r ").decode("utf-8", "replace"), is_ended)
        elif disk:
            self.printed[-1].loose_disks.append((line.number, disk))
        elif text.startswith(b";") and self._awaits_description(line):
            self.printed[-1].terse.description = text[1:].decode("utf-8", "replace")
        else:
            self._note(line, text)

    def _add(self, line: Line, text: str, is_ended: bool) -> None:
        terse = terse_line(text, is_ended)
        if terse is None:
            reason = "a terse line cannot be read: it breaks off early or is damaged"
            self.problems.append(Problem(line.number, "warning", reason, RERUN, _shown(text)))
            return
        terse.version = _shown(terse.version) if terse.version else self.version
        self.printed.append(Printed(line.number, line.number, text, terse, self.is_fresh))
        self.is_fresh = False

    def _awaits_description(self, line: Line) -> bool:
        """Version 2 prints the description on the line behind."""
        if not self.printed or not self.printed[-1].text.startswith("2;"):
            return False
        last = self.printed[-1]
        is_next = line.number == last.number + 1 and last.terse.description is None
        last.last_number = line.number if is_next else last.last_number
        return is_next

    def _note(self, line: Line, text: bytes) -> None:
        self.words.append(line)
        said = version_in(text)
        self.version = said or self.version
        is_start = bool(said or RUN_START.match(text) or b": (g=" in text)
        if is_start and not self._is_between_clients(line):
            self.is_fresh = True
        if self.normal_line is None and NORMAL_HEAD.search(text):
            self.normal_line = line.number

    def _is_between_clients(self, line: Line) -> bool:
        """Whether another server of the same run announces itself: its total is still to come."""
        if not self.printed or self.printed[-1].terse.name == TOTAL:
            return False
        return bool(self.printed[-1].loose_disks) or line.text.startswith((b"<", b"hostname="))

    def document(self, lines: list[Printed], behind: int) -> Document:
        """The document of these lines; job lines count from the line `behind` on."""
        last = max([each.last_number for each in lines] + _disk_lines(lines))
        document = Document(
            "terse", lines[0].number, last, lines[0].terse.version, None,
            self.is_client_server, self.clients,
        )  # fmt: skip
        jobs = [job for job in self.jobs if behind < job.line <= last]
        sizes = Counter(each.terse.group_id for each in lines)
        for entry, each in enumerate(lines, start=1):
            is_merged = sizes[each.terse.group_id] == 1 and not self.is_client_server
            document.rows += self._rows(each, entry, jobs, is_merged)
            if not each.terse.is_complete:
                document.lost = "a terse line breaks off here, or is damaged"
                document.lost_lines.append(each.number)
        document.rows += _disks(lines, next(iter(self.hosts)) if len(self.hosts) == 1 else None)
        return document

    def _rows(
        self, each: Printed, entry: int, jobs: list[JobLine], is_merged: bool
    ) -> Iterator[Row]:
        terse = each.terse
        is_total = self.is_client_server and terse.name == TOTAL
        row = _entry(each.number, entry, terse)
        row.is_total = is_total
        if not is_total:
            row.options = options_of(jobs, row.name, terse.group_id, is_merged)
            row.hostname = host_of(self.hosts, jobs, row.name)
        yield row
        for block in terse.blocks:
            yield from _block_rows(each.number, entry, block)


def _disk(text: bytes) -> list[str] | None:
    if not text.startswith(b";"):
        return None
    return terse_disk(GLUED_HOST.sub(b"", text).decode("utf-8", "replace").strip())


def _shown(text: str) -> str:
    return readable(text.encode())


def _ambiguous(document: list[Printed]) -> Problem:
    reason = "lines of one job name are read as jobs of one run: no disks tell runs apart"
    remedy = "write each run to a file of its own where these are several runs"
    return Problem(document[0].number, "info", reason, remedy)


def _disk_lines(lines: list[Printed]) -> list[int]:
    return [number for each in lines for number, _ in each.loose_disks]


def _entry(line: int, entry: int, terse: TerseLine) -> FioEntry:
    usr, sys = [float(share) for share in terse.cpu] if terse.cpu else (None, None)
    depths = dict(zip(DEPTHS, (float(share) for share in terse.depths), strict=False))
    return FioEntry(
        line, 1, 1, entry, _shown(terse.name), terse.group_id, None, None, False, None, terse.error,
        terse.total_errors, terse.first_error, None, None, None, usr, sys, None, None,
        json_text(depths)[0] if depths else None,
        None if terse.description is None else _shown(terse.description),
    )  # fmt: skip


def _block_rows(line: int, entry: int, block: Block) -> Iterator[Row]:
    if not block.transfer:
        return
    kib, kib_per_s, iops, runtime_ms = (float(text) for text in block.transfer)
    yield FioTransfer(
        line, 1, 1, entry, block.direction, kib * KIB, runtime_ms, None, kib_per_s * KIB, iops,
        None, None,
    )  # fmt: skip
    kinds: tuple[tuple[LatencyKind, list[str]], ...] = (
        ("slat", block.slat), ("clat", block.clat), ("lat", block.lat),
    )  # fmt: skip
    for kind, texts in kinds:
        low, high, mean, deviation = [nanoseconds(text, "usec") for text in texts] or [None] * 4
        if mean:
            yield FioLatSummary(
                line, 1, 1, entry, block.direction, kind, low, high, mean, deviation, None
            )
    if block.clat and float(block.clat[2]):
        yield from _percentiles(line, entry, block)


def _percentiles(line: int, entry: int, block: Block) -> Iterator[Row]:
    for text in block.percentiles:
        share, _, value = text.partition("%=")
        if 0 < float(share) <= 100:
            value_ns = float(value) * NS_PER_US
            yield FioLatPercentile(
                line, 1, 1, entry, block.direction, "clat", float(share), value_ns
            )


def _disks(lines: list[Printed], host: str | None) -> Iterator[FioDisk]:
    """Each disk once, though every line repeats it; each server has lines of its own."""
    own = {tuple(disk): each.number for each in reversed(lines) for disk in each.terse.disks}
    found = [(number, list(disk)) for disk, number in own.items()]
    found += [loose for each in lines for loose in each.loose_disks]
    for number, disk in sorted(found, key=lambda pair: pair[0]):
        read_ios, write_ios = float(disk[1]), float(disk[2])
        share = float(disk[8].rstrip("%"))
        yield FioDisk(
            number, 1, 1, host, None, _shown(disk[0]), read_ios, write_ios, None, None, share
        )
