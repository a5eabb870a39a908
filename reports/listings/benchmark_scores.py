"""Table: scores."""

PLACE = "benchmark"
ORDER = 1

VIEW = """
SELECT s.result_set, s.collection, s.round, s.division, s.organization, s.system, s.benchmark,
    s.nodes, s.accelerators, s.accelerator_model, s.score_min, s.score_scaled_min, c.compliance,
    s.mean_min, s.fastest_min, s.slowest_min, s.runs, s.runs_converged, s.runs_dropped,
    s.global_batch_size, s.epochs_to_converge, s.reason, s.verification, s.kind
FROM score AS s
LEFT JOIN compliance_summary AS c ON c.result_set = s.result_set
WHERE coalesce(benchmark, '') = $benchmark AND coalesce(round, '') = $round
    AND coalesce(division, '') = $division
ORDER BY score_min NULLS LAST, organization, system, collection
"""

TITLE = "Scores"

HEADINGS = {
    "mean_min": "Plain mean (min)",
    "score_scaled_min": "Scaled score (min)",
    "compliance": "Rules",
    "reason": "Why no score",
}
