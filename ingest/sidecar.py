"""`source.toml`: what a person says about the files beside and below it."""

from __future__ import annotations

import datetime
import re
import tomllib
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
REMEDY = "see the guide for engineers: source.toml takes text values of known names"


@dataclass(frozen=True, slots=True)
class Sidecar:
    """One collection of files: where it is from, how far it can be trusted, whose it is.

    `kind` is `logged` (original logs) or `reconstructed`; `verification` is `official` (a
    published, reviewed result) or `unverified`, the default for everything.
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
    note: str | None = None


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
    taken: dict[str, str] = {}
    problems: list[Problem] = []
    for key, value in table.items():
        if key not in known:
            problems.append(_problem(data, key, "warning", "is no name of a source.toml"))
        elif isinstance(value, TEXT_TYPES):
            taken[key] = str(value)
        else:
            problems.append(_problem(data, key, "error", f"must be text, not {value!r:.60}"))
    for key, allowed in (("kind", KINDS), ("verification", VERIFICATIONS)):
        if taken.get(key, allowed[0]) not in allowed:
            reason = f"must be one of {', '.join(allowed)}, not {taken.pop(key)!r}"
            problems.append(_problem(data, key, "error", reason))
    taken.setdefault("name", PurePosixPath(path).parent.name)
    return Sidecar(**taken), problems


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
    for folder in PurePosixPath(path).parents:
        if found := sidecars.get(str(folder)):
            return found
    return None
