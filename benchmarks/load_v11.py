"""What loading an archive costs, against a peer that only decodes the same records.

    python benchmarks/load_v11.py [ARCHIVE] [--repeat N]

Each is run in a process of its own, several times in turn, so that both meet the same machine. The
peer reads the archive with tarfile, decodes the JSON after each `:::MLLOG ` and keeps nothing: what
remains is what Levelbook does beside reading. Times of two machines say little; the ratios do.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT.parent / "shared/corpus/public/mlperf/training_v1.1.tar.xz"
MARKER = b":::MLLOG "
KIB_PER_MIB = 1024


def peer(archive: str) -> int:
    """Records of the archive, each decoded and forgotten."""
    records = 0
    with tarfile.open(archive) as packed:
        for member in packed:
            name = member.name.rsplit("/", 1)[-1]
            content = packed.extractfile(member) if name.startswith("result_") else None
            if content is None:
                continue
            for line in content.read().split(b"\n"):
                place = line.rfind(MARKER)
                if place >= 0:
                    json.loads(line[place + len(MARKER) :])
                    records += 1
    return records


def levelbook(archive: str) -> int:
    """Records of the archive, in a database with all that is derived from them."""
    from warehouse.database import connect, writing
    from warehouse.load import load
    from warehouse.refresh import refresh

    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "levelbook.duckdb"
        with writing(database) as connection:
            load(connection, [archive])
            refresh(connection)
        with connect(database) as connection:
            (records,) = connection.execute("select count(*) from event").fetchone() or (0,)
    return int(records)


def measured(what: str, archive: str) -> dict[str, float]:
    """Wall and processor seconds, peak memory and records of one run in this process."""
    began = time.perf_counter()
    records = {"peer": peer, "levelbook": levelbook}[what](archive)
    wall = time.perf_counter() - began
    own = resource.getrusage(resource.RUSAGE_SELF)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "records": records,
        "wall_s": wall,
        "cpu_s": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
        "peak_mib": own.ru_maxrss / KIB_PER_MIB,
        "largest_worker_mib": workers.ru_maxrss / KIB_PER_MIB,
    }


def run_apart(what: str, archive: str) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, str(Path(__file__)), archive, "--only", what]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Prints the median of each measure, and their ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("archive", nargs="?", default=str(ARCHIVE))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=["peer", "levelbook"], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if not Path(chosen.archive).is_file():
        parser.error(f"{chosen.archive}: no such archive; name one")
    if chosen.only:
        print(json.dumps(measured(chosen.only, chosen.archive)))
        return
    kinds = ("peer", "levelbook")
    taken: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    for _ in range(chosen.repeat):
        for kind in kinds:
            taken[kind].append(run_apart(kind, chosen.archive))
    print(f"{Path(chosen.archive).name}, {os.cpu_count()} processors, median of {chosen.repeat}")
    print(f"{'':20}{'peer':>14}{'levelbook':>14}{'ratio':>8}")
    for measure in taken["peer"][0]:
        one, other = (median(run[measure] for run in taken[kind]) for kind in kinds)
        ratio = f"{other / one:8.2f}" if one else ""
        print(f"{measure:20}{one:14,.1f}{other:14,.1f}{ratio}")


if __name__ == "__main__":
    main()
