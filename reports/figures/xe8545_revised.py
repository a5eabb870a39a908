"""Figure 3 of the report: XE8545 on 1 and 2 nodes, with the revised RNN-T result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import node_bars, result_sets, sentence

if TYPE_CHECKING:
    import altair as alt

VIEW = """
WITH chosen AS (
    SELECT collection
    FROM scaling_printed
    WHERE organization = 'Dell' AND round = 'v1.1' AND division = 'closed'
        AND system LIKE '%XE8545%' AND benchmark IN ('bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt')
    GROUP BY collection
    ORDER BY count(*) DESC, bool_and(verification = 'official') DESC,
        bool_and(kind = 'logged') DESC, collection
    LIMIT 1
)
SELECT s.collection, s.round, s.division, s.organization, s.system, s.benchmark,
    s.benchmark_title, s.nodes, s.accelerators, r.run_number, r.time_to_train_min, r.status,
    coalesce(s.score_min, CASE WHEN s.system = s.base_system THEN s.base_score_min END)
        AS score_min,
    own.score_min IS NULL AS is_plain_mean, s.base_system, s.speedup, s.efficiency_pct,
    max(r.time_to_train_min) OVER (PARTITION BY s.result_set) AS slowest_min, own.reason,
    s.is_like_for_like, s.is_printable, s.note, s.footnote, own.verification AS score_verification,
    s.verification, s.kind,
    r.path || ':' || r.start_line AS start, r.path || ':' || r.stop_line AS stop
FROM scaling_revised_printed AS s
JOIN chosen AS c ON c.collection = CASE
    WHEN s.replaces IS NULL THEN s.collection ELSE split_part(s.replaces, '@', 2) END
JOIN score AS own ON own.result_set = s.result_set
JOIN run_result AS r ON r.result_set = s.result_set
WHERE s.organization = 'Dell' AND s.round = 'v1.1' AND s.division = 'closed'
    AND s.system LIKE '%XE8545%' AND s.benchmark IN ('bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt')
ORDER BY array_position(['bert', 'maskrcnn', 'resnet', 'ssd', 'rnnt'], s.benchmark), s.nodes,
    s.system, r.run_number, r.run_id
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
