"""Table: sizing of one storage system."""

PLACE = "storage_system"
ORDER = 4

VIEW = """
SELECT workload, accelerator, accelerators, required_gbps, clients, measured_gbps, note,
    storage_nodes, measured_block_bytes AS block_bytes, measured_rw AS rw,
    path || ':' || line AS evidence
FROM storage_sizing
WHERE collection = $collection AND system = $system
ORDER BY workload, accelerator, accelerators
"""

TITLE = "Sizing: what training asks, and what was measured here"

EMPTY = "No read test with a known job file is loaded, so nothing can be sized."

HEADINGS = {
    "required_gbps": "Required, without headroom (GB/s)",
    "clients": "Compute nodes = clients",
    "storage_nodes": "Storage nodes needed",
    "note": "Verdict",
    "block_bytes": "Measured with blocks of",
    "rw": "Measured pattern",
}

FILTERABLE = True
