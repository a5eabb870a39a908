"""Gives the bundled nccl-tests captures (data/raw/) from the published figures (data/facts/nccl/).

`reconstruct.py` writes and checks them with the bundled logs. A capture is worded here, in the
layout of the text output of nccl-tests; its first line says what it is. It carries what its source
published and nothing else: no process ids, no bus ids, and neither parameters, versions nor closing
lines where the source has none. Hosts are node1, node2 ..., ranks fill them in order. A count is
size over bytes per element. Same facts, same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent
FACTS = DATA / "facts" / "nccl"

# The banner separates the first names of its parameters from their values by a blank, the others by
# a colon and a blank.
WITHOUT_COLON = ("nThread", "nGpus", "minBytes", "maxBytes")

PLACEMENTS = ("out_of_place", "in_place")

Facts = dict[str, Any]


def capture_files() -> dict[Path, bytes]:
    """Gives path below data/raw/ and content of every capture."""
    files: dict[Path, bytes] = {}
    for path in sorted(FACTS.glob("*.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        for capture in facts["captures"]:
            text = "\n".join(lines(capture, facts["columns"])) + "\n"
            files[Path(path.stem) / capture["file"]] = text.encode("utf-8")
    return files


def lines(capture: Facts, columns: list[str]) -> Iterator[str]:
    """Gives the lines of a capture."""
    yield f"# Reconstructed by Levelbook from published figures: {capture['source']}"
    yield f"# Collective test starting: {capture['test']}_perf"
    if capture["settings"] is not None:
        yield banner(capture["settings"])
    yield "#"
    yield "# Using devices"
    yield from devices(capture)
    if capture["nccl_version"] is not None:
        yield f"NCCL version {capture['nccl_version']}"
    yield "#"
    yield from head(capture)
    for row in capture["rows"]:
        yield table_row(capture, dict(zip(columns, row, strict=True)))
    if capture["out_of_bounds"] is not None:
        verdict = "FAILED" if capture["out_of_bounds"] else "OK"
        yield f"# Out of bounds values : {capture['out_of_bounds']} {verdict}"
    if capture["average_busbw_gbps"] is not None:
        yield f"# Avg bus bandwidth    : {capture['average_busbw_gbps']:g}"


def banner(settings: Facts) -> str:
    """Gives the line of parameters."""
    parts = (
        f"{name} {value}" if name in WITHOUT_COLON else f"{name}: {value}"
        for name, value in settings.items()
    )
    return f"# {' '.join(parts)}"


def devices(capture: Facts) -> Iterator[str]:
    """Gives one line a rank."""
    per_node = capture["devices_per_node"]
    for rank in range(capture["nodes"] * per_node):
        host = f"node{rank // per_node + 1}"
        yield f"#  Rank {rank:2d} on {host:>10} device {rank % per_node:2d} {capture['device']}"


def head(capture: Facts) -> Iterator[str]:
    """Gives the three lines above the table; a source without a root column has none here."""
    root = "" if capture["root"] is None else f"{'root':>8}"
    group = f"{'time':>8} {'algbw':>7} {'busbw':>7} {capture['last_column']:>6}"
    units = f"{'(us)':>8} {'(GB/s)':>7} {'(GB/s)':>7} {'':>6}"
    first = f"#{'size':>11} {'count':>13} {'type':>9} {'redop':>7}{root}"
    yield f"#{'':{len(first) - 1}} {'out-of-place':^31} {'in-place':^31}".rstrip()
    yield f"{first} {group} {group}"
    measures = f"#{'(B)':>11} {'(elements)':>13}"
    yield f"{measures:{len(first)}} {units} {units}".rstrip()


def table_row(capture: Facts, row: Facts) -> str:
    """Gives a row of the table."""
    count = row["size_bytes"] // capture["type_bytes"]
    root = "" if capture["root"] is None else f"{capture['root']:8d}"
    what = f"{capture['type']:>9} {capture['redop']:>7}{root}"
    cells = " ".join(measured(row, placement) for placement in PLACEMENTS)
    return f"{row['size_bytes']:12d} {count:13d} {what} {cells}"


def measured(row: Facts, placement: str) -> str:
    """Gives the four cells of a placement; an unchecked result is N/A."""
    wrong = row[f"{placement}_wrong"]
    cells = (
        f"{microseconds(row[f'{placement}_time_us']):>8}",
        f"{row[f'{placement}_algbw_gbps']:7.2f}",
        f"{row[f'{placement}_busbw_gbps']:7.2f}",
        f"{'N/A' if wrong is None else format(wrong, 'g'):>6}",
    )
    return " ".join(cells)


def microseconds(value: float) -> str:
    """Gives a time with as many digits as nccl-tests prints up to v2.17.2."""
    if value >= 10_000:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 100 else f"{value:.2f}"
