"""What fio says in words beside its numbers: errors, signals, lost clients, and its job lines.

Source: `log_err`, `log_info` and `client.c` of axboe/fio 2.1 to 3.42. In client/server mode each
line of a server begins with `<host> `.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ingest.fio.records import FioNote, NoteKind
from ingest.lines import Line, readable
from ingest.records import EXCERPT_CHARACTERS, Problem

LONGEST_LINE = 4096  # patterns are run on no more of a line
HOST = re.compile(rb"<([^<>\s]{1,253})>(?: |$)")
ETA = re.compile(rb"Jobs: \d+ \(f=\d+\).*?(?:\[eta [^\]\r]*\]?|(?=Jobs: )|\r|$)")
JOB = re.compile(rb"(?:<([^<>\s]+)> )?([^\r\n]*?): \(g=(\d+)\): rw=(\w+),? ?")
# a line of words that another process printed into the middle of a JSON document
INTERJECTED = re.compile(
    rb"^(?:<[^<>\s]+> )?(?:fio: |note: |verify: |client[: ]|Jobs: \d)[^\n]*", re.MULTILINE
)
RESULT_HEAD = re.compile(rb"\(groupid=\d+, jobs=\d+\): err=")
OWN_WORDS = re.compile(  # what fio prints about every run
    rb"fio-\d+\.\d[\w.-]*$|Starting \d+ (?:process|thread)|.*: Laying out IO file|\.\.\.$"
    rb"|hostname=.*\bfio=fio-|(?:bs|ioengine|iodepth)=|Disk stats|Run status group|Jobs: \d"
    rb"|(?:process|file|io|mem|blktrace|verify|random|parse|diskutil|job|mutex|profile|time|net"
    rb"|rate|compress|steadystate|helperthread|zbd)+\s+\d+\s"
)
KINDS: tuple[tuple[NoteKind, re.Pattern[bytes]], ...] = (
    ("killed", re.compile(rb"got signal=\d|forceful exit|Segmentation fault|core dumped|^Killed")),
    ("interrupted", re.compile(rb"terminating on signal")),
    ("disconnected", re.compile(
        rb"^(?:fio: )?client\b.*(?:disconnected|exited with error|timeout|timed out|lost)"
        rb"|^fio: (?:connect[:;] |failed to connect to |.*connection lost)"
    )),
    ("verify", re.compile(rb"^(?:fio: )?verify: |verify failed|bad magic header")),
    ("refused", re.compile(
        rb"failed to setup shm|not loadable|failed to load engine|unrecognized option|Bad option"
        rb"|bad option|No job\(s\) defined|^error: |failed parsing"
        rb"|unable to (?:open|parse) .*job|job startup hung|failed to (?:fork|init)|No jobs? to run"
        rb"|client already connected|server.*(?:busy|refused)|fio: .*(?:invalid|unknown) option"
    )),
    ("error", re.compile(
        rb"\berr=\s*-?[1-9]|\berror=|io_u error|^fio: .*(?:error|failed|no I/O performed)"
        rb"|free\(\): |double free|^fio: .*: (?:No such|Permission denied|Invalid argument)"
    )),
    ("note", re.compile(
        rb"^fio: |^note: |^\S*fio(?:\.exe)? --?\w|[>$#] ?\S*fio(?:\.exe)? --?\w"
        rb"|(?i:\bwarn|cannot|can't|unable|exceeds|denied|not supported|ignored|deprecated)"
        rb"|Did you mean "
    )),
)  # fmt: skip

BLOCK = re.compile(
    rb"bs=(?:\(R\) )?([^,/ ]+)(?:(?:, \(W\) |/)([^,/ ]+))?(?:(?:, \(T\) |/)([^,/ ]+))?"
)
SIZE = re.compile(r"(\d+)(?:\.0*)?\s*([KMGTP]?)(?:i?B)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class JobLine:
    """A line that announces a job: `name: (g=0): rw=read, bs=..., ioengine=..., iodepth=4`.

    `options` holds rw, bs, ioengine and iodepth as far as the line says them; `host` is the server
    that sent it.
    """

    line: int
    host: str | None
    name: str
    group_id: int
    options: dict[str, str]


def notes(lines: Iterable[Line], attempt: int) -> Iterator[FioNote]:
    """The lines that say something about the run, classified; the same remark only once."""
    seen: set[tuple[str | None, str]] = set()
    for line in lines:
        host, text = without_host(line.text[:LONGEST_LINE])
        text = ETA.sub(b"", text).strip(b" \r\t\0\x1b")
        kind = _kind(text) if text else None
        if kind is None:
            continue
        shown = readable(text)[:EXCERPT_CHARACTERS]
        if kind == "note" and (host, shown) in seen:
            continue
        seen.add((host, shown))
        yield FioNote(line.number, attempt, kind, host, shown)


def lost_client(note: FioNote) -> Problem | None:
    """A Problem where a note says that a client's connection broke: its results are missing."""
    if note.kind != "disconnected" or "exited with error" in note.text:
        return None
    reason = "a client was lost during the run: its results are missing"
    remedy = "see why its server ended, then run fio again on all clients"
    return Problem(note.line, "warning", reason, remedy, note.text)


def without_host(text: bytes) -> tuple[str | None, bytes]:
    """The server that sent a line (`<host> `), None for a local one, and the line without it."""
    found = HOST.match(text)
    if not found:
        return None, text
    return readable(found[1]), text[found.end() :]


def _kind(text: bytes) -> NoteKind | None:
    if OWN_WORDS.match(text) or RESULT_HEAD.search(text) or JOB.match(text):
        return None
    return next((kind for kind, pattern in KINDS if pattern.search(text)), None)


def job_lines(lines: Iterable[Line]) -> list[JobLine]:
    """The jobs that fio announces; two that servers sent into one line are told apart."""
    jobs: list[JobLine] = []
    for line in lines:
        if b": (g=" not in line.text:
            continue
        text = line.text[:LONGEST_LINE]
        found = list(JOB.finditer(text))
        ends = [match.start() for match in found[1:]] + [len(text)]
        for match, end in zip(found, ends, strict=False):
            rest = text[match.end() : end]
            host = readable(match[1]) if match[1] else None
            name, rw = readable(match[2]), match[4].decode()
            jobs.append(JobLine(line.number, host, name, int(match[3][:9]), _options(rw, rest)))
    return jobs


def _options(rw: str, rest: bytes) -> dict[str, str]:
    options = {"rw": rw}
    blocks = {_block_size(rw, found) for found in BLOCK.finditer(rest)}
    size = blocks.pop() if len(blocks) == 1 else None
    if size:
        options["bs"] = size
    for key in ("ioengine", "iodepth"):
        values = set(re.findall(rb"\b%s=([^,\s]+)" % key.encode(), rest))
        if len(values) == 1:
            options[key] = readable(values.pop())
    return options


def _block_size(rw: str, found: re.Match[bytes]) -> str | None:
    """The block size in the direction of the job, as an option would say it: 4k, 4k-64k, 4k,8k."""
    sizes = [_plain_range(part) for part in found.groups() if part is not None]
    read, write, trim = (sizes + sizes[:1] * 3)[:3]
    if rw.endswith("trim"):
        return trim
    if rw.endswith("write") and not rw.startswith("trim"):
        return write
    return read if rw in ("read", "randread") or read == write else f"{read},{write}"


def _plain_range(part: bytes) -> str:
    ends = [_plain(end) for end in part.decode("utf-8", "replace").split("-")]
    return ends[0] if len(set(ends)) == 1 else "-".join(ends)


def _plain(size: str) -> str:
    found = SIZE.fullmatch(size)
    return found[1] + found[2].lower() if found else size


def clients_named(lines: Iterable[Line]) -> int | None:
    """How many servers the text shows; None where no line names a server.

    A server announces each job once, so that servers of one host name are told apart by the lines
    of the first job; fio before 3.2 also prints a line for every connection.
    """
    kept = [line for line in lines if line.text.startswith((b"<", b"hostname="))]
    connections = sum(line.text.startswith(b"hostname=") for line in kept)
    hosts = {found[1] for line in kept if (found := HOST.match(line.text))}
    sent = [job for job in job_lines(kept) if job.host is not None]
    first = [job for job in sent if (job.name, job.group_id) == (sent[0].name, sent[0].group_id)]
    return max(connections, len(hosts), len(first)) or None
