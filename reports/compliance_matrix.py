"""The compliance matrix: a row per result set, a column per rule, a sign and a word per cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reports.blocks import Page, Source
from reports.links import Links
from reports.slugs import unique_slugs
from reports.text import escaped

# state -> (class, sign); the state itself stands in the cell for those who do not see the sign
STATES: Mapping[str, tuple[str, str]] = {
    "error": ("e", "✕"),
    "invalid input": ("v", "?"),
    "warning": ("w", "▲"),
    "info": ("i", "i"),
    "waived": ("a", "W"),
    "not judged": ("n", "–"),
    "pass": ("p", "✓"),
}
_WORDS = {
    "error": "broken, severity error",
    "invalid input": "the official tool cannot read it",
    "warning": "broken, severity warning",
    "info": "something to know",
    "waived": "broken, accepted by a waiver",
    "not judged": "could not be judged",
    "pass": "passed",
}
# more than these on one page would make it slow: each round has its own page then
MOST_ON_ONE_PAGE = 250
_LONGEST_REASON = 140

_ROUNDS = """
SELECT coalesce(round, '') AS round, count(*) AS result_sets FROM result_set
GROUP BY coalesce(round, '') ORDER BY coalesce(round, '') DESC
"""
_RULES = """
SELECT c.rule, coalesce(any_value(r.title), c.rule) AS title,
    starts_with(c.rule, 'official_') AS is_official
FROM compliance_state AS c
LEFT JOIN rule AS r ON r.rule = c.rule
JOIN result_set AS s ON s.result_set = c.result_set AND coalesce(s.round, '') = $round
GROUP BY c.rule
ORDER BY NOT is_official,
    list_position(['error', 'graded', 'warning', 'info'], any_value(r.severity)), c.rule
"""
_SETS = """
SELECT result_set, collection, round, division, organization, system, benchmark, kind,
    verification
FROM result_set
WHERE coalesce(round, '') = $round
ORDER BY organization, system, benchmark, division, collection
"""
_CELLS = """
SELECT c.* FROM compliance_state AS c
JOIN result_set AS s ON s.result_set = c.result_set AND coalesce(s.round, '') = $round
"""


def rounds(source: Source) -> list[str]:
    """Every round, the newest first."""
    rows = source.frame(_ROUNDS, {}, "rounds").rows()
    return [str(name) for name, _ in rows]


def has_own_pages(source: Source) -> bool:
    """True where each round has a page of its own, because one for all would be too heavy."""
    rows = source.frame(_ROUNDS, {}, "rounds").rows()
    return sum(number for _, number in rows) > MOST_ON_ONE_PAGE and len(rows) > 1


def matrices_html(page: Page) -> str:
    """The matrix of every round; links to their pages where there are too many result sets."""
    source = page.source
    if not rounds(source):
        return '<p class="lb-empty">The database holds no result set yet.</p>'
    if has_own_pages(source):
        links = (
            f'<li><a href="{page.links.root}matrix/{name}.html">{escaped(title)}</a></li>'
            for _, name, title in round_pages(source)
        )
        return f"<ul>{''.join(links)}</ul>"
    return "".join(
        f"<h3>{escaped(_round_title(release))}</h3>{matrix_html(page, release)}"
        for release in rounds(source)
    )


def round_pages(source: Source) -> list[tuple[str, str, str]]:
    """(round, page name, title) of every round."""
    names = unique_slugs((release, release or "round not known") for release in rounds(source))
    return [(release, names[release], _round_title(release)) for release in rounds(source)]


def _round_title(release: str) -> str:
    return f"Round {release}" if release else "Round not known"


def matrix_html(page: Page, release: str) -> str:
    """The matrix of one round as one line of HTML."""
    parameters = {"round": release}
    rules = page.source.frame(_RULES, parameters, page.path).to_dicts()
    sets = page.source.frame(_SETS, parameters, page.path).to_dicts()
    cells: dict[str, dict[str, dict[str, Any]]] = {}
    for cell in page.source.frame(_CELLS, parameters, page.path).iter_rows(named=True):
        cells.setdefault(cell["result_set"], {})[cell["rule"]] = cell
    said = escaped(f"Compliance matrix, round {release or 'not known'}")
    # what all of them have in common is said once, above the table
    shared = set.intersection(*map(_labels, sets)) if sets else set()
    body = "".join(
        _row(
            row,
            shared,
            [cells.get(row["result_set"], {}).get(rule["rule"]) for rule in rules],
            page,
        )
        for row in sets
    )
    note = f"<p>All of them: {escaped(', '.join(sorted(shared)))}.</p>" if shared else ""
    return (
        f'{note}<div class="lb-table lb-matrix" role="region" tabindex="0" aria-label="{said}"'
        f' data-filter><table class="lb-data" data-sort><caption>{said}</caption>'
        f"{_head(rules, page.links)}<tbody>{body}</tbody>{_foot(rules, cells.values())}"
        f"</table></div>"
    )


def legend_html() -> str:
    """What the signs mean."""
    items = "".join(
        f'<li><span class="lb-sign lb-{kind}" aria-hidden="true">{sign}</span> '
        f"<strong>{state}</strong>: {_WORDS[state]}</li>"
        for state, (kind, sign) in STATES.items()
    )
    return f'<ul class="lb-legend">{items}<li>no sign: the rule says nothing of it</li></ul>'


def _head(rules: Sequence[Mapping[str, Any]], links: Links) -> str:
    names = "".join(f'<th scope="col">{name}</th>' for name in ("Organisation", "Benchmark"))
    columns = "".join(_rule_head(rule, links) for rule in rules)
    return f'<thead><tr><th scope="col">System</th>{names}{columns}</tr></thead>'


def _rule_head(rule: Mapping[str, Any], links: Links) -> str:
    name = escaped(rule["rule"].removeprefix("official_").replace("_", " "))
    kind = "lb-official" if rule["is_official"] else "lb-own"
    title = escaped(("Official: " if rule["is_official"] else "") + rule["title"])
    address = escaped(links.rule(rule) or "")
    label = (
        f'<a href="{address}" title="{title}">{name}</a>'
        if address
        else f'<span title="{title}">{name}</span>'
    )
    return f'<th scope="col" class="{kind}" data-kind="verdict">{label}</th>'


def _row(
    row: Mapping[str, Any],
    shared: set[str],
    cells: Iterable[Mapping[str, Any] | None],
    page: Page,
) -> str:
    section = escaped(page.links.section(row) or "")
    name = escaped(row["system"] or "not known")
    words = [row["benchmark"] or "not known", *sorted(_labels(row) - shared)]
    verdicts = "".join(_cell(cell, section) for cell in cells)
    return (
        f'<tr><th scope="row"><a href="{section}">{name}</a></th>'
        f"<td>{escaped(row['organization'] or '')}</td><td>{escaped(', '.join(words))}</td>"
        f"{verdicts}</tr>"
    )


def _labels(row: Mapping[str, Any]) -> set[str]:
    """What is special about a result set: its division, and that it is no logged, official one."""
    division = row["division"] or "division not known"
    said = {division, row["kind"] or "", row["verification"] or ""}
    return said - {"", "closed", "logged", "official"}


def _cell(cell: Mapping[str, Any] | None, section: str) -> str:
    """One verdict; it leads to its evidence where there is more to say than that it passes."""
    if cell is None:
        return "<td></td>"
    kind, sign = STATES[cell["state"]]
    said = f"{sign}<i>{cell['state']}</i>"
    if not cell["has_evidence"]:
        return f"<td class={kind}>{said}</td>"
    title = f' title="{escaped(_tooltip(cell))}"' if cell["state"] != "pass" else ""
    return f'<td class={kind}><a href="{section}--{cell["rule"]}"{title}>{said}</a></td>'


def _tooltip(cell: Mapping[str, Any]) -> str:
    reason = str(cell["reason"] or "")
    cut = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}…"
    return f"{cell['state']}: {cut}" if cut else str(cell["state"])


def _foot(
    rules: Iterable[Mapping[str, Any]], cells: Iterable[Mapping[str, Mapping[str, Any]]]
) -> str:
    """How many result sets of the round do not pass each rule, waived ones included."""
    known = list(cells)
    counts = "".join(
        f"<td>{sum(_is_broken(row.get(rule['rule'])) for row in known)}</td>" for rule in rules
    )
    return (
        '<tfoot><tr><th scope="row">Not passed</th><td></td><td>result sets</td>'
        f"{counts}</tr></tfoot>"
    )


def _is_broken(cell: Mapping[str, Any] | None) -> bool:
    return cell is not None and cell["state"] not in ("pass", "not judged")
