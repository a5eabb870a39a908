"""Markdown pages become the site: MkDocs in strict mode, in this process, without any request."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reports.blocks import SiteError

# The date in sitemaps and archives: fixed, so that the same database gives the same bytes.
_ENVIRONMENT = {
    "SOURCE_DATE_EPOCH": "1640995200",
    "NO_MKDOCS_2_WARNING": "1",
    "DISABLE_MKDOCS_2_WARNING": "true",
}


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)


class _Warnings(logging.Handler):
    """Keeps what MkDocs warns about, for the error's text."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage().splitlines()[0])


@contextmanager
def _warnings() -> Iterator[_Warnings]:
    log, handler = logging.getLogger("mkdocs"), _Warnings()
    propagates, log.propagate = log.propagate, False
    log.addHandler(handler)
    try:
        yield handler
    finally:
        log.removeHandler(handler)
        log.propagate = propagates


def extended_nav(nav: Sequence[Any], pages: Mapping[str, Sequence[tuple[str, str]]]) -> list[Any]:
    """The navigation with generated pages, (title, path), after their folder's index page."""
    extended: list[Any] = []
    for item in nav:
        title, target = next(iter(item.items())) if isinstance(item, dict) else (None, item)
        if isinstance(target, list):
            extended.append({title: extended_nav(target, pages)})
            continue
        extended.append(item)
        folder = str(target).removesuffix("/index.md")
        extended += [{name: path} for name, path in pages.get(folder, ())]
    return extended


def render(
    config_file: Path, pages: Path, site: Path, nav_pages: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    """Render the Markdown tree `pages` to `site`; a warning of MkDocs is a SiteError."""
    with _environment(_ENVIRONMENT), _warnings() as warnings:
        from mkdocs.commands.build import build
        from mkdocs.config import load_config
        from mkdocs.exceptions import MkDocsException

        try:
            config = load_config(
                str(config_file), docs_dir=str(pages), site_dir=str(site), strict=True
            )
            config.nav = extended_nav(config.nav or [], nav_pages)
            config.plugins.on_startup(command="build", dirty=False)
            try:
                build(config)
            finally:
                config.plugins.on_shutdown()
        except (MkDocsException, SystemExit) as error:
            reason = "; ".join(warnings.lines) or str(error)
            raise SiteError(f"MkDocs refused the pages: {reason}") from error
