"""Which official rule set judges a run: its round's, of its benchmark's working group."""

from __future__ import annotations

import duckdb

from warehouse.official.rule_data import Rules
from warehouse.storing import insert

COUNTS = "benchmark_meta.py", "_ALL_RESULT_FILE_COUNTS"
RCP_RUNS = "rcp_checker/rcp_checker.py", "submission_runs"
WITHOUT_RCP = ("minigo",)
RULE_SET_COLUMNS = ("rule_set", "usage", "version", "round", "rules", "rules_version")
BENCHMARK_COLUMNS = (
    "usage", "benchmark", "runs_required", "rcp_runs", "interpolation_factor",
)  # fmt: skip
ASSIGN = """
with told as (
    select r.run_id, r.round, coalesce(r.benchmark, h.benchmark) as benchmark
    from run r
    left join (
        select run_id, arg_max(json_extract_string(value, '$'), line) as benchmark
        from event where key = 'submission_benchmark' group by run_id
    ) h using (run_id)
    where r.kind = 'mlperf_training'
), used as (
    select t.*, coalesce((select min(usage) from official_benchmark o
        where o.benchmark = t.benchmark), 'training') as usage
    from told t
)
insert into run_rule_set
select u.run_id, u.usage, s.rule_set,
    case when s.rule_set is not null then null
        when u.round is null then 'no round is known; name it with --round'
        else 'there is no official rule set of ' || u.usage || ' for round ' || u.round end
from used u
left join rule_set s on s.usage = u.usage and s.round = u.round
"""


def store(connection: duckdb.DuckDBPyConnection, rules: Rules) -> None:
    """Fills rule_set, official_benchmark and run_rule_set anew."""
    for table in ("rule_set", "official_benchmark", "run_rule_set"):
        connection.execute(f"delete from {table}")
    rule_sets = [
        (found.name, found.usage, found.version, found.round, rules.origin, rules.version)
        for found in rules.rule_sets()
    ]
    insert(connection, "rule_set", RULE_SET_COLUMNS, rule_sets)
    insert(connection, "official_benchmark", BENCHMARK_COLUMNS, _benchmarks(rules))
    connection.execute(ASSIGN)


def _benchmarks(rules: Rules) -> list[tuple[object, ...]]:
    """Run counts by benchmark; one that the convergence test has forgotten keeps its file count."""
    rows: list[tuple[object, ...]] = []
    rcp_runs = rules.literal(*RCP_RUNS)
    for usage, counts in rules.literal(*COUNTS).items():
        for benchmark, runs in counts.items():
            in_test = rcp_runs.get(usage, {}).get(benchmark, runs)
            has_test = benchmark not in WITHOUT_RCP
            factor = interpolation_factor(in_test) if has_test else None
            rows.append((usage, benchmark, runs, in_test if has_test else None, factor))
    return rows


def interpolation_factor(runs: int) -> float:
    """How many standard deviations under the mean an interpolated point allows.

    Source: rcp_checker `_find_min_acceptable_mean`: one-sided pooled t-test, alpha 0.05, between
    twice `runs` of the reference and `runs` - 2 of the submission.
    """
    from warehouse.official.rcp import allowance

    return allowance(2 * runs, runs - 2)
