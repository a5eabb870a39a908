"""One page per storage system of a collection: description, series, results, sizing, findings."""

from __future__ import annotations

from collections.abc import Iterator

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.links import titles
from reports.markers import with_footnote
from reports.text import escaped_markdown

FOLDER = "storage"
IN_NAVIGATION = True


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every storage system."""
    names = source.links.storage_systems
    for (collection, system), title in titles(names).items():
        name = names[collection, system]
        page = Page(source, f"{FOLDER}/{name}.md")
        yield name, title, with_footnote(_markdown(page, title, collection, system), page)


def _markdown(page: Page, title: str, collection: str, system: str) -> str:
    parameters = {"collection": collection, "system": system}
    parts = [f"# {escaped_markdown(title)}"]
    for figure in placed(page.source.figures, "storage_system"):
        parts.append(page.figure(figure.name, **parameters))
    return "\n\n".join([*parts, *page.placed_listings("storage_system", "##", **parameters)])
