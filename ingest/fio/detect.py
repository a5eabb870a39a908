"""Which form of fio output a file holds, and the text without what mail or a script put round it.

Source: the outputs of fio 2.1 to 3.42, alone or pasted into mails and logs. The four formats that
read results ask `form`, so that no file is claimed twice: JSON goes before terse lines, these
before normal text, and words alone are a message.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from ingest.lines import Line, as_utf8

ResultForm = Literal["json", "terse", "normal", "message"]

HINTS = (b"fio", b"groupid=", b"Run status", b"(g=", b"No job(s)", b"Jobs: ", b"%=", b"verify: ")
QUOTE = re.compile(rb"(?:> ?(?!=))+")
BYTES_REPR = re.compile(rb"(?:.{0,200}?[\s:=(\[,])??b(['\"])(.*\\n.*?)(?:\1[\s)\],]*)?$")
ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|.)", re.DOTALL)
ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}

DOCUMENT = re.compile(rb'^[ \t]*\{|\{\s*"fio version"', re.MULTILINE)
VERSION_KEY = re.compile(rb'"fio version"\s*:')
TERSE = re.compile(
    rb"(?:^|[\r>] ?)(?:[3-5];fio-[^;\n]*;[^\n]*;|2;[^\n]{0,500}%=)[^\n]*", re.MULTILINE
)
NORMAL = re.compile(rb"\(groupid=\d+, jobs=\d+\): err=|^Run status group \d+", re.MULTILINE)
HOST = re.compile(rb"(?:<[^<>\s]{1,253}> ?)+")
TELLING = re.compile(
    rb"fio: |fio-\d+\.\d[\w.-]*$|No job\(s\) defined|.*: \(g=\d+\): rw=|hostname=.*\bfio=fio-"
    rb"|(?:Jobs: \d+ \(f=\d+\)[^\n]*)+$|client(?:: host=| <)|verify: |fio \[options\]"
    rb"|(?:error: )?failed to setup shm segment"
)
BESIDE = re.compile(
    rb"\.\.\.$|Starting \d+ (?:process|thread)|.*: Laying out IO file|Did you mean |file:\w|note: "
    rb"|error: |warning: |ioengine=|(?:[A-Z]:\\.*>|[\w@:~/.-]*[$#] |)\S*fio(?:\.exe)? --?\w"
)
USAGE = re.compile(rb"\s+--?[a-z][\w-]*|\t\t\t|\s{8,}\S|fio \[options\]|Fio was written by")
FEWEST_TERSE_FIELDS = 50


@dataclass(frozen=True)
class Text:
    """Text in UTF-8 with LF line ends; `numbers` are the true line numbers of its lines."""

    data: bytes
    numbers: tuple[int, ...]

    @cached_property
    def lines(self) -> list[Line]:
        """Its lines; `start` is the byte within `data`, `number` the line of the file."""
        parts = self.data.split(b"\n")
        return [
            Line(number, start, part)
            for number, start, part in zip(self.numbers, self._starts, parts, strict=True)
        ]

    @cached_property
    def _starts(self) -> list[int]:
        starts, position = [], 0
        for part in self.data.split(b"\n"):
            starts.append(position)
            position += len(part) + 1
        return starts

    def between(self, start: int, end: int) -> Iterator[Line]:
        """The lines, or parts of lines, from byte `start` up to byte `end`."""
        for part in self.data[start:end].split(b"\n"):
            yield Line(self.number_at(start), start, part)
            start += len(part) + 1

    def number_at(self, offset: int) -> int:
        """The line of the file that byte `offset` of `data` stands on."""
        return self.numbers[max(bisect_right(self._starts, offset) - 1, 0)]


def form(head: bytes) -> ResultForm | None:
    """The form of the fio output that begins with `head`; None when it is none.

    A document that breaks off counts too. Prose that mentions fio does not.
    """
    if not any(hint in head for hint in HINTS) and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    return _form(head)


@lru_cache(maxsize=2)
def _form(head: bytes) -> ResultForm | None:
    text = unwrapped(head)
    if VERSION_KEY.search(text.data) and DOCUMENT.search(text.data):
        return "json"
    if has_terse_line(text.data):
        return "terse"
    if NORMAL.search(text.data):
        return "normal"
    return "message" if _is_message(text) else None


def unwrapped(data: bytes) -> Text:
    """The text without byte order mark, CR line ends, mail quoting (`> `) and Python's `b'...'`.

    Every line keeps the number it has in the file; all that a one-line `b'...'` holds has the
    number of that line.
    """
    parts: list[bytes] = []
    numbers: list[int] = []
    for number, raw in enumerate(as_utf8(data).split(b"\n"), start=1):
        inner = _inner(raw.rstrip(b"\r"))
        parts += inner
        numbers += [number] * len(inner)
    return Text(b"\n".join(parts), tuple(numbers))


def _inner(line: bytes) -> list[bytes]:
    if line.startswith(b">"):
        line = QUOTE.sub(b"", line, count=1)
    if b"\\n" in line and (b"b'" in line or b'b"' in line):
        found = BYTES_REPR.match(line)
        if found and (b"fio" in found[2] or b"groupid=" in found[2]):
            return [part.rstrip(b"\r") for part in ESCAPE.sub(_unescaped, found[2]).split(b"\n")]
    return [line]


def _unescaped(found: re.Match[bytes]) -> bytes:
    code = found[1]
    if len(code) == 3:
        return bytes([int(code[1:], 16)])
    return ESCAPED.get(code, code)


def has_terse_line(data: bytes) -> bool:
    """Whether a line has the fields of terse output, of any version."""
    return any(
        not found[0].lstrip(b"\r> ").startswith(b"2;")
        or found[0].count(b";") >= FEWEST_TERSE_FIELDS - 1
        for found in TERSE.finditer(data)
    )


def _is_message(text: Text) -> bool:
    """Whether fio's own words are at least half of the lines that are not blank."""
    lines = [HOST.sub(b"", line.text.strip(b"\r\0"), count=1) for line in text.lines]
    lines = [line for line in lines if line.strip()]
    if not any(TELLING.match(line) for line in lines):
        return False
    is_usage = any(line.startswith(b"fio [options]") for line in lines)
    own = sum(
        bool(TELLING.match(line) or BESIDE.match(line) or (is_usage and USAGE.match(line)))
        for line in lines
    )
    return 2 * own >= len(lines)
