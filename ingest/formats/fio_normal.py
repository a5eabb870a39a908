"""Normal text output of fio, for people: blocks of `name: (groupid=0, jobs=1): err= 0: ...`.

Source: `show_thread_status_normal` and `client.c` of axboe/fio 2.1 to 3.42. Amounts have the
three or four digits that the text has (`FioOutput.is_rounded`); run time, numbers of I/Os and most
latencies are exact. Every line says its own units.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.fio.detect import form, unwrapped
from ingest.fio.normal_block import HEAD, Block
from ingest.fio.notes import clients_named, job_lines
from ingest.fio.records import FioDisk, FioNote
from ingest.fio.text_runs import (
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
from ingest.records import EXCERPT_CHARACTERS, Problem, Record, Row

NAME = "fio_normal"
DESCRIPTION = "fio normal text output, fio 2.1 to 3.42"
VERSION = 1
RUN_KIND = "fio"

SECTOR_BYTES = 512.0
ETA = re.compile(rb"(?:Jobs: \d+ \(f=\d+\)[^\r]{0,300}?\[eta (?:\d+[dhms]:?)*\]?)+")
RUN_START = re.compile(r"Starting \d+ (?:process|thread)|.*: \(g=\d+\): rw=|hostname=.*fio=fio-")
GROUP = re.compile(r"Run status group (\d{1,9}) .*")
GROUP_LINE = re.compile(r"(?:READ|WRITE|TRIM|MIXED): (?:bw|io)=.*|Disk stats \(read/write\):")
DISK = re.compile(  # mail may break the line before its end
    r"([^:\s]\S*): ios=(\d{1,20})/(\d{1,20}),(?: sectors=(\d{1,20})/(\d{1,20}),)?"
    r"(?:.*?\butil=(\d{1,9}\.\d+)%)?.*"
)
DAMAGED = "a line of the result cannot be read: what it says is lost"
LEFT_OUT = "nothing to do: only these numbers are left out"
ODD_PERCENTILES = "percentiles that are printed as 100th, or do not rise, are left out"
UNSUMMED = "fio printed 0 for mixed although it read or wrote: what mixed moved is unknown"


def claims(head: bytes, name: str) -> bool:
    """True for text with a block of normal text and neither JSON nor terse lines."""
    return form(head) == "normal"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Entries of all blocks, a Run for each execution, and a Problem for all that was lost.

    Never raises, whatever the bytes.
    """
    reader = _Reader(unwrapped(data).lines)
    runs = _runs(reader.parts)
    documents = []
    for number, run in enumerate(runs):
        behind = runs[number - 1][-1].last_line if number else 0
        documents.append([reader.document(part, behind) for part in run])
    for part in (part for run in runs for part in run):
        yield from _oddities(part)
    yield from records(documents, reader.words)
    if not runs:
        yield Problem(None, "error", "no result of a job can be read in this text", RERUN)


@dataclass(slots=True)
class _Part:
    """The blocks of one document, and what follows them."""

    version: str | None
    blocks: list[Block]
    last_line: int
    groups: set[int] = field(default_factory=set)
    disks: list[FioDisk] = field(default_factory=list)
    is_open: bool = True  # no group status has come since the last block

    @property
    def keys(self) -> list[tuple[str, int | None, str]]:
        return [block.key for block in self.blocks]


class _Reader:
    """The lines of a file sorted out: documents, and words."""

    def __init__(self, lines: list[Line]) -> None:
        self.parts: list[_Part] = []
        self.words: list[Line] = []
        self.version: str | None = None
        self.is_fresh = True
        self.hosts = hosts_in(lines)
        self.is_client_server = bool(self.hosts) or any(_is_total(line) for line in lines)
        for index, line in enumerate(lines):
            self._sort(line, is_ended=index < len(lines) - 1)
        self.jobs = job_lines(self.words)
        self.clients = clients_named(self.words) if self.is_client_server else None

    def _sort(self, line: Line, is_ended: bool) -> None:
        text = _plain(line.text)
        part = self.parts[-1] if self.parts else None
        disk = DISK.fullmatch(text) if part else None
        head = HEAD.fullmatch(text) if is_ended else None
        if head:
            self._open(line.number, head)
        elif part and disk and (is_ended or disk[6]):
            part.disks.append(_disk(line.number, disk))
            part.last_line = line.number
        elif part and (is_ended or text.endswith("msec")) and self._follows(line.number, text):
            part.last_line = line.number
        else:
            self._note(line, text)

    def _open(self, number: int, head: re.Match[str]) -> None:
        part = self.parts[-1] if self.parts else None
        is_total = head[1] == TOTAL
        block = Block(number, head)
        if part and not self._begins_document(part, is_total):
            part.blocks.append(block)
            part.last_line, part.is_open = number, True
        else:
            self.parts.append(_Part(self.version, [block], number))
        self.is_fresh = False

    def _begins_document(self, part: _Part, is_total: bool) -> bool:
        """Each server prints its group and its disks; only behind the total a new one begins."""
        if self.is_client_server:
            return not is_total and part.blocks[-1].name == TOTAL and self.is_fresh
        return self.is_fresh or not part.is_open

    def _follows(self, number: int, text: str) -> bool:
        """Whether a line belongs to the last document, which takes it in."""
        part = self.parts[-1]
        group = GROUP.fullmatch(text)
        if group:
            part.groups.add(int(group[1]))
            part.is_open = False
        elif not GROUP_LINE.fullmatch(text):
            return part.is_open and part.blocks[-1].feed(number, text)
        return True

    def _note(self, line: Line, text: str) -> None:
        self.words.append(line._replace(text=line.text.lstrip(b" \t")))
        said = version_in(self.words[-1].text)
        self.version = said or self.version
        self.is_fresh = self.is_fresh or bool(said or RUN_START.match(text))

    def document(self, part: _Part, behind: int) -> Document:
        """The document of these blocks; job lines count from the line `behind` on."""
        document = Document(
            "normal", part.blocks[0].line, part.last_line, part.version, part.blocks[-1].time_s,
            self.is_client_server, self.clients,
        )  # fmt: skip
        jobs = [job for job in self.jobs if behind < job.line <= part.last_line]
        only = next(iter(self.hosts)) if len(self.hosts) == 1 else None
        groups = [block.entry.group_id for block in part.blocks]
        for entry, block in enumerate(part.blocks, start=1):
            row = block.entry
            row.is_total = self.is_client_server and block.name == TOTAL
            if not row.is_total:
                row.hostname = host_of(self.hosts, jobs, block.name)
                is_merged = groups.count(row.group_id) == 1 and not self.is_client_server
                row.options = options_of(jobs, block.name, int(row.group_id or 0), is_merged)
            document.rows += block.rows(entry)
            document.rows += _error_note(block)
        for disk in part.disks:
            disk.hostname = only
        document.rows += part.disks
        if not self._is_whole(part):
            document.lost, document.lost_lines = "the text breaks off here", [part.last_line]
        return document

    def _is_whole(self, part: _Part) -> bool:
        last = part.blocks[-1]
        if not last.is_complete:
            return False
        if self.is_client_server:
            return last.name == TOTAL or not part.is_open
        return part.groups >= {block.entry.group_id for block in part.blocks}


def _runs(parts: list[_Part]) -> list[list[_Part]]:
    """Documents of the same processes are snapshots of one run (`--status-interval`)."""
    runs: list[list[_Part]] = []
    for part in parts:
        if runs and runs[-1][-1].keys[: len(part.keys)] == part.keys:
            runs[-1].append(part)
        else:
            runs.append([part])
    return runs


def _plain(text: bytes) -> str:
    """A line without what redraws itself in front of it, and without its indentation."""
    tail = ETA.sub(b"", text.rstrip(b"\r")).rpartition(b"\r")[2]
    return tail.decode("utf-8", "replace").strip(" \t\0")


def _is_total(line: Line) -> bool:
    return line.text.startswith(TOTAL.encode() + b": (groupid=") and b": pid=0" in line.text


def _disk(line: int, found: re.Match[str]) -> FioDisk:
    name, read_ios, write_ios, read_sectors, write_sectors, util = found.groups()
    return FioDisk(
        line, 1, 1, None, None, readable(name.encode()), float(read_ios), float(write_ios),
        float(read_sectors) * SECTOR_BYTES if read_sectors else None,
        float(write_sectors) * SECTOR_BYTES if write_sectors else None,
        float(util) if util else None,
    )  # fmt: skip


def _error_note(block: Block) -> Iterator[Row]:
    if block.entry.error and block.error_text:
        text = f"err={block.entry.error} ({block.error_text})"[:EXCERPT_CHARACTERS]
        yield FioNote(block.line, 1, "error", block.entry.hostname, text)


def _oddities(part: _Part) -> Iterator[Problem]:
    for block in part.blocks:
        for line, text in block.damaged:
            excerpt = readable(text.encode("utf-8", "replace"))
            yield Problem(line, "warning", DAMAGED, RERUN, excerpt)
        if block.has_odd_percentiles:
            yield Problem(block.line, "info", ODD_PERCENTILES, LEFT_OUT)
        if block.has_unsummed_mixed:
            yield Problem(block.line, "info", UNSUMMED, LEFT_OUT)
