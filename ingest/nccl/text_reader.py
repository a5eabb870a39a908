"""The lines of a text capture sorted into runs, and rows put together from pieces.

Every line is asked in turn: does it open a run, list a device, begin a table, end it, or give a
row? All other lines are words.
"""

from __future__ import annotations

import re

from ingest.lines import Line, Prefixes, readable, without_inner_labels
from ingest.nccl.banner import (
    AVERAGE,
    CONCLUDED,
    MEMORY,
    OUT_OF_BOUNDS,
    STARTING,
    TESTS_VERSION,
    Parameters,
    parameters_in,
)
from ingest.nccl.devices import device_in, is_cut
from ingest.nccl.names import collective_of
from ingest.nccl.notes import DEBUG, SPOKEN, SUMMARY, is_elision, is_failing
from ingest.nccl.row import (
    Cells,
    cells_in,
    guessed_layout,
    is_consistent,
    is_group,
    numbers_in,
    root_cells,
)
from ingest.nccl.table import TITLE, UNITS, Layout, layout_of
from ingest.nccl.text_run import TextRun

LINE_OF_NUMBERS = re.compile(rb"[ \t]*\d+[ \t]+\d+(?:[ \t]|$)")
PLACEHOLDER = re.compile(rb"\bX{2,}(?:\.X+)?\b")

PLACEHOLDERS = "placeholders stand where the numbers of a row should be"
PREFIXED = "a row behind text that is not the label of its table"
NO_FIT = "a line that looks like a row does not fit the columns of its table"
BROKEN_OFF = "the text breaks off inside a row"
CUT_FRONT = "the text begins inside a row: its size may be cut"
NO_MEASURE = "what was measured of a row is missing, other output came between"
NO_HEAD = "the size of a row is missing, other output came between"
MIXED = "pieces of a row in the output of several copies: nothing tells whose they are"
NO_SUM = "pieces that do not make one row: size over time is not the bandwidth"


class Reader:
    """The lines of a capture given to its runs."""

    def __init__(self, lines: list[Line], is_ended: bool) -> None:
        self.lines = lines
        self.prefixes = Prefixes()
        self.runs: list[TextRun] = []
        self.waiting: list[Line] = []  # words that no run has yet
        self.title = b""
        self.piece: Cells | None = None  # a row that is not whole yet
        self.only = self._only_layout()
        self.open_line = lines[-1].number if lines and not is_ended else None
        self.width = 0  # of the last whole row

    def _only_layout(self) -> Layout | None:
        layouts, title = set(), b""
        for line in self.lines:
            title = line.text if TITLE.search(line.text) else title
            found = layout_of(line.text, title)
            if found:
                self.prefixes.learn(without_inner_labels(found[0]))
                layouts.add(found[1])
        return layouts.pop() if len(layouts) == 1 else None

    def read(self) -> list[TextRun]:
        """The runs of the capture, in the order of their first lines."""
        for line in self.lines:
            if line.text and not line.text.isspace():
                self._sort(line)
        self._drop_piece()
        if not self.runs:
            self._read_words()
        for line in self.waiting:
            if self.runs:
                self.runs[-1].take_words(line)
        return self.runs

    def _read_words(self) -> None:
        """What a test or NCCL says is a run, even where nothing of the table is left."""
        said = (
            number
            for number, line in enumerate(self.waiting)
            if SPOKEN.search(line.text) or is_failing(line.text)
        )
        first = next(said, None)
        if first is not None:
            lines, self.waiting = self.waiting, []
            run = self._start(lines[first])
            for line in lines[first:]:
                self._words(line)
            run.last_line = lines[-1].number

    def _sort(self, line: Line) -> None:
        is_spoken = b"NCCL INFO" in line.text and DEBUG.match(line.text)
        if (
            is_spoken
            or b"<stderr>" in line.text
            or not (
                self._opening(line)
                or self._device(line)
                or self._header(line)
                or self._footer(line)
                or self._row(line)
            )
        ):
            self._words(line)

    # which run a line belongs to

    @property
    def run(self) -> TextRun | None:
        """The run that lines are given to now."""
        return self.runs[-1] if self.runs else None

    def _start(self, line: Line) -> TextRun:
        self._drop_piece()
        run = TextRun(line.number, line.number)
        run.take_preface(self.waiting)
        self.waiting = []
        self.runs.append(run)
        return run

    def _open(self, line: Line) -> TextRun:
        """The run that goes on with this line, or a new one behind the last lines of another."""
        run = self.run
        if run is None or run.is_closed:
            return self._start(line)
        run.last_line = max(run.last_line, line.number)
        return run

    def _words(self, line: Line) -> None:
        run = self.run
        if run is None or (run.is_closed and not is_failing(line.text)):
            self.waiting.append(line)
            return
        if is_elision(line.text):
            run.told.note(line.number, "elided", b"...")
        else:
            run.take_words(line)
        if line.text.strip(b"# \\t"):
            run.last_line = line.number

    # lines in front of the table

    def _opening(self, line: Line) -> bool:
        text = line.text
        starting = STARTING.search(text) if b"starting" in text else None
        parameters = parameters_in(text)
        is_version = b"-tests" in text and TESTS_VERSION.search(text) is not None
        if not (starting or parameters or is_version):
            if b"rccl-tests: V" in text:
                self._open(line).take_version(text)
            return b"rccl-tests: V" in text
        kind = "starting" if starting else "banner" if parameters else "version"
        run = self._opened(line, kind, parameters)
        run.openings.setdefault(kind, text)
        if starting:
            run.program = collective_of(readable(starting[1]))
        elif parameters:
            run.banners.append(parameters)
        else:
            run.take_version(text)
        return True

    def _opened(self, line: Line, kind: str, parameters: Parameters | None) -> TextRun:
        run = self.run
        if run is None or run.is_over or run.has_table:
            return self._start(line)
        is_again = kind in run.openings
        if is_again and parameters and parameters != run.banners[0]:
            return self._start(line)
        if run.headers and not is_again:
            return self._start(line)
        run.last_line = line.number
        return run

    def _device(self, line: Line) -> bool:
        device = device_in(line.number, line.text, 1)
        if device is None and not is_cut(line.text):
            return False
        run = self._open(line)
        if device:
            run.take_device(device)
        else:
            run.is_list_cut = True
            run.told.note(line.number, "elided", line.text.strip(b"# \\t"))
        return True

    # the table

    def _header(self, line: Line) -> bool:
        if TITLE.search(line.text) and b"algbw" not in line.text:
            self.title = line.text
            return True
        found = layout_of(line.text, self.title)
        if not found:
            return UNITS.search(line.text) is not None
        self._drop_piece()
        run = self.run
        if run is None or run.is_over or (run.has_table and run.headers >= run.copies):
            run = self._start(line)
        run.headers += 1
        run.layout = found[1]
        run.last_line = line.number
        self.title, self.width = b"", 0
        return True

    def _footer(self, line: Line) -> bool:
        text = line.text
        is_average = b"Avg bus" in text and AVERAGE.search(text) is not None
        is_bounds = b"Out of bounds" in text and OUT_OF_BOUNDS.search(text) is not None
        if not (is_average or is_bounds):
            return self._conclusion(line)
        self._drop_piece()
        run = self.run
        if run is None or (run.is_closed and not self._is_second_line(run, is_average)):
            run = self._start(line)
        run.last_line = line.number
        run.take_footer(text)
        return True

    @staticmethod
    def _is_second_line(run: TextRun, is_average: bool) -> bool:
        return is_average and len(run.averages) < len(run.out_of_bounds)

    def _conclusion(self, line: Line) -> bool:
        if self.run is None or (b"oncluded" not in line.text and b"memory usage" not in line.text):
            return False
        if not (CONCLUDED.search(line.text) or MEMORY.search(line.text)):
            return False
        self.run.take_words(line)
        self.run.last_line = line.number
        return True

    # rows

    def _row(self, line: Line) -> bool:
        text, behind = line.text, b""
        if SUMMARY.search(text) and self.piece:
            self.piece.is_split_by_test = True
        noise = DEBUG.search(text) if b"NCCL" in text or b"Launch" in text else None
        if noise:
            text, behind = text[: noise.start()], text[noise.start() :]
        text = without_inner_labels(text)
        found = cells_in(line.number, text)
        is_row = self._whole(line, *found) if found else self._numbers(line, text)
        if noise and is_row and not SUMMARY.match(behind):
            self._words(line._replace(text=behind))
        if self.piece and SUMMARY.match(behind):
            self.piece.is_split_by_test = True
        return is_row or SUMMARY.search(line.text) is not None

    def _whole(self, line: Line, prefix: bytes, cells: Cells) -> bool:
        layout = self._layout(cells)
        extra = root_cells(cells, layout) if layout else None
        if layout is None or extra is None:
            return self._begin_piece(line, prefix, cells, layout)
        if not self.prefixes.explain(prefix):
            self._lose(line, PREFIXED)
        elif line.number == 1 and not prefix and not cells.whole_count:
            self._lose(line, CUT_FRONT)
        elif line.number == self.open_line and not self._is_ended(line, cells):
            self._lose(line, BROKEN_OFF)
        else:
            self._drop_piece()
            self.width = len(line.text)
            self._open(line).rows.append((cells, layout))
        return True

    def _layout(self, cells: Cells) -> Layout | None:
        run = self.run
        if run and run.layout and not run.is_closed:
            return run.layout
        if self.only and root_cells(cells, self.only) is not None:
            return self.only
        return guessed_layout(cells)

    def _is_ended(self, line: Line, cells: Cells) -> bool:
        last = cells.numbers[-1]
        is_said = cells.is_stamped or bool(cells.rest) or last in (b"0", b"N/A", b"0e+00")
        return is_said or 0 < self.width <= len(line.text.rstrip())

    def _begin_piece(self, line: Line, prefix: bytes, cells: Cells, layout: Layout | None) -> bool:
        if not cells.is_typed:
            return self._stray(line)
        width = len(layout.group) if layout else 4
        is_piece = not cells.rest and len(cells.numbers) in (0, 1, width, width + 1)
        if not is_piece or not self.prefixes.explain(prefix):
            reason = PLACEHOLDERS if PLACEHOLDER.search(line.text) else NO_FIT
            self._lose(line, BROKEN_OFF if line.number == self.open_line else reason)
            return True
        self._drop_piece()
        self.piece = cells
        self._open(line)
        return True

    def _numbers(self, line: Line, text: bytes) -> bool:
        """A line that may be the rest of a row."""
        numbers, rest = numbers_in(self.prefixes.strip(text))
        if rest or not numbers:
            return self._stray(line)
        layout = (self.run.layout if self.run else None) or self.only
        group = layout.group if layout else ("time", "algbw", "busbw", "wrong")
        width = len(group)
        starts = range(0, len(numbers), width)
        if not all(is_group(numbers[start : start + width], group) for start in starts):
            return self._stray(line)
        if not self.piece:
            if self.run is None and self.only:
                return False
            self._lose(line, NO_HEAD)
            return True
        return self._join(line, numbers, layout)

    def _join(self, line: Line, numbers: list[bytes], layout: Layout | None) -> bool:
        piece = self.piece
        assert piece is not None
        piece.numbers += numbers
        layout = layout or guessed_layout(piece)
        run = self._open(line)
        if layout is None or root_cells(piece, layout) is None:
            return True
        self.piece = None
        if run.copies > 1:
            run.lose(piece.line, MIXED, line.text)
        elif not piece.is_split_by_test and not is_consistent(piece, layout):
            run.lose(piece.line, NO_SUM, line.text)
        elif line.number == self.open_line and numbers[-1] not in (b"0", b"N/A"):
            run.lose(piece.line, BROKEN_OFF, line.text)
        else:
            run.rows.append((piece, layout))
        return True

    def _stray(self, line: Line) -> bool:
        """A line of numbers in a table that is no row: it is lost, other lines are words."""
        run = self.run
        if run is None or run.is_closed or not (run.headers or run.rows):
            return False
        bare = self.prefixes.strip(without_inner_labels(line.text))
        is_cut = line.number == self.open_line and bare[:1].isdigit()
        if not is_cut and not LINE_OF_NUMBERS.match(bare):
            return False
        self._lose(line, BROKEN_OFF if is_cut else NO_FIT)
        return True

    def _lose(self, line: Line, reason: str) -> None:
        self._drop_piece()
        self._open(line).lose(line.number, reason, line.text)

    def _drop_piece(self) -> None:
        piece, self.piece = self.piece, None
        if piece and self.runs:
            ends = piece.line == self.open_line
            text = next(each.text for each in self.lines if each.number == piece.line)
            self.runs[-1].lose(piece.line, BROKEN_OFF if ends else NO_MEASURE, text)
