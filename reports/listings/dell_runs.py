"""Table: every run behind the figures, with its place in the log."""

VIEW = """
SELECT r.collection, r.round, r.division, r.organization, r.system, r.benchmark, r.nodes,
    r.run_number, r.time_to_train_min, r.status,
    r.is_counted, r.path || ':' || r.start_line AS start, r.path || ':' || r.stop_line AS stop,
    r.verification, r.kind
FROM run_result AS r
WHERE r.organization = 'Dell' AND r.round = 'v1.1'
    AND (r.benchmark = 'resnet' AND r.system LIKE '%R750xa%' OR r.system LIKE '%XE8545%')
ORDER BY r.system, r.benchmark, r.collection, r.run_number, r.path, r.run_id
"""

TITLE = "Every run behind the figures, with its place in the log"

FILTERABLE = True

HIDE = ("scope", "organization", "round", "division")
