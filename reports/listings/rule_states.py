"""Table: result sets judged by one rule."""

PLACE = "rule"
ORDER = 1

VIEW = """
SELECT state AS verdict, count(*) AS result_sets, sum(failed) AS failed_verdicts, rule_set,
    rule_set_version
FROM compliance_state
WHERE rule = $rule
GROUP BY state, rule_set, rule_set_version
ORDER BY list_position(['error', 'invalid input', 'warning', 'info', 'waived', 'not judged',
    'pass'], state), rule_set
"""

TITLE = "Result sets in this database"

HEADINGS = {"rule_set_version": "Version", "failed_verdicts": "Findings, or runs that fail"}
