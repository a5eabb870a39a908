"""What a `-J` document says of how the test was run: devices, parameters, environment.

Source: `writeDeviceReport` and `jsonOutputInit` in `util.cu` of nccl-tests 2.17.3 to 2.19.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ingest.json_text import Node
from ingest.nccl.json_values import whole
from ingest.nccl.records import NcclDevice
from ingest.nccl.secrets import KEPT_VARIABLES
from ingest.values import json_text

BANNER_NAMES = {  # as the text table names them
    "nthreads": "nThread",
    "ngpus": "nGpus",
    "minimum_bytes": "minBytes",
    "maximum_bytes": "maxBytes",
    "warmup_iters": "warmup iters",
    "iterations": "iters",
    "aggregated_iterations": "agg iters",
}
KEPT_OF_ROOT = ("version", "start_time", "end_time")


def objects(found: Node | None) -> list[Node]:
    """The objects in a list, one that breaks off included."""
    values = [member.value for member in found.members] if found else []
    return [value for value in values if isinstance(value, Node) and not value.is_list]


def texts(found: Node | None) -> list[str]:
    """The strings in a list."""
    values = [member.value for member in found.members] if found else []
    return [value for value in values if isinstance(value, str)]


def devices(config: Node, line_at: Callable[[int], int], attempt: int) -> Iterator[NcclDevice]:
    """The devices that are listed whole: of a process with several GPUs only the first one."""
    for node in objects(config.node("devices", is_list=True)):
        rank = whole(node, "rank", 0)
        if rank is not None and node.is_closed:
            yield NcclDevice(
                line=line_at(node.offset),
                attempt=attempt,
                rank=rank,
                group=whole(node, "group"),
                host=(node.text("hostname") or "").strip() or None,
                device=whole(node, "device"),
                bus_id=node.text("device_hex") or None,
                name=node.text("device_info") or None,
            )


def ranks_listed(config: Node) -> int | None:
    """The number of devices; None where a process has several and only its first is listed."""
    listed = _whole_list(config)
    per_process = (whole(config, "nthreads", 1), whole(config, "ngpus", 1))
    return len(listed) if listed and per_process == (1, 1) else None


def nodes_listed(config: Node) -> int | None:
    """The number of different hosts: every process lists its own."""
    hosts = {(node.text("hostname") or "").strip() for node in _whole_list(config)}
    return len(hosts) if hosts and "" not in hosts else None


def _whole_list(config: Node) -> list[Node]:
    found = config.node("devices", is_list=True)
    return objects(found) if found and found.is_closed else []


def settings(root: Node, config: Node) -> str | None:
    """JSON: the parameters under the names of the banner, the arguments, and the times."""
    found: dict[str, Any] = {
        f"json {name}" if name == "version" else name: member.value
        for name in KEPT_OF_ROOT
        if (member := root.member(name)) and not isinstance(member.value, Node)
    }
    if arguments := texts(root.node("args", is_list=True)):
        found["args"] = arguments
    for member in config.members:
        if not isinstance(member.value, Node):
            found[BANNER_NAMES.get(member.name, member.name)] = member.value
    for name, unit in (("step_factor", "factor"), ("step_bytes", "bytes")):
        if (step := whole(config, name)) is not None:
            found["step"] = f"{step}({unit})"
    return json_text(found)[0] if found else None


def environment(root: Node) -> str | None:
    """JSON: the variables that concern the communication; no other one is kept."""
    kept = {}
    for text in texts(root.node("env", is_list=True)):
        name, equals, value = text.partition("=")
        if equals and name.encode("utf-8", "replace").startswith(KEPT_VARIABLES):
            kept[name] = value
    return json_text(kept)[0] if kept else None
