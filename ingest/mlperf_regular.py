"""Regular records of an MLPerf log: the one form that nearly every line has, read at a glance.

A regular record ends its line, is plain ASCII, and has the six members of the newest grammar in
their usual order. What `mlperf_records` says stays the meaning of every record, and a regular one
says the same: the frame leaves only `value` and `metadata` open, and each must be one whole JSON
value. The same functions decode it, once for each text of a file, unless it is so plain that its
text shows what they would give (PLAIN_NUMBER, PLAIN_OBJECT). What is not regular in every point is
left to `mlperf_records`.
"""

from __future__ import annotations

import re

from ingest.mlperf_records import DamagedRecordError, loads
from ingest.records import Event
from ingest.values import finite_number, json_text

# time_ms: thirteen digits are the years 2001 to 2033 of the clock `epoch`. The lengths are limited
# and `value` ends at the first `metadata`, so that no line can make the search slow.
FRAME = re.compile(
    rb':::MLLOG \{"namespace": "[ !#-9;-\[\]-~]{0,999}", "time_ms": (1\d{12}(?:\.\d{1,9})?),'
    rb' "event_type": "(\w{0,99})", "key": "([A-Za-z_]\w{0,99})",'
    rb' "value": (?>([ -~]{0,4000}?), "metadata": )(\{[ -~]{0,4000}\})\}\r{0,9}\n'
)
# Sixteen digits before the point and no exponent: never an infinity.
PLAIN_NUMBER = re.compile(rb"-?(?:0|[1-9]\d{0,15})\.\d{1,20}")
# An object of one to four members with different names. Its strings hold no quote, backslash, comma
# and colon, so a comma or colon is the object's own, and its text without the blanks behind these
# is what `json_text` gives; -0 and numbers with a point, whose text may change, are not plain.
_PLAIN = rb'(?:0|-?[1-9]\d{0,17}|"[ !#-+\--9;-\[\]-~]*")'
PLAIN_OBJECT = re.compile(
    rb'\{"(\w+)": @(?:, (?!"\1")"(\w+)": @(?:, (?!"(?:\1|\2)")"(\w+)": @'
    rb'(?:, (?!"(?:\1|\2|\3)")"\w+": @)?)?)?\}'.replace(b"@", _PLAIN)
)
DEEPEST = 20

Value = tuple[str | None, float | None]


def _decoded(raw: bytes) -> object:
    """The JSON value that is all of `raw`; raises DamagedRecordError when it is none.

    Text that may quote a marker and deep nesting are not regular: what becomes of them depends on
    the whole line.
    """
    if b":::" in raw or raw.count(b"[") + raw.count(b"{") > DEEPEST:
        raise DamagedRecordError("not regular")
    value, end = loads(raw.decode())
    if end != len(raw):
        raise DamagedRecordError("not one JSON value")
    return value


class _Values(dict[bytes, Value | None]):
    """JSON text and number of a raw `value`; None where it is not regular."""

    def __missing__(self, raw: bytes) -> Value | None:
        self[raw] = found = self._read(raw)
        return found

    @staticmethod
    def _read(raw: bytes) -> Value | None:
        if PLAIN_NUMBER.fullmatch(raw):
            number = float(raw)
            return repr(number), number
        try:
            value = _decoded(raw)
        except DamagedRecordError:
            return None
        text, is_infinite = json_text(value)
        return None if is_infinite else (text, finite_number(value))


class _Metadata(dict[bytes, tuple[str | None] | None]):
    """JSON text of a raw `metadata` in a tuple, None for an empty object; None: not regular."""

    def __missing__(self, raw: bytes) -> tuple[str | None] | None:
        self[raw] = found = self._read(raw)
        return found

    @staticmethod
    def _read(raw: bytes) -> tuple[str | None] | None:
        if PLAIN_OBJECT.fullmatch(raw):
            return (raw.replace(b": ", b":").replace(b", ", b",").decode(),)
        try:
            value = _decoded(raw)
        except DamagedRecordError:
            return None
        return (json_text(value)[0] if value else None,)


class RegularRecords:
    """Events of regular records of one file."""

    def __init__(self) -> None:
        self.values = _Values()
        self.metadata = _Metadata()

    def event(self, found: re.Match[bytes], line: int, rank: int | None) -> Event | None:
        """The event of a record in the frame; None when something in it is not regular."""
        time_ms, event_type, key, raw_value, raw_metadata = found.groups()
        value = self.values[raw_value]
        metadata = self.metadata[raw_metadata]
        if value is None or metadata is None:
            return None
        return Event(
            line, 1, key.decode(), *value, float(time_ms), "epoch", event_type.decode(),
            rank, *metadata,
        )  # fmt: skip
