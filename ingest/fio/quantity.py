"""Numbers as fio's text prints them: `25.7k`, `68.8MiB`, `8192KB`, `692Mbit/s`, `63956k` usec.

Source: `num2str` of axboe/fio. Counts and latencies are always shortened by 1000. Sizes are by
1024 with an `i`; without it by 1000, but by 1024 in lines of fio before 2.17 (`io=`, `bw=`), which
have no `i`. The digits that the text has are kept exactly: 68.8MiB is 72142028.8 bytes.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

_PREFIXES = "kMGTPE"
_NUMBER = r"(\d{1,20}(?:\.\d{1,20})?)"
_COUNT = re.compile(rf"{_NUMBER}\s*([kKMGTPE]?)")
_SIZE = re.compile(rf"{_NUMBER}\s*([kKMGTPE]?)(i?)(B|bit|b)?(?:/s)?")
_CLOCK = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})")
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"
_NS = {"nsec": 1, "usec": 1_000, "msec": 1_000_000, "sec": 1_000_000_000}
_BITS_PER_BYTE = 8


def count(text: str) -> float | None:
    """A number of operations, `25.7k` = 25700; None for anything else."""
    found = _COUNT.fullmatch(text.strip())
    return float(Decimal(found[1]) * _factor(found[2], 1000)) if found else None


def size_bytes(text: str, is_binary: bool) -> float | None:
    """Bytes, or bytes per second, of a size or rate; bits are divided by 8.

    `is_binary` says that prefixes without an `i` mean 1024 too, as before 2.17.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        return None
    number, prefix, mark, unit = found.groups()
    amount = Decimal(number) * _factor(prefix, 1024 if mark or is_binary else 1000)
    return float(amount / (_BITS_PER_BYTE if unit in ("bit", "b") else 1))


def nanoseconds(text: str, unit: str) -> float | None:
    """A latency printed in `nsec`, `usec`, `msec` or `sec`; None for another unit or no number."""
    found = _COUNT.fullmatch(text.strip())
    if not found or unit not in _NS:
        return None
    return float(Decimal(found[1]) * _factor(found[2], 1000) * _NS[unit])


def wall_clock_s(text: str) -> float | None:
    """Seconds since 1970 of `Mon Nov 30 18:03:41 2026`.

    fio prints the local time without its zone. It is read as UTC: off by the zone, the same for
    every run of one machine.
    """
    found = _CLOCK.match(text.strip())
    place = _MONTHS.find(found[1]) if found else -1
    if not found or place < 0 or place % 3:
        return None
    day, hour, minute, second, year = (int(part) for part in found.groups()[1:])
    try:
        return datetime(year, place // 3 + 1, day, hour, minute, second, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def _factor(prefix: str, base: int) -> int:
    return base ** (1 + _PREFIXES.index("k" if prefix == "K" else prefix)) if prefix else 1
