"""Bandwidth against the jobs of all clients, with the linear line and where saturation begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered
from reports.curves import halo_labels, log2_x, log_y, plural
from reports.numbers import three_digits
from reports.storage_charts import in_bandwidth_unit

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 1

VIEW = """
SELECT c.collection, c.system, c.series, c.direction, c.held, c.x AS jobs, p.clients,
    p.bandwidth_bps, p.repetitions, c.bandwidth_bps AS line_bps, c.ideal_bps, c.efficiency_pct,
    c.linear_until, c.saturated_from, c.is_last, p.path || ':' || p.line AS evidence,
    p.verification, p.kind
FROM fio_curve AS c
JOIN fio_point AS p ON p.collection = c.collection AND p.system = c.system
    AND p.series = c.series AND p.direction = c.direction AND p.jobs = c.x
    AND p.iodepth IS NOT DISTINCT FROM c.iodepth
    AND p.block_bytes IS NOT DISTINCT FROM c.block_bytes
WHERE c.axis = 'jobs' AND c.collection = $collection AND c.system = $system
    AND c.series = $series AND c.direction = $direction
QUALIFY dense_rank() OVER (ORDER BY c.peak_bps DESC, c.held) <= 7
ORDER BY c.peak_bps DESC, c.held, c.x, p.clients, p.path, p.line
"""

TITLE = "Bandwidth by number of jobs"

CAPTION = (
    "Each shape is a test point: jobs of all clients together, split over as many clients as the "
    "shape says. The line goes through the fastest split. The dashed line is linear: the "
    "first point "
    "times the growth in jobs. The ring is where saturation begins: the first point that reaches "
    "the share of the peak that the thresholds set, on a curve that no longer follows the linear "
    "line. Both scales are logarithmic. Of more than seven curves those with the highest peaks "
    "are shown."
)


def _named(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The frame in its unit with `clients_label`, `label`, the line, and `saturation`."""
    named, unit = in_bandwidth_unit(
        frame, bandwidth="bandwidth_bps", line="line_bps", ideal="ideal_bps"
    )
    rows = named.to_dicts()
    clients = [plural(row["clients"], "client") for row in rows]
    said = [
        f"saturated from\n{plural(row['jobs'], 'job')}: {three_digits(row['line'])} {unit}"
        if row["jobs"] == row["saturated_from"]
        else None
        for row in rows
    ]
    return named.with_columns(
        pl.Series("clients_label", clients, dtype=pl.String),
        pl.Series("label", [three_digits(row["line"]) for row in rows], dtype=pl.String),
        pl.Series("saturation", said, dtype=pl.String),
    ), unit


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Test points, the fastest ones as lines, the dashed linear lines, rings and values."""
    import altair as alt

    named, unit = _named(frame)
    fastest = named.unique(subset=["held", "jobs"], keep="first", maintain_order=True)
    x = log2_x(named, "jobs", "Jobs of all clients, log scale")
    y = log_y(named, "line", f"Bandwidth ({unit}), log scale", "ideal", "bandwidth")
    is_single = fastest["held"].n_unique() == 1
    color = alt.Color("held:N", title=None, sort=None, legend=None if is_single else alt.Legend())
    color = color.scale(range="category")
    lines = alt.Chart(inline(fastest)).encode(x=x, y=y)
    shape = alt.Shape("clients_label:N", title=None, sort=None).scale(range="symbol")
    tips = ["jobs:Q", "clients:Q", "bandwidth:Q", "repetitions:Q", "evidence:N"]
    points = alt.Chart(inline(named)).mark_point(size=75, filled=True, opacity=0.85)
    rings = fastest.filter(pl.col("saturation").is_not_null())
    ring = alt.Chart(inline(rings)).mark_point(
        style="run", size=330, shape="circle", filled=False, strokeWidth=1.8
    )
    is_named = pl.col("saturation").is_null() & (pl.lit(is_single) | pl.col("is_last"))
    values = fastest.filter(is_named)
    text = {"align": "right", "dx": 12, "dy": 26, "lineBreak": "\n", "lineHeight": 14}
    return layered(
        lines.mark_line(style="ideal").encode(y=alt.Y("ideal:Q"), detail="held:N"),
        lines.mark_line().encode(color=color),
        points.encode(x=x, y=alt.Y("bandwidth:Q"), shape=shape, color=color, tooltip=tips),
        ring.encode(x=x, y=y),
        *halo_labels(values, {"x": x, "y": y}, dx=-8, dy=-14),
        *halo_labels(rings, {"x": x, "y": y}, "saturation", **text),
        height=380,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """The fastest by jobs of each curve, and where it bends."""
    named, unit = _named(frame)
    fastest = named.unique(subset=["held", "jobs"], keep="first", maintain_order=True)
    parts = []
    for (held,), group in fastest.group_by("held", maintain_order=True):
        steps = ", ".join(f"{row['jobs']:.0f} jobs {row['label']}" for row in group.to_dicts())
        last = group.row(0, named=True)
        bend = last["saturated_from"]
        words = f"; saturated from {plural(bend, 'job')}" if bend else ""
        linear = f"; linear up to {plural(last['linear_until'], 'job')}"
        parts.append(f"{held}: {steps} {unit}{linear}{words}")
    return "Line chart of bandwidth by jobs. " + ". ".join(parts) + "."
