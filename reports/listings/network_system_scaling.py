"""Table: bus bandwidth of one system by number of nodes."""

PLACE = "network_system"
ORDER = 2

VIEW = """
SELECT collective, type, redop, replace(placement, '_', ' ') AS placement, nodes, ranks,
    size_bytes, busbw_gbps, kept_pct, peak_busbw_gbps, runs, is_like_for_like, differences,
    nccl_version, path || ':' || line AS evidence, kind, verification
FROM nccl_scaling
WHERE collection = $collection AND system = $system
ORDER BY collective, type, redop, placement DESC, nodes
"""

TITLE = "By number of nodes, at the largest common size"

EMPTY = "No run of this system says on how many nodes it ran."

HEADINGS = {"kept_pct": "Of the fewest nodes (%)", "peak_busbw_gbps": "Peak of any size (GB/s)"}

FILTERABLE = True
