"""What a rule file does with each distinct record: what it alone decides is decided once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warehouse.official.expressions import Context, Expression
from warehouse.official.reasons import shortened
from warehouse.official.records import Records
from warehouse.official.rule_data import Rules, RuleSet
from warehouse.official.rule_file import (
    KeyRule,
    Refusal,
    RuleFile,
    RuleFileError,
    read_rule_file,
)

OTHER = re.compile(r"\b((?:training|hpc)_\d+\.\d+\.\d+)/")


@dataclass(slots=True)
class Plan:
    """What a rule file does with one distinct record; what the record alone decides is decided."""

    rule: KeyRule
    key: str
    record: dict[str, Any]
    is_once: bool
    failed: list[tuple[Expression | Refusal, Exception | None]]
    reaches: bool | None
    error: Exception | None


class RuleBook:
    """The rule files of one rule set, and what they make of each distinct record."""

    def __init__(self, rules: Rules, rule_set: RuleSet, records: Records) -> None:
        self.rules, self.rule_set, self.records = rules, rule_set, records
        self.first = f"{rule_set.folder}/common.yaml"
        self._files: dict[str, RuleFile | RuleFileError] = {}
        self._plans: dict[str, Plans] = {}

    def file(self, name: str) -> RuleFile:
        """A rule file; raises RuleFileError for a name that is none, or a file that is broken."""
        if name not in self._files:
            self._files[name] = self._read(name)
        found = self._files[name]
        if isinstance(found, RuleFileError):
            raise found
        return found

    def _read(self, name: str) -> RuleFile | RuleFileError:
        try:
            path = self.rules.config(name)
            if path is not None:
                return read_rule_file(path, name)
        except RuleFileError as error:
            return error
        except OSError:  # such as a name that is too long
            pass
        return RuleFileError(f"there is no rule file {shortened(name)}")

    def plans(self, file: RuleFile) -> Plans:
        """What a file does with each distinct record, worked out when it first comes."""
        if file.name not in self._plans:
            self._plans[file.name] = Plans(file, self.records)
        return self._plans[file.name]

    def keys(self) -> set[str]:
        """Every key that a rule file of this rule set names, or one of a rule set that it uses."""
        found = {"eval_accuracy"}
        for folder in self._folders():
            for path in sorted(folder.glob("*.yaml")):
                try:
                    found |= set(self.file(f"{folder.name}/{path.name}").keys)
                except RuleFileError:
                    continue
        return found

    def _folders(self) -> list[Path]:
        """The folder of the rule set, and those that its files name."""
        home = self.rules.folder / "compliance_checker"
        own = sorted((home / self.rule_set.folder).glob("*.yaml"))
        texts = (path.read_text(encoding="utf-8", errors="replace") for path in own)
        names = {self.rule_set.folder, *(name for text in texts for name in OTHER.findall(text))}
        return [home / name for name in sorted(names)]


class Plans(dict[int, Plan | None]):
    """Plans by number of the record; None: the file has nothing to do with it but count."""

    def __init__(self, file: RuleFile, records: Records) -> None:
        self.file, self.records = file, records
        self.context = Context({})

    def __missing__(self, number: int) -> Plan | None:
        rule = self.file.keys.get(self.records.keys[number])
        self.context.record = self.records.seen[number]
        made = None if rule is None else _plan(rule, self.context)
        self[number] = made
        return made


def _plan(rule: KeyRule, context: Context) -> Plan | None:
    failed: list[tuple[Expression | Refusal, Exception | None]] = []
    for check in rule.stateless:
        try:
            if not check.run(context):
                failed.append((check, None))
        except Exception as failure:  # any, as in the official checker
            failed.append((check, failure))
    failed += [(refusal, None) for refusal in rule.refusals]
    if not failed and not rule.needs_order:
        return None
    reaches: bool | None = None
    error: Exception | None = None
    if isinstance(rule.at_least_one, Expression) and rule.at_least_one.is_stateless:
        reaches, error = asked(rule.at_least_one, context)
    return Plan(rule, rule.name, context.record, rule.is_once, failed, reaches, error)


def asked(check: Expression, context: Context) -> tuple[bool, Exception | None]:
    """Whether an expression is met; an error in it is that it is not."""
    try:
        return bool(check.run(context)), None
    except Exception as error:  # any, as in the official checker
        return False, error
