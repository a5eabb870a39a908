"""Table: findings of one rule."""

PLACE = "rule"
ORDER = 2

VIEW = """
SELECT severity, subject, message, path || coalesce(':' || line, '') AS evidence, value,
    limit_value, waiver_reason AS waived_because
FROM finding
WHERE rule = $rule
ORDER BY is_waived, list_position(['error', 'warning', 'info'], severity), subject, evidence,
    message, value
LIMIT 1000
"""

TITLE = "Findings"

EMPTY = "Nothing in this database breaks the rule."

FILTERABLE = True

HEADINGS = {"value": "Found", "limit_value": "Against"}
