"""Figure 1 (b) of the report: what the scaling efficiency is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered, node_label
from reports.numbers import percent

if TYPE_CHECKING:
    import altair as alt

VIEW = """
SELECT DISTINCT collection, round, division, organization, system, benchmark, nodes, base_nodes,
    part.factor, part.value_pct, is_printable, note, footnote, verification, kind
FROM scaling_run, LATERAL (
    VALUES ('scaling efficiency', efficiency_pct), ('throughput', throughput_efficiency_pct),
        ('convergence', convergence_efficiency_pct), ('overhead', overhead_efficiency_pct)
) AS part(factor, value_pct)
WHERE is_preferred AND edition = 'submitted' AND organization = 'Dell' AND round = 'v1.1'
    AND division = 'closed' AND system LIKE '%R750xa%' AND benchmark = 'resnet'
    AND system <> base_system
ORDER BY nodes, system,
    array_position(['scaling efficiency', 'throughput', 'convergence', 'overhead'], part.factor)
"""

TITLE = "Where the efficiency of ResNet-50 on R750xa is lost"

CAPTION = (
    "Scaling efficiency is the product of its three factors: throughput (samples per second per"
    " accelerator while training, against the smallest node count), convergence (samples that "
    "the smallest node count needed, divided by the samples needed here) and overhead (what is "
    "left: evaluation, the first epoch, gaps). A factor above 100 % means that this part was "
    "better than on the smallest node count."
)


def _labelled(frame: pl.DataFrame) -> pl.DataFrame:
    rows = frame.to_dicts()
    return frame.with_columns(
        pl.max_horizontal("value_pct", pl.lit(100.0)).alias("far_pct"),
        pl.Series(
            "label",
            [f"{percent(row['value_pct'])} {row['factor']}" for row in rows],
            dtype=pl.String,
        ),
        pl.Series("nodes_label", [node_label(row["nodes"]) for row in rows], dtype=pl.String),
    )


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Bars from zero: the efficiency and its three named factors at each node count."""
    import altair as alt

    factors = alt.Chart(inline(_labelled(frame))).encode(
        x=alt.X("value_pct:Q", title="Percent of the smallest node count")
        .scale(domain=[0, 175])
        .axis(values=[0, 25, 50, 75, 100]),
        y=alt.Y("nodes_label:N", title=None, sort=None).axis(labelFontWeight="bold"),
        yOffset=alt.YOffset("factor:N", sort=None),
    )
    bars = factors.mark_bar().encode(
        color=alt.Color("factor:N", sort=None, legend=None).scale(range="category"),
        tooltip=["nodes:Q", "factor:N", alt.Tooltip("value_pct:Q", format=".1f")],
    )
    labels = factors.mark_text(style="value", align="left", dx=5).encode(
        x="far_pct:Q", text="label:N"
    )
    line = (
        alt.Chart(inline(pl.DataFrame({"value_pct": [100]})))
        .mark_rule(style="ideal")
        .encode(x="value_pct:Q")
    )
    return layered(bars, line, labels, height=20 * frame.height + 30)


def alt_text(frame: pl.DataFrame) -> str:
    """Efficiency and factors at each node count in words."""
    groups = _labelled(frame).group_by("nodes_label", maintain_order=True).agg("label")
    parts = (f"{row['nodes_label']}: {', '.join(row['label'])}" for row in groups.to_dicts())
    return "Bar chart of percentages. " + "; ".join(parts) + "."
