"""Colours and chart settings of the site, for light and dark pages."""

from __future__ import annotations

import json
from typing import Any, Literal

Scheme = Literal["light", "dark"]

# Okabe-Ito, ordered so that the first colours keep a contrast of 3:1 on the page of the scheme.
_CATEGORY: dict[Scheme, list[str]] = {
    "light": ["#0072B2", "#D55E00", "#009E73", "#A8548A", "#B07800", "#3A8FC0", "#555555"],
    "dark": ["#56B4E9", "#E69F00", "#2BC39A", "#E6A5CC", "#F0E442", "#E8793A", "#BBBBBB"],
}
_INK: dict[Scheme, str] = {"light": "#1d1d1f", "dark": "#e4e6eb"}
_QUIET: dict[Scheme, str] = {"light": "#5c5f66", "dark": "#a9afbb"}
_GRID: dict[Scheme, str] = {"light": "#e3e5e8", "dark": "#3b3f4a"}
_PAGE: dict[Scheme, str] = {"light": "#ffffff", "dark": "#1e2129"}
FONT = "Helvetica, Arial, sans-serif"

SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right"]


def chart_config(scheme: Scheme) -> dict[str, Any]:
    """Vega-Lite configuration of one colour scheme; charts name styles, never colours."""
    ink, quiet = _INK[scheme], _QUIET[scheme]
    text = {
        "labelColor": ink,
        "titleColor": ink,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    lines = {"gridColor": _GRID[scheme], "domainColor": quiet, "tickColor": quiet}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "axis": text | lines,
        "axisY": {"labelLimit": 230},
        "legend": text | {"orient": "bottom", "labelLimit": 320, "columns": 2},
        "range": {"category": _CATEGORY[scheme], "symbol": SHAPES},
        "mark": {"color": _CATEGORY[scheme][0]},
        "text": {"color": ink, "fontSize": 12},
        "style": _styles(scheme),
    }


def _styles(scheme: Scheme) -> dict[str, Any]:
    """The styles that marks may ask for by name."""
    ink, quiet, page = _INK[scheme], _QUIET[scheme], _PAGE[scheme]
    halo = {"fill": page, "stroke": page, "strokeWidth": 4, "strokeJoin": "round"}
    line = {"color": quiet, "stroke": quiet, "strokeDash": [5, 4], "strokeWidth": 1.5}
    dot = {"color": ink, "fillOpacity": 0.55, "stroke": ink, "strokeWidth": 0.5}
    return {"value": {"fill": ink, "fontSize": 12}, "halo": halo, "ideal": line, "run": dot}


def theme_script() -> str:
    """JavaScript that hands both configurations to the page's chart code."""
    configs = {"light": chart_config("light"), "dark": chart_config("dark")}
    return f"window.levelbookTheme = {json.dumps(configs, sort_keys=True)};\n"
