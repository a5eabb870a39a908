"""Names of collectives and versions as the test programs spell them."""

from __future__ import annotations

import re

PROGRAM = re.compile(r"([A-Za-z]\w*?)_perf(?:_mpi)?(?:\.exe)?$")
SPELLINGS = {
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "allreducebias": "all_reduce_bias",
}


def collective_of(program: str) -> str | None:
    """`all_reduce` of `./build/all_reduce_perf_mpi`; None for another program."""
    found = PROGRAM.search(program.strip().replace("\\", "/").rpartition("/")[2])
    return found[1].lower() if found else None


def collective_named(name: str) -> str | None:
    """`all_reduce` of AMD's `AllReduce`; None for no name."""
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    return SPELLINGS.get(plain, plain) or None


def version_of(code: int) -> str | None:
    """`2.28.3` of NCCL's version code 22803; before 2.9 it had a digit less (2804 is 2.8.4)."""
    if code < 1000 or code > 999_999:
        return None
    unit = 10_000 if code >= 10_000 else 1_000
    return f"{code // unit}.{code % unit // 100}.{code % 100}"
