"""Table: sizing, for all storage systems."""

from reports.listings.storage_system_sizing import HEADINGS

__all__ = ["EMPTY", "FILTERABLE", "HEADINGS", "TITLE", "VIEW"]

VIEW = """
SELECT collection, system AS storage_system, workload, accelerator, accelerators, required_gbps,
    clients, measured_gbps, note, storage_nodes, path || ':' || line AS evidence
FROM storage_sizing
ORDER BY system, collection, workload, accelerator, accelerators
"""

TITLE = "Sizing: what training asks, and what was measured"

EMPTY = "No read test with a known job file is loaded, so nothing can be sized."

FILTERABLE = True
