"""Table: what training asks of storage, whatever the storage."""

VIEW = """
SELECT DISTINCT workload, accelerator, samples_per_s, bytes_per_sample, required_gbps,
    access, source
FROM storage_sizing
WHERE accelerators = 1
ORDER BY workload, accelerator
"""

TITLE = "What one accelerator asks of storage"

EMPTY = "No read test with a known job file is loaded, so nothing can be sized."

HEADINGS = {"samples_per_s": "Samples/s", "required_gbps": "Required (GB/s)"}
