"""Table: where the data comes from."""

VIEW = """
SELECT c.title, c.kind, c.verification, c.licence, c.url, c.retrieved::VARCHAR AS retrieved,
    c.note
FROM collection AS c
ORDER BY c.collection
"""

TITLE = "Where the data comes from"

EMPTY = "Only logs without a source description are loaded."
