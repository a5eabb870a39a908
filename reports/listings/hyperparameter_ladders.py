"""Table: families with several node counts, and whether their hyperparameters agree."""

VIEW = """
WITH differences AS (
    SELECT b.ladder,
        count(*) FILTER (d.severity = 'error') AS errors,
        count(*) FILTER (d.severity = 'warning') AS warnings,
        count(*) FILTER (d.severity = 'info') AS explained
    FROM hyperparameter_difference AS d
    JOIN scaling_base AS b ON b.result_set = d.result_set
    GROUP BY b.ladder
)
SELECT b.ladder, 'compare' AS hyperparameters, s.collection, s.round, s.division, s.organization,
    b.family, s.benchmark,
    array_to_string(list_sort(list_distinct(list(b.nodes))), ', ') AS node_counts,
    coalesce(any_value(d.errors), 0) AS errors, coalesce(any_value(d.warnings), 0) AS warnings,
    coalesce(any_value(d.explained), 0) AS explained, s.verification, s.kind
FROM scaling_base AS b
JOIN result_set AS s ON s.result_set = b.result_set
LEFT JOIN differences AS d ON d.ladder = b.ladder
GROUP BY b.ladder, s.collection, s.round, s.division, s.organization, b.family, s.benchmark,
    s.verification, s.kind
ORDER BY errors DESC, warnings DESC, s.round, s.organization, b.family, s.benchmark, s.collection
"""

TITLE = "Families with several node counts"

EMPTY = "No system is in the database at several node counts."

FILTERABLE = True

HIDE = ("ladder",)
