"""Bandwidth and latency in time, from the logs of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline
from reports.curves import plural, stacked
from reports.numbers import latency, three_digits
from reports.storage_charts import in_bandwidth_unit, in_ms

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 8

VIEW = """
WITH run AS (
    SELECT run_id, verification, kind FROM fio_result
    WHERE collection = $collection AND system = $system AND series = $series
        AND direction = $direction
        AND run_id IN (SELECT fio_run_id FROM fio_timeline_total WHERE direction = $direction)
    QUALIFY row_number() OVER (ORDER BY jobs DESC NULLS LAST, path, line) = 1
)
SELECT t.collection, t.system, t.direction, t.measure, t.time_s, t.window_s, t.logs,
    t.value_total, t.value_low, t.value_high, t.unit, t.path || ':' || t.line AS evidence,
    run.verification, run.kind
FROM fio_timeline_total AS t
JOIN run ON run.run_id = t.fio_run_id
WHERE t.direction = $direction AND (t.measure IN ('lat', 'clat') OR t.measure = 'bw' AND
    t.value_total IS NOT NULL)
QUALIFY t.measure = 'bw' OR NOT bool_or(t.measure = 'lat') OVER () OR t.measure = 'lat'
ORDER BY t.measure, t.time_s
"""

TITLE = "Bandwidth and latency in time"

CAPTION = (
    "From the logs of the run with the most jobs. Bandwidth is the sum over the log files; it is "
    "left out where a job has no file of its own. Latency is the range over the log files, of "
    "the mean of each within the window: the lower edge is the fastest job, the upper edge the "
    "slowest. A point is the middle of a window, which is as long as the lines of a log are "
    "apart, longer where a log has more than 200 lines, and about 10 ms where every I/O is logged."
)

_TIME = "Seconds since the start"


def _bandwidth(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    return in_bandwidth_unit(frame.filter(pl.col("measure") == "bw"), bandwidth="value_total")


def _latency(frame: pl.DataFrame) -> pl.DataFrame:
    return in_ms(frame.filter(pl.col("measure") != "bw"), low="value_low", high="value_high")


def _rates(rows: pl.DataFrame, unit: str, title: str) -> alt.Chart:
    import altair as alt

    drawn: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_line()
        .encode(
            x=alt.X("middle_s:Q", title=title).axis(tickCount=8).scale(domainMin=0),
            y=alt.Y("bandwidth:Q", title=f"Bandwidth of all jobs ({unit})").scale(zero=True),
            tooltip=["time_s:Q", "bandwidth:Q", "logs:Q"],
        )
    )
    return drawn


def _range(rows: pl.DataFrame) -> alt.LayerChart:
    import altair as alt

    title = "Completion latency" if "clat" in rows["measure"] else "Latency"
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("middle_s:Q", title=_TIME).axis(tickCount=8).scale(domainMin=0)
    )
    y = alt.Y("high:Q", title=f"{title} of the jobs (ms)").scale(zero=True)
    tips = ["time_s:Q", "low:Q", "high:Q", "logs:Q"]
    return alt.LayerChart(
        layer=[
            base.mark_area(opacity=0.35).encode(y=y, y2="low:Q"),
            base.mark_line(strokeWidth=1.2).encode(y=alt.Y("high:Q"), tooltip=tips),
            base.mark_line(strokeWidth=1.2).encode(y=alt.Y("low:Q")),
        ]
    )


def chart(frame: pl.DataFrame) -> alt.VConcatChart:
    """Bandwidth above latency over one axis of time; only what was logged."""
    placed = frame.with_columns((pl.col("time_s") - pl.col("window_s") / 2).alias("middle_s"))
    rates, unit = _bandwidth(placed)
    waits = _latency(placed)
    panels: list[alt.LayerChart | alt.Chart] = []
    if not rates.is_empty():
        panels.append(_rates(rates, unit, "" if waits.height else _TIME))
    if not waits.is_empty():
        panels.append(_range(waits))
    return stacked(*panels)


def alt_text(frame: pl.DataFrame) -> str:
    """The least and the most of both, and for how long."""
    rates, unit = _bandwidth(frame)
    waits = _latency(frame)
    parts = [f"{three_digits(frame['time_s'].max())} seconds"]  # type: ignore[arg-type]
    known = rates["bandwidth"].to_list()
    if known:
        words = f"{three_digits(min(known))} to {three_digits(max(known))} {unit}"
        parts.append(f"bandwidth of {plural(rates['logs'][0], 'log')} {words}")
    if not waits.is_empty():
        low, high = waits["value_low"].min(), waits["value_high"].max()
        parts.append(f"latency {latency(low)} to {latency(high)}")  # type: ignore[arg-type]
    return "Line charts in time: " + ", ".join(parts) + "."
