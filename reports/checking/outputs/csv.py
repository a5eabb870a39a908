"""Findings for spreadsheets."""

from __future__ import annotations

import csv
import io

from reports.checking.findings import COLUMNS, Found


def written(found: Found) -> str:
    """One row a finding; `change` where two databases are compared."""
    text = io.StringIO()
    columns = (*COLUMNS, "change") if found.is_compared else COLUMNS
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows(found.findings)
    return text.getvalue().rstrip("\n")
