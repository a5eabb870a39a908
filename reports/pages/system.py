"""One page per system of a round: description, results, family, runs, hyperparameters."""

from __future__ import annotations

from collections.abc import Iterator

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.markers import with_footnote
from reports.text import escaped_markdown

FOLDER = "systems"
# hundreds of systems in the navigation would make every page heavy; the index page lists them
IN_NAVIGATION = False

_KEY = ("collection", "round", "organization", "system")


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every system."""
    for key, name in source.links.systems.items():
        page = Page(source, f"{FOLDER}/{name}.md")
        parameters = dict(zip(_KEY, key, strict=True))
        title = f"{parameters['organization']} {parameters['system']}".strip() or "System not known"
        yield name, title, with_footnote(_markdown(page, title, parameters), page)


def _markdown(page: Page, title: str, parameters: dict[str, str]) -> str:
    collection = parameters["collection"]
    where = f", {collection}" if collection else ""
    parts = [
        f"# {escaped_markdown(title)}",
        escaped_markdown(f"Round {parameters['round'] or 'not known'}{where}"),
    ]
    for figure in placed(page.source.figures, "system"):
        parts.append(page.figure(figure.name, **parameters))
    for listing in placed(page.source.listings, "system"):
        parts += [f"## {escaped_markdown(listing.title)}", page.listing(listing.name, **parameters)]
    return "\n\n".join(parts)
