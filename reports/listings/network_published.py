"""Table: bus bandwidths that others have published, with their sources."""

VIEW = """
SELECT system AS reference_system, collective, nodes, ranks, size_bytes,
    busbw_gbps AS reference_busbw_gbps, basis, note, source, url
FROM reference_busbw
ORDER BY device_pattern, collective, nodes, ranks, busbw_gbps DESC, system
"""

TITLE = "Published bus bandwidths"

EMPTY = "No published bus bandwidth is on record."

HEADINGS = {"reference_busbw_gbps": "Published (GB/s)", "basis": "Measured or threshold"}

FILTERABLE = True
