"""Epochs or samples to converge against the batch size, beside the official reference points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered, log_domain, series_names
from reports.numbers import is_known, plain

if TYPE_CHECKING:
    import altair as alt

PLACE = "benchmark"
ORDER = 4

VIEW = """
WITH sets AS (
    SELECT s.*, c.rule_set, c.benchmark AS official_name, c.rcp_case, c.mean_converged,
        c.reference_mean, c.min_mean, c.norm_factor, c.is_passed, c.unit, c.path, c.line,
        c.global_batch_size AS batch_size
    FROM result_set AS s
    JOIN rcp_comparison AS c ON c.result_set = s.result_set AND c.is_pruned
    WHERE coalesce(s.benchmark, '') = $benchmark AND coalesce(s.round, '') = $round
        AND coalesce(s.division, '') = $division AND s.division = 'closed'
), reference AS (
    SELECT DISTINCT rule_set, official_name FROM sets
), shown AS (
    SELECT 4 AS layer, CASE WHEN is_passed THEN 'submission, passes' ELSE 'submission, fails' END
        AS mark, rule_set, batch_size, mean_converged AS converged, unit, reference_mean, min_mean,
        norm_factor, rcp_case, NULL AS run_number, NULL AS runs, NULL AS record,
        path || coalesce(':' || line, '') AS evidence, collection, round, division, organization,
        system, benchmark, verification, kind
    FROM sets
    UNION ALL
    SELECT 3, 'single run', s.rule_set, r.global_batch_size, r.converged, r.unit, NULL, NULL, NULL,
        NULL, r.run_number, NULL, NULL, r.path || coalesce(':' || r.line, ''), s.collection,
        s.round, s.division, s.organization, s.system, s.benchmark, s.verification, s.kind
    FROM sets AS s JOIN rcp_run AS r ON r.result_set = s.result_set
    UNION ALL
    SELECT 2, CASE WHEN p.is_pruned THEN 'reference, pruned' ELSE 'reference' END, p.rule_set,
        p.batch_size, p.mean, p.unit, p.mean, p.min_mean, NULL, NULL, NULL, p.runs, p.record,
        p.path, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM rcp_point AS p
    JOIN reference AS r ON r.rule_set = p.rule_set AND r.official_name = p.benchmark
    UNION ALL
    SELECT 1, 'limit', b.rule_set, b.batch_size, NULL, b.unit, b.mean, b.min_mean, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM rcp_band AS b
    JOIN reference AS r ON r.rule_set = b.rule_set AND r.official_name = b.benchmark
    WHERE b.is_interpolated
)
SELECT * EXCLUDE (layer) FROM shown
WHERE EXISTS (FROM shown WHERE layer = 2) AND isfinite(batch_size)
ORDER BY layer DESC, organization, system, collection, run_number, batch_size, mark, record
"""

TITLE = "Convergence against the official reference"

CAPTION = (
    "Diamonds are the submissions: the mean of the runs without the fastest and the slowest ones. "
    "Dots are single runs. Squares are the official reference points, joined by a line; the band "
    "under it ends at the least mean that passes. Between two points the reference is "
    "interpolated; left of the first one, that one counts. A cross is a point that was pruned: it "
    "converges more slowly than its neighbours say, and does not count. Runs that did not "
    "converge are not drawn. The scale of the batch size is logarithmic."
)

MARKS = ("submission, passes", "submission, fails", "single run", "reference", "reference, pruned")
_SHAPES = ["diamond", "triangle-down", "circle", "square", "cross"]
_SIZES = {"submission, passes": 110, "submission, fails": 130, "single run": 16, "reference": 50}


def _curve(frame: pl.DataFrame) -> pl.DataFrame:
    """The reference along the batch size: points that count, and what lies between them."""
    return frame.filter(pl.col("mark").is_in(["reference", "limit"])).sort("batch_size")


def _points(frame: pl.DataFrame) -> pl.DataFrame:
    """What is drawn as a mark of its own, with a name and a size."""
    known = frame.filter((pl.col("mark") != "limit") & pl.col("converged").is_not_null())
    name = (
        pl.when(pl.col("system").is_null()).then(pl.col("record")).otherwise(series_names("system"))
    )
    size = pl.col("mark").replace_strict(_SIZES, default=70, return_dtype=pl.Int64)
    return known.with_columns(name.alias("name"), size.alias("size")).reverse()


def _title(frame: pl.DataFrame) -> str:
    unit = next((unit for unit in frame["unit"].to_list() if unit), "epochs")
    return f"{unit.capitalize()} to converge"


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """The band of the reference, its points, and the submissions with their runs."""
    import altair as alt

    points = _points(frame)
    shown = [mark for mark in MARKS if mark in points["mark"].to_list()]
    shapes = [_SHAPES[MARKS.index(mark)] for mark in shown]
    domain = log_domain(frame, "batch_size", room=0.06)
    x = (
        alt.X("batch_size:Q", title="Global batch size (samples), log scale")
        .scale(type="log", domain=domain, nice=False)
        .axis(labelOverlap="greedy", labelSeparation=8)
    )
    y = alt.Y("converged:Q", title=_title(frame)).scale(zero=False)
    curve = alt.Chart(inline(_curve(frame))).encode(x=x)
    kind = {
        "color": alt.Color("mark:N", title=None, sort=shown).scale(domain=shown, range="category"),
        "shape": alt.Shape("mark:N", title=None, sort=shown).scale(domain=shown, range=shapes),
    }
    marks = alt.Chart(inline(points)).mark_point(filled=True, opacity=0.85)
    return layered(
        curve.mark_area(opacity=0.18).encode(
            y=alt.Y("min_mean:Q", title=_title(frame)).scale(zero=False), y2="reference_mean:Q"
        ),
        curve.mark_line(strokeWidth=1.5).encode(y="reference_mean:Q"),
        curve.mark_line(style="ideal").encode(y="min_mean:Q"),
        marks.encode(
            x=x, y=y, size=alt.Size("size:Q", legend=None).scale(None), tooltip=_tips(), **kind
        ),
        height=360,
    )


def _tips() -> list[str]:
    return [
        "mark:N",
        "name:N",
        "run_number:Q",
        "batch_size:Q",
        "converged:Q",
        "min_mean:Q",
        "norm_factor:Q",
        "rcp_case:N",
        "evidence:N",
    ]


def alt_text(frame: pl.DataFrame) -> str:
    """How many submissions pass, how many do not, and the range of the reference."""
    counts = {mark: frame.filter(pl.col("mark") == mark).height for mark in MARKS}
    sizes = [value for value in frame["batch_size"].to_list() if is_known(value)]
    span = f"{plain(min(sizes))} to {plain(max(sizes))}" if sizes else "not known"
    return (
        f"Scatter plot of {_title(frame).lower()} against batch sizes from {span}: "
        f"{counts['submission, passes']} result sets pass and {counts['submission, fails']} fail "
        f"the test against {counts['reference']} reference points; "
        f"{counts['reference, pruned']} more points are pruned."
    )
