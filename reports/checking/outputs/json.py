"""A list of findings for programs."""

from __future__ import annotations

import json

from reports.checking.findings import Found


def written(found: Found) -> str:
    """One object a finding; `change` where two databases are compared."""
    return json.dumps(found.findings, ensure_ascii=False, indent=1)
