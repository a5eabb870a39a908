"""Every rule about nccl-tests: outputs that break it and outputs that do not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from mlperf_logs import loaded, rows
from nccl_outputs import MIB, SIZES, capture

from warehouse.rules import rules

NAMES = [rule.name for rule in rules() if rule.name.startswith("nccl_")]
DATA = ROOT / "data"
Texts = dict[str, str]


@dataclass(frozen=True)
class Case:
    """Outputs that break a rule, and others that keep it, as file name to text."""

    rule: str
    breaks: Texts
    keeps: Texts
    severity: str
    message: str
    count: int = 1


def one(**said: Any) -> Texts:
    """One output."""
    return {"a.txt": capture(**said)}


def three(hosts: tuple[str, ...], slow: float) -> Texts:
    """Three runs on hosts of their own, the last one at another speed."""
    speeds = (200.0, 200.0, slow)
    return {
        f"{host}.txt": capture(hosts=(host,), busbw=speed)
        for host, speed in zip(hosts, speeds, strict=True)
    }


GIB = 1 << 30
FAILURE = "node1: Test NCCL failure common.cu:300 'unhandled system error / '\n"
LOST_ROW = "  2147483648    536870912     float     sum      -1  NaNbad\n"
TWO = {"hosts": ("node1", "node2"), "ranks": 16}

# without its device lines, and without the name of the test
UNLISTED = "\n".join(
    line
    for line in capture(ranks=12).splitlines()
    if " Rank " not in line and "Collective test" not in line
)

CASES = [
    Case("nccl_failure", one(after=FAILURE, is_ended=False), one(), "error",
         "the run ended with: node1: Test NCCL failure common.cu:300"),
    Case("nccl_incomplete", one(is_ended=False), one(), "warning",
         "no line with the average: the output breaks off, 11 rows are kept"),
    Case("nccl_lost_rows", one(after=LOST_ROW, average=200.0), one(), "warning",
         "1 rows could not be read, 11 were"),
    Case("nccl_wrong_elements", one(wrong={(8 * MIB, "in"): "12"}), one(), "error",
         "1 of 22 measurements have wrong elements, first 12 at 8388608 B in place"),
    Case("nccl_out_of_bounds", one(out_of_bounds=3), one(wrong={(8 * MIB, "in"): "12"}), "error",
         "the end says 3 failing tests, the rows have 0"),
    Case("nccl_algorithm_bandwidth", {"a.txt": capture().replace(" 114.29 ", " 141.29 ", 1)},
         one(), "error", "1 rows contradict themselves, first "),
    Case("nccl_implied_ranks", one(factor=2 * 11 / 12), one(), "error",
         "the bandwidths imply 12 ranks, 8 are listed"),
    Case("nccl_implied_ranks", one(factor=0.997, ranks=16), one(ranks=16), "error",
         "bus over algorithm bandwidth is 0.997, 16 ranks give 1.875"),
    Case("nccl_implied_ranks", {"h100_64gpu.txt": UNLISTED}, {"h100_12gpu.txt": UNLISTED}, "error",
         "the bandwidths imply 12 ranks, the file is called one of 64"),
    Case("nccl_average", one(average=150.0), one(), "error",
         "the printed average is 150.0 GB/s, the mean of the 22 bus bandwidths is"),
    Case("nccl_sizes_reached", one(most=16 * GIB), one(), "warning",
         "the largest size is 1073741824 B, asked for was 17179869184 B"),
    Case("nccl_one_rank", one(ranks=1, factor=0.01), one(), "warning",
         "one rank only: its 11 rows are in no figure"),
    Case("nccl_unchecked_results", one(validation=0), one(), "info",
         "none of the 22 measurements was checked"),
    Case("nccl_outliers", one(speeds={(8 * MIB, "out"): 50.0}),
         one(speeds={(8 * MIB, "out"): 150.0}), "warning",
         "8388608 B out of place: 50.00 GB/s between 200.00 and 200.00"),
    Case("nccl_placements", one(speeds={(GIB, "in"): 100.0}), one(speeds={(GIB, "in"): 190.0}),
         "warning", "1 sizes differ by more than 20 %, most at 1073741824 B"),
    Case("nccl_like_for_like",
         {"1.txt": capture(), "2.txt": capture(**TWO, warmup=5)},
         {"1.txt": capture(), "2.txt": capture(**TWO)}, "warning",
         "2 nodes against 1: 5 warm-up iterations against 1"),
    Case("nccl_under_reference", one(device="NVIDIA H100 80GB HBM3", busbw=90.0),
         one(device="NVIDIA H100 80GB HBM3", busbw=470.0), "warning", "peak 90.0"),
    Case("nccl_over_link", one(device="NVIDIA H100 80GB HBM3", busbw=480.0),
         one(device="NVIDIA H100 80GB HBM3", busbw=370.0), "info", "is over the link of"),
    Case("nccl_slow_hosts", three(("n1", "n2", "n3"), 150.0), three(("n1", "n2", "n3"), 195.0),
         "warning", "hosts n3: 150.0"),
]  # fmt: skip


def found(folder: Path, texts: Texts, rule: str) -> list[dict[str, Any]]:
    """What a rule finds in these outputs."""
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    connection = loaded(folder, data=DATA, system="Acme")
    return rows(connection, "select * from finding where rule = ? order by path, line", rule)


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_a_pair(name: str) -> None:
    assert name in {case.rule for case in CASES} | {"nccl_without_mpi"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_a_rule_finds_what_breaks_it(tmp_path: Path, case: Case) -> None:
    evidence = found(tmp_path, case.breaks, case.rule)
    assert len(evidence) == case.count
    assert evidence[0]["severity"] == case.severity
    assert case.message in evidence[0]["message"]
    assert evidence[0]["line"] >= 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.rule)
def test_a_rule_leaves_the_rest_alone(tmp_path: Path, case: Case) -> None:
    assert found(tmp_path, case.keeps, case.rule) == []


def test_processes_side_by_side_are_found(tmp_path: Path) -> None:
    banner, rest = capture().split("# Using devices\n")
    text = banner + banner + "# Using devices\n" + rest
    (evidence,) = found(tmp_path, {"a.txt": text}, "nccl_without_mpi")
    assert evidence["message"] == "2 processes ran the test side by side"


def test_a_sound_output_breaks_no_rule(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(capture(), encoding="utf-8")
    connection = loaded(tmp_path, data=DATA, system="Acme")
    assert rows(connection, "select rule, message from finding where rule like 'nccl%'") == []
    assert rows(connection, "select count(*) as n from nccl_point") == [{"n": 2 * len(SIZES)}]
