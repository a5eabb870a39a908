"""Table: every result set against the official reference."""

__all__ = ["COLUMNS", "EMPTY", "FILTERABLE", "HEADINGS", "IN_ORDER", "TITLE", "VIEW"]

COLUMNS = """
SELECT s.result_set, o.verdict, s.collection, s.round, s.division, s.organization, s.system,
    s.benchmark, c.global_batch_size, c.mean_converged, c.min_mean, c.reference_mean, c.unit,
    c.norm_factor, c.runs_not_converged, c.rcp_case, o.reason,
    o.path || coalesce(':' || o.line, '') AS evidence, c.counted_in, o.rule_set,
    o.rule_set_version, o.options, s.verification, s.kind
FROM official_rcp AS o
JOIN result_set AS s ON s.result_set = o.result_set
LEFT JOIN rcp_comparison AS c ON c.result_set = o.result_set AND c.is_pruned
"""
IN_ORDER = """
ORDER BY list_position(['invalid input', 'fail', 'pass', 'not judged'], o.verdict), s.round,
    s.benchmark, s.organization, s.system, s.collection
"""
VIEW = COLUMNS + IN_ORDER

TITLE = "Every result set against the reference"

EMPTY = "No result set is judged against a reference."

FILTERABLE = True

HEADINGS = {
    "rcp_case": "Case",
    "min_mean": "Least mean that passes",
    "mean_converged": "Mean to converge",
    "reference_mean": "Reference mean",
    "norm_factor": "Norm factor",
    "reason": "Why",
}
