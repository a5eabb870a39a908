"""Table: findings on files of one submission that are about no single result set."""

PLACE = "submission_files"
ORDER = 1

VIEW = """
SELECT f.severity, f.rule, f.subject, f.message, f.path || coalesce(':' || f.line, '') AS evidence,
    f.remedy
FROM finding AS f
WHERE f.path IN (
        SELECT r.path FROM run_header AS r
        JOIN result_set AS s ON s.result_set = r.result_set
        WHERE coalesce(s.collection, '') = $collection AND coalesce(s.round, '') = $round
            AND coalesce(s.organization, '') = $organization)
    AND f.subject NOT IN (SELECT result_set FROM result_set)
ORDER BY f.severity, f.rule, f.subject, evidence, f.message
"""

TITLE = "Findings on single files"

EMPTY = "None."

FILTERABLE = True
