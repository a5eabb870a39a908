"""Table: waived findings."""

VIEW = """
SELECT severity, subject, message, waiver_reason AS reason,
    path || coalesce(':' || line, '') AS evidence, rule
FROM finding
WHERE is_waived
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule, subject,
    evidence, message
"""

TITLE = "Waived findings"

EMPTY = "No finding is waived."

FILTERABLE = True

HEADINGS = {"reason": "Why it is waived"}
