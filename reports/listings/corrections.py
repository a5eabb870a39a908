"""Table: corrections."""

VIEW = """
SELECT correction, organization, round, division, system, benchmark, quantity,
    expect AS expected, printed, reason,
    author, since::VARCHAR AS since
FROM correction
ORDER BY correction
"""

TITLE = "Corrections"

EMPTY = "There is no correction."
