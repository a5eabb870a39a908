"""`source.toml`: what a person says about the files beside and below it."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import PurePosixPath
from typing import Any

from ingest.layout import Identity
from ingest.records import Problem, Severity

FILE_NAME = "source.toml"
KINDS = ("logged", "reconstructed")
VERIFICATIONS = ("official", "unverified")
TEXT_TYPES = (str, datetime.date, datetime.datetime)
TOML_LINE = re.compile(r"at line (\d+)")
REMEDY = "see the guide for engineers: it lists the names of a source.toml and their values"


@dataclass(frozen=True, slots=True)
class Sidecar:
    """One collection of files: where it is from, how far it can be trusted, whose it is.

    `kind` is `logged` (original logs) or `reconstructed`; `verification` is `official` (a
    published, reviewed result) or `unverified`, the default for everything. Of a storage test:
    `link_gbit_s` is the network of one client in 10^9 bit/s, `client_memory_gib` and `client_cores`
    are those of one client, `clients` is the planned number of clients by file name pattern.
    """

    name: str = ""
    title: str = "logs without a source.toml"
    kind: str = "logged"
    verification: str = "unverified"
    round: str | None = None
    organization: str | None = None
    system: str | None = None
    benchmark: str | None = None
    division: str | None = None
    licence: str | None = None
    url: str | None = None
    retrieved: str | None = None
    result_ids: str | None = None
    storage: str | None = None
    storage_nodes: int | None = None
    link_gbit_s: float | None = None
    client_memory_gib: float | None = None
    client_cores: int | None = None
    clients: tuple[tuple[str, int], ...] = ()
    note: str | None = None

    def clients_planned(self, path: str) -> int | None:
        """How many clients the test behind a file had; None where nobody says it."""
        name = PurePosixPath(path)
        return next((count for pattern, count in self.clients if name.match(pattern)), None)


def read_sidecar(data: bytes, path: str) -> tuple[Sidecar, list[Problem]]:
    """The sidecar in `data`; what it gets wrong becomes a Problem and is left out."""
    try:
        table: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        said = str(error) or type(error).__name__
        place = TOML_LINE.search(said)
        reason = f"not valid TOML ({said}); the folder is loaded without it"
        return Sidecar(), [Problem(int(place[1]) if place else 1, "error", reason, REMEDY)]
    known = {field.name for field in fields(Sidecar)}
    taken: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in table.items():
        if key not in known:
            problems.append(_problem(data, key, "warning", "is no name of a source.toml"))
            continue
        read, expected = _READERS.get(key, _TEXT)
        taken[key] = read(value)
        if taken[key] is None:
            del taken[key]
            reason = f"must be {expected}, not {value!r:.60}"
            problems.append(_problem(data, key, "error", reason))
    taken.setdefault("name", PurePosixPath(path).parent.name)
    return Sidecar(**taken), problems


def _text(value: object) -> str | None:
    return str(value) if isinstance(value, TEXT_TYPES) else None


def _kind(value: object) -> str | None:
    return value if isinstance(value, str) and value in KINDS else None


def _verification(value: object) -> str | None:
    return value if isinstance(value, str) and value in VERIFICATIONS else None


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return int(value) if is_count and 1 <= value < 10**9 else None  # type: ignore[call-overload, operator]


def _positive(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < value < 1e15 else None  # type: ignore[arg-type, operator]


def _clients(value: object) -> tuple[tuple[str, int], ...] | None:
    """One number for all files, or a table of file name patterns, of which the first counts."""
    table = value if isinstance(value, dict) else {"*": value}
    counts = tuple((pattern, _count(number)) for pattern, number in table.items())
    known = tuple((pattern, count) for pattern, count in counts if pattern and count)
    return known if len(known) == len(counts) else None


_Reader = tuple[Callable[[Any], Any], str]
_TEXT: _Reader = (_text, "text")
_NODES: _Reader = (_count, "a whole number from 1")
_SIZE: _Reader = (_positive, "a number over 0")
_READERS: dict[str, _Reader] = {
    "kind": (_kind, f"one of {', '.join(KINDS)}"),
    "verification": (_verification, f"one of {', '.join(VERIFICATIONS)}"),
    "storage_nodes": _NODES,
    "client_cores": _NODES,
    "link_gbit_s": _SIZE,
    "client_memory_gib": _SIZE,
    "clients": (_clients, "a whole number from 1, or a table of them by file name pattern"),
}


def _problem(data: bytes, key: str, severity: Severity, reason: str) -> Problem:
    """A Problem about one name, at the line that sets it."""
    pattern = re.compile(rf"\s*\[*[\"']?{re.escape(key)}\b")
    rows = data.decode("utf-8-sig").split("\n")
    line = next((number for number, row in enumerate(rows, 1) if pattern.match(row)), 1)
    return Problem(line, severity, f"{key} {reason}", REMEDY)


def overridden(identity: Identity, said: Sidecar) -> Identity:
    """The identity, with what a person says in place of what the path says."""
    return replace(
        identity,
        round=said.round or identity.round,
        organization=said.organization or identity.organization,
        system=said.system or identity.system,
        benchmark=said.benchmark or identity.benchmark,
    )


def nearest(path: str, sidecars: dict[str, Sidecar]) -> Sidecar | None:
    """The sidecar of the innermost folder that holds `path` (keys are folder paths)."""
    if not sidecars:
        return None
    for folder in PurePosixPath(path).parents:
        if found := sidecars.get(str(folder)):
            return found
    return None
