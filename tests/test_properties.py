"""What must hold for every file: no exception, no invented event, no silent loss."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import SAMPLES, events_of, problems_of, sample_files
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ingest.detect import detect, formats
from ingest.formats import mlperf_log
from ingest.records import Event, Problem, Record, System

LOGS = {
    path.name: path.read_bytes()
    for path in sample_files("mlperf_log")
    if path.stat().st_size < 8_000 and path.name != "ranks_repeat.txt"
}
# Logs whose lines stand for themselves: no record that is split over lines, no other encoding.
BY_LINE = {
    name: data
    for name, data in LOGS.items()
    if not re.search("split|raw_newline|utf16|utf8_bom|null|result_|head_cut|relaunch", name)
}
# ... and with a line end behind every record.
ENDED = {
    name: data for name, data in BY_LINE.items() if data.endswith(b"\n") and name != "cr_only.txt"
}
UNDAMAGED = {
    name: data
    for name, data in ENDED.items()
    if not problems_of(list(mlperf_log.parse(data, name)))
}

# One log of each grammar, the newest one with two records on a line too.
GRAMMARS = ("plain.txt", "two_on_one_line.txt", "v06_mpirun_tags.txt", "v05.txt", "unmarked.txt")

Facts = tuple[int, str, str | None, float | None, float | None, int | None, str | None]


def parse(data: bytes) -> list[Record]:
    return list(mlperf_log.parse(data, "job.log"))


def facts(records: Iterable[Record]) -> list[Facts]:
    """All of an event but its attempt, which later lines may decide."""
    return [
        (e.line, e.key, e.value, e.number, e.time_ms, e.rank, e.metadata)
        for e in records
        if isinstance(e, Event)
    ]


def said(records: Iterable[Record]) -> list[tuple[str, str | None, float | None]]:
    return [(e.key, e.value, e.number) for e in records if isinstance(e, Event)]


def sound(records: list[Record]) -> None:
    """Every record can be stored as UTF-8 text and names a line that counts from 1."""
    for record in records:
        json.dumps(repr(record)).encode()
        if isinstance(record, Event):
            for text in (record.value, record.metadata):
                assert text is None or json.loads(text.encode()) is not None
            record.key.encode()
            (record.event_type or "").encode()
        elif isinstance(record, System):
            json.loads(record.fields.encode(), parse_constant=pytest.fail)
        elif isinstance(record, Problem):
            (record.reason + record.remedy + record.excerpt).encode()
            assert record.remedy


# no exception

PIECES = [
    b":::MLLOG ", b":::MLLOG", b":::MLL ", b":::MLPv0.5.0 ", b"MLPerf: r [01/02/20 03:04:05], ",
    b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b": ", b" ", b"\n", b"\r", b"\r\n", b"\0",
    b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b'"key"', b'"value"', b'"metadata"', b'"time_ms"',
    b'"event_type"', b'"run_start"', b'"run_stop"', b"run_stop", b"NaN", b"-Infinity", b"1e999",
    b"1592985147", b"9" * 5000, b"null", b"true", b"\\ud800", b"12: ", b"[3] ", b"[1,0]<stdout>:",
    b"resnet 1.5 (a.py:3) ", b"1560000000.5 ", b"(a.py:" + b"1" * 5000 + b") ", b"[" * 1500,
    b'{"a":' * 1200, b"number_of_nodes", b"scaling_factor", b"'nodes'", b"entry: ", b"% ",
    b'entry: {"value": "{[]: 1}"}', b"{'a': {1, 2}}", b"Output written to", b"# ", b"fio",
]  # fmt: skip
ANYTHING = st.one_of(
    st.binary(max_size=300),
    st.lists(st.sampled_from(PIECES), max_size=25).map(b"".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4)), max_size=25).map(b"".join),
)


@given(data=ANYTHING, format_name=st.sampled_from(sorted(formats())))
@settings(max_examples=600, deadline=None)
@example(data=b"", format_name="mlperf_log")
@example(data=b":::MLPv0.5.0 r 1.0 (a:" + b"1" * 5000 + b") key\n", format_name="mlperf_log")
@example(data=b':::MLLOG {"key": "\\ud800", "event_type": "\\ud800"}', format_name="mlperf_log")
@example(data=b'entry: {"value": "{[]: 1}"}', format_name="mlperf_system")
@example(data=b'entry: {"value": "{\'a\': {1}}"}', format_name="mlperf_system")
@example(data=b'{"number_of_nodes": NaN, "b": "\\ud800"}', format_name="mlperf_system")
def test_no_format_raises_on_any_bytes(data: bytes, format_name: str) -> None:
    for name in ("result_0.txt", "Org/systems/box.json", "a/scaling.json"):
        formats()[format_name].claims(data, name)
        sound(list(formats()[format_name].parse(data, name)))


@given(data=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_at_most_one_format_claims_any_bytes(data: bytes) -> None:
    for name in ("result_0.txt", "systems/box.json", "a/scaling.json", "job.log", "x.json", "x"):
        detect(data, name)


@pytest.mark.parametrize("depth", [*range(100, 1100, 25), 10_000])
def test_no_depth_of_nesting_raises(depth: int) -> None:
    for start, end in ((b"[", b"]"), (b'{"a":', b"}"), (b"[NaN,", b"]")):
        value = start * depth + b"1" + end * depth
        for data in (
            b':::MLLOG {"key": "a", "value": ' + value + b"}\n",
            b':::MLLOG {"key": "run_stop", "metadata": {"b": ' + value + b"}}\n",
            b":::MLL 1.5 key: " + value + b"\n",
            b":::MLPv0.5.0 r 1.5 (a:1) key: " + value + b"\n",
            b'{"number_of_nodes": ' + value + b"}",
        ):
            for each in formats().values():
                sound(list(each.parse(data, "systems/box.json")))


@pytest.mark.parametrize("path", sample_files(), ids=lambda p: p.relative_to(SAMPLES).as_posix())
def test_no_format_raises_on_any_sample_cut_or_changed(path: Path) -> None:
    data = path.read_bytes()[:20_000]
    dice = random.Random(path.name)
    name = detect(data, str(path)) or "mlperf_log"
    for each in {name: formats()[name], **(formats() if len(data) < 2_000 else {})}.values():
        sound(list(each.parse(data, str(path))))
    for place in sorted(dice.sample(range(len(data) + 1), min(150, len(data) + 1))):
        changed = data[:place] + dice.randbytes(1) + data[place + 1 :]
        sound(list(formats()[name].parse(data[:place], str(path))))
        sound(list(formats()[name].parse(data[place:], str(path))))
        sound(list(formats()[name].parse(changed, str(path))))


# no invented event, and complete lines are kept


@pytest.mark.parametrize("name", LOGS)
def test_a_log_cut_at_any_byte(name: str) -> None:
    data = LOGS[name]
    whole = facts(parse(data))
    is_utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for place in range(len(data)):
        cut = facts(parse(data[:place]))
        assert not Counter(cut) - Counter(whole), f"invented by the cut at byte {place}"
        if not is_utf16 and "split" not in name and "raw_newline" not in name:
            complete = data.count(b"\n", 0, place)
            assert cut[: sum(fact[0] <= complete for fact in whole)] == [
                fact for fact in whole if fact[0] <= complete
            ]


@pytest.mark.parametrize("name", UNDAMAGED)
def test_a_log_cut_inside_a_record_says_so(name: str) -> None:
    """Only a cut right behind a record, or inside a label or the text before it, is no loss."""
    data = UNDAMAGED[name]
    whole = parse(data)
    for event in events_of(whole):
        line = data.split(b"\n")[event.line - 1].rstrip(b"\r")
        mark = list(mlperf_log._marks(line))[-1]
        start = len(b"\n".join(data.split(b"\n")[: event.line - 1])) + (event.line > 1)
        for place in range(start + mark.start() + 4, start + len(line)):
            cut = parse(data[:place])
            kept = sum(fact[0] == event.line for fact in facts(cut))
            expected = sum(fact[0] == event.line for fact in facts(whole))
            lines = [problem.line for problem in problems_of(cut)]
            assert kept == expected or event.line in lines, f"silent at byte {place}"


# lines stand for themselves


@pytest.mark.parametrize("name", ENDED)
def test_shuffled_lines_hold_the_same_records(name: str) -> None:
    lines = ENDED[name].split(b"\n")[:-1]
    whole = Counter(said(parse(ENDED[name])))
    dice = random.Random(name)
    for _ in range(10):
        dice.shuffle(lines)
        assert Counter(said(parse(b"\n".join(lines) + b"\n"))) == whole


GARBAGE = st.one_of(
    st.binary(max_size=60),
    st.sampled_from(
        [b"", b"}}", b"{", b'"', b"Epoch 1 loss nan", b":::MLLOG", b"::MLLOG {}", b'"metadata": {}']
    ),
).map(lambda line: re.sub(rb":::ML|MLPerf:|\n", b"#", line))


@given(name=st.sampled_from(sorted(ENDED)), garbage=st.lists(GARBAGE, min_size=1, max_size=12))
@settings(max_examples=300, deadline=None)
def test_lines_between_records_change_nothing(name: str, garbage: list[bytes]) -> None:
    mixed: list[bytes] = []
    numbers = []
    for number, line in enumerate(ENDED[name].split(b"\n")[:-1]):
        mixed += [garbage[number % len(garbage)], line]
        numbers.append(len(mixed))
    whole = facts(parse(ENDED[name]))
    found = facts(parse(b"\n".join(mixed) + b"\n"))
    assert found == [(numbers[fact[0] - 1], *fact[1:]) for fact in whole]


PREFIXES = [
    b"0: ", b"   17: ", b"[4] ", b"[1,3]<stdout>:", b"[1,3]<stderr>:", b"2024-05-06 07:08:09 ",
    b"[pod/run-7-abc/main] ", b"INFO:trainer:", b"12:00:01.5 I0 ", b"\x1b[32mnode7\x1b[0m ",
    b"\xe2\x96 ", b"{\"stream\": \"stdout\"} ", b"  ", b"\r 50% 1/2\r",
]  # fmt: skip


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("name", BY_LINE)
def test_a_prefix_changes_no_record(name: str, prefix: bytes) -> None:
    whole = parse(BY_LINE[name])
    lines = BY_LINE[name].split(b"\n")
    ended = lines[-1] == b""
    with_prefix = b"\n".join(prefix + line for line in lines[: -1 if ended else None])
    found = parse(with_prefix + (b"\n" if ended else b""))
    assert [fact[:5] for fact in facts(found)] == [fact[:5] for fact in facts(whole)]
    if name == "plain.txt":
        ranks = {b"0: ": 0, b"   17: ": 17, b"[4] ": 4}
        ranks |= {b"[1,3]<stdout>:": 3, b"[1,3]<stderr>:": 3}
        assert {fact[5] for fact in facts(found)} == {ranks.get(prefix)}


@pytest.mark.parametrize("name", [name for name in LOGS if "utf16" not in name])
def test_crlf_and_lf_say_the_same(name: str) -> None:
    lf = LOGS[name].replace(b"\r\n", b"\n")
    assert facts(parse(lf.replace(b"\n", b"\r\n"))) == facts(parse(lf))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", [name for name in LOGS if "utf" not in name])
def test_encodings_say_the_same(name: str, encoding: str) -> None:
    text = LOGS[name].decode("utf-8", "replace")
    assert facts(parse(text.encode(encoding))) == facts(parse(text.encode()))


# no silent loss


def is_seen(data: bytes, changed: bytes, line: int) -> bool:
    """Whether a changed line still gives as many records, or is reported."""
    before = [event.line for event in events_of(parse(data))].count(line)
    records = parse(changed)
    after = [event.line for event in events_of(records)].count(line)
    return after == before or line in [problem.line for problem in problems_of(records)]


@pytest.mark.parametrize(
    ("name", "byte"),
    [
        *((name, b"#") for name in UNDAMAGED),
        *((name, bytes([byte])) for name in GRAMMARS for byte in b' \x00\xff"7:{'),
    ],
)
def test_a_destroyed_byte_loses_no_record_in_silence(name: str, byte: bytes) -> None:
    data = UNDAMAGED[name]
    lines = {event.line for event in events_of(parse(data))}
    start = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        for place in range(len(line)) if number in lines else ():
            spot = start + place
            changed = data[:spot] + byte + data[spot + 1 :]
            assert is_seen(data, changed, number), f"line {number}, byte {place}: {line!r}"
        start += len(line) + 1


@pytest.mark.parametrize("name", GRAMMARS)
def test_a_deleted_byte_loses_no_record_in_silence(name: str) -> None:
    data = UNDAMAGED[name]
    lines = {event.line for event in events_of(parse(data))}
    start = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        for place in range(len(line)) if number in lines else ():
            changed = data[: start + place] + data[start + place + 1 :]
            assert is_seen(data, changed, number), f"line {number}, byte {place}: {line!r}"
        start += len(line) + 1


@pytest.mark.parametrize("byte", [b"#", b"\x00"])
def test_a_member_that_can_no_longer_be_read_is_reported(byte: bytes) -> None:
    """A destroyed byte outside the text of a value changes no member of a record in silence."""
    data = LOGS["plain.txt"]
    before = {fact[0]: fact[1:] for fact in facts(parse(data))}
    line = data.split(b"\n")[4]
    start = data.index(line)
    texts = [m.span(1) for m in re.finditer(rb': "((?:[^"\\]|\\.)*)"', line)]
    keys_of_metadata = [m.span() for m in re.finditer(rb"file|lineno|epoch_num", line)]
    for place in range(len(line)):
        if any(first <= place < end for first, end in [*texts, *keys_of_metadata]):
            continue
        records = parse(data[: start + place] + byte + data[start + place + 1 :])
        after = {fact[0]: fact[1:] for fact in facts(records)}
        lines = [problem.line for problem in problems_of(records)]
        assert after == before or 5 in lines, f"byte {place} of {line!r}"


@pytest.mark.parametrize("name", ["plain.txt", "v06_mpirun_tags.txt"])
def test_a_head_cut_inside_the_first_record_is_reported(name: str) -> None:
    data = LOGS[name]
    first = data.index(b"\n")
    mark = mlperf_log._marks(data)[0].start()
    for place in range(mark + 1, first - 1):
        assert 1 in [p.line for p in problems_of(parse(data[place:]))], f"silent at {place}"
