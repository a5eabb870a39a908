"""Bytes to lines with true numbers, and what launchers print in front of a line.

Lines end at LF only: a bare CR is a progress bar that redraws itself inside one line, and
`str.splitlines` would also cut at form feeds and Unicode separators.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

COLOUR = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}".encode()
# a log as one JSON string: \n ends a line, \\n where the JSON is quoted in another JSON
ESCAPED_END = re.compile(rb"\\+(?:r\\+)?n")
ESCAPED = re.compile(rb"\\+(?:u00([0-9A-Fa-f]{2})|([t\"]))")
REPEATED = re.compile(rb'"stdout_lines"\s*:\s*\[')  # Ansible says its output twice
LABEL = re.compile(
    rb"""(?:\s++ | [-*>|`"'] | \xe2\x80\xa2                      # lists, quotes, tables, code
    | (?:\d{4}[-/]\d\d[-/]\d\d[T\ ])?\d\d:\d\d:\d\d(?:[.,]\d++)?(?:Z|[+-]\d\d:?\d\d)?(?=\s)
    | [A-Z][a-z]{2}\ [\ \d]\d\ (?=\d\d:\d\d:\d\d)                # syslog: Aug  6 09:33:03
    | std(?:out|err)\ [FP](?=\s)                               # container runtimes
    | \[[^\[\]]{1,200}\](?:<std(?:out|err)>:)?                 # mpirun, Hydra, pods, stamps
    | \([^()]{1,200}\)                                         # (head, rank=0, pid=7)
    | \{"[a-z]{1,20}":\ ?" | :\w{1,20}:`
    | [\w.@/-]++(?:\ \d++)?:(?=\s)                             # srun, pdsh, PALS
    )++""",
    re.VERBOSE,
)
INSIDE = re.compile(rb"\[\d+(?:,\d+)?\](?:<std(?:out|err)>:)?")
LONGEST_PREFIX = 1000

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


def lines_with(
    data: bytes, tokens: tuple[bytes, ...], start: int = 0, end: int | None = None, number: int = 1
) -> Iterator[Line]:
    """Only the lines that hold one of the tokens, with their true numbers.

    Of the lines from byte `start`, which is the first of line `number`, up to byte `end`.
    `bytes.find` skips what holds none many times faster than any pattern would.
    """
    find, size = data.find, len(data) if end is None else end
    ahead = [_place(find(token, start, size), size) for token in tokens]
    while (first := min(ahead)) < size:
        new_start = data.rfind(b"\n", start, first) + 1 or start
        number += data.count(b"\n", start, new_start)
        start = new_start
        stop = _place(find(b"\n", first, size), size)
        yield Line(number, start, data[start:stop].rstrip(b"\r"))
        for index, place in enumerate(ahead):
            if place < stop:
                ahead[index] = _place(find(tokens[index], stop, size), size)


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


def plain_lines(data: bytes) -> Iterator[Line]:
    """Every line without colours, in UTF-8.

    A line that a CR redraws, and a log that stands on one line as a JSON string, come in their
    parts, each with the number of its true line.
    """
    has_escaped = is_repeat = False
    for number, start, raw in _all_lines(as_utf8(data)):
        text = raw
        if is_repeat:
            is_repeat = raw.strip() not in (b"]", b"],")
            continue
        if has_escaped or b"stdout_lines" in raw:
            repeat = REPEATED.search(raw)
            is_first = b'"stdout"' in raw[: repeat.start()] if repeat else False
            if repeat and (has_escaped or is_first):
                text, is_repeat = raw[: repeat.start()], b"]" not in raw[repeat.end() :]
        is_escaped = b"\\n" in text and b'"' in text
        has_escaped = has_escaped or is_escaped
        parts = ESCAPED_END.split(text) if is_escaped else text.split(b"\r")
        for part in parts:
            yield Line(number, start, _plain(part, is_escaped))


def _all_lines(data: bytes) -> Iterator[Line]:
    start, number = 0, 1
    while start < len(data):
        end = _place(data.find(b"\n", start), len(data))
        yield Line(number, start, data[start:end].rstrip(b"\r"))
        start, number = end + 1, number + 1


def _plain(text: bytes, is_escaped: bool) -> bytes:
    if is_escaped:
        text = ESCAPED.sub(_unescaped, text)
    if b"\x1b" in text:
        text = COLOUR.sub(b"", text)
    return text.replace(NO_BREAK_SPACE, b" ").rstrip(b"\r")


def _unescaped(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return bytes([int(found[1], 16)])
    return b"\t" if found[2] == b"t" else found[2]


class Prefixes:
    """What may stand in front of the lines of a table.

    The labels of launchers, containers and mail are known; any other is learned from the table's
    header, as a shape whose numbers may differ.
    """

    def __init__(self) -> None:
        self._shapes: list[re.Pattern[bytes]] = []

    def learn(self, prefix: bytes) -> None:
        """Takes in what stands in front of a header."""
        if len(prefix) > LONGEST_PREFIX or self.explain(prefix):
            return
        words = [re.sub(rb"\d+", rb"\\d+", re.escape(word)) for word in prefix.split()]
        self._shapes.append(re.compile(rb"\s*" + rb"\s+".join(words)))

    def explain(self, prefix: bytes) -> bool:
        """Whether a prefix consists of known labels, or has a shape that was learned."""
        prefix = prefix[: LONGEST_PREFIX + 1]
        if not prefix or LABEL.fullmatch(prefix):
            return True
        found = (shape.match(prefix) for shape in self._shapes)
        return any(each and self._is_label(prefix[each.end() :]) for each in found)

    def strip(self, text: bytes) -> bytes:
        """A line without the learned shape, and without the labels, in front of it."""
        found = (shape.match(text) for shape in self._shapes)
        text = text[max((each.end() for each in found if each), default=0) :]
        label = LABEL.match(text)
        return text[label.end() :] if label else text

    @staticmethod
    def _is_label(rest: bytes) -> bool:
        return not rest or LABEL.fullmatch(rest) is not None


def without_inner_labels(text: bytes) -> bytes:
    """A line without the labels that a launcher put into its middle, at each write."""
    return INSIDE.sub(b" ", text) if b"[" in text else text
