"""Table: results in the database, newest round first."""

VIEW = """
SELECT s.round, s.division, c.title AS source, s.kind, s.verification,
    count(DISTINCT s.organization) AS organizations, count(DISTINCT s.system) AS systems,
    count(*) AS result_sets, count(s.score_min) AS with_score, sum(s.runs)::BIGINT AS runs,
    max(s.first_started_at)::DATE::VARCHAR AS last_started
FROM score AS s
LEFT JOIN collection AS c ON c.collection = s.collection
GROUP BY s.collection, s.round, s.division, c.title, s.kind, s.verification
ORDER BY s.round DESC, s.division, source
"""

TITLE = "Results in the database, newest round first"

EMPTY = (
    "The database holds no result yet. Load logs with `levelbook load FOLDER`, then build again."
)

HEADINGS = {"with_score": "With a score", "last_started": "Last run started (UTC)"}
