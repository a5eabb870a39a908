"""Time to train against accelerators for every family with several node counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered, log_domain, series_names
from reports.numbers import is_known, minutes, percent
from reports.tables import WITHHELD

if TYPE_CHECKING:
    import altair as alt

PLACE = "benchmark"
ORDER = 2

VIEW = """
SELECT collection, round, division, organization, family, system, benchmark, nodes, accelerators,
    score_min,
    ideal_min, base_system, speedup, efficiency_pct, is_like_for_like, is_printable, note,
    footnote, verification, kind
FROM scaling_printed
WHERE coalesce(benchmark, '') = $benchmark AND coalesce(round, '') = $round
    AND coalesce(division, '') = $division
    AND accelerators > 0 AND score_min > 0
QUALIFY count(*) OVER (PARTITION BY collection, organization, family) > 1
ORDER BY organization, family, collection, accelerators, system
"""

TITLE = "Scaling: minutes to train by number of accelerators"

CAPTION = (
    "One line per family, a system at several node counts. The dashed lines are ideal: the "
    "score of the smallest node count divided by the growth in nodes. Both scales are "
    "logarithmic. The percentage is the scaling efficiency at the largest node count; hollow "
    "points are not like for like with their smallest node count."
)


def _label(row: dict[str, object]) -> str:
    if row["system"] == row["base_system"]:
        return ""
    if not row["is_printable"]:
        return WITHHELD
    return percent(row["efficiency_pct"]) if is_known(row["efficiency_pct"]) else ""  # type: ignore[arg-type]


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with `line` (its family), `label`, and `is_last` at the end of each line."""
    named = frame.with_columns(
        series_names("family").alias("line"),
        pl.Series("label", [_label(row) for row in frame.to_dicts()], dtype=pl.String),
    )
    return named.with_columns(
        is_last=pl.col("accelerators") == pl.col("accelerators").max().over("line")
    )


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line per family on two logarithmic scales, its ideal, the efficiency at its end."""
    import altair as alt

    named = _named(frame)
    domain = log_domain(frame, "score_min", "ideal_min")
    color = alt.Color("line:N", title=None, sort=None).scale(range="category")
    span = log_domain(frame, "accelerators", room=0.15)
    doublings = [2**power for power in range(20) if span[0] <= 2**power <= span[1]]
    x = alt.X("accelerators:Q", title="Accelerators, log scale").axis(values=doublings)
    x = x.scale(type="log", base=2, domain=span, nice=False)
    y = alt.Y("score_min:Q", title="Minutes to train, log scale")
    y = y.scale(type="log", domain=domain, nice=False)
    points = alt.Chart(inline(named)).encode(x=x)
    tips: list[str | alt.Tooltip] = [
        "system:N",
        "nodes:Q",
        "accelerators:Q",
        alt.Tooltip("score_min:Q", format=".3f"),
        "note:N",
    ]
    symbols = points.encode(
        y=y, color=color, shape=alt.Shape("line:N", sort=None, legend=None), tooltip=tips
    )
    labels = alt.Chart(inline(named.filter(pl.col("is_last")))).mark_text(
        style="value", align="left", dx=9
    )
    return layered(
        points.mark_line(strokeDash=[5, 4], strokeWidth=1.2).encode(
            y=alt.Y("ideal_min:Q"), color=color
        ),
        points.mark_line().encode(y=y, color=color),
        symbols.transform_filter("datum.is_like_for_like").mark_point(
            size=70, filled=True, opacity=1
        ),
        symbols.transform_filter("!datum.is_like_for_like").mark_point(size=70, opacity=1),
        labels.encode(x=x, y=y, text="label:N"),
        height=380,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """For each family its scores by accelerators, with the efficiency."""
    lines = []
    for (name,), group in _named(frame).group_by("line", maintain_order=True):
        steps = (
            f"{row['accelerators']} accelerators {minutes(row['score_min'])} minutes"
            + (f" ({row['label']})" if row["label"] else "")
            for row in group.to_dicts()
        )
        lines.append(f"{name}: {', '.join(steps)}")
    return "Line chart of minutes to train. " + "; ".join(lines) + "."
