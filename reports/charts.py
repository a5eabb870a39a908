"""Pieces that several figures share; every function is pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from reports.numbers import is_known, minutes, percent
from reports.tables import WITHHELD

if TYPE_CHECKING:
    import altair as alt

RESULT_SET = ["collection", "round", "division", "organization", "system", "benchmark", "nodes"]


def inline(frame: pl.DataFrame) -> alt.InlineData:
    """The frame as data inside the chart's specification, row by row, without a limit on rows."""
    import altair as alt

    return alt.InlineData(values=frame.to_dicts())


def layered(*layers: alt.Chart, height: int) -> alt.LayerChart:
    """The layers on top of each other, as wide as the page allows; `height` in pixels."""
    import altair as alt

    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    chart = alt.LayerChart(layer=list(layers), autosize=fit)
    return chart.properties(width="container", height=height)


def result_sets(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per result set of a frame that has one row per run, order kept."""
    return frame.unique(subset=RESULT_SET, keep="first", maintain_order=True)


def series_names(name: str) -> pl.Expr:
    """'Dell R750xa' for each row, from `organization` and `name`; collections where several."""
    is_named = (pl.col("collection") != "") & (pl.col("collection").n_unique() > 1)
    suffix = pl.when(is_named).then(pl.format(" [{}]", "collection")).otherwise(pl.lit(""))
    return pl.concat_str("organization", pl.lit(" "), name, suffix)


def log_domain(frame: pl.DataFrame, *columns: str, room: float = 0.1) -> list[float]:
    """Ends of a logarithmic axis around all positive values; `room` is the free far part."""
    values = [
        value
        for name in columns
        for value in frame[name].to_list()
        if is_known(value) and value > 0
    ]
    low, high = min(values, default=1.0), max(values, default=10.0)
    ratio = max(high / low, 1.5)
    return [low / ratio**0.06, high * ratio**room]


def node_label(nodes: Any) -> str:
    """'1 node', '8 nodes' or 'nodes not known'."""
    if not is_known(nodes):
        return "nodes not known"
    return f"{nodes} node" if nodes == 1 else f"{nodes} nodes"


def score_label(row: dict[str, Any]) -> str:
    """What is written at a score: minutes, efficiency or why it is withheld, and 'unverified'."""
    if not is_known(row["score_min"]):
        return f"no score: {row['reason'] or 'reason not known'}"
    mean = " (plain mean)" if row["is_plain_mean"] else ""
    mark = " unverified" if row["score_verification"] == "unverified" else ""
    remark = efficiency_label(row)
    return f"{minutes(row['score_min'])} min{mean}{mark}" + (f"\n{remark}" if remark else "")


def efficiency_label(row: dict[str, Any]) -> str:
    """'98.1 %', with what limits its meaning; '' for the base of a family."""
    if row["system"] == row["base_system"]:
        return ""
    if not row["is_printable"]:
        return WITHHELD
    words = [percent(row["efficiency_pct"])]
    if row["verification"] == "unverified":
        words.append("unverified")
    if row["is_like_for_like"] is None:
        words.append("not known if like for like *")
    elif not row["is_like_for_like"]:
        words.append("not like for like *")
    return ", ".join(words)


def labelled(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with labels and names for its marks, and `far_min`, beyond all of them."""
    rows = frame.to_dicts()
    reach = [name for name in ("score_min", "slowest_min", "ideal_min") if name in frame.columns]
    return frame.with_columns(
        pl.max_horizontal(reach).fill_null(0).alias("far_min"),
        pl.Series("label", [score_label(row) for row in rows], dtype=pl.String),
        pl.Series("nodes_label", [node_label(row["nodes"]) for row in rows], dtype=pl.String),
    )


def largest(frame: pl.DataFrame, *columns: str) -> float:
    """The largest known value of these columns, 1.0 if there is none."""
    values = [frame[name].max() for name in columns]
    return max((float(value) for value in values if isinstance(value, int | float)), default=1.0)


def sentence(row: dict[str, Any]) -> str:
    """One score in words, for alternative texts."""
    label = score_label(row).replace("\n", ", efficiency ").replace(" *", "")
    return f"{row['benchmark_title']} on {node_label(row['nodes'])}: {label}"


def node_bars(frame: pl.DataFrame) -> alt.LayerChart:
    """Minutes to train as bars from zero, grouped by benchmark, a bar per node count.

    `frame` has a row per run: its `time_to_train_min`, shown as a point, and the key, score and
    efficiency of its result set.
    """
    import altair as alt

    sets = labelled(result_sets(frame))
    room = largest(frame, "score_min", "time_to_train_min") * 1.45
    x = alt.X("score_min:Q", title="Minutes to train (less is better)")
    color = alt.Color("nodes_label:N", title=None, sort=None).scale(range="category")
    scores = alt.Chart(inline(sets)).encode(**_by_benchmark_and_nodes())
    bars = scores.mark_bar().encode(
        x=x.scale(domain=[0, room]).axis(tickCount=6),
        color=color,
        tooltip=["system:N", "benchmark:N", "nodes:Q", "score_min:Q", "note:N"],
    )
    labels = scores.mark_text(
        style="value", align="left", dx=7, lineBreak="\n", lineHeight=13
    ).encode(x="far_min:Q", text="label:N")
    return layered(bars, _run_points(frame), labels, height=30 * sets.height + 30)


def _by_benchmark_and_nodes() -> dict[str, Any]:
    import altair as alt

    return {
        "y": alt.Y("benchmark_title:N", title=None, sort=None).axis(labelFontWeight="bold"),
        "yOffset": alt.YOffset("nodes_label:N", sort=None),
    }


def _run_points(frame: pl.DataFrame) -> alt.Chart:
    """A point for each run, on the bar of its result set."""
    import altair as alt

    points = alt.Chart(inline(labelled(frame))).mark_point(style="run", filled=True, size=14)
    encoded: alt.Chart = points.encode(
        x="time_to_train_min:Q",
        tooltip=["run_number:Q", "time_to_train_min:Q", "start:N", "stop:N"],
        **_by_benchmark_and_nodes(),
    )
    return encoded
