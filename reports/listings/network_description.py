"""Table: what a person says of the network system, in the source.toml."""

PLACE = "network_system"
ORDER = 1

VIEW = """
WITH one AS (
    SELECT title, kind, verification, licence, url, retrieved, note
    FROM collection
    WHERE collection = $collection AND EXISTS (
        FROM nccl_run WHERE collection = $collection AND system = $system)
), named AS (
    UNPIVOT (SELECT COLUMNS(*)::VARCHAR FROM one) ON COLUMNS(*) INTO NAME property VALUE value
)
SELECT property, trim(value) AS value FROM named
"""

TITLE = "Description"

EMPTY = "No source.toml says what this system is."
