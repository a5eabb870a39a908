"""Table: what a person says of the storage system, in the source.toml."""

PLACE = "storage_system"
ORDER = 1

VIEW = """
WITH one AS (
    SELECT title, storage, storage_nodes AS "storage nodes",
        link_gbit_s AS "link of a client, Gbit/s",
        client_memory_gib AS "memory of a client, GiB", client_cores AS "cores of a client",
        kind, verification, licence, url, retrieved, note
    FROM collection
    WHERE collection = $collection AND EXISTS (
        FROM fio_result WHERE collection = $collection AND system = $system)
), named AS (
    UNPIVOT (SELECT COLUMNS(*)::VARCHAR FROM one) ON COLUMNS(*) INTO NAME property VALUE value
)
SELECT property, trim(value) AS value FROM named
"""

TITLE = "Description"

EMPTY = "No source.toml says what this storage system is."
