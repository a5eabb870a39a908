"""Blocks of one page: figures, tables and the footnote that follows from what they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from reports.catalogue import Figure, Listing, figures, listings, placed
from reports.footnotes import Shown, footnote
from reports.links import Links
from reports.rendering import figure_block
from reports.slugs import unique_slugs
from reports.tables import TableStyle, html_table
from reports.text import escaped, escaped_markdown
from warehouse.database import fetch_frame
from warehouse.relations import identifier

_PARAMETER = re.compile(r"\$([a-z_]+)")
_PLACEHOLDER = re.compile(r'<div data-block="(\d+)"></div>')
_RESULT = {"round", "division", "benchmark", "verification"}


class SiteError(Exception):
    """The site cannot be built; the message says why and what to do, in one line."""


@dataclass(frozen=True)
class Source:
    """What pages are made from: an open database, figures and tables, the folder to fill."""

    connection: duckdb.DuckDBPyConnection
    folder: Path
    links: Links
    figures: Mapping[str, Figure]
    listings: Mapping[str, Listing]
    collections: Mapping[str, Mapping[str, Any]]
    titles: Mapping[str, str]
    quality: Mapping[str, Any] | None = None
    stems: dict[tuple[str, ...], str] = field(default_factory=dict)
    blocks: list[str] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        connection: duckdb.DuckDBPyConnection,
        folder: Path,
        quality: Mapping[str, Any] | None = None,
    ) -> Source:
        """Everything a build needs from an open database, and what the gate found in it."""
        _snapshot(connection)
        titles = connection.execute(
            "SELECT DISTINCT coalesce(benchmark, ''), benchmark_title FROM score ORDER BY ALL"
        )
        benchmarks = {
            name: title or name or "benchmark not known" for name, title in titles.fetchall()
        }
        collections = fetch_frame(connection, "SELECT * FROM collection").to_dicts()
        return cls(
            connection=connection,
            folder=folder,
            links=_links(connection, benchmarks),
            figures=figures(),
            listings=listings(),
            titles=benchmarks,
            collections={row["collection"]: row for row in collections},
            quality=quality,
        )

    def frame(self, view: str, parameters: Mapping[str, Any], name: str) -> pl.DataFrame:
        """Rows of some SQL, with the parameters it names; errors say `name`."""
        names = set(_PARAMETER.findall(view))
        if missing := names - parameters.keys():
            raise SiteError(
                f"{name}: parameter {sorted(missing)[0]} is not given; write it as name=value"
            )
        try:
            return fetch_frame(self.connection, view, {part: parameters[part] for part in names})
        except duckdb.Error as error:
            raise SiteError(f"{name}: its SQL fails: {str(error).splitlines()[0]}") from error

    def stem(self, name: str, parameters: Mapping[str, Any]) -> str:
        """File name for a figure with these parameters; two different ones never share a name."""
        key = (name, *(f"{part}={value}" for part, value in sorted(parameters.items())))
        if key not in self.stems:
            wanted = "-".join([name, *(str(value) for value in parameters.values())])
            self.stems[key] = unique_slugs([(key, wanted)], self.stems.values())[key]
        return self.stems[key]

    def placeholder(self, block: str) -> str:
        """A short element for the Markdown; `filled` puts the block in its place.

        Blocks are long: Markdown and the search index would parse every cell for nothing.
        """
        self.blocks.append(block)
        return f'<div data-block="{len(self.blocks) - 1}"></div>'

    def filled(self, html: str) -> str:
        """A rendered page with the blocks in their places."""
        return _PLACEHOLDER.sub(lambda match: self.blocks[int(match[1])], html)


def _links(connection: duckdb.DuckDBPyConnection, benchmarks: Iterable[str]) -> Links:
    """Names of the pages of everything in the database that has one."""

    def rows(query: str) -> list[tuple[Any, ...]]:
        return connection.execute(query).fetchall()

    systems = rows(
        "SELECT DISTINCT collection, round, organization, system FROM score "
        "UNION SELECT DISTINCT collection, round, organization, system FROM system_scale"
    )
    links = Links.of(
        benchmarks,
        [tuple(str(part or "") for part in row) for row in systems],  # type: ignore[misc]
        rows("SELECT DISTINCT collection, system FROM fio_result"),
        rows("SELECT DISTINCT collection, system, series FROM fio_series"),
        rows("SELECT DISTINCT collection, system FROM nccl_run"),
    )
    return links.with_verdicts(
        fetch_frame(connection, "FROM result_set").to_dicts(),
        [ladder for (ladder,) in rows("SELECT DISTINCT ladder FROM scaling_base")],
        [rule for (rule,) in rows("SELECT rule FROM rule")],
    )


def _snapshot(connection: duckdb.DuckDBPyConnection) -> None:
    """Compute every view once: hundreds of pages ask for parts of the same ones.

    Temporary tables stand before views of the same name, and a read-only database allows them.
    """
    # with several threads, rows and values that tie come in another order each time
    connection.execute("SET threads = 1")
    views = "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY view_name"
    for (name,) in connection.execute(views).fetchall():
        view = identifier(name)
        connection.execute(f"CREATE TEMP TABLE {view} AS FROM main.{view}")


@dataclass
class Page:
    """One page being written: its `path`, 'benchmarks/x.md', and what its blocks have shown."""

    source: Source
    path: str
    shown: set[Shown] = field(default_factory=set)

    @property
    def links(self) -> Links:
        """Addresses as seen from this page."""
        return self.source.links.at(self.path)

    def figure(self, name: str, **parameters: Any) -> str:
        """HTML of a figure and its files; a sentence where there is no row."""
        figure = self._named(self.source.figures, "figure", name)
        frame = self._rows(figure, parameters)
        if frame.is_empty():
            return _nothing(figure.title, "No data for this figure yet.")
        stem = self.source.stem(name, parameters)
        file = self.source.folder / "figures" / stem
        return self.source.placeholder(
            figure_block(figure, frame, file, self.links, hidden=parameters)
        )

    def listing(self, name: str, **parameters: Any) -> str:
        """HTML of a table; a sentence where there is no row."""
        listing = self._named(self.source.listings, "listing", name)
        frame = self._rows(listing, parameters)
        if frame.is_empty():
            return _nothing(listing.title, listing.empty)
        style = TableStyle(listing.headings, {*listing.hidden, *parameters}, listing.is_filterable)
        table = html_table(frame, listing.title, self.links, style)
        return self.source.placeholder(table)

    def placed_figures(self, place: str, lacking: str, **parameters: Any) -> Iterator[str]:
        """HTML of each figure of a place that has rows; those without are named after `lacking`."""
        missing = []
        for figure in placed(self.source.figures, place):
            if self.source.frame(figure.view, parameters, figure.name).is_empty():
                missing.append(figure.title)
            else:
                yield self.figure(figure.name, **parameters)
        if missing:
            said = escaped("; ".join(missing))
            yield f'<p class="lb-empty"><strong>{escaped(lacking)}:</strong> {said}.</p>'

    def placed_listings(self, place: str, level: str, **parameters: Any) -> Iterator[str]:
        """A heading, '##' or deeper, and the table for each listing of a place."""
        for listing in placed(self.source.listings, place):
            yield f"{level} {escaped_markdown(listing.title)}"
            yield self.listing(listing.name, **parameters)

    def footnote(self) -> str:
        """The footnote for all results shown so far; '' if there were none."""
        note = footnote(self.shown, self.source.collections)
        return self.source.placeholder(note) if note else ""

    def _rows(self, item: Figure | Listing, parameters: Mapping[str, Any]) -> pl.DataFrame:
        frame = self.source.frame(item.view, parameters, f"{self.path}: {item.name}")
        if set(frame.columns) >= _RESULT:
            wanted = [name for name in Shown.__dataclass_fields__ if name in frame.columns]
            # what has no verification is no result: a reference beside the results
            results = frame.filter(pl.col("verification").is_not_null())
            rows = results.select(wanted).unique().to_dicts()
            self.shown.update(Shown.of(self._titled(row)) for row in rows)
        return frame

    def _titled(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {**row, "benchmark": self.source.titles.get(row["benchmark"] or "")}

    def _named(self, items: Mapping[str, Any], word: str, name: str) -> Any:
        if name not in items:
            raise SiteError(
                f"{self.path}: there is no {word} {name!r}; there are {', '.join(items)}"
            )
        return items[name]


def _nothing(title: str, why: str) -> str:
    return f'<p class="lb-empty"><strong>{escaped(title)}.</strong> {escaped(why)}</p>'
