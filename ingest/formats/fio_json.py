"""fio results as JSON and json+, local and client/server, fio 2.1 to 3.42.

Source: `stat.c`, `client.c` and `json.c` of axboe/fio, and outputs of seven versions. One file may
hold several documents, text round and inside them, and documents that break off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ingest.fio.detect import NORMAL, Text, form, has_terse_line, unwrapped
from ingest.fio.json_document import RERUN, JsonDocument
from ingest.fio.json_reader import documents
from ingest.fio.notes import clients_named, lost_client
from ingest.fio.records import FioNote
from ingest.fio.text_runs import records
from ingest.lines import Line
from ingest.records import Problem, Record, Run

NAME = "fio_json"
DESCRIPTION = "fio result as JSON or json+, local or client/server, fio 2.1 to 3.42 (axboe/fio)"
VERSION = 1
RUN_KIND = "fio"

DEBRIS = (b'"', b"{", b"}", b"[", b"]")


def claims(head: bytes, name: str) -> bool:
    """True for text with a JSON document that names its fio version."""
    return form(head) == "json"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """Rows of every document, notes of the text round them, a Run for each attempt.

    Never raises, whatever the bytes. Of a document that breaks off the whole entries are kept.
    """
    text = unwrapped(data)
    found = [JsonDocument(text, document) for document in documents(text.data)]
    if not found:
        yield Problem(None, "error", "no fio document can be read in the file", RERUN)
        return
    words = list(_words(text, found))
    yield from _other_forms(words)
    yield from _attempts(list(_runs(found)), words)


def _attempts(runs: list[list[JsonDocument]], words: list[Line]) -> Iterator[Record]:
    kept: list[list[JsonDocument]] = []
    for run in runs:
        for one in run[:-1]:
            if not one.is_whole:
                reason = f"{one.result.lost}: a later output of the run counts"
                yield Problem(one.result.last_line, "warning", reason, RERUN)
        kept.append([one for one in run if one.is_whole or one is run[-1]])
    for run in kept:
        for one in run:
            if one.is_whole or len(run) == 1:
                yield from one.problems()
    failing: set[int] = set()
    for record in records([[one.result for one in run] for run in kept], words):
        if isinstance(record, FioNote):
            failing |= {record.attempt} if record.kind != "note" else set()
            if lost := lost_client(record):
                yield lost
        if isinstance(record, Run):
            yield from _settled(record, kept[record.attempt - 1][-1], record.attempt in failing)
        else:
            yield record


def _settled(run: Run, last: JsonDocument, is_failing: bool) -> Iterator[Record]:
    """The Run; one whose last output is no end is unfinished, one without entries no success."""
    if last.is_whole and last.seconds_left:
        reason = f"the run has no end: its last output expects {last.seconds_left:g} s more"
        yield Problem(last.result.line, "warning", reason, RERUN)
        yield replace(run, status="unfinished")
    elif run.status == "success" and not last.whole:
        yield replace(run, status="failed" if is_failing else "unknown")
    else:
        yield run


def _runs(found: list[JsonDocument]) -> Iterator[list[JsonDocument]]:
    """Documents by run: those that `--status-interval` prints belong to one."""
    run: list[JsonDocument] = []
    for one in found:
        before = next(
            (other for other in reversed(run) if other.is_whole), run[-1] if run else None
        )
        if before is not None and not one.is_snapshot_after(before):
            yield run
            run = []
        run.append(one)
    yield run


def _words(text: Text, found: list[JsonDocument]) -> Iterator[Line]:
    """The lines outside the documents, and those printed into one; tells each its clients."""
    position, is_debris = 0, False
    for one in found:
        before = list(_gap(text, position, one.document.start, is_debris))
        one.settle_clients(clients_named(before))
        yield from before
        for start, end in one.document.between:
            yield from text.between(start, end)
        position, is_debris = one.document.end, not one.is_whole
    yield from _gap(text, position, len(text.data), is_debris)


def _gap(text: Text, start: int, end: int, is_debris: bool) -> Iterator[Line]:
    """The lines between two documents; behind a broken one those that look like JSON are none."""
    for line in text.between(start, end):
        if not (is_debris and line.text.lstrip().startswith(DEBRIS)):
            yield line


def _other_forms(words: list[Line]) -> Iterator[Problem]:
    """One Problem for each other form of the results that the file also holds."""
    for name, is_form in (("normal text", NORMAL.search), ("terse lines", has_terse_line)):
        line = next((line for line in words if is_form(line.text)), None)
        if line:
            reason = f"the file holds the result as {name} too: only the JSON is read"
            yield Problem(line.number, "info", reason, "nothing to do")
