"""What several test modules share: the samples, the public corpus, and how a sample is read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.detect import detect, formats
from ingest.records import Event, Problem, Record

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "tests" / "samples"
CORPUS = ROOT.parent / "shared" / "corpus" / "public" / "mlperf"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the public MLPerf results; the test is skipped where it is absent."""
    if not CORPUS.is_dir():
        pytest.skip(f"the public corpus is not here: {CORPUS}")
    return CORPUS


def sample_files(format_name: str = "*") -> Iterator[Path]:
    """Every sample of a format, or of all formats."""
    for path in sorted(SAMPLES.glob(f"{format_name}/**/*")):
        if path.is_file() and not path.name.startswith("."):
            yield path


def read(path: Path) -> list[Record]:
    """The records of a file, by the format that claims it."""
    data = path.read_bytes()
    name = detect(data, str(path))
    assert name is not None, f"no format claims {path}"
    return list(formats()[name].parse(data, str(path)))


def events_of(records: list[Record]) -> list[Event]:
    """Only the events."""
    return [record for record in records if isinstance(record, Event)]


def problems_of(records: list[Record]) -> list[Problem]:
    """Only the problems."""
    return [record for record in records if isinstance(record, Problem)]
