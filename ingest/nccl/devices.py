"""The list of devices: one line a rank, and what it tells about ranks and nodes.

Source: `common.cu` of NVIDIA/nccl-tests v1.0.0 to v2.19.6, ROCm/rccl-tests.
"""

from __future__ import annotations

import re

from ingest.lines import readable
from ingest.nccl.records import NcclDevice

DEVICE = re.compile(
    rb"\bRank +(\d{1,7}) +(?:Group +(\d{1,7}) +)?(?:Pid +-?\d+ +)?on +(?:(\S+) +)?"
    rb"device +(\d{1,4})(?: +\[([0-9A-Fa-fx:.]{1,20})\])?(?: +([^\n\[]{1,120}[^\n]*)|\s*$)"
)
CUT = re.compile(rb"\bRank +\d{1,7} +(?:Group|Pid|on)\b.*\.\.\.\s*$")
MARKUP = b" \t`\"',|\\"


def device_in(line: int, text: bytes, attempt: int) -> NcclDevice | None:
    """The device that a line tells, None for another line."""
    found = DEVICE.search(text) if b"Rank " in text else None
    if not found:
        return None
    rank, group, host, device, bus_id, name = found.groups()
    shown = readable((name or b"").strip(MARKUP)).strip()[:120]
    return NcclDevice(
        line, attempt, int(rank), int(group) if group else None,
        readable(host) if host else None, int(device), bus_id.decode() if bus_id else None,
        shown or None,
    )  # fmt: skip


def is_cut(text: bytes) -> bool:
    """Whether the test cut its list of devices here, at 2048 bytes for each process."""
    return b"..." in text and CUT.search(text) is not None


def ranks_in(devices: list[NcclDevice], devices_of_process: int) -> int | None:
    """The number of ranks; None where the list has gaps or ends inside a process."""
    ranks = {each.rank for each in devices}
    is_whole = bool(ranks) and ranks == set(range(len(ranks)))
    return len(ranks) if is_whole and len(ranks) % devices_of_process == 0 else None


def nodes_in(devices: list[NcclDevice]) -> int | None:
    """The number of distinct hosts; None where a host name is blank."""
    hosts = {each.host for each in devices}
    return len(hosts) if hosts and None not in hosts else None
