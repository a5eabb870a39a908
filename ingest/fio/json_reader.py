"""fio's JSON documents within a text, and what can be kept of one that is damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.fio.notes import INTERJECTED
from ingest.json_text import Node, parsed

START = re.compile(rb'^[ \t]*\{|\{\s*"fio version"\s*:', re.MULTILINE)
OWN_START = re.compile(rb'\{\s*"fio version"\s*:')
ELEMENT = re.compile(rb'\{\s*"jobname"\s*:')
ARRAYS = ("jobs", "client_stats")


@dataclass(slots=True)
class Document:
    """One JSON document with a "fio version".

    `broken_at` is the byte at which it cannot be read on, None for a whole one; `later` are
    elements found behind that place. `between` are lines of text that stand inside it.
    """

    root: Node
    start: int
    end: int
    broken_at: int | None = None
    later: list[Node] = field(default_factory=list)
    between: list[tuple[int, int]] = field(default_factory=list)

    def elements(self) -> list[Node]:
        """The objects of `jobs` and `client_stats` in file order, unclosed ones included."""
        lists = [self.root.node(name, is_list=True) for name in ARRAYS]
        found = [member.value for part in lists if part for member in part.members]
        return [value for value in found if isinstance(value, Node) and not value.is_list] + (
            self.later
        )


def documents(data: bytes) -> Iterator[Document]:
    """Every fio document in the text, from the first on; other JSON round them is passed over."""
    position = 0
    while found := START.search(data, position):
        start = data.index(b"{", found.start())
        document = _read(data, start)
        if document.root.member("fio version"):
            if document.broken_at is not None:
                document = _mended(data, document)
            yield document
            position = document.end
        else:
            inner = OWN_START.search(data, start + 1, document.end)
            position = inner.start() if inner else max(document.end, start + 1)


def _mended(data: bytes, broken: Document) -> Document:
    """The document without lines of text printed into it, or else what is left behind a break."""
    following = OWN_START.search(data, broken.start + 1)
    limit = following.start() if following else len(data)
    lines = [found.span() for found in INTERJECTED.finditer(data, broken.start, limit)]
    if lines:
        blank = bytearray(data[:limit])
        for start, end in lines:
            blank[start:end] = b" " * (end - start)
        whole = _read(bytes(blank), broken.start)
        if whole.broken_at is None:
            whole.between = [span for span in lines if span[0] < whole.end]
            return whole
    position = broken.end
    while found := ELEMENT.search(data, position, limit):
        element = _read(data, found.start())
        if element.broken_at is None:
            broken.later.append(element.root)
        position = max(element.end, found.end())
    broken.end = max(position, broken.end)
    return broken


def _read(data: bytes, start: int) -> Document:
    found = parsed(data, start)
    return Document(found.root, found.start, found.end, found.broken_at)
