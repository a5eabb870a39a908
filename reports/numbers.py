"""How numbers are written: fixed decimals per unit, and an en dash for what is not known."""

from __future__ import annotations

import math
from typing import Any

UNKNOWN = "–"

# suffix of a column's name -> (unit in the heading, decimals)
_UNITS: dict[str, tuple[str, int]] = {
    "_samples_per_s": ("samples/s", 1),
    "_min": ("min", 3),
    "_pct": ("%", 1),
    "_ms": ("ms", 0),
    "_s": ("s", 3),
    "_bytes": ("bytes", 0),
    "_ratio": ("ratio", 3),
}
_DECIMALS = {
    "speedup": 3,
    "accuracy": 4,
    "final_accuracy": 4,
    "scaling_factor": 4,
    "samples_to_converge": 0,
    "samples_trained": 0,
}


def unit_of(column: str) -> tuple[str, int] | None:
    """Unit and decimals that the suffix of a column's name stands for; None if it has no unit."""
    for suffix, unit in _UNITS.items():
        if column.endswith(suffix):
            return unit
    return None


def decimals_of(column: str) -> int | None:
    """Decimals a number of this column is written with; None means as many as it has."""
    unit = unit_of(column)
    return _DECIMALS.get(column) if unit is None else unit[1]


def is_known(value: Any) -> bool:
    """True for a value that can be shown: not None, not NaN, not infinite."""
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def fixed(value: float | None, decimals: int) -> str:
    """A number with thousands separators and fixed decimals, or an en dash."""
    if value is None or not is_known(value):
        return UNKNOWN
    return f"{value:,.{decimals}f}"


def minutes(value: float | None) -> str:
    """Minutes with three decimals, as the official results print them."""
    return fixed(value, 3)


def percent(value: float | None) -> str:
    """A percentage with one decimal and its sign, e.g. '74.3 %'."""
    return UNKNOWN if not is_known(value) else f"{fixed(value, 1)} %"


def count(value: float | None) -> str:
    """A whole number with thousands separators."""
    return fixed(value, 0)


def plain(value: float | int | None) -> str:
    """A number with the digits it needs and no more, at most six significant after the point."""
    if value is None or not is_known(value):
        return UNKNOWN
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
