"""Findings as a table for a pull request: texts of logs stay texts."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from reports.checking.findings import Finding, Found
from reports.checking.judged import judged_lines
from reports.checking.outputs.table import summary
from reports.loading import place
from reports.text import one_line

SIGNS = re.compile(r"([\\`*_{}\[\]()|~!])")
MENTION = re.compile(r"([@#])(?=\w)")


def written(found: Found) -> str:
    """The table, then how many, and what the official rules judged."""
    return "\n".join(_lines(found))


def _lines(found: Found) -> Iterator[str]:
    heads = ["severity", "rule", "subject", "finding", "evidence", "value", "limit", "remedy"]
    if found.is_compared:
        heads.insert(0, "change")
    if found.findings:
        yield "| " + " | ".join(heads) + " |"
        yield "|" + "---|" * len(heads)
    for row in found.findings:
        yield "| " + " | ".join(_cells(row)) + " |"
    if found.findings:
        yield ""
    for line in (*judged_lines(found.connection, found.selection), *summary(found)):
        yield f"- {plain(line)}"


def _cells(row: Finding) -> Iterator[str]:
    if "change" in row:
        yield row["change"]
    yield row["severity"] + (" (waived)" if row["is_waived"] else "")
    yield code(row["rule"])
    yield code(row["subject"])
    waived = f"; waived: {row['waiver_reason']}" if row["is_waived"] else ""
    yield plain(row["message"] + waived)
    yield code(place(row["path"], row["line"])) if row["path"] else ""
    for key in ("value", "limit"):
        yield code(str(row[key])) if row[key] not in (None, "") else ""
    yield plain(row["remedy"])


def plain(text: str) -> str:
    """Text as it is: no HTML, no formatting, no cell border, nobody mentioned, no issue linked."""
    escaped = SIGNS.sub(r"\\\1", html.escape(one_line(text), quote=False))
    return MENTION.sub(r"\1&#8203;", escaped.replace("://", ":&#47;/"))


def code(text: str) -> str:
    """Text in a code span, in which nothing is a mention; a border in it would end the cell."""
    flat = one_line(text)
    return plain(flat) if "`" in flat or not flat else f"`{flat.replace('|', chr(92) + '|')}`"
