"""Writes small MLPerf logs and submissions, whose numbers a person can work out by hand.

A log of `log(minutes=10, epochs=4)` starts at START_MS, trains four equal epochs that fill the ten
minutes unless `epoch_minutes` says otherwise, and stops after ten minutes. It evaluates after every
fourth epoch and the last, and reaches the target of ResNet-50 there if its status is success.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb

from warehouse.database import in_memory
from warehouse.load import LoadReport, load
from warehouse.refresh import refresh

START_MS = 1_600_000_000_000
MINUTE_MS = 60_000
SLOT_MS = 3 * 60 * MINUTE_MS
SETTINGS: Mapping[str, Any] = {
    "global_batch_size": 1024,
    "d_batch_size": 256,
    "gradient_accumulation_steps": 1,
    "opt_base_learning_rate": 2.0,
    "eval_samples": 50000,
}


def record(key: str, value: Any = None, time_ms: float | None = START_MS, **metadata: Any) -> str:
    """One line of a log."""
    fields = {"namespace": "", "time_ms": time_ms, "event_type": "POINT_IN_TIME", "key": key}
    return ":::MLLOG " + json.dumps({**fields, "value": value, "metadata": metadata})


def log(
    *,
    minutes: float = 10.0,
    status: str | None = "success",
    epochs: int = 4,
    epoch_minutes: float | None = None,
    settings: Mapping[str, Any] | None = None,
    header: Mapping[str, Any] | None = None,
    seed: int = 1,
    start_ms: float = START_MS,
) -> str:
    """A whole log; `settings` are added to SETTINGS, where None takes one away."""
    said = {"submission_org": "Acme", "submission_division": "closed", **(header or {})}
    kept = {**SETTINGS, "seed": seed, **(settings or {})}
    lines = [record("cache_clear", True, start_ms - 2)]
    lines += [record(key, value, start_ms - 1) for key, value in said.items()]
    lines += [record(key, value, start_ms - 1) for key, value in kept.items() if value is not None]
    lines += [record("init_stop", None, start_ms - 1), record("run_start", None, start_ms)]
    length = minutes / max(epochs, 1) if epoch_minutes is None else epoch_minutes
    for number in range(1, epochs + 1):
        begin = start_ms + (number - 1) * length * MINUTE_MS
        end = begin + length * MINUTE_MS
        lines.append(record("epoch_start", None, begin, epoch_num=number))
        lines.append(record("epoch_stop", None, end, epoch_num=number))
        if number % 4 == 0 or number == epochs:
            is_reached = number == epochs and status == "success"
            accuracy = 0.76 if is_reached else 0.7 + number / 1000
            lines.append(record("eval_accuracy", accuracy, end, epoch_num=number))
    if status is not None:
        lines.append(record("run_stop", None, start_ms + minutes * MINUTE_MS, status=status))
    return "\n".join(lines) + "\n"


def runs(
    minutes: Iterable[float],
    *,
    header: Mapping[str, Any] | None = None,
    first_seed: int = 1,
    **common: Any,
) -> list[str]:
    """One log for each time, three hours apart, the run of seed 1 first.

    A negative time is a run that did not converge.
    """
    return [
        log(
            minutes=abs(length),
            status="success" if length > 0 else "aborted",
            seed=first_seed + number,
            header=header,
            **{"start_ms": START_MS + (first_seed + number - 1) * SLOT_MS, **common},
        )
        for number, length in enumerate(minutes)
    ]


class Submission:
    """A folder in the MLCommons layout, of round v1.1 unless `name` says otherwise."""

    def __init__(
        self, folder: Path, name: str = "training_v1.1", organization: str = "Acme"
    ) -> None:
        self.root = folder / name
        self.organization = organization
        self.home = self.root / organization
        self.home.mkdir(parents=True, exist_ok=True)

    def system(self, system: str, nodes: Any = 1, per_node: Any = 8, **fields: Any) -> Path:
        """The description of a system; None leaves a key out."""
        described = {
            "division": "closed",
            "submitter": self.organization,
            "system_name": system,
            "number_of_nodes": nodes,
            "accelerators_per_node": per_node,
            "accelerator_model_name": "A100",
            "host_processor_model_name": "EPYC",
            **fields,
        }
        path = self.home / "systems" / f"{system}.json"
        path.parent.mkdir(exist_ok=True)
        kept = {key: value for key, value in described.items() if value is not None}
        path.write_text(json.dumps(kept), encoding="utf-8")
        return path

    def results(self, system: str, benchmark: str, logs: Iterable[str], first: int = 0) -> Path:
        """The logs of a result set, numbered from `first`."""
        folder = self.home / "results" / system / benchmark
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(logs, start=first):
            (folder / f"result_{number}.txt").write_text(text, encoding="utf-8")
        return folder

    def scored(
        self,
        system: str,
        minutes: Iterable[float] = (10, 10, 10, 10, 10),
        *,
        nodes: Any = 1,
        per_node: Any = 8,
        benchmark: str = "resnet",
        header: Mapping[str, Any] | None = None,
        **common: Any,
    ) -> str:
        """A system with its result set; gives the result set's name."""
        self.system(system, nodes, per_node)
        said = {"submission_platform": system, "submission_benchmark": benchmark, **(header or {})}
        self.results(system, benchmark, runs(minutes, header=said, **common))
        return f"v1.1/closed/{self.organization}/{system}/{benchmark}"


def loaded(*paths: Path, data: Path | None = None, **said: Any) -> duckdb.DuckDBPyConnection:
    """A database in memory with these paths, and nothing that people say unless `data` does."""
    connection = in_memory()
    connection.execute("set threads = 1")  # quicker on so few rows
    load(connection, [str(path) for path in paths], said)
    refresh(connection, data or paths[0] / "no such folder")
    return connection


def facts(*paths: Path, **said: str) -> duckdb.DuckDBPyConnection:
    """The same without what is derived: the stored tables only."""
    connection = in_memory()
    load(connection, [str(path) for path in paths], said)
    return connection


def load_more(connection: duckdb.DuckDBPyConnection, *paths: Path, **said: str) -> LoadReport:
    """Loads further paths into the same database and derives everything anew."""
    report = load(connection, [str(path) for path in paths], said)
    refresh(connection, paths[0] / "no such folder")
    return report


def rows(connection: duckdb.DuckDBPyConnection, sql: str, *values: Any) -> list[dict[str, Any]]:
    """The rows of a query, one dictionary a row."""
    result = connection.execute(sql, list(values))
    names = [column[0] for column in result.description or ()]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def row(connection: duckdb.DuckDBPyConnection, sql: str, *values: Any) -> dict[str, Any]:
    """The only row of a query."""
    (only,) = rows(connection, sql, *values)
    return only


def waiver(rule: str, subject: str, since: str = "2020-01-01", until: str = "2999-12-31") -> str:
    """An entry of waivers.toml."""
    return (
        f'[[waiver]]\nrule = "{rule}"\nsubject = "{subject}"\nreason = "known and accepted"\n'
        f'author = "maintainer"\nsince = {since}\nuntil = {until}\n'
    )


def correction(
    expect: float,
    system: str = "box",
    collection: str = "",
    superseded_by: str = "other",
    until: str = "2999-12-31",
) -> str:
    """An entry of corrections.toml, about ResNet-50 on a system of Acme in round v1.1."""
    return (
        f'[[correction]]\nid = "again"\nround = "v1.1"\ndivision = "closed"\n'
        f'organization = "Acme"\nsystem = "{system}"\nbenchmark = "resnet"\n'
        f'collection = "{collection}"\nsuperseded_by = "{superseded_by}"\n'
        f'quantity = "score_min"\nexpect = {expect}\ntolerance = 0.001\nprinted = 39.0\n'
        f'reason = "run again"\nauthor = "maintainer"\nsince = 2020-01-01\n'
        f"until = {until}\n"
    )
