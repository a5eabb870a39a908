"""Table: every measurement of one system, with its line."""

PLACE = "network_system"
ORDER = 5

VIEW = """
SELECT collective, nodes, ranks, size_bytes, replace(placement, '_', ' ') AS placement, type,
    redop, root, time_us, algbw_gbps, busbw_gbps, wrong, delta, is_unchecked, cycle,
    path || ':' || line AS evidence, verification
FROM nccl_point
WHERE collection = $collection AND system = $system AND is_counted
ORDER BY collective, nodes, ranks, path, run_id, ordinal, placement DESC
LIMIT 5000
"""

TITLE = "Measurements, at most 5,000, with their line"

EMPTY = "No row of a run of this system could be read."

HEADINGS = {
    "wrong": "Wrong elements",
    "delta": "Largest difference",
    "is_unchecked": "Not checked",
}

FILTERABLE = True
