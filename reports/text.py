"""Text of logs made safe for HTML and Markdown pages."""

from __future__ import annotations

import html
import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u202a-\u202e\u2066-\u2069]+")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!])")


def one_line(text: str) -> str:
    """The text without control and direction characters, each run of them as one space."""
    return _CONTROL.sub(" ", text).strip()


def escaped(text: str) -> str:
    """Text for an HTML element or attribute."""
    return html.escape(one_line(text), quote=True)


def escaped_markdown(text: str) -> str:
    """Text for a Markdown heading or paragraph, shown as it is."""
    return html.escape(_MARKDOWN.sub(r"\\\1", one_line(text)), quote=False)
