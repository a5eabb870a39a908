"""One page per benchmark, a chapter per round and division."""

from __future__ import annotations

from collections.abc import Iterator

from reports.blocks import Page, Source
from reports.catalogue import placed
from reports.markers import with_footnote
from reports.text import escaped_markdown

FOLDER = "benchmarks"
# benchmarks are few: all of them stand in the navigation
IN_NAVIGATION = True

_CHAPTERS = """
SELECT DISTINCT coalesce(round, '') AS round, coalesce(division, '') AS division
FROM score
WHERE coalesce(benchmark, '') = $benchmark
ORDER BY round DESC, division
"""


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every benchmark."""
    for benchmark, name in source.links.benchmarks.items():
        page = Page(source, f"{FOLDER}/{name}.md")
        title = source.titles[benchmark]
        yield name, title, with_footnote(_markdown(page, benchmark, title), page)


def _markdown(page: Page, benchmark: str, title: str) -> str:
    chapters = page.source.frame(_CHAPTERS, {"benchmark": benchmark}, page.path).to_dicts()
    parts = [f"# {escaped_markdown(title)}"]
    for chapter in chapters:
        parts += [
            _heading(chapter["round"], chapter["division"]),
            *_chapter(page, {"benchmark": benchmark, **chapter}),
        ]
    return "\n\n".join(parts)


def _heading(release: str, division: str) -> str:
    parts = (release or "round not known", f"{division or 'unknown'} division")
    return f"## {escaped_markdown(', '.join(parts))}"


def _chapter(page: Page, parameters: dict[str, str]) -> Iterator[str]:
    for figure in placed(page.source.figures, "benchmark"):
        yield page.figure(figure.name, **parameters)
    for listing in placed(page.source.listings, "benchmark"):
        yield f"### {escaped_markdown(listing.title)}"
        yield page.listing(listing.name, **parameters)
