"""One page per submission: a chapter per result set with every verdict and its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.compliance_matrix import STATES
from reports.evidence import Quotes
from reports.markers import with_footnote
from reports.numbers import UNKNOWN
from reports.text import escaped, escaped_markdown
from reports.verdicts import articles_html, chip

FOLDER = "submissions"
# a round has dozens: the compliance matrix and the list of submissions lead to them
IN_NAVIGATION = False

_KEY = ("collection", "round", "organization")
_SETS = """
SELECT s.*, c.compliance, b.ladder FROM result_set AS s
LEFT JOIN compliance_summary AS c ON c.result_set = s.result_set
LEFT JOIN scaling_base AS b ON b.result_set = s.result_set
WHERE coalesce(s.collection, '') = $collection AND coalesce(s.round, '') = $round
    AND coalesce(s.organization, '') = $organization
ORDER BY s.system, s.benchmark, s.division
"""
_OF_SUBMISSION = """
    SELECT result_set FROM result_set
    WHERE coalesce(collection, '') = $collection AND coalesce(round, '') = $round
        AND coalesce(organization, '') = $organization
"""
# an official verdict that no rule file reports is a finding of its own here
_FINDINGS = f"""
WITH own AS ({_OF_SUBMISSION}), found AS (
    SELECT f.subject, f.rule, f.title, f.severity, f.message, f.path, f.line, f.value,
        f.limit_value, f.remedy, f.is_waived, f.waiver_reason
    FROM finding AS f JOIN own ON own.result_set = f.subject
    UNION ALL
    SELECT v.subject, v.rule, any_value(r.title), CASE v.verdict WHEN 'fail' THEN 'error' ELSE
        v.verdict END, v.reason, arg_min(v.path, v.path), arg_min(v.line, v.path),
        arg_min(v.value, v.path), arg_min(v."limit", v.path), any_value(r.remedy), false, NULL
    FROM verdict AS v JOIN own ON own.result_set = v.subject
    LEFT JOIN rule AS r ON r.rule = v.rule
    WHERE v.verdict IN ('fail', 'invalid input') AND NOT EXISTS (
        FROM finding AS f WHERE f.rule = v.rule AND f.subject = v.subject)
    GROUP BY v.subject, v.rule, v.verdict, v.reason
), waived AS (
    SELECT rule, subject, any_value(author) AS author, any_value(since) AS since,
        any_value("until") AS "until"
    FROM waiver_status WHERE status = 'active' GROUP BY rule, subject
)
SELECT f.*, coalesce(w.author, e.author) AS author, coalesce(w.since, e.since) AS since,
    coalesce(w."until", e."until") AS "until"
FROM found AS f
LEFT JOIN waived AS w ON w.rule = f.rule AND w.subject = f.subject
LEFT JOIN waived AS e ON e.rule = f.rule AND e.subject = split_part(f.subject, '@', 1)
ORDER BY ALL
"""
_OFFICIAL = f"""
SELECT v.subject, v.rule, v.verdict, count(v.run_number) AS runs, min(v.run_number) AS run,
    v.reason, arg_min(v.path, coalesce(v.run_number, 0)) AS path,
    arg_min(v.line, coalesce(v.run_number, 0)) AS line, v.value, v."limit" AS limit_value,
    v.rule_set, v.rule_set_version, v.options
FROM verdict AS v JOIN ({_OF_SUBMISSION}) AS own ON own.result_set = v.subject
WHERE v.rule_set <> 'levelbook' OR starts_with(v.rule, 'official_')
GROUP BY v.subject, v.rule, v.verdict, v.reason, v.value, v."limit", v.rule_set,
    v.rule_set_version, v.options
ORDER BY v.subject, v.rule, v.verdict, min(v.run_number), v.reason, v.value
"""
_STATES = f"""
SELECT c.result_set, c.rule, c.state FROM compliance_state AS c
JOIN ({_OF_SUBMISSION}) AS own ON own.result_set = c.result_set
WHERE NOT starts_with(c.rule, 'official_')
ORDER BY c.result_set, c.rule
"""
_OFFICIAL_HEADS = ("Rule", "Verdict", "Runs", "Found", "Against", "Why", "Evidence", "Judged by")

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True)
class Chapters:
    """What the chapters of a page are made of, by result set."""

    findings: Rows
    official: Rows
    states: Rows
    quotes: Quotes


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every submission."""
    for key, name in source.links.submissions.items():
        page = Page(source, f"{FOLDER}/{name}.md")
        parameters = dict(zip(_KEY, key, strict=True))
        words = (parameters["organization"] or "Submitter not known", parameters["round"])
        title = f"{' '.join(word for word in words if word)}: verdicts"
        yield name, title, with_footnote(_markdown(page, title, parameters), page)


def _markdown(page: Page, title: str, key: Mapping[str, str]) -> str:
    where = escaped_markdown(f"Collection {key['collection']}.") if key["collection"] else ""
    parts = [f"# {escaped_markdown(title)}", where]
    for listing in placed(page.source.listings, "submission"):
        parts.append(page.listing(listing.name, **key))
    sets = page.source.frame(_SETS, key, page.path).to_dicts()
    chapters = _chapters(page, key)
    for row in sets:
        parts += _chapter(page, row, chapters)
    for listing in placed(page.source.listings, "submission_files"):
        parts += [f"## {escaped_markdown(listing.title)}", page.listing(listing.name, **key)]
    return "\n\n".join(part for part in parts if part)


def _chapters(page: Page, key: Mapping[str, str]) -> Chapters:
    findings = _grouped(page, _FINDINGS, key, "subject")
    official = _grouped(page, _OFFICIAL, key, "subject")
    places = [(row["path"], row["line"]) for rows in findings.values() for row in rows]
    return Chapters(
        findings,
        official,
        _grouped(page, _STATES, key, "result_set"),
        Quotes.of(page.source.connection, places),
    )


def _grouped(page: Page, query: str, key: Mapping[str, str], column: str) -> Rows:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in page.source.frame(query, key, page.path).iter_rows(named=True):
        groups.setdefault(row[column], []).append(row)
    return groups


def _chapter(page: Page, row: Mapping[str, Any], chapters: Chapters) -> Iterator[str]:
    result_set = row["result_set"]
    _, place = page.links.sections[result_set]
    division = "" if row["division"] == "closed" else f", {row['division'] or 'unknown'} division"
    title = f"{row['system'] or 'system not known'}, {row['benchmark'] or 'benchmark not known'}"
    yield f"## {escaped_markdown(title + division)} {{#{place}}}"
    findings = chapters.findings.get(result_set, ())
    official = chapters.official.get(result_set, ())
    blocks = (
        _introduction(page, row),
        articles_html(findings, place, page.links, chapters.quotes),
        _official_html(page, official, place, {found["rule"] for found in findings}),
        _passed_html(page, chapters.states.get(result_set, ())),
    )
    yield page.source.placeholder("".join(blocks))


def _introduction(page: Page, row: Mapping[str, Any]) -> str:
    links = (
        (page.links.system(row), "The system"),
        (page.links.benchmark(row), "the benchmark"),
        (page.links.hyperparameters(row), "hyperparameters across node counts"),
    )
    lead = ", ".join(f'<a href="{escaped(to)}">{word}</a>' for to, word in links if to)
    labels = " ".join(
        chip(word)
        for word in (row["kind"], row["verification"])
        if word in ("reconstructed", "unverified")
    )
    said = escaped(row["compliance"] or "not judged")
    return f"<p><strong>{said}</strong> {labels} {row['runs']} runs. {lead}.</p>"


def _official_html(
    page: Page, rows: Sequence[Mapping[str, Any]], place: str, reported: set[str]
) -> str:
    """The official verdicts as a table; a rule without an article has its place here."""
    if not rows:
        return ""
    named = set(reported)
    body = []
    for row in rows:
        anchor = "" if row["rule"] in named else f' id="{place}--{row["rule"]}"'
        named.add(row["rule"])
        body.append(_official_row(page, row, anchor))
    heads = "".join(f'<th scope="col">{head}</th>' for head in _OFFICIAL_HEADS)
    return (
        '<div class="lb-table" role="region" tabindex="0" aria-label="Official rules">'
        f'<table class="lb-data" data-sort><caption>Official rules</caption><thead><tr>{heads}'
        f"</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _official_row(page: Page, row: Mapping[str, Any], anchor: str) -> str:
    rule = escaped(row["rule"].removeprefix("official_").replace("_", " "))
    address = page.links.rule(row)
    named = f'<a href="{escaped(address)}">{rule}</a>' if address else rule
    kind, sign = STATES["error" if row["verdict"] == "fail" else row["verdict"]]
    runs = f"{row['runs']}, first: {row['run']}" if row["runs"] else UNKNOWN
    line = f":{row['line']}" if row["line"] is not None else ""
    place = f"<code>{escaped(row['path'] + line)}</code>" if row["path"] else UNKNOWN
    by = ", ".join(
        str(row[name]) for name in ("rule_set", "rule_set_version", "options") if row[name]
    )
    texts = (row["reason"], row["value"], row["limit_value"], by)
    reason, value, limit, judged = (escaped(str(text)) if text else UNKNOWN for text in texts)
    return (
        f'<tr{anchor}><td>{named}</td><td><span class="lb-sign lb-{kind}" aria-hidden="true">'
        f"{sign}</span> {escaped(row['verdict'])}</td><td>{runs}</td>"
        f'<td>{value}</td><td>{limit}</td><td class="lb-name">{reason}</td>'
        f'<td class="lb-code">{place}</td><td class="lb-name">{judged}</td></tr>'
    )


def _passed_html(page: Page, states: Sequence[Mapping[str, Any]]) -> str:
    passed = [row for row in states if row["state"] == "pass"]
    if not passed:
        return ""
    names = ", ".join(_rule_link(page, row) for row in passed)
    word = "rule" if len(passed) == 1 else "rules"
    return f"<details><summary>Passes {len(passed)} other {word}</summary><p>{names}</p></details>"


def _rule_link(page: Page, row: Mapping[str, Any]) -> str:
    name, address = escaped(row["rule"]), page.links.rule(row)
    return f'<a href="{escaped(address)}"><code>{name}</code></a>' if address else name
