"""All series of one storage system: bandwidth against jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.storage_charts import growth_chart, growth_text

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

PLACE = "storage_system"
ORDER = 1

VIEW = """
SELECT collection, system, series || ', ' || direction || ', ' || held AS line, x AS jobs, clients,
    bandwidth_bps, ideal_bps, efficiency_pct, saturated_from, repetitions, is_last,
    path || ':' || line AS evidence, verification, kind
FROM fio_curve
WHERE axis = 'jobs' AND collection = $collection AND system = $system
QUALIFY dense_rank() OVER (ORDER BY peak_bps DESC, series, direction, held) <= 7
ORDER BY series, direction, held, x
"""

TITLE = "Bandwidth by number of jobs, every series"

CAPTION = (
    "One line for each job file, direction, depth and block size that was run with several numbers "
    "of jobs, through the fastest split of as many jobs over clients. The dashed lines are "
    "linear: the first "
    "point times the growth in jobs. Both scales are logarithmic. Of more than seven lines those "
    "with the highest peaks are shown. The page of a series has the rest."
)


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line per series on two logarithmic scales, its linear line dashed."""
    return growth_chart(frame, "jobs", "Jobs of all clients, log scale")


def alt_text(frame: pl.DataFrame) -> str:
    """The bandwidths by jobs of each series, and where it saturates."""
    return growth_text(frame, "jobs")
