"""Hand-written Markdown asks for blocks with markers such as `<!-- figure resnet_scaling -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from reports.blocks import Page
from reports.compliance_matrix import legend_html, matrices_html
from reports.downloads import downloads_html
from reports.quality_block import quality_html


def _downloads(page: Page) -> str:
    return downloads_html(page.source.connection, page.source.folder, page.links)


# blocks that there is one of
_BLOCKS: Mapping[str, Callable[[Page], str]] = {
    "downloads": _downloads,
    "compliance_legend": lambda _: legend_html(),
    "compliance_matrix": matrices_html,
    "quality": quality_html,
}
_MARKER = re.compile(
    rf"^<!-- (figure|listing|{'|'.join(_BLOCKS)})(?: ([a-z0-9_]+))?((?: [a-z_]+=\S+)*) -->$",
    re.MULTILINE,
)


def expanded(markdown: str, page: Page) -> str:
    """The Markdown with its markers replaced by blocks, and the footnote for what they show."""

    def block(match: re.Match[str]) -> str:
        kind, name, words = match.groups()
        if kind in _BLOCKS:
            return page.source.placeholder(_BLOCKS[kind](page))
        parameters = dict(word.split("=", 1) for word in words.split())
        return (
            page.figure(name, **parameters)
            if kind == "figure"
            else page.listing(name, **parameters)
        )

    text = _MARKER.sub(block, markdown)
    return with_footnote(text, page)


def with_footnote(markdown: str, page: Page) -> str:
    """The Markdown followed by the footnote of the results that the page has shown."""
    note = page.footnote()
    return f"{markdown.rstrip()}\n\n{note}\n" if note else markdown
