"""Table: description."""

PLACE = "system"
ORDER = 1

VIEW = """
WITH one AS (
    SELECT DISTINCT * EXCLUDE (fields) FROM system_scale
    WHERE coalesce(collection, '') = $collection AND coalesce(round, '') = $round
        AND coalesce(organization, '') = $organization AND coalesce(system, '') = $system
), named AS (
    UNPIVOT (SELECT COLUMNS(*)::VARCHAR FROM one)
    ON COLUMNS(* EXCLUDE (collection)) INTO NAME property VALUE value
)
SELECT property, value FROM named
"""

TITLE = "Description"

EMPTY = "No system description is loaded for this system."
