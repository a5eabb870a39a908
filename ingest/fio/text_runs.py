"""Documents of fio's text forms to runs: snapshots numbered, notes placed, the status said.

What terse lines and normal text share once their rows are read. A *document* is what fio prints
at once about all its jobs; several of one run are snapshots (`--status-interval`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ingest.fio.notes import JobLine, notes, without_host
from ingest.fio.records import FioEntry, FioNote, FioOutput, Form
from ingest.lines import Line, readable
from ingest.records import Problem, Record, Row, Run, RunStatus
from ingest.values import json_text

TOTAL = "All clients"
NORMAL_HEAD = re.compile(rb"\(groupid=\d+, jobs=\d+\): err=")
BANNER = re.compile(rb"(?:<[^>]*> )?(fio-\d+\.\d[\w.-]*)\s*$")
CONNECTION = re.compile(rb"hostname=([^,\s]+),.*\bfio=(fio-[\w.-]+)")
TAGS = ("pre", "code", "p", "br", "div", "strong", "blockquote", "html", "body")  # a page's
RERUN = "load the complete output, or run fio again"
FAILING = ("killed", "verify", "refused")


@dataclass(slots=True)
class Document:
    """One document; `rows` are not numbered yet.

    `lost` says how it breaks off or where it is damaged, `lost_lines` in which lines.
    """

    form: Form
    line: int
    last_line: int
    version: str | None
    time_s: float | None
    is_client_server: bool
    clients_named: int | None
    rows: list[Row] = field(default_factory=list)
    lost: str | None = None
    lost_lines: list[int] = field(default_factory=list)


def records(runs: Sequence[Sequence[Document]], words: Iterable[Line]) -> Iterator[Record]:
    """All records of the runs of a file, each a list of its documents in order.

    `words` are the lines that hold no numbers. What stands before a run's end and behind the end
    of the run before belongs to it.
    """
    waiting = list(words)
    for number, documents in enumerate(runs, start=1):
        is_last = number == len(runs)
        end = documents[-1].last_line
        own = [line for line in waiting if is_last or line.number <= end]
        waiting = waiting[len(own) :]
        yield from _run(list(documents), list(notes(own, number)), number, is_last)


def _run(
    documents: list[Document], said: list[FioNote], attempt: int, is_last: bool
) -> Iterator[Record]:
    first, last = documents[0].line, documents[-1].last_line
    broken = documents[-1] if documents[-1].lost else None
    for document in documents:
        yield from _losses(document, document is broken and len(documents) > 1)
    if broken:
        documents = documents[:-1] or documents
    for snapshot, document in enumerate(documents, start=1):
        yield _output(document, attempt, snapshot, snapshot == len(documents))
        for row in document.rows:
            row.attempt = attempt
            if not isinstance(row, FioNote):
                row.snapshot = snapshot  # type: ignore[attr-defined]
            yield row
    yield from said
    status: RunStatus = "unfinished" if broken else _status(documents[-1], said)
    yield Run(attempt, first, last, status, is_last)


def _output(document: Document, attempt: int, snapshot: int, is_last: bool) -> FioOutput:
    return FioOutput(
        document.line, attempt, snapshot, document.last_line, document.form, document.version,
        document.time_s, document.is_client_server, document.form == "normal",
        document.lost is None, is_last, document.clients_named,
    )  # fmt: skip


def _losses(document: Document, is_replaced: bool) -> Iterator[Problem]:
    kept = "what is complete of it is kept"
    if is_replaced:
        kept = "the last complete output of the run counts, the broken one is not stored"
    for line in document.lost_lines:
        yield Problem(line, "warning", f"{document.lost}: {kept}", RERUN)


def _status(document: Document, said: list[FioNote]) -> RunStatus:
    if any(note.kind == "interrupted" for note in said):
        return "aborted"
    entries = [row for row in document.rows if isinstance(row, FioEntry) and not row.is_total]
    if any(entry.error or entry.total_errors for entry in entries):
        return "failed"
    return "failed" if any(note.kind in FAILING for note in said) else "success"


def options_of(jobs: list[JobLine], name: str, group_id: int, is_merged: bool) -> str | None:
    """JSON of the options on which the job lines of an entry agree, None without such a line.

    `is_merged`: the entry stands for all jobs of its group (group_reporting).
    """
    group = [job for job in jobs if job.group_id == group_id]
    own = group if is_merged else [job for job in group if job.name == name]
    shared = dict(own[0].options) if own else {}
    for job in own:
        shared = {key: value for key, value in shared.items() if job.options.get(key) == value}
    return json_text(shared)[0] if shared else None


def hosts_in(lines: Iterable[Line]) -> set[str]:
    """The names of the servers that lines show: `<host> ` in front, or `hostname=` of 2.x."""
    found = {without_host(line.text)[0] for line in lines if line.text.startswith(b"<")}
    banners = (CONNECTION.match(line.text) for line in lines)
    return {host for host in found if host and host.lstrip("/") not in TAGS} | {
        readable(each[1]) for each in banners if each
    }


def host_of(hosts: set[str], jobs: list[JobLine], name: str) -> str | None:
    """The server of an entry: the only one, or the only one that announced a job of that name."""
    if len(hosts) == 1:
        return next(iter(hosts))
    own = {job.host for job in jobs if job.name == name}
    return own.pop() if len(own) == 1 else None


def version_in(text: bytes) -> str | None:
    """The version that a line of fio's own says: `fio-3.33`, or `hostname=..., fio=fio-3.33`."""
    banner, connection = BANNER.match(text), CONNECTION.match(text)
    found = banner[1] if banner else connection[2] if connection else None
    return readable(found) if found else None
