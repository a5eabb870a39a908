"""Table: place in its family."""

PLACE = "system"
ORDER = 3

VIEW = """
SELECT collection, round, division, organization, family, system, benchmark, nodes, accelerators,
    base_system, speedup, efficiency_pct,
    throughput_efficiency_pct, convergence_efficiency_pct, overhead_efficiency_pct,
    is_like_for_like, is_printable,
    note, footnote, verification, kind
FROM scaling_printed
WHERE coalesce(collection, '') = $collection AND coalesce(round, '') = $round
    AND coalesce(organization, '') = $organization AND coalesce(system, '') = $system
    AND system <> base_system
ORDER BY division, benchmark
"""

TITLE = "Place in its family"

EMPTY = "No smaller system of its family has a result for the same benchmark."
