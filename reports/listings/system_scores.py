"""Table: results."""

PLACE = "system"
ORDER = 2

VIEW = """
SELECT collection, round, division, organization, system, benchmark, nodes, accelerators,
    score_min, score_scaled_min, mean_min,
    fastest_min, slowest_min, runs, runs_converged, global_batch_size, epochs_to_converge,
    reason, verification, kind
FROM score
WHERE coalesce(collection, '') = $collection AND coalesce(round, '') = $round
    AND coalesce(organization, '') = $organization AND coalesce(system, '') = $system
ORDER BY division, benchmark
"""

TITLE = "Results"

EMPTY = "No result of this system is loaded."

HEADINGS = {"mean_min": "Plain mean (min)", "reason": "Why no score"}
