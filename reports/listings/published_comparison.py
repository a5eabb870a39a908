"""Table: published figures against the ones rebuilt from logs."""

VIEW = """
SELECT report, figure, organization, round, division, system, benchmark, nodes, quantity,
    printed_value, rebuilt_value, rebuilt_mean,
    unit, difference, difference_pct,
    status, rebuilt_from, where_printed, legibility, note
FROM published_comparison
ORDER BY report, figure, benchmark, nodes, quantity, system, rebuilt_from
"""

TITLE = "Published figures against the ones rebuilt from logs"

EMPTY = "No published figure is on record."

HEADINGS = {"printed_value": "Printed", "rebuilt_value": "Rebuilt"}

HIDE = ("report", "organization", "round", "division")
