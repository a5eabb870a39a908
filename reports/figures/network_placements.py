"""In place beside out of place: bus bandwidth of both, and which is faster by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline
from reports.curves import binary_size_x, by_line, stacked, zero_y
from reports.network_charts import OF_COLLECTIVE, lines_view, medians, named_lines
from reports.numbers import binary_size, is_known, percent

if TYPE_CHECKING:
    import altair as alt

PLACE = "network_collective"
ORDER = 4

VIEW = lines_view(f"{OF_COLLECTIVE} AND c.in_place_pct IS NOT NULL")

TITLE = "In place beside out of place"

CAPTION = (
    "Above, bus bandwidth: out of place as a full line, in place as a dashed one. Below, the speed "
    "in place against out of place, from the times: over 100 % in place is faster. From about "
    "64 MiB on both move the same bytes, and a large difference is a disturbance during one of "
    "them. Medians of the runs; of more than seven lines those with the highest peaks are shown."
)


def chart(frame: pl.DataFrame) -> alt.VConcatChart:
    """Two panels over one axis of sizes."""
    import altair as alt

    named = named_lines(frame)
    color = by_line(named)["color"]
    halves = [
        medians(half, "busbw_gbps", "in_place_pct")
        for (_,), half in named.group_by("placement", maintain_order=True)
    ]
    shown = pl.concat(halves).with_columns(pl.col("placement").str.replace_all("_", " "))
    bandwidth = (
        alt.Chart(inline(shown))
        .mark_line(strokeWidth=2.4)
        .encode(
            x=binary_size_x(named, "size_bytes", ""),
            y=zero_y(named, "busbw_gbps", "Bus bandwidth (GB/s)"),
            color=color,
            strokeDash=alt.StrokeDash("placement:N", title=None, sort=["out of place", "in place"]),
        )
    )
    ratio = (
        alt.Chart(inline(halves[0]))
        .mark_line(point=True)
        .encode(
            x=binary_size_x(named, "size_bytes", "Message size, log scale"),
            y=alt.Y("in_place_pct:Q", title="In place against out of place (%)").scale(zero=False),
            color=color,
            tooltip=["line:N", "size_bytes:Q", "in_place_pct:Q", "evidence:N"],
        )
    )
    even = alt.Chart(inline(pl.DataFrame({"even": [100]}))).mark_rule(style="ideal")
    return stacked(bandwidth, alt.LayerChart(layer=[even.encode(y="even:Q"), ratio]))


def alt_text(frame: pl.DataFrame) -> str:
    """For each line the largest differences, with their sizes."""
    parts = []
    out_of_place = named_lines(frame).filter(pl.col("placement") == "out_of_place")
    middle = medians(out_of_place, "in_place_pct")
    for (line,), group in middle.group_by("line", maintain_order=True):
        rows = [row for row in group.to_dicts() if is_known(row["in_place_pct"])]
        ends = [choose(rows, key=lambda row: row["in_place_pct"]) for choose in (min, max)]
        said = " to ".join(
            f"{percent(row['in_place_pct'])} at {binary_size(row['size_bytes'])}" for row in ends
        )
        parts.append(f"{line}: {said}")
    return f"Speed in place against out of place. {'. '.join(parts)}."
