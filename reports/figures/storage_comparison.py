"""The series that was measured on the most storage systems, for the page of all of them."""

from reports.figures.storage_compare import CAPTION, CURVES, alt_text, chart

__all__ = ["CAPTION", "TITLE", "VIEW", "alt_text", "chart"]

VIEW = f"""
WITH shared AS (
    SELECT series, direction, held FROM fio_curve
    WHERE axis = 'jobs'
    GROUP BY series, direction, held
    HAVING count(DISTINCT (collection, system)) > 1
    ORDER BY count(DISTINCT (collection, system)) DESC, count(*) DESC, series, direction, held
    LIMIT 1
)
{CURVES}"""

TITLE = "The job file that was run on the most storage systems"
