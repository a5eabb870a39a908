"""A frame becomes an HTML table: units in the heading, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import polars as pl

from reports.links import Links
from reports.numbers import UNKNOWN, decimals_of, fixed, is_known, plain, unit_of
from reports.text import escaped

WITHHELD = "withheld: not like for like"
HIDDEN = ("collection", "is_printable", "result_set", "run_id", "base_set", "benchmark_title")

_DERIVED = {
    "speedup",
    "efficiency_pct",
    "throughput_efficiency_pct",
    "convergence_efficiency_pct",
    "overhead_efficiency_pct",
}
_CHIPS = {
    "unverified",
    "reconstructed",
    "error",
    "warning",
    "stale",
    "unmatched",
    "no log",
    "withheld",
}
_CODE = {"evidence", "other_evidence", "start", "stop", "key", "path", "rule", "sha256"}
_CLAMPED = 160
_NAMES = {"system", "other_system", "base_system", "subject", "title", "value", "source", "family"}
_NAMES |= {"accelerator_model", "other_value"}
_LONG = {"note", "footnote", "message", "remedy", "reason", "why", "basis", "false_positives"}
_LONG |= {"evidence", "other_evidence", "start", "stop"}


@dataclass(frozen=True)
class TableStyle:
    """How a table shows its frame: headings of its own, columns left out, a filter."""

    headings: Mapping[str, str] = field(default_factory=dict)
    hidden: Iterable[str] = ()
    is_filterable: bool = False


def heading(column: str, headings: Mapping[str, str] | None = None) -> str:
    """Heading of a column, e.g. 'score_min' -> 'Score (min)'."""
    if headings and column in headings:
        return headings[column]
    unit = unit_of(column)
    if unit is None:
        return _words(column)
    suffix = next(
        s for s in ("_samples_per_s", "_" + column.rsplit("_", 1)[1]) if column.endswith(s)
    )
    return f"{_words(column.removesuffix(suffix))} ({unit[0]})"


def _words(column: str) -> str:
    words = column.removeprefix("is_").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def visible(frame: pl.DataFrame, hidden: Iterable[str] = ()) -> list[str]:
    """Columns of a frame that a table shows."""
    unseen = {*HIDDEN, *hidden}
    if "collection" in frame.columns and frame["collection"].n_unique() > 1:
        unseen.discard("collection")
    return [name for name in frame.columns if name not in unseen]


def cell_text(column: str, row: Mapping[str, Any]) -> str:
    """What a cell says, as text that is not escaped yet."""
    value = row[column]
    if column in _DERIVED and value is None and row.get("is_printable") is False:
        return WITHHELD
    if not is_known(value) or value == "":
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        decimals = decimals_of(column)
        return plain(value) if decimals is None else fixed(float(value), decimals)
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return str(value)


def _cell_html(column: str, row: Mapping[str, Any], links: Links) -> str:
    text = escaped(cell_text(column, row))
    address = {"benchmark": links.benchmark, "system": links.system}.get(column, lambda _row: None)(
        row
    )
    if address:
        return f'<a href="{escaped(address)}">{text}</a>'
    if text in _CHIPS:
        return f'<span class="lb-chip lb-{text.replace(" ", "-")}">{text}</span>'
    if text == WITHHELD:
        return f'<span class="lb-chip lb-withheld">{text}</span>'
    if len(text) > _CLAMPED and column in _LONG:
        return f'<div class="lb-clamp" tabindex="0">{text}</div>'
    return f"<code>{text}</code>" if column in _CODE and text != UNKNOWN else text


def _cell(column: str, row: Mapping[str, Any], numeric: bool, links: Links) -> str:
    value = row[column]
    if not numeric:
        return f"<td{_width(column)}>{_cell_html(column, row, links)}</td>"
    order = f' data-value="{value!r}"' if is_known(value) else ""
    return f'<td class="lb-number"{order}>{_cell_html(column, row, links)}</td>'


def _width(column: str) -> str:
    """Attribute that keeps a column of names, code or sentences from becoming too narrow."""
    kinds = (("lb-long", _LONG), ("lb-code", _CODE), ("lb-name", _NAMES))
    return next((f' class="{name}"' for name, columns in kinds if column in columns), "")


def _head(columns: Sequence[str], numeric: set[str], headings: Mapping[str, str] | None) -> str:
    cells = (
        f'<th scope="col"{" class=lb-number data-kind=number" if name in numeric else ""}>'
        f"{escaped(heading(name, headings))}</th>"
        for name in columns
    )
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def html_table(
    frame: pl.DataFrame, caption: str, links: Links | None = None, style: TableStyle | None = None
) -> str:
    """One line of HTML with the frame's columns; `caption` is plain text.

    Columns called `system` and `benchmark` link to their pages where `links` knows them.
    """
    where, look = links or Links(), style or TableStyle()
    columns = visible(frame, look.hidden)
    numeric = {name for name in columns if frame.schema[name].is_numeric()}
    body = "".join(
        f"<tr>{''.join(_cell(name, row, name in numeric, where) for name in columns)}</tr>"
        for row in frame.iter_rows(named=True)
    )
    said, filtering = escaped(caption), " data-filter" if look.is_filterable else ""
    return (
        f'<div class="lb-table" role="region" tabindex="0" aria-label="{said}"{filtering}>'
        f'<table class="lb-data" data-sort><caption>{said}</caption>'
        f"{_head(columns, numeric, look.headings)}<tbody>{body}</tbody></table></div>"
    )
