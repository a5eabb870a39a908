"""Table: the result sets of one benchmark against the official reference."""

from reports.listings.rcp_results import COLUMNS, EMPTY, HEADINGS, IN_ORDER

__all__ = ["EMPTY", "HEADINGS", "ORDER", "PLACE", "TITLE", "VIEW"]

PLACE = "benchmark"
ORDER = 4

VIEW = f"""{COLUMNS}
WHERE coalesce(s.benchmark, '') = $benchmark AND coalesce(s.round, '') = $round
    AND coalesce(s.division, '') = $division AND o.verdict <> 'not judged'
{IN_ORDER}"""

TITLE = "Convergence against the reference"
