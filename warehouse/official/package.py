"""What the official package checker knows besides: benchmarks of a round, system descriptions.

Source: `benchmark_meta.py`; `system_desc_checker/system_desc_checker.py`: required keys, and from
rule set 4.0 on the words for availability. The table `system` cannot tell what a description
lacks, because it holds mended spellings.
"""

from __future__ import annotations

import json

import duckdb

from warehouse.official.rule_data import Rules
from warehouse.storing import insert

BENCHMARKS = "benchmark_meta.py", "_ALL_ALLOWED_BENCHMARKS"
DESCRIPTION = "system_desc_checker/system_desc_checker.py"
BENCHMARK_COLUMNS = ("rule_set", "benchmark", "place")
SYSTEM_COLUMNS = ("source_id", "fault", "missing", "status", "statuses")
DESCRIPTIONS = "select source_id from source where format = 'mlperf_system' order by source_id"
TEXTS = "select source_id, text from source_text where source_id in ({}) order by source_id"


def store(connection: duckdb.DuckDBPyConnection, rules: Rules) -> None:
    """Fills rule_set_benchmark and official_system anew."""
    connection.execute("delete from rule_set_benchmark")
    insert(connection, "rule_set_benchmark", BENCHMARK_COLUMNS, _benchmarks(rules))
    connection.execute("delete from official_system")
    insert(connection, "official_system", SYSTEM_COLUMNS, _systems(connection, rules))


def _benchmarks(rules: Rules) -> list[tuple[str, str, int]]:
    """The benchmarks of each rule set, in the official order; a round stands for its versions."""
    allowed = rules.literal(*BENCHMARKS)
    rows = []
    for found in rules.rule_sets():
        named = allowed.get(found.usage, {}).get(found.round.removeprefix("v"), [])
        rows += [(found.name, name, place) for place, name in enumerate(dict.fromkeys(named), 1)]
    return rows


def _systems(
    connection: duckdb.DuckDBPyConnection, rules: Rules
) -> list[tuple[int, str | None, str | None, str | None, str]]:
    """One row a description, as official_system has it."""
    import zstandard

    required = rules.literal(DESCRIPTION, "required_fields")
    statuses = "; ".join(rules.literal(DESCRIPTION, "availability_options"))
    there = ", ".join(str(row[0]) for row in connection.execute(DESCRIPTIONS).fetchall())
    texts = connection.execute(TEXTS.format(there or "null")).fetchall()  # a join reads all texts
    return [
        (source_id, *_judged(zstandard.decompress(text), required), statuses)
        for source_id, text in texts
    ]


def _judged(text: bytes, required: list[str]) -> tuple[str | None, str | None, str | None]:
    """Why the description cannot be read, the required keys that it lacks, its status."""
    try:
        fields = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return f"no valid JSON: {error}", None, None
    if not isinstance(fields, dict):
        return "the JSON is not an object", None, None
    missing = ", ".join(key for key in required if key not in fields)
    status = fields.get("status")
    return None, missing or None, None if status is None else str(status)
