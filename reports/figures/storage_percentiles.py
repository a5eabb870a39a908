"""The tail of the latencies: percentiles from the median up, a group of marks for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered
from reports.curves import by_line, log_y, plural
from reports.numbers import binary_size, latency
from reports.storage_charts import in_ms

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 6

VIEW = """
WITH load AS (
    SELECT run_id, group_id, direction, jobs, iodepth, block_bytes, path, line, verification, kind
    FROM fio_result AS r
    WHERE collection = $collection AND system = $system AND series = $series
        AND direction = $direction AND status = 'complete'
        AND EXISTS (FROM fio_latency AS l WHERE l.run_id = r.run_id AND l.kind <> 'slat')
    QUALIFY row_number() OVER (PARTITION BY jobs, iodepth, block_bytes
        ORDER BY clients DESC NULLS LAST, path, line) = 1
), ranked AS (
    SELECT *, row_number() OVER (ORDER BY jobs, iodepth, block_bytes, path, line) - 1 AS place,
        count(*) OVER () AS loads
    FROM load
)
SELECT l.collection, l.system, l.series, l.direction, l.clients, l.jobs, l.iodepth, l.block_bytes,
    l.kind AS latency, l.percentile, l.value_us, l.low_us, l.high_us,
    CASE WHEN l.how = 'merged' THEN 'merged from bins' WHEN l.how = 'logged' THEN 'as logged'
        WHEN l.jobs_merged > l.clients THEN 'range of the jobs'
        ELSE 'range of the clients' END AS how,
    l.path || ':' || l.line AS evidence, r.verification, r.kind
FROM ranked AS r
JOIN fio_latency AS l ON l.run_id = r.run_id AND l.group_id IS NOT DISTINCT FROM r.group_id
    AND l.direction = r.direction
WHERE (r.loads <= 7 OR r.place * 6 % (r.loads - 1) < 6) AND l.kind <> 'slat'
    AND l.percentile IN (50, 90, 95, 99, 99.9, 99.99)
QUALIFY l.kind = min(l.kind) OVER ()
ORDER BY r.place, l.percentile
"""

TITLE = "Latency percentiles"

CAPTION = (
    "A bar is the range of the clients, or of the jobs where each is reported: the percentile of "
    "the fastest and, with the shape, that of the slowest. Percentiles of several clients cannot "
    "be averaged. A shape without a bar is "
    "the percentile of all I/O, as logged or merged from latency bins. Of each number of jobs, "
    "depth and block size one result is shown, of more than seven such loads seven, from the "
    "least to the largest."
)

_KINDS = {"clat": "Completion latency", "lat": "Latency", "slat": "Submission latency"}


def _names(frame: pl.DataFrame) -> list[str]:
    """The load of each row in words: what differs between rows, or all of it."""
    words = {
        "clients": lambda value: plural(value, "client"),
        "jobs": lambda value: plural(value, "job"),
        "iodepth": lambda value: f"depth {value}",
        "block_bytes": binary_size,
    }
    varying = [name for name in words if frame[name].n_unique() > 1] or list(words)
    return [", ".join(words[name](row[name]) for name in varying) for row in frame.to_dicts()]


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    marked = frame.with_columns(
        pl.Series("line", _names(frame), dtype=pl.String),
        pl.Series("step", [f"p{value:g}" for value in frame["percentile"]], dtype=pl.String),
        pl.coalesce("value_us", "high_us").alias("mark_us"),
    )
    return in_ms(marked, low="low_us", high="high_us", mark="mark_us")


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A group of marks for each percentile on a logarithmic scale of latencies."""
    import altair as alt

    named = _named(frame)
    look = by_line(named)
    y = log_y(named, "mark", f"{_KINDS[frame['latency'][0]]} (ms), log scale", "low", "high")
    across = {
        "x": alt.X("step:N", title="Percentile", sort=None).axis(labelAngle=0),
        "xOffset": alt.XOffset("line:N", sort=None).scale(paddingOuter=0.6),
        "color": look["color"],
    }
    ranges = named.filter(pl.col("value_us").is_null())
    tips = ["line:N", "percentile:Q", "low:Q", "high:Q", "how:N", "evidence:N"]
    return layered(
        alt.Chart(inline(ranges))
        .mark_bar(size=6, opacity=0.55)
        .encode(y=alt.Y("low:Q"), y2="high:Q", **across),
        alt.Chart(inline(named))
        .mark_point(size=55, filled=True, opacity=1)
        .encode(y=y, shape=look["shape"], tooltip=tips, **across),
        height=360,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """The median and the highest percentile of each load."""
    parts = []
    for (line,), group in _named(frame).group_by("line", maintain_order=True):
        ends = (group.row(0, named=True), group.row(-1, named=True))
        words = ", ".join(f"{row['step']} {_span(row)}" for row in ends)
        parts.append(f"{line}: {words}")
    return "Latency percentiles on a logarithmic scale. " + "; ".join(parts) + "."


def _span(row: dict[str, float | None]) -> str:
    if row["value_us"] is not None:
        return latency(row["value_us"])
    return f"{latency(row['low_us'])} to {latency(row['high_us'])}"
