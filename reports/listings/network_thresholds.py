"""Table: the thresholds of the rules for nccl-tests."""

from reports.listings.storage_thresholds import EMPTY, HEADINGS

__all__ = ["EMPTY", "HEADINGS", "TITLE", "VIEW"]

VIEW = """
SELECT threshold, value AS number, unit, basis FROM threshold
WHERE starts_with(threshold, 'nccl_') ORDER BY threshold
"""

TITLE = "Thresholds for nccl-tests"
