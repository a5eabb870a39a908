"""One MLPerf record to fields: the JSON grammar and the two older ones.

Grammars: `:::MLLOG {json}` (v0.7 and later), `:::MLL <seconds> <key>: {json}` (v0.6),
`:::MLPv0.5.0 <benchmark> <seconds> (<file>:<line>) <key>[: value]` (v0.5), and the unmarked
`MLPerf: <benchmark> [<local time>], <key>[: value]` of one v0.6 submission.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ingest.records import Clock
from ingest.units import MS_PER_S
from ingest.values import finite_number, json_text, printable

_DECODER = json.JSONDecoder(strict=False)
_V06 = re.compile(r"\s*(\d+(?:\.\d*)?)\s+(\w+) ?:\s*(?=\S)")
_V05 = re.compile(r"\s*\S+ (\d+(?:\.\d*)?) \((.*?):(\d{1,9})\) (\w+)\s*(?::\s*(.*))?$", re.S)
_PLAIN = re.compile(r"\s*\S+ \[([^\]]*)\], (\w[\w ]*)(?::\s*(.*))?$", re.S)
_PERCENT = re.compile(r'\{"value":\s*([\d.]+)%(?:.*"epoch":\s*(\d+))?.*\}$', re.S)
_EPOCH_MS = (1e11, 1e14)
_MLLOG_NAMES = {"namespace", "time_ms", "time_s", "event_type", "key", "value", "metadata"}
_V06_NAMES = {"value", "metadata"}

_BAD_BYTES = "bytes that are not UTF-8 were replaced in this record"
_NO_VALUE = "it has no value: the official tools break down on it"
_NO_TIME = "its time is a list: the official tools break down on it"
_INFINITE = "the value is not a finite number: kept as text, its number is unknown"
_NO_JSON = "the value is no JSON: kept as text"
_NO_CLOCK = "its clock cannot be read: the time is unknown"


class DamagedRecordError(Exception):
    """A marker without a record that can be read; the text says why."""


@dataclass(slots=True)
class Fields:
    """The fields of one record; JSON text for `value` and `metadata`, milliseconds for time.

    `notes` say what of the record could not be read as it stands.
    """

    key: str
    value: str | None
    number: float | None
    time_ms: float | None
    clock: Clock
    event_type: str | None
    metadata: str | None
    notes: list[str]


def decode_fields(grammar: bytes, text: bytes) -> tuple[Fields, int]:
    """The record that follows a marker, and how many bytes of `text` it takes.

    Raises DamagedRecordError with the reason when there is none.
    """
    notes: list[str] = []
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        decoded = text.decode("utf-8", "surrogateescape")
        notes.append(_BAD_BYTES)
    try:
        fields, end = _READERS.get(grammar, _plain)(decoded, notes)
    except RecursionError:
        raise DamagedRecordError("the JSON is nested too deeply") from None
    if end < len(decoded) and len(decoded) != len(text):
        end = len(decoded[:end].encode("utf-8", "surrogateescape"))
    return fields, end if end < len(decoded) else len(text)


def loads(text: str, start: int = 0) -> tuple[Any, int]:
    """The JSON value at `start`, blanks before it allowed, and where it ends."""
    while text[start : start + 1].isspace():
        start += 1
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        reason = f"the JSON breaks off at character {error.pos}: {error.msg}"
        raise DamagedRecordError(reason) from None
    except ValueError as error:
        raise DamagedRecordError(f"the JSON cannot be read: {type(error).__name__}") from None


def _mllog(text: str, notes: list[str]) -> tuple[Fields, int]:
    record, end = loads(text)
    if type(record) is not dict:
        raise DamagedRecordError("the JSON is not an object")
    time_ms = record.get("time_ms")
    if time_ms is None and "time_s" in record:
        time_ms = _milliseconds(record["time_s"])
    if not record.keys() <= _MLLOG_NAMES:
        notes.append(_unknown(record.keys() - _MLLOG_NAMES))
    if "value" not in record or type(time_ms) is list:
        notes.append(_NO_VALUE if "value" not in record else _NO_TIME)
    get = record.get
    fields = _fields(get("key"), get("value"), time_ms, get("metadata"), notes)
    event_type = get("event_type")
    if type(event_type) is str:
        fields.event_type = printable(event_type)
    return fields, end


def _v06(text: str, notes: list[str]) -> tuple[Fields, int]:
    found = _V06.match(text)
    if not found:
        raise DamagedRecordError("no time and key after the marker")
    seconds, key = found.groups()
    body, end = loads(text, found.end())
    if type(body) is not dict:
        raise DamagedRecordError("the value is not a JSON object")
    if not body.keys() <= _V06_NAMES:
        notes.append(_unknown(body.keys() - _V06_NAMES))
    time_ms = _milliseconds(seconds)
    return _fields(key, body.get("value"), time_ms, body.get("metadata"), notes), end


def _v05(text: str, notes: list[str]) -> tuple[Fields, int]:
    found = _V05.match(text)
    if not found:
        raise DamagedRecordError("no time, place and key after the marker")
    seconds, file, lineno, key, rest = found.groups()
    metadata: dict[str, Any] = {"file": file, "lineno": int(lineno)}
    value = _old_value(rest, metadata, notes)
    return _fields(key, value, _milliseconds(seconds), metadata, notes), len(text)


def _plain(text: str, notes: list[str]) -> tuple[Fields, int]:
    found = _PLAIN.match(text)
    if not found:
        raise DamagedRecordError("no time and key after the marker")
    clock, key, rest = found.groups()
    metadata: dict[str, Any] = {}
    percent = _PERCENT.match((rest or "").strip())
    if percent:
        metadata["epoch_num"] = finite_number(percent[2])
        ratio = finite_number(percent[1])
        value: Any = None if ratio is None else round(ratio / 100, 9)
    else:
        value = _old_value(rest, metadata, notes)
    time_ms = _wall_clock_ms(clock)
    if time_ms is None:
        notes.append(_NO_CLOCK)
    return _fields(key, value, time_ms, metadata, notes), len(text)


_READERS = {b":::MLLOG": _mllog, b":::MLL": _v06, b":::MLPv0.5.0": _v05}


def _old_value(rest: str | None, metadata: dict[str, Any], notes: list[str]) -> Any:
    """The value of a record of rounds v0.5 and v0.6; its epoch moves into `metadata`."""
    said = (rest or "").strip()
    if not said:
        return None
    try:
        value, end = loads(said)
        is_whole = end == len(said) or said[end].isspace()  # a unit may follow a number
    except DamagedRecordError:
        if said[0] in '{["':
            raise
        is_whole = False
    if not is_whole:
        if said[0] in "-.0123456789":
            notes.append(_NO_JSON)
        return said
    if isinstance(value, dict) and "value" in value:
        if "epoch" in value:
            metadata["epoch_num"] = value["epoch"]
        return value["value"]
    return value


def _unknown(names: set[str]) -> str:
    listed = ", ".join(sorted(printable(name)[:40] for name in names)[:3])
    return f"it has a member that no record has ({listed}): not read"


def _milliseconds(seconds: object) -> float | None:
    value = finite_number(seconds)
    return None if value is None else value * MS_PER_S


def _wall_clock_ms(text: str) -> float | None:
    """A local wall clock without a zone, read as UTC: only differences mean anything."""
    try:
        moment = datetime.strptime(text, "%m/%d/%y %H:%M:%S")
        return moment.replace(tzinfo=UTC).timestamp() * MS_PER_S
    except (ValueError, OverflowError):
        return None


def _fields(key: object, value: Any, time: object, metadata: object, notes: list[str]) -> Fields:
    if type(key) is not str or not key:
        raise DamagedRecordError("the record has no key")
    if not key.isidentifier():
        key = printable(key)
        if not key.replace(" ", "_").isidentifier():
            notes.append("its key is no name")
    text, is_infinite = json_text(value)
    if is_infinite:
        notes.append(_INFINITE)
    extra = json_text(metadata)[0] if metadata else None
    time_ms, clock = _clock(time)
    return Fields(key, text, finite_number(value), time_ms, clock, None, extra, notes)


def _clock(time: object) -> tuple[float | None, Clock]:
    time_ms = finite_number(time)
    if time_ms is None:
        return None, "missing"
    if time_ms == 0:
        return None, "placeholder"
    return time_ms, "epoch" if _EPOCH_MS[0] <= time_ms <= _EPOCH_MS[1] else "suspect"
