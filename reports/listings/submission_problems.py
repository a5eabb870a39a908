"""Table: problems met while reading the logs of one submission."""

PLACE = "submission_files"
ORDER = 2

VIEW = """
SELECT p.severity, p.path || ':' || p.line AS evidence, p.reason, p.remedy
FROM problem AS p
WHERE p.path IN (
    SELECT r.path FROM run_header AS r
    JOIN result_set AS s ON s.result_set = r.result_set
    WHERE coalesce(s.collection, '') = $collection AND coalesce(s.round, '') = $round
        AND coalesce(s.organization, '') = $organization)
ORDER BY list_position(['error', 'warning', 'info'], p.severity), p.path, p.line, p.reason
LIMIT 500
"""

TITLE = "Problems met while reading"

EMPTY = "Every log was read without a problem."

FILTERABLE = True
