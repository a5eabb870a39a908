"""Which bytes are in the database already, and what they were said to be."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from ingest.layout import Identity

KNOWN = """
select s.sha256, coalesce(s.format, ''), s.source_id, s.path, s.place, s.collection,
    r.system is not null, coalesce(r.round, d.round)
from source s
left join (
    select source_id, max(system) as system, max(round) as round from run group by source_id
) r using (source_id)
left join (
    select source_id, round from system union all select source_id, round from scaling_factor
    union all select distinct source_id, round from checker_flag
    union all select distinct source_id, round from claimed_score
) d using (source_id)
order by s.source_id
"""


@dataclass(slots=True)
class Known:
    """A file in the database, or taken up in this load: `place` is the result it claims to be."""

    source_id: int
    path: str
    place: str
    collection: str
    has_system: bool
    round: str | None


KnownFiles = dict[tuple[str, str], list[Known]]


def known_files(connection: duckdb.DuckDBPyConnection) -> KnownFiles:
    """What is in the database, by fingerprint and format ("" for files that no format claims)."""
    known: KnownFiles = {}
    for sha256, format_name, *rest in connection.execute(KNOWN).fetchall():
        known.setdefault((sha256, format_name), []).append(Known(*rest))
    return known


def already(same: list[Known], is_log: bool, identity: Identity, collection: str) -> Known | None:
    """The file that holds these bytes already, if loading them again would add nothing.

    A log with the same bytes under the name of another run, system or round is kept, because it
    claims to be another result; its status is `duplicate`. One that named no system before is the
    same log. A description counts once for each system and round.
    """
    for earlier in same:
        is_same_round = None in (earlier.round, identity.round) or earlier.round == identity.round
        is_same_place = is_same_round and earlier.place == identity.place
        if not is_log:
            is_same_place = is_same_place and earlier.collection == collection
        elif not identity.is_official_name or not earlier.has_system:
            return earlier
        if is_same_place:
            return earlier
    return None
