"""Table: waivers."""

VIEW = """
SELECT rule, subject, status, reason, author, since::VARCHAR AS since, until::VARCHAR AS until
FROM waiver_status
ORDER BY rule, subject, line
"""

TITLE = "Waivers"

EMPTY = "There is no waiver."

HEADINGS = {"until": "Ends"}
