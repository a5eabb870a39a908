"""Table: the results of one series, those that are not complete first."""

PLACE = "storage_series"
ORDER = 1

VIEW = """
SELECT collection, system AS storage_system, status, clients, jobs, iodepth, block_bytes,
    bandwidth_bps, iops, lat_mean_us, reason, path || ':' || line AS evidence, runtime_s,
    version AS fio, form, is_rounded, verification
FROM fio_result
WHERE collection = $collection AND system = $system AND series = $series
    AND direction = $direction
ORDER BY status = 'complete', series, direction, jobs, clients, iodepth, block_bytes, path, line
"""

TITLE = "Results, with their place in the output"

EMPTY = "No result of this series is loaded."

HIDE = ("storage_system",)

HEADINGS = {
    "lat_mean_us": "Mean latency (ms)",
    "fio": "fio",
    "is_rounded": "Rounded by fio",
}

FILTERABLE = True
