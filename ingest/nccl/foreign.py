"""Tables of other benchmarks that share words with nccl-tests, known by their own words.

Their columns have the same names with other meanings: nccom-test takes the median of a stream of
operations, nvshmem's latency is one way, OSU's bandwidth is 10^6 bytes per second and no bus
bandwidth. So they are refused by name, and no number is taken.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.lines import Line, lines_with
from ingest.nccl.detect import is_text, structured_form


class Tool(NamedTuple):
    """A benchmark, a word that all its tables hold, the line that shows it, and why it is none."""

    name: str
    word: bytes
    line: re.Pattern[bytes]
    why: str


TOOLS = (
    Tool(
        "AWS Neuron nccom-test", b"algbw(GB/s)",
        re.compile(rb"\bsize\(B\)\s+count\(elems\)\s+type\s.*\balgbw\(GB/s\)"),
        "its times are of another library on another accelerator",
    ),
    Tool(
        "nvshmem perftest", b"latency",
        re.compile(rb"\bsize\s?\((?:B|Bytes)\)\s.*(?:\bscope\b|\blatency\s*\(?us)"),
        "its latency is of one operation inside a kernel, not of a collective call",
    ),
    Tool(
        "OSU Micro-Benchmarks", b"OSU ", re.compile(rb"# OSU .*\b(?:Test|Benchmark)\b"),
        "its bandwidths are in 10^6 bytes/s and none is a bus bandwidth",
    ),
    Tool(
        "Intel MPI Benchmarks", b"MPI Benchmarks", re.compile(rb"#\s*Intel\(R\) MPI Benchmarks"),
        "its times are of MPI calls, and it has no bus bandwidth",
    ),
    Tool(
        "perftest (ib_write_bw and the like)", b"#bytes",
        re.compile(rb"#bytes\s+#iterations\s+(?:BW|t_)"),
        "it measures one link between two hosts, not a collective",
    ),
    Tool(
        "nvbandwidth", b"nvbandwidth", re.compile(rb"^\s*nvbandwidth Version"),
        "it measures copies of memory, not a collective",
    ),
    Tool(
        "ucx_perftest", b"# iterations", re.compile(rb"\|\s*(?:Stage|Test)\s*\|\s*# iterations"),
        "it measures one link between two hosts, not a collective",
    ),
    Tool(
        "oneCCL benchmark", b"#repetitions",
        re.compile(rb"#(?:bytes|elem_count|message_count)\b.*#repetitions\s.*t_avg"),
        "its times are of another library, and it has no bus bandwidth",
    ),
)  # fmt: skip


def foreign_tool(data: bytes) -> tuple[Tool, Line] | None:
    """The other benchmark whose table this is, and its line; None where nccl-tests has one too."""
    words = tuple(dict.fromkeys(tool.word for tool in TOOLS))
    if not any(word in data for word in words) or is_text(data) or structured_form(data):
        return None
    for line in lines_with(data, words):
        for tool in TOOLS:
            if tool.word in line.text and tool.line.search(line.text):
                return tool, line
    return None
