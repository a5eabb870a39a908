"""The records of a log as the official rules see them, each distinct one decoded once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


class Records:
    """Distinct records: a number for each, with its key and its `v` (value and metadata)."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.seen: list[dict[str, Any]] = []

    def add(self, key: str, seen: dict[str, Any]) -> int:
        """The number of a record that is new."""
        self.keys.append(key)
        self.seen.append(seen)
        return len(self.keys) - 1


@dataclass(frozen=True, slots=True)
class Fault:
    """A line on which the official parser fails (`parse`) or breaks down (`input`)."""

    kind: str
    line: int
    reason: str
    excerpt: str


@dataclass(slots=True)
class Log:
    """One file: number, time (as the log says it) and line of each record that a rule may see."""

    numbers: list[int]
    times: list[float]
    lines: list[int]
    faults: list[Fault] = field(default_factory=list)
    is_empty: bool = False
    counted: dict[str, int] | None = None

    def counts(self, records: Records) -> dict[str, int]:
        """How many records each key has."""
        if self.counted is None:
            self.counted = {}
            for number, times in Counter(self.numbers).items():
                key = records.keys[number]
                self.counted[key] = self.counted.get(key, 0) + times
        return self.counted

    def of_key(self, records: Records, key: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Line and record of each record of a key."""
        for number, line in zip(self.numbers, self.lines, strict=True):
            if records.keys[number] == key:
                yield line, records.seen[number]

    def extended(self, numbers: list[int], times: list[float], lines: list[int]) -> Log:
        """A copy with further records at its end."""
        return Log(
            self.numbers + numbers, self.times + times, self.lines + lines, self.faults,
            self.is_empty,
        )  # fmt: skip


def aggregated(log: Log, records: Records, by: str, key: str) -> Log:
    """The log with one more record for each evaluation whose metrics were logged apart.

    Source: BEGIN of `closed_stable_diffusion.yaml` (rule sets 3.1.0 to 5.0.0): eval_accuracy
    records with a metric are joined by `by` (step_num or samples_count); the time is the latest.
    Raises KeyError or TypeError for an evaluation without these members, as the official code does.
    """
    joined: dict[Any, dict[str, Any]] = {}
    times: dict[Any, float] = {}
    lines: dict[Any, int] = {}
    for number, time, line in zip(log.numbers, log.times, log.lines, strict=True):
        seen = records.seen[number]
        if records.keys[number] != "eval_accuracy" or "metric" not in seen["metadata"]:
            continue
        step = seen["metadata"][by]
        joined.setdefault(step, {by: step})[seen["metadata"]["metric"]] = seen["value"]
        times[step] = max(time, times.get(step, time))
        lines.setdefault(step, line)
    numbers = [records.add(key, {"value": each, "metadata": {}}) for each in joined.values()]
    return log.extended(numbers, list(times.values()), list(lines.values()))
