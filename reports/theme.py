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
    ink, quiet, grid = _INK[scheme], _QUIET[scheme], _GRID[scheme]
    text = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12}
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "axis": {
            **text,
            "titleFontWeight": "normal",
            "gridColor": grid,
            "domainColor": quiet,
            "tickColor": quiet,
        },
        "legend": {
            **text,
            "orient": "bottom",
            "titleFontWeight": "normal",
            "labelLimit": 320,
            "columns": 2,
        },
        "axisY": {"labelLimit": 230},
        "range": {"category": _CATEGORY[scheme], "symbol": SHAPES},
        "mark": {"color": _CATEGORY[scheme][0]},
        "text": {"color": ink, "fontSize": 12},
        "style": {
            "value": {"fill": ink, "fontSize": 12},
            "halo": {
                "fill": _PAGE[scheme],
                "stroke": _PAGE[scheme],
                "strokeWidth": 4,
                "strokeJoin": "round",
            },
            "remark": {"fill": quiet, "fontSize": 12, "fontStyle": "italic"},
            "ideal": {"color": quiet, "stroke": quiet, "strokeDash": [5, 4], "strokeWidth": 1.5},
            "run": {
                "fill": ink,
                "fillOpacity": 0.55,
                "stroke": ink,
                "strokeOpacity": 0.8,
                "strokeWidth": 0.5,
            },
        },
    }


def theme_script() -> str:
    """JavaScript that hands both configurations to the page's chart code."""
    configs = {"light": chart_config("light"), "dark": chart_config("dark")}
    return f"window.levelbookTheme = {json.dumps(configs, sort_keys=True)};\n"
