"""Bus bandwidth at the largest common size against the number of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import inline, layered, node_label
from reports.curves import by_line, halo_labels, log2_x, zero_y
from reports.numbers import binary_size, fixed, percent, three_digits

if TYPE_CHECKING:
    import altair as alt

PLACE = "network_collective"
ORDER = 3

VIEW = """
SELECT collection, system AS network_system, collective, type, redop, nodes, ranks, size_bytes,
    busbw_gbps, base_busbw_gbps, kept_pct, runs, is_like_for_like, differences AS note,
    concat_ws(', ', collective, type, redop, nodes || ' nodes') AS test,
    path || ':' || line AS evidence, verification, kind
FROM nccl_scaling
WHERE collection = $collection AND system = $system AND coalesce(collective, '') = $collective
    AND placement = 'out_of_place' AND busbw_gbps IS NOT NULL
QUALIFY count(*) OVER (PARTITION BY type, redop) > 1
ORDER BY type, redop, nodes
"""

TITLE = "Bus bandwidth by number of nodes"

CAPTION = (
    "At the largest message size that all node counts have, out of place, median of the runs. The "
    "percentage is against the smallest node count, whose bandwidth is the dashed line. Within one "
    "node and between nodes other links carry the data, so a step from one node to two is no loss "
    "of scaling. Like for like are the same versions, warm-up and iterations."
)


def _label(row: dict[str, Any]) -> str:
    words = three_digits(row["busbw_gbps"])
    if row["busbw_gbps"] != row["base_busbw_gbps"]:
        words += f" ({percent(row['kept_pct'])})"
    return words + ("" if row["is_like_for_like"] else " *")


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    rows = frame.to_dicts()
    lines = [
        ", ".join(filter(None, (row["type"], row["redop"], binary_size(row["size_bytes"]))))
        for row in rows
    ]
    return frame.with_columns(
        pl.Series("line", lines, dtype=pl.String),
        pl.Series("label", [_label(row) for row in rows], dtype=pl.String),
    )


def chart(frame: pl.DataFrame) -> alt.LayerChart:
    """A line for each type and operation, from zero, with the values at its points."""
    import altair as alt

    named = _named(frame)
    x = log2_x(named, "nodes", "Nodes, log scale", room=0.3)
    y = zero_y(named, "busbw_gbps", "Bus bandwidth (GB/s)")
    look = by_line(named)
    base = (
        alt.Chart(inline(named))
        .mark_line(style="ideal")
        .encode(x=x, y=alt.Y("base_busbw_gbps:Q"), detail="line:N")
    )
    line = alt.Chart(inline(named)).encode(x=x, y=y, color=look["color"])
    tips = ["line:N", "nodes:Q", "ranks:Q", "busbw_gbps:Q", "kept_pct:Q", "evidence:N"]
    points = line.mark_point(size=75, filled=True, opacity=1)
    return layered(
        base,
        line.mark_line(),
        points.encode(shape=look["shape"], tooltip=tips),
        *halo_labels(named, {"x": x, "y": y}, align="left", dx=7, dy=-12),
        height=320,
    )


def alt_text(frame: pl.DataFrame) -> str:
    """The bandwidth at each node count, and what is kept of that of the smallest."""
    parts = []
    for (line,), group in _named(frame).group_by("line", maintain_order=True):
        steps = "; ".join(
            f"{node_label(row['nodes'])} {fixed(row['busbw_gbps'], 2)} GB/s, "
            f"{percent(row['kept_pct'])}"
            for row in group.to_dicts()
        )
        parts.append(f"{line}: {steps}")
    return f"Line chart of bus bandwidth by number of nodes. {'. '.join(parts)}."
