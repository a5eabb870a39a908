"""Table: the thresholds of the rules and verdicts for storage."""

VIEW = """
SELECT threshold, value AS number, unit, basis FROM threshold
WHERE NOT starts_with(threshold, 'nccl_') ORDER BY threshold
"""

TITLE = "Thresholds"

HEADINGS = {"number": "Value"}

EMPTY = "No threshold is set."
