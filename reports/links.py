"""Addresses of the pages that are made once per benchmark and once per system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reports.slugs import unique_slugs

_TAKEN = ("index",)
SystemKey = tuple[str, str, str, str]


def system_key(row: Mapping[str, Any]) -> SystemKey:
    """(collection, round, organization, system): what has one system page."""
    return tuple(
        str(row.get(part) or "") for part in ("collection", "round", "organization", "system")
    )  # type: ignore[return-value]


@dataclass(frozen=True)
class Links:
    """Page names by benchmark and by system, written relative to a page `depth` folders deep."""

    benchmarks: Mapping[Any, str] = field(default_factory=dict)
    systems: Mapping[Any, str] = field(default_factory=dict)
    depth: int = 0

    @classmethod
    def of(cls, benchmarks: Iterable[str], systems: Iterable[SystemKey]) -> Links:
        """Links for these benchmarks and systems; the same data gives the same names."""
        names = [
            (key, "-".join(part for part in key[1:] + key[:1] if part))
            for key in sorted(set(systems))
        ]
        return cls(
            benchmarks=unique_slugs(((name, name) for name in sorted(set(benchmarks))), _TAKEN),
            systems=unique_slugs(names, _TAKEN),
        )

    def at(self, page: str) -> Links:
        """The same links seen from a page such as 'reports/x.md'."""
        return Links(self.benchmarks, self.systems, page.count("/"))

    @property
    def root(self) -> str:
        """Relative path to the top of the site: '' or '../' times the depth."""
        return "../" * self.depth

    def benchmark(self, row: Mapping[str, Any]) -> str | None:
        """Address of the row's benchmark page, None if it has none."""
        name = self.benchmarks.get(row.get("benchmark") or "")
        return f"{self.root}benchmarks/{name}.html" if name else None

    def system(self, row: Mapping[str, Any]) -> str | None:
        """Address of the row's system page, None if it has none."""
        name = self.systems.get(system_key(row))
        return f"{self.root}systems/{name}.html" if name else None
