"""Table: the latency percentiles of a series."""

PLACE = "storage_series"
ORDER = 3

VIEW = """
SELECT clients, jobs, iodepth, block_bytes, kind AS latency, percentile, value_us, low_us, high_us,
    CASE WHEN how = 'merged' THEN 'merged from bins' WHEN how = 'logged' THEN 'as logged'
        WHEN jobs_merged > clients THEN 'range of the jobs'
        ELSE 'range of the clients' END AS how,
    status, path || ':' || line AS evidence
FROM fio_latency
WHERE collection = $collection AND system = $system AND series = $series
    AND direction = $direction AND percentile >= 50
ORDER BY jobs, clients, iodepth, block_bytes, path, kind, percentile
"""

TITLE = "Latency percentiles, from the median up"

EMPTY = "The output of this series has no latency percentiles."

HEADINGS = {
    "value_us": "Of all I/O (ms)",
    "low_us": "Fastest (ms)",
    "high_us": "Slowest (ms)",
    "how": "How it is known",
}

FILTERABLE = True
