"""One rule file of the official compliance rules: read with its scalars as text, compiled once.

Source: mlcommons/logging `compliance_checker/<usage>_<version>/*.yaml`: a list of BEGIN (at most
one), KEY and END (at most one). Code that is not in our language stays in the file as a refusal,
which the judgement reports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml

from warehouse.official.expressions import Expression, NotAllowedError, expression
from warehouse.official.statements import Statement, statements

LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
AGGREGATED = "aggregated_eval_accuracy"
AT_LEAST = re.compile(r"AT_LEAST\((\d{1,9})\)$")
EITHER = re.compile(r"AT_LEAST_ONE_OR\((.*)\)$", re.DOTALL)
Compiled = TypeVar("Compiled")


class RuleFileError(Exception):
    """A rule file that is no list of rules; the text says why."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Code that is not run, and what in it is not allowed."""

    text: str
    reason: str


@dataclass(slots=True)
class KeyRule:
    """What a file asks of the records of one key.

    Only the first record of a key that `is_once` is judged. `needs_order` is whether a record still
    matters that passes all that it decides alone.
    """

    name: str
    requirement: str | None
    before: Statement | Refusal | None
    checks: list[Expression | Refusal]
    after: Statement | Refusal | None
    first_checks: list[Expression | Refusal]
    at_least_one: Expression | Refusal | None
    stateless: list[Expression] = field(init=False)
    stateful: list[Expression] = field(init=False)
    refusals: list[Refusal] = field(init=False)
    is_once: bool = field(init=False)
    needs_order: bool = field(init=False)

    def __post_init__(self) -> None:
        known = [check for check in self.checks if isinstance(check, Expression)]
        self.stateless = [check for check in known if check.is_stateless]
        self.stateful = [check for check in known if not check.is_stateless]
        self.refusals = [check for check in self.checks if isinstance(check, Refusal)]
        self.is_once = "submission_" in self.name
        self.needs_order = bool(
            self.stateful or self.before or self.after or self.first_checks
            or self.at_least_one or self.is_once
        )  # fmt: skip


@dataclass(slots=True)
class Requirements:
    """How often keys have to stand in a log: REQ; `either` are keys of which one has to."""

    exactly_one: list[str] = field(default_factory=list)
    at_least: dict[str, int] = field(default_factory=dict)
    either: list[list[str]] = field(default_factory=list)


@dataclass(slots=True)
class RuleFile:
    """The rules of one file; `aggregates_by` is the member by which its BEGIN joins evaluations."""

    name: str
    begin: Statement | Refusal | None = None
    aggregates_by: str | None = None
    keys: dict[str, KeyRule] = field(default_factory=dict)
    end_before: Statement | Refusal | None = None
    end_checks: list[Expression | Refusal] = field(default_factory=list)
    requirements: Requirements = field(default_factory=Requirements)


def read_rule_file(path: Path, name: str) -> RuleFile:
    """The compiled rules of a file; raises RuleFileError where there is no list of rules in it."""
    try:
        records = yaml.load(path.read_bytes(), Loader=LOADER) or []  # noqa: S506 - text only
        return _rule_file(name, [next(iter(record.items())) for record in records])
    except (yaml.YAMLError, OSError, RecursionError) as error:
        reason = str(error).split("\n")[0][:200]
        raise RuleFileError(f"{name} cannot be read: {reason}") from None
    except (AttributeError, KeyError, TypeError, ValueError, StopIteration) as error:
        raise RuleFileError(f"{name} is no list of rules ({type(error).__name__})") from None


def _rule_file(name: str, records: list[tuple[str, Any]]) -> RuleFile:
    made = RuleFile(name)
    for kind, body in records:
        if kind == "KEY":
            made.keys[body["NAME"]] = _key_rule(body)
        elif kind == "BEGIN":
            _refuse_second(made.begin or made.aggregates_by)
            made.aggregates_by = _aggregation(body["CODE"])
            made.begin = None if made.aggregates_by else _code(statements, body["CODE"])
        elif kind == "END":
            _refuse_second(made.end_before or made.end_checks)
            made.end_before = _code(statements, body["PRE"]) if "PRE" in body else None
            made.end_checks = list(_expressions(body.get("CHECK")))
    made.requirements = _requirements(made)
    return made


def _requirements(file: RuleFile) -> Requirements:
    """The REQ of every key: what is not listed here (OPTIONAL) asks for nothing."""
    made, either = Requirements(), set()
    for key, rule in file.keys.items():
        said = rule.requirement or ""
        if said == "EXACTLY_ONE":
            made.exactly_one.append(key)
        elif said == "AT_LEAST_ONE":
            made.at_least[key] = 1
        elif least := AT_LEAST.match(said):
            made.at_least[key] = int(least[1])
        elif names := EITHER.match(said):
            either.add(frozenset({key, *(name.strip() for name in names[1].split(","))}))
    made.either = sorted(map(sorted, either))
    return made


def _refuse_second(earlier: object) -> None:
    if earlier:
        raise ValueError("a second BEGIN or END")


def _key_rule(body: dict[str, Any]) -> KeyRule:
    at_least_one = list(_expressions(body.get("ATLEAST_ONE_CHECK")))
    return KeyRule(
        name=body["NAME"],
        requirement=body.get("REQ"),
        before=_code(statements, body["PRE"]) if "PRE" in body else None,
        checks=list(_expressions(body.get("CHECK"))),
        after=_code(statements, body["POST"]) if "POST" in body else None,
        first_checks=list(_expressions(body.get("FIRST_CHECK"))),
        at_least_one=at_least_one[0] if at_least_one else None,
    )


def _expressions(said: str | list[str] | None) -> Iterator[Expression | Refusal]:
    for text in [] if said is None else said if isinstance(said, list) else [said]:
        yield _code(expression, text)


def _code(compile_text: Callable[[str], Compiled], text: str) -> Compiled | Refusal:
    try:
        return compile_text(text)
    except NotAllowedError as error:
        return Refusal(text.strip(), str(error))


def _aggregation(code: str) -> str | None:
    """The member by which a BEGIN joins the evaluations of several metrics into one record.

    Source: `closed_stable_diffusion.yaml` (rule sets 3.1.0 to 5.0.0), whose loop over the log is
    recognised by the key that it makes, and stands in records.py.
    """
    if AGGREGATED not in code:
        return None
    return "step_num" if "['step_num']" in code else "samples_count"
