"""What a published relation must be like, as data: one file `expectations/<relation>.toml` each.

    key = ["result_set"]             columns that together name a row, once each
    filled = ["verification"]        columns that are never empty
    [sets]
    verification = ["official", "unverified"]    the only values of a column
    [ranges]
    score_min = {above = 0, at_most = 100000}    limits: at_least, above, at_most

An empty value is no breach of a set or a range. A further suite, `rules`, says for every rule that
no finding is left that is not waived: at its severity, at severity error where it is graded.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from warehouse.relations import RelationError
from warehouse.rules import Rule, rules

RULES = "rules"
ENTRIES = {"key", "filled", "sets", "ranges"}
LIMITS = {"at_least": "min_value", "above": "min_value", "at_most": "max_value"}
SIGNS = {"at_least": ">=", "above": ">", "at_most": "<="}
ROW_COUNT = "expect_table_row_count_to_be_between"
NO_ROWS = "expect_table_row_count_to_equal"


@dataclass(frozen=True, slots=True)
class Expected:
    """One expectation: Great Expectations' name of its kind, what it is about and its limits."""

    suite: str
    type: str
    severity: str
    limit: str
    description: str
    columns: tuple[str, ...] = ()
    rule: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)


def relation_suites(previous: Mapping[str, int] | None = None) -> dict[str, list[Expected]]:
    """The expectations of every published relation, by its name.

    `previous` has the rows of the last build: fewer than half of them are a warning.
    """
    folder = files("warehouse") / "expectations"
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return {
        name: [*_of_file(name, file), _row_count(name, previous or {})]
        for file in found
        if (name := file.name.removesuffix(".toml")) != file.name
    }


def _of_file(name: str, file: Traversable) -> Iterator[Expected]:
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    if unknown := set(said) - ENTRIES:
        raise RelationError(f"expectations/{file.name}: {', '.join(sorted(unknown))} is no entry")
    if key := tuple(said.get("key", ())):
        yield _unique(name, key)
    for column in said.get("filled", ()):
        yield Expected(
            name, "expect_column_values_to_not_be_null", "error", "not empty",
            f"{column} is never empty", (column,), arguments={"column": column},
        )  # fmt: skip
    for column, values in said.get("sets", {}).items():
        yield Expected(
            name, "expect_column_values_to_be_in_set", "error", ", ".join(values),
            f"{column} has one of its known values", (column,),
            arguments={"column": column, "value_set": values},
        )  # fmt: skip
    for column, limits in said.get("ranges", {}).items():
        yield _range(name, column, limits)


def _unique(name: str, key: tuple[str, ...]) -> Expected:
    one = len(key) == 1
    kind = "expect_column_values_to_be_unique" if one else "expect_compound_columns_to_be_unique"
    arguments: dict[str, Any] = {"column": key[0]} if one else {"column_list": list(key)}
    text = f"{', '.join(key)} name{'s' if one else ''} one row"
    return Expected(name, kind, "error", "unique", text, key, arguments=arguments)


def _range(name: str, column: str, limits: Mapping[str, float]) -> Expected:
    if not limits or set(limits) - set(LIMITS):
        raise RelationError(f"expectations/{name}.toml: {column} has {dict(limits)} as its range")
    arguments: dict[str, Any] = {LIMITS[word]: value for word, value in limits.items()}
    text = " and ".join(f"{SIGNS[word]} {value:g}" for word, value in limits.items())
    return Expected(
        name, "expect_column_values_to_be_between", "error", text, f"{column} {text}", (column,),
        arguments={"column": column, "strict_min": "above" in limits, **arguments},
    )  # fmt: skip


def _row_count(name: str, previous: Mapping[str, int]) -> Expected:
    least = (previous.get(name, 0) + 1) // 2
    return Expected(
        name, ROW_COUNT, "warning", f">= {least}",
        "no fewer than half as many rows as in the last build", arguments={"min_value": least},
    )  # fmt: skip


def rule_suite() -> list[Expected]:
    """For every rule: no finding that is not waived, of severity error where it is graded."""
    return [_of_rule(rule) for rule in rules()]


def _of_rule(rule: Rule) -> Expected:
    severity = "error" if rule.severity == "graded" else rule.severity
    return Expected(
        RULES, NO_ROWS, severity, "0", rule.title, rule=rule.name, arguments={"value": 0}
    )
