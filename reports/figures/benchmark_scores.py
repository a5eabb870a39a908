"""Scores of one benchmark in one round and division, a row per system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered, log_domain, result_sets, series_names
from reports.numbers import is_known, minutes

if TYPE_CHECKING:
    import altair as alt

PLACE = "benchmark"
ORDER = 1

VIEW = """
SELECT s.collection, s.round, s.division, s.organization, s.system, s.benchmark, s.nodes,
    s.accelerators,
    s.accelerator_model, r.run_number, r.time_to_train_min, r.status, r.is_counted, s.score_min,
    max(r.time_to_train_min) OVER (PARTITION BY s.result_set) AS slowest_min, s.reason,
    s.verification, s.kind
FROM score AS s
LEFT JOIN run_result AS r ON r.result_set = s.result_set
WHERE coalesce(s.benchmark, '') = $benchmark AND coalesce(s.round, '') = $round
    AND coalesce(s.division, '') = $division
ORDER BY s.score_min NULLS LAST, s.organization, s.system, s.collection, r.run_number,
    r.run_id
"""

TITLE = "Minutes to train by system"

CAPTION = (
    "Diamonds are the scores: the mean of the runs without the fastest and the slowest ones "
    "that the rules drop. Dots are the single runs. The scale is logarithmic. A system without "
    "a score says why."
)


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with `row` (its system), `label`, and `far_min`, right of all its marks."""
    first = min((value for value in frame["slowest_min"].to_list() if is_known(value)), default=1.0)
    return frame.with_columns(
        series_names("system").alias("row"),
        pl.max_horizontal("score_min", "slowest_min").fill_null(first).alias("far_min"),
        pl.Series("label", [_label(row) for row in frame.to_dicts()], dtype=pl.String),
    )


def _label(row: dict[str, object]) -> str:
    if not is_known(row["score_min"]):
        return f"no score: {row['reason'] or 'reason not known'}"
    mark = " unverified" if row["verification"] == "unverified" else ""
    return f"{minutes(row['score_min'])}{mark}"  # type: ignore[arg-type]


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """One row per system by score; runs as dots, the score as a labelled diamond."""
    import altair as alt

    runs = _named(frame)
    sets = result_sets(runs)
    domain = log_domain(frame, "score_min", "time_to_train_min", room=0.25)
    x = alt.X("score_min:Q", title="Minutes to train, log scale")
    y = alt.Y("row:N", title=None, sort=sets["row"].to_list()).axis(grid=True)
    dots = alt.Chart(inline(runs.filter(pl.col("time_to_train_min") > 0))).mark_point(
        style="run", filled=True, size=14
    )
    scores = alt.Chart(inline(sets.filter(pl.col("score_min") > 0))).mark_point(
        shape="diamond", filled=True, size=90, opacity=1
    )
    labels = alt.Chart(inline(sets)).mark_text(style="value", align="left", dx=9)
    tips = [
        "system:N",
        "accelerators:Q",
        "accelerator_model:N",
        alt.Tooltip("score_min:Q", format=".3f"),
    ]
    return layered(
        dots.encode(
            y=y, x=alt.X("time_to_train_min:Q"), tooltip=["run_number:Q", "time_to_train_min:Q"]
        ),
        scores.encode(y=y, x=x.scale(type="log", domain=domain, nice=False), tooltip=tips),
        labels.encode(y=y, x=alt.X("far_min:Q"), text="label:N"),
        height=20 * sets.height + 20,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """How many systems, the fastest and slowest score, and how many have none."""
    sets = result_sets(frame)
    known = sets.filter(pl.col("score_min").is_not_null()).sort("score_min")
    missing = sets.height - known.height
    words = f"Dot plot of {sets.height} result sets, {missing} without a score."
    if known.is_empty():
        return words
    first, last = known.row(0, named=True), known.row(-1, named=True)
    return (
        f"{words} Shortest: {first['system']}, {minutes(first['score_min'])} minutes. "
        f"Longest: {last['system']}, {minutes(last['score_min'])} minutes."
    )
