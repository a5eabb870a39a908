"""`levelbook rules`: what is checked, and why."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the rules, or explain one: what it rests on, why it matters, how to mend it."""
    from warehouse.rules import rules

    found = [rule for rule in rules() if name in (None, rule.name)]
    if not found:
        raise click.UsageError(f"{name} is no rule; `levelbook rules` lists them")
    for rule in found:
        click.echo(f"{rule.name} ({rule.severity}): {rule.title}")
        if name:
            click.echo(f"  basis: {rule.basis}\n  why: {rule.why}\n  remedy: {rule.remedy}")
            click.echo(f"  false positives: {rule.false_positives}")
