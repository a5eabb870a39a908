"""How often a key has to stand in a log: the REQ of the official rules.

Source: mlcommons/logging `mlp_compliance.py`, the occurrences in `configured_checks`.
"""

from __future__ import annotations

from collections.abc import Iterator

from warehouse.official.messages import ERROR, WARNING, Message
from warehouse.official.reasons import listed, shown
from warehouse.official.records import Log, Records
from warehouse.official.rule_file import RuleFile


def requirements(file: RuleFile, log: Log, records: Records) -> Iterator[Message]:
    """What is missing, or there too often; repeated with the same value is only a warning."""
    counts, asked = log.counts(records), file.requirements
    for key in asked.exactly_one:
        if (found := counts.get(key, 0)) != 1:
            yield _repeated(file, key, log, records) if found else _missing(file, key)
    for key, least in asked.at_least.items():
        if (found := counts.get(key, 0)) < least:
            reason = f"{key} is required at least {least} times but found {found}"
            yield (
                _message(file, key, None, reason, str(found), f"AT_LEAST({least})")
                if (least > 1)
                else _missing(file, key)
            )
    for names in asked.either:
        if not any(name in counts for name in names):
            reason = f"{' or '.join(names)} is missing"
            yield _message(file, None, None, reason, "0", "at least one of them")


def _missing(file: RuleFile, key: str) -> Message:
    asked = file.keys[key].requirement or ""
    return _message(file, key, None, f"{key} is missing", "0", asked)


def _repeated(file: RuleFile, key: str, log: Log, records: Records) -> Message:
    found = list(log.of_key(records, key))
    first = found[0][1]["value"]
    others = [line for line, record in found if record["value"] != first]
    reason = f"{key} is required once but found {len(found)} times"
    if not others:
        said = ("required", key, found[1][0], 1, f"{reason} with the same value", shown(first))
        return Message(WARNING, *said, "EXACTLY_ONE", file.name)
    values = list(dict.fromkeys(shown(record["value"]) for _, record in found))
    reason += " with different values"
    return _message(file, key, others[0], reason, listed(values), "EXACTLY_ONE")


def _message(file: RuleFile, key: str | None, line: int | None, *said: str) -> Message:
    """An error; `said` is the sentence, what was found and what is asked for."""
    reason, value, limit = said
    return Message(ERROR, "required", key, line, 1, reason, value, limit, file.name)
