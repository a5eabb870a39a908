"""Table: scaling of every family with several node counts."""

VIEW = """
SELECT collection, round, division, organization, family, system, benchmark, nodes, accelerators,
    score_min,
    ideal_min, speedup, efficiency_pct, throughput_efficiency_pct, convergence_efficiency_pct,
    overhead_efficiency_pct, global_batch_size, base_global_batch_size, is_like_for_like,
    is_printable, note,
    footnote, verification, kind
FROM scaling_printed
QUALIFY count(*) OVER (
    PARTITION BY collection, round, division, organization, family, benchmark
) > 1
ORDER BY round DESC, division, organization, family, benchmark, collection, nodes, system
"""

TITLE = "Scaling of every family with several node counts"

EMPTY = "No family has results at several node counts."

FILTERABLE = True
