"""The official compliance rules over the loaded logs: one verdict for each file.

A file is judged once; again when its rules are others, and always by a folder that a person
names, because its files may have changed under the same version.
"""

from __future__ import annotations

from dataclasses import astuple

import duckdb

from warehouse.official import evaluate
from warehouse.official.evaluate import Judgement
from warehouse.official.logged import logs
from warehouse.official.messages import ERROR, Message
from warehouse.official.plans import RuleBook
from warehouse.official.records import Log, Records
from warehouse.official.rule_data import PACKAGE, Rules, RuleSet
from warehouse.storing import Row, insert

JUDGED = ("run_id", "rule_set", "rules", "rules_version", "verdict", "configs")
MESSAGE = (
    "run_id", "ordinal", "severity", "kind", "key", "line", "occurrences", "reason", "value",
    "limit_value", "config",
)  # fmt: skip
AT_ONCE = 1000
STALE = """
select j.run_id
from compliance_judged j
left join run_rule_set u using (run_id)
where u.rule_set is distinct from j.rule_set or j.rules <> $rules
    or j.rules_version <> $version or not $is_package
"""
PENDING = """
select r.source_id, r.run_id
from run r
join run_rule_set u using (run_id)
join collection c on c.collection = r.collection
where r.kind = 'mlperf_training' and r.is_last_attempt and u.rule_set = $rule_set
    and c.kind <> 'reconstructed'
    and r.run_id not in (select run_id from compliance_judged)
order by r.source_id
"""


def judge(connection: duckdb.DuckDBPyConnection, rules: Rules) -> None:
    """Fills compliance_judged and compliance_message for every log that has a rule set."""
    said = {"rules": rules.origin, "version": rules.version, "is_package": rules.origin == PACKAGE}
    stale = [row[0] for row in connection.execute(STALE, said).fetchall()]
    for table in ("compliance_judged", "compliance_message"):
        connection.execute(
            f"delete from {table} where run_id in (select unnest($1::bigint[]))", [stale]
        )
    for rule_set in rules.rule_sets():
        pending = connection.execute(PENDING, {"rule_set": rule_set.name}).fetchall()
        if pending:
            _judge(connection, rules, rule_set, dict(pending))


def _judge(
    connection: duckdb.DuckDBPyConnection,
    rules: Rules,
    rule_set: RuleSet,
    run_of_source: dict[int, int],
) -> None:
    """Judges the last attempts of some files by one rule set; the verdict is of the whole file."""
    book = RuleBook(rules, rule_set, Records())
    keys, sources = book.keys(), list(run_of_source)
    judged: list[Row] = []
    messages: list[Row] = []
    for start in range(0, len(sources), AT_ONCE):
        part = sources[start : start + AT_ONCE]
        for logged in logs(connection, part, rule_set.version, keys, book.records):
            run_id = run_of_source[logged.source_id]
            judgement = _judgement(book, logged.log)
            configs = ", ".join(judgement.configs)
            by = (rule_set.name, rules.origin, rules.version)
            judged.append((run_id, *by, judgement.verdict, configs))
            for ordinal, message in enumerate(judgement.messages, start=1):
                messages.append((run_id, ordinal, *astuple(message)))
    insert(connection, "compliance_judged", JUDGED, judged)
    insert(connection, "compliance_message", MESSAGE, messages)


def _judgement(book: RuleBook, log: Log) -> Judgement:
    """The verdict on a log; one that is nested too deeply to be compared is invalid input."""
    try:
        return evaluate.judge(book, log)
    except RecursionError:
        reason = "a record is nested too deeply to be judged"
        said = ("input", None, None, 1, reason, None, None, book.first)
        return Judgement("invalid input", [Message(ERROR, *said)], [])
