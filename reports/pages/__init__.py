"""The site: hand-written pages, generated pages, rendered and checked.

A kind of generated page is a module of this folder, found by listing, with FOLDER,
IN_NAVIGATION and `pages(source)`.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from reports.blocks import Page, SiteError, Source
from reports.link_check import broken_links
from reports.markers import expanded
from reports.mkdocs_site import render
from reports.rendering import chart_libraries
from reports.text import escaped
from reports.theme import theme_script

__all__ = ["SiteError", "build"]

NavPages = dict[str, list[tuple[str, str]]]


def build(
    database: Path,
    out: Path,
    site_source: Path,
    mkdocs_config: Path,
    quality: dict[str, Any] | None = None,
) -> Path:
    """Write `out`/pages and `out`/site from a database and hand-written pages.

    `quality` is what the gate found (Quality.as_dict), None where it was not asked. Gives the path
    of the site; raises SiteError, one line, for a wrong page or a broken link.
    """
    from warehouse.database import connect

    pages, site = out.resolve() / "pages", out.resolve() / "site"
    connection = connect(database, read_only=True)
    try:
        _empty(pages)
        shutil.copytree(site_source, pages, dirs_exist_ok=True)
        source = Source.of(connection, pages, quality)
        _expand_markers(source)
        nav_pages = _write_generated(source)
    finally:
        connection.close()
    _write_assets(pages / "assets")
    if quality is not None:
        text = json.dumps(quality, indent=1) + "\n"
        (pages / "quality.json").write_text(text, encoding="utf-8")
    render(mkdocs_config, pages, site, nav_pages)
    _fill_blocks(source, site)
    _check(site)
    return site


def _empty(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def _expand_markers(source: Source) -> None:
    """Replace the markers in the copies of the hand-written pages."""
    for file in sorted(source.folder.rglob("*.md")):
        page = Page(source, file.relative_to(source.folder).as_posix())
        file.write_text(expanded(file.read_text(encoding="utf-8"), page), encoding="utf-8")


def _kinds() -> Iterator[ModuleType]:
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        yield importlib.import_module(f"{__name__}.{module.name}")


def _write_generated(source: Source) -> NavPages:
    """Write the pages of every kind; gives those that belong into the navigation, by folder."""
    nav_pages: NavPages = {}
    for kind in _kinds():
        folder = source.folder / kind.FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for name, title, markdown in kind.pages(source):
            (folder / f"{name}.md").write_text(
                _front_matter(title, kind.IN_NAVIGATION) + markdown, encoding="utf-8"
            )
            if kind.IN_NAVIGATION:
                nav_pages.setdefault(kind.FOLDER, []).append(
                    (escaped(title), f"{kind.FOLDER}/{name}.md")
                )
    return nav_pages


def _front_matter(title: str, is_listed: bool) -> str:
    """A title that the theme may put into HTML as it is; no room for a list it is not in."""
    hidden = "" if is_listed else "hide: [navigation]\n"
    return f"---\ntitle: {json.dumps(escaped(title))}\n{hidden}---\n\n"


def _write_assets(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vega.js").write_text(chart_libraries(), encoding="utf-8")
    (folder / "theme.js").write_text(theme_script(), encoding="utf-8")


def _fill_blocks(source: Source, site: Path) -> None:
    for file in sorted(site.rglob("*.html")):
        file.write_text(source.filled(file.read_text(encoding="utf-8")), encoding="utf-8")


def _check(site: Path) -> None:
    broken = broken_links(site)
    if broken:
        more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
        raise SiteError(
            f"broken link in {broken[0]}{more}; correct the page or the link and build again"
        )
