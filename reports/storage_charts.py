"""Pieces that the figures of storage tests share; every function is pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import inline, layered, log_domain
from reports.numbers import is_known, three_digits

if TYPE_CHECKING:
    import altair as alt

# a chart with more lines than this is hard to read; the views of the figures keep that many
MOST_LINES = 7
# width of stacked panels in pixels, where nothing says how much room there is
PANEL_WIDTH = 580
_GB_FROM_BPS = 1e10
_FEWEST_STEPS = 4
_BINARY_LABELS = (
    "datum.value >= 1048576 ? datum.value / 1048576 + ' MiB' : "
    "datum.value >= 1024 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"
)


def in_bandwidth_unit(frame: pl.DataFrame, **shown: str) -> tuple[pl.DataFrame, str]:
    """The frame with new columns from columns in B/s, and their unit: MB/s, or GB/s from 10 on."""
    values = [value for name in shown.values() for value in frame[name].to_list()]
    top = max((value for value in values if is_known(value)), default=0.0)
    factor, unit = (1e9, "GB/s") if top >= _GB_FROM_BPS else (1e6, "MB/s")
    return frame.with_columns((pl.col(old) / factor).alias(new) for new, old in shown.items()), unit


def in_ms(frame: pl.DataFrame, **shown: str) -> pl.DataFrame:
    """The frame with new columns in milliseconds from columns in microseconds."""
    return frame.with_columns((pl.col(old) / 1e3).alias(new) for new, old in shown.items())


def doublings(domain: Sequence[float]) -> list[int]:
    """The powers of two within the ends of an axis."""
    return [2**power for power in range(60) if domain[0] <= 2**power <= domain[1]]


def round_steps(domain: Sequence[float]) -> list[float]:
    """Round numbers within the ends of a logarithmic axis, in steps as wide as the axis allows."""
    low, high = (math.floor(math.log10(end)) for end in domain)
    for digits in ((1,), (1, 2, 5), (1, 1.5, *range(2, 10))):
        steps = [digit * 10.0**power for power in range(low, high + 1) for digit in digits]
        inside = [step for step in steps if domain[0] <= step <= domain[1]]
        if len(inside) >= _FEWEST_STEPS:
            break
    return inside


def log2_x(frame: pl.DataFrame, name: str, title: str, room: float = 0.12) -> alt.X:
    """A horizontal axis to base two around a column, with ticks at its doublings."""
    import altair as alt

    domain = log_domain(frame, name, room=room)
    axis = alt.X(f"{name}:Q", title=title).axis(values=doublings(domain), grid=False)
    return axis.scale(type="log", base=2, domain=domain, nice=False)


def block_size_x(frame: pl.DataFrame, name: str) -> alt.X:
    """A horizontal axis of block sizes in binary units, to base two."""
    axis = log2_x(frame, name, "Block size, log scale")
    values = sorted(set(frame[name].to_list()))
    return axis.axis(values=values, labelExpr=_BINARY_LABELS, grid=False)


def log_y(frame: pl.DataFrame, name: str, title: str, *others: str) -> alt.Y:
    """A vertical logarithmic axis around columns, with ticks at round numbers."""
    import altair as alt

    domain = log_domain(frame, name, *others, room=0.12)
    axis = alt.Y(f"{name}:Q", title=title).axis(values=round_steps(domain), format=",~g")
    return axis.scale(type="log", domain=domain, nice=False)


def zero_y(frame: pl.DataFrame, name: str, title: str) -> alt.Y:
    """A vertical axis from zero, with room above for labels."""
    import altair as alt

    top = max((value for value in frame[name].to_list() if is_known(value)), default=1.0)
    return alt.Y(f"{name}:Q", title=title).scale(domain=[0, top * 1.18 or 1.0], nice=False)


def by_line(frame: pl.DataFrame) -> dict[str, Any]:
    """Colour and shape by the column `line`, with one legend."""
    import altair as alt

    names = frame["line"].unique(maintain_order=True).to_list()
    legend = alt.Legend(symbolOpacity=1)
    # only scales with equal domains share a legend
    return {
        "color": alt.Color("line:N", title=None, legend=legend).scale(
            range="category", domain=names
        ),
        "shape": alt.Shape("line:N", title=None, legend=legend).scale(range="symbol", domain=names),
    }


def measured(frame: pl.DataFrame, x: alt.X, y: alt.Y, *tips: str) -> list[alt.Chart]:
    """A line and points for each `line` of the frame; `tips` are the columns a tooltip shows."""
    import altair as alt

    look = by_line(frame)
    curves = alt.Chart(inline(frame)).encode(x=x, y=y, color=look["color"])
    points = curves.mark_point(size=75, filled=True, opacity=1)
    shown = [name if ":" in name else f"{name}:Q" for name in (*tips, "evidence:N")]
    return [curves.mark_line(), points.encode(shape=look["shape"], tooltip=shown)]


def linear_lines(frame: pl.DataFrame, x: alt.X) -> alt.Chart:
    """A dashed line of each `line`'s colour through the column `ideal`."""
    import altair as alt

    dashed = alt.Chart(inline(frame)).mark_line(strokeDash=[5, 4], strokeWidth=1.2)
    drawn: alt.Chart = dashed.encode(x=x, y=alt.Y("ideal:Q"), color=by_line(frame)["color"])
    return drawn


def halo_labels(
    frame: pl.DataFrame, encoded: dict[str, Any], text: str = "label", **where: Any
) -> list[alt.Chart]:
    """Text beside marks, legible over lines; `where` places it, as for a text mark."""
    import altair as alt

    words = alt.Chart(inline(frame)).encode(text=f"{text}:N", **encoded)
    return [words.mark_text(style=style, **where) for style in ("halo", "value")]


def spaced(values: Sequence[float], domain: Sequence[float], share: float = 0.05) -> list[float]:
    """Places for labels at values of a logarithmic axis, moved up where two would overlap.

    `share` is the least distance, as a part of the axis.
    """
    gap = (math.log(domain[1]) - math.log(domain[0])) * share
    places: dict[int, float] = {}
    last = -math.inf
    for index in sorted(range(len(values)), key=lambda index: values[index]):
        last = max(math.log(values[index]), last + gap)
        places[index] = last
    return [math.exp(places[index]) for index in range(len(values))]


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


def stacked(*panels: alt.LayerChart | alt.Chart) -> alt.VConcatChart:
    """Panels under each other that share their horizontal axis; the last one should name it."""
    import altair as alt

    sized = [panel.properties(width=PANEL_WIDTH, height=190) for panel in panels]
    joined = alt.vconcat(*sized, bounds="flush", spacing=40)
    shared: alt.VConcatChart = joined.resolve_scale(x="shared")
    return shared


def plural(number: Any, word: str) -> str:
    """'1 job', '16 jobs' or 'jobs not known'."""
    if not is_known(number):
        return f"{word}s not known"
    return f"{number:,.0f} {word}{'' if number == 1 else 's'}"
