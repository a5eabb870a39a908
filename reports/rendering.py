"""A chart becomes files and a block of HTML that draws it without any request to another host."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from reports.catalogue import Figure
from reports.links import Links
from reports.tables import TableStyle, html_table
from reports.text import escaped
from reports.theme import Scheme, chart_config

STILL_WIDTH = 680
LONGEST_TABLE = 200
# what the page's own script needs of the libraries
_EXPOSED = "window.vegaEmbed = vegaEmbed;"
_SIZE = re.compile(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True)
class Still:
    """A drawn figure: its SVG text and size in pixels."""

    svg: str
    width: int
    height: int


def specification(figure: Figure, frame: pl.DataFrame) -> dict[str, Any]:
    """The figure's Vega-Lite specification with its data and alternative text, without colours."""
    from altair.vegalite import SCHEMA_VERSION

    spec: dict[str, Any] = figure.chart(frame).to_dict(validate=False)
    spec.pop("config", None)
    spec["$schema"] = f"https://vega.github.io/schema/vega-lite/{SCHEMA_VERSION}.json"
    return spec | {"description": figure.alt_text(frame)}


def vega_lite_version() -> str:
    """Version of Vega-Lite, major and minor, that the charts are written for."""
    from altair.vegalite import SCHEMA_VERSION

    return ".".join(SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def still(spec: Mapping[str, Any], scheme: Scheme) -> Still:
    """The specification drawn as SVG in one colour scheme."""
    import vl_convert

    fixed = {**spec, "width": STILL_WIDTH} if spec.get("width") == "container" else dict(spec)
    svg = vl_convert.vegalite_to_svg(
        fixed, vl_version=vega_lite_version(), config=chart_config(scheme)
    )
    size = _SIZE.search(svg)
    width, height = (round(float(part)) for part in size.groups()) if size else (STILL_WIDTH, 300)
    return Still(svg, width, height)


@cache
def chart_libraries() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script without outside dependencies."""
    import vl_convert

    return vl_convert.javascript_bundle(_EXPOSED, vl_version=vega_lite_version())


def _json_text(spec: Mapping[str, Any]) -> str:
    """JSON as text of a template element; instant navigation would run a script element."""
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return html.escape(text, quote=False)


def _labels(frame: pl.DataFrame) -> str:
    """Chips that say which kinds of data the figure shows: 'reconstructed', 'unverified'."""
    shown = [
        word
        for column, word in (("kind", "reconstructed"), ("verification", "unverified"))
        if column in frame.columns and frame.filter(pl.col(column) == word).height
    ]
    return "".join(f' <span class="lb-chip lb-{word}">{word}</span>' for word in shown)


def _notes(frame: pl.DataFrame) -> str:
    """What is not like for like in the figure, and why it is printed nevertheless."""
    if "is_like_for_like" not in frame.columns:
        return ""
    rows = frame.to_dicts()
    lines = dict.fromkeys([*map(_note, rows), *(row.get("footnote") or "" for row in rows)])
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines if line)
    return f'<ul class="lb-notes">{items}</ul>' if items else ""


def _note(row: Mapping[str, Any]) -> str:
    """'* system, benchmark: not like for like: what differs', '' for a row that is."""
    if row["is_like_for_like"]:
        return ""
    is_known = row["is_like_for_like"] is not None
    verdict = "not like for like" if is_known else "not known if like for like"
    name = ", ".join(row[part] for part in ("system", "benchmark", "test") if row.get(part))
    return ": ".join(part for part in (f"* {name}", verdict, row["note"]) if part)


def figure_block(
    figure: Figure, frame: pl.DataFrame, file: Path, links: Links, hidden: Iterable[str] = ()
) -> str:
    """Write `file`.svg, -dark.svg and .csv, and give one line of HTML that shows them.

    The columns `hidden` are left out of the table of data, because the page says them.
    """
    spec = specification(figure, frame)
    light, dark = still(spec, "light"), still(spec, "dark")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_name(f"{file.name}.svg").write_text(light.svg, encoding="utf-8")
    file.with_name(f"{file.name}-dark.svg").write_text(dark.svg, encoding="utf-8")
    frame.write_csv(file.with_name(f"{file.name}.csv"))
    address, said = f"{links.root}figures/{file.name}", escaped(spec["description"])
    size = f'width="{light.width}" height="{light.height}" loading="lazy"'
    return (
        f'<figure class="lb-figure" id="figure-{file.name}"><div class="lb-chart">'
        f'<img class="lb-still lb-light" src="{address}.svg" alt="{said}" {size}>'
        f'<img class="lb-still lb-dark" src="{address}-dark.svg" alt="{said}" {size}>'
        f'<div class="lb-live"></div>'
        f"<template>{_json_text(spec)}</template></div>"
        f"<figcaption><strong>{escaped(figure.title)}.</strong>{_labels(frame)} "
        f"{escaped(figure.caption)} "
        f'<a href="{address}.csv" download>Data (CSV)</a> '
        f'<a href="{address}.svg" download>Figure (SVG)</a>'
        f"{_notes(frame)}</figcaption>"
        f"{_data_table(figure, frame, links, hidden)}</figure>"
    )


def _data_table(figure: Figure, frame: pl.DataFrame, links: Links, hidden: Iterable[str]) -> str:
    """The figure's data for those who cannot see it; long data is left to the CSV file."""
    if frame.height > LONGEST_TABLE:
        return ""
    table = html_table(frame, figure.title, links, TableStyle(hidden=hidden))
    return f"<details><summary>Data of this figure as a table</summary>{table}</details>"
