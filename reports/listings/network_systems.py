"""Table: systems with runs of nccl-tests."""

VIEW = """
SELECT r.collection, r.system AS network_system,
    string_agg(DISTINCT r.device_name, '; ' ORDER BY r.device_name) AS devices,
    string_agg(DISTINCT r.collective, ', ' ORDER BY r.collective) AS collectives,
    count(*) AS runs, count(*) FILTER (r.status = 'success') AS complete,
    max(r.nodes) AS most_nodes, max(r.ranks) AS most_ranks,
    max(r.peak_busbw_gbps) FILTER (r.collective = 'all_reduce' AND r.ranks > 1)
        AS peak_busbw_gbps,
    string_agg(DISTINCT r.nccl_version, ', ' ORDER BY r.nccl_version) AS nccl_version,
    any_value(r.kind) AS kind, any_value(r.verification) AS verification
FROM nccl_run AS r
WHERE r.is_counted
GROUP BY r.collection, r.system
ORDER BY r.system, r.collection
"""

TITLE = "Network systems"

EMPTY = "No run of nccl-tests is loaded."

HEADINGS = {"peak_busbw_gbps": "Peak of all_reduce (GB/s)"}
