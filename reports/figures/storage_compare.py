"""One series on several storage systems: bandwidth against jobs, beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.storage_charts import growth_chart, growth_text

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 9

CURVES = """
SELECT c.collection, c.system AS storage_system, c.series, c.direction, c.held, c.x AS jobs,
    c.bandwidth_bps, c.ideal_bps, c.efficiency_pct, c.saturated_from, c.is_last, s.versions,
    c.repetitions, c.path || ':' || c.line AS evidence, c.verification, c.kind
FROM fio_curve AS c
JOIN fio_series AS s ON s.collection = c.collection AND s.system = c.system
    AND s.series = c.series AND s.direction = c.direction
JOIN shared AS h ON h.series = c.series AND h.direction = c.direction AND h.held = c.held
WHERE c.axis = 'jobs'
QUALIFY dense_rank() OVER (ORDER BY c.peak_bps DESC, c.collection, c.system) <= 7
ORDER BY c.system, c.collection, c.x
"""

VIEW = f"""
WITH shared AS (
    SELECT series, direction, held FROM fio_curve
    WHERE axis = 'jobs' AND series = $series AND direction = $direction
    GROUP BY series, direction, held
    HAVING count(DISTINCT (collection, system)) > 1
        AND bool_or(collection = $collection AND system = $system)
    ORDER BY count(*) DESC, held LIMIT 1
)
{CURVES}"""

TITLE = "The same job file on several storage systems"

CAPTION = (
    "Lines go through the test points, of several splits of as many jobs over clients the "
    "fastest; the number at an end is the bandwidth "
    "there. The dashed lines are linear: the first point times the growth in jobs. Both scales "
    "are logarithmic. The name of a line says the fio version, where versions differ the tool "
    "differs too. Of more than seven systems those with the highest peaks are shown."
)


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with `line`: system, version, and collection where names repeat."""
    is_repeated = pl.col("collection").n_unique().over("storage_system") > 1
    suffix = pl.when(is_repeated).then(pl.format(" [{}]", "collection")).otherwise(pl.lit(""))
    version = pl.col("versions").fill_null("fio version not known")
    return frame.with_columns(
        pl.concat_str("storage_system", suffix, pl.lit(", "), version).alias("line")
    )


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line per system on two logarithmic scales, its linear line dashed."""
    first = frame.row(0, named=True)
    what = f"{first['series']}, {first['direction']}, {first['held']}"
    return growth_chart(_named(frame), "jobs", f"Jobs of all clients, log scale ({what})")


def alt_text(frame: pl.DataFrame) -> str:
    """For each system its bandwidths by jobs, and where it saturates."""
    return growth_text(_named(frame), "jobs")
