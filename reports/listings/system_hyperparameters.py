"""Table: hyperparameters."""

PLACE = "system"
ORDER = 5

VIEW = """
SELECT s.division, s.benchmark, h.key, h.value, h.values_count AS distinct_values,
    h.runs, h.path || ':' || h.line AS evidence
FROM hyperparameter_set AS h
JOIN result_set AS s ON s.result_set = h.result_set
WHERE coalesce(s.collection, '') = $collection AND coalesce(s.round, '') = $round
    AND coalesce(s.organization, '') = $organization AND coalesce(s.system, '') = $system
ORDER BY s.division, s.benchmark, h.key
"""

TITLE = "Hyperparameters"

EMPTY = "No hyperparameter is logged."

FILTERABLE = True
