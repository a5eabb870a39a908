"""Table: waivers, each beside the findings that it accepts."""

VIEW = """
SELECT w.status, w.rule, coalesce(f.subject, w.subject) AS subject,
    coalesce(f.message, 'no such finding') AS message, w.reason, w.author,
    w.since::VARCHAR AS since, w.until::VARCHAR AS until,
    f.path || coalesce(':' || f.line, '') AS evidence
FROM waiver_status AS w
LEFT JOIN finding AS f ON f.rule = w.rule
    AND w.subject IN (f.subject, split_part(f.subject, '@', 1))
ORDER BY w.status = 'active', w.rule, w.subject, w.line, f.subject, evidence, f.message
"""

TITLE = "Waivers"

EMPTY = "There is no waiver."

FILTERABLE = True

HEADINGS = {"until": "Ends", "message": "Finding", "reason": "Why it is accepted"}
