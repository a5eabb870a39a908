"""JSON with the place of each member, and as much as can be read where it breaks off.

The decoder of the standard library says neither where a member stands nor what came before a
break, keeps one of two equal keys, and stops at a number of 5,000 digits. This one does not.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from ingest.values import printable

Scalar = str | int | float | bool | None

TOKEN = re.compile(rb'\s*(?:([{}\[\]:,])|"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s{}\[\]:,"]+))', re.DOTALL)
NUMBER_MEMBER = re.compile(rb'\s*"([^"\\]*)"\s*:\s*(-?\d[\d.eE+-]*)\s*(?:,|(?=\}))')
AFTER = re.compile(rb"\s*(?:,|(?=[}\]]))")
NUMBER = re.compile(rb"-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?")
NOT_FINITE = re.compile(rb"[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE)
WORDS: dict[bytes, Scalar] = {b"true": True, b"false": False, b"null": None}
LONGEST_EXACT_DIGITS = 18


class Member(NamedTuple):
    """A named value; `offset` is the byte at which its name (in a list: the value) begins."""

    name: str
    offset: int
    value: Value


@dataclass(slots=True)
class Node:
    """An object or a list. `is_closed` is False where the text breaks off inside it."""

    offset: int
    is_list: bool
    members: list[Member] = field(default_factory=list)
    repeated: list[Member] = field(default_factory=list)
    is_closed: bool = False
    _by_name: dict[str, Member] = field(default_factory=dict)

    def add(self, name: str, offset: int, value: Value) -> None:
        """Appends a member; a name that was there already also goes to `repeated`."""
        member = Member(name, offset, value)
        self.members.append(member)
        if not self.is_list:
            if name in self._by_name:
                self.repeated.append(member)
            self._by_name[name] = member

    def member(self, name: str) -> Member | None:
        """The last member of that name."""
        return self._by_name.get(name)

    def text(self, name: str) -> str | None:
        """The value of a member that is a string."""
        found = self._by_name.get(name)
        return found.value if found and isinstance(found.value, str) else None

    def node(self, name: str, is_list: bool = False) -> Node | None:
        """The value of a member that is an object, or a list."""
        found = self._by_name.get(name)
        if found and isinstance(found.value, Node) and found.value.is_list == is_list:
            return found.value
        return None


Value = Scalar | Node


@dataclass(slots=True)
class Parsed:
    """What begins at byte `start`; `broken_at` is the byte at which it cannot be read on."""

    root: Node
    start: int
    end: int
    broken_at: int | None = None


class _BrokenError(Exception):
    """The text cannot be read on."""


def parsed(data: bytes, start: int) -> Parsed:
    """The object or list that begins at byte `start`, as far as it can be read."""
    reader = _Reader(data, start)
    root = reader.stack[0]
    try:
        while reader.stack:
            reader.step()
    except _BrokenError:
        return Parsed(root, start, reader.position, broken_at=reader.position)
    return Parsed(root, start, reader.position)


class _Reader:
    """Reads with a stack of its own: no depth of nesting can exhaust Python's."""

    def __init__(self, data: bytes, start: int) -> None:
        self.data = data
        self.position = start + 1
        self.stack = [Node(start, is_list=data[start : start + 1] == b"[")]

    def step(self) -> None:
        """One member of the innermost object or list, or its end."""
        node = self.stack[-1]
        if node.is_list:
            self._item(node)
            return
        found = NUMBER_MEMBER.match(self.data, self.position)
        if found and NUMBER.fullmatch(found[2]):
            node.add(_string(found[1]), found.start(1) - 1, _number(found[2]))
            self.position = found.end()
        else:
            self._member(node)

    def _member(self, node: Node) -> None:
        token = self._token()
        if token[1] == b"}":
            self._close(node, token)
        elif token[2] is None:
            raise _BrokenError
        else:
            colon = TOKEN.match(self.data, token.end())
            value = TOKEN.match(self.data, colon.end()) if colon and colon[1] == b":" else None
            if value is None:
                raise _BrokenError
            self._value(node, _string(token[2]), token.start(2) - 1, value)

    def _item(self, node: Node) -> None:
        token = self._token()
        if token[1] == b"]":
            self._close(node, token)
        else:
            self._value(node, "", token.end() - 1, token)

    def _value(self, node: Node, name: str, offset: int, token: re.Match[bytes]) -> None:
        if token[1] in (b"{", b"["):
            child = Node(token.start(1), is_list=token[1] == b"[")
            node.add(name, offset, child)
            self.stack.append(child)
            self.position = token.end()
        elif token[1] is not None:
            raise _BrokenError
        else:
            after = AFTER.match(self.data, token.end())
            if after is None:
                raise _BrokenError
            node.add(name, offset, _scalar(token))
            self.position = after.end()

    def _close(self, node: Node, token: re.Match[bytes]) -> None:
        node.is_closed = True
        self.stack.pop()
        self.position = token.end()
        if self.stack:
            after = AFTER.match(self.data, token.end())
            if after is None:
                raise _BrokenError
            self.position = after.end()

    def _token(self) -> re.Match[bytes]:
        found = TOKEN.match(self.data, self.position)
        if found is None:
            raise _BrokenError
        return found


def _scalar(token: re.Match[bytes]) -> Scalar:
    if token[2] is not None:
        return _string(token[2])
    word = token[3]
    if word in WORDS:
        return WORDS[word]
    if NUMBER.fullmatch(word):
        return _number(word)
    if NOT_FINITE.fullmatch(word):
        return float("nan")
    raise _BrokenError


def _number(text: bytes) -> int | float:
    if len(text) <= LONGEST_EXACT_DIGITS and text.lstrip(b"-").isdigit():
        return int(text)
    return float(text)


def _string(raw: bytes) -> str:
    """Escapes as JSON has them; where a backslash was left unescaped the text stays as it is."""
    if b"\\" not in raw:
        return raw.decode("utf-8", "replace")
    text = raw.decode("utf-8", "replace")
    try:
        return printable(str(json.loads(f'"{text}"', strict=False)))
    except ValueError:
        return text
