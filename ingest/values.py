"""JSON values to what a database can hold: text without NaN and lone surrogates, finite numbers."""

from __future__ import annotations

import math
import re
from json.encoder import encode_basestring
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS = {None: "null", True: "true", False: "false"}


def json_text(value: Any) -> tuple[str | None, bool]:
    """JSON text of a value, None for null; and whether NaN or an infinity became text in it.

    Takes what a JSON decoder gives. json.dumps gives the same text, several times slower.
    """
    if value is None:
        return None, False
    odd: list[float] = []
    text = _encoded(value, odd)
    return printable(text), bool(odd)


def _encoded(value: Any, odd: list[float]) -> str:
    kind = type(value)
    if kind is str:
        text: str = encode_basestring(value)
    elif kind is int:
        text = repr(value)
    elif kind is float:
        text = repr(value)
        if not math.isfinite(value):
            odd.append(value)
            text = f'"{text}"'
    elif kind is dict:
        members = [f"{encode_basestring(k)}:{_encoded(v, odd)}" for k, v in value.items()]
        text = "{" + ",".join(members) + "}"
    elif kind is list:
        text = "[" + ",".join([_encoded(member, odd) for member in value]) + "]"
    else:
        text = _WORDS[value]
    return text


def printable(text: str) -> str:
    """Lone surrogates, which JSON may escape and UTF-8 cannot hold, become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def finite_number(value: object) -> float | None:
    """A finite number, also from its text or a list of one; None for anything else."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, list) and len(value) == 1:
        return None if isinstance(value[0], list) else finite_number(value[0])
    if not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
