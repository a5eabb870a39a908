"""Table: storage systems."""

VIEW = """
SELECT r.collection, r.system AS storage_system, any_value(c.storage) AS storage,
    any_value(c.storage_nodes) AS storage_nodes, count(DISTINCT r.series) AS series,
    count(*) AS results, count(*) FILTER (r.status = 'complete') AS complete,
    max(r.clients) AS most_clients, max(r.jobs) AS most_jobs,
    max(r.bandwidth_bps) FILTER (r.direction = 'read' AND r.status = 'complete') AS read_peak_bps,
    max(r.bandwidth_bps) FILTER (r.direction = 'write' AND r.status = 'complete') AS write_peak_bps,
    max(r.iops) FILTER (r.status = 'complete') AS peak_iops,
    string_agg(DISTINCT r.version, ', ' ORDER BY r.version) AS fio, any_value(r.verification)
        AS verification
FROM fio_result AS r
LEFT JOIN collection AS c ON c.collection = r.collection
GROUP BY r.collection, r.system
ORDER BY r.system, r.collection
"""

TITLE = "Storage systems"

EMPTY = "No result of fio is loaded."

HEADINGS = {"fio": "fio"}
