"""Table: corrections, and the value that each guards."""

VIEW = """
SELECT c.correction,
    CASE WHEN s.result_set IS NULL THEN 'not loaded' WHEN f.rule IS NULL THEN 'holds'
        ELSE 'broken' END AS status,
    c.collection, c.organization, c.round, c.division, c.system, c.benchmark, c.quantity,
    c.expect AS expected, c.tolerance, s.score_min AS in_this_database, c.printed,
    c.superseded_by, c.reason, c.author, c.since::VARCHAR AS since,
    c.until::VARCHAR AS until
FROM correction AS c
LEFT JOIN score AS s ON s.round IS NOT DISTINCT FROM c.round
    AND s.division IS NOT DISTINCT FROM c.division
    AND s.organization IS NOT DISTINCT FROM c.organization
    AND s.system IS NOT DISTINCT FROM c.system AND s.benchmark IS NOT DISTINCT FROM c.benchmark
    AND coalesce(s.collection, '') = coalesce(c.collection, '')
LEFT JOIN (SELECT DISTINCT rule, subject FROM finding) AS f
    ON f.rule = 'correction_guard' AND f.subject = s.result_set
ORDER BY c.correction
"""

TITLE = "Corrections"

EMPTY = "There is no correction."

HEADINGS = {"in_this_database": "In this database (min)", "superseded_by": "Replaced by"}
