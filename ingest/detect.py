"""The head of a file to exactly one format. Formats are found by listing their folder."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Protocol

from ingest import formats as folder
from ingest.records import Record
from ingest.units import MIB

HEAD_BYTES = MIB


class Format(Protocol):
    """What a module in `ingest/formats` offers.

    One whose lines bear a mark that no other program prints may name it: a pattern `SIGNATURE`.
    """

    NAME: str
    DESCRIPTION: str
    VERSION: int
    RUN_KIND: str | None  # kind of the runs that its files hold; None for a description

    def claims(self, head: bytes, name: str) -> bool:
        """Whether a file that begins with `head` is of this format; cheap and pure."""

    def parse(self, data: bytes, name: str) -> Iterator[Record]:
        """The records of a whole file; never raises."""


class AmbiguousFormatError(Exception):
    """Two formats claim one file: a fault of Levelbook, not of the file."""


@cache
def formats() -> dict[str, Format]:
    """Every format by name, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(folder.__path__))
    modules = [importlib.import_module(f"{folder.__name__}.{name}") for name in names]
    return {module.NAME: module for module in modules}


def detect(head: bytes, name: str) -> str | None:
    """The name of the one format that claims the file, None when none does.

    A signature decides over other content, and what a file holds over what it is called. Raises
    AmbiguousFormatError when more than one format claims it.
    """
    head = head[:HEAD_BYTES]
    claimed = _claiming(_signed(head), head, name) or _claiming(formats(), head, name)
    if len(claimed) > 1:
        claimed = _claiming(claimed, head, "") or claimed
    if len(claimed) > 1:
        raise AmbiguousFormatError(f"{name} is claimed by {', '.join(claimed)}")
    return claimed[0] if claimed else None


def _signed(head: bytes) -> list[str]:
    """The formats whose signature is in the head: the others, which would look long, need not."""
    signatures: dict[str, re.Pattern[bytes] | None] = {
        key: getattr(module, "SIGNATURE", None) for key, module in formats().items()
    }
    return [key for key, pattern in signatures.items() if pattern and pattern.search(head)]


def _claiming(names: Iterable[str], head: bytes, name: str) -> list[str]:
    return [key for key in names if formats()[key].claims(head, name)]
