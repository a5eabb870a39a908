"""Reference convergence points (RCP): what they allow, for the benchmarks of the stored runs.

Source: `rcp_checker/<usage>_<version>/rcps_<benchmark>.json`; statistics, bound and pruning as
in rcp_checker 4.1.68, training_policies section on reference convergence points.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from warehouse.official.rule_data import PACKAGE, RuleDataError, Rules

ALPHA = 0.05
TOLERANCE = 1e-4  # in epochs, samples or tokens
UNITS = {"Epochs to converge": "epochs", "samples to converge": "samples"}
TRIMMED_MORE = {"unet3d": 4}
MEND = "mend it, or name another folder with --rules"
WANTED = """
select distinct rule_set, coalesce(logged, benchmark) as benchmark
from (
    select s.rule_set, r.benchmark, e.logged
    from run_rule_set s
    join run r using (run_id)
    left join (
        select distinct run_id, json_extract_string(value, '$') as logged
        from event where key = 'submission_benchmark'
    ) e using (run_id)
    where s.rule_set is not null
)
order by all
"""


@dataclass(frozen=True, slots=True)
class Record:
    """One reference: a batch size, how long its runs took to converge, the least mean allowed."""

    record: str
    batch_size: float
    runs: int
    unit: str
    converged: str
    hyperparameters: str
    mean: float
    stdev: float
    min_mean: float
    path: str
    is_pruned: bool = field(default=False)


@cache
def allowance(reference_runs: int, submission_runs: int) -> float:
    """How many standard deviations under the reference's mean a submission's mean may be.

    The one-sided pooled t-test at ALPHA, solved for the difference of the means.
    """
    from scipy.special import stdtrit

    quantile = float(stdtrit(reference_runs + submission_runs - 2, 1 - ALPHA))
    return quantile * math.sqrt(1 / reference_runs + 1 / submission_runs)


def least_mean(mean: float, stdev: float, allowed: float) -> float:
    """The least mean that passes: `allowed` deviations under `mean`, as the official search has it.

    It halves the interval from 0 to the mean until TOLERANCE and takes the middle of the last.
    """
    if stdev == 0:
        return mean
    bound = mean - allowed * stdev
    low, high = 0.0, mean
    middle = (low + high) / 2
    while high - low > TOLERANCE:
        low, high = (low, middle) if middle > bound else (middle, high)
        middle = (low + high) / 2
    return middle


def store(connection: duckdb.DuckDBPyConnection, rules: Rules) -> None:
    """Fills rcp_record for the rule sets and benchmarks of the stored runs.

    What was read from the same version of the package is kept. Raises RuleDataError for a file of
    reference points that cannot be used.
    """
    origin = [rules.origin, rules.version]
    connection.execute("delete from rcp_record where (rules, rules_version) <> (?, ?)", origin)
    if rules.origin != PACKAGE:
        connection.execute("delete from rcp_record")  # a folder may change under its name
    there = set(
        connection.execute("select distinct rule_set, benchmark from rcp_record").fetchall()
    )
    wanted = connection.execute(WANTED).fetchall()
    files = {found.name: rules.rcp_files(found) for found in rules.rule_sets()}
    runs = dict(
        connection.execute(
            "select benchmark, rcp_runs from official_benchmark where rcp_runs is not null"
        ).fetchall()
    )
    for rule_set, benchmark in wanted:
        path = files[rule_set].get(benchmark)
        if path and benchmark in runs and (rule_set, benchmark) not in there:
            _insert(connection, [rule_set, *origin, benchmark], read(path, runs[benchmark]))


def _insert(
    connection: duckdb.DuckDBPyConnection, first: Sequence[str], records: Sequence[Record]
) -> None:
    names = ("rule_set", "rules", "rules_version", "benchmark")
    frame = pl.DataFrame(records).with_columns(
        pl.lit(value).alias(name) for name, value in zip(names, first, strict=True)
    )
    connection.register("rcp_to_insert", frame)
    connection.execute("insert into rcp_record by name select * from rcp_to_insert")
    connection.unregister("rcp_to_insert")


def read(path: Path, submission_runs: int) -> list[Record]:
    """The records of a file, by batch size; `submission_runs` is the runs of a result set.

    Raises RuleDataError, which names file and record.
    """
    name = f"{path.parent.name}/{path.name}"
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RuleDataError(f"{path}: no JSON ({error}); {MEND}") from None
    if not isinstance(said, dict):
        raise RuleDataError(f"{path}: not an object of records; {MEND}")
    records = []
    for record, fields in said.items():
        try:
            records.append(_record(record, fields, submission_runs, name))
        except (KeyError, TypeError, ValueError) as error:
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise RuleDataError(f"{path}: record {record}: {reason}; {MEND}") from None
    return _pruned(sorted(records, key=lambda record: record.batch_size))


def _record(record: str, fields: Any, submission_runs: int, path: str) -> Record:
    import numpy as np

    unit = next((key for key in UNITS if key in fields), "Epochs to converge")
    converged = sorted(map(_number, fields[unit]))
    trim = TRIMMED_MORE.get(fields["Benchmark"], 1)
    kept = len(converged) - 2 * trim
    if kept < 1:
        raise ValueError(f"{len(converged)} runs are too few")
    mean = float(np.mean(converged[trim : trim + kept]))
    stdev = float(np.std(converged))
    return Record(
        record, float(_number(fields["BS"])), len(converged), UNITS[unit], json.dumps(converged),
        json.dumps(fields["Hyperparams"]), mean, stdev,
        least_mean(mean, stdev, allowance(kept, submission_runs - 2)), path,
    )  # fmt: skip


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return value


def _pruned(records: list[Record]) -> list[Record]:
    """Marks what the test leaves out.

    First batch sizes under the one that converges fastest, then, once from small to large, what
    converges later than its neighbours suggest.
    """
    import numpy as np

    fastest = min(records, key=lambda record: record.mean, default=None)
    left = [record for record in records if fastest and record.batch_size >= fastest.batch_size]
    place = 1
    while place < len(left) - 1:
        before, it, behind = left[place - 1 : place + 2]
        sizes, means = [before.batch_size, behind.batch_size], [before.mean, behind.mean]
        if it.mean > np.interp(it.batch_size, sizes, means):
            del left[place]
        else:
            place += 1
    sizes_left = {record.batch_size for record in left}
    return [replace(record, is_pruned=record.batch_size not in sizes_left) for record in records]
