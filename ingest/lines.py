"""Bytes to lines with true numbers, and what launchers print in front of a line.

Lines end at LF only: a bare CR is a progress bar that redraws itself inside one line, and
`str.splitlines` would also cut at form feeds and Unicode separators.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

# srun --label "3: ", Intel "[3] ", Open MPI --tag-output "[1,3]<stdout>:"
RANK = re.compile(rb"^\s*(?:(\d{1,6}):\s|\[(\d{1,6})\]\s|\[\d+,(\d{1,6})\]<std(?:out|err)>:)")


class Line(NamedTuple):
    """`number` counts from 1; `start` is the byte offset; `text` has no line end."""

    number: int
    start: int
    text: bytes


def as_utf8(data: bytes) -> bytes:
    """The same text in UTF-8 without a byte order mark; line numbers stay the same."""
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :]
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace").encode("utf-8", "replace")
    return data


def count_lines(data: bytes) -> int:
    """Number of lines, an unended last one included."""
    return data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)


def line_from(data: bytes, number: int, start: int) -> Line:
    """The line that begins at byte `start`."""
    end = data.find(b"\n", start)
    return Line(number, start, data[start : end if end >= 0 else len(data)].rstrip(b"\r"))


def last_line(data: bytes) -> Line:
    """What stands behind the last line end: nothing, or a line that was not ended."""
    return line_from(data, data.count(b"\n") + 1, data.rfind(b"\n") + 1)


def lines_with(data: bytes, tokens: tuple[bytes, ...]) -> Iterator[Line]:
    """Only the lines that hold one of the tokens, with their true numbers.

    `bytes.find` skips what holds none many times faster than any pattern would.
    """
    find, size = data.find, len(data)
    number, start = 1, 0
    ahead = [_place(find(token), size) for token in tokens]
    while (first := min(ahead)) < size:
        new_start = data.rfind(b"\n", start, first) + 1 or start
        number += data.count(b"\n", start, new_start)
        start = new_start
        end = _place(find(b"\n", first), size)
        yield Line(number, start, data[start:end].rstrip(b"\r"))
        for index, place in enumerate(ahead):
            if place < end:
                ahead[index] = _place(find(tokens[index], end), size)


def _place(found: int, size: int) -> int:
    return found if found >= 0 else size


def without_rank(text: bytes) -> bytes:
    """A line without the label that a launcher puts before it."""
    return RANK.sub(b"", text, count=1)


def rank_of(prefix: bytes) -> int | None:
    """The process that a launcher's label names, from the text in front of a record."""
    found = RANK.match(prefix) if prefix else None
    return int(next(group for group in found.groups() if group)) if found else None


def readable(text: bytes) -> str:
    """Text for a message: undecodable bytes replaced, control characters shown as dots."""
    decoded = text.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else "·" for char in decoded)
