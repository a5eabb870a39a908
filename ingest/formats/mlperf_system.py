"""MLPerf Training system descriptions: `systems/<system>.json`, and `entry.json` of round v0.5.

Source of the fields: mlcommons/logging `system_desc_checker.py` (rule sets 1.0.0 and later).
Numbers arrive as strings; keys are misspelt in some rounds; some files are not quite JSON.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from ingest.lines import as_utf8
from ingest.records import Problem, Record, System
from ingest.units import MIB
from ingest.values import finite_number, json_text

NAME = "mlperf_system"
DESCRIPTION = "MLPerf Training system description (systems/<system>.json, v0.5 entry.json)"
VERSION = 1
RUN_KIND = None

PLACE = re.compile(r"(?:^|/)systems/[^/]+\.json$|/results/[^/]+/entry\.json$")
KNOWN_KEY = re.compile(rb"number.of.nodes|accelerators_per_node|num_accelerators")
STRING_OR_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.S)
MISSPELT = {
    "divison": "division",
    "sumitter": "submitter",
    "num_nodes": "number_of_nodes",
    "num_accelerators": "accelerators_per_node",
    "accelerator": "accelerator_model_name",
    "cpu": "host_processor_model_name",
    "org": "submitter",
    "platform": "system_name",
}
LONGEST_BYTES = MIB
MEND = "mend the JSON (python3 -m json.tool FILE)"
WRITE_NUMBER = "write it as a number, or give the system in a source.toml beside the logs"


def claims(head: bytes, name: str) -> bool:
    """True for a JSON file at a system description's place, or with its telling keys."""
    if not name.endswith(".json") or PurePosixPath(name).name == "scaling.json":
        return False
    return PLACE.search(name) is not None or KNOWN_KEY.search(head) is not None


def parse(data: bytes, name: str) -> Iterator[Record]:
    """One System named after the file, with a Problem for each thing that had to be mended."""
    if len(data) > LONGEST_BYTES:
        reason = f"{len(data)} bytes are no system description; it was not read"
        yield Problem(None, "error", reason, "load the description itself")
        return
    text = as_utf8(data).decode("utf-8", "replace")
    try:
        yield from _system(text, PurePosixPath(name))
    except RecursionError:
        yield Problem(1, "error", "nested too deeply; the description was not read", MEND)


def _system(text: str, path: PurePosixPath) -> Iterator[Record]:
    logged, problems = _read(text)
    yield from problems
    if logged is None:
        return
    fields = _normalised(logged)
    nodes = _count(fields.get("number_of_nodes"), least=1)
    accelerators = _count(fields.get("accelerators_per_node"), least=0)
    for key, number in (("number_of_nodes", nodes), ("accelerators_per_node", accelerators)):
        if number is None:
            yield _unknown_number(key, fields.get(key), text)
    system = path.parent.name if path.name == "entry.json" else path.stem
    yield System(system, json_text(fields)[0] or "{}", nodes, accelerators)


def _read(text: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    try:
        return _object(json.loads(text, strict=False))
    except ValueError as error:
        line = getattr(error, "lineno", 1)
    try:
        mended = STRING_OR_TRAILING_COMMA.sub(lambda found: found.group(1) or "", text)
        fields, problems = _object(json.loads(mended, strict=False))
        commas = STRING_OR_TRAILING_COMMA.finditer(text)
        first = next(found.start() for found in commas if not found.group(1))
        line = text.count("\n", 0, first) + 1
        reason = "not valid JSON: a comma stands before a closing bracket; read without it"
        return fields, [Problem(line, "info", reason, "delete the comma"), *problems]
    except ValueError:
        return _read_log_lines(text, line)


def _object(value: Any) -> tuple[dict[str, Any] | None, list[Problem]]:
    if isinstance(value, dict):
        return value, []
    reason = "the JSON is not an object; the description was not read"
    return None, [Problem(1, "error", reason, "write the description as one JSON object")]


def _read_log_lines(text: str, line: int) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The v0.6 dialect: a `key: {"value": ...}` a line, with Python literals inside."""
    fields: dict[str, Any] = {}
    for row in text.split("\n"):
        key, colon, rest = row.partition(": ")
        if colon and key.isidentifier():
            try:
                fields[key] = json.loads(rest)["value"]
            except (ValueError, KeyError, TypeError):
                continue
    if not fields:
        reason = "not valid JSON from this line on; the description was not read"
        return None, [Problem(line, "error", reason, MEND)]
    fields |= _literal(fields.pop("entry", None))
    reason = "lines of log output instead of JSON; read as such"
    return fields, [Problem(1, "info", reason, "write the description as one JSON object")]


def _literal(value: object) -> dict[str, Any]:
    """A Python dict printed as text (`{'nodes': "{...}"}`), or nothing."""
    if isinstance(value, dict):
        return value
    try:
        found = ast.literal_eval(value) if isinstance(value, str) else None
        plain = json.loads(json.dumps(found, default=str))
    except (ValueError, TypeError, SyntaxError, MemoryError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _normalised(fields: dict[str, Any]) -> dict[str, Any]:
    """Keys in the spelling of later rounds; the first entry of `nodes` lifted to the top."""
    nodes = fields.get("nodes")
    first = nodes[0] if isinstance(nodes, list) and nodes else nodes
    lifted = _literal(first)
    flat: dict[str, Any] = {}
    for key, value in [*lifted.items(), *fields.items()]:
        plain = str(key).strip().lower().replace(" ", "_")
        flat[MISSPELT.get(plain, plain)] = value
    return flat


def _count(value: object, least: int) -> int | None:
    """A count from 8, 8.0, "8" or "8.0"; 0 for the word that says there is none; else None."""
    if isinstance(value, str) and value.strip().lower() in ("n/a", "none"):
        value = 0
    number = None if isinstance(value, list) else finite_number(value)
    if number is None or not number.is_integer():
        return None
    return int(number) if least <= number < 10**9 else None


def _unknown_number(key: str, value: object, text: str) -> Problem:
    spelt = [name for name, plain in MISSPELT.items() if plain == key]
    names = (f'"{name}"' for name in (key, key.replace("_", " "), *spelt))
    pattern = re.compile("|".join(names))
    rows = text.split("\n")
    line = next((n for n, row in enumerate(rows, 1) if pattern.search(row)), None)
    said = "is missing" if value is None else f"is no count: {value!r:.60}"
    return Problem(line, "warning", f"{key} {said}; it is unknown", WRITE_NUMBER)
