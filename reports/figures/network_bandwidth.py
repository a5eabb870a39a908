"""Bus bandwidth against message size, a line for each node count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.charts import layered
from reports.network_charts import (
    OF_COLLECTIVE,
    ONE_PLACEMENT,
    bandwidth_chart,
    curve_text,
    lines_view,
    link_text,
    named_lines,
)

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

PLACE = "network_collective"
ORDER = 1

VIEW = lines_view(f"{OF_COLLECTIVE} AND {ONE_PLACEMENT}")

TITLE = "Bus bandwidth by message size"

CAPTION = (
    "Out of place, one point for each run, lines through the medians; the number at an end is the "
    "bandwidth there. Bus bandwidth is algorithm bandwidth times the factor in the legend, which "
    "follows from the ranks. The dashed line is the peak of the link in one direction: between the "
    "devices of one node, or of all network cards of one node. A line may lie above it: with "
    "NVLink SHARP (NVLS) or SHARP the switch adds up, and on two nodes a tree sends less than the "
    "factor assumes. Sizes of 0 and runs of one rank are left out; of more than seven lines those "
    "with the highest peaks are shown."
)


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Lines from zero over sizes to base two, with the links that carry them."""
    return layered(*bandwidth_chart(named_lines(frame)), height=380)


def alt_text(frame: pl.DataFrame) -> str:
    """The ends and the peak of each line, and the peaks of the links."""
    named = named_lines(frame)
    curves = curve_text(named, "busbw_gbps", "GB/s")
    return f"Line chart of bus bandwidth by message size. {curves}{link_text(named)}"
