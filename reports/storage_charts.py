"""Pieces that the figures of storage tests share; every function is pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from reports.charts import inline, layered, log_domain
from reports.curves import by_line, halo_labels, log2_x, log_y, measured, plural, spaced
from reports.numbers import is_known, three_digits

if TYPE_CHECKING:
    import altair as alt

_GB_FROM_BPS = 1e10


def in_bandwidth_unit(frame: pl.DataFrame, **shown: str) -> tuple[pl.DataFrame, str]:
    """The frame with new columns from columns in B/s, and their unit: MB/s, or GB/s from 10 on."""
    values = [value for name in shown.values() for value in frame[name].to_list()]
    top = max((value for value in values if is_known(value)), default=0.0)
    factor, unit = (1e9, "GB/s") if top >= _GB_FROM_BPS else (1e6, "MB/s")
    return frame.with_columns((pl.col(old) / factor).alias(new) for new, old in shown.items()), unit


def in_ms(frame: pl.DataFrame, **shown: str) -> pl.DataFrame:
    """The frame with new columns in milliseconds from columns in microseconds."""
    return frame.with_columns((pl.col(old) / 1e3).alias(new) for new, old in shown.items())


def linear_lines(frame: pl.DataFrame, x: alt.X) -> alt.Chart:
    """A dashed line of each `line`'s colour through the column `ideal`."""
    import altair as alt

    dashed = alt.Chart(inline(frame)).mark_line(strokeDash=[5, 4], strokeWidth=1.2)
    drawn: alt.Chart = dashed.encode(x=x, y=alt.Y("ideal:Q"), color=by_line(frame)["color"])
    return drawn


def labelled_ends(frame: pl.DataFrame, x: str, value: str, *others: str) -> pl.DataFrame:
    """The last points of the lines with `label`, their value, and `place`, where it may stand.

    Only labels at the same `x` can overlap.
    """
    domain = log_domain(frame, value, *others, room=0.12)
    labelled = [
        group.with_columns(
            pl.Series("place", spaced(group[value].to_list(), domain), dtype=pl.Float64),
            pl.Series("label", [three_digits(number) for number in group[value]], dtype=pl.String),
        )
        for _, group in frame.filter(pl.col("is_last")).group_by(x, maintain_order=True)
    ]
    return pl.concat(labelled)


def growth_chart(frame: pl.DataFrame, name: str, title: str) -> alt.LayerChart:
    """Bandwidth along a column, a line for each `line`, on two logarithmic scales.

    The frame has bandwidth_bps, ideal_bps, efficiency_pct, is_last and evidence.
    """
    import altair as alt

    named, unit = in_bandwidth_unit(frame, bandwidth="bandwidth_bps", ideal="ideal_bps")
    x = log2_x(named, name, title, room=0.1)
    y = log_y(named, "bandwidth", f"Bandwidth ({unit}), log scale", "ideal")
    ends = labelled_ends(named, name, "bandwidth", "ideal")
    return layered(
        linear_lines(named, x),
        *measured(named, x, y, "line:N", name, "bandwidth", "efficiency_pct"),
        *halo_labels(ends, {"x": x, "y": alt.Y("place:Q")}, align="left", dx=9),
        height=380,
    )


def growth_text(frame: pl.DataFrame, name: str) -> str:
    """What `growth_chart` shows, in words: every bandwidth, and where a line saturates."""
    named, unit = in_bandwidth_unit(frame, bandwidth="bandwidth_bps")
    parts = []
    for (line,), group in named.group_by("line", maintain_order=True):
        rows = group.to_dicts()
        steps = (f"{plural(row[name], name[:-1])} {three_digits(row['bandwidth'])}" for row in rows)
        bend = rows[0]["saturated_from"]
        words = f", saturated from {plural(bend, name[:-1])}" if bend else ""
        parts.append(f"{line}: {', '.join(steps)} {unit}{words}")
    return f"Line chart of bandwidth by {name}. {'. '.join(parts)}."
