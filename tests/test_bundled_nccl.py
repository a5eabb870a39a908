"""The bundled nccl-tests captures and platforms.toml: facts, arithmetic, and the public tables."""

from __future__ import annotations

import importlib
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
PUBLIC = ROOT.parent / "shared/corpus/public/nccl"
GIB = 2**30

if str(DATA) not in sys.path:
    sys.path.append(str(DATA))
reconstruct_nccl = importlib.import_module("reconstruct_nccl")

# Nodes, rows, and the bus bandwidth of the last row, out-of-place and in-place, in GB/s: written
# out from the sources, so that facts and test can disagree.
CAPTURES = {
    "aws_p5/all_reduce_1n.txt": (1, 32, 483.05, 483.35),
    "aws_p5/all_reduce_2n.txt": (2, 32, 487.09, 487.26),
    "aws_p4de/all_reduce_2n.txt": (2, 29, 78.33, 78.33),
    "superbench_a100/all_reduce_1n.txt": (1, 34, 235.26, 235.03),
    "xe9680_h100_2n/all_reduce_2n.txt": (2, 32, 469.21, 469.10),
    "xe9680_h100_4n/all_reduce_4n.txt": (4, 32, 365.84, 365.46),
    "h100_ndr/all_reduce_2n.txt": (2, 14, 466.73, 466.65),
    "h100_ndr/all_reduce_4n.txt": (4, 14, 324.52, 324.11),
    "h100_ndr/all_reduce_8n.txt": (8, 14, 320.70, 320.57),
}

# The captures whose source is among the public samples; the last one is an excerpt.
SOURCES = {
    "aws_p5/all_reduce_1n.txt": "r10_*.txt",
    "aws_p5/all_reduce_2n.txt": "r08_*.txt",
    "aws_p4de/all_reduce_2n.txt": "r07_*.txt",
    "superbench_a100/all_reduce_1n.txt": "r01_*.txt",
    "h100_ndr/all_reduce_8n.txt": "i32_*.txt",
}


def cells(text: str) -> list[list[str]]:
    """Gives the words of every row; the reader is the tests' own, and minimal.

    A label in front ends with ":" or is "0: "; a row is eight measured cells after its preamble.
    """
    found = []
    for line in text.splitlines():
        words = line.removeprefix("0: ").rpartition("<stdout>:")[2].split()
        if len(words) in (12, 13) and words[0].isdigit() and words[2] == "float":
            found.append(words)
    return found


def rows(text: str) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Gives size, and time, algbw and busbw of both placements, of every row."""
    for words in cells(text):
        numbers = [float(words[place]) for place in (-8, -7, -6, -4, -3, -2)]
        yield int(words[0]), tuple(numbers)


def bundled(name: str) -> str:
    return (DATA / "raw" / name).read_text(encoding="utf-8")


def reference(table: str) -> list[dict[str, Any]]:
    tables = tomllib.loads((DATA / "platforms.toml").read_text(encoding="utf-8"))
    assert set(tables) == {"link", "reference_busbw"}
    entries: list[dict[str, Any]] = tables[table]
    return entries


def test_captures_are_what_the_facts_give() -> None:
    files = reconstruct_nccl.capture_files()
    assert {str(path) for path in files} == set(CAPTURES)
    for path, content in files.items():
        assert (DATA / "raw" / path).read_bytes() == content, path


@pytest.mark.parametrize("name", CAPTURES)
def test_capture_says_what_it_is_and_ends_with_the_published_figure(name: str) -> None:
    nodes, count, out_of_place, in_place = CAPTURES[name]
    text = bundled(name)
    first = text.split("\n")[0]
    assert first.startswith("# Reconstructed by Levelbook from published figures: ")
    assert len(list(rows(text))) == count
    _, last = list(rows(text))[-1]
    assert (last[2], last[5]) == (out_of_place, in_place)
    hosts = [line.split()[4] for line in text.splitlines() if line.startswith("#  Rank")]
    assert hosts == [f"node{rank // 8 + 1}" for rank in range(8 * nodes)]


@pytest.mark.parametrize("name", CAPTURES)
def test_capture_carries_no_identifier_of_its_source(name: str) -> None:
    assert not {"Pid", "Group", "["} & set(bundled(name).split())
    assert "0x" not in bundled(name) and "[0" not in bundled(name)


@pytest.mark.parametrize("name", CAPTURES)
def test_every_row_agrees_with_its_own_arithmetic(name: str) -> None:
    ranks = 8 * CAPTURES[name][0]
    for size, numbers in rows(bundled(name)):
        for time_us, algbw, busbw in (numbers[:3], numbers[3:]):
            time_slack = 0.5 if time_us >= 10_000 else 0.05 if time_us >= 100 else 0.005
            computed = size / time_us / 1e3
            slack = 0.005 + computed * time_slack / time_us + 1e-6
            assert algbw == pytest.approx(computed, abs=slack), (name, size)
            factor = 2 * (ranks - 1) / ranks
            assert busbw == pytest.approx(algbw * factor, abs=0.005 * (1 + factor)), (name, size)


def test_printed_means_are_those_of_the_rows() -> None:
    printed = {}
    for name in CAPTURES:
        for line in bundled(name).splitlines():
            if line.startswith("# Avg bus bandwidth"):
                printed[name] = float(line.rpartition(":")[2])
                values = [bw for _, row in rows(bundled(name)) for bw in (row[2], row[5])]
                assert fmean(values) == pytest.approx(printed[name], abs=0.005), name
    assert set(CAPTURES) - set(printed) == {
        "aws_p5/all_reduce_2n.txt",
        "aws_p4de/all_reduce_2n.txt",
    }
    assert printed["xe9680_h100_4n/all_reduce_4n.txt"] == 107.51


@pytest.mark.parametrize("name", SOURCES)
def test_rows_are_those_of_the_public_table(name: str) -> None:
    found = list(PUBLIC.glob(SOURCES[name]))
    if not found:
        pytest.skip(f"{PUBLIC}/{SOURCES[name]} is missing: the facts are not compared with it")
    theirs = cells(found[0].read_text(encoding="utf-8"))
    ours = cells(bundled(name))
    if name == "h100_ndr/all_reduce_8n.txt":
        assert len(theirs) == 7
        assert all(row in ours for row in theirs)
    else:
        assert ours == theirs


def test_unpublished_parameters_and_versions_are_absent() -> None:
    for name in (
        "aws_p5/all_reduce_1n.txt",
        "aws_p5/all_reduce_2n.txt",
        "aws_p4de/all_reduce_2n.txt",
    ):
        assert "nThread" not in bundled(name)
        assert "NCCL version" not in bundled(name)
    assert "NCCL version 2.26.2+cuda12.8" in bundled("xe9680_h100_4n/all_reduce_4n.txt")
    assert "NCCL version" not in bundled("h100_ndr/all_reduce_4n.txt")
    facts = json.loads((DATA / "facts/nccl/superbench_a100.json").read_text(encoding="utf-8"))
    assert facts["captures"][0]["settings"]["validation"] == 0
    assert {
        tuple(words[-5::4]) for words in cells(bundled("superbench_a100/all_reduce_1n.txt"))
    } == {("N/A", "N/A")}


@pytest.mark.parametrize("collection", sorted({name.split("/")[0] for name in CAPTURES}))
def test_sidecar_says_what_the_collection_is(collection: str) -> None:
    sidecar = tomllib.loads((DATA / "raw" / collection / "source.toml").read_text(encoding="utf-8"))
    assert sidecar["name"] == collection
    assert (sidecar["kind"], sidecar["verification"]) == ("reconstructed", "unverified")
    for field in ("title", "system", "licence", "url", "retrieved", "note"):
        assert sidecar[field], field


def test_links_are_complete_and_a_device_has_one_peak_in_its_node() -> None:
    links = reference("link")
    for link in links:
        assert link["scope"] in ("node", "network"), link
        assert link["url"].startswith("https://") and link["source"] and link["note"], link
        assert ("system_pattern" in link) == (link["scope"] == "network"), link
    peaks = {link["device_pattern"]: link["peak_gbps"] for link in links if link["scope"] == "node"}
    assert peaks == {"A100": 300, "H100": 450, " H200": 450, " B200": 900}
    assert len(peaks) == sum(link["scope"] == "node" for link in links)


@pytest.mark.parametrize(
    ("collection", "peak"),
    [
        ("aws_p5", 400),
        ("aws_p4de", 50),
        ("xe9680_h100_2n", 400),
        ("xe9680_h100_4n", 400),
        ("h100_ndr", None),
        ("superbench_a100", None),
    ],
)
def test_a_bundled_system_has_at_most_one_network_peak(collection: str, peak: int | None) -> None:
    sidecar = tomllib.loads((DATA / "raw" / collection / "source.toml").read_text(encoding="utf-8"))
    found = [
        link["peak_gbps"]
        for link in reference("link")
        if link["scope"] == "network" and link["system_pattern"] in sidecar["system"]
    ]
    assert found == ([] if peak is None else [peak])


def test_reference_busbw_has_sources_and_agrees_with_the_captures() -> None:
    entries = reference("reference_busbw")
    assert len(entries) == 36
    for entry in entries:
        assert entry["basis"] in ("measured", "threshold"), entry
        assert entry["collective"] == "all_reduce" and entry["busbw_gbps"] > 0, entry
        assert entry["url"].startswith("https://") and entry["source"], entry
    measured = {(e.get("nodes"), e.get("size_bytes"), e["busbw_gbps"]) for e in entries}
    for name, (nodes, _, out_of_place, _) in CAPTURES.items():
        size = list(rows(bundled(name)))[-1][0]
        assert (nodes, size, out_of_place) in measured, name
    assert (4, 16 * GIB, 365.84) in measured


@pytest.mark.parametrize(
    ("sample", "nodes", "size", "busbw"),
    [
        ("r11_*.txt", 16, 16 * GIB, 369.86),
        ("r18_*.txt", 2, 16 * GIB, 471.22),
        ("r19a_*.txt", 2, 8 * GIB, 189.60),
        ("r19b_*.txt", 2, 16 * GIB, 358.37),
        ("r23_*.txt", 2, 8 * GIB, 338.82),
        ("i09_*.txt", 128, 16 * GIB, 367.29),
        ("i39_*.txt", 1, 16 * GIB, 479.97),
    ],
)
def test_reference_busbw_is_what_the_public_sample_prints(
    sample: str, nodes: int, size: int, busbw: float
) -> None:
    found = list(PUBLIC.glob(sample))
    if not found:
        pytest.skip(f"{PUBLIC}/{sample} is missing")
    assert (size, busbw) in [(at, row[2]) for at, row in rows(found[0].read_text(encoding="utf-8"))]
    entries = reference("reference_busbw")
    assert (nodes, size, busbw) in [
        (entry.get("nodes"), entry.get("size_bytes"), entry["busbw_gbps"]) for entry in entries
    ]
