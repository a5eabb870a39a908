"""Table: open findings."""

VIEW = """
SELECT severity, rule, title, subject, message, path || coalesce(':' || line, '') AS evidence,
    value, limit_value, remedy
FROM finding
WHERE NOT is_waived AND severity IN ('error', 'warning')
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule, subject,
    evidence, message, value
"""

TITLE = "Open findings"

EMPTY = "No rule of severity error or warning is broken."

FILTERABLE = True
