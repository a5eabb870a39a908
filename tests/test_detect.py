"""Detection: every sample of every format is claimed by exactly its own format."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import SAMPLES, sample_files

from ingest import detect as module
from ingest.detect import HEAD_BYTES, AmbiguousFormatError, detect, formats


def test_formats_are_listed_by_name() -> None:
    names = list(formats())
    assert names == sorted(names)
    assert {"mlperf_log", "mlperf_scaling", "mlperf_system"} <= set(names)
    for name, each in formats().items():
        assert name == each.NAME
        assert re.fullmatch(r"[a-z0-9_]+", name)
        assert each.DESCRIPTION
        assert each.VERSION >= 1


def test_every_format_has_samples() -> None:
    for name in formats():
        assert list(sample_files(name)), f"no samples of {name}"


@pytest.mark.parametrize(
    "path", sample_files(), ids=lambda path: path.relative_to(SAMPLES).as_posix()
)
def test_every_sample_is_claimed_by_its_own_format_alone(path: Path) -> None:
    head = path.read_bytes()[:HEAD_BYTES]
    claimed = [name for name, each in formats().items() if each.claims(head, str(path))]
    assert claimed == [path.relative_to(SAMPLES).parts[0]]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"", "empty.txt"),
        (b"just some text\n", "notes.txt"),
        (b"\x00\x01\x02", "data.bin"),
        (b'{"a": 1}', "config.json"),
        (b"x", "results/box/resnet/rcp_checker.log"),
        (b"\0" * 99, "results/box/resnet/._result_0.txt"),
        (b"", ""),
    ],
)
def test_nothing_claims(head: bytes, name: str) -> None:
    assert detect(head, name) is None


@pytest.mark.parametrize(
    ("head", "name", "format_name"),
    [
        (b'{"notes": ":::MLLOG {}"}', "Org/systems/box.json", "mlperf_system"),
        (b'{"number_of_nodes": 2}', "Org/systems/scaling.json", "mlperf_scaling"),
        (b'{"number_of_nodes": ":::MLLOG "}', "a/scaling.json", "mlperf_scaling"),
        (b'{"number_of_nodes": 2}', "Org/results/box/bert/result_0.txt", "mlperf_log"),
    ],
)
def test_files_that_look_like_two_formats(head: bytes, name: str, format_name: str) -> None:
    assert detect(head, name) == format_name


def test_a_marker_beyond_the_head_is_not_looked_for() -> None:
    assert detect(b"x" * HEAD_BYTES + b"\n:::MLLOG {}", "job.log") is None
    assert detect(b"x" * (HEAD_BYTES - 99) + b"\n:::MLLOG {}", "job.log") == "mlperf_log"


def test_two_formats_that_claim_one_file_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = {name: formats()["mlperf_log"] for name in ("one", "two")}
    monkeypatch.setattr(module, "formats", lambda: twice)
    with pytest.raises(AmbiguousFormatError, match=r"job\.log is claimed by one, two"):
        detect(b":::MLLOG {}", "job.log")
