"""What reading a per-I/O fio log costs, against a peer that only takes its lines apart.

    python benchmarks/read_fio_logs.py [--lines N] [--repeat N]

The log is made here, always the same. Each reader runs in a process of its own, several times in
turn, so that both meet the same machine. The peer walks the file with csv.reader, makes numbers of
time, value and direction, and keeps nothing: it decides no layout, checks no line and makes no
record. Times of two machines say little; the ratios do.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
KIB_PER_MIB = 1024
LAYOUTS = {
    "4 columns": "{time}, {value}, {direction}, 4096\n",
    "5 columns": "{time}, {value}, {direction}, 4096, 0\n",
    "6 columns": "{time}, {value}, {direction}, 4096, {offset}, 0\n",
}


def make_log(path: Path, line: str, lines: int) -> None:
    """A latency log of one line per I/O, twenty of them in each millisecond."""
    numbers = random.Random(1)
    with path.open("w") as file:
        for index in range(lines):
            value, offset = numbers.randint(50_000, 900_000), numbers.randrange(1 << 24) * 4096
            text = {"time": index // 20, "value": value, "direction": index % 2, "offset": offset}
            file.write(line.format(**text))


def peer(path: str) -> int:
    """Lines of the log, each taken apart and forgotten."""
    lines = 0
    with open(path, newline="") as file:
        for row in csv.reader(file, skipinitialspace=True):
            int(row[0]), int(row[1]), int(row[2])
            lines += 1
    return lines


def levelbook(path: str) -> int:
    """Samples of the log, each made and forgotten."""
    from ingest.fio.records import FioLogSample
    from ingest.formats import fio_log

    records = fio_log.parse(Path(path).read_bytes(), path)
    return sum(1 for record in records if isinstance(record, FioLogSample))


def measured(what: str, path: str) -> dict[str, float]:
    """Wall and processor seconds, peak memory and lines of one run in this process."""
    began = time.perf_counter()
    lines = {"peer": peer, "levelbook": levelbook}[what](path)
    wall = time.perf_counter() - began
    own = resource.getrusage(resource.RUSAGE_SELF)
    cpu = own.ru_utime + own.ru_stime
    return {
        "lines": lines,
        "wall_s": wall,
        "cpu_s": cpu,
        "lines_per_cpu_s": lines / cpu,
        "peak_mib": own.ru_maxrss / KIB_PER_MIB,
    }


def run_apart(what: str, path: str) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, str(Path(__file__)), "--only", what, "--log", path]
    places = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": places}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(path: str, repeat: int) -> None:
    """Prints the median of each measure, and their ratios."""
    kinds = ("peer", "levelbook")
    taken: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    for _ in range(repeat):
        for kind in kinds:
            taken[kind].append(run_apart(kind, path))
    print(f"{'':20}{'peer':>14}{'levelbook':>14}{'ratio':>8}")
    for measure in taken["peer"][0]:
        one, other = (median(run[measure] for run in taken[kind]) for kind in kinds)
        print(f"{measure:20}{one:14,.1f}{other:14,.1f}{other / one:8.2f}")


def main() -> None:
    """Makes a log of each layout and compares the readers on it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=["peer", "levelbook"], help=argparse.SUPPRESS)
    parser.add_argument("--log", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.only:
        print(json.dumps(measured(chosen.only, chosen.log)))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made_clat.1.log"
        for name, line in LAYOUTS.items():
            make_log(path, line, chosen.lines)
            print(f"{name}, {chosen.lines:,} lines, median of {chosen.repeat}")
            compare(str(path), chosen.repeat)


if __name__ == "__main__":
    main()
