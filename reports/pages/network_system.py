"""One page per network system of a collection: a chapter per collective, runs, points, findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reports.blocks import Page, Source
from reports.links import titles
from reports.markers import with_footnote
from reports.text import escaped, escaped_markdown

FOLDER = "network"
IN_NAVIGATION = True

_CHAPTERS = """
SELECT coalesce(collective, '') AS collective,
    count(*) AS runs, count(*) FILTER (status = 'success') AS complete,
    bool_or(is_nvls) AS is_nvls, bool_or(is_sharp) AS is_sharp,
    string_agg(DISTINCT network, ', ' ORDER BY network) AS networks
FROM nccl_run
WHERE collection = $collection AND system = $system AND is_counted
GROUP BY coalesce(collective, '')
ORDER BY coalesce(collective, '') <> 'all_reduce', coalesce(collective, '')
"""

_UNASSIGNED = (
    "<p>Nobody has said which systems these runs are of: a line may mix several. Put a "
    "<code>source.toml</code> beside the outputs, or load them with <code>--system</code>.</p>"
)


def pages(source: Source) -> Iterator[tuple[str, str, str]]:
    """(page name, title, Markdown) of every system with runs of nccl-tests."""
    names = source.links.network_systems
    for (collection, system), title in titles(names).items():
        page = Page(source, f"{FOLDER}/{names[collection, system]}.md")
        key = {"collection": collection, "system": system}
        yield names[collection, system], title, with_footnote(_markdown(page, title, key), page)


def _markdown(page: Page, title: str, key: dict[str, str]) -> str:
    parts = [f"# {escaped_markdown(title)}"]
    if key["system"] == "unassigned":
        parts.append(_UNASSIGNED)
    for chapter in page.source.frame(_CHAPTERS, key, page.path).to_dicts():
        parts += _chapter(page, chapter, key)
    parts += page.placed_listings("network_system", "##", **key)
    return "\n\n".join(parts)


def _chapter(page: Page, chapter: dict[str, Any], key: dict[str, str]) -> Iterator[str]:
    collective = chapter["collective"]
    yield f"## {escaped_markdown(collective or 'Collective not known')}"
    yield _introduction(chapter)
    parameters = {**key, "collective": collective}
    yield from page.placed_figures("network_collective", "Not measured here", **parameters)


def _introduction(chapter: dict[str, Any]) -> str:
    """How many runs there are, and what the outputs say of the network."""
    runs, complete = chapter["runs"], chapter["complete"]
    said = [f"{runs} run{'' if runs == 1 else 's'}, {complete} of them complete."]
    if chapter["networks"]:
        said.append(f"NCCL says that it uses {escaped(chapter['networks'])}.")
    for column, words in (("is_nvls", "NVLink SHARP (NVLS)"), ("is_sharp", "SHARP")):
        if chapter[column]:
            said.append(f"The output shows {words}: the switch adds up.")
    return f"<p>{' '.join(said)}</p>"
