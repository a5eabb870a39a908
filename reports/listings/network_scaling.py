"""Table: bus bandwidth by number of nodes, out of place, of every system."""

from reports.listings.network_system_scaling import HEADINGS

__all__ = ["EMPTY", "FILTERABLE", "HEADINGS", "TITLE", "VIEW"]

VIEW = """
SELECT collection, system AS network_system, collective, type, redop, nodes, ranks, size_bytes,
    busbw_gbps, kept_pct, peak_busbw_gbps, runs, is_like_for_like, differences, nccl_version,
    path || ':' || line AS evidence, kind, verification
FROM nccl_scaling
WHERE placement = 'out_of_place'
ORDER BY system, collection, collective, type, redop, nodes
"""

TITLE = "Bus bandwidth by number of nodes, at the largest common size"

EMPTY = "No run of nccl-tests says on how many nodes it ran."

FILTERABLE = True
