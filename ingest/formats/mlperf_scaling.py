"""`scaling.json`: the factor MLCommons multiplies a score by, so that it matches the reference.

Source: mlcommons/logging `rcp_checker` (written by package_checker from tag 2.1.0 on); it stands
in the folder of a result set and applies to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath

from ingest.lines import as_utf8
from ingest.records import Problem, Record, ScalingFactor
from ingest.values import finite_number

NAME = "mlperf_scaling"
DESCRIPTION = "MLPerf Training score scaling factor (scaling.json, rounds from v2.0)"
VERSION = 1
RUN_KIND = None


def claims(head: bytes, name: str) -> bool:
    """True for any file called scaling.json."""
    return PurePosixPath(name).name == "scaling.json"


def parse(data: bytes, name: str) -> Iterator[Record]:
    """The factor, or a Problem that says why there is none."""
    try:
        factor = finite_number(json.loads(as_utf8(data))["scaling_factor"])
    except (ValueError, KeyError, TypeError, RecursionError):
        factor = None
    if factor is None or factor <= 0:
        reason = "no positive number called scaling_factor in it; the score stays raw"
        yield Problem(1, "error", reason, 'write {"scaling_factor": NUMBER}')
    else:
        yield ScalingFactor(factor)
