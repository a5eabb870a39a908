"""Data-quality rules: one SQL file each in `rules/`, which returns the rows that break it.

A file begins with `-- name: text` lines (title, severity, applies to, basis, why, remedy, false
positives), then one SELECT that gives subject, message, path, line, value and limit_value, and its
own severity where the rule is graded. All rules together are the relation `finding`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from importlib.resources.abc import Traversable

from warehouse.relations import Column, Relation, RelationError, quoted, sql_files

FIELDS = ("title", "severity", "applies to", "basis", "why", "remedy", "false positives")
SEVERITIES = ("error", "warning", "info", "graded")
ABOUT_WAIVERS = "waiver_state"
RULE_FIELDS = (
    "name", "title", "severity", "applies_to", "basis", "why", "remedy", "false_positives",
)  # fmt: skip
APPLIES_TO = ("result sets", "fio runs", "nccl-tests runs", "files", "reference data")
RULE_COLUMNS = (
    Column("rule", "-", "name of its file"),
    Column("title", "-", "in words"),
    Column("severity", "-", "error, warning or info; graded: decided for each row"),
    Column(
        "applies_to",
        "-",
        "what it judges: result sets, files, runs of a tool ...",
    ),
    Column("basis", "-", "what it rests on"),
    Column("why", "-", "why it matters"),
    Column("remedy", "-", "what to do"),
    Column("false_positives", "-", "when a finding may be wrong"),
)
FOUND_COLUMNS = (
    Column("rule", "-", "the rule that is broken"),
    Column("severity", "-", "error, warning or info"),
    Column("subject", "-", "result set, or file"),
    Column("message", "-", "what is wrong, in one sentence"),
    Column("path", "-", "file of the evidence"),
    Column("line", "-", "its line; NULL: the file as a whole"),
    Column("value", "-", "what was found"),
    Column("limit_value", "-", "what it was held against"),
)
NONE = (
    "select ''::varchar as rule, ''::varchar as severity, ''::varchar as subject,"
    " ''::varchar as message, ''::varchar as path, 0::bigint as line, ''::varchar as value,"
    " ''::varchar as limit_value where false"
)
VERSION_COLUMNS = (Column("version", "-", "of Levelbook, whose rules these are"),)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it asks for, what it rests on, and the query of the rows that break it."""

    name: str
    title: str
    severity: str
    applies_to: str
    basis: str
    why: str
    remedy: str
    false_positives: str
    query: str


def rules() -> list[Rule]:
    """Every rule, in alphabetical order."""
    return [_read(file) for file in sql_files("rules")]


def _read(file: Traversable) -> Rule:
    said: dict[str, str] = {}
    lines = file.read_text(encoding="utf-8").split("\n")
    for line in lines:
        name, colon, text = line.removeprefix("-- ").partition(": ")
        if line.startswith("-- ") and colon and name in FIELDS:
            said[name] = text
    query = "\n".join(line for line in lines if not line.startswith("--")).strip()
    missing = [name for name in FIELDS if name not in said]
    if missing or said["severity"] not in SEVERITIES or said["applies to"] not in APPLIES_TO:
        what = ", ".join(missing) or "severity or applies to"
        raise RelationError(f"rules/{file.name}: {what} is not stated")
    name = file.name.removesuffix(".sql")
    fields = {field.replace(" ", "_"): said[field] for field in FIELDS}
    return Rule(name=name, **fields, query=query)


def as_relations(broken: Mapping[str, str] | None = None) -> list[Relation]:
    """The rules as relations: `rule`, `judged` (what breaks them), `judged_waiver`, the version.

    The rule about waivers stands apart, because it asks what the others found. `broken` are rules
    that cannot be evaluated, with the reason: that is their finding.
    """
    made, broken = rules(), broken or {}
    queries = {
        rule.name: _unknown(rule, broken[rule.name]) if rule.name in broken else query_of(rule)
        for rule in made
    }
    judging = [query for name, query in queries.items() if name != ABOUT_WAIVERS]
    waivers = [query for name, query in queries.items() if name == ABOUT_WAIVERS]
    return [
        Relation("rule", "The rules.", RULE_COLUMNS, _listed(made), True),
        Relation("levelbook_version", "This program.", VERSION_COLUMNS, _version(), False),
        Relation("judged", "Rows that break a rule.", FOUND_COLUMNS, NONE, True, tuple(judging)),
        Relation("judged_waiver", "Waivers that fail.", FOUND_COLUMNS, _union(waivers), False),
    ]


def _version() -> str:
    return f"select {quoted(metadata.version('levelbook'))} as version"


def _union(selects: list[str]) -> str:
    return "\nunion all\n".join(selects)


def query_of(rule: Rule) -> str:
    """The query of what breaks a rule, with the columns of `judged`."""
    severity = "severity" if rule.severity == "graded" else f"'{rule.severity}'"
    columns = "subject, message, path, line::bigint as line, value, limit_value"
    return f"select '{rule.name}' as rule, {severity} as severity, {columns} from ({rule.query})"


def _unknown(rule: Rule, reason: str) -> str:
    """The finding of a rule that cannot be evaluated: nothing is known, so nothing passes."""
    columns = {
        "rule": quoted(rule.name),
        "severity": "'error'",
        "subject": quoted(f"rule {rule.name}"),
        "message": quoted(f"this rule could not be evaluated on this data: {reason}"),
        "path": quoted(f"warehouse/rules/{rule.name}.sql"),
        "line": "null::bigint",
        "value": "null::varchar",
        "limit_value": "null::varchar",
    }
    return "select " + ", ".join(f"{text} as {name}" for name, text in columns.items())


def _listed(made: list[Rule]) -> str:
    rows = [
        "(" + ", ".join(quoted(getattr(rule, name)) for name in RULE_FIELDS) + ")" for rule in made
    ]
    names = ", ".join(column.name for column in RULE_COLUMNS)
    return f"select * from (values {', '.join(rows)}) as listed ({names})"
