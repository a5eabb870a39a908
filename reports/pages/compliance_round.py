"""One page per round with its compliance matrix, where one page for all would be too heavy."""

from __future__ import annotations

from collections.abc import Iterator

from reports.blocks import Page, Source
from reports.compliance_matrix import has_own_pages, legend_html, matrix_html, round_pages
from reports.text import escaped_markdown

FOLDER = "matrix"
IN_NAVIGATION = False


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every round; none where they share a page."""
    if not has_own_pages(source):
        return
    for release, name, title in round_pages(source):
        page = Page(source, f"{FOLDER}/{name}.md")
        matrix = page.source.placeholder(legend_html() + matrix_html(page, release))
        said = f"Compliance matrix, {title[0].lower()}{title[1:]}"
        yield name, said, f"# {escaped_markdown(said)}\n\n{matrix}\n"
