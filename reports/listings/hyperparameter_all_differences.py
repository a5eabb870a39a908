"""Table: every difference of one ladder of node counts, with both lines."""

PLACE = "hyperparameters"

VIEW = """
SELECT s.collection, s.round, s.division, s.organization, s.benchmark, d.severity, s.system,
    o.system AS other_system, d.scope, d.key, d.value, d.other_value, d.reason,
    d.path || ':' || d.line AS evidence, d.other_path || ':' || d.other_line AS other_evidence,
    d.is_same_batch, s.verification, s.kind
FROM hyperparameter_difference AS d
JOIN scaling_base AS b ON b.result_set = d.result_set
JOIN result_set AS s ON s.result_set = d.result_set
LEFT JOIN result_set AS o ON o.result_set = d.other_set
WHERE b.ladder = $ladder
ORDER BY list_position(['error', 'warning', 'info'], d.severity), b.scale, s.system, d.key,
    o.system, d.scope
"""

TITLE = "Every difference, with both lines"

EMPTY = "All that is compared is the same."

FILTERABLE = True

HEADINGS = {"is_same_batch": "Same batch size", "other_value": "There"}

HIDE = ("round", "division", "organization", "benchmark", "verification", "kind")
