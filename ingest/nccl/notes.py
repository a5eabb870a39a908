"""What the lines around a table say: failures, warnings, the network, what was left out.

Source: `common.cu` of NVIDIA/nccl-tests, `debug.cc` and the transports of NVIDIA/nccl 2.4 to 2.29.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from ingest.lines import LABEL, readable
from ingest.nccl.records import NcclNote, NoteKind
from ingest.records import EXCERPT_CHARACTERS

MOST_NOTES = 200  # of one run: a debug log repeats itself
LONGEST_LINE = 4096
# where another process, or NCCL itself, writes into a line: node01:12:34 [0] NCCL INFO ...
DEBUG = re.compile(
    rb"(?:\[\d+\] ?)?(?:[A-Za-z][\w.-]*:\d+:\d+ \[-?\d+\] (?:\S+ )?NCCL (?:INFO|WARN|TRACE|CALL)"
    rb"|\bNCCL version \d|# NCCL_TESTS_\w+:|Launch params \()"
)
SENDER = re.compile(rb"^.*?[\w.-]+:\d+:\d+ \[-?\d+\] ")
SUMMARY = re.compile(rb"# NCCL_TESTS_ALLTOALLV_PRINT_SUMMARY|# +rank=\d+ send_bytes=")
ELIDED = re.compile(rb"(?:\.{3,}|\xe2\x80\xa6|\[\.{3,}\]|<snip>|\[snip\])[ \t`\"',|]*")
KINDS: tuple[tuple[NoteKind, re.Pattern[bytes]], ...] = (
    ("timeout", re.compile(rb"Test timeout")),
    ("failure", re.compile(
        rb"Test (?:NCCL|CUDA|HIP|MPI)? ?failure|\b(?:NCCL|[Cc]uda|CUDA|HIP) failure\b|#\s+error: "
        rb"|exited with non-zero status|non-zero exit|srun: error:|[Ss]egmentation fault"
        rb"|core dumped|Bus error|MPI_ABORT was invoked|CANCELLED|DUE TO TIME LIMIT"
        rb"|[Ee]xited on signal|[Kk]illed by signal|KILLED BY SIGNAL|\(Killed\)|\(Terminated\)"
        rb"|[Cc]aught signal|^(?:Killed|Terminated|Aborted|Interrupt)\b"
    )),
    ("warning", re.compile(
        rb"NCCL WARN|\b(?:WARNING|Warning|warning)\b|[Aa]uthorization required|Launch params"
    )),
    ("network", re.compile(
        rb"Using network |Selected [Pp]rovider|NET/\w+ : Using |NVLS (?:comm|multicast)"
        rb"|NCCL INFO .*\bSHARP\b|No device found|GPU Direct RDMA (?:Enabled|Disabled)"
    )),
    ("note", re.compile(
        rb"Reducing maxBytes|is not a power of 2|Blocking Enabled|Parallel Init Enabled"
        rb"|GPU memory usage|Per-Iteration Report|Base Copy BW|Bitwise Repeatability"
        rb"|compiled with NCCL|^(?:NCCL|RCCL|HIP|ROCm) version|Testing \d+ cycle"
        rb"|Errors with asterisks|cudaDriverVersion"
    )),
)  # fmt: skip
FAILING = ("timeout", "failure")
SPOKEN = re.compile(rb"\bNCCL (?:INFO|WARN|TRACE)\b")  # by NCCL: what fails the test says itself
ABORTED = re.compile(
    rb"CANCELLED|DUE TO TIME LIMIT|[Ss]ignal|SIGNAL|\(Killed\)|\(Terminated\)|[Ss]egmentation fault"
    rb"|core dumped|Bus error|\b(?:Killed|Terminated|Aborted)\b|^Interrupt\b"
)
OWN_FAILURE = re.compile(rb"[Ff]ailure|Test timeout|#\s+error: ")
WORDS = re.compile(  # a line without any of them says nothing that is kept
    rb"[Ff]ailure|timeout|rror|CANCELLED|TIME LIMIT|[Ss]ignal|SIGNAL|illed|KILLED|erminated|borted"
    rb"|Interrupt|ABORT|fault|dumped|non-zero|WARN|arning|required|Launch|network|rovider|NET/|NVLS"
    rb"|SHARP|No device|GPU Direct|maxBytes|power of 2|Enabled|memory usage|Report|Copy BW"
    rb"|Repeatability|compiled|ersion|cycle|asterisks|set by environment|[A-Z]_[A-Z0-9_]+="
)
SPOKEN_WORDS = re.compile(  # the same for the lines of a debug log, of which there are many
    rb"Using network|Selected|NET/\w+ : U|NVLS|SHARP|No dev|GPU Dir|set by|DriverVersion|CCL vers"
)

NCCL_VERSION = re.compile(rb"\b[NR]CCL version ?: ?(\S+)|\b[NR]CCL version (\d\S*)")
DRIVER = re.compile(rb"cudaDriverVersion (\d{4,6})")
NETWORK = re.compile(rb"Using network ([^\r\n]{1,80})")
NVLS = re.compile(rb"NVLS comm 0x|NVLS multicast support is available")
SHARP = re.compile(rb"/SHARP\b|SHARP coll|Collnet.*SHARP|CollNet.*SHARP")
IS_RCCL = re.compile(rb"\brccl-tests\b|\bRCCL version|\bROCm version|\bHIP version")
BY_ENVIRONMENT = re.compile(
    rb"\b((?:NCCL|RCCL|CUDA|UCX|NVSHMEM|FI|OFI|HSA)_[A-Z0-9_]{1,60})"
    rb" set by environment to ([^\r\n]{1,200})"
)
ASSIGNED = re.compile(
    rb"(?:^|[\s\"'])((?:NCCL|RCCL|CUDA|UCX|NVSHMEM|FI|OFI|HSA)_[A-Z0-9_]{1,60})=([^\s\"'\\]{1,200})"
)


@dataclass(slots=True)
class Surroundings:
    """What the lines of words of a run tell; None where none tells it."""

    nccl_version: str | None = None
    driver_version: str | None = None
    network: str | None = None
    is_nvls: bool | None = None
    is_sharp: bool | None = None
    is_rccl: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    notes: dict[tuple[NoteKind, str], int] = field(default_factory=dict)
    has_failed: bool = False
    has_own_failure: bool = False  # told by the test itself
    is_aborted: bool = False

    def feed(self, line: int, text: bytes) -> None:
        """Takes in a line that is not of the table."""
        text = text[:LONGEST_LINE]
        words_kept = SPOKEN_WORDS if b"NCCL INFO" in text else WORDS
        if not words_kept.search(text):
            return
        kind, words = kind_of(text)
        if kind:
            self._note(line, kind, words)
        self._learn(text)

    def _note(self, line: int, kind: NoteKind, words: bytes) -> None:
        if kind in FAILING:
            is_own = OWN_FAILURE.search(words) is not None
            is_signal = not is_own and ABORTED.search(words) is not None
            self.has_own_failure = self.has_own_failure or is_own
            self.has_failed = self.has_failed or not is_signal
            self.is_aborted = self.is_aborted or is_signal
        if len(self.notes) < MOST_NOTES or kind in FAILING:
            self.note(line, kind, words)

    def note(self, line: int, kind: NoteKind, words: bytes) -> None:
        """Keeps a line of words, the same words only once."""
        self.notes.setdefault((kind, readable(words)[:EXCERPT_CHARACTERS]), line)

    def _learn(self, text: bytes) -> None:
        version, driver = NCCL_VERSION.search(text), DRIVER.search(text)
        if version and self.nccl_version is None:
            self.nccl_version = readable((version[1] or version[2]).split(b"+cuda")[0])
        if driver:
            code = int(driver[1])
            self.driver_version = f"{code // 1000}.{code % 1000 // 10}"
        network = NETWORK.search(text)
        if network and self.network is None:
            self.network = readable(network[1]).strip()
        self.is_nvls = True if NVLS.search(text) else self.is_nvls
        self.is_sharp = True if SHARP.search(text) else self.is_sharp
        self.is_rccl = self.is_rccl or IS_RCCL.search(text) is not None
        for name, value in BY_ENVIRONMENT.findall(text) + ASSIGNED.findall(text):
            self.environment.setdefault(name.decode(), readable(value).rstrip(". "))

    def environment_json(self) -> str | None:
        """JSON of the variables, None without any."""
        return json.dumps(self.environment, sort_keys=True) if self.environment else None

    def records(self, attempt: int) -> list[NcclNote]:
        """The notes in the order of their lines."""
        kept = sorted(self.notes.items(), key=lambda each: each[1])
        return [NcclNote(line, attempt, kind, text) for (kind, text), line in kept]


def kind_of(text: bytes) -> tuple[NoteKind | None, bytes]:
    """What a line says, and its words without the process that says them."""
    words = SENDER.sub(b"", text).strip()
    label = LABEL.match(words)
    bare = words[label.end() :] if label and b"failure" not in words else words
    kinds = KINDS[len(FAILING) :] if SPOKEN.search(text) else KINDS
    for kind, pattern in kinds:
        if pattern.search(text) or pattern.match(bare):
            return kind, words if kind in FAILING else bare
    return None, bare


def is_failing(text: bytes) -> bool:
    """Whether a line tells that a test failed or was ended."""
    is_spoken = b"NCCL INFO" in text or not WORDS.search(text)
    return not is_spoken and kind_of(text[:LONGEST_LINE])[0] in FAILING


def is_elision(text: bytes) -> bool:
    """Whether a line only stands for others that were left out."""
    if b"..." not in text and b"\xe2\x80\xa6" not in text and b"snip" not in text:
        return False
    label = LABEL.match(text)
    shown = (text.strip(), text[label.end() :] if label else text)
    return any(ELIDED.fullmatch(each) for each in shown)
