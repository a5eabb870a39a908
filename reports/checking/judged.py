"""Which official rule set judged how many result sets, and which ones none did, and why."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from reports.checking.selection import Selection, Subjects
from reports.text import one_line

VERDICTS = """
select distinct subject, rule, verdict = 'not judged' as is_open, coalesce(reason, ''), rule_set,
    rule_set_version, path
from official_verdict
order by all
"""
WITHOUT = """
select distinct h.result_set, 'any official rule', true,
    coalesce(a.reason, 'no official rule judges it'), null, null, null
from run_header h
left join run_rule_set a using (run_id)
where not exists (select 1 from official_verdict o where o.subject = h.result_set)
order by all
"""


def judged_lines(connection: duckdb.DuckDBPyConnection, selection: Selection) -> Iterator[str]:
    """One line for each rule set that judged, then one for each reason why it was not done."""
    subjects = Subjects(connection, selection)
    rows = connection.execute(VERDICTS).fetchall() + connection.execute(WITHOUT).fetchall()
    judged: dict[tuple[str, str], set[str]] = {}
    unjudged: dict[str, tuple[set[str], set[str]]] = {}
    for subject, rule, is_open, reason, rule_set, version, path in rows:
        if not (subjects.takes(subject, path) and selection.takes_rule(rule)):
            continue
        if is_open:
            rules, names = unjudged.setdefault(reason, (set(), set()))
            rules.add(rule)
            names.add(subject)
        else:
            judged.setdefault((rule_set or "?", version or "?"), set()).add(subject)
    for (rule_set, version), names in sorted(judged.items()):
        yield f"judged by {rule_set} ({version}): {len(names)} result sets"
    for reason, (rules, names) in sorted(unjudged.items()):
        what = ", ".join(sorted(rules))
        place = f"{len(names)} result sets (such as {min(names)})"
        yield one_line(f"not judged by {what}: {place}: {reason}")
