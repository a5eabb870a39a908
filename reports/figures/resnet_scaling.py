"""Figure 1 (a) of the report: minutes to train by node count, with the ideal line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, labelled, largest, layered, result_sets, sentence

if TYPE_CHECKING:
    import altair as alt

VIEW = """
SELECT collection, round, division, organization, system, benchmark, benchmark_title, nodes,
    accelerators, run_number, time_to_train_min, status, score_min, is_plain_mean, ideal_min,
    base_system, speedup, efficiency_pct, slowest_min, reason, is_like_for_like, is_printable, note,
    footnote, score_verification, verification, kind, start, stop
FROM scaling_run
WHERE is_preferred AND edition = 'submitted' AND organization = 'Dell' AND round = 'v1.1'
    AND division = 'closed' AND system LIKE '%R750xa%'
    AND benchmark = 'resnet'
ORDER BY nodes, system, run_number, run_id
"""

TITLE = "Minutes to train ResNet-50 on 1 to 8 PowerEdge R750xa servers"

CAPTION = (
    "Bars are the score of each node count: the mean of the runs without the fastest and the "
    "slowest. Dots are the single runs. The dashed line is the score of the smallest node count"
    " divided by the growth in nodes. The percentage is the scaling efficiency: speed-up over "
    "the smallest node count, divided by the growth in nodes."
)


def _two_lines(sets: pl.DataFrame) -> pl.DataFrame:
    """Labels of two lines each, so that all end at the same distance above their bar."""
    label = pl.col("label")
    return sets.with_columns(
        label=pl.when(label.str.contains("\n"))
        .then(label)
        .otherwise(pl.concat_str(pl.lit("\n"), label))
    )


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Bars from zero by node count, runs as points, a dashed ideal, values above."""
    import altair as alt

    sets = _two_lines(labelled(result_sets(frame)))
    top = largest(frame, "score_min", "time_to_train_min") * 1.2
    x = alt.X("nodes:O", title="Nodes").axis(labelAngle=0)
    y = alt.Y("score_min:Q", title="Minutes to train (less is better)").scale(domain=[0, top])
    scores = alt.Chart(inline(sets)).encode(x=x)
    bars = scores.mark_bar(width={"band": 0.62}).encode(
        y=y, tooltip=["system:N", "nodes:Q", "score_min:Q"]
    )
    ideal = scores.mark_line(style="ideal").encode(y="ideal_min:Q")
    runs = (
        alt.Chart(inline(frame))
        .mark_point(style="run", filled=True, size=14)
        .encode(
            x=x,
            y="time_to_train_min:Q",
            tooltip=["run_number:Q", "time_to_train_min:Q", "start:N", "stop:N"],
        )
    )
    words = alt.Chart(inline(sets)).encode(x=x, y="far_min:Q", text="label:N")
    halo, labels = (
        words.mark_text(
            style=style, align="center", baseline="bottom", dy=-19, lineBreak="\n", lineHeight=14
        )
        for style in ("halo", "value")
    )
    return layered(bars, ideal, runs, halo, labels, height=320)


def alt_text(frame: pl.DataFrame) -> str:
    """Every score and efficiency of the figure in words."""
    return "Bar chart. " + "; ".join(sentence(row) for row in result_sets(frame).to_dicts()) + "."
