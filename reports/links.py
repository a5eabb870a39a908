"""Addresses of the pages that are made once per benchmark, system, series and the like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reports.slugs import unique_slugs

_TAKEN = ("index",)
SystemKey = tuple[str, str, str, str]
SubmissionKey = tuple[str, str, str]
SeriesKey = tuple[str, str, str]
_SYSTEM = ("collection", "round", "organization", "system")
_SUBMISSION = ("collection", "round", "organization")
_STORAGE_SYSTEM = ("collection", "storage_system")
_SERIES = (*_STORAGE_SYSTEM, "series")
_NETWORK_SYSTEM = ("collection", "network_system")


def system_key(row: Mapping[str, Any]) -> SystemKey:
    """(collection, round, organization, system): what has one system page."""
    return _key(row, _SYSTEM)  # type: ignore[return-value]


def titles(keys: Iterable[tuple[str, str]]) -> Mapping[tuple[str, str], str]:
    """The system of each (collection, system), with its collection where systems share a name."""
    known = list(keys)
    homes = Counter(system for _, system in known)
    return {
        (collection, system): f"{system} [{collection}]"
        if homes[system] > 1 and collection
        else system
        for collection, system in known
    }


def submission_key(row: Mapping[str, Any]) -> SubmissionKey:
    """(collection, round, organization): what has one page of verdicts."""
    return _key(row, _SUBMISSION)  # type: ignore[return-value]


def _key(row: Mapping[str, Any], parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(str(row.get(part) or "") for part in parts)


def _named(keys: Iterable[tuple[str, ...]]) -> Mapping[Any, str]:
    """Page names that begin with what tells the keys apart best: the collection comes last."""
    names = [
        (key, "-".join(part for part in key[1:] + key[:1] if part)) for key in sorted(set(keys))
    ]
    return unique_slugs(names, _TAKEN)


def _sections(
    result_sets: Iterable[Mapping[str, Any]], submissions: Mapping[Any, str]
) -> Mapping[str, tuple[str, str]]:
    """Page and place on it of the verdicts on each result set."""
    pages: dict[str, list[tuple[str, str]]] = {}
    for row in sorted(result_sets, key=lambda row: str(row["result_set"])):
        words = ("system", "benchmark", "division")
        said = " ".join(str(row.get(word) or "") for word in words)
        pages.setdefault(submissions[submission_key(row)], []).append((row["result_set"], said))
    return {
        str(result_set): (page, f"set-{place}")
        for page, named in pages.items()
        for result_set, place in unique_slugs(named).items()
    }


@dataclass(frozen=True)
class Links:
    """Page names by what has a page, written relative to a page `depth` folders deep."""

    benchmarks: Mapping[Any, str] = field(default_factory=dict)
    systems: Mapping[Any, str] = field(default_factory=dict)
    storage_systems: Mapping[Any, str] = field(default_factory=dict)
    storage_series: Mapping[Any, str] = field(default_factory=dict)
    network_systems: Mapping[Any, str] = field(default_factory=dict)
    submissions: Mapping[Any, str] = field(default_factory=dict)
    sections: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    ladders: Mapping[Any, str] = field(default_factory=dict)
    rules: frozenset[str] = frozenset()
    depth: int = 0

    @classmethod
    def of(
        cls,
        benchmarks: Iterable[str],
        systems: Iterable[SystemKey],
        storage_systems: Iterable[tuple[str, str]] = (),
        storage_series: Iterable[SeriesKey] = (),
        network_systems: Iterable[tuple[str, str]] = (),
    ) -> Links:
        """Links for these; the same data gives the same names."""
        return cls(
            benchmarks=unique_slugs(((name, name) for name in sorted(set(benchmarks))), _TAKEN),
            systems=_named(systems),
            storage_systems=_named(storage_systems),
            storage_series=_named(storage_series),
            network_systems=_named(network_systems),
        )

    def with_verdicts(
        self,
        result_sets: Iterable[Mapping[str, Any]],
        ladders: Iterable[str] = (),
        rules: Iterable[str] = (),
    ) -> Links:
        """These links and those of what is judged, the comparisons of node counts, the rules."""
        judged = list(result_sets)
        submissions = _named(submission_key(row) for row in judged)
        return replace(
            self,
            submissions=submissions,
            sections=_sections(judged, submissions),
            ladders=unique_slugs(((name, name) for name in sorted(set(ladders))), _TAKEN),
            rules=frozenset(rules),
        )

    def at(self, page: str) -> Links:
        """The same links seen from a page such as 'reports/x.md'."""
        return replace(self, depth=page.count("/"))

    @property
    def root(self) -> str:
        """Relative path to the top of the site: '' or '../' times the depth."""
        return "../" * self.depth

    def address(self, column: str, row: Mapping[str, Any]) -> str | None:
        """Address of the page that a cell of this column leads to, None if there is none."""
        leads = {
            "benchmark": self.benchmark,
            "system": self.system,
            "storage_system": self.storage_system,
            "series": self.series,
            "network_system": self.network_system,
            "organization": self.submission,
            "rule": self.rule,
            "subject": self.section,
            "compliance": self.section,
            "hyperparameters": self.hyperparameters,
        }
        return leads[column](row) if column in leads else None

    def benchmark(self, row: Mapping[str, Any]) -> str | None:
        """Address of the row's benchmark page, None if it has none."""
        return self._page("benchmarks", self.benchmarks.get(row.get("benchmark") or ""))

    def system(self, row: Mapping[str, Any]) -> str | None:
        """Address of the row's system page, None if it has none."""
        return self._page("systems", self.systems.get(system_key(row)))

    def storage_system(self, row: Mapping[str, Any]) -> str | None:
        """Address of the page of the row's collection and storage system, None if it has none."""
        return self._page("storage", self.storage_systems.get(_key(row, _STORAGE_SYSTEM)))

    def series(self, row: Mapping[str, Any]) -> str | None:
        """Address of the page of the row's series on its storage system, None if it has none."""
        return self._page("storage_series", self.storage_series.get(_key(row, _SERIES)))

    def network_system(self, row: Mapping[str, Any]) -> str | None:
        """Address of the page of the row's collection and network system, None if it has none."""
        return self._page("network", self.network_systems.get(_key(row, _NETWORK_SYSTEM)))

    def submission(self, row: Mapping[str, Any]) -> str | None:
        """Address of the verdicts on the row's submission, None if there are none."""
        return self._page("submissions", self.submissions.get(submission_key(row)))

    def section(self, row: Mapping[str, Any]) -> str | None:
        """Address of the verdicts on the row's result set, or subject; None if it is neither."""
        page, place = self.sections.get(row.get("result_set") or row.get("subject") or "", ("", ""))
        address = self._page("submissions", page)
        return f"{address}#{place}" if address else None

    def rule(self, row: Mapping[str, Any]) -> str | None:
        """Address of the page of the row's rule, None if it has none."""
        name = str(row.get("rule") or "")
        return self._page("rules", name if name in self.rules else None)

    def hyperparameters(self, row: Mapping[str, Any]) -> str | None:
        """Address of the comparison of the row's ladder of node counts, None if there is none."""
        return self._page("hyperparameters", self.ladders.get(row.get("ladder") or ""))

    def _page(self, folder: str, name: str | None) -> str | None:
        return f"{self.root}{folder}/{name}.html" if name else None
