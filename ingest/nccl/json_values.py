"""Numbers of a JSON document as the records take them: within range, finite, or unknown."""

from __future__ import annotations

import re

from ingest.json_text import Node
from ingest.lines import readable
from ingest.values import finite_number

LARGEST = (1 << 63) - 1
PRINTED = re.compile(rb'"[^"]*"\s*:\s*"?\s*([^\s,"}\]]{1,40})')


def whole(node: Node, name: str, least: int = -LARGEST) -> int | None:
    """A whole number of at least `least`, also from text such as `    -1`; None for no such."""
    member = node.member(name)
    return whole_of(member.value if member else None, least)


def whole_of(value: object, least: int = -LARGEST) -> int | None:
    """The same of a value."""
    if isinstance(value, str):
        value = int(value) if re.fullmatch(r"\s*-?\d{1,19}\s*", value) else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if least <= value <= LARGEST else None


def number(node: Node, name: str) -> float | None:
    """A finite number; None for null, N/A, nan, inf, and where there is none."""
    member = node.member(name)
    return finite_number(member.value) if member else None


def printed(data: bytes, node: Node, name: str) -> str | None:
    """The number as the file prints it, with its digits."""
    member = node.member(name)
    found = PRINTED.match(data, member.offset) if member else None
    return readable(found[1]) if found else None
