"""Which terse lines of a file belong together: to one document, to snapshots of one run, to runs.

Terse lines bear no time and no process. Lines of one document show the same disks; a later
snapshot (`--status-interval`) of a job never shows less I/O, less run time or a narrower range of
latencies, as all of it counts from the start of the job.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ingest.fio.terse_line import Block, TerseLine

LEAST_GROWTH_MS = 100


@dataclass(slots=True)
class Printed:
    """A terse line and where it stands.

    `is_fresh`: fio started anew between the line before and this one. `loose_disks` are the lines
    behind it that hold a disk each.
    """

    number: int
    last_number: int
    text: str
    terse: TerseLine
    is_fresh: bool
    loose_disks: list[tuple[int, list[str]]] = field(default_factory=list)


def series(lines: Sequence[Printed], is_client_server: bool) -> list[list[list[Printed]]]:
    """Runs, each a list of its documents in order, each a list of its lines."""
    runs: list[list[list[Printed]]] = []
    for group in _split(lines, _starts_anew):
        if is_client_server:
            runs.append([group])
        else:
            runs += _runs(group)
    return runs


def is_ambiguous(document: Sequence[Printed]) -> bool:
    """Whether lines of one name may be clones or runs appended to the file: no disk tells."""
    names = {(each.terse.name, each.terse.group_id) for each in document}
    return len(names) < len(document) and not any(each.terse.disks for each in document)


def _runs(group: list[Printed]) -> list[list[list[Printed]]]:
    snapshots = _snapshots(group)
    if snapshots:
        return [snapshots]
    runs: list[list[list[Printed]]] = []
    for piece in _split(group, _cannot_follow):
        snapshots = _snapshots(piece)
        runs += [snapshots] if snapshots else [[part] for part in _split(piece, _other_disks)]
    return runs


def _split(
    lines: Sequence[Printed], is_start: Callable[[list[Printed], Printed], bool]
) -> list[list[Printed]]:
    parts: list[list[Printed]] = []
    for line in lines:
        if parts and not is_start(parts[-1], line):
            parts[-1].append(line)
        else:
            parts.append([line])
    return parts


def _starts_anew(before: list[Printed], line: Printed) -> bool:
    return line.is_fresh or before[-1].terse.version != line.terse.version


def _other_disks(before: list[Printed], line: Printed) -> bool:
    old, new = before[-1].terse.disks, line.terse.disks
    return bool(old and new) and old != new


def _cannot_follow(before: list[Printed], line: Printed) -> bool:
    """Whether another document begins here that is no snapshot of the job's line before."""
    terse = line.terse
    names = (terse.name, terse.group_id)
    earlier = (each.terse for each in reversed(before))
    same = next((each for each in earlier if (each.name, each.group_id) == names), None)
    if same and _grows(same, terse):
        return False
    is_back = same is not None and terse.group_id < before[-1].terse.group_id
    return is_back or _other_disks(before, line)


def _snapshots(lines: list[Printed]) -> list[list[Printed]] | None:
    """The documents of a run that printed several, None for lines of a single one."""
    for size in range(1, len(lines) // 2 + 1):
        later = range(size, len(lines))
        if all(_may_repeat(lines[at - size].terse, lines[at].terse) for at in later):
            growth = sum(_growth_ms(lines[at - size].terse, lines[at].terse) for at in later)
            if growth >= LEAST_GROWTH_MS:
                return [lines[at : at + size] for at in range(0, len(lines), size)]
    return None


def _may_repeat(old: TerseLine, new: TerseLine) -> bool:
    is_same_time = bool(old.disks) and old.disks == new.disks
    return (
        (old.name, old.group_id) == (new.name, new.group_id)
        and not is_same_time
        and _grows(old, new)
    )


def _growth_ms(old: TerseLine, new: TerseLine) -> int:
    return max(0, _runtime_ms(new) - _runtime_ms(old))


def _runtime_ms(line: TerseLine) -> int:
    return max((int(block.transfer[3]) for block in line.blocks if block.transfer), default=0)


def _grows(old: TerseLine, new: TerseLine) -> bool:
    """Whether all of `new` can be a later state of `old`."""
    disks = {disk[0]: (int(disk[1]), int(disk[2])) for disk in new.disks}
    for name, read_ios, write_ios, *_ in old.disks:
        reads, writes = disks.get(name, (int(read_ios), int(write_ios)))
        if reads < int(read_ios) or writes < int(write_ios):
            return False
    return all(_block_grows(*pair) for pair in zip(old.blocks, new.blocks, strict=False))


def _block_grows(old: Block, new: Block) -> bool:
    amounts = zip(old.transfer[::3], new.transfer[::3], strict=False)
    ranges = ((old.slat, new.slat), (old.clat, new.clat), (old.lat, new.lat))
    return all(int(a) <= int(b) for a, b in amounts) and all(
        not (a and b) or not int(a[1]) or (int(b[0]) <= int(a[0]) and int(a[1]) <= int(b[1]))
        for a, b in ranges
    )
