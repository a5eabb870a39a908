"""What a log does not meet, gathered as the official compliance checker gathers it."""

from __future__ import annotations

from dataclasses import dataclass, field

ERROR, WARNING = "error", "warning"


@dataclass(slots=True)
class Message:
    """One thing that a log does not meet; `line` is the first, `occurrences` counts them."""

    severity: str
    kind: str
    key: str | None
    line: int | None
    occurrences: int
    reason: str
    value: str | None
    limit_value: str | None
    config: str


@dataclass(slots=True)
class Judgement:
    """pass, fail or invalid input; its messages, and the rule files that were applied."""

    verdict: str
    messages: list[Message]
    configs: list[str]


@dataclass(slots=True)
class Messages:
    """Those with a key can be taken back by a later rule file; those without stay.

    `breakdowns` are what the official checker cannot cope with.
    """

    keyed: dict[str, list[Message]] = field(default_factory=dict)
    unkeyed: list[Message] = field(default_factory=list)
    warnings: dict[str, Message] = field(default_factory=dict)
    breakdowns: list[Message] = field(default_factory=list)

    def put(self, message: Message) -> None:
        """Adds one; a warning takes the place of the key's earlier one."""
        if message.severity == WARNING and message.key is not None:
            self.warnings[message.key] = message
        elif message.key is None:
            self.unkeyed.append(message)
        else:
            self.keyed.setdefault(message.key, []).append(message)

    def break_down(
        self, kind: str, key: str | None, reason: str, config: str, line: int | None = None
    ) -> None:
        """Something at which the official checker breaks down; told once."""
        if all(each.reason != reason for each in self.breakdowns):
            said = Message(ERROR, kind, key, line, 1, reason, None, None, config)
            self.breakdowns.append(said)

    def verdict(self) -> str:
        """pass, fail or invalid input."""
        if self.breakdowns:
            return "invalid input"
        return "fail" if self.keyed or self.unkeyed else "pass"

    def all(self) -> list[Message]:
        """In the order in which they are told: the worst first."""
        keyed = [message for found in self.keyed.values() for message in found]
        return [*self.breakdowns, *keyed, *self.unkeyed, *self.warnings.values()]
