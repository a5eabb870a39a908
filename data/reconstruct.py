"""Writes the bundled logs and captures (data/raw/) from the bundled facts (data/facts/).

    python data/reconstruct.py           writes data/raw/ again
    python data/reconstruct.py --check   exit status 1 if data/raw/ is not what would be written

The MLPerf logs are reconstructions in our own words, in the format of MLPerf Training v1.1, and
their first line says so. Times, values and their order are the published ones; the metadata is
ours. The setup lines of several nodes become one, and the hyperparameters, whose times are not
among the facts, all carry the time of init_stop. Same facts, same bytes. The captures of nccl-tests
are worded by reconstruct_nccl.py.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from reconstruct_nccl import capture_files

DATA = Path(__file__).resolve().parent
FACTS = DATA / "facts"
RAW = DATA / "raw"
SIDECAR = "source.toml"

# The clock of a run whose date is unknown. Not 0: a log with time 0 has no time at all.
UNDATED_START_MS = 1_000

# BERT logs how far it came, and over how many samples it evaluated, when the training is over.
LOGGED_AT_THE_END = {"bert": ("train_samples", "eval_samples")}

# Which event stands first where several have the same millisecond: what ends before what begins.
ORDER = (
    "epoch_stop",
    "throughput",
    "eval_stop",
    "eval_accuracy",
    "block_stop",
    "eval_start",
    "block_start",
    "epoch_start",
)

TYPES = {"start": "INTERVAL_START", "stop": "INTERVAL_END"}

Facts = dict[str, Any]


class Event(NamedTuple):
    """One record of a log; `ms` counts from run_start, None where the facts have no time."""

    ms: int | None
    key: str
    value: Any
    metadata: Facts


def main(arguments: list[str]) -> int:
    """Writes the logs, or with --check compares them; gives the exit status."""
    if arguments not in ([], ["--check"]):
        print("usage: reconstruct.py [--check]", file=sys.stderr)
        return 2
    files = reconstructed_files()
    if not arguments:
        write_files(files)
        print(f"{len(files)} files, {sum(map(len, files.values())):,} bytes in {RAW}")
        return 0
    found = differences(files)
    print("\n".join(found) or f"{len(files)} files in {RAW} are what the facts give")
    return 1 if found else 0


def write_files(files: dict[Path, bytes]) -> None:
    """Writes the files below data/raw/."""
    for path, content in files.items():
        (RAW / path).parent.mkdir(parents=True, exist_ok=True)
        (RAW / path).write_bytes(content)


def _kind(sidecar: Path) -> object:
    return tomllib.loads(sidecar.read_text(encoding="utf-8")).get("kind")


def differences(files: dict[Path, bytes]) -> list[str]:
    """Gives a line for every file of data/raw/ that is missing, different or extra.

    A collection of logged files is none of this script's work.
    """
    found = []
    for path, content in files.items():
        if not (RAW / path).is_file():
            found.append(f"{path}: missing")
        elif (RAW / path).read_bytes() != content:
            found.append(f"{path}: not what the facts give")
    present = {path.relative_to(RAW) for path in RAW.rglob("*") if path.is_file()}
    logged = {path.parent.name for path in RAW.glob(f"*/{SIDECAR}") if _kind(path) == "logged"}
    present = {path for path in present if path.parts[0] not in logged}
    extra = sorted(path for path in present - files.keys() if path.name != SIDECAR)
    return found + [f"{path}: no facts for it" for path in extra]


def reconstructed_files() -> dict[Path, bytes]:
    """Gives path below data/raw/ and content of every log, system description and capture."""
    files: dict[Path, bytes] = {}
    for path in sorted(FACTS.glob("*/results/*/*.json")):
        facts = json.loads(path.read_text(encoding="utf-8"))
        files |= log_files(Path(path.relative_to(FACTS).parts[0]), facts)
    for path in sorted(FACTS.glob("*/systems/*.json")):
        collection = Path(path.relative_to(FACTS).parts[0])
        organization = json.loads(path.read_text(encoding="utf-8"))["submitter"]
        files[collection / organization / "systems" / path.name] = path.read_bytes()
    return files | capture_files()


def log_files(collection: Path, facts: Facts) -> dict[Path, bytes]:
    """Gives the logs of one result set."""
    folder = collection / facts["organization"] / "results" / facts["system"] / facts["benchmark"]
    return {
        folder / f"result_{run['number']}.txt": log_text(facts, run).encode("utf-8")
        for run in facts["runs"]
    }


def log_text(facts: Facts, run: Facts) -> str:
    """Gives a log: the line that says what it is, then the records."""
    origin = UNDATED_START_MS if run["run_start_epoch_ms"] is None else run["run_start_epoch_ms"]
    title = (
        "# Reconstruction, not an original log: "
        f"written by data/reconstruct.py from published facts ({facts['source']}, "
        f"run {run['number']})"
    )
    lines = [record(event, origin) for event in events(facts, run)]
    return "\n".join([title, *lines]) + "\n"


def record(event: Event, origin: int) -> str:
    """Gives the line of an event; one without a time of its own carries that of run_start."""
    content = {
        "namespace": "",
        "time_ms": origin + (event.ms or 0),
        "event_type": TYPES.get(event.key.rpartition("_")[2], "POINT_IN_TIME"),
        "key": event.key,
        "value": event.value,
        "metadata": {"file": Path(__file__).name, "lineno": 0} | event.metadata,
    }
    return f":::MLLOG {json.dumps(content)}"


def events(facts: Facts, run: Facts) -> Iterator[Event]:
    """Gives the events of a run in the order of the log."""
    settings = facts["hyperparameters"] | run["hyperparameters"]
    at_the_end = LOGGED_AT_THE_END.get(facts["benchmark"], ())
    yield from header(facts, run)
    yield from setup(run, "cache_clear", True)
    yield from setup(run, "init_start", None)
    for key, value in settings.items():
        if key not in at_the_end:
            yield Event(run.get("init_stop_ms"), key, value, {})
    yield from setup(run, "init_stop", None)
    yield Event(0, "run_start", None, {})
    yield from sorted(training(facts, run), key=position)
    for key in at_the_end:
        yield Event(run["run_stop_ms"], key, settings[key], {})
    yield Event(run["run_stop_ms"], "run_stop", None, {"status": run["status"]})


def position(event: Event) -> tuple[int, int]:
    """Gives the sorting key of an event while training."""
    return event.ms or 0, ORDER.index(event.key)


def header(facts: Facts, run: Facts) -> Iterator[Event]:
    """Gives the lines that say what was submitted, as far as it is known."""
    values = {
        "submission_benchmark": facts["benchmark"],
        "submission_org": facts["organization"],
        **{key: value for key, value in facts.items() if key.startswith("submission_")},
    }
    for key, value in values.items():
        yield Event(run.get("cache_clear_ms"), key, value, {})


def setup(run: Facts, key: str, value: bool | None) -> Iterator[Event]:
    """Gives a step before the run if its time is known."""
    if run.get(f"{key}_ms") is not None:
        yield Event(run[f"{key}_ms"], key, value, {})


def training(facts: Facts, run: Facts) -> Iterator[Event]:
    """Gives the events between run_start and run_stop, kind after kind."""
    for row in rows(facts, run, "epochs"):
        yield from interval("epoch", row, {"epoch_num": row["epoch_num"]})
    for row in rows(facts, run, "blocks"):
        yield from block(row)
    for row in rows(facts, run, "evaluations"):
        where = {"epoch_num": row["epoch_num"]}
        yield from interval("eval", row, where)
        yield Event(row["accuracy_ms"], "eval_accuracy", row["accuracy"], where)
    for row in rows(facts, run, "throughput"):
        where = {"epoch_num": row["epoch_num"]}
        yield Event(row["logged_ms"], "throughput", row["samples_per_s"], where)


def rows(facts: Facts, run: Facts, table: str) -> Iterator[Facts]:
    """Gives the rows of a table of the run with the names of its columns."""
    for row in run.get(table, ()):
        yield dict(zip(facts["columns"][table], row, strict=True))


def interval(name: str, row: Facts, metadata: Facts) -> Iterator[Event]:
    """Gives start and stop of an interval, each if the facts have it."""
    for end in TYPES:
        if row[f"{end}_ms"] is not None:
            yield Event(row[f"{end}_ms"], f"{name}_{end}", None, metadata)


def block(row: Facts) -> Iterator[Event]:
    """Gives start and stop of a block; only the start says of how many epochs."""
    first = {"first_epoch_num": row["first_epoch_num"]}
    for event in interval("block", row, first):
        extra = {"epoch_count": row["epoch_count"]} if event.key == "block_start" else {}
        yield event._replace(metadata=first | extra)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
