"""One format a module; `written(found)` gives the text. Found by listing this folder."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.checking.findings import Found


def names() -> list[str]:
    """The formats that findings can be written in."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def written(found: Found, kind: str) -> str:
    """What was found, as text of one format."""
    text: str = importlib.import_module(f"{__name__}.{kind}").written(found)
    return text
