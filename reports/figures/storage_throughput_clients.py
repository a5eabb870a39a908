"""Bandwidth against clients, a line for each number of jobs per client, with the linear lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.storage_charts import growth_chart, growth_text

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

PLACE = "storage_series"
ORDER = 2

VIEW = """
SELECT collection, system, series, direction, held AS line, x AS clients, jobs, bandwidth_bps,
    ideal_bps, efficiency_pct, saturated_from, repetitions, is_last,
    path || ':' || line AS evidence, verification, kind
FROM fio_curve
WHERE axis = 'clients' AND collection = $collection AND system = $system
    AND series = $series AND direction = $direction
QUALIFY dense_rank() OVER (ORDER BY peak_bps DESC, held) <= 7
ORDER BY min(jobs) OVER (PARTITION BY held), held, x
"""

TITLE = "Bandwidth by number of clients"

CAPTION = (
    "One line for each number of jobs per client. The dashed lines are linear: the first point "
    "of the line times the growth in clients. Both scales are logarithmic. Of more than seven "
    "lines those with the highest peaks are shown."
)


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line per number of jobs per client on two logarithmic scales, its linear line dashed."""
    return growth_chart(frame, "clients", "Clients, log scale")


def alt_text(frame: pl.DataFrame) -> str:
    """The bandwidths by clients of each line."""
    return growth_text(frame, "clients")
