"""The gate before publication: Great Expectations over the findings and the published relations.

It takes seconds to import and is imported here only, when the gate is asked for. It is given
frames, knows no file of its own, and says nothing; what it found is a value, `Quality`, the same
for the same data. `by_sql` counts the same findings without it.
"""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from importlib import metadata
from io import StringIO
from typing import Any

import duckdb

from warehouse.relations import identifier
from warehouse.suites import ROW_COUNT, RULES, Expected, relation_suites, rule_suite

OPEN_FINDINGS = "select rule, severity from finding where not is_waived order by all"
SEVERITIES = {"error": "critical", "warning": "warning", "info": "info"}
TYPE_NAME = re.compile(r"(?:^|_)([a-z])")
SAMPLE_SIZE = 3
REASON_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expectation and what came of it; `observed` counts rows, `sample` shows a few values."""

    suite: str
    type: str
    column: str | None
    rule: str | None
    severity: str
    status: str
    observed: int | None
    limit: str | None
    description: str
    sample: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def counts(self) -> bool:
        """Whether the gate fails for it: broken at severity error, or not to be evaluated."""
        return self.status == "raised" or (self.status == "failed" and self.severity == "error")

    def __str__(self) -> str:
        what = self.rule or self.suite
        if self.status == "raised":
            return f"{what}: not evaluated: {self.description} ({self.reason})"
        if self.rule:
            return f"{what}: {self.observed} findings of severity {self.severity}"
        shown = f", such as {', '.join(self.sample)}" if self.sample else ""
        return f"{what}: expected: {self.description}; {self.observed} rows{shown}"


@dataclass(frozen=True, slots=True)
class Quality:
    """What the gate found, sorted; the versions it was found with; rows of each relation."""

    expectations: tuple[Expectation, ...]
    versions: Mapping[str, str]
    row_counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def failures(self) -> list[Expectation]:
        """The expectations for which the gate fails."""
        return [expectation for expectation in self.expectations if expectation.counts]

    @property
    def warnings(self) -> list[Expectation]:
        """What is broken at a lesser severity."""
        return [one for one in self.expectations if one.status == "failed" and not one.counts]

    @property
    def is_passed(self) -> bool:
        """Whether the results may be published."""
        return not self.failures

    def as_dict(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "is_passed": self.is_passed,
            "versions": dict(self.versions),
            "row_counts": dict(self.row_counts),
            "expectations": [asdict(one) for one in self.expectations],
        }


def by_sql(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], int]:
    """The expectations of the rules without Great Expectations: findings by rule and severity."""
    rows = connection.execute(
        "select rule, severity, count(*) from finding where not is_waived group by all"
    ).fetchall()
    counts = {(rule, severity): count for rule, severity, count in rows}
    asked = [(one.rule or "", one.severity) for one in rule_suite()]
    return {key: counts.get(key, 0) for key in asked}


def gate(
    connection: duckdb.DuckDBPyConnection, previous: Mapping[str, int] | None = None
) -> Quality:
    """Evaluates every expectation; `previous` has the row counts of the last build."""
    with _silence():
        runner = _Runner(connection)
        found = runner.run(RULES, OPEN_FINDINGS, rule_suite())
        for relation, expected in relation_suites(previous).items():
            query = f"select * from {identifier(relation)}"
            found += runner.run(relation, query, expected)
    names = ("duckdb", "great_expectations", "levelbook")
    return Quality(
        tuple(sorted(found, key=_order)),
        {name: metadata.version(name) for name in names},
        dict(sorted(runner.row_counts.items())),
    )


def _order(one: Expectation) -> tuple[str, ...]:
    return one.suite, one.rule or "", one.column or "", one.type, one.severity


@contextmanager
def _silence() -> Iterator[None]:
    """Neither output, nor warnings, nor analytics; all as before at the end."""
    name = "GX_ANALYTICS_ENABLED"
    before = os.environ.get(name)
    os.environ[name] = "False"
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(disabled)
        os.environ.pop(name) if before is None else os.environ.__setitem__(name, before)


class _Runner:
    """Great Expectations with a context that lives in memory only."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        import great_expectations
        from great_expectations import expectations
        from great_expectations.data_context.types.base import ProgressBarsConfig
        from great_expectations.expectations.row_conditions import Column

        self.connection = connection
        self.gx = great_expectations
        self.kinds = expectations
        self.column = Column
        self.row_counts: dict[str, int] = {}
        context = great_expectations.get_context(mode="ephemeral")
        context.variables.progress_bars = ProgressBarsConfig(globally=False)
        self.source = context.data_sources.add_pandas("levelbook")

    def run(self, name: str, query: str, expected: list[Expected]) -> list[Expectation]:
        """One frame, all its expectations; what cannot be evaluated is `raised`."""
        try:
            frame = self.connection.execute(query).df()
            batch = self._batch(name, frame)
            results = self._validated(batch, expected, "BOOLEAN_ONLY")
            broken = [number for number, result in results.items() if not result.success]
            if broken:  # what broke them is asked for these only: it takes most of the time
                asked = [expected[number] for number in broken]
                again = self._validated(batch, asked, "SUMMARY")
                results.update(zip(broken, again.values(), strict=True))
        except Exception as error:
            return [_raised(one, str(error)) for one in expected]
        if name != RULES:
            self.row_counts[name] = len(frame)
        return [_outcome(one, results[n], len(frame)) for n, one in enumerate(expected)]

    def _batch(self, name: str, frame: Any) -> Any:
        asset = self.source.add_dataframe_asset(name)
        whole = asset.add_batch_definition_whole_dataframe(name)
        return whole.get_batch(batch_parameters={"dataframe": frame})

    def _validated(self, batch: Any, expected: list[Expected], detail: str) -> dict[int, Any]:
        """The result of each expectation by its place in the list."""
        made = [self._made(one, number) for number, one in enumerate(expected)]
        suite = self.gx.ExpectationSuite(name=expected[0].suite, expectations=made)
        results = batch.validate(suite, result_format=detail).results
        by_number = {result.expectation_config.meta["number"]: result for result in results}
        return dict(sorted(by_number.items()))

    def _made(self, one: Expected, number: int) -> Any:
        arguments = dict(one.arguments)
        if one.rule:
            is_rule, is_severity = self.column("rule"), self.column("severity")
            arguments["row_condition"] = (is_rule == one.rule) & (is_severity == one.severity)
        meta = {"rule": one.rule, "title": one.description, "severity": one.severity}
        kind = getattr(self.kinds, TYPE_NAME.sub(lambda found: found[1].upper(), one.type))
        return kind(
            **arguments, severity=SEVERITIES[one.severity], description=one.description,
            meta={**meta, "number": number},
        )  # fmt: skip


def _outcome(one: Expected, result: Any, rows: int) -> Expectation:
    """What Great Expectations says of one expectation, without what changes from run to run."""
    if reasons := list(_exceptions(result.exception_info)):
        return _raised(one, reasons[0])
    if result.success:
        return _expectation(one, "passed", rows if one.type == ROW_COUNT else 0)
    said = result.result
    is_count = one.type == ROW_COUNT or one.rule is not None
    observed = said["observed_value" if is_count else "unexpected_count"]
    sample = sorted({_shown(value) for value in said.get("partial_unexpected_list", [])})
    return _expectation(one, "failed", int(observed), tuple(sample[:SAMPLE_SIZE]))


def _exceptions(info: Mapping[str, Any]) -> Iterator[str]:
    """Messages of what was raised: for the expectation as a whole, or for parts of it."""
    parts: Iterable[Any] = [info] if "raised_exception" in info else info.values()
    for part in parts:
        if part["raised_exception"]:
            yield str(part["exception_message"])


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return " / ".join(_shown(part) for part in value.values())
    return str(value)[:REASON_LENGTH]


def _raised(one: Expected, message: str) -> Expectation:
    reason = " ".join(message.split())[:REASON_LENGTH] or "no reason given"
    return _expectation(one, "raised", None, reason=reason)


def _expectation(
    one: Expected, status: str, observed: int | None,
    sample: tuple[str, ...] = (), reason: str | None = None,
) -> Expectation:  # fmt: skip
    """The limit of a row count depends on the last build: it is told where it is broken only."""
    is_told = one.type != ROW_COUNT or status == "failed"
    return Expectation(
        one.suite, one.type, ", ".join(one.columns) or None, one.rule, one.severity, status,
        observed, one.limit if is_told else None, one.description, sample, reason,
    )  # fmt: skip
