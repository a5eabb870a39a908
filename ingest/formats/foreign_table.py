"""Tables of other benchmarks that look like nccl-tests: refused by name, so that none is believed.

Source: AWS Neuron nccom-test, NVIDIA nvshmem perftest, OSU Micro-Benchmarks, Intel MPI Benchmarks,
linux-rdma perftest, nvbandwidth, ucx_perftest, oneCCL benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator

from ingest.lines import as_utf8, readable
from ingest.nccl.foreign import foreign_tool
from ingest.nccl.secrets import redacted
from ingest.records import Problem, Record

__all__ = ["DESCRIPTION", "NAME", "RUN_KIND", "VERSION", "claims", "parse", "redacted"]

NAME = "foreign_table"
DESCRIPTION = "network benchmark that is not nccl-tests (Neuron, nvshmem, OSU, IMB ...): refused"
VERSION = 1
RUN_KIND = None


def claims(head: bytes, name: str) -> bool:
    """True for the table of another benchmark, where nccl-tests has printed none."""
    return foreign_tool(as_utf8(head)) is not None


def parse(data: bytes, name: str) -> Iterator[Record]:
    """One Problem that names the benchmark and says why it is refused. Never raises."""
    found = foreign_tool(as_utf8(data))
    if found is None:
        yield Problem(None, "error", "no table of a known benchmark", "load an nccl-tests output")
        return
    tool, line = found
    yield Problem(
        line.number,
        "error",
        f"this is a table of {tool.name}, not of nccl-tests: {tool.why}",
        "run nccl-tests (or rccl-tests) on the system and load its output",
        readable(redacted(line.text.strip())),
    )
