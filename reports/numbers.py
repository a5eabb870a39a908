"""How numbers are written: fixed decimals per unit, and an en dash for what is not known."""

from __future__ import annotations

import math
from typing import Any

UNKNOWN = "–"

# suffix of a column's name -> (unit in the heading, decimals)
_UNITS: dict[str, tuple[str, int]] = {
    "_samples_per_s": ("samples/s", 1),
    "_bps": ("MB/s", 1),
    "_gbps": ("GB/s", 3),
    "_iops": ("I/O/s", 0),
    "_us": ("ms", 3),
    "_min": ("min", 3),
    "_pct": ("%", 1),
    "_ms": ("ms", 0),
    "_s": ("s", 3),
    "_bytes": ("bytes", 0),
    "_ratio": ("ratio", 3),
}
# columns whose unit is not that of their suffix, or that are written with other decimals
_COLUMNS: dict[str, tuple[str, int | None]] = {
    "time_us": ("µs", None),
    "busbw_gbps": ("GB/s", 2),
    "algbw_gbps": ("GB/s", 2),
    "peak_busbw_gbps": ("GB/s", 2),
    "base_busbw_gbps": ("GB/s", 2),
    "reference_busbw_gbps": ("GB/s", 2),
    "link_gbps": ("GB/s", None),
    "peak_gbps": ("GB/s", None),
}
_DECIMALS = {
    "speedup": 3,
    "accuracy": 4,
    "final_accuracy": 4,
    "scaling_factor": 4,
    "samples_to_converge": 0,
    "samples_trained": 0,
    "iops": 0,
    "jain_index": 3,
    "bytes_per_sample": 0,
}
# suffix -> what the unit of the name is multiplied with to give the unit of the heading
_FACTORS = {"_bps": 1e-6, "_us": 1e-3}
_BINARY = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def unit_of(column: str) -> tuple[str, int | None] | None:
    """Unit and decimals that a column's name stands for; None if it has no unit."""
    if column in _COLUMNS:
        return _COLUMNS[column]
    for suffix, unit in _UNITS.items():
        if column.endswith(suffix):
            return unit
    return None


def decimals_of(column: str) -> int | None:
    """Decimals a number of this column is written with; None means as many as it has."""
    unit = unit_of(column)
    return _DECIMALS.get(column) if unit is None else unit[1]


def factor_of(column: str) -> float:
    """What a number of this column is multiplied with before it is shown in its heading's unit."""
    if column in _COLUMNS:
        return 1.0
    return next((factor for end, factor in _FACTORS.items() if column.endswith(end)), 1.0)


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
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if 1e6 <= abs(value) < 1e15 else f"{value:,.6g}"


def binary_size(size_bytes: float | None) -> str:
    """A size in the largest binary unit that it is a whole number of, e.g. '4 KiB'."""
    if size_bytes is None or not is_known(size_bytes):
        return UNKNOWN
    units = _BINARY if size_bytes else ()
    whole = ((size_bytes / size, name) for size, name in units if size_bytes % size == 0)
    number, name = next(whole, (size_bytes, "B"))
    return f"{plain(int(number))} {name}"


def three_digits(value: float | None) -> str:
    """A number as a label says it, with about three digits: '0.66', '31.8', '1,016'."""
    size = abs(value) if value is not None and is_known(value) else 0
    return fixed(value, 0 if size >= 100 else 1 if size >= 10 else 2)


def latency(value_us: float | None) -> str:
    """A latency in milliseconds, or in microseconds below a tenth of one."""
    if value_us is None or not is_known(value_us):
        return UNKNOWN
    is_short = value_us < 100
    return f"{three_digits(value_us if is_short else value_us / 1e3)} {'µs' if is_short else 'ms'}"
