"""The latency bins of fio: which values share a bin, and which value fio gives it.

Source: `plat_val_to_idx` and `plat_idx_to_val` in `stat.c` of axboe/fio. Values under 128 have a
bin each; above, every power of two is cut into 64 bins of equal width. Up to fio 2.21 a value is in
microseconds and there are 1216 bins, from 2.99 on nanoseconds and 1856. A histogram log may sum
every 2, 4 ... 64 bins (`log_hist_coarseness`); the number of its columns says which.
"""

from __future__ import annotations

from functools import cache

from ingest.units import NS_PER_US

BINS_OF_NS = 29 * 64
BINS_OF_US = 19 * 64
MOST_COARSE = 6


def bin_value(index: int, sub_bins: int = 64) -> int:
    """The value that fio reports for a bin: the middle of its range, in the unit of the bins."""
    if index < 2 * sub_bins:
        return index
    width = 1 << (index // sub_bins - 1)
    return width * sub_bins + (index % sub_bins) * width + width // 2


def bin_of(value: int, sub_bins: int = 64) -> int:
    """The index of the bin that a value falls into; `sub_bins` is a power of two."""
    if value < 2 * sub_bins:
        return value
    shift = value.bit_length() - sub_bins.bit_length()
    return (shift + 1) * sub_bins + (value >> shift) - sub_bins


@cache
def log_bin_values_ns(bins: int) -> tuple[float, ...] | None:
    """Nanoseconds of each bin of a histogram log with so many bins; None if no fio prints so many.

    A bin that sums several has the middle of their range.
    """
    for of_all, unit_ns in ((BINS_OF_NS, 1), (BINS_OF_US, NS_PER_US)):
        for stride in (1 << coarseness for coarseness in range(MOST_COARSE + 1)):
            if bins * stride == of_all:
                return tuple(_middle(first, stride) * unit_ns for first in range(0, of_all, stride))
    return None


def _middle(first: int, stride: int) -> float:
    return (bin_value(first) + bin_value(first + stride - 1)) / 2
