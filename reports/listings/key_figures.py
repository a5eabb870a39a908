"""Table: what is in the database in numbers."""

VIEW = """
SELECT 'Rounds' AS what, count(DISTINCT round) AS number FROM score
UNION ALL SELECT 'Organizations', count(DISTINCT organization) FROM score
UNION ALL SELECT 'Systems with results',
    count(DISTINCT (round, organization, system)) FROM score
UNION ALL SELECT 'Result sets', count(*) FROM score
UNION ALL SELECT 'Result sets with a score', count(score_min) FROM score
UNION ALL SELECT 'Runs', count(*) FROM run_result
UNION ALL
SELECT 'Families with several node counts', count(*)
FROM (SELECT 1 FROM family GROUP BY family_key HAVING count(DISTINCT nodes) > 1)
UNION ALL SELECT 'Files read', count(*) FROM source
UNION ALL SELECT 'Open findings of severity error',
    count(*) FROM finding WHERE severity = 'error' AND NOT is_waived
UNION ALL SELECT 'Open findings of severity warning',
    count(*) FROM finding WHERE severity = 'warning' AND NOT is_waived
"""

TITLE = "What is in the database in numbers"
