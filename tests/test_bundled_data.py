"""The bundled data: facts give the logs, the facts are those of the public logs, and the totals."""

from __future__ import annotations

import importlib.util
import json
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
ARCHIVE = ROOT.parent / "shared/corpus/public/mlperf/training_v1.1_dell.tar.xz"
RERUN = "dell_v1.1_rnnt_rerun"

OLYMPIC_MEANS_MIN = {
    ("R750xax4A100-PCIE-80GB", "resnet"): 62.949,
    ("2xR750xax4A100-PCIE-80GB", "resnet"): 32.087,
    ("4xR750xax4A100-PCIE-80GB", "resnet"): 17.336,
    ("8xR750xax4A100-PCIE-80GB", "resnet"): 10.586,
    ("XE8545x4A100-SXM-80GB", "bert"): 38.855,
    ("2xXE8545x4A100-SXM-80GB", "bert"): 26.547,
    ("XE8545x4A100-SXM-80GB", "maskrcnn"): 83.774,
    ("2xXE8545x4A100-SXM-80GB", "maskrcnn"): 48.788,
    ("XE8545x4A100-SXM-80GB", "resnet"): 56.326,
    ("2xXE8545x4A100-SXM-80GB", "resnet"): 30.123,
    ("XE8545x4A100-SXM-80GB", "ssd"): 16.244,
    ("2xXE8545x4A100-SXM-80GB", "ssd"): 8.735,
    ("XE8545x4A100-SXM-80GB", "rnnt"): 106.542,
    ("2xXE8545x4A100-SXM-80GB", "rnnt"): 35.068,
}
RUNS = {"resnet": 5, "bert": 10, "maskrcnn": 5, "ssd": 5, "rnnt": 10}

# Logged more than once with different values: no setting of a run. Written out here, not taken from
# the extraction, so that the two can disagree.
SERIES = {"eval_accuracy", "throughput", "tracked_stats"}


def load_script(path: Path) -> ModuleType:
    """Gives a script of data/ as a module: the folder is no package, so its scripts find each other
    only with it on the path, as when they are run.
    """
    if str(DATA) not in sys.path:
        sys.path.append(str(DATA))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reconstruct = load_script(DATA / "reconstruct.py")


def read_log(content: bytes) -> list[dict[str, Any]]:
    """Gives the records of a log; the reader is the tests' own, and minimal."""
    parts = (line.rpartition(b":::MLLOG ") for line in content.split(b"\n"))
    return [json.loads(record) for _, marker, record in parts if marker]


def minutes(records: list[dict[str, Any]]) -> float:
    """Gives the time to train of a log."""
    times = {record["key"]: record["time_ms"] for record in records}
    return float(times["run_stop"] - times["run_start"]) / 60_000


def settings(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Gives the last value of every key that is logged with one, other than series of values."""
    return {
        record["key"]: record["value"]
        for record in records
        if record["value"] is not None and record["key"] not in SERIES
    }


def series(records: list[dict[str, Any]], key: str) -> list[Any]:
    """Gives time, epoch and value of each event of that key, in the order of the file."""
    return [
        (record["time_ms"], record["metadata"].get("epoch_num"), record["value"])
        for record in records
        if record["key"] == key
    ]


def bundled_logs() -> list[Path]:
    return sorted((DATA / "raw").glob("*/Dell/results/*/*/result_*.txt"))


def test_raw_is_what_the_facts_give() -> None:
    assert reconstruct.differences(reconstruct.reconstructed_files()) == []


def test_check_names_a_changed_a_missing_and_an_extra_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconstruct, "RAW", tmp_path)
    files = {Path("a/one.txt"): b"1\n", Path("a/two.txt"): b"2\n"}
    reconstruct.write_files(files)
    assert reconstruct.differences(files) == []
    (tmp_path / "a/one.txt").write_bytes(b"other\n")
    (tmp_path / "a/two.txt").rename(tmp_path / "a/three.txt")
    assert reconstruct.differences(files) == [
        "a/one.txt: not what the facts give",
        "a/two.txt: missing",
        "a/three.txt: no facts for it",
    ]


def test_every_log_says_in_its_first_line_that_it_is_a_reconstruction() -> None:
    logs = bundled_logs()
    assert len(logs) == 91
    for log in logs:
        with log.open(encoding="utf-8") as lines:
            first = next(lines)
        assert first.startswith("# Reconstruction, not an original log: "), log
        assert "data/reconstruct.py" in first, log


@pytest.mark.parametrize(("system", "benchmark"), OLYMPIC_MEANS_MIN)
def test_result_set_has_its_runs_and_its_score(system: str, benchmark: str) -> None:
    folder = DATA / "raw/dell_v1.1/Dell/results" / system / benchmark
    logs = [read_log(path.read_bytes()) for path in folder.glob("result_*.txt")]
    assert len(logs) == RUNS[benchmark]
    times = sorted(minutes(records) for records in logs)
    expected = OLYMPIC_MEANS_MIN[system, benchmark]
    assert fmean(times[1:-1]) == pytest.approx(expected, abs=0.00051)


def test_rerun_holds_the_published_mean_and_nothing_else() -> None:
    (log,) = (DATA / "raw" / RERUN).glob("Dell/results/*/*/result_*.txt")
    records = read_log(log.read_bytes())
    assert minutes(records) == pytest.approx(77.31, abs=1e-9)
    assert [record["key"] for record in records] == [
        "submission_benchmark",
        "submission_org",
        "submission_division",
        "submission_platform",
        "run_start",
        "run_stop",
    ]
    assert "one published mean" in log.read_text(encoding="utf-8").split("\n")[0]
    assert "individual times" in log.read_text(encoding="utf-8").split("\n")[0]


@pytest.mark.parametrize("collection", ["dell_v1.1", RERUN])
def test_sidecar_says_what_the_collection_is(collection: str) -> None:
    sidecar = tomllib.loads((DATA / "raw" / collection / "source.toml").read_text(encoding="utf-8"))
    assert sidecar["name"] == collection
    assert sidecar["kind"] == "reconstructed"
    assert sidecar["verification"] == ("unverified" if collection == RERUN else "official")
    for field in ("title", "round", "licence", "url", "retrieved", "note"):
        assert sidecar[field], field


def test_corrections_and_waivers_name_bundled_results_and_say_why() -> None:
    tables = {
        name: tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("corrections", "waivers")
    }
    (correction,) = tables["corrections"]["correction"]
    collections = [correction["collection"], correction["superseded_by"]]
    where = f"Dell/results/{correction['system']}/{correction['benchmark']}"
    assert all((DATA / "raw" / name / where).is_dir() for name in collections)
    for entry in [correction, *tables["waivers"]["waiver"]]:
        assert entry["reason"] and entry["author"] and entry["since"]
    for waiver in tables["waivers"]["waiver"]:
        assert waiver["until"] > waiver["since"]


def public_files() -> Iterator[tuple[Path, bytes]]:
    """Gives path below the organisation's parent and content of the members of the archive."""
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                yield Path(*Path(member.name).parts[1:]), content.read()


@pytest.fixture(scope="module")
def public() -> dict[Path, bytes]:
    """Gives the public counterparts of the bundled files."""
    if not ARCHIVE.is_file():
        pytest.skip(f"{ARCHIVE} is missing: the facts are not compared with the public logs")
    below = DATA / "raw/dell_v1.1"
    bundled = {path.relative_to(below) for path in below.rglob("result_*.txt")}
    bundled |= {path.relative_to(below) for path in below.rglob("*.json")}
    return {path: content for path, content in public_files() if path in bundled}


def test_logs_agree_with_the_public_ones(public: dict[Path, bytes]) -> None:
    logs = {path: content for path, content in public.items() if path.suffix == ".txt"}
    assert len(logs) == 90
    for path, content in logs.items():
        ours = read_log((DATA / "raw/dell_v1.1" / path).read_bytes())
        theirs = read_log(content)
        assert settings(ours) == settings(theirs), path
        for key in ("run_start", "run_stop", "epoch_start", "epoch_stop", "eval_accuracy"):
            assert series(ours, key) == series(theirs, key), (path, key)
        assert statuses(ours) == statuses(theirs), path


def statuses(records: list[dict[str, Any]]) -> list[str]:
    return [record["metadata"]["status"] for record in records if record["key"] == "run_stop"]


def test_throughput_of_an_epoch_agrees_with_the_public_logs(public: dict[Path, bytes]) -> None:
    for path, content in public.items():
        if path.suffix != ".txt" or path.parent.name not in ("resnet", "rnnt"):
            continue
        ours = series(read_log((DATA / "raw/dell_v1.1" / path).read_bytes()), "throughput")
        theirs = series(read_log(content), "throughput")
        assert [time for time, _, _ in ours] == [time for time, _, _ in theirs], path
        values = [value for _, _, value in theirs]
        assert [value for _, _, value in ours] == pytest.approx(values, abs=0.0005), path


def test_system_descriptions_are_the_public_ones(public: dict[Path, bytes]) -> None:
    systems = {path: content for path, content in public.items() if path.suffix == ".json"}
    assert len(systems) == 6
    for path, content in systems.items():
        ours = json.loads((DATA / "raw/dell_v1.1" / path).read_bytes())
        assert ours == json.loads(content), path
    rerun = DATA / "raw" / RERUN / "Dell/systems/XE8545x4A100-SXM-80GB.json"
    assert json.loads(rerun.read_bytes()) == json.loads(
        systems[Path("Dell/systems/XE8545x4A100-SXM-80GB.json")]
    )
