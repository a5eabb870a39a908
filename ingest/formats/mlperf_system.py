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

NAME = "mlperf_system"
DESCRIPTION = "MLPerf Training system description (systems/<system>.json, v0.5 entry.json)"
VERSION = 1

PLACE = re.compile(r"(?:^|/)systems/[^/]+\.json$|/results/[^/]+/entry\.json$")
KNOWN_KEY = re.compile(rb"number.of.nodes|accelerators_per_node|num_accelerators")
STRING_OR_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.S)
MISSPELT = {"divison": "division", "sumitter": "submitter", "num_nodes": "number_of_nodes",
            "num_accelerators": "accelerators_per_node", "accelerator": "accelerator_model_name",
            "cpu": "host_processor_model_name", "org": "submitter", "platform": "system_name"}  # fmt: skip
REQUIRED = ("number_of_nodes", "accelerators_per_node")


def claims(head: bytes, name: str) -> bool:
    """True for a JSON file at a system description's place, or with its telling keys."""
    if not name.endswith(".json"):
        return False
    return PLACE.search(name) is not None or KNOWN_KEY.search(head) is not None


def parse(data: bytes, name: str) -> Iterator[Record]:
    """One System named after the file, with a Problem for each thing that had to be mended."""
    text = as_utf8(data).decode("utf-8-sig", "replace")
    fields, problems = _read(text)
    yield from problems
    if fields is None:
        return
    fields = _normalised(fields)
    numbers = {key: _whole_number(fields.get(key)) for key in REQUIRED}
    for key in REQUIRED:
        if numbers[key] is None:
            yield _unknown_number(key, fields.get(key), text)
    nodes, accelerators = numbers["number_of_nodes"], numbers["accelerators_per_node"]
    json_text = json.dumps(fields, ensure_ascii=False, allow_nan=True).encode("utf-8", "replace")
    path = PurePosixPath(name)
    system = path.parent.name if path.name == "entry.json" else path.stem
    yield System(system, json_text.decode(), nodes or None, accelerators)


def _read(text: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    try:
        return _object(json.loads(text, strict=False)), []
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
    try:
        mended = STRING_OR_TRAILING_COMMA.sub(lambda found: found.group(1) or "", text)
        fields = _object(json.loads(mended, strict=False))
        reason = "not valid JSON: a comma stands before a closing bracket; read without it"
        return fields, [Problem(line, "info", reason, "delete the comma")]
    except (ValueError, RecursionError):
        return _read_log_lines(text, line)


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _read_log_lines(text: str, line: int) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The v0.6 dialect: a `key: {"value": ...}` a line, with Python literals inside."""
    fields: dict[str, Any] = {}
    for row in text.split("\n"):
        key, colon, rest = row.partition(": ")
        if colon and key.isidentifier():
            try:
                fields[key] = json.loads(rest)["value"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
    if not fields:
        reason = "not valid JSON from this line on; the description was not read"
        return None, [Problem(line, "error", reason, "mend the JSON (python3 -m json.tool FILE)")]
    fields |= _literal(fields.pop("entry", None))
    reason = "lines of log output instead of JSON; read as such"
    return fields, [Problem(1, "info", reason, "write the description as one JSON object")]


def _literal(value: object) -> dict[str, Any]:
    """A Python dict printed as text (`{'nodes': "{...}"}`), or nothing."""
    try:
        found = ast.literal_eval(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


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


def _whole_number(value: object) -> int | None:
    """A count from 8, 8.0, "8" or "8.0"; 0 for the word that says there is none; else None."""
    if isinstance(value, str):
        value = "0" if value.strip().lower() in ("n/a", "none") else value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return int(number) if number.is_integer() and 0 <= number < 10**9 else None


def _unknown_number(key: str, value: object, text: str) -> Problem:
    line = next((n for n, row in enumerate(text.split("\n"), 1) if key in row), None)
    said = "is missing" if value is None else f"is not a whole number: {str(value)[:60]!r}"
    remedy = "write it as a number, or give the system in a source.toml beside the logs"
    return Problem(line, "warning", f"{key} {said}; it is unknown", remedy)
