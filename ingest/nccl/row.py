"""A row of the nccl-tests table, whole or in pieces.

A row is written by three calls of printf: what is measured, out-of-place, in-place. Other output
can land between them, so that a row may stand on several lines.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ingest.nccl.records import Era, NcclRow
from ingest.nccl.table import BOTH, Layout

HEAD = re.compile(
    rb"(?<![\w.+/-])(\d{1,18})[ \t]+(\d{1,18})[ \t]+([a-z][a-z0-9_]{1,20})(?=\s|$)"
    rb"(?:[ \t]+(?!(?:nan|inf)\s)([a-z]{2,12})(?=\s|$))?"
)
TYPE = re.compile(
    r"u?int(?:8|16|32|64)?|u?char|half|float(?:16|32|64)?|double|bf(?:loat)?16"
    r"|f(?:p|loat)?8_?\w*|fp(?:16|32|64)"
)
BYTES = {
    "int8": 1, "uint8": 1, "char": 1, "uchar": 1, "half": 2, "bfloat16": 2, "float16": 2,
    "int32": 4, "uint32": 4, "int": 4, "uint": 4, "float": 4, "int64": 8, "uint64": 8, "double": 8,
}  # fmt: skip
NUMBER = re.compile(
    rb"-?(?:\d{1,30}(?:\.\d{0,30})?(?:e[+-]?\d{1,3})?|nan|inf)\*?|N/A", re.IGNORECASE
)
STAMP = re.compile(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
MEASURED = re.compile(rb"\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?(?:nan|inf)", re.IGNORECASE)
WRONG = re.compile(rb"(?:\d+|\d(?:\.\d+)?e\+\d+|-?(?:nan|inf))\*?|N/A", re.IGNORECASE)
DELTA = re.compile(rb"(?:\d+(?:\.\d+)?e[+-]\d+|0|-?(?:nan|inf))\*?|N/A", re.IGNORECASE)
LARGE = re.compile(rb"e\+(?:0[5-9]|[1-9]\d)")
ROOT = re.compile(rb"-1|\d{1,9}")
MILLISECONDS = re.compile(rb"\d+\.\d{3}")
END = b" \t`\"',|\\"
SIDE_GROUP = ("time", "algbw", "busbw", "sidebw")
ITERATIONS = ("i_min", "i_max", "i_p99", "i_cv")


@dataclass(slots=True)
class Cells:
    """What a row consists of, before it is known which column a cell belongs to.

    `numbers` may begin with the root. `rest` is text behind them that is no number.
    """

    line: int
    size: int
    count: int
    type: str
    redop: str | None
    numbers: list[bytes]
    is_stamped: bool = False
    rest: bytes = b""
    is_split_by_test: bool = False  # by a summary that the test itself printed

    @property
    def is_typed(self) -> bool:
        """Whether the type is one that a test can have."""
        return TYPE.fullmatch(self.type) is not None

    @property
    def whole_count(self) -> bool:
        """Whether the size is a multiple of count times the size of the type."""
        step = self.count * BYTES.get(self.type, 0)
        return self.size % step == 0 and self.size >= step if step else self.size == self.count == 0


def cells_in(line: int, text: bytes) -> tuple[bytes, Cells] | None:
    """What stands in front of a row, and its cells; None where no row begins."""
    found = HEAD.search(text)
    if not found:
        return None
    numbers, rest = numbers_in(text[found.end() :])
    stamp = STAMP.match(rest)
    if stamp:
        rest = rest[stamp.end() :].strip(END)
    redop = found[4].decode() if found[4] else None
    size, count, kind = int(found[1]), int(found[2]), found[3].decode()
    cells = Cells(line, size, count, kind, redop, numbers, stamp is not None, rest)
    return text[: found.start()], cells


def numbers_in(text: bytes) -> tuple[list[bytes], bytes]:
    """The numbers and N/A with which a text begins, and the text behind them."""
    words = text.strip(END).split()
    count = next((i for i, word in enumerate(words) if not NUMBER.fullmatch(word)), len(words))
    return words[:count], b" ".join(words[count:])


def is_group(cells: list[bytes], group: tuple[str, ...]) -> bool:
    """Whether cells can be those of one placement."""
    if len(cells) != len(group):
        return False
    return all(_pattern(name).fullmatch(cell) for name, cell in zip(group, cells, strict=True))


def _pattern(name: str) -> re.Pattern[bytes]:
    return {"wrong": WRONG, "delta": DELTA}.get(name, MEASURED)


def root_cells(cells: Cells, layout: Layout) -> int | None:
    """0 or 1: how many cells the root takes in a whole row; None where the row does not fit."""
    if cells.redop and not layout.has_redop:
        return None
    if cells.is_stamped != layout.has_timestamp:
        return None
    extra = len(cells.numbers) - layout.cells
    if extra not in ((0, 1) if layout.has_root else (0,)):
        return None
    if extra and not ROOT.fullmatch(cells.numbers[0]):
        return None
    width = len(layout.group)
    starts = range(extra, len(cells.numbers), width)
    groups = [cells.numbers[start : start + width] for start in starts]
    return extra if all(is_group(group, layout.group) for group in groups) else None


def guessed_layout(cells: Cells) -> Layout | None:
    """The only layout that a row can have whose header is lost; None where there are several.

    With cells of one placement only nothing tells which one.
    """
    last = _last_name(cells.numbers)
    groups = {8: ("time", "algbw", "busbw", last), 10: (*SIDE_GROUP, last)}
    groups[16] = (*groups[8], *ITERATIONS)
    has_root = len(cells.numbers) % 2 == 1
    group = groups.get(len(cells.numbers) - has_root)
    if group is None or not cells.is_typed:
        return None
    time = cells.numbers[int(has_root)]
    era: Era | None = None if last == "wrong" else "A" if MILLISECONDS.fullmatch(time) else "B"
    return Layout(
        cells.redop is not None, has_root, group, BOTH, cells.is_stamped, False, era
    )  # fmt: skip


def _last_name(numbers: list[bytes]) -> str:
    """`delta` where a number is written as only a difference is, with a small exponent."""
    ends = numbers[-1:] + numbers[len(numbers) // 2 - 1 : len(numbers) // 2]
    return "delta" if any(b"e" in end and not LARGE.search(end) for end in ends) else "wrong"


def is_consistent(cells: Cells, layout: Layout) -> bool:
    """Whether the algorithm bandwidths of a row are size over time, as far as digits tell.

    Only asked of rows that were put together from pieces.
    """
    extra = len(cells.numbers) - layout.cells
    factor = _factor(layout)
    for start in range(extra, len(cells.numbers), len(layout.group)):
        time, algbw = (_number(cell) for cell in cells.numbers[start : start + 2])
        if time is None or algbw is None or time <= 0:
            return False
        expected = cells.size / (time * factor * 1e3)
        if abs(expected - algbw) > 0.02 * expected + 0.011:
            return False
    return True


def rows_of(cells: Cells, layout: Layout, attempt: int, ordinal: int, cycle: int) -> list[NcclRow]:
    """The records of a whole row, one for each placement."""
    extra = len(cells.numbers) - layout.cells
    root = int(cells.numbers[0]) if extra else -1
    rows = []
    for index, placement in enumerate(layout.placements):
        start = extra + index * len(layout.group)
        texts = cells.numbers[start : start + len(layout.group)]
        named = dict(zip(layout.group, texts, strict=True))
        last = named.get("wrong", named.get("delta"))
        time = _number(named["time"])
        iter_min, iter_max, iter_p99, iter_cv = (_number(named.get(name)) for name in ITERATIONS)
        rows.append(NcclRow(
            cells.line, attempt, ordinal, cycle, placement, cells.size, cells.count, cells.type,
            cells.redop, root if root >= 0 else None,
            None if time is None else _scaled(time, _factor(layout)),
            _number(named["algbw"]), _number(named["busbw"]), _number(named.get("wrong")),
            _number(named.get("delta")), last == b"N/A",
            iter_min, iter_max, iter_p99, iter_cv,
            named["time"].decode(), named["algbw"].decode(), named["busbw"].decode(),
        ))  # fmt: skip
    return rows


def _factor(layout: Layout) -> float:
    return 1e3 if layout.era == "A" else 1.0


def _scaled(time: float, factor: float) -> float:
    return time if factor == 1 else round(time * factor, 6)


def _number(text: bytes | None) -> float | None:
    if text is None or text == b"N/A":
        return None
    value = float(text.rstrip(b"*"))
    return value if math.isfinite(value) else None
