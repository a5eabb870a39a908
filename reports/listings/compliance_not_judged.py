"""Table: what could not be judged, and why."""

VIEW = """
SELECT v.rule, v.reason, count(DISTINCT v.subject) AS result_sets
FROM verdict AS v
JOIN result_set AS s ON s.result_set = v.subject
WHERE v.verdict = 'not judged'
GROUP BY v.rule, v.reason
ORDER BY result_sets DESC, v.rule, v.reason
LIMIT 200
"""

TITLE = "Not judged, and why"

EMPTY = "Every result set was judged by every rule."

HEADINGS = {"reason": "Why"}
