"""Table: findings by rule."""

VIEW = """
SELECT r.severity, r.rule, r.title, count(f.rule) FILTER (NOT f.is_waived) AS open,
    count(f.rule) FILTER (f.is_waived) AS waived
FROM rule AS r
LEFT JOIN finding AS f ON f.rule = r.rule
GROUP BY r.severity, r.rule, r.title
ORDER BY CASE r.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END, r.rule
"""

TITLE = "Findings by rule"

EMPTY = "No rule is known."
