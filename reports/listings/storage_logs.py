"""Table: log files of one storage system, and the run each belongs to."""

PLACE = "storage_system"
ORDER = 6

VIEW = """
SELECT measure, job, host, log_name, path, coalesce(fio_path, 'no output that is loaded') AS output
FROM fio_log_link
WHERE collection = $collection AND system = $system
ORDER BY fio_path NULLS FIRST, measure, job, path
"""

TITLE = "Log files, and the output each belongs to"

EMPTY = "No log file of this system is loaded."

FILTERABLE = True
