"""One log judged by the rule files of a rule set, as the official compliance checker does it.

Source: mlcommons/logging `compliance_checker/mlp_compliance.py`. Beyond it, every failing line
is counted, lines are those of the file, and what makes it break down becomes a message.
"""

from __future__ import annotations

from dataclasses import dataclass

from warehouse.official.application import Application
from warehouse.official.messages import ERROR, Message, Messages
from warehouse.official.plans import RuleBook
from warehouse.official.records import Log
from warehouse.official.rule_file import RuleFileError

MOST_FILES = 100


@dataclass(slots=True)
class Judgement:
    """pass, fail or invalid input; its messages, and the rule files that were applied."""

    verdict: str
    messages: list[Message]
    configs: list[str]


def judge(book: RuleBook, log: Log) -> Judgement:
    """The verdict on one log: its rule files are those that the log itself asks for, in order."""
    messages, applied, queue = Messages(), list[str](), [book.first]
    _faults(messages, log, book.first)
    while queue:
        name = queue.pop(0)
        if queue[:1] == [name]:
            continue  # asked for again by the next record: once is the same
        if len(applied) >= MOST_FILES:
            reason = f"the log asks for more than {MOST_FILES} rule files, one after the other"
            messages.break_down("file", None, reason, name)
            break
        try:
            file = book.file(name)
        except RuleFileError as error:
            messages.break_down("file", None, str(error), name)
            continue
        applied.append(name)
        log = Application(book, file, log, messages, queue).run()
    return Judgement(messages.verdict(), messages.all(), applied)


def _faults(messages: Messages, log: Log, config: str) -> None:
    """Lines that cannot be read, and a log without any."""
    for fault in log.faults:
        kept = messages.unkeyed if fault.kind == "parse" else messages.breakdowns
        what = (fault.reason, fault.excerpt, "a whole record")
        kept.append(Message(ERROR, fault.kind, None, fault.line, 1, *what, config))
    if log.is_empty:
        reason = "no log lines: the file holds no record in the format of this round"
        what = (reason, "0 records", "at least 1")
        messages.put(Message(ERROR, "input", None, None, 1, *what, config))
