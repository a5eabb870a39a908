"""What a parser may say. Values are checked when a record is made; unknown is None, never 0."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

Severity = Literal["error", "warning", "info"]
RunStatus = Literal["success", "failed", "aborted", "stopped", "unknown", "unfinished"]
Clock = Literal["epoch", "suspect", "placeholder", "missing"]

EXCERPT_CHARACTERS = 200


def finite(name: str, value: float | None) -> None:
    """Raises ValueError for NaN and the infinities."""
    if value is not None and not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number or None, not {value}")


def counted(name: str, value: int | None, least: int) -> None:
    """Raises ValueError for a number under `least`."""
    if value is not None and value < least:
        raise ValueError(f"{name} must be {least} or more, not {value}")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read, or not be trusted.

    `line` counts from 1, None means the file as a whole. `remedy` says what to do about it.
    """

    line: int | None
    severity: Severity
    reason: str
    remedy: str
    excerpt: str = ""

    def __post_init__(self) -> None:
        counted("line", self.line, 1)
        object.__setattr__(self, "excerpt", self.excerpt[:EXCERPT_CHARACTERS])


@dataclass(slots=True)  # not frozen: there are millions, and freezing makes them four times slower
class Row:
    """A record that is a row of the stored table `TABLE`, whose columns bear its field names.

    `line` counts from 1; `attempt` is the run of the file that it belongs to.
    """

    TABLE: ClassVar[str]

    line: int
    attempt: int


@dataclass(slots=True)
class Event(Row):
    """One MLPerf log record.

    `time_ms` is milliseconds in the clock's own domain: `epoch` (since 1970), `suspect` (some
    other origin: only differences mean anything), `placeholder` (a literal 0) or `missing`.
    `value` and `metadata` are JSON text; `number` is the value as a finite number where it is one.
    """

    TABLE: ClassVar[str] = "event"

    key: str
    value: str | None
    number: float | None
    time_ms: float | None
    clock: Clock
    event_type: str | None
    rank: int | None
    metadata: str | None

    def __post_init__(self) -> None:
        counted("line", self.line, 1)
        finite("number", self.number)
        finite("time_ms", self.time_ms)


@dataclass(frozen=True, slots=True)
class Run:
    """One execution found in a file: a file holds several where a relaunch was appended.

    `status` is what the file itself says: `success`, `failed` (a job ended with an error),
    `aborted`, `stopped` (a run_stop without a status, as rounds before v0.6 print it), `unknown`
    (another status) or `unfinished` (it breaks off).
    """

    attempt: int
    first_line: int
    last_line: int
    status: RunStatus
    is_last: bool

    def __post_init__(self) -> None:
        counted("attempt", self.attempt, 1)
        counted("first_line", self.first_line, 1)
        counted("last_line", self.last_line, self.first_line)


@dataclass(frozen=True, slots=True)
class System:
    """A system description. `fields` is the JSON object as logged (keys normalised).

    `accelerators_per_node` is 0 for a system without accelerators; its scale is then its nodes.
    """

    name: str
    fields: str
    nodes: int | None
    accelerators_per_node: int | None

    def __post_init__(self) -> None:
        counted("nodes", self.nodes, 1)
        counted("accelerators_per_node", self.accelerators_per_node, 0)


@dataclass(frozen=True, slots=True)
class ScalingFactor:
    """The factor by which MLCommons multiplies a score (rounds from 2.0, `scaling.json`)."""

    factor: float

    def __post_init__(self) -> None:
        finite("factor", self.factor)
        if self.factor <= 0:
            raise ValueError(f"factor must be positive, not {self.factor}")


@dataclass(frozen=True, slots=True)
class CheckerFlag:
    """A flag for the official package checker: `rcp-bypass` or `seed-checker-bypass`."""

    line: int
    flag: str

    def __post_init__(self) -> None:
        counted("line", self.line, 1)


@dataclass(frozen=True, slots=True)
class ClaimedScore:
    """A score that a submission's own summary gives, in minutes.

    `system` is as the row names it, `description` the file that its details_url points at.
    """

    line: int
    organization: str | None
    division: str | None
    system: str
    description: str | None
    benchmark: str
    score_min: float

    def __post_init__(self) -> None:
        counted("line", self.line, 1)
        finite("score_min", self.score_min)
        if self.score_min <= 0:
            raise ValueError(f"score_min must be positive, not {self.score_min}")


Record = Problem | Row | Run | System | ScalingFactor | CheckerFlag | ClaimedScore
