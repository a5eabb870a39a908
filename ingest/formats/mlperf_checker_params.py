"""`package_checker_params`: flags for the official package checker, of a system or a benchmark.

Source: mlcommons/logging `package_checker.py`. It takes a line for a flag only where nothing stands
behind it, not even the line's end; here blanks, case and line ends do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from ingest.lines import as_utf8, readable
from ingest.records import CheckerFlag, Problem, Record

NAME = "mlperf_checker_params"
DESCRIPTION = "flags for the official MLPerf package checker (package_checker_params)"
VERSION = 1
RUN_KIND = None

FLAGS = ("rcp-bypass", "seed-checker-bypass")
LONGEST_LINES = 100


def claims(head: bytes, name: str) -> bool:
    """True for any file called package_checker_params."""
    return PurePosixPath(name).name == "package_checker_params"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """One CheckerFlag for each flag that is set, and a Problem for each line that is none."""
    seen: set[str] = set()
    for number, line in enumerate(as_utf8(data).split(b"\n")[:LONGEST_LINES], start=1):
        word = line.strip().lower().decode("utf-8", "replace")
        if word in FLAGS and word not in seen:
            seen.add(word)
            yield CheckerFlag(number, word)
        elif word and word not in FLAGS:
            reason = "no flag of the package checker; it is ignored"
            yield Problem(number, "warning", reason, f"write {' or '.join(FLAGS)}", readable(line))
    if not seen:
        yield Problem(None, "info", "no flag is set in it", "delete the file")
