"""Latency against operations per second, a point for each depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import layered
from reports.curves import halo_labels, log_y, measured
from reports.figures.storage_depth import VIEW as DEPTHS
from reports.numbers import count, is_known, latency
from reports.storage_charts import in_ms

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 4

VIEW = DEPTHS

TITLE = "Latency by operations per second"

CAPTION = (
    "Each point is a depth, in its order along the line. Where the line turns upwards the storage "
    "gives no more operations. Latency is the mean, on a logarithmic scale; operations begin at "
    "zero."
)


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    words = [f"depth {depth:.0f}" for depth in frame["iodepth"].to_list()]
    return in_ms(frame, latency="lat_mean_us").with_columns(
        pl.Series("label", words, dtype=pl.String)
    )


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line from depth to depth, each named."""
    import altair as alt

    named = _named(frame)
    top = max((value for value in named["iops"].to_list() if is_known(value)), default=1.0)
    x = alt.X("iops:Q", title="I/O operations per s").axis(tickCount=6, labelOverlap=True)
    x = x.scale(domain=[0, top * 1.2], nice=False)
    y = log_y(named, "latency", "Mean latency (ms), log scale")
    line, points = measured(named, x, y, "iodepth", "iops", "latency")
    return layered(
        line.encode(order="iodepth:Q"),
        points,
        *halo_labels(named, {"x": x, "y": y}, align="left", dx=9),
        height=320,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """Where each line begins and ends."""
    parts = []
    for (line,), group in frame.group_by("line", maintain_order=True):
        ends = (
            f"depth {row['iodepth']:.0f}, {count(row['iops'])} operations per s at "
            f"{latency(row['lat_mean_us'])}"
            for row in (group.row(0, named=True), group.row(-1, named=True))
        )
        parts.append(f"{line}: from {' to '.join(ends)}")
    return "Line chart of mean latency by operations per second. " + ". ".join(parts) + "."
