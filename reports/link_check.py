"""Broken links in a folder of HTML pages; MkDocs' own strict mode does not look into raw HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADS = {
    ("script", "src"),
    ("img", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}
# only these tags are parsed: pages hold tables of ten thousand cells without a link
_LINKING = re.compile(r"<[a-zA-Z][^<>]*\b(?:href|src|data|id|name)\s*=[^<>]*>")
# <link rel=...> that only names a page and loads nothing
_NAMES_ONLY = {"canonical", "prev", "next", "alternate"}


@dataclass(frozen=True)
class BrokenLink:
    """A link that leads nowhere, or a file that the page would load from another host."""

    page: str
    link: str
    reason: str

    def __str__(self) -> str:
        return f"{self.page}: {self.link}: {self.reason}"


@dataclass
class _Reader(HTMLParser):
    """Collects the links, what the page loads, and the names that a link may point at."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        self.names.update(values[name] for name in ("id", "name") if name in values)
        for name in ("href", "src", "data"):
            if name in values:
                is_load = (tag, name) in _LOADS and values.get("rel") not in _NAMES_ONLY
                (self.loads if is_load else self.links).append(values[name])


def _read(page: Path) -> _Reader:
    reader = _Reader()
    reader.feed("".join(_LINKING.findall(page.read_text(encoding="utf-8"))))
    reader.close()
    return reader


def broken_links(site: Path) -> list[BrokenLink]:
    """Every link and loaded file of the pages of `site` that cannot work offline."""
    read = cache(_read)
    found = []
    for page in sorted(site.rglob("*.html")):
        name = page.relative_to(site).as_posix()
        # 404.html is shown at any address, so its links are absolute
        if name != "404.html":
            found += [
                BrokenLink(name, link, why) for link, why in _problems(page, read(page), site, read)
            ]
    return found


def _problems(
    page: Path, reader: _Reader, site: Path, read: Callable[[Path], _Reader]
) -> Iterator[tuple[str, str]]:
    for link in dict.fromkeys(reader.loads):
        if urlsplit(link).netloc:
            yield link, "is loaded from another host"
    for link in dict.fromkeys(reader.links + reader.loads):
        parts = urlsplit(link)
        if (
            not parts.scheme
            and not parts.netloc
            and (why := _why_broken(page, parts.path, parts.fragment, site, read))
        ):
            yield link, why


def _why_broken(
    page: Path, path: str, fragment: str, site: Path, read: Callable[[Path], _Reader]
) -> str | None:
    """None for a link that works; `read` gives the names of a page."""
    target = (page.parent / unquote(path)).resolve() if path else page.resolve()
    if target.is_dir():
        target = target / "index.html"
    if not target.is_relative_to(site.resolve()):
        return "leads out of the site"
    if not target.is_file():
        return "there is no such file"
    if fragment and target.suffix == ".html" and unquote(fragment) not in read(target).names:
        return "there is no such place on the page"
    return None
