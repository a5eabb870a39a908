"""Table: open findings."""

VIEW = """
SELECT severity, subject, message, path || coalesce(':' || line, '') AS evidence, remedy, rule
FROM finding
WHERE NOT is_waived AND severity IN ('error', 'warning')
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule, subject,
    evidence, message
"""

TITLE = "Open findings"

EMPTY = "No rule of severity error or warning is broken."

FILTERABLE = True
