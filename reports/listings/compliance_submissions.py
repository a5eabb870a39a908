"""Table: every submission and how it stands."""

VIEW = """
SELECT s.collection, s.round, s.organization, s.collection AS loaded_as,
    count(*) AS result_sets,
    count(*) FILTER (c.errors + c.invalid_inputs + c.warnings = 0) AS without_open_findings,
    sum(c.errors) AS errors, sum(c.invalid_inputs) AS invalid_inputs,
    sum(c.warnings) AS warnings, sum(c.infos) AS infos, sum(c.waived) AS waived,
    sum(c.not_judged) AS not_judged
FROM result_set AS s
JOIN compliance_summary AS c ON c.result_set = s.result_set
GROUP BY s.collection, s.round, s.organization
ORDER BY s.round DESC, s.organization, s.collection
"""

TITLE = "Submissions"

EMPTY = "The database holds no submission yet."

FILTERABLE = True

HEADINGS = {"loaded_as": "Collection", "infos": "For information"}
