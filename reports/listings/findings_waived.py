"""Table: waived findings."""

VIEW = """
SELECT severity, rule, title, subject, message, path || coalesce(':' || line, '') AS evidence,
    value, limit_value, waiver_reason
FROM finding
WHERE is_waived
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule, subject,
    evidence, message, value
"""

TITLE = "Waived findings"

EMPTY = "No finding is waived."

FILTERABLE = True
