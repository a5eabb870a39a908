"""One page per series of a storage system, a chapter per direction: figures and tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reports.blocks import Page, Source
from reports.markers import with_footnote
from reports.text import escaped, escaped_markdown

FOLDER = "storage_series"
# a system has a series for every job file: the page of the system lists them
IN_NAVIGATION = False

_CHAPTERS = """
SELECT direction, rw, fixed_options, versions, verdict FROM fio_series
WHERE collection = $collection AND system = $system AND series = $series
ORDER BY direction
"""


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every series of every storage system."""
    for (collection, system, series), name in source.links.storage_series.items():
        page = Page(source, f"{FOLDER}/{name}.md")
        key = {"collection": collection, "system": system, "series": series}
        title = f"{series} on {system}"
        yield name, title, with_footnote(_markdown(page, title, key), page)


def _markdown(page: Page, title: str, key: dict[str, str]) -> str:
    row = {"collection": key["collection"], "storage_system": key["system"]}
    back = escaped(page.links.storage_system(row) or "")
    parts = [
        f"# {escaped_markdown(title)}",
        f'<p>A series of <a href="{back}">{escaped(key["system"])}</a>.</p>',
    ]
    for chapter in page.source.frame(_CHAPTERS, key, page.path).to_dicts():
        parts += _chapter(page, chapter, {**key, "direction": chapter["direction"]})
    return "\n\n".join(parts)


def _chapter(page: Page, chapter: dict[str, Any], parameters: dict[str, str]) -> Iterator[str]:
    yield f"## {escaped_markdown(chapter['direction'].capitalize())}"
    yield _introduction(chapter)
    yield from page.placed_figures(FOLDER, "Not measured in this series", **parameters)
    yield from page.placed_listings(FOLDER, "###", **parameters)


def _introduction(chapter: dict[str, Any]) -> str:
    """What is the same at all points, with which fio, and what the curve along the jobs shows."""
    verdict = f"Along the jobs: {escaped(chapter['verdict'])}. " if chapter["verdict"] else ""
    options = chapter["fixed_options"] or "not known"
    return (
        f"<p>{verdict}Pattern {escaped(chapter['rw'] or 'not known')}, "
        f"{escaped(chapter['versions'] or 'fio version not known')}. The same at all points: "
        f"<code>{escaped(options)}</code></p>"
    )
