"""What breaks the rules, for reading: one article per result set and rule, with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from reports.evidence import Quotes
from reports.links import Links
from reports.numbers import UNKNOWN
from reports.text import escaped

SEVERITIES = ("error", "invalid input", "warning", "info")
MOST_FINDINGS = 12

Row = Mapping[str, Any]


def articles_html(rows: Sequence[Row], place: str, links: Links, quotes: Quotes) -> str:
    """The broken rules of one result set, the worst first; `place` is its name on the page.

    A row has rule, title, severity, message, path, line, value, limit_value, remedy, and of the
    waiver that accepts it waiver_reason, author, since and until.
    """
    rules: dict[str, list[Row]] = {}
    for row in sorted(rows, key=_order):
        rules.setdefault(row["rule"], []).append(row)
    return "".join(
        _article(found, f"{place}--{rule}", links, quotes) for rule, found in rules.items()
    )


def chip(word: str) -> str:
    """A word as a label."""
    return f'<span class="lb-chip lb-{escaped(word).replace(" ", "-")}">{escaped(word)}</span>'


def _order(row: Row) -> tuple[Any, ...]:
    severity = row["severity"]
    worst = SEVERITIES.index(severity) if severity in SEVERITIES else len(SEVERITIES)
    place = (row["path"] or "", row["line"] or 0)
    return (row["is_waived"], worst, row["rule"], place, row["message"] or "")


def _article(found: Sequence[Row], place: str, links: Links, quotes: Quotes) -> str:
    first = found[0]
    title = escaped(first["title"] or first["rule"])
    address = links.rule(first)
    named = f'<a href="{escaped(address)}">{title}</a>' if address else title
    waived = f" {chip('waived')}" if first["is_waived"] else ""
    shown = "".join(_finding(row, quotes) for row in found[:MOST_FINDINGS])
    more = len(found) - MOST_FINDINGS
    rest = f"<p>And {more} more of this rule; all are in the downloads.</p>" if more > 0 else ""
    remedy = first["remedy"]
    mend = f"<p><strong>What to do:</strong> {escaped(remedy)}</p>" if remedy else ""
    return (
        f'<article class="lb-verdict lb-of-{escaped(first["severity"]).replace(" ", "-")}"'
        f' id="{place}"><p>{chip(first["severity"])}{waived} <strong>{named}</strong> '
        f"<code>{escaped(first['rule'])}</code></p>{shown}{rest}{mend}{_waivers(found)}</article>"
    )


def _finding(row: Row, quotes: Quotes) -> str:
    evidence = quotes.html(row["path"], row["line"], row["value"])
    return f"<p>{escaped(row['message'] or UNKNOWN)}</p>{_against(row)}{evidence}"


def _against(row: Row) -> str:
    """What was found, against what it was held."""
    parts = [
        f"<div><dt>{word}</dt><dd>{escaped(str(row[name]))}</dd></div>"
        for name, word in (("value", "Found"), ("limit_value", "Against"))
        if row[name] is not None
    ]
    return f'<dl class="lb-against">{"".join(parts)}</dl>' if parts else ""


def _waivers(found: Iterable[Row]) -> str:
    """Why the findings are accepted, by whom and until when; the finding stays above it."""
    return "".join(
        f'<p class="lb-waiver"><strong>Waived</strong>{said}</p>'
        for said in dict.fromkeys(map(_waiver, found))
        if said
    )


def _waiver(row: Row) -> str:
    if not row["is_waived"]:
        return ""
    by = f" by the {escaped(row['author'])}" if row["author"] else ""
    times = " ".join(_times(row))
    return f"{by}{f', {times}' if times else ''}: {escaped(row['waiver_reason'] or '')}"


def _times(row: Row) -> Iterator[str]:
    for name, word in (("since", "since"), ("until", "until")):
        if row[name]:
            yield f"{word} {escaped(str(row[name]))}"
