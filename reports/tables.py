"""A frame becomes an HTML table: units in the heading, every text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import polars as pl

from reports.links import Links
from reports.numbers import (
    UNKNOWN,
    binary_size,
    decimals_of,
    factor_of,
    fixed,
    is_known,
    plain,
    unit_of,
)
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
    "failed",
    "interrupted",
    "incomplete",
    "replaced",
    "straggler",
    "aborted",
    "unfinished",
    "threshold",
}
_CODE = {"evidence", "other_evidence", "start", "stop", "key", "path", "rule", "sha256"}
_CODE |= {"fixed_options"}
_CLAMPED = 160
_SIZES = {"block_bytes", "size_bytes", "peak_size_bytes", "reference_size_bytes", "max_bytes"}
_NUMBER = re.compile(r"\d+")
# names whose plain words would be no good heading
_HEADINGS = {
    "iops": "IOPS",
    "iodepth": "Depth",
    "block_bytes": "Block size",
    "rw": "Pattern",
    "size_bytes": "Size",
    "peak_size_bytes": "Peak at",
    "reference_size_bytes": "Published for",
    "max_bytes": "Largest size asked for",
    "busbw_factor": "Factor",
    "redop": "Operation",
    "busbw_gbps": "Bus bandwidth (GB/s)",
    "algbw_gbps": "Algorithm bandwidth (GB/s)",
    "nccl_version": "NCCL",
    "tests_version": "nccl-tests",
}
_NAMES = {"system", "other_system", "base_system", "subject", "title", "value", "source", "family"}
_NAMES |= {
    "accelerator_model",
    "other_value",
    "storage_system",
    "network_system",
    "reference_system",
    "platform",
    "differences",
    "series",
    "verdict",
    "storage",
    "fio",
    "how",
}
_LONG = {"note", "footnote", "message", "remedy", "reason", "why", "basis", "false_positives"}
_LONG |= {"evidence", "other_evidence", "start", "stop", "fixed_options", "access"}


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
    if column in _HEADINGS:
        return _HEADINGS[column]
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
        return _number(column, value)
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    return _sizes(str(value)) if column in _SIZES else str(value)


def _sizes(text: str) -> str:
    """'4096 to 1048576' as '4 KiB to 1 MiB'."""
    return _NUMBER.sub(lambda found: binary_size(int(found[0])), text)


def _number(column: str, value: float | int) -> str:
    if column in _SIZES:
        return binary_size(value)
    decimals = decimals_of(column)
    if decimals is None:
        return plain(value)
    return fixed(float(value) * factor_of(column), decimals)


def _cell_html(column: str, row: Mapping[str, Any], links: Links) -> str:
    text = escaped(cell_text(column, row))
    if address := links.address(column, row):
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

    Columns that name what has a page, such as `system`, link to it where `links` knows it.
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
