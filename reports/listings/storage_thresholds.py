"""Table: the thresholds of the rules and verdicts."""

VIEW = """
SELECT threshold, value AS number, unit, basis FROM threshold ORDER BY threshold
"""

TITLE = "Thresholds"

HEADINGS = {"number": "Value"}

EMPTY = "No threshold is set."
