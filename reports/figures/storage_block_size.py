"""Bandwidth against the block size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import layered
from reports.curves import binary_size_x, halo_labels, measured, zero_y
from reports.numbers import binary_size, count, three_digits
from reports.storage_charts import in_bandwidth_unit

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 5

VIEW = """
SELECT collection, system, series, direction, held AS line, x AS block_bytes, bandwidth_bps, iops,
    lat_mean_us, repetitions, path || ':' || line AS evidence, verification, kind
FROM fio_curve
WHERE axis = 'block_bytes' AND collection = $collection AND system = $system
    AND series = $series AND direction = $direction
QUALIFY dense_rank() OVER (ORDER BY peak_bps DESC, held) <= 7
ORDER BY held, x
"""

TITLE = "Bandwidth by block size"

CAPTION = (
    "The number above a point is its bandwidth, the one below it operations per second. Block "
    "sizes are binary (1 KiB = 1,024 bytes), bandwidth is decimal. Of more than seven lines those "
    "with the highest peaks are shown."
)


def _named(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    named, unit = in_bandwidth_unit(frame, bandwidth="bandwidth_bps")
    return named.with_columns(
        pl.Series("label", [three_digits(value) for value in named["bandwidth"]], dtype=pl.String),
        pl.Series("operations", [f"{count(value)}/s" for value in named["iops"]], dtype=pl.String),
    ), unit


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line per setting of all else, with the values at its points where it is alone."""
    named, unit = _named(frame)
    x = binary_size_x(named, "block_bytes", "Block size, log scale")
    y = zero_y(named, "bandwidth", f"Bandwidth ({unit})")
    layers = measured(named, x, y, "block_bytes", "bandwidth", "iops")
    if named["line"].n_unique() == 1:
        layers += halo_labels(named, {"x": x, "y": y}, dx=-6, dy=-13)
        layers += halo_labels(named, {"x": x, "y": y}, "operations", dx=10, dy=18)
    return layered(*layers, height=320)


def alt_text(frame: pl.DataFrame) -> str:
    """Bandwidth at each block size of each line."""
    named, unit = _named(frame)
    parts = []
    for (line,), group in named.group_by("line", maintain_order=True):
        steps = ", ".join(
            f"{binary_size(row['block_bytes'])} {row['label']}" for row in group.to_dicts()
        )
        parts.append(f"{line}: {steps} {unit}")
    return "Line chart of bandwidth by block size. " + ". ".join(parts) + "."
