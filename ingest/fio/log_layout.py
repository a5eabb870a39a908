"""The columns of a fio log: which layouts there are, and which one a file has.

Source: `flush_samples` in `iolog.c` of axboe/fio over its history. Up to 3.17: time, value,
direction, block [, offset]. From 3.18: [offset,] priority at the end. From 3.37: the maximum of the
window behind the value. From 3.38: the time of issue last, never without the offset (`init.c`
refuses that). A layout is decided over all lines of a file: 5, 6 and 7 columns have two meanings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import repeat
from operator import ge

Layout = tuple[str, ...]
Columns = Sequence[Sequence[bytes]]
Shape = tuple[str, ...]

LAYOUTS: dict[int, tuple[Layout, ...]] = {}
for _text in (
    "time value direction block",
    "time value direction block offset",
    "time value direction block priority",
    "time value direction block offset priority",
    "time value max direction block priority",
    "time value direction block offset priority issue",
    "time value max direction block offset priority",
    "time value max direction block offset priority issue",
):
    _layout = tuple(_text.split())
    LAYOUTS[len(_layout)] = (*LAYOUTS.get(len(_layout), ()), _layout)

NUMBER = r"\d{1,20}"
HEX = "0x[0-9a-f]{4}"
PATTERNS = {"direction": "[0-2]", "priority": f"[01]|{HEX}", "undecided": NUMBER}
PLACES = ("time", "value", "max", "direction", "block")
KINDS = {b"0": "0", b"1": "1", b"2": "2"}


class Rows:
    """Lines of so many columns, each as its pattern says, taken apart."""

    def __init__(self, patterns: Sequence[str]) -> None:
        line = ", ".join(f"(?:{pattern})" for pattern in patterns)
        self.width = len(patterns)
        self.line = re.compile(line.encode())
        self.piece = re.compile(f"(?:{line}\n)*+".encode())

    def columns(self, piece: bytes) -> tuple[list[list[bytes]], list[bytes] | None]:
        """The columns of the lines that fit; and all lines when some do not."""
        lines: list[bytes] | None = None
        if not self.piece.fullmatch(piece):
            lines = piece.split(b"\n")[:-1]
            piece = b"".join(line + b"\n" for line in lines if self.line.fullmatch(line))
        texts = piece.replace(b"\n", b", ").split(b", ")[:-1]
        return [texts[column :: self.width] for column in range(self.width)], lines


def any_rows(width: int) -> Rows:
    """Lines of so many columns, whatever the columns mean."""
    return Rows([NUMBER if column < 4 else f"{NUMBER}|{HEX}" for column in range(width)])


def rows(layout: Layout) -> Rows:
    """Lines that fit a layout."""
    return Rows([PATTERNS.get(name, NUMBER) for name in layout])


def shapes(columns: Columns) -> Counter[Shape]:
    """How often each combination of kinds of number occurs from the third column on.

    The kinds are 0, 1, 2, n (more) and x (hexadecimal). The first place says whether the third
    column is at least the second, where it may be a maximum.
    """
    is_least: Iterable[str] = repeat("<", len(columns[0]))
    if len(columns) > 5:
        is_least = map("<≥".__getitem__, map(ge, map(int, columns[2]), map(int, columns[1])))
    return Counter(zip(is_least, *map(_kinds, columns[2:]), strict=True))


def _kinds(texts: Sequence[bytes]) -> Iterable[str]:
    kinds = {text: _kind(text) for text in set(texts)}
    if len(set(kinds.values())) == 1:
        return repeat(kinds[texts[0]], len(texts))
    return map(kinds.__getitem__, texts)


def _kind(text: bytes) -> str:
    return KINDS.get(text) or ("x" if text.startswith(b"0x") else "n")


def decide(width: int, found: Counter[Shape]) -> Layout | None:
    """The layout of a file, or None when not even direction and block are certain.

    A layout that fits fewer than half as many lines as the best one is out: the few may be
    damaged. Where several remain, the columns in which they differ are `undecided`.
    """
    fits = {
        layout: sum(count for shape, count in found.items() if _is_plausible(layout, shape))
        for layout in LAYOUTS[width]
    }
    best = max(fits.values())
    likely = [layout for layout in LAYOUTS[width] if best and fits[layout] * 2 >= best]
    if len({tuple(_place(layout, name) for name in PLACES) for layout in likely}) != 1:
        return None
    columns = enumerate(zip(*likely, strict=True))
    return tuple(_merged(column, set(names), found) for column, names in columns)


def _place(layout: Layout, name: str) -> int | None:
    return layout.index(name) if name in layout else None


def _merged(column: int, names: set[str], found: Counter[Shape]) -> str:
    """One name, or `undecided`; a column of 0 and 1 with a 1 in it is no offset, no time."""
    if len(names) == 1:
        return names.pop()
    kinds = {shape[column - 1] for shape in found}
    is_priority = "priority" in names and "1" in kinds and kinds <= {"0", "1"}
    return "priority" if is_priority else "undecided"


def _is_plausible(layout: Layout, shape: Shape) -> bool:
    """Whether a line of this shape makes sense in a layout.

    Averaged lines have block, offset and issue 0, lines of one I/O have a block, and no block,
    offset or issue is 1 or 2. A maximum is no less than the value, or 0 in lines of one I/O.
    """
    kinds = dict(zip(layout[2:], shape[1:], strict=True))
    is_averaged = kinds["block"] == "0"
    later = [kinds[name] for name in ("offset", "issue") if name in kinds]
    return (
        kinds["direction"] in "012"
        and kinds["block"] in "0n"
        and kinds.get("priority", "0") in "01x"
        and all(kind == "0" if is_averaged else kind in "0n" for kind in later)
        and ("max" not in kinds or shape[0] == "≥" or (kinds["max"] == "0" and not is_averaged))
    )
