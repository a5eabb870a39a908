"""One page per rule, made from its file: what it asks, what it rests on, its SQL, its findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.markers import with_footnote
from reports.text import escaped, escaped_markdown
from reports.verdicts import chip
from warehouse.rules import rules

FOLDER = "rules"
# the table of rules lists them, and every finding leads to its rule
IN_NAVIGATION = False

_RULE = "FROM rule WHERE rule = $rule"
# shown even where there is none
_ALWAYS = "rule_findings"
_FIELDS = (
    ("applies_to", "Applies to"),
    ("basis", "Rests on"),
    ("why", "Why it matters"),
    ("remedy", "What to do"),
    ("false_positives", "When it is wrong"),
)


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every rule."""
    queries = {rule.name: rule.query for rule in rules()}
    for name in sorted(source.links.rules):
        page = Page(source, f"{FOLDER}/{name}.md")
        rule = source.frame(_RULE, {"rule": name}, page.path).to_dicts()[0]
        markdown = _markdown(page, rule, queries.get(name, ""))
        yield name, rule["title"], with_footnote(markdown, page)


def _markdown(page: Page, rule: Mapping[str, Any], query: str) -> str:
    parts = [f"# {escaped_markdown(rule['title'])}", page.source.placeholder(_description(rule))]
    for listing in placed(page.source.listings, "rule"):
        frame = page.source.frame(listing.view, {"rule": rule["rule"]}, listing.name)
        if listing.name == _ALWAYS or not frame.is_empty():
            parts += [
                f"## {escaped_markdown(listing.title)}",
                page.listing(listing.name, rule=rule["rule"]),
            ]
    if query:
        code = page.source.placeholder(f'<pre class="lb-sql"><code>{_code(query)}</code></pre>')
        parts += ["## How it is asked", "Each row that this query gives is a finding.", code]
    return "\n\n".join(parts)


def _description(rule: Mapping[str, Any]) -> str:
    severity = rule["severity"]
    graded = " decided for each row by the query below" if severity == "graded" else ""
    fields = "".join(
        f"<div><dt>{word}</dt><dd>{escaped(rule[name])}</dd></div>" for name, word in _FIELDS
    )
    return (
        f"<p>{chip(severity)}{graded} <code>{escaped(rule['rule'])}</code></p>"
        f'<dl class="lb-fields">{fields}</dl>'
    )


def _code(query: str) -> str:
    """The query with its line ends kept."""
    return "\n".join(
        " " * (len(line) - len(line.lstrip())) + escaped(line) for line in query.split("\n")
    )
