"""One terse line of fio to its fields, versions 2 to 5.

Source: `show_thread_status_terse` of axboe/fio. A line is

    version;[fio version;]name;group;error; a block per direction; cpu (5); depths (7);
    latency spread (10 us + 12 ms); nine per disk; [errors;first error]; [description]

A block is I/O in KiB, KiB/s, IOPS (floored), ms; slat and clat (us); twenty percentiles (us); lat
(us); bandwidth samples (5, in version 5 another 6). Name and description may hold `;`, so each
field becomes a letter for its kind, and the line is told by the pattern of its letters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ingest.fio.records import Direction

HEAD = re.compile(r"(?:2;|[345];(fio-[^;]+);)")
KIND = re.compile(  # i: whole number, f: with decimals, q: percentile, p: percent
    r"(?P<i>\d{1,20})|(?P<f>\d{1,20}\.\d{1,20})|(?P<q>\d{1,3}(?:\.\d{1,20})?%=\d{1,20})"
    r"|(?P<p>\d{1,20}\.\d{1,20}%)"
)
PARTS = "iiiiiiffiiff" + 20 * "q" + "iiffiipff"
BLOCKS = {"2": PARTS, "3": PARTS, "4": PARTS, "5": PARTS + "iiiffi"}
DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
TAIL = "ppiii" + len(DEPTHS) * "p" + 22 * "p"
START = re.compile("ii(?=iiiiiiffiiffq)")
DISK = re.compile(".i{7}p")
DISK_FIELDS = 9
CUT_DISK = re.compile(".i{1,7}.?|i")
READ_WRITE: tuple[Direction, ...] = ("read", "write", "mixed")
ALL: tuple[Direction, ...] = ("read", "write", "trim", "mixed")


@dataclass(slots=True)
class Block:
    """The fields of one direction, as text; a part that is not whole is empty."""

    direction: Direction
    transfer: list[str]
    slat: list[str]
    clat: list[str]
    percentiles: list[str]
    lat: list[str]


@dataclass(slots=True)
class TerseLine:
    """The fields of a line, as text. `is_complete` is False where it breaks off or is damaged."""

    version: str | None
    name: str
    group_id: int
    error: int
    blocks: list[Block] = field(default_factory=list)
    cpu: list[str] = field(default_factory=list)
    depths: list[str] = field(default_factory=list)
    disks: list[list[str]] = field(default_factory=list)
    total_errors: int | None = None
    first_error: int | None = None
    description: str | None = None
    is_complete: bool = False


def terse_line(text: str, is_ended: bool) -> TerseLine | None:
    """The fields of a terse line; None where not even its name can be told.

    `is_ended` says that a line end follows. What stands last in a line that breaks off may have
    lost digits and is left out, and of a damaged line only whole blocks are kept.
    """
    head = HEAD.match(text)
    if not head:
        return None
    fields = text.split(";")
    letters = "".join(_kind(each) for each in fields)
    start = 2 if head[1] else 1
    found = START.search(letters, start + 1)
    if not found or any(len(each) > 9 for each in fields[found.start() : found.end()]):
        return None
    base = found.end()
    group, error = int(fields[base - 2]), int(fields[base - 1])
    line = TerseLine(head[1], ";".join(fields[start : base - 2]), group, error)
    count = _blocks(letters[base:], text[0])
    if count:
        _read_rest(line, fields, letters, _read_whole(line, fields, base, count), is_ended)
    else:
        _read_broken(line, fields, letters, base, is_ended)
    return line


def terse_disk(text: str) -> list[str] | None:
    """The nine fields of a disk that stands on a line of its own (client/server mode)."""
    fields = text.split(";")[1:]
    letters = "".join(_kind(each) for each in fields)
    return fields if text.startswith(";") and DISK.fullmatch(letters) else None


def _kind(text: str) -> str:
    found = KIND.fullmatch(text)
    return (found and found.lastgroup) or "x"


def _blocks(letters: str, version: str) -> int | None:
    """How many blocks stand before a whole tail: as many as this version can have."""
    for count in (1, 2, 3) if version == "3" else (1, 3, 4):
        if letters.startswith(BLOCKS[version] * count + TAIL):
            return count
    return None


def _read_whole(line: TerseLine, fields: list[str], base: int, count: int) -> int:
    """Blocks, cpu and depths of a line that has all of them; gives the field behind the tail."""
    version = fields[0]
    size = len(BLOCKS[version])
    names = READ_WRITE if version == "3" else ALL
    for number, name in enumerate(("mixed",) if count == 1 else names[:count]):
        line.blocks.append(_block(fields[base + number * size :][:size], name))
    tail = base + count * size
    line.cpu = [share.rstrip("%") for share in fields[tail : tail + 2]]
    line.depths = [share.rstrip("%") for share in fields[tail + 5 : tail + 5 + len(DEPTHS)]]
    return tail + len(TAIL)


def _read_rest(line: TerseLine, fields: list[str], letters: str, at: int, is_ended: bool) -> None:
    """Disks, errors (continue_on_error) and description, each of which may be absent.

    A shell may have stripped the line end, so that a line without one is cut only where a disk or
    a number is; of two numbers the second one may then have lost digits.
    """
    while DISK.match(letters, at):
        line.disks.append(fields[at : at + DISK_FIELDS])
        at += DISK_FIELDS
    rest, kinds = fields[at:], letters[at:]
    if kinds.startswith("ii") and all(len(each) <= 9 for each in rest[:2]):
        line.total_errors = int(rest[0])
        line.first_error = int(rest[1]) if is_ended or len(rest) > 2 else None
        rest, kinds = rest[2:], kinds[2:]
    line.is_complete = is_ended or not CUT_DISK.fullmatch(kinds)
    if rest and line.is_complete:
        line.description = ";".join(rest)


def _read_broken(
    line: TerseLine, fields: list[str], letters: str, base: int, is_ended: bool
) -> None:
    """The blocks before the break. Whether a first one is read or mixed, the field behind shows."""
    pattern = BLOCKS[fields[0]]
    names = READ_WRITE if fields[0] == "3" else ALL
    at, count = base, 0
    while letters.startswith(pattern, at) and count < len(names):
        at, count = at + len(pattern), count + 1
    rest = letters[at:] if is_ended else letters[at:-1]  # a field that was cut may change its kind
    parts = [fields[base + number * len(pattern) :][: len(pattern)] for number in range(count)]
    if rest and not is_ended and pattern.startswith(rest) and count < len(names):
        parts.append(fields[at : at + len(rest)])
    if count == 1 and rest.startswith("p"):
        names = ("mixed",)
    elif count < 2 and not (count and rest.startswith("i")):
        return
    line.blocks = [_block(part, name) for part, name in zip(parts, names, strict=False)]


def _block(fields: list[str], direction: Direction) -> Block:
    def part(start: int, end: int) -> list[str]:
        return fields[start:end] if len(fields) >= end else []

    return Block(direction, part(0, 4), part(4, 8), part(8, 12), fields[12:32], part(32, 36))
