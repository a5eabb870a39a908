"""What checking a whole round costs, against the functions of the official package.

    python benchmarks/check_v11.py [ARCHIVE] [--repeat N]

Each is run in a process of its own, on the same unpacked folder. The peer calls, for every result
set, the compliance checker on each log, the seed checker and the convergence test of mlperf-logging
(each in its own try, because some inputs make it crash). Levelbook loads the folder into a database
and finds everything that breaks any of its rules, the official ones among them. Processor seconds
count; times of two machines say little, the ratio does.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT.parent / "shared/corpus/public/mlperf/training_v1.1.tar.xz"
USAGE, VERSION = "training", "1.1.0"


def result_sets(folder: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Every folder of logs, with its logs."""
    for home in sorted(folder.glob("**/results/*/*")):
        if files := sorted(home.glob("result_*.txt")):
            yield home, files


def official(folder: Path) -> int:
    """Verdicts of the official functions: one a log, two a result set."""
    from mlperf_logging.compliance_checker import mlp_compliance
    from mlperf_logging.package_checker.seed_checker import SeedChecker
    from mlperf_logging.rcp_checker import rcp_checker

    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    rcp_checker.submission_runs[USAGE].setdefault("dlrm", 5)  # forgotten by the package since 2023
    verdicts = 0
    for home, files in result_sets(folder):
        for file in files:
            mlp_compliance.enqueued_configs.clear()
            checker = mlp_compliance.make_checker(USAGE, VERSION, False, False)
            with contextlib.suppress(Exception):
                mlp_compliance.main(str(file), f"{USAGE}_{VERSION}/common.yaml", checker)
            verdicts += 1
        with contextlib.suppress(Exception):
            SeedChecker(VERSION)._assert_unique_seed_per_run([str(file) for file in files])
        with contextlib.suppress(Exception):
            rcp_checker.check_directory(
                str(home), USAGE, VERSION, False, False, rcp_pass="pruned_rcps"
            )
        verdicts += 2
    return verdicts


def levelbook(folder: Path) -> int:
    """Verdicts of every rule of Levelbook, on a database made for it."""
    from warehouse.database import in_memory
    from warehouse.load import load
    from warehouse.refresh import refresh

    with in_memory() as connection:
        load(connection, [str(folder)])
        refresh(connection)
        connection.execute("create temp table found as select * from finding").fetchall()
        (verdicts,) = connection.execute("select count(*) from verdict").fetchone() or (0,)
    return int(verdicts)


def measured(what: str, folder: Path) -> dict[str, float]:
    """Wall and processor seconds, peak memory and verdicts of one run in this process."""
    began = time.perf_counter()
    verdicts = {"official": official, "levelbook": levelbook}[what](folder)
    wall = time.perf_counter() - began
    own = resource.getrusage(resource.RUSAGE_SELF)
    workers = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "verdicts": verdicts,
        "wall_s": wall,
        "cpu_s": own.ru_utime + own.ru_stime + workers.ru_utime + workers.ru_stime,
    }


def run_apart(what: str, folder: str) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, str(Path(__file__)), folder, "--only", what]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def compare(archive: Path, repeat: int) -> None:
    """Prints the median of each measure, and their ratios."""
    taken: dict[str, list[dict[str, float]]] = {"official": [], "levelbook": []}
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        for _ in range(repeat):
            for kind, runs in taken.items():
                runs.append(run_apart(kind, folder))
    print(f"{archive.name}, {os.cpu_count()} processors, median of {repeat}")
    print(f"{'':12}{'official':>12}{'levelbook':>12}{'ratio':>8}")
    for measure in taken["official"][0]:
        one, other = (median(run[measure] for run in runs) for runs in taken.values())
        print(f"{measure:12}{one:12,.1f}{other:12,.1f}{one / other:8.1f}")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("archive", nargs="?", default=str(ARCHIVE))
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--only", choices=["official", "levelbook"], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if not Path(chosen.archive).exists():
        parser.error(f"{chosen.archive}: no such archive; name one")
    if chosen.only:
        print(json.dumps(measured(chosen.only, Path(chosen.archive))))
    else:
        compare(Path(chosen.archive), chosen.repeat)


if __name__ == "__main__":
    main()
