"""Loaded logs as the official rules see them: from the relation event, or anew from the kept text.

The loader keeps and mends more than the official parser does. Where that can make a difference (a
problem on a line, two records on one line, a record without time or metadata; the whole of rule
set 0.6.0, whose grammar leaves members out) the text is read as mlp_parser reads it.
Source: mlcommons/logging `compliance_checker/mlp_parser/ruleset_*.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import polars as pl

from ingest.lines import readable
from warehouse.official.records import Fault, Log, Records
from warehouse.text import text_of

OLD_VERSION = "0.6.0"
OLD_RECORD = re.compile(r":::MLL ([\d.]+) ([A-Za-z0-9_]+) ?:\s+(.+)$")
LINE_END = re.compile(r"\r\n?|\n")
EXCERPT = 400
ODD = """
select source_id
from problem
where line is not null and not regexp_matches(reason, '^(no run_st|run_stop says|a relaunch)')
union
select j.source_id
from event e
join judging j using (run_id)
where e.metadata is null or e.clock = 'missing'
union
select j.source_id
from event e
join judging j using (run_id)
group by j.source_id
having count(*) <> count(distinct e.line)
"""
EVENTS = """
select j.source_id, e.line, e.key, e.value, e.metadata,
    case when e.clock = 'placeholder' then 0 else e.time_ms end as time
from event e
join judging j using (run_id)
where e.key in (select unnest($keys::varchar[])) and j.source_id not in (select unnest($odd::int[]))
"""


@dataclass(frozen=True, slots=True)
class Logged:
    """One file and its log."""

    source_id: int
    log: Log


def logs(
    connection: duckdb.DuckDBPyConnection,
    sources: Sequence[int],
    version: str,
    keys: set[str],
    records: Records,
) -> Iterator[Logged]:
    """The logs of some files, all attempts in a file together, in the order of their lines."""
    connection.execute(
        "create or replace temp table judging as select run_id, source_id from run"
        " where source_id in (select unnest($1::int[]))",
        [list(sources)],
    )
    odd = set(sources) if version == OLD_VERSION else _odd(connection) & set(sources)
    found = _from_events(connection, odd, keys, records)
    connection.execute("drop table judging")
    for source_id in sources:
        if source_id in odd:
            text = text_of(connection, source_id)
            yield Logged(source_id, log_of_text(text, version, keys, records))
        else:
            yield Logged(source_id, found.get(source_id, Log([], [], [])))


def _odd(connection: duckdb.DuckDBPyConnection) -> set[int]:
    return {row[0] for row in connection.execute(ODD).fetchall()}


def _from_events(
    connection: duckdb.DuckDBPyConnection, odd: set[int], keys: set[str], records: Records
) -> dict[int, Log]:
    said = {"odd": sorted(odd), "keys": sorted(keys)}
    frame = connection.execute(EVENTS, said).pl()
    frame = _numbered(frame, records).sort("source_id", "line")
    made = {}
    for (source_id,), part in frame.group_by("source_id", maintain_order=True):
        numbers, times, lines = (part[name].to_list() for name in ("number", "time", "line"))
        made[int(str(source_id))] = Log(numbers, times, lines)
    return made


def _numbered(frame: pl.DataFrame, records: Records) -> pl.DataFrame:
    """The events with the number of their distinct record in place of its texts."""
    names = ("key", "value", "metadata")
    distinct = frame.select(names).unique(maintain_order=True)
    values = _decoded(distinct["value"].fill_null("null"))
    said = _decoded(distinct["metadata"].fill_null("{}"))
    numbers = [
        records.add(key, {"value": value, "metadata": metadata})
        for key, value, metadata in zip(distinct["key"].to_list(), values, said, strict=True)
    ]
    coded = distinct.with_columns(pl.Series("number", numbers, dtype=pl.Int64))
    joined = frame.join(coded, on=names, how="left", nulls_equal=True)
    return joined.select("source_id", "line", "time", "number")


def _decoded(texts: pl.Series) -> list[Any]:
    """The values of JSON texts, each distinct one decoded once and all of them in one go."""
    distinct = texts.unique().to_list()
    try:
        values = json.loads("[" + ",".join(distinct) + "]")
    except RecursionError:
        values = [_shallow(text) for text in distinct]
    known = dict(zip(distinct, values, strict=True))
    return [known[text] for text in texts.to_list()]


def _shallow(text: str) -> Any:
    """The value of a JSON text, or the text itself where it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        return text


def log_of_text(text: bytes, version: str, keys: set[str], records: Records) -> Log:
    """The log in the bytes of a file, as the official parser reads them; lines end at LF."""
    log = Log([], [], [], is_empty=True)
    token = ":::MLL" if version == OLD_VERSION else ":::MLLOG "
    decode = _old_record if version == OLD_VERSION else _record
    known: dict[str, int] = {}
    for line, record in _marked(text, token):
        log.is_empty = False
        try:
            time, key, seen = decode(record)
        except ValueError as error:
            log.faults.append(_fault("parse", line, record, error))
            continue
        except (KeyError, TypeError, OverflowError, RecursionError) as error:
            log.faults.append(_fault("input", line, record, error))
            continue
        if isinstance(key, str) and key in keys and isinstance(seen, dict) and "value" in seen:
            identity = _identity(key, seen, record)
            if identity not in known:
                known[identity] = records.add(key, seen)
            log.numbers.append(known[identity])
            log.times.append(time)
            log.lines.append(line)
    return log


def _identity(key: str, seen: dict[str, Any], record: str) -> str:
    try:
        return json.dumps([key, seen])
    except RecursionError:
        return record


def _marked(text: bytes, token: str) -> Iterator[tuple[int, str]]:
    """What follows the last mark of each line, with the number of its line."""
    mark = token.encode()
    for number, line in enumerate(text.split(b"\n"), start=1):
        if mark in line:
            for part in LINE_END.split(line.decode("latin-1")):
                if token in part:
                    yield number, part[part.rindex(token) :].strip()


def _record(text: str) -> tuple[float, object, object]:
    """Time, key and `v` of a record from round v0.7 on."""
    said: Any = json.loads(text.removeprefix(":::MLLOG "))
    if said is None:
        raise ValueError("the record is null")
    if not isinstance(said, dict):
        raise TypeError("the JSON is not an object")
    time = said["time_ms"]
    if time is None or isinstance(time, list | dict):
        raise TypeError("its time_ms is no number")
    return float(time), said["key"], {"value": said["value"], "metadata": said["metadata"]}


def _old_record(text: str) -> tuple[float, object, object]:
    """The same of a record of round v0.6, whose time is in seconds."""
    found = OLD_RECORD.match(text)
    if found is None:
        raise ValueError("no time and key after the marker")
    return float(found[1]), found[2], json.loads(found[3])


def _fault(kind: str, line: int, record: str, error: Exception) -> Fault:
    if isinstance(error, KeyError):
        reason = f"a record has no {error.args[0]}"
    elif isinstance(error, json.JSONDecodeError):
        reason = f"a record is no whole JSON: {error.msg} at character {error.pos}"
    elif isinstance(error, RecursionError):
        reason = "a record is nested too deeply"
    else:
        reason = f"a record cannot be read: {error}"
    return Fault(kind, line, reason, readable(record[:EXCERPT].encode("latin-1")))
