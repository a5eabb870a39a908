"""The findings of a database, those asked for, and what changed since another one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import duckdb

from reports.checking.selection import Selection, Subjects

COLUMNS = (
    "rule", "severity", "subject", "message", "path", "line", "value", "limit", "remedy",
    "is_waived", "waiver_reason", "title", "rule_set", "rule_set_version",
)  # fmt: skip
CHANGES = ("new", "gone", "unchanged")
QUERY = """
with official as (
    select rule, subject, any_value(rule_set) as rule_set, any_value(rule_set_version) as version
    from official_verdict
    where verdict <> 'pass'
    group by rule, subject
)
select f.rule, f.severity, f.subject, f.message, f.path, f.line, f.value, f.limit_value as "limit",
    f.remedy, f.is_waived, f.waiver_reason, f.title, coalesce(o.rule_set, 'levelbook'),
    case when o.rule is null then v.version else o.version end
from finding f
cross join levelbook_version v
left join official o on o.rule = f.rule and o.subject = f.subject
where list_contains(?, f.severity)
order by case f.severity when 'error' then 1 when 'warning' then 2 else 3 end, f.rule, f.subject,
    f.message, f.path, f.line, f.value
"""

Finding = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """What a check found in a database, and how it was asked."""

    connection: duckdb.DuckDBPyConnection
    findings: list[Finding]
    selection: Selection = field(default_factory=Selection)
    is_strict: bool = False
    is_compared: bool = False

    def counts(self, finding: Finding) -> bool:
        """Whether a finding makes the check fail: neither waived, nor mild, nor there before."""
        is_grave = finding["severity"] in (("error", "warning") if self.is_strict else ("error",))
        is_new = finding.get("change", "new") == "new"
        return is_grave and is_new and not finding["is_waived"]

    @property
    def is_failed(self) -> bool:
        """Whether any finding counts."""
        return any(map(self.counts, self.findings))


def findings(
    connection: duckdb.DuckDBPyConnection, selection: Selection | None = None
) -> list[Finding]:
    """The findings that are asked for, worst first, as one dictionary each (keys: COLUMNS)."""
    selection = selection or Selection()
    subjects = Subjects(connection, selection)
    rows = connection.execute(QUERY, [list(selection.severities)]).fetchall()
    found = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    return [
        row
        for row in found
        if selection.takes_rule(row["rule"]) and subjects.takes(row["subject"], row["path"])
    ]


def compared(now: list[Finding], before: list[Finding]) -> list[Finding]:
    """Both lists as one, each finding with its `change`: new, gone or unchanged.

    Two findings are the same when rule, subject and message are. One that was waived, or milder,
    and is not so any more, is new: nobody has accepted it.
    """
    earlier = {key: _weight(rows) for key, rows in _by_key(before).items()}
    keys = _by_key(now)
    marked = [
        {**row, "change": "new" if _weight([row]) > earlier.get(_key(row), 0) else "unchanged"}
        for row in now
    ]
    return marked + [{**row, "change": "gone"} for row in before if _key(row) not in keys]


def _key(row: Finding) -> tuple[str, str, str]:
    return row["rule"], row["subject"], row["message"]


def _by_key(rows: Iterable[Finding]) -> dict[tuple[str, str, str], list[Finding]]:
    found: dict[tuple[str, str, str], list[Finding]] = {}
    for row in rows:
        found.setdefault(_key(row), []).append(row)
    return found


def _weight(rows: list[Finding]) -> int:
    """How grave: 1 waived, 2 info, 3 warning, 4 error."""
    grades = {"info": 2, "warning": 3, "error": 4}
    return max(1 if row["is_waived"] else grades[row["severity"]] for row in rows)
