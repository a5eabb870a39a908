"""Table: the rules."""

VIEW = """
SELECT rule, severity, title, basis, why, remedy, false_positives
FROM rule
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule
"""

TITLE = "The rules"

HEADINGS = {"false_positives": "When it is wrong"}
