"""Table: every run, with its place in the log."""

PLACE = "benchmark"
ORDER = 3

VIEW = """
SELECT r.collection, r.round, r.division, r.organization, r.system, r.benchmark, r.run_number,
    r.time_to_train_min, r.status, r.is_counted, r.final_accuracy, r.epochs_to_converge,
    t.overall_samples_per_s, r.path || ':' || r.start_line AS start,
    r.path || ':' || r.stop_line AS stop, r.reason, t.definition, r.verification, r.kind
FROM run_result AS r
LEFT JOIN throughput AS t ON t.run_id = r.run_id
WHERE coalesce(r.benchmark, '') = $benchmark AND coalesce(r.round, '') = $round
    AND coalesce(r.division, '') = $division
ORDER BY r.organization, r.system, r.collection, r.run_number, r.path,
    r.run_id
"""

TITLE = "Every run, with its place in the log"

FILTERABLE = True

HEADINGS = {"run_number": "Run", "definition": "How the throughput is defined"}
