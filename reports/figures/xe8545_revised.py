"""Figure 3 of the report: XE8545 on 1 and 2 nodes, with the revised RNN-T result."""

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
WHERE is_preferred AND edition = 'revised' AND organization = 'Dell' AND round = 'v1.1'
    AND division = 'closed' AND system LIKE '%XE8545%'
    AND array_position(['bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt'], benchmark) > 0
ORDER BY array_position(['bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt'], benchmark),
    nodes, system, run_number, run_id
"""

TITLE = "Minutes to train on one and two PowerEdge XE8545 servers, with the revised RNN-T result"

CAPTION = (
    "The same as the figure before, but the single-node RNN-T score is a later, unverified run "
    "whose settings are not public. No log of it is public either: its bar is the one mean "
    "that was printed. What could not be checked is said in the notes below the figure."
)


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Bars from zero by benchmark and node count, with runs, values and efficiency."""
    return node_bars(frame)


def alt_text(frame: pl.DataFrame) -> str:
    """Every score and efficiency of the figure in words."""
    return "Bar chart. " + "; ".join(sentence(row) for row in result_sets(frame).to_dicts()) + "."
