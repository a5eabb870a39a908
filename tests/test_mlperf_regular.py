"""Regular records say what the reader of any record says: the frame may only save time."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path
from typing import Any

import pytest
from conftest import sample_files
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ingest.formats import mlperf_log
from ingest.mlperf_regular import FRAME, PLAIN_NUMBER, PLAIN_OBJECT, RegularRecords
from ingest.records import Record

NEVER = re.compile(rb"(?!)")


def both(data: bytes) -> tuple[list[Record], list[Record]]:
    """The records of a file, and the same without any look at regular lines."""
    quick = list(mlperf_log.parse(data, "job.log"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mlperf_log, "FRAME", NEVER)
        return quick, list(mlperf_log.parse(data, "job.log"))


def line(
    value: str = "1",
    metadata: str = '{"file": "a.py", "lineno": 3}',
    time_ms: str = "1600000000000",
    key: str = "seed",
    prefix: str = "",
    end: str = "\n",
) -> bytes:
    return (
        f'{prefix}:::MLLOG {{"namespace": "", "time_ms": {time_ms}, "event_type": "INTERVAL",'
        f' "key": "{key}", "value": {value}, "metadata": {metadata}}}{end}'
    ).encode()


def is_regular(data: bytes) -> bool:
    found = FRAME.search(data)
    return found is not None and RegularRecords().event(found, 1, None) is not None


VALUES = (
    "null", "true", "0", "-0", "-0.0", "0.10", "1.0", "1e5", "1E400", "-1e-7",
    "12345678901234567890",
    "1234567890123456.5", "NaN", "Infinity", "01", "1.", ".5", "+1", "", " 1", "1 ",
    '"a"', '"12.5"',
    '"a, b"', '"a: b"', '"\\u00e9"', '"\\ud800"', '"\\n"', '"x:::MLLOG {"', '":::MLL 1.5 a: 2"',
    '"é"',
    "[1, 2]", "[]", "[1.50]", '{"a": 1.0, "a": 2}', '{"throughput": 3.25, "metadata": {"b": 1}}',
    '"x", "metadata": {"c": 2}', '"x, \\"metadata\\": {}"', '{"a":1}', "[" * 30 + "]" * 30, "1}",
    "9" * 3990, '"' + "b" * 5000 + '"', "nan", "'a'", '"tab\there"', "[[1]]", '["7"]',
)  # fmt: skip
METADATA = (
    "{}", "{ }", "null", "{}}", '{"a": 1}', '{"a": 1, "a": 2}', '{"a": 1, "b": 2, "a": 3}',
    '{"a": 1, "b": 2, "c": 3, "a": 4}', '{"a": 1, "b": 2, "c": 3, "d": 4}',
    '{"a": 1, "b": 2, "c": 3, "b": 4}', '{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}',
    '{"a": -0}', '{"a": 1.50}', '{"a": 00}', '{"a": 1234567890123456789012}', '{"a":1}',
    '{"a": "b, c"}', '{"a": "b: c"}', '{"a": ": "}', '{"a": "\\u0041"}', '{"a": [1, 2]}',
    '{"a": {"b": null}}', '{"a": NaN}', '{"a": true}', '{"a": "x:::MLLOG "}', '{"a": 1, }',
    '{"a" : 1}', '{"a": 1,"b": 2}', '{"": 1}', '{"a b": 1}', '{"status": "success"}', '{"a": é}',
    '{"a": ' + "[" * 30 + "]" * 30 + "}", '{"a": 1} {"b": 2}', '{"a": 1}, "b": {"c": 2}',
)  # fmt: skip
TIMES = ("1600000000000", "1600000000000.25", "0", "1600000000", "null", "1e12", "1600000000000.")
KEYS = ("seed", "run_start", "run_stop", "eval_accuracy", "9a", "", "a b", "é", "K" * 120)
PREFIXES = (
    "", "3: ", "[3] ", "[1,0]<stdout>:", " 12: ", "text ", ":::MLLOG ", ":::MLL x ", '"metadata" ',
    'LOG {"a" ', "\r50%\r", ':::MLLOG {"key": "a", "value": 1} ',
    "MLPerf: r [01/02/20 03:04:05], a ",
    ':::MLLOG {"key": "a", \n', '{"key": "a", "metadata": {}} ', "é: ", "\0",
)  # fmt: skip
ENDS = (
    "\n",
    "\r\n",
    "\r\r\n",
    "",
    " \n",
    "}\n",
    "x\n",
    ' ":::MLLOG {"key": "b"}\n',
    "\n\n",
    "\x0b\n",
)

LINES = st.builds(
    line,
    st.one_of(st.sampled_from(VALUES), st.floats().map(repr), st.integers().map(str)),
    st.sampled_from(METADATA),
    st.sampled_from(TIMES),
    st.sampled_from(KEYS),
    st.sampled_from(PREFIXES),
    st.sampled_from(ENDS),
)


@given(lines=st.lists(st.one_of(LINES, st.sampled_from((b"text\n", b"\xff\n", b'{"a": 1}\n')))))
@settings(max_examples=400, deadline=None)
@example(lines=[line(), b':::MLLOG {"key": "a", "value": \n', b"1}\n", line(key="run_stop")])
def test_regular_lines_say_the_same(lines: list[bytes]) -> None:
    quick, slow = both(b"".join(lines))
    assert quick == slow


@pytest.mark.parametrize(
    "said",
    [
        *({"value": value} for value in VALUES),
        *({"metadata": metadata} for metadata in METADATA),
        *({"time_ms": time_ms} for time_ms in TIMES),
        *({"key": key} for key in KEYS),
        *({"prefix": prefix} for prefix in PREFIXES),
        *({"end": end} for end in ENDS),
    ],
    ids=lambda said: str(said)[:60],
)
def test_every_doubtful_text_says_the_same(said: dict[str, Any]) -> None:
    quick, slow = both(line() + line(**said) + line(key="run_stop"))
    assert quick == slow


@given(data=st.binary(max_size=60), place=st.integers(0, 400), cut=st.integers(0, 3))
@settings(max_examples=400, deadline=None)
def test_damaged_lines_say_the_same(data: bytes, place: int, cut: int) -> None:
    whole = line() + line("2.50", key="run_start", prefix="3: ") + line("null", key="run_stop")
    quick, slow = both(whole[:place] + data + whole[place + cut :])
    assert quick == slow


@pytest.mark.parametrize("path", sample_files("mlperf_log"), ids=lambda path: path.name)
def test_samples_say_the_same(path: Path) -> None:
    quick, slow = both(path.read_bytes())
    assert quick == slow


def test_published_logs_say_the_same(corpus: Path) -> None:
    with tarfile.open(corpus / "training_v2.0_part.tar.xz") as packed:
        for member in packed:
            content = packed.extractfile(member) if "/result_" in member.name else None
            if content is not None:
                quick, slow = both(content.read())
                assert quick == slow, member.name


def test_what_is_plain() -> None:
    for text in (b'{"file": "a.py", "lineno": 3}', b'{"a": -1, "b": "x", "c": 0, "d": 4}'):
        assert PLAIN_OBJECT.fullmatch(text)
    for text in (b'{"a": 1, "a": 2}', b'{"a": -0}', b'{"a": 1.0}', b'{"a": "b,c"}', b"{}"):
        assert not PLAIN_OBJECT.fullmatch(text)
    assert PLAIN_NUMBER.fullmatch(b"-0.50")
    assert not PLAIN_NUMBER.fullmatch(b"1e5")


def test_usual_lines_are_regular() -> None:
    assert is_regular(line())
    assert is_regular(
        line("0.75", '{"file": "a.py", "lineno": 3, "epoch_num": 4}', "1600000000000.5")
    )
    assert is_regular(line("null", "{}", end="\r\n"))
    assert not is_regular(line("NaN"))


def test_a_line_of_many_frames_is_read_in_linear_time() -> None:
    quick, slow = both(b':::MLLOG {"namespace": "", "time_ms": 1600000000000, ' * 2000 + b"\n")
    assert quick == slow
