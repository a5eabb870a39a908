"""Logs that fio stores as it holds them in memory (`log_store_compressed`, `.log.fz`) to text.

Source: `struct io_sample` in `iolog.h` of axboe/fio and `gz_work` in `iolog.c`. The file is a row
of zlib streams; unpacked they are samples of a fixed size, little-endian. Upper bits of the
direction say which columns there are, so nothing has to be guessed. The text is what
`fio --inflate-log` prints.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from struct import Struct

from ingest.fio.log_layout import Layout
from ingest.units import MIB

UNPACKED_AT_MOST = 512 * MIB
PIECE_BYTES = MIB
SAMPLES_AT_ONCE = 1 << 13

HAS_OFFSET, HAS_PRIORITY, HAS_MAX, HAS_ISSUE = (1 << bit for bit in (31, 30, 29, 28))
FLAGS = HAS_OFFSET | HAS_PRIORITY | HAS_MAX | HAS_ISSUE
REAL_TIME_CLASS = 1  # the upper three bits of a priority; up to 3.27 the field is just 0 or 1
# How each era packs a sample. 2.1.11; block in 64 bits and priority, 3.x; maximum, 3.37.
ERAS = (
    ("QQII", ("time", "value", "direction", "block"), HAS_OFFSET),
    ("QQIHxxQ", ("time", "value", "direction", "priority", "block"), HAS_OFFSET | HAS_PRIORITY),
    ("QQQIHxxQ", ("time", "value", "max", "direction", "priority", "block"), FLAGS),
)
PRINTED = ("time", "value", "max", "direction", "block", "offset", "priority", "issue")


@dataclass(slots=True)
class Unpacked:
    """What came out of the zlib streams; `lost` says what did not, None for nothing."""

    data: bytes
    lost: str | None


def unpack(packed: bytes, at_most: int = UNPACKED_AT_MOST) -> Unpacked:
    """The zlib streams one after the other, `at_most` bytes in all.

    Of a stream that ends early all is kept that comes before; one whose checksum fails is left
    out, and what follows it cannot be found.
    """
    found = bytearray()
    while packed:
        room = at_most - len(found)
        try:
            piece, packed, is_whole = _stream(packed, room)
        except zlib.error:
            return Unpacked(bytes(found), "a zlib stream is damaged")
        found += piece
        if not is_whole:
            over = f"it unpacks to more than {at_most} bytes"
            return Unpacked(bytes(found), "the file breaks off" if len(piece) < room else over)
    return Unpacked(bytes(found), None)


def _stream(packed: bytes, room: int) -> tuple[bytes, bytes, bool]:
    """What one stream holds, what stands behind it, and whether it came to its end."""
    stream, found, rest = zlib.decompressobj(), bytearray(), packed
    while rest and not stream.eof and len(found) < room:
        found += stream.decompress(rest, min(PIECE_BYTES, room - len(found)))
        rest = stream.unconsumed_tail
    return bytes(found), stream.unused_data, stream.eof


def as_text(data: bytes) -> tuple[Layout, bytes] | None:
    """The layout and the lines of samples; None for anything but samples of one known era.

    A last sample that is not whole is left out.
    """
    fits = [found for era in ERAS if (found := _printed(data, *era)) is not None]
    return fits[0] if len(fits) == 1 else None


def _printed(data: bytes, codes: str, names: Layout, known: int) -> tuple[Layout, bytes] | None:
    """The layout and the lines, if every sample is sound when read as one era packed it."""
    if len(data) < Struct("<" + codes).size:
        return None
    flags = Struct("<" + codes).unpack_from(data)[names.index("direction")] & FLAGS
    if flags & ~known or (flags & HAS_ISSUE and not flags & HAS_OFFSET):
        return None
    extra = [name for bit, name in ((HAS_OFFSET, "offset"), (HAS_ISSUE, "issue")) if flags & bit]
    names = (*names, *extra)
    hidden = () if flags & HAS_MAX else ("max",)
    layout = tuple(name for name in PRINTED if name in names and name not in hidden)
    sample = Struct("<" + codes + "Q" * len(extra))
    step, end = sample.size * SAMPLES_AT_ONCE, len(data) // sample.size * sample.size
    pieces: list[bytes] = []
    for start in range(0, end, step):
        numbers = zip(*sample.iter_unpack(data[start : min(start + step, end)]), strict=True)
        columns = dict(zip(names, numbers, strict=True))
        if not _is_sound(columns, flags):
            return None
        pieces.append(_lines(columns, layout, flags))
    return (layout, b"".join(pieces)) if pieces else None


def _is_sound(columns: dict[str, tuple[int, ...]], flags: int) -> bool:
    """Whether all samples have these flags and a direction, and a maximum only where asked for."""
    directions = {flags, flags | 1, flags | 2}
    has_max = flags & HAS_MAX or not any(columns.get("max", ()))
    return directions.issuperset(columns["direction"]) and bool(has_max)


def _lines(columns: dict[str, tuple[int, ...]], layout: Layout, flags: int) -> bytes:
    """Samples as fio prints them."""
    columns["direction"] = tuple(number & ~FLAGS for number in columns["direction"])
    is_hex = flags & HAS_PRIORITY
    if not is_hex:
        columns["priority"] = tuple(map(_is_real_time, columns.get("priority", ())))
    parts = ["0x%04x" if name == "priority" and is_hex else "%d" for name in layout]
    line = ", ".join(parts) + "\n"
    rows = zip(*(columns[name] for name in layout), strict=True)
    return "".join(map(line.__mod__, rows)).encode()


def _is_real_time(priority: int) -> bool:
    return priority >> 13 == REAL_TIME_CLASS or priority == 1
