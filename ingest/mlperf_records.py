"""One MLPerf record to fields: the JSON grammar and the two older ones.

Grammars: `:::MLLOG {json}` (v0.7 and later), `:::MLL <seconds> <key>: {json}` (v0.6),
`:::MLPv0.5.0 <benchmark> <seconds> (<file>:<line>) <key>[: value]` (v0.5), and the unmarked
`MLPerf: <benchmark> [<local time>], <key>[: value]` of one v0.6 submission.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ingest.records import Clock
from ingest.units import MS_PER_S

_DECODER = json.JSONDecoder(strict=False)
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_V06 = re.compile(r"\s*([\d.]+)\s+(\w+) ?:\s*(.*)$", re.S)
_V05 = re.compile(r"\s*\S+ ([\d.]+) \((.*?):(\d+)\) (\w+)\s*(?::\s*(.*))?$", re.S)
_PLAIN = re.compile(r"\s*\S+ \[([^\]]*)\], (\w[\w ]*)(?::\s*(.*))?$", re.S)
_PERCENT = re.compile(r'"value":\s*([\d.]+)%(?:.*"epoch":\s*(\d+))?')
_EPOCH_MS = (1e11, 1e14)


class DamagedRecordError(Exception):
    """A marker without a record that can be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one record; JSON text for `value` and `metadata`, milliseconds for time."""

    key: str
    value: str | None
    number: float | None
    time_ms: float | None
    clock: Clock
    event_type: str | None
    metadata: str | None
    notes: tuple[str, ...] = ()


def decode_fields(grammar: bytes, text: bytes, offset: int) -> tuple[Fields, int]:
    """The record that follows a marker, and the byte offset in its line at which it ends.

    Raises DamagedRecordError with the reason when there is none.
    """
    if grammar == b":::MLLOG":
        return _mllog(text, offset)
    decoded, notes = _decoded(text)
    reader = {b":::MLL": _v06, b":::MLPv0.5.0": _v05}.get(grammar, _plain)
    return reader(decoded, notes), offset + len(text)


def _decoded(text: bytes) -> tuple[str, tuple[str, ...]]:
    try:
        return text.decode(), ()
    except UnicodeDecodeError:
        note = "bytes that are not UTF-8 were replaced in this record"
        return text.decode("utf-8", "replace"), (note,)


def _loads(text: str) -> tuple[Any, int]:
    try:
        start = len(text) - len(text.lstrip())
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise DamagedRecordError(f"the JSON breaks off at character {error.pos}: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise DamagedRecordError(f"the JSON cannot be read: {type(error).__name__}") from None


def _mllog(text: bytes, offset: int) -> tuple[Fields, int]:
    decoded, notes = _decoded(text)
    record, end = _loads(decoded)
    if not isinstance(record, dict):
        raise DamagedRecordError("the JSON is not an object")
    time_ms = record.get("time_ms")
    if time_ms is None and "time_s" in record:
        seconds = _number(record["time_s"])
        time_ms = None if seconds is None else seconds * MS_PER_S
    fields = _fields(record.get("key"), record.get("value"), time_ms, record.get("metadata"), notes)
    event_type = record.get("event_type")
    if isinstance(event_type, str):
        object.__setattr__(fields, "event_type", event_type)
    return fields, offset + len(decoded[:end].encode("utf-8", "replace"))


def _v06(text: str, notes: tuple[str, ...]) -> Fields:
    found = _V06.match(text)
    if not found:
        raise DamagedRecordError("no time and key after the marker")
    seconds, key, rest = found.groups()
    body, _ = _loads(rest)
    if not isinstance(body, dict):
        raise DamagedRecordError("the value is not a JSON object")
    return _fields(key, body.get("value"), _milliseconds(seconds), body.get("metadata"), notes)


def _v05(text: str, notes: tuple[str, ...]) -> Fields:
    found = _V05.match(text)
    if not found:
        raise DamagedRecordError("no time, place and key after the marker")
    seconds, file, lineno, key, rest = found.groups()
    metadata: dict[str, Any] = {"file": file, "lineno": int(lineno)}
    value = _old_value(rest, metadata)
    return _fields(key, value, _milliseconds(seconds), metadata, notes)


def _plain(text: str, notes: tuple[str, ...]) -> Fields:
    found = _PLAIN.match(text)
    if not found:
        raise DamagedRecordError("no time and key after the marker")
    clock, key, rest = found.groups()
    metadata: dict[str, Any] = {}
    percent = _PERCENT.search(rest or "")
    if percent:
        metadata["epoch_num"] = _number(percent[2])
        ratio = _number(percent[1])
        value: Any = None if ratio is None else round(ratio / 100, 9)
    else:
        value = _old_value(rest, metadata)
    return _fields(key, value, _wall_clock_ms(clock), metadata or None, notes)


def _old_value(rest: str | None, metadata: dict[str, Any]) -> Any:
    """The value of a record of rounds v0.5 and v0.6; its epoch moves into `metadata`."""
    if rest is None or not rest.strip():
        return None
    try:
        value, _ = _loads(rest.strip())
    except DamagedRecordError:
        return rest.strip()
    if isinstance(value, dict) and "value" in value:
        if "epoch" in value:
            metadata["epoch_num"] = value["epoch"]
        return value["value"]
    return value


def _milliseconds(seconds: str) -> float | None:
    value = _number(seconds)
    return None if value is None else value * MS_PER_S


def _wall_clock_ms(text: str) -> float | None:
    """A local wall clock without a zone, read as UTC: only differences mean anything."""
    try:
        moment = datetime.strptime(text, "%m/%d/%y %H:%M:%S")
        return moment.replace(tzinfo=UTC).timestamp() * MS_PER_S
    except (ValueError, OverflowError):
        return None


def _fields(
    key: object, value: Any, time: object, metadata: object, notes: tuple[str, ...]
) -> Fields:
    if not isinstance(key, str) or not key:
        raise DamagedRecordError("the record has no key")
    time_ms, clock = _clock(time)
    text, more = _json_text(value)
    extra = _json_text(metadata)[0] if metadata not in (None, "", {}) else None
    return Fields(key, text, _number(value), time_ms, clock, None, extra, notes + more)


def _json_text(value: Any) -> tuple[str | None, tuple[str, ...]]:
    """JSON text of a value; NaN and infinities become text and are noted."""
    if value is None:
        return None, ()
    try:
        return _printable(_ENCODE(value)), ()
    except ValueError:
        note = "the value is not a finite number: kept as text, its number is unknown"
        return _printable(_ENCODE(_without_infinities(value))), (note,)


def _printable(text: str) -> str:
    """Lone surrogates, which JSON may escape and UTF-8 cannot hold, become U+FFFD."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _without_infinities(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {name: _without_infinities(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_without_infinities(member) for member in value]
    return value


def _number(value: object) -> float | None:
    """A finite number, also from its text or a list of one; None for anything else."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _clock(time: object) -> tuple[float | None, Clock]:
    time_ms = _number(time)
    if time_ms is None:
        return None, "missing"
    if time_ms == 0:
        return None, "placeholder"
    return time_ms, "epoch" if _EPOCH_MS[0] <= time_ms <= _EPOCH_MS[1] else "suspect"
