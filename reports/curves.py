"""Pieces of charts with a curve for each line; every function is pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import inline, log_domain
from reports.numbers import is_known

if TYPE_CHECKING:
    import altair as alt

# width of stacked panels in pixels, where nothing says how much room there is
PANEL_WIDTH = 580
_FEWEST_STEPS = 4
_MOST_SIZES = 12
_LONG_NAME = 50
_BINARY_LABELS = (
    "datum.value >= 1073741824 ? datum.value / 1073741824 + ' GiB' : "
    "datum.value >= 1048576 ? datum.value / 1048576 + ' MiB' : "
    "datum.value >= 1024 ? datum.value / 1024 + ' KiB' : datum.value + ' B'"
)


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


def binary_size_x(frame: pl.DataFrame, name: str, title: str) -> alt.X:
    """A horizontal axis of sizes in binary units, to base two; `title` says of what.

    Every size has a tick; of many sizes, every second, third ... doubling.
    """
    axis = log2_x(frame, name, title)
    values = sorted(set(frame[name].to_list()))
    if len(values) > _MOST_SIZES:
        steps = doublings([values[0], values[-1]])
        values = steps[:: math.ceil(len(steps) / _MOST_SIZES)]
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
    is_long = max(map(len, names), default=0) > _LONG_NAME
    columns, limit = (1, 620) if is_long else (alt.Undefined, alt.Undefined)
    legend = alt.Legend(symbolOpacity=1, columns=columns, labelLimit=limit)
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


def halo_labels(
    frame: pl.DataFrame, encoded: dict[str, Any], text: str = "label", **where: Any
) -> list[alt.Chart]:
    """Text beside marks, legible over lines; `where` places it, as for a text mark."""
    import altair as alt

    words = alt.Chart(inline(frame)).encode(text=f"{text}:N", **encoded)
    return [words.mark_text(style=style, **where) for style in ("halo", "value")]


def spaced(
    values: Sequence[float], domain: Sequence[float], share: float = 0.05, is_log: bool = True
) -> list[float]:
    """Places for labels at values of an axis, moved up where two would overlap.

    `share` is the least distance, as a part of the axis.
    """
    scale, back = (math.log, math.exp) if is_log else (float, float)
    gap = (scale(domain[1]) - scale(domain[0])) * share
    places: dict[int, float] = {}
    last = -math.inf
    for index in sorted(range(len(values)), key=lambda index: values[index]):
        last = max(scale(values[index]), last + gap)
        places[index] = last
    return [back(places[index]) for index in range(len(values))]


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
