"""Table: results."""

PLACE = "system"
ORDER = 2

VIEW = """
SELECT s.result_set, s.collection, s.round, s.division, s.organization, s.system, s.benchmark,
    s.nodes, s.accelerators, s.score_min, s.score_scaled_min, c.compliance, s.mean_min,
    s.fastest_min, s.slowest_min, s.runs, s.runs_converged, s.global_batch_size,
    s.epochs_to_converge, s.reason, s.verification, s.kind
FROM score AS s
LEFT JOIN compliance_summary AS c ON c.result_set = s.result_set
WHERE coalesce(collection, '') = $collection AND coalesce(round, '') = $round
    AND coalesce(organization, '') = $organization AND coalesce(system, '') = $system
ORDER BY division, benchmark
"""

TITLE = "Results"

EMPTY = "No result of this system is loaded."

HEADINGS = {"mean_min": "Plain mean (min)", "compliance": "Rules", "reason": "Why no score"}
