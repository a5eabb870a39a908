"""`levelbook rules`: what is checked, and why."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from reports.commands.load import official_rules

if TYPE_CHECKING:
    from warehouse.rules import Rule

GRADES = re.compile(r"'(error|warning|info)'")


@click.command()
@click.argument("name", required=False, metavar="[RULE]")
@click.option("--official", is_flag=True, help="List the official rule sets, and where they are.")
@click.option("--format", "kind", type=click.Choice(["table", "json"]), default="table")
@official_rules
def command(name: str | None, official: bool, kind: str, rules_folder: str | None) -> None:
    """List the rules, or explain one: what it rests on, why it matters, how to mend it."""
    from warehouse.rules import rules

    if official:
        _print_official(rules_folder, kind)
        return
    found = [rule for rule in rules() if name in (None, rule.name)]
    if not found:
        raise click.UsageError(f"{name} is no rule; `levelbook rules` lists them")
    if kind == "json":
        _print_json([_fields(rule) for rule in found])
        return
    for rule in found:
        click.echo(f"{rule.name} ({rule.severity}): {rule.title}")
        if name:
            _explain(rule)


def _explain(rule: Rule) -> None:
    fields = _fields(rule)
    for key in ("applies_to", "basis", "why", "remedy", "false_positives", "sql"):
        click.echo(f"  {key.replace('_', ' ')}: {fields[key]}")
    if rule.severity == "graded":
        grades = " or ".join(fields["severities"])
        click.echo(f"  graded: each finding is {grades}, as its SQL decides")


def _fields(rule: Rule) -> dict[str, Any]:
    """What is known of a rule; the severities of a graded one are those that its SQL names."""
    named = set(GRADES.findall(rule.query)) if rule.severity == "graded" else {rule.severity}
    return {
        "rule": rule.name, "title": rule.title, "severity": rule.severity,
        "severities": [word for word in ("error", "warning", "info") if word in named],
        "applies_to": rule.applies_to, "basis": rule.basis, "why": rule.why,
        "remedy": rule.remedy, "false_positives": rule.false_positives,
        "sql": f"warehouse/rules/{rule.name}.sql",
    }  # fmt: skip


def _print_official(folder: str | None, kind: str) -> None:
    """One line a rule set: its name, its round, the version of the package, its folder."""
    from warehouse.official.rule_data import find_rules

    found = find_rules(folder)
    sets = [
        {
            "rule_set": one.name, "round": one.round, "rules": found.origin,
            "rules_version": found.version,
            "folder": str(found.folder / "compliance_checker" / one.folder),
        }
        for one in found.rule_sets()
    ]  # fmt: skip
    if kind == "json":
        _print_json(sets)
        return
    for one in sets:
        version = f"{one['rules']} {one['rules_version']}"
        click.echo(f"{one['rule_set']}  round {one['round']}  {version}  {one['folder']}")


def _print_json(value: list[dict[str, Any]]) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))
