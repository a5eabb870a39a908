"""Pieces that the figures of nccl-tests share; every function is pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from reports.charts import inline, largest, node_label
from reports.curves import binary_size_x, by_line, halo_labels, plural, spaced
from reports.numbers import binary_size, fixed, is_known, plain, three_digits

if TYPE_CHECKING:
    import altair as alt

# a line of a figure is one of these, at one node count
_SETTINGS = ("type", "redop", "root", "nccl_version")

OF_COLLECTIVE = """
c.collection = $collection AND c.system = $system AND coalesce(c.collective, '') = $collective
"""
# in place only where a run has nothing else
ONE_PLACEMENT = "(c.placement = 'out_of_place' OR c.in_place_pct IS NULL)"
_LINE = "network_system, collection, nodes, ranks, type, redop, root, nccl_version, is_nvls"


def lines_view(condition: str, before: str = "") -> str:
    """SQL with a row per size of each run, of the seven lines with the highest peaks.

    `condition` is over the view nccl_curve as c; `before` are relations for it, as for WITH.
    """
    return f"""
WITH {before}point AS (
    SELECT c.collection, c.system AS network_system, c.collective, c.nodes, c.ranks,
        r.busbw_factor, c.type, c.redop, c.root, r.nccl_version, r.is_nvls, c.placement,
        c.size_bytes, c.busbw_gbps, c.time_us, c.in_place_pct, r.link_platform, r.link_gbps,
        c.path || ':' || c.line AS evidence, c.verification, c.kind
    FROM nccl_curve AS c
    JOIN nccl_run AS r ON r.run_id = c.run_id
    WHERE {condition}
), ranked AS (
    SELECT *, max(busbw_gbps) OVER (PARTITION BY {_LINE}) AS line_peak_gbps FROM point
)
SELECT * EXCLUDE (line_peak_gbps) FROM ranked
QUALIFY dense_rank() OVER (ORDER BY line_peak_gbps DESC, {_LINE}) <= 7
ORDER BY {_LINE.removeprefix("network_system, collection, ")}, network_system, collection,
    placement DESC, size_bytes, evidence
"""


def named_lines(frame: pl.DataFrame, first: str | None = None) -> pl.DataFrame:
    """The frame with `line`: column `first`, else the scale, and the settings that vary."""
    varied = [name for name in _SETTINGS if frame[name].n_unique() > 1]
    names = [
        ", ".join([row[first] if first else scale(row), *_settings(row, varied)])
        for row in frame.to_dicts()
    ]
    return frame.with_columns(pl.Series("line", names, dtype=pl.String))


def scale(row: dict[str, Any]) -> str:
    """'2 nodes, 16 ranks, factor 1.875'."""
    factor = plain(row["busbw_factor"]) if is_known(row["busbw_factor"]) else "not known"
    nvls = ", NVLS" if row["is_nvls"] else ""
    return f"{node_label(row['nodes'])}, {plural(row['ranks'], 'rank')}, factor {factor}{nvls}"


def _settings(row: dict[str, Any], varied: list[str]) -> list[str]:
    words = {"root": "root {}", "nccl_version": "NCCL {}"}
    return [
        words.get(name, "{}").format("not known" if row[name] is None else row[name])
        for name in varied
    ]


def medians(frame: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """One row per line and size of a frame that has one for each run: the medians of columns."""
    return frame.group_by("line", "size_bytes", maintain_order=True).agg(
        *(pl.col(name).median() for name in columns), pl.all().exclude(*columns).first()
    )


def curves(frame: pl.DataFrame, x: alt.X, y: alt.Y, value: str, *tips: str) -> list[alt.Chart]:
    """A line through the medians of each `line`, and a point for each run."""
    import altair as alt

    look = by_line(frame)
    lines = alt.Chart(inline(medians(frame, value))).mark_line()
    points = alt.Chart(inline(frame)).mark_point(size=45, filled=True, opacity=1)
    shown = ["line:N", "size_bytes:Q", f"{value}:Q", *tips, "evidence:N"]
    return [
        lines.encode(x=x, y=y, color=look["color"]),
        points.encode(x=x, y=y, color=look["color"], shape=look["shape"], tooltip=shown),
    ]


def end_labels(frame: pl.DataFrame, x: alt.X, value: str, top: float) -> list[alt.Chart]:
    """The value of each line at its largest size; `top` is the end of an axis from zero."""
    import altair as alt

    ends = medians(frame, value).sort("size_bytes").unique("line", keep="last", maintain_order=True)
    # ends that are close to each other have their labels in one column
    size = pl.col("size_bytes")
    ends = ends.with_columns(pl.when(size * 8 >= size.max()).then(size.max()).otherwise(size))
    labelled = [
        group.with_columns(
            pl.Series("place", spaced(group[value].to_list(), [0, top], is_log=False)),
            pl.Series("label", [three_digits(number) for number in group[value]]),
        )
        for _, group in ends.group_by("size_bytes", maintain_order=True)
    ]
    encoded = {"x": x, "y": alt.Y("place:Q")}
    return halo_labels(pl.concat(labelled), encoded, align="left", dx=8)


def curve_text(frame: pl.DataFrame, value: str, unit: str) -> str:
    """The first, the largest and the last value of each line, with their sizes."""
    parts = []
    for (line,), group in medians(frame, value).group_by("line", maintain_order=True):
        rows = group.sort("size_bytes").to_dicts()
        peak = max(rows, key=lambda row: row[value])
        first, last, best = (_at(row, value, unit) for row in (rows[0], rows[-1], peak))
        parts.append(f"{line}: {first}, {last}, at most {best}")
    return ". ".join(parts) + "."


def _at(row: dict[str, Any], value: str, unit: str) -> str:
    return f"{fixed(row[value], 2)} {unit} at {binary_size(row['size_bytes'])}"


def bandwidth_chart(named: pl.DataFrame, what: str = "") -> list[alt.Chart]:
    """Bus bandwidth of each `line` by size, with the peaks of the links as dashed lines.

    `what` is said at the axis where all lines have it in common.
    """
    links = _links(named)
    top = max(largest(named, "busbw_gbps"), largest(links, "link_gbps")) * 1.12
    x = binary_size_x(named, "size_bytes", f"Message size, log scale{what}")
    y = _bandwidth_y(top)
    layers = curves(named, x, y, "busbw_gbps", "time_us:Q", "nccl_version:N")
    return [*_link_lines(links), *layers, *end_labels(named, x, "busbw_gbps", top)]


def _bandwidth_y(top: float) -> alt.Y:
    """A vertical axis of bus bandwidth from zero."""
    import altair as alt

    return alt.Y("busbw_gbps:Q", title="Bus bandwidth (GB/s)").scale(domain=[0, top], nice=False)


def _links(named: pl.DataFrame) -> pl.DataFrame:
    """The links of a frame, one row each, with `link`, the words beside it."""
    known = named.filter(pl.col("link_gbps").is_not_null())
    links = known.unique(subset=["link_platform"], keep="first", maintain_order=True)
    words = [f"{row['link_platform']}: {plain(row['link_gbps'])} GB/s" for row in links.to_dicts()]
    return links.with_columns(pl.Series("link", words, dtype=pl.String))


def _link_lines(links: pl.DataFrame) -> list[alt.Chart]:
    import altair as alt

    if links.is_empty():
        return []
    base = alt.Chart(inline(links)).encode(y=alt.Y("link_gbps:Q"))
    left = alt.value(6)
    words = [
        base.mark_text(style=style, align="left", dy=-8).encode(x=left, text="link:N")
        for style in ("halo", "value")
    ]
    return [base.mark_rule(style="ideal"), *words]


def link_text(named: pl.DataFrame) -> str:
    """' Link peaks: ...' in words, '' where none is known."""
    said = "; ".join(_links(named)["link"].to_list())
    return f" Link peak: {said}." if said else ""
