"""Findings for people at a terminal: by rule, worst first, with evidence and remedy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click

from reports.checking.findings import CHANGES, Finding, Found
from reports.checking.judged import judged_lines
from reports.checking.selection import SEVERITIES
from reports.loading import COLOURS, place
from reports.text import one_line


def written(found: Found) -> str:
    """The findings by rule, then how many, and what the official rules judged."""
    return "\n".join(_lines(found))


def _lines(found: Found) -> Iterator[str]:
    ordered = sorted(
        found.findings, key=lambda row: (SEVERITIES.index(row["severity"]), row["rule"])
    )
    for (severity, rule, title), members in groupby(
        ordered, lambda row: (row["severity"], row["rule"], row["title"])
    ):
        rows = list(members)
        yield f"{click.style(severity, fg=COLOURS[severity], bold=True)}: {title} ({rule})"
        for row in rows:
            yield from _finding(row)
        yield f"    remedy: {rows[0]['remedy']}"
    yield from judged_lines(found.connection, found.selection)
    yield from summary(found)


def _finding(row: Finding) -> Iterator[str]:
    """Text of logs is shown without what a terminal would obey."""
    change = f"[{row['change']}] " if "change" in row else ""
    yield f"    {change}{one_line(row['subject'])}: {one_line(row['message'])}"
    yield f"        at {one_line(place(row['path'] or 'no file', row['line']))}{against(row)}"
    if row["is_waived"]:
        yield f"        waived: {one_line(row['waiver_reason'])}"


def against(row: Finding) -> str:
    """Value and limit in brackets, as far as they are known."""
    parts = [
        f"{word} {one_line(str(row[key]))}"
        for word, key in (("found", "value"), ("limit", "limit"))
        if row[key] not in (None, "")
    ]
    return f" ({', '.join(parts)})" if parts else ""


def summary(found: Found) -> Iterator[str]:
    """How many findings of each severity, and what changed."""
    there = [row for row in found.findings if row.get("change") != "gone"]
    counts = []
    for severity in SEVERITIES:
        own = [row for row in there if row["severity"] == severity]
        waived = sum(row["is_waived"] for row in own)
        counts.append(f"{len(own)} {severity}" + (f" ({waived} waived)" if waived else ""))
    if found.is_compared:
        changes = [row["change"] for row in found.findings]
        yield ", ".join(f"{changes.count(change)} {change}" for change in CHANGES)
    yield f"{len(there)} findings: " + ", ".join(counts)
