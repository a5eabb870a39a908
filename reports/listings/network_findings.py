"""Table: findings about one network system."""

from reports.listings.storage_findings import COLUMNS, EMPTY, FILTERABLE, IN_ORDER, TITLE

__all__ = ["EMPTY", "FILTERABLE", "ORDER", "PLACE", "TITLE", "VIEW"]

PLACE = "network_system"
ORDER = 6

VIEW = f"""{COLUMNS}
WHERE path IN (SELECT path FROM nccl_run WHERE collection = $collection AND system = $system)
{IN_ORDER}"""
