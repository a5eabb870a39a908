"""Table: the series of one storage system, with what its curve shows."""

PLACE = "storage_system"
ORDER = 2

VIEW = """
SELECT collection, system AS storage_system, series, direction, verdict, clients, jobs, iodepth,
    block_bytes, first_bps, saturated_bps, peak_bps, peak_iops, points, results, complete,
    versions AS fio, fixed_options
FROM fio_series
WHERE collection = $collection AND system = $system
ORDER BY points DESC, series, direction
"""

TITLE = "Series"

EMPTY = "No result of this system says with which options it was run."

HIDE = ("storage_system",)

HEADINGS = {
    "verdict": "Along the jobs",
    "first_bps": "Fewest jobs (MB/s)",
    "saturated_bps": "Saturated at (MB/s)",
    "fio": "fio",
}
