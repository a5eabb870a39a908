"""Writes small nccl-tests outputs in the form of v2.19, whose numbers follow from each other.

A `capture` of all_reduce on eight devices of one host reaches 200 GB/s bus bandwidth: every size
takes size / (200 / 1.75) of time, in both placements. Nothing of it breaks a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

MIB = 1 << 20
SIZES = tuple(MIB << power for power in range(11))  # 1 MiB to 1 GiB
BANNER = (
    "# nThread 1 nGpus 1 minBytes {least} maxBytes {most} step: 2(factor) warmup iters: {warmup}"
    " iters: 20 agg iters: 1 validation: {validation} graph: 0 unalign: 0"
)
HEADER = """#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
"""  # noqa: E501
Speeds = Mapping[tuple[int, str], float]


def capture(
    *,
    collective: str = "all_reduce",
    ranks: int = 8,
    hosts: Iterable[str] = ("node1",),
    device: str = "Fast 9000",
    busbw: float = 200.0,
    speeds: Speeds | None = None,
    sizes: Iterable[int] = SIZES,
    most: int | None = None,
    factor: float | None = None,
    wrong: Mapping[tuple[int, str], str] | None = None,
    validation: int = 1,
    warmup: int = 1,
    version: str = "2.29.7",
    average: float | None = None,
    out_of_bounds: int | None = None,
    is_ended: bool = True,
    before: str = "",
    after: str = "",
) -> str:
    """The text of a run; `speeds` and `wrong` replace the bus bandwidth and #wrong of one cell.

    A cell is (size, "out" or "in"). `factor` replaces the one that the ranks give; `before` stands
    above the table, `after` below its rows.
    """
    asked = list(sizes)
    factor = factor or (2 * (ranks - 1) / ranks if collective == "all_reduce" else 1.0)
    lines = [
        f"# nccl-tests version 2.19.6 nccl-headers=22907 nccl-library={version}",
        f"# Collective test starting: {collective}_perf",
        BANNER.format(least=asked[0], most=most or asked[-1], warmup=warmup, validation=validation),
        "#",
        "# Using devices",
        *devices(ranks, list(hosts), device),
    ]
    text = "\n".join(lines) + "\n" + before + HEADER
    means = []
    failing = 0
    for size in asked:
        cells = []
        for side in ("out", "in"):
            speed = (speeds or {}).get((size, side), busbw)
            mark = (wrong or {}).get((size, side), "0" if validation else "N/A")
            failing += mark not in ("0", "N/A")
            cell, printed = measured(size, speed, factor, mark)
            cells.append(cell)
            means.append(printed)
        text += f"{size:12d} {size // 4:12d}     float     sum      -1 {cells[0]} {cells[1]}\n"
    text += after
    if is_ended:
        bounds = failing if out_of_bounds is None else out_of_bounds
        mean = fmean(means) if average is None else average
        text += (
            f"# Out of bounds values : {bounds} {'FAILED' if bounds else 'OK'}\n"
            f"# Avg bus bandwidth    : {mean:g}\n#\n"
            f"# Collective test concluded: {collective}_perf\n#\n"
        )
    return text


def devices(ranks: int, hosts: list[str], device: str) -> list[str]:
    """The device lines: as many ranks on each host."""
    each = max(ranks // len(hosts), 1)
    return [
        f"#  Rank {rank:2d} Group  0 Pid   {4000 + rank} on {hosts[rank // each]:>10}"
        f" device {rank % each:2d} [0000:{16 + rank % each:02x}:00] {device}"
        for rank in range(ranks)
    ]


def measured(size: int, busbw: float, factor: float, wrong: str) -> tuple[str, float]:
    """Time, algorithm and bus bandwidth and #wrong as printed, and the bus bandwidth again."""
    time_us = round(size / 1000 / (busbw / factor), 2)
    algbw = size / 1000 / time_us
    printed = round(algbw * factor, 2)
    return f"{time_us:8.2f} {algbw:7.2f} {printed:7.2f} {wrong:>7}", printed
