"""Names of pages and files made from names in logs, which may hold anything."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable

_LONGEST = 80


def slug(name: str) -> str:
    """Lower-case ASCII letters, digits and single dashes; 'unnamed' if nothing is left."""
    ascii_text = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    dashed = re.sub(r"[^a-z0-9]+", "-", ascii_text.lower()).strip("-")
    return dashed[:_LONGEST].rstrip("-") or "unnamed"


def unique_slugs(
    keys: Iterable[tuple[Hashable, str]], taken: Iterable[str] = ()
) -> dict[Hashable, str]:
    """A slug for each (key, name), all different; later ones of the same name get a number."""
    used, slugs = set(taken), dict[Hashable, str]()
    for key, name in keys:
        stem = candidate = slug(name)
        number = 2
        while candidate in used:
            candidate, number = f"{stem}-{number}", number + 1
        used.add(candidate)
        slugs[key] = candidate
    return slugs
