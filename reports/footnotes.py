"""The footnote that MLCommons' messaging rules ask for, made from the rows a page shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from reports.text import escaped

TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons "
    "Association in the United States and other countries. All rights reserved. Unauthorized "
    "use strictly prohibited. See www.mlcommons.org for more information."
)
_NAME = re.compile("MLPerf(?!®)")
NOT_VERIFIED = "Result not verified by MLCommons Association."
MIXED = (
    "An unverified result was not part of an MLPerf® review; how it was measured or implemented"
    " may differ from what the rules ask of verified results."
)
DERIVED = (
    "Speed-up, scaling efficiency and its factors, throughput and plain means are calculated by"
    " this site from the logs, as the methods page says; they are not official metrics of "
    "MLPerf® benchmarks."
)
RECONSTRUCTED = (
    "Reconstructed: the log was written again from the facts of the published one (times, "
    "hyperparameters, accuracy); it is not the original file."
)


@dataclass(frozen=True)
class Shown:
    """One kind of result on a page: where it comes from and what it may be called.

    `benchmark` is the name for people.
    """

    collection: str
    round: str
    division: str
    organization: str
    benchmark: str
    verification: str
    kind: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Shown:
        """What a row with these columns shows."""
        return cls(*(str(row.get(name) or "") for name in cls.__dataclass_fields__))


def _suites(shown: Iterable[Shown]) -> list[str]:
    """'MLPerf® Training v1.1, Closed division: BERT, ResNet-50' for each round and division."""
    groups: dict[tuple[str, str], set[str]] = {}
    for item in shown:
        groups.setdefault((item.round, item.division), set()).add(item.benchmark)
    return [
        f"MLPerf® Training {release or 'round not known'}, "
        f"{division.capitalize() or 'unknown'} division: {', '.join(sorted(names))}"
        for (release, division), names in sorted(groups.items())
    ]


def _sources(shown: Iterable[Shown], collections: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Date and source of retrieval of each collection."""
    return [
        _source(collections.get(name, {}), name)
        for name in sorted({item.collection for item in shown})
    ]


def _source(collection: Mapping[str, Any], name: str) -> str:
    if not name:
        return "logs loaded from local files, date and source of retrieval not recorded"
    ids = f", result IDs {collection['result_ids']}" if collection.get("result_ids") else ""
    title = _NAME.sub("MLPerf®", str(collection.get("title") or name))
    return (
        f"{title}: "
        f"retrieved {collection.get('retrieved') or 'on an unknown date'} "
        f"from {collection.get('url') or 'an unknown source'}{ids}"
    )


def footnote(shown: Iterable[Shown], collections: Mapping[str, Mapping[str, Any]]) -> str:
    """One line of HTML for the results shown on a page; '' where nothing is shown.

    `collections` gives title, url, retrieved and perhaps result_ids by collection.
    """
    items = sorted(set(shown), key=str)
    if not items:
        return ""
    verified = {item.verification for item in items}
    lines = [*_suites(items), "Sources: " + "; ".join(_sources(items, collections)) + "."]
    if "unverified" in verified:
        lines.append(NOT_VERIFIED + (f" {MIXED}" if len(verified) > 1 else ""))
    if any(item.kind == "reconstructed" for item in items):
        lines.append(RECONSTRUCTED)
    lines += [DERIVED, TRADEMARK]
    return (
        f'<aside class="lb-footnote">{"".join(f"<p>{escaped(line)}</p>" for line in lines)}</aside>'
    )
