"""Figures and listings, found by listing their folders: a new file is a new figure."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import altair as alt
    import polars as pl


@dataclass(frozen=True)
class Figure:
    """One figure: the SQL it reads, its words, and two pure functions over the frame.

    `place` names the kind of page that shows it unasked ('benchmark', 'system'), '' for none.
    """

    name: str
    view: str
    title: str
    caption: str
    chart: Callable[[pl.DataFrame], alt.LayerChart]
    alt_text: Callable[[pl.DataFrame], str]
    place: str = ""
    order: int = 0


@dataclass(frozen=True)
class Listing:
    """One table: the SQL it reads and its words; `empty` is said where there is no row."""

    name: str
    view: str
    title: str
    empty: str = "No data yet."
    headings: Mapping[str, str] = field(default_factory=dict)
    is_filterable: bool = False
    hidden: tuple[str, ...] = ()
    place: str = ""
    order: int = 0


T = TypeVar("T", Figure, Listing)


def _modules(package: str) -> list[tuple[str, ModuleType]]:
    folder = importlib.import_module(package)
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    return [(name, importlib.import_module(f"{package}.{name}")) for name in names]


def _optional(module: ModuleType, **names: str) -> dict[str, Any]:
    return {key: getattr(module, name) for key, name in names.items() if hasattr(module, name)}


def figures() -> dict[str, Figure]:
    """Every figure by its name, the name of its file."""
    return {
        name: Figure(
            name,
            module.VIEW,
            module.TITLE,
            module.CAPTION,
            module.chart,
            module.alt_text,
            **_optional(module, place="PLACE", order="ORDER"),
        )
        for name, module in _modules("reports.figures")
    }


def listings() -> dict[str, Listing]:
    """Every listing by its name, the name of its file."""
    optional = {
        "empty": "EMPTY",
        "headings": "HEADINGS",
        "is_filterable": "FILTERABLE",
        "hidden": "HIDE",
    }
    return {
        name: Listing(
            name,
            module.VIEW,
            module.TITLE,
            **_optional(module, **optional, place="PLACE", order="ORDER"),
        )
        for name, module in _modules("reports.listings")
    }


def placed(items: Mapping[str, T], place: str) -> list[T]:
    """The items that a kind of page shows, in their order."""
    return sorted(
        (item for item in items.values() if item.place == place),
        key=lambda item: (item.order, item.name),
    )
