"""`source.toml`: what a person says about the files beside and below it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import PurePosixPath
from typing import Any

from ingest.layout import Identity
from ingest.records import Problem

FILE_NAME = "source.toml"
KINDS = ("logged", "reconstructed")
VERIFICATIONS = ("official", "unverified")
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
        table: dict[str, Any] = tomllib.loads(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = f"not valid TOML ({error}); the folder is loaded without it"
        return Sidecar(), [Problem(1, "error", reason, REMEDY)]
    known = {field.name for field in fields(Sidecar)}
    taken = {key: str(value) for key, value in table.items() if key in known}
    problems = [_unknown_name(data, key) for key in table if key not in known]
    for key, allowed in (("kind", KINDS), ("verification", VERIFICATIONS)):
        if taken.get(key, allowed[0]) not in allowed:
            reason = f"{key} must be one of {', '.join(allowed)}, not {taken.pop(key)!r}"
            problems.append(Problem(_line_of(data, key), "error", reason, REMEDY))
    taken.setdefault("name", PurePosixPath(path).parent.name)
    return Sidecar(**taken), problems


def _unknown_name(data: bytes, key: str) -> Problem:
    return Problem(_line_of(data, key), "warning", f"{key} is no name of a source.toml", REMEDY)


def _line_of(data: bytes, key: str) -> int:
    rows = data.decode("utf-8", "replace").split("\n")
    return next((n for n, row in enumerate(rows, 1) if row.strip().startswith(key)), 1)


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
