"""Table: published figures against the ones rebuilt from logs."""

VIEW = """
SELECT figure, system, benchmark, nodes, printed_value, round(rebuilt_value, 3) AS rebuilt_value,
    round(rebuilt_mean, 3) AS rebuilt_mean, round(difference, 3) AS difference, unit,
    difference_pct, status, note, legibility, rebuilt_from
FROM published_comparison
ORDER BY report, figure, benchmark, nodes, quantity, system, rebuilt_from
"""

TITLE = "Published figures against the ones rebuilt from logs"

EMPTY = "No published figure is on record."

HEADINGS = {
    "printed_value": "Printed",
    "rebuilt_value": "Rebuilt (olympic mean)",
    "rebuilt_mean": "Rebuilt (plain mean)",
    "legibility": "How the printed value was read",
}
