"""Table: problems met while reading."""

VIEW = """
SELECT severity, path || ':' || line AS evidence, reason, remedy
FROM problem
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, path, line, reason
LIMIT 1000
"""

TITLE = "Problems met while reading"

EMPTY = "Every file was read without a problem."

FILTERABLE = True
