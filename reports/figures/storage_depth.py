"""Operations per second and latency against the I/O depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.curves import halo_labels, log2_x, log_y, measured, stacked, zero_y
from reports.numbers import count, latency, three_digits
from reports.storage_charts import in_ms

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 3

VIEW = """
SELECT collection, system, series, direction, held AS line, x AS iodepth, iops, lat_mean_us,
    lat_kind, bandwidth_bps, repetitions, path || ':' || line AS evidence, verification, kind
FROM fio_curve
WHERE axis = 'iodepth' AND collection = $collection AND system = $system
    AND series = $series AND direction = $direction
QUALIFY dense_rank() OVER (ORDER BY peak_bps DESC, held) <= 7
ORDER BY held, x
"""

TITLE = "Operations per second and latency by depth"

CAPTION = (
    "Above, operations per second from zero; below, the mean latency of the same test points on a "
    "logarithmic scale. Once operations no longer grow, more depth only adds waiting. Of more "
    "than seven lines those with the highest peaks are shown."
)


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    rows = frame.to_dicts()
    words = [three_digits(row["lat_mean_us"] / 1e3 if row["lat_mean_us"] else None) for row in rows]
    return in_ms(frame, latency="lat_mean_us").with_columns(
        pl.Series("iops_label", [count(row["iops"]) for row in rows], dtype=pl.String),
        pl.Series("latency_label", words, dtype=pl.String),
    )


def chart(frame: pl.DataFrame) -> alt.VConcatChart:
    """Two panels over one axis of depths."""
    import altair as alt

    named = _named(frame)
    panels = []
    for field, name, y in (
        ("iops", "", zero_y(named, "iops", "I/O operations per s")),
        (
            "latency",
            "I/O depth of each job, log scale",
            log_y(named, "latency", "Mean latency (ms), log scale"),
        ),
    ):
        x = log2_x(named, "iodepth", name)
        layers = measured(named, x, y, "iodepth", "iops", "latency")
        if named["line"].n_unique() == 1:
            layers += halo_labels(named, {"x": x, "y": y}, f"{field}_label", dy=-13)
        panels.append(alt.LayerChart(layer=layers))
    return stacked(*panels)


def alt_text(frame: pl.DataFrame) -> str:
    """Operations and latency at each depth of each line."""
    parts = []
    for (line,), group in frame.group_by("line", maintain_order=True):
        steps = (
            f"depth {row['iodepth']:.0f} {count(row['iops'])}/s, {latency(row['lat_mean_us'])}"
            for row in group.to_dicts()
        )
        parts.append(f"{line}: {'; '.join(steps)}")
    return "Two line charts of operations per second and mean latency. " + ". ".join(parts) + "."
