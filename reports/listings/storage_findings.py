"""Table: findings about one storage system."""

PLACE = "storage_system"
ORDER = 5

COLUMNS = """
SELECT severity, subject, message, path || coalesce(':' || line, '') AS evidence, is_waived, remedy,
    rule
FROM finding"""
IN_ORDER = """
ORDER BY CASE severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, rule, subject,
    evidence, message
"""

VIEW = f"""{COLUMNS}
WHERE path IN (SELECT path FROM fio_run WHERE collection = $collection AND system = $system)
    OR path IN (SELECT path FROM fio_log_link WHERE collection = $collection AND system = $system)
{IN_ORDER}"""

TITLE = "Findings"

EMPTY = "No rule is broken by these files."

FILTERABLE = True
