"""Accuracy while training, one run for each of the fastest result sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars as pl

from reports.charts import inline, layered, series_names
from reports.numbers import plain

if TYPE_CHECKING:
    import altair as alt

PLACE = "benchmark"
ORDER = 3

VIEW = """
WITH shown AS (
    SELECT result_set, collection, round, division, organization, system, benchmark, nodes,
    global_batch_size,
        score_min, verification, kind
    FROM score
    WHERE coalesce(benchmark, '') = $benchmark AND coalesce(round, '') = $round
        AND coalesce(division, '') = $division
        AND EXISTS (
            FROM evaluation AS e
            JOIN run_result AS r ON r.run_id = e.run_id
            WHERE r.result_set = score.result_set AND r.is_converged AND e.accuracy IS NOT NULL
        )
    QUALIFY row_number() OVER (ORDER BY score_min NULLS LAST, result_set) <= 7
), one_run AS (
    SELECT run_id, result_set, run_number FROM run_result
    WHERE result_set IN (SELECT result_set FROM shown) AND is_converged
    QUALIFY row_number() OVER (PARTITION BY result_set ORDER BY run_number, run_id) = 1
)
SELECT s.collection, s.round, s.division, s.organization, s.system, s.benchmark, s.nodes,
    s.global_batch_size,
    r.run_number, e.ordinal, e.metric, e.quality, e.is_lower_better, e.accuracy, e.epoch_num,
    e.samples_trained, e.minutes_since_start,
    e.path || ':' || e.line AS evidence, s.verification, s.kind
FROM shown AS s
JOIN one_run AS r ON r.result_set = s.result_set
JOIN evaluation AS e ON e.run_id = r.run_id
WHERE isfinite(e.accuracy)
ORDER BY s.score_min NULLS LAST, s.result_set, e.metric, e.ordinal, e.line
"""

TITLE = "Convergence: quality while training"

CAPTION = (
    "The first converged run of each of the result sets with the shortest scores, at most "
    "seven. Each dot is one evaluation as it stands in the log."
)


# some submitters log the number of samples as the number of the epoch
MOST_EPOCHS = 10_000


def _progress(frame: pl.DataFrame) -> tuple[str, str]:
    """Column and axis title of the progress: epochs where logged, else samples, minutes."""
    for column, title in (
        ("epoch_num", "Epoch"),
        ("samples_trained", "Samples"),
        ("minutes_since_start", "Minutes"),
    ):
        known = frame[column].is_not_null().all() and frame[column].n_unique() > 1
        if known and not (column == "epoch_num" and (frame[column] > MOST_EPOCHS).any()):
            return column, title
    return "ordinal", "Evaluation"


def _quality(frame: pl.DataFrame) -> tuple[str, Literal["linear", "log"]]:
    """Axis title of what was measured, and the scale on which small values can be told apart."""
    name = frame["quality"][0] or "accuracy"
    if not frame["is_lower_better"][0]:
        return name[:1].upper() + name[1:], "linear"
    said = f"{name[:1].upper()}{name[1:]} (less is better"
    if (frame["accuracy"] > 0).all():
        return f"{said}, log scale)", "log"
    return f"{said})", "linear"


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with `line`, the system's name, and the metric where a run logs several."""
    several = frame["metric"].n_unique() > 1
    metric = pl.format(", {}", pl.col("metric").fill_null("accuracy")) if several else pl.lit("")
    return frame.with_columns(pl.concat_str(series_names("system"), metric).alias("line"))


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """Accuracy against epochs (or samples), a line with dots per result set."""
    import altair as alt

    column, title = _progress(frame)
    quality, scale = _quality(frame)
    curves = alt.Chart(inline(_named(frame))).encode(
        x=alt.X(f"{column}:Q", title=title),
        y=alt.Y("accuracy:Q", title=quality).scale(type=scale, zero=False, nice=scale == "linear"),
        color=alt.Color("line:N", title=None, sort=None).scale(range="category"),
        order="ordinal:Q",
        tooltip=["system:N", "run_number:Q", f"{column}:Q", "accuracy:Q", "evidence:N"],
    )
    dots = curves.mark_point(filled=True, size=18, opacity=1).encode(
        shape=alt.Shape("line:N", sort=None, legend=None)
    )
    return layered(curves.mark_line(strokeWidth=1.5), dots, height=320)


def alt_text(frame: pl.DataFrame) -> str:
    """Start and end of every curve in words."""
    column, title = _progress(frame)
    ends = (
        f"{name}: {plain(group['accuracy'][0])} to {plain(group['accuracy'][-1])} "
        f"at {title.lower()} {plain(group[column][-1])}"
        for (name,), group in _named(frame).group_by("line", maintain_order=True)
    )
    return f"Line chart of {frame['quality'][0] or 'accuracy'}. " + "; ".join(ends) + "."
