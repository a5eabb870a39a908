"""Table: by which rules result sets are judged."""

VIEW = """
SELECT v.rule_set AS judged_by, v.rule_set_version, v.options,
    count(DISTINCT v.subject) AS result_sets,
    count(*) FILTER (v.verdict = 'pass') AS passes,
    count(*) FILTER (v.verdict = 'fail') AS fails,
    count(*) FILTER (v.verdict = 'invalid input') AS invalid_inputs
FROM verdict AS v
JOIN result_set AS s ON s.result_set = v.subject
WHERE v.verdict <> 'not judged'
GROUP BY v.rule_set, v.rule_set_version, v.options
ORDER BY v.rule_set = 'levelbook', v.rule_set, v.rule_set_version, v.options
"""

TITLE = "Judged by"

EMPTY = "No result set is judged."

HEADINGS = {"rule_set_version": "Version", "passes": "Verdicts: pass", "fails": "Fail"}
