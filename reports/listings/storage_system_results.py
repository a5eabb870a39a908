"""Table: the results of one storage system, those that are not complete first."""

PLACE = "storage_system"
ORDER = 3

VIEW = """
SELECT collection, system AS storage_system, series, status, direction, clients, jobs,
    iodepth, block_bytes, bandwidth_bps, iops, lat_mean_us, reason,
    path || ':' || line AS evidence, runtime_s, version AS fio, form, is_rounded, verification
FROM fio_result
WHERE collection = $collection AND system = $system
ORDER BY status = 'complete', series, direction, jobs, clients, iodepth, block_bytes, path, line
"""

TITLE = "Results, with their place in the output"

EMPTY = "No result of this system is loaded."

HIDE = ("storage_system",)

HEADINGS = {
    "lat_mean_us": "Mean latency (ms)",
    "fio": "fio",
    "is_rounded": "Rounded by fio",
}

FILTERABLE = True
