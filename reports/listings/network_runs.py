"""Table: the runs of one system, those that are not complete first."""

PLACE = "network_system"
ORDER = 3

VIEW = """
SELECT collection, system AS network_system, status, collective, nodes, ranks_listed,
    ranks_implied, peak_busbw_gbps, peak_size_bytes,
    path || ':' || coalesce(peak_line, line) AS evidence, rows, rows_lost, problems, copies,
    tests_version, nccl_version, network, is_nvls, is_sharp, device_name, warmup_iters, iters,
    max_bytes, out_of_bounds, is_counted, kind, verification
FROM nccl_run
WHERE collection = $collection AND system = $system
ORDER BY status = 'success', collective, nodes, ranks, path, run_id
"""

TITLE = "Runs, with the line of their peak"

EMPTY = "No run of this system is loaded."

HIDE = ("network_system",)

HEADINGS = {
    "ranks_listed": "Ranks listed",
    "ranks_implied": "Ranks implied",
    "peak_busbw_gbps": "Peak (GB/s)",
    "rows_lost": "Rows lost",
    "copies": "Processes side by side",
    "is_nvls": "NVLS",
    "is_sharp": "SHARP",
    "warmup_iters": "Warm-up iterations",
    "iters": "Iterations",
    "out_of_bounds": "Tests that failed",
    "is_counted": "Counts",
}

FILTERABLE = True
