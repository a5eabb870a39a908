"""One JSON document of fio with its rows, what was wrong in it, and what a break cost."""

from __future__ import annotations

from collections.abc import Iterator

from ingest.fio.detect import Text
from ingest.fio.json_entry import Place, disk_rows, entry_rows
from ingest.fio.json_reader import Document
from ingest.fio.records import FioTransfer
from ingest.fio.text_runs import Document as Result
from ingest.json_text import Node
from ingest.records import Problem, Row
from ingest.values import finite_number

SAME_START_S = 2.0
NO_ETA = 2**31 - 1  # what fio prints as eta where it cannot say
RERUN = "load the complete output, or run fio again"
OPTION_KEYS = ("job options", "global options")


class JsonDocument:
    """A document that was read; `result` holds its rows, not yet numbered."""

    def __init__(self, text: Text, document: Document) -> None:
        self.text, self.document, self.root = text, document, document.root
        self.place = Place(text.number_at)
        numbered = list(enumerate(document.elements(), start=1))
        self.whole = [node for _, node in numbered if node.is_closed]
        self.lost = [(number, node) for number, node in numbered if not node.is_closed]
        rows: list[Row] = []
        for number, element in numbered:
            if element.is_closed:
                rows += entry_rows(element, self.root, number, self.place)
        rows += disk_rows(self.root, self.place)
        self.result = self._result(rows)

    @property
    def is_whole(self) -> bool:
        """Whether the document could be read to its end."""
        return self.document.broken_at is None

    @property
    def seconds_left(self) -> float | None:
        """What fio expected the run to take yet; None at its end, or where it cannot say."""
        told = [self.place.number(node, "eta") for node in self.whole]
        return max((eta for eta in told if eta and eta < NO_ETA), default=None)

    def _result(self, rows: list[Row]) -> Result:
        start, end = self.document.start, self.document.end
        exact = self.place.number(self.root, "timestamp_ms", 0.001)
        return Result(
            form="json",
            line=self.text.number_at(start),
            last_line=self.text.number_at(max(end - 1, start)),
            version=self.root.text("fio version"),
            time_s=self.place.number(self.root, "timestamp") if exact is None else exact,
            is_client_server=self.root.member("client_stats") is not None,
            clients_named=_clients_listed(self.root),
            rows=rows,
            lost=None if self.is_whole else self._damage(),
            lost_lines=[] if self.is_whole else [self.text.number_at(self.document.broken_at or 0)],
        )

    def _damage(self) -> str:
        """Where the document breaks, and which entries that costs."""
        what = "is damaged" if self.document.later else "breaks off"
        line = self.text.number_at(self.document.broken_at or 0)
        names = [f"entry {number} ({node.text('jobname') or '?'})" for number, node in self.lost]
        lost = f"{', '.join(names)} and what follows" if names else "what follows"
        if self.document.later and names:
            lost = ", ".join(names)
        return (
            f"the document {what} on line {line}: {lost} is lost, {len(self.whole)} entries whole"
        )

    def settle_clients(self, named: int | None) -> None:
        """Takes the number of clients that the text before the document shows."""
        if self.root.member("jobs") is None and named is not None:
            self.result.is_client_server = True
        if self.result.is_client_server and named is not None:
            self.result.clients_named = max(named, self.result.clients_named or 0)

    def problems(self) -> Iterator[Problem]:
        """What was wrong with its values, and with it as a whole."""
        yield from self.place.problems
        yield from self._repeated()
        if self.is_whole and not self.whole:
            reason = "the document holds no entry: no job reported a result"
            yield Problem(self.result.line, "error", reason, RERUN)

    def _repeated(self) -> Iterator[Problem]:
        """Names given more than once: options keep all values, results the last one."""
        first: dict[tuple[str, str], int] = {}
        pending = [("", self.root), *(("", node) for node in self.document.later)]
        while pending:
            within, node = pending.pop()
            for member in node.repeated:
                if finite_number(member.name) is not None:
                    continue  # percentiles and bins are told elsewhere
                if within == "global options" and self._servers_agree(node, member.name):
                    continue
                key = (member.name, within if within in OPTION_KEYS else "")
                first[key] = min(member.offset, first.get(key, member.offset))
            for member in node.members:
                if isinstance(member.value, Node):
                    pending.append((member.name or within, member.value))
        for (name, within), offset in sorted(first.items(), key=lambda item: item[1]):
            yield self._given_twice(name, within, self.text.number_at(offset))

    def _servers_agree(self, node: Node, name: str) -> bool:
        """Whether a global option of client/server mode has one value, given by every server."""
        values = {repr(member.value) for member in node.members if member.name == name}
        return self.result.is_client_server and len(values) == 1

    def _given_twice(self, name: str, within: str, line: int) -> Problem:
        if not within:
            reason = f"{name!r} is given more than once: the last value is kept"
            return Problem(line, "warning", reason, RERUN)
        if within == "global options" and self.result.is_client_server:
            reason = f"option {name!r} differs between servers, and nothing says whose is which"
            return Problem(line, "info", reason, "use one job file for all, or fio 3.39 or later")
        reason = f"option {name!r} is given more than once: all values are kept as a list"
        return Problem(line, "info", reason, "nothing to do if the job file has it so")

    def is_snapshot_after(self, before: JsonDocument) -> bool:
        """Whether both are of one run: the same entries, begun at the same time.

        Without times of both, bytes that never shrink are taken for the same run.
        """
        own, other = self._names(), before._names()
        shared = min(len(own), len(other))
        if own[:shared] != other[:shared] or (
            self.is_whole and before.is_whole and len(own) != len(other)
        ):
            return False
        for ours, theirs in zip(self._starts_s(), before._starts_s(), strict=True):
            if ours is not None and theirs is not None:
                return abs(ours - theirs) <= SAME_START_S
        return not self.is_whole or self._bytes() >= before._bytes()

    def _names(self) -> list[tuple[str | None, int | None, str | None, int | None]]:
        return [
            (
                node.text("jobname"), self.place.whole(node, "groupid"),
                node.text("hostname"), self.place.whole(node, "port"),
            )
            for node in self.whole
        ]  # fmt: skip

    def _starts_s(self) -> tuple[float | None, float | None]:
        """When the first job began, and when fio did (client/server: the time that is printed)."""
        first = next(iter(self.document.elements()), None)
        job_start = self.place.number(first, "job_start", 0.001) if first else None
        if self.result.is_client_server:
            return job_start or None, self.result.time_s
        elapsed = self.place.number(first, "elapsed") if first else None
        if elapsed is None or self.result.time_s is None:
            return job_start or None, None
        return job_start or None, self.result.time_s - elapsed

    def _bytes(self) -> float:
        rows = self.result.rows
        return sum(row.bytes_moved or 0 for row in rows if isinstance(row, FioTransfer))


def _clients_listed(root: Node) -> int | None:
    """Distinct servers in the list of global options (3.39 and later)."""
    listed = root.node("global options", is_list=True)
    clients = set()
    for member in listed.members if listed else []:
        if isinstance(member.value, Node) and (host := member.value.text("hostname")):
            port = member.value.member("port")
            clients.add((host, str(port.value) if port else None))
    return len(clients) or None
