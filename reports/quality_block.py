"""What the gate before publication was asked and what it found, as a block of the site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reports.blocks import Page
from reports.links import Links
from reports.text import escaped

# the build writes it to the top of the site
FILE = "quality.json"
_NOT_RUN = (
    '<p class="lb-empty"><strong>The gate has not been run on this database.</strong> '
    "<code>levelbook publish</code> runs it before it builds the site.</p>"
)
_RULES = "rules"
_ORDER = ("raised", "failed", "passed")
_SIGNS = {"passed": ("p", "✓"), "failed": ("e", "✕"), "raised": ("v", "?")}
_HEADS = ("Result", "Of", "Severity", "What was expected", "Rows", "Allowed", "What was seen")
_NUMERIC = " class=lb-number data-kind=number"
_NUMBERS = {"Rows", "Passed", "Failed", "Raised"}

Row = Mapping[str, Any]


def quality_html(page: Page) -> str:
    """The result of the gate, and a link to its file; a sentence where it was not run."""
    quality = page.source.quality
    if quality is None:
        return _NOT_RUN
    found: Sequence[Row] = quality.get("expectations", ())
    parts = [
        _verdict(found),
        _versions(quality.get("versions", {})),
        f'<p><a href="{page.links.root}{FILE}" download>{FILE}</a> holds all of it.</p>',
        _broken(found, page.links),
        _summary(found),
        _passed(found, page.links),
        _row_counts(quality.get("row_counts", {})),
    ]
    return "".join(parts)


def _counts(found: Iterable[Row]) -> dict[str, int]:
    statuses = [str(row.get("status")) for row in found]
    return {status: statuses.count(status) for status in _ORDER}


def _stops(row: Row) -> bool:
    """True where the expectation holds the publication back."""
    status = row.get("status")
    return status == "raised" or (status == "failed" and row.get("severity") == "error")


def _verdict(found: Sequence[Row]) -> str:
    counts, stops = _counts(found), sum(map(_stops, found))
    said = (
        f"{stops} of {len(found)} expectations hold the publication back"
        if stops
        else f"Nothing holds the publication back: {len(found)} expectations were evaluated"
    )
    return (
        f"<p><strong>{said}.</strong> {counts['passed']} passed, {counts['failed']} failed, "
        f"{counts['raised']} raised: could not be evaluated.</p>"
    )


def _versions(versions: Mapping[str, Any]) -> str:
    said = ", ".join(f"{escaped(str(name))} {escaped(str(versions[name]))}" for name in versions)
    return f"<p>Evaluated with {said}.</p>" if said else ""


def _table(title: str, heads: Iterable[str], rows: Iterable[str], extra: str = "") -> str:
    said = escaped(title)
    columns = "".join(
        f'<th scope="col"{_NUMERIC if head in _NUMBERS else ""}>{head}</th>' for head in heads
    )
    return (
        f'<div class="lb-table" role="region" tabindex="0" aria-label="{said}"{extra}>'
        f'<table class="lb-data" data-sort><caption>{said}</caption><thead><tr>{columns}</tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _summary(found: Sequence[Row]) -> str:
    """How each suite fared: the rules, and each published relation."""
    suites: dict[str, list[Row]] = {}
    for row in found:
        suites.setdefault(str(row.get("suite")), []).append(row)
    rows = (_suite_row(name, suites[name]) for name in sorted(suites, key=_rules_first))
    return _table("Suites", ("Suite", "Passed", "Failed", "Raised"), rows)


def _rules_first(suite: str) -> tuple[bool, str]:
    return suite != _RULES, suite


def _suite_row(name: str, found: Sequence[Row]) -> str:
    counts = _counts(found)
    cells = "".join(
        f'<td class="lb-number" data-value="{counts[status]}">{counts[status]}</td>'
        for status in ("passed", "failed", "raised")
    )
    return f"<tr><td>{escaped(name)}</td>{cells}</tr>"


def _broken(found: Sequence[Row], links: Links) -> str:
    """What did not pass, what holds the publication back first."""
    broken = sorted((row for row in found if row.get("status") != "passed"), key=_key)
    if not broken:
        return "<p>Every expectation passed.</p>"
    return _table("Not passed", _HEADS, (_row(row, links) for row in broken), " data-filter")


def _passed(found: Sequence[Row], links: Links) -> str:
    """What passed, behind a click."""
    passed = sorted((row for row in found if row.get("status") == "passed"), key=_key)
    if not passed:
        return ""
    table = _table("Passed", _HEADS, (_row(row, links) for row in passed), " data-filter")
    return f"<details><summary>The {len(passed)} that passed</summary>{table}</details>"


def _key(row: Row) -> tuple[Any, ...]:
    status = str(row.get("status"))
    place = _ORDER.index(status) if status in _ORDER else len(_ORDER)
    suite = str(row.get("suite"))
    return (not _stops(row), place, *_rules_first(suite), str(row.get("rule") or row.get("column")))


def _row(row: Row, links: Links) -> str:
    kind, sign = _SIGNS.get(str(row.get("status")), ("n", "–"))
    reason = row.get("reason") or ", ".join(str(value) for value in row.get("sample") or ())
    texts = (row.get("severity"), row.get("description"))
    severity, description = (escaped(str(text or "")) for text in texts)
    observed, limit = row.get("observed"), row.get("limit")
    order = f' data-value="{escaped(str(observed))}"' if observed is not None else ""
    return (
        f'<tr><td><span class="lb-sign lb-{kind}" aria-hidden="true">{sign}</span> '
        f"{escaped(str(row.get('status')))}</td><td>{_of(row, links)}</td><td>{severity}</td>"
        f'<td class="lb-name">{description}</td>'
        f'<td class="lb-number"{order}>{escaped(str("–" if observed is None else observed))}</td>'
        f"<td>{escaped(str('–' if limit is None else limit))}</td>"
        f'<td class="lb-name">{escaped(str(reason))}</td></tr>'
    )


def _of(row: Row, links: Links) -> str:
    """The rule, with its page; else relation and column."""
    name = str(row.get("rule") or "")
    if name:
        address = links.rule({"rule": name})
        said = f"<code>{escaped(name)}</code>"
        return f'<a href="{escaped(address)}">{said}</a>' if address else said
    parts = (str(row.get(part)) for part in ("suite", "column") if row.get(part))
    return f"<code>{escaped('.'.join(parts))}</code>"


def _row_counts(counts: Mapping[str, Any]) -> str:
    if not counts:
        return ""
    rows = (
        f'<tr><td><code>{escaped(str(name))}</code></td><td class="lb-number" '
        f'data-value="{escaped(str(counts[name]))}">{escaped(str(counts[name]))}</td></tr>'
        for name in sorted(counts)
    )
    table = _table("Rows of each relation", ("Relation", "Rows"), rows)
    return f"<details><summary>Rows of each published relation</summary>{table}</details>"
