"""One page per family, division and benchmark: hyperparameters across its node counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.hyperparameter_table import comparison_html, grades, legend_html
from reports.markers import with_footnote
from reports.text import escaped_markdown

FOLDER = "hyperparameters"
# a round has dozens: the page about hyperparameters lists them
IN_NAVIGATION = False

_MEMBERS = """
SELECT b.*, s.collection, s.round, s.division, s.organization, s.system, s.benchmark,
    s.benchmark_title, s.verification, s.kind
FROM scaling_base AS b JOIN result_set AS s ON s.result_set = b.result_set
WHERE b.ladder = $ladder
ORDER BY b.scale, s.collection, s.system, b.result_set
"""
_VALUES = """
SELECT k.result_set, k.key, k.value, k.role, k.path, k.line
FROM hyperparameter_kind AS k JOIN scaling_base AS b ON b.result_set = k.result_set
WHERE b.ladder = $ladder
"""
_DIFFERENCES = """
SELECT d.*, o.system AS other_system FROM hyperparameter_difference AS d
JOIN scaling_base AS b ON b.result_set = d.result_set
LEFT JOIN result_set AS o ON o.result_set = d.other_set
WHERE b.ladder = $ladder
ORDER BY d.result_set, d.key, NOT d.is_base, o.system, d.value
"""


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every family and benchmark with several node counts."""
    for ladder, name in source.links.ladders.items():
        page = Page(source, f"{FOLDER}/{name}.md")
        key = {"ladder": ladder}
        members = source.frame(_MEMBERS, key, page.path).to_dicts()
        if not members:
            continue
        title = _title(members[0])
        yield name, title, with_footnote(_markdown(page, title, members, key), page)


def _title(member: Mapping[str, Any]) -> str:
    benchmark = member["benchmark_title"] or member["benchmark"] or "benchmark not known"
    words = (member["round"], "" if member["division"] == "closed" else member["division"])
    where = ", ".join(word for word in words if word)
    return f"{member['family']}, {benchmark}{f' ({where})' if where else ''}: hyperparameters"


def _markdown(
    page: Page, title: str, members: Sequence[Mapping[str, Any]], key: Mapping[str, str]
) -> str:
    values = {
        (row["result_set"], row["key"]): row
        for row in page.source.frame(_VALUES, key, page.path).to_dicts()
    }
    differences = page.source.frame(_DIFFERENCES, key, page.path).to_dicts()
    table = comparison_html(
        members, values, grades(members, values, differences), page.links, title
    )
    parts = [
        f"# {escaped_markdown(title)}",
        "Each value is held against the base, the smallest node count of the family, and at equal "
        "batch size against other node counts. Where a result set logs several values for a key, "
        "the most frequent one stands here.",
        page.source.placeholder(legend_html()),
        page.source.placeholder(table),
    ]
    for listing in placed(page.source.listings, "hyperparameters"):
        parts += [f"## {escaped_markdown(listing.title)}", page.listing(listing.name, **key)]
    return "\n\n".join(parts)
