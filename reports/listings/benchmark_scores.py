"""Table: scores."""

PLACE = "benchmark"
ORDER = 1

VIEW = """
SELECT collection, round, division, organization, system, benchmark, nodes, accelerators,
    accelerator_model, score_min,
    score_scaled_min, mean_min, fastest_min, slowest_min, runs, runs_converged, runs_dropped,
    global_batch_size,
    epochs_to_converge, reason, verification, kind
FROM score
WHERE coalesce(benchmark, '') = $benchmark AND coalesce(round, '') = $round
    AND coalesce(division, '') = $division
ORDER BY score_min NULLS LAST, organization, system, collection
"""

TITLE = "Scores"

HEADINGS = {
    "mean_min": "Plain mean (min)",
    "score_scaled_min": "Scaled score (min)",
    "reason": "Why no score",
}
