"""Time against size for small messages, a line for each node count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.charts import largest, layered
from reports.curves import binary_size_x, zero_y
from reports.network_charts import (
    OF_COLLECTIVE,
    ONE_PLACEMENT,
    curve_text,
    curves,
    end_labels,
    lines_view,
    named_lines,
)

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

PLACE = "network_collective"
ORDER = 2

VIEW = lines_view(f"{OF_COLLECTIVE} AND {ONE_PLACEMENT} AND c.size_bytes <= 65536")

TITLE = "Time of small messages, up to 64 KiB"

CAPTION = (
    "For small messages the time counts, not the bandwidth: it is the latency of the collective. "
    "Out of place, one point for each run, lines through the medians. Outputs with another number "
    "of warm-up iterations are not like for like here: before nccl-tests 2.16.8 there were five, "
    "since then one."
)


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Lines from zero over sizes to base two."""
    named = named_lines(frame)
    x = binary_size_x(named, "size_bytes", "Message size, log scale")
    y = zero_y(named, "time_us", "Time of one operation (µs)")
    ends = end_labels(named, x, "time_us", largest(named, "time_us") * 1.18)
    return layered(*curves(named, x, y, "time_us"), *ends, height=320)


def alt_text(frame: pl.DataFrame) -> str:
    """The times at the ends of each line."""
    text = curve_text(named_lines(frame), "time_us", "µs")
    return f"Line chart of the time of one operation by message size. {text}"
