"""One collective on as many ranks, on several systems: bus bandwidth beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import layered
from reports.network_charts import (
    ONE_PLACEMENT,
    bandwidth_chart,
    curve_text,
    lines_view,
    named_lines,
    scale,
)

if TYPE_CHECKING:
    import altair as alt

PLACE = "network_collective"
ORDER = 5

_TEST = "collective, ranks, nodes, type, redop"


def compared(condition: str, having: str) -> str:
    """SQL for the test that the most systems have run, of those that fit the conditions."""
    shared = f"""shared AS (
    SELECT {_TEST} FROM nccl_curve
    WHERE {condition}
    GROUP BY {_TEST}
    HAVING count(DISTINCT (collection, system)) > 1 AND {having}
    ORDER BY count(DISTINCT (collection, system)) DESC, count(*) DESC, {_TEST}
    LIMIT 1
), """
    same = " AND ".join(f"c.{name} IS NOT DISTINCT FROM s.{name}" for name in _TEST.split(", "))
    return lines_view(f"{ONE_PLACEMENT} AND EXISTS (FROM shared AS s WHERE {same})", shared)


VIEW = compared(
    "coalesce(collective, '') = $collective",
    "bool_or(collection = $collection AND system = $system)",
)

TITLE = "The same collective on as many ranks of several systems"

CAPTION = (
    "Out of place, one point for each run, lines through the medians. All lines have the same "
    "collective, ranks, nodes, type and operation; versions may differ, and then the tool differs "
    "too. Of more than seven systems those with the highest peaks are shown."
)


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lines named by system, and by collection where names repeat."""
    is_repeated = pl.col("collection").n_unique().over("network_system") > 1
    suffix = pl.when(is_repeated).then(pl.format(" [{}]", "collection")).otherwise(pl.lit(""))
    named = frame.with_columns(pl.concat_str("network_system", suffix).alias("who"))
    return named_lines(named, "who").drop("who")


def _what(frame: pl.DataFrame) -> str:
    first = frame.row(0, named=True)
    return f"{first['collective']}, {scale(first)}"


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line for each system, from zero over sizes to base two."""
    named = _named(frame).with_columns(link_gbps=pl.lit(None, pl.Float64))
    return layered(*bandwidth_chart(named, f" ({_what(frame)})"), height=380)


def alt_text(frame: pl.DataFrame) -> str:
    """The ends and the peak of each system."""
    text = curve_text(_named(frame), "busbw_gbps", "GB/s")
    return f"Line chart of bus bandwidth by message size, {_what(frame)}. {text}"
