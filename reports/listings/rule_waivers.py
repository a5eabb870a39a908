"""Table: waivers of one rule."""

PLACE = "rule"
ORDER = 3

VIEW = """
SELECT subject, status, reason, author, since::VARCHAR AS since, until::VARCHAR AS until
FROM waiver_status
WHERE rule = $rule
ORDER BY subject, line
"""

TITLE = "Waivers"

HEADINGS = {"until": "Ends"}
