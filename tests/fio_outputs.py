"""Writes small fio outputs, whose numbers a person can work out by hand.

A `job` reads 6,000 blocks of 1 MiB in 60 s, 100 a second, at depth 4: by Little's law its mean
latency is 40 ms. Nothing of it breaks a rule, and three such runs of one point break none either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MIB = 1 << 20
END_S = 1_790_000_000
END = "Mon Sep 21 13:46:40 2026"
JobText = dict[str, Any]


def job(
    name: str = "seqread",
    *,
    rw: str = "read",
    blocks: int = 6000,
    seconds: float = 60.0,
    iodepth: int = 4,
    numjobs: int = 1,
    error: int = 0,
    group: int = 0,
    client: str | None = None,
    started_s: float = 0.0,
    user_pct: float = 5.0,
    shares: Mapping[str, float] | None = None,
    options: Mapping[str, str | None] | None = None,
    **direction: Any,
) -> JobText:
    """One entry of `jobs`; `options` are added to the usual ones, where None takes one away.

    `numjobs` over 1 is a group that group_reporting merged. `direction` replaces what is printed
    of the direction that `rw` names; `client` is `host:port`.
    """
    said: dict[str, str | None] = {
        "rw": rw, "bs": "1m", "iodepth": str(iodepth), "ioengine": "libaio", "direct": "1",
        "size": str(blocks * MIB // numjobs), "runtime": "60", "ramp_time": "10", "time_based": "",
    }  # fmt: skip
    if numjobs > 1:
        said |= {"numjobs": str(numjobs), "group_reporting": ""}
    said |= options or {}
    host, _, port = (client or "").partition(":")
    used = "write" if "write" in rw else "read"
    moved = transfer(blocks, seconds, iodepth * numjobs) | direction
    return {
        "jobname": name, "groupid": group, "job_start": END_S * 1000 + int(started_s * 1000),
        "error": error, "eta": 0, "elapsed": int(seconds) + 11,
        "job options": {key: value for key, value in said.items() if value is not None},
        "read": moved if used == "read" else transfer(0, 0, 0),
        "write": moved if used == "write" else transfer(0, 0, 0),
        "job_runtime": int(seconds * 1000) * numjobs, "usr_cpu": user_pct, "sys_cpu": 5.0,
        "iodepth_level": shares or {str(1 << iodepth.bit_length() - 1): 100.0},
        **({"hostname": host, "port": int(port)} if client else {}),
    }  # fmt: skip


def transfer(blocks: int, seconds: float, under_way: int) -> dict[str, Any]:
    """What fio prints of one direction, for blocks of 1 MiB."""
    if not blocks:
        return {"io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0, "iops": 0.0, "runtime": 0,
                "total_ios": 0, "short_ios": 0, "drop_ios": 0}  # fmt: skip
    rate = blocks / seconds
    mean_ns = under_way / rate * 1e9
    return {
        "io_bytes": blocks * MIB, "io_kbytes": blocks * 1024, "bw_bytes": int(rate * MIB),
        "bw": int(rate * 1024), "iops": rate, "runtime": int(seconds * 1000),
        "total_ios": blocks, "short_ios": 0, "drop_ios": 0,
        "slat_ns": latency(mean_ns / 100, blocks),
        "clat_ns": latency(mean_ns * 0.99, blocks) | {"percentile": percentiles(mean_ns)},
        "lat_ns": latency(mean_ns, blocks),
    }  # fmt: skip


def latency(mean_ns: float, samples: int) -> dict[str, Any]:
    """A latency between half and twice its mean."""
    return {"min": int(mean_ns / 2), "max": int(mean_ns * 2), "mean": mean_ns,
            "stddev": mean_ns / 4, "N": samples}  # fmt: skip


def percentiles(mean_ns: float) -> dict[str, int]:
    """Two percentiles that rise and stay under the largest latency."""
    return {"50.000000": int(mean_ns), "99.000000": int(mean_ns * 1.5)}


def output(
    *jobs: JobText,
    run: int = 0,
    version: str = "fio-3.42",
    before: str = "",
    disks: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """The text of a run: `client_stats` with their total where the jobs name clients.

    `run` makes texts of equal numbers differ, as repetitions do; `before` stands before the JSON.
    """
    over_network = any("hostname" in one for one in jobs)
    entries = list(jobs)
    if over_network and len(jobs) > 1:
        entries.append({**jobs[-1], "jobname": "All clients"})
    document = {
        "fio version": version, "timestamp": END_S + run, "time": END,
        "client_stats" if over_network else "jobs": entries,
        "disk_util": [{"name": name, **used} for name, used in (disks or {}).items()],
    }  # fmt: skip
    return before + json.dumps(document, indent=2) + "\n"


class Bench:
    """A folder of fio outputs on one storage system: a collection of its own."""

    def __init__(self, folder: Path, system: str = "Acme") -> None:
        self.root = folder / system
        self.root.mkdir(parents=True)
        self.say(name=f"{folder.name} {system}", system=system)

    def say(self, **more: str | float) -> None:
        """Adds fields to source.toml."""
        lines = [f"{name} = {json.dumps(value)}\n" for name, value in more.items()]
        with (self.root / "source.toml").open("a", encoding="utf-8") as file:
            file.writelines(lines)

    def write(self, name: str, text: str) -> Path:
        """Any file of the folder; a JSON names the folder, so that no two folders hold the same."""
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        unlike = text.replace(END, f"{END} ({self.root.parent.name})")
        path.write_text(unlike, encoding="utf-8")
        return path

    def point(self, name: str, *jobs: JobText, runs: int = 3, **common: Any) -> None:
        """The repetitions of one test point: `name`_1.json and so on."""
        for run in range(1, runs + 1):
            self.write(f"{name}_{run}.json", output(*jobs, run=run, **common))
