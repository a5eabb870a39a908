"""Findings for people and machines: by severity, with evidence and remedy."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click
import duckdb

from reports.loading import COLOURS, SEVERITIES, place

COLUMNS = (
    "rule", "severity", "subject", "message", "path", "line", "value", "limit_value", "remedy",
    "is_waived", "waiver_reason", "title",
)  # fmt: skip
ORDER = "case severity when 'error' then 1 when 'warning' then 2 else 3 end, rule, subject, message"


def findings(
    connection: duckdb.DuckDBPyConnection, rule: str | None = None
) -> list[dict[str, Any]]:
    """Every finding, worst first, as one dictionary a finding (keys: COLUMNS)."""
    rows = connection.execute(
        f"select {', '.join(COLUMNS)} from finding where rule = coalesce(?, rule) order by {ORDER}",
        [rule],
    ).fetchall()
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def has_errors(found: list[dict[str, Any]]) -> bool:
    """True when an error is not waived."""
    return any(row["severity"] == "error" and not row["is_waived"] for row in found)


def formatted(found: list[dict[str, Any]], kind: str) -> str:
    """The findings as json, csv, or text for people."""
    if kind == "json":
        return json.dumps(found, ensure_ascii=False, indent=1)
    if kind == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, COLUMNS)
        writer.writeheader()
        writer.writerows(found)
        return text.getvalue().rstrip("\n")
    return "\n".join(_lines(found))


def _lines(found: list[dict[str, Any]]) -> Iterator[str]:
    for (severity, rule, title), members in groupby(
        found, lambda row: (row["severity"], row["rule"], row["title"])
    ):
        rows = list(members)
        yield f"{click.style(severity, fg=COLOURS[severity], bold=True)}: {title} ({rule})"
        for row in rows:
            yield f"    {row['subject']}: {row['message']}"
            yield f"        at {place(row['path'], row['line'])}"
            if row["is_waived"]:
                yield f"        waived: {row['waiver_reason']}"
        yield f"    remedy: {rows[0]['remedy']}"
    yield _summary(found)


def _summary(found: list[dict[str, Any]]) -> str:
    counts = []
    for severity in SEVERITIES:
        own = [row for row in found if row["severity"] == severity]
        waived = sum(row["is_waived"] for row in own)
        counts.append(f"{len(own)} {severity}" + (f" ({waived} waived)" if waived else ""))
    return f"{len(found)} findings: " + ", ".join(counts)
