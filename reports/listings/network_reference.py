"""Table: the peaks of one system beside what is published for such a test."""

PLACE = "network_system"
ORDER = 4

VIEW = """
SELECT collective, nodes, ranks, peak_busbw_gbps, peak_size_bytes, reference_system,
    reference_busbw_gbps, reference_size_bytes, share_pct, basis, note, source, url,
    path || ':' || line AS evidence
FROM nccl_reference
WHERE collection = $collection AND system = $system
ORDER BY collective, nodes, ranks, path, line, share_pct DESC, reference_system
"""

TITLE = "Beside what is published"

EMPTY = "Nothing is published here for these devices, ranks and nodes."

HEADINGS = {
    "peak_busbw_gbps": "Peak here (GB/s)",
    "reference_busbw_gbps": "Published (GB/s)",
    "share_pct": "Of the published (%)",
    "basis": "Measured or threshold",
}
