"""One page per storage system of a collection: description, series, results, sizing, findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.markers import with_footnote
from reports.text import escaped_markdown

FOLDER = "storage"
IN_NAVIGATION = True


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every storage system."""
    keys = source.links.storage_systems
    homes = Counter(system for _, system in keys)
    for (collection, system), name in keys.items():
        page = Page(source, f"{FOLDER}/{name}.md")
        is_repeated = homes[system] > 1 and collection
        title = f"{system} [{collection}]" if is_repeated else system
        yield name, title, with_footnote(_markdown(page, title, collection, system), page)


def _markdown(page: Page, title: str, collection: str, system: str) -> str:
    parameters = {"collection": collection, "system": system}
    parts = [f"# {escaped_markdown(title)}"]
    for figure in placed(page.source.figures, "storage_system"):
        parts.append(page.figure(figure.name, **parameters))
    for listing in placed(page.source.listings, "storage_system"):
        parts += [f"## {escaped_markdown(listing.title)}", page.listing(listing.name, **parameters)]
    return "\n\n".join(parts)
