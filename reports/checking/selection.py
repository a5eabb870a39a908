"""Which findings are asked for: by organisation, system and benchmark, by rule, by severity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

import duckdb

from ingest.layout import identify

SEVERITIES = ("error", "warning", "info")
PARTS = ("organization", "system", "benchmark")
SUBJECTS = """
select distinct result_set, organization, system, benchmark from run_header
union select distinct split_part(result_set, '@', 1), organization, system, benchmark from run_header
union select distinct s.path, r.organization, r.system, r.benchmark from run r join source s using (source_id)
order by all
"""  # noqa: E501

Parts = tuple[str | None, str | None, str | None]


class SelectionError(Exception):
    """Something was asked for that is not there; the text says what is."""


def matches(text: str | None, patterns: Iterable[str]) -> bool:
    """Whether a text is one of the patterns (with * ? and [], upper and lower case alike)."""
    plain = (text or "").lower()
    return any(
        plain == pattern.lower() or fnmatchcase(plain, pattern.lower()) for pattern in patterns
    )


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked for; an empty tuple asks for all."""

    organization: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    benchmark: tuple[str, ...] = ()
    rule: tuple[str, ...] = ()
    severity: str = "info"

    @property
    def severities(self) -> tuple[str, ...]:
        """The severities that are asked for: the least one and all above."""
        return SEVERITIES[: SEVERITIES.index(self.severity) + 1]

    @property
    def has_parts(self) -> bool:
        """Whether not every subject is asked for."""
        return bool(self.organization or self.system or self.benchmark)

    def takes_rule(self, name: str) -> bool:
        """Whether a rule is asked for."""
        return not self.rule or matches(name, self.rule)

    def takes(self, parts: Parts) -> bool:
        """Whether the organisation, system and benchmark of a subject are asked for."""
        wanted = (self.organization, self.system, self.benchmark)
        return all(
            not patterns or matches(part, patterns)
            for part, patterns in zip(parts, wanted, strict=True)
        )


class Subjects:
    """Organisation, system and benchmark of what a finding is about, by its subject or file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, selection: Selection) -> None:
        rows = connection.execute(SUBJECTS).fetchall() if selection.has_parts else []
        self.selection = selection
        self.known: dict[str, Parts] = {name: tuple(parts) for name, *parts in rows}

    def takes(self, subject: str, path: str | None) -> bool:
        """Whether a finding with this subject and file of evidence is asked for."""
        return not self.selection.has_parts or self.selection.takes(self._parts(subject, path))

    def _parts(self, subject: str, path: str | None) -> Parts:
        for name in (subject, subject.partition("@")[0], path or ""):
            if name in self.known:
                return self.known[name]
        found = identify(path or subject)
        return found.organization, found.system, found.benchmark

    def verify(self) -> None:
        """Raises SelectionError where nothing that is in the database is asked for.

        A misspelt name would be a success otherwise.
        """
        if not self.selection.has_parts or any(map(self.selection.takes, self.known.values())):
            return
        asked = [
            f"{part} {', '.join(patterns)}"
            for part in PARTS
            if (patterns := getattr(self.selection, part))
        ]
        names = [sorted({parts[place] or "" for parts in self.known.values()} - {""})
                 for place in range(len(PARTS))]  # fmt: skip
        there = "; ".join(
            f"{part}: {_some(found)}" for part, found in zip(PARTS, names, strict=True) if found
        )
        raise SelectionError(f"nothing of {' and '.join(asked)} is there; there is {there or '-'}")


def _some(names: list[str], most: int = 5) -> str:
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")
