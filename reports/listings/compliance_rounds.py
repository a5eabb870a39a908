"""Table: how many result sets of each round pass everything."""

VIEW = """
SELECT s.round, s.collection AS loaded_as, count(*) AS result_sets,
    count(*) FILTER (c.errors + c.invalid_inputs + c.warnings + c.infos + c.waived = 0)
        AS pass_everything,
    count(*) FILTER (c.errors > 0) AS with_errors,
    count(*) FILTER (c.invalid_inputs > 0) AS with_invalid_input,
    count(*) FILTER (c.errors + c.invalid_inputs = 0 AND c.warnings > 0) AS warnings_only,
    count(*) FILTER (c.waived > 0) AS with_waivers,
    count(*) FILTER (s.result_set NOT IN (
        SELECT result_set FROM compliance_state
        WHERE starts_with(rule, 'official_') AND state <> 'not judged'
    )) AS without_official_verdict
FROM result_set AS s
JOIN compliance_summary AS c ON c.result_set = s.result_set
GROUP BY s.round, s.collection
ORDER BY s.round DESC, s.collection
"""

TITLE = "Rounds at a glance"

EMPTY = "The database holds no result set yet."

HEADINGS = {"loaded_as": "Collection", "with_errors": "With errors"}
