"""Table: for information."""

VIEW = """
SELECT severity, rule, title, subject, message, path || coalesce(':' || line, '') AS evidence,
    value, limit_value, remedy
FROM finding
WHERE NOT is_waived AND severity NOT IN ('error', 'warning')
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule, subject,
    evidence, message, value
"""

TITLE = "For information"

EMPTY = "Nothing."

FILTERABLE = True
