"""Table: result sets of one submission."""

PLACE = "submission"

VIEW = """
SELECT s.result_set, s.collection, s.round, s.division, s.organization, s.system, s.benchmark,
    c.compliance, s.score_min, s.runs, s.runs_converged, s.global_batch_size, s.verification,
    s.kind
FROM score AS s
LEFT JOIN compliance_summary AS c ON c.result_set = s.result_set
WHERE coalesce(s.collection, '') = $collection AND coalesce(s.round, '') = $round
    AND coalesce(s.organization, '') = $organization
ORDER BY s.system, s.benchmark, s.division
"""

TITLE = "Result sets"

HEADINGS = {"compliance": "Rules"}
