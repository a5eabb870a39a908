"""Table: scaling efficiency and its factors."""

PLACE = "benchmark"
ORDER = 2

VIEW = """
SELECT collection, round, division, organization, family, system, benchmark, nodes, accelerators,
    score_min, speedup,
    efficiency_pct, throughput_efficiency_pct, convergence_efficiency_pct,
    overhead_efficiency_pct, global_batch_size,
    is_like_for_like, is_printable, note, footnote, verification, kind
FROM scaling_printed
WHERE coalesce(benchmark, '') = $benchmark AND coalesce(round, '') = $round
    AND coalesce(division, '') = $division
QUALIFY count(*) OVER (PARTITION BY collection, organization, family) > 1
ORDER BY organization, family, collection, nodes, system
"""

TITLE = "Scaling efficiency and its factors"

EMPTY = "No family has results at several node counts."
