"""Table: what each client of a series got."""

PLACE = "storage_series"
ORDER = 2

VIEW = """
SELECT CASE WHEN is_straggler THEN 'straggler' END AS mark, client, clients, jobs, iodepth,
    block_bytes, bandwidth_bps, deviation_pct, spread_pct, jain_index, iops, lat_mean_us, runtime_s,
    status, path || ':' || line AS evidence
FROM fio_client
WHERE collection = $collection AND system = $system AND series = $series
    AND direction = $direction AND clients > 1
ORDER BY spread_pct DESC NULLS LAST, path, client
"""

TITLE = "Clients, the least even results first"

EMPTY = "No result of this series tells its clients apart."

HEADINGS = {
    "mark": "",
    "clients": "Clients of the result",
    "jobs": "Jobs of the client",
    "deviation_pct": "Against the median client (%)",
    "spread_pct": "Spread of the result (%)",
    "lat_mean_us": "Mean latency (ms)",
}

FILTERABLE = True
