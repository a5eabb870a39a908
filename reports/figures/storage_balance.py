"""How even the clients of a test are, with the straggler named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import inline, largest, layered
from reports.curves import plural
from reports.numbers import percent, three_digits
from reports.storage_charts import in_bandwidth_unit

if TYPE_CHECKING:
    import altair as alt

PLACE = "storage_series"
ORDER = 7

VIEW = """
SELECT c.collection, c.system, c.series, c.direction, c.client, c.jobs, c.bandwidth_bps,
    c.median_bps, c.deviation_pct, c.spread_pct, c.jain_index, c.lat_mean_us, c.is_straggler,
    c.path || ':' || c.line AS evidence, r.verification, r.kind
FROM fio_client AS c
JOIN fio_run AS r ON r.run_id = c.run_id
WHERE c.collection = $collection AND c.system = $system AND c.series = $series
    AND c.direction = $direction AND c.status = 'complete' AND c.clients > 1
QUALIFY dense_rank() OVER (ORDER BY c.spread_pct DESC NULLS LAST, c.path, c.group_id) = 1
ORDER BY c.client
"""

TITLE = "Bandwidth of each client in the least even result"

CAPTION = (
    "One bar for each client; the dashed line is the median client. A straggler is the slowest "
    "client of a result whose clients are further apart than the threshold allows; the percentage "
    "is against the median client. Where all have to wait for the slowest, as in training, the "
    "slowest client is what counts."
)


def _label(row: dict[str, Any]) -> str:
    value = three_digits(row["bandwidth"])
    if not row["is_straggler"]:
        return value
    return f"{value} straggler, {percent(row['deviation_pct'])}"


def _named(frame: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    named, unit = in_bandwidth_unit(frame, bandwidth="bandwidth_bps", median="median_bps")
    labels = [_label(row) for row in named.to_dicts()]
    return named.with_columns(pl.Series("label", labels, dtype=pl.String)), unit


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Bars from zero by client, the median as a dashed line, the straggler in words."""
    import altair as alt

    named, unit = _named(frame)
    x = alt.X("bandwidth:Q", title=f"Bandwidth ({unit})")
    x = x.scale(domain=[0, largest(named, "bandwidth") * 1.35], nice=False).axis(tickCount=6)
    bars = alt.Chart(inline(named)).encode(y=alt.Y("client:N", title=None, sort=None), x=x)
    color = alt.Color("is_straggler:N", legend=None, sort=[False, True]).scale(range="category")
    tips = ["client:N", "bandwidth:Q", "deviation_pct:Q", "jain_index:Q", "evidence:N"]
    median = alt.Chart(inline(named.head(1)))
    words = [
        bars.mark_text(style=style, align="left", dx=6).encode(text="label:N")
        for style in ("halo", "value")
    ]
    return layered(
        bars.mark_bar().encode(color=color, tooltip=tips),
        median.mark_rule(style="ideal").encode(x=alt.X("median:Q")),
        *words,
        height=26 * named.height + 30,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """The bandwidth of each client and the straggler, with the spread."""
    named, unit = _named(frame)
    first = named.row(0, named=True)
    bars = "; ".join(f"{row['client']} {row['label']}" for row in named.to_dicts())
    return (
        f"Bar chart of {plural(named.height, 'client')} in {unit}: {bars}. Median "
        f"{three_digits(first['median'])}, spread {percent(first['spread_pct'])} of the mean."
    )
