"""Other benchmarks are refused by name, and nccl-tests is never taken for one."""

from __future__ import annotations

import pytest
from conftest import ROOT, SAMPLES, read

from ingest.formats import foreign_table
from ingest.records import Problem

CORPUS = ROOT.parent / "shared" / "corpus"
TABLE = (
    b"#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
    b"     1048576        262144     float     sum      -1    27.49   38.14   66.75      0\n"
)


@pytest.mark.parametrize(
    ("sample", "line", "tool"),
    [
        ("nccom.txt", 2, "AWS Neuron nccom-test"),
        ("nvshmem.txt", 2, "nvshmem perftest"),
        ("osu.txt", 1, "OSU Micro-Benchmarks"),
    ],
)
def test_refused_by_name(sample: str, line: int, tool: str) -> None:
    (problem,) = read(SAMPLES / "foreign_table" / sample)
    assert isinstance(problem, Problem)
    assert (problem.line, problem.severity) == (line, "error")
    assert problem.reason.startswith(f"this is a table of {tool}, not of nccl-tests: ")
    assert "load its output" in problem.remedy


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n#bytes #repetitions\n", "Intel MPI"),
        (" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]\n", "perftest (ib_"),
        ("nvbandwidth Version: v0.8\nBuilt from Git version:\n", "nvbandwidth"),
        ("size(B)     scope     latency(us)\n8  thread 1.1\n", "nvshmem"),
        ("# OSU MPI Bandwidth Test v7.0\n# Size Bandwidth (MB/s)\n", "OSU"),
    ],
)  # fmt: skip
def test_tools_without_a_sample(text: str, tool: str) -> None:
    assert foreign_table.claims(text.encode(), "x.txt")
    (problem,) = foreign_table.parse(text.encode(), "x.txt")
    assert isinstance(problem, Problem)
    assert f"table of {tool}" in problem.reason


@pytest.mark.parametrize(
    "text",
    [
        b"the latency of OSU is low\n",
        b"nccom-test and nvshmem perftest are other tools\n",
        b"# OSU MPI-CUDA Allreduce Latency Test v7.0\n" + TABLE,
        TABLE,
        b"",
    ],
)
def test_what_is_not_refused(text: bytes) -> None:
    assert not foreign_table.claims(text, "x.txt")


def test_the_corpus_has_two_of_them() -> None:
    folders = [CORPUS / "own" / "nccl", CORPUS / "public" / "nccl"]
    if not all(folder.is_dir() for folder in folders):
        pytest.skip(f"the corpus is not here: {CORPUS}")
    files = [path for folder in folders for path in folder.iterdir()]
    refused = {
        path.name[:3] for path in files if foreign_table.claims(path.read_bytes(), path.name)
    }
    assert refused == {"i29", "i30"}
