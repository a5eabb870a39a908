"""Table: dell v1.1: scaling efficiency and where the loss comes from."""

VIEW = """
SELECT collection, round, division, organization, system, benchmark, nodes, accelerators,
    score_min, speedup,
    efficiency_pct, throughput_efficiency_pct, convergence_efficiency_pct,
    overhead_efficiency_pct,
    epochs_to_converge, samples_to_converge, training_samples_per_s, global_batch_size,
    is_like_for_like,
    is_printable, note, footnote, verification, kind
FROM scaling_printed
WHERE organization = 'Dell' AND round = 'v1.1' AND division = 'closed'
QUALIFY count(*) OVER (PARTITION BY collection, family, benchmark) > 1
ORDER BY family, benchmark, collection, nodes, system
"""

TITLE = "Dell v1.1: scaling efficiency and where the loss comes from"

HIDE = ("scope", "organization", "round", "division")
