"""Figure 2 of the report: XE8545 on 1 and 2 nodes, as submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import node_bars, result_sets, sentence

if TYPE_CHECKING:
    import altair as alt

VIEW = """
SELECT collection, round, division, organization, system, benchmark, benchmark_title, nodes,
    accelerators, run_number, time_to_train_min, status, score_min, is_plain_mean,
    base_system, speedup, efficiency_pct, slowest_min, reason, is_like_for_like, is_printable, note,
    footnote, score_verification, verification, kind, start, stop
FROM scaling_run
WHERE is_preferred AND edition = 'submitted' AND organization = 'Dell' AND round = 'v1.1'
    AND division = 'closed' AND system LIKE '%XE8545%'
    AND array_position(['bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt'], benchmark) > 0
ORDER BY array_position(['bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt'], benchmark),
    nodes, system, run_number, run_id
"""

TITLE = "Minutes to train on one and two PowerEdge XE8545 servers, as submitted"

CAPTION = (
    "Bars are the score of each result set: the mean of the runs without the fastest and the "
    "slowest. Dots are the single runs. The percentage is the scaling efficiency from one to "
    "two nodes. A result marked with * is not like for like; the notes below the figure say "
    "what differs."
)


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Bars from zero by benchmark and node count, with runs, values and efficiency."""
    return node_bars(frame)


def alt_text(frame: pl.DataFrame) -> str:
    """Every score and efficiency of the figure in words."""
    return "Bar chart. " + "; ".join(sentence(row) for row in result_sets(frame).to_dicts()) + "."
