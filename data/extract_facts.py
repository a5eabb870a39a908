"""Takes the facts of the bundled result sets out of the public MLPerf Training v1.1 results.

    python data/extract_facts.py FOLDER

FOLDER is a checkout (or any copy) of the public repository mlcommons/training_results_v1.1: the
folder that holds `Dell/`. Numbers and standard key names are taken, no text of a log;
data/README.md says what a facts file holds. The facts of the unverified RNN-T re-run come from no
log and stay as they are. `reconstruct.py` makes logs of the facts again.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

FACTS = Path(__file__).resolve().parent / "facts" / "dell_v1.1"
REPOSITORY = "mlcommons/training_results_v1.1"
ORGANIZATION = "Dell"
MARKER = b":::MLLOG "

RESULT_SETS = {
    "R750xax4A100-PCIE-80GB": ("resnet",),
    "2xR750xax4A100-PCIE-80GB": ("resnet",),
    "4xR750xax4A100-PCIE-80GB": ("resnet",),
    "8xR750xax4A100-PCIE-80GB": ("resnet",),
    "XE8545x4A100-SXM-80GB": ("bert", "maskrcnn", "resnet", "rnnt", "ssd"),
    "2xXE8545x4A100-SXM-80GB": ("bert", "maskrcnn", "resnet", "rnnt", "ssd"),
}

COLUMNS = {
    "epochs": ("epoch_num", "start_ms", "stop_ms"),
    "blocks": ("first_epoch_num", "epoch_count", "start_ms", "stop_ms"),
    "evaluations": ("epoch_num", "start_ms", "accuracy_ms", "stop_ms", "accuracy"),
    "throughput": ("epoch_num", "logged_ms", "samples_per_s"),
}

HEADER = ("submission_division", "submission_status", "submission_platform")

# Keys that are no setting of the run: they are kept elsewhere in the facts, or not at all.
NOT_A_HYPERPARAMETER = {
    *HEADER,
    "cache_clear",
    "eval_accuracy",
    "submission_benchmark",
    "submission_org",
    "throughput",
    "tracked_stats",
    "weights_initialization",
}

# Logged every 50 iterations: the mean of an epoch is kept. The others log one figure for the epoch
# as a whole, after any figures for parts of it (ssd), so that the last one is the epoch's.
LOGGED_BY_ITERATION = {"maskrcnn"}

Event = dict[str, Any]
Facts = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Writes the facts of every result set; 0 if all went well, 2 if the folder is not the one."""
    if len(arguments) != 1 or not (Path(arguments[0]) / ORGANIZATION / "results").is_dir():
        usage = f"usage: extract_facts.py FOLDER (the one that holds {ORGANIZATION}/results)"
        print(usage, file=sys.stderr)
        return 2
    organization = Path(arguments[0]) / ORGANIZATION
    for system, benchmarks in RESULT_SETS.items():
        write(FACTS / "systems" / f"{system}.json", system_text(organization, system))
        for benchmark in benchmarks:
            facts = result_set_facts(organization, system, benchmark)
            write(FACTS / "results" / system / f"{benchmark}.json", facts_text(facts))
    return 0


def write(path: Path, text: str) -> None:
    """Writes a text file with its folders, and says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    print(f"{path.relative_to(FACTS.parent)}: {len(text):,} bytes")


def system_text(organization: Path, system: str) -> str:
    """Gives a system description as JSON: the keys and values of the published one."""
    source = organization / "systems" / f"{system}.json"
    return json.dumps(json.loads(source.read_text(encoding="utf-8")), indent=2) + "\n"


def result_set_facts(organization: Path, system: str, benchmark: str) -> Facts:
    """Gives the facts of all runs of one result set, what the runs share once at the top."""
    folder = organization / "results" / system / benchmark
    logs = sorted(folder.glob("result_*.txt"), key=run_number)
    runs = [run_facts(run_number(log), list(read_events(log)), benchmark) for log in logs]
    shared = shared_values([run["hyperparameters"] for run in runs])
    for run in runs:
        run["hyperparameters"] = without(run["hyperparameters"], shared)
    source = f"{REPOSITORY}, {ORGANIZATION}/results/{system}/{benchmark}"
    return {
        "source": source,
        "organization": ORGANIZATION,
        "system": system,
        "benchmark": benchmark,
        **header_facts(list(read_events(logs[0]))),
        "columns": COLUMNS,
        "hyperparameters": shared,
        "runs": runs,
    }


def run_number(log: Path) -> int:
    """Gives n of result_n.txt."""
    return int(log.stem.removeprefix("result_"))


def read_events(log: Path) -> Iterator[Event]:
    """Gives the MLLOG records of a log in the order of the file."""
    decoder = json.JSONDecoder(strict=False)
    for line in log.read_bytes().split(b"\n"):
        found = line.rfind(MARKER)
        if found >= 0:
            text = line[found + len(MARKER) :].decode("latin-1").strip()
            event: Event = decoder.raw_decode(text)[0]
            yield event


def header_facts(events: list[Event]) -> Facts:
    """Gives division, status and platform as the log's header names them."""
    last = {event["key"]: event["value"] for event in events}
    return {key: last[key] for key in HEADER}


def run_facts(number: int, events: list[Event], benchmark: str) -> Facts:
    """Gives the facts of one run; times but run_start's are milliseconds after run_start."""
    start = only(events, "run_start")
    stop = only(events, "run_stop")
    origin = start["time_ms"]
    timed = [event | {"time_ms": event["time_ms"] - origin} for event in events]
    return {
        "number": number,
        "status": stop["metadata"]["status"],
        "run_start_epoch_ms": origin,
        "run_stop_ms": stop["time_ms"] - origin,
        **{f"{key}_ms": setup_ms(timed, key) for key in ("cache_clear", "init_start", "init_stop")},
        "hyperparameters": hyperparameters(events),
        "epochs": epochs(timed),
        "blocks": blocks(timed),
        "evaluations": evaluations(timed),
        "throughput": throughput(timed, benchmark),
    }


def only(events: Iterable[Event], key: str) -> Event:
    """Gives the one event of that key; a log with none or several is refused."""
    (event,) = [event for event in events if event["key"] == key]
    return event


def setup_ms(timed: list[Event], key: str) -> int | None:
    """Gives when a step before the run happened: its last time that is not after run_start.

    Every node logs it. In the 4-node ResNet-50 logs one node's clock is days ahead.
    """
    times = [event["time_ms"] for event in timed if event["key"] == key]
    return max((time for time in times if time <= 0), default=None)


def hyperparameters(events: Iterable[Event]) -> Facts:
    """Gives the last value of every key that is a setting of the run."""
    return {
        event["key"]: event["value"]
        for event in events
        if event["event_type"] == "POINT_IN_TIME"
        and event["key"] not in NOT_A_HYPERPARAMETER
        and event["value"] is not None
    }


def shared_values(settings: list[Facts]) -> Facts:
    """Gives the keys that have the same value in all runs."""
    first, *others = settings
    return {
        key: value
        for key, value in first.items()
        if all(key in other and other[key] == value for other in others)
    }


def without(settings: Facts, shared: Facts) -> Facts:
    """Gives the settings that are not among the shared ones."""
    return {key: value for key, value in settings.items() if key not in shared}


def times_by_position(timed: list[Event], key: str, position: str) -> dict[int, int]:
    """Gives the time of each event of that key by its position (an epoch's number)."""
    found = [event for event in timed if event["key"] == key]
    times = {event["metadata"][position]: event["time_ms"] for event in found}
    repeated = Counter(event["metadata"][position] for event in found)
    if any(count > 1 for count in repeated.values()):
        raise ValueError(f"{key} is logged twice for one {position}")
    return times


def epochs(timed: list[Event]) -> list[list[int | None]]:
    """Gives the epoch intervals; an epoch that the run's end cut has no stop."""
    starts = times_by_position(timed, "epoch_start", "epoch_num")
    stops = times_by_position(timed, "epoch_stop", "epoch_num")
    return [[number, start, stops.get(number)] for number, start in starts.items()]


def blocks(timed: list[Event]) -> list[list[int | None]]:
    """Gives the block intervals; a block is the epochs between two evaluations."""
    starts = times_by_position(timed, "block_start", "first_epoch_num")
    stops = times_by_position(timed, "block_stop", "first_epoch_num")
    counts = {
        event["metadata"]["first_epoch_num"]: event["metadata"]["epoch_count"]
        for event in timed
        if event["key"] == "block_start"
    }
    return [[first, counts[first], start, stops.get(first)] for first, start in starts.items()]


def evaluations(timed: list[Event]) -> list[list[Any]]:
    """Gives the evaluations in the order logged. BERT logs all at epoch 1 and no interval."""
    starts = times_by_position(timed, "eval_start", "epoch_num")
    stops = times_by_position(timed, "eval_stop", "epoch_num")
    rows = []
    for event in timed:
        if event["key"] == "eval_accuracy":
            number = event["metadata"]["epoch_num"]
            times = [starts.get(number), event["time_ms"], stops.get(number)]
            rows.append([number, *times, event["value"]])
    return rows


def throughput(timed: list[Event], benchmark: str) -> list[list[float]]:
    """Gives one throughput figure an epoch, rounded to 0.001 samples/s (BERT logs none)."""
    logged: dict[int, list[Event]] = {}
    epoch = 0
    for event in timed:
        if event["key"] == "epoch_start":
            epoch = event["metadata"]["epoch_num"]
        elif event["key"] == "throughput":
            logged.setdefault(epoch, []).append(event)
    average = benchmark in LOGGED_BY_ITERATION
    return [throughput_row(number, events, average) for number, events in logged.items()]


def throughput_row(number: int, events: list[Event], average: bool) -> list[float]:
    """Gives an epoch's number, the time of its last figure, and the last figure or the mean."""
    values = [event["value"] for event in events]
    return [number, events[-1]["time_ms"], round(fmean(values) if average else values[-1], 3)]


def facts_text(facts: Facts) -> str:
    """Gives JSON with one key, and one row of a table, a line: readable, and a diff shows one."""
    members = [f'"{key}": {member_text(key, value)}' for key, value in facts.items()]
    return "{\n" + ",\n".join(members) + "\n}\n"


def member_text(key: str, value: Any) -> str:
    """Gives a member of a result set's facts as JSON text, broken into lines where it is long."""
    if key == "hyperparameters":
        return object_text(value)
    if key == "runs":
        return "[\n" + ",\n".join(run_text(run) for run in value) + "\n]"
    return json.dumps(value)


def run_text(run: Facts) -> str:
    """Gives a run as JSON text: short members first, then a line a row."""
    members = [
        f'"{key}": {rows_text(value) if key in COLUMNS else json.dumps(value)}'
        for key, value in run.items()
    ]
    return "{" + ",\n".join(members) + "}"


def rows_text(rows: list[list[Any]]) -> str:
    """Gives a table as JSON text, a row a line."""
    return "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]" if rows else "[]"


def object_text(value: Facts) -> str:
    """Gives an object as JSON text, a key a line."""
    return "{\n" + ",\n".join(f'"{k}": {json.dumps(v)}' for k, v in value.items()) + "\n}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
