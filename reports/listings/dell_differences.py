"""Table: dell v1.1: hyperparameters that differ between node counts of one family."""

VIEW = """
SELECT d.severity, s.collection, s.benchmark, s.system, o.system AS other_system, d.is_same_batch,
    d.key, d.value, d.other_value, d.reason, d.path || ':' || d.line AS evidence,
    d.other_path || ':' || d.other_line AS other_evidence
FROM hyperparameter_difference AS d
JOIN result_set AS s ON s.result_set = d.result_set
JOIN result_set AS o ON o.result_set = d.other_set
WHERE s.organization = 'Dell' AND s.round = 'v1.1' AND d.scope = 'across node counts'
ORDER BY CASE d.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END,
    s.benchmark, s.system, o.system, s.collection, d.key, d.path, d.line,
    d.other_path, d.other_line
"""

TITLE = "Dell v1.1: hyperparameters that differ between node counts of one family"

EMPTY = "No hyperparameter differs."

FILTERABLE = True

HIDE = ("scope", "organization", "round", "division")
