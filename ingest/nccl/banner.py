"""What nccl-tests prints around its table: versions, parameters, the test's name, the last lines.

Source: `common.cu` and `util.cu` of NVIDIA/nccl-tests v1.0.0 to v2.19.6, ROCm/rccl-tests.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

PARAMETERS = re.compile(
    rb"(?:\bnThreads? +\d+ +)?\bnGpus(?:\(perProc\))? +\d+ +minBytes +\d+ +maxBytes +\d+[^\n]*"
)
PARAMETER = re.compile(
    rb"\b((?:(?:agg|warmup) )?[A-Za-z_]+)(?:\(perProc\))?:? +(-?\d+(?:\(\w+\))?|[A-Z]\w{0,20}\b)"
)
TESTS_VERSION = re.compile(rb"#?\s*nccl-tests version (\S+)(?:.*?nccl-library=(\d[\d.]{0,20}))?")
RCCL_TESTS_VERSION = re.compile(rb"rccl-tests: Version (\S*)")
STARTING = re.compile(rb"Collective test starting: (\S+)")
CONCLUDED = re.compile(rb"Collective test concluded: (\S+)")
OUT_OF_BOUNDS = re.compile(rb"Out of bounds values +: +(\d{1,18})")
AVERAGE = re.compile(rb"Avg bus bandwidth +: +(\S+)(?: +(OK|FAILED)\b)?")
MEMORY = re.compile(rb"GPU memory usage +: ")
COLLECTIVES = (
    "all_reduce", "all_gather", "reduce_scatter", "alltoallv", "alltoall", "all_to_all",
    "broadcast", "sendrecv", "hypercube", "reduce", "gather", "scatter",
)  # fmt: skip
NAMED = "|".join(COLLECTIVES).encode()
PROGRAM = re.compile(
    rb"(?<![A-Za-z0-9_])((?:" + NAMED + rb")(?:_[a-z]{1,20})?)_perf(?:_mpi)?(?!\w)"
)
SOURCE_FILE = re.compile(rb"(?<![A-Za-z0-9_])(" + NAMED + rb")\.cu:\d")
SHORT_WORDS = ("reduce", "gather", "scatter")
LONG_WORDS = {name.replace("_", ""): name for name in COLLECTIVES if name not in SHORT_WORDS}
REDUCTIONS = frozenset({"all_reduce", "reduce_scatter", "reduce"})


@dataclass(frozen=True, slots=True)
class Parameters:
    """The line that tells the parameters: numbers by their printed names, other values as text."""

    values: dict[str, int | str]

    @property
    def devices_of_process(self) -> int:
        """How many devices each process drives, 1 where it is not told."""
        factors = (self.values.get(name, 1) for name in ("nThread", "nGpus"))
        threads, devices = (each if isinstance(each, int) else 1 for each in factors)
        return max(threads * devices, 1)

    @property
    def is_one_size(self) -> bool:
        """Whether the test has only one size."""
        return self.values.get("minBytes") == self.values.get("maxBytes")


def parameters_in(text: bytes) -> Parameters | None:
    """The parameters of a banner line, None for another line."""
    found = PARAMETERS.search(text) if b"minBytes" in text else None
    if not found:
        return None
    values: dict[str, int | str] = {}
    for name, value in PARAMETER.findall(found[0]):
        text_value = value.decode()
        is_number = re.fullmatch(r"-?\d{1,18}", text_value)
        values[name.decode()] = int(text_value) if is_number else text_value
    return Parameters(values)


def collectives_in(text: bytes) -> set[str]:
    """The tests that a line names, as a program or as a source file."""
    if b"_perf" not in text and b".cu:" not in text:
        return set()
    named = PROGRAM.findall(text) + SOURCE_FILE.findall(text)
    return {name.decode().replace("all_to_all", "alltoall") for name in named}


def collective_in_name(name: str) -> str | None:
    """The only test that the name of a file tells, None where it tells none or several."""
    base = os.path.basename(name).lower().replace("-", "_")
    plain = base.replace("all_to_all", "alltoall")
    found = set()
    for word, collective in LONG_WORDS.items():
        pattern = re.compile("_?".join(re.escape(part) for part in re.split("_", collective)))
        if pattern.search(plain) or word in plain:
            found.add(collective.replace("all_to_all", "alltoall"))
            plain = pattern.sub(" ", plain).replace(word, " ")
    for word in SHORT_WORDS:
        if re.search(rf"(?<![a-z]){word}(?![a-z])", plain):
            found.add(word)
    return found.pop() if len(found) == 1 else None


def fits_collective(collective: str, redops: set[str | None]) -> bool:
    """Whether a table with these reductions can be of a test."""
    told = redops - {None}
    if not told:
        return True
    return (told != {"none"}) == (collective in REDUCTIONS)
