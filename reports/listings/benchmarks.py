"""Table: benchmarks."""

VIEW = """
SELECT benchmark, any_value(benchmark_title) AS title,
    count(*) AS result_sets, count(score_min) AS with_score,
    count(DISTINCT (round, organization, system)) AS systems, min(round) AS first_round,
    max(round) AS last_round
FROM score
GROUP BY benchmark
ORDER BY benchmark
"""

TITLE = "Benchmarks"
