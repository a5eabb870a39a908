"""Lines with their true numbers, and launchers' labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.lines import (
    Line,
    Prefixes,
    as_utf8,
    count_lines,
    last_line,
    line_from,
    lines_with,
    plain_lines,
    rank_of,
    readable,
    without_inner_labels,
    without_rank,
)


@given(
    st.binary(max_size=200).map(lambda data: data.replace(b"\x01", b"AB").replace(b"\x02", b"\n"))
)
def test_lines_with_is_split_and_filter(data: bytes) -> None:
    found = [(line.number, line.text) for line in lines_with(data, (b"A", b"B", b"\r"))]
    rows = enumerate(data.split(b"\n"), start=1)
    assert found == [(number, row.rstrip(b"\r")) for number, row in rows if set(row) & set(b"AB\r")]


def test_lines_with() -> None:
    data = b"no\r\nyes 1\n\n\nyes 2 yes\nno\nyes"
    assert list(lines_with(data, (b"yes",))) == [
        Line(2, 4, b"yes 1"),
        Line(5, 12, b"yes 2 yes"),
        Line(7, 25, b"yes"),
    ]
    assert list(lines_with(data, (b"absent",))) == []
    assert list(lines_with(b"", (b"yes",))) == []


@given(st.binary(max_size=50))
def test_count_lines(data: bytes) -> None:
    assert count_lines(data) == len([*data.split(b"\n")]) - (data == b"" or data.endswith(b"\n"))


def test_line_from_and_last_line() -> None:
    assert line_from(b"a\nbc\r\nd", 2, 2) == Line(2, 2, b"bc")
    assert last_line(b"a\nbc\r\nd") == Line(3, 6, b"d")
    assert last_line(b"a\n") == Line(2, 2, b"")
    assert last_line(b"") == Line(1, 0, b"")


@pytest.mark.parametrize("name", ["utf-8-sig", "utf-16"])
def test_byte_order_marks(name: str) -> None:
    assert as_utf8("zwölf\r\n".encode(name)) == "zwölf\r\n".encode()


def test_utf16_big_endian_and_its_damage() -> None:
    assert as_utf8(b"\xfe\xff" + "zwölf\n".encode("utf-16-be")) == "zwölf\n".encode()
    assert as_utf8(b"\xff\xfe" + "ab".encode("utf-16-le") + b"c") == "ab\ufffd".encode()
    assert as_utf8(b"\xff\xfe" + b"\x00\xd8") == "\ufffd".encode()
    assert as_utf8(b"plain \xff") == b"plain \xff"


@pytest.mark.parametrize(
    ("prefix", "rank"),
    [
        (b"", None),
        (b"0: ", 0),
        (b"  12: ", 12),
        (b" 8: node7:NCCL INFO ", 8),
        (b"[3] ", 3),
        (b"[1,5]<stdout>:", 5),
        (b"[1,6]<stderr>:", 6),
        (b"0:x", None),
        (b"12:30:01 ", None),
        (b"2024-01-01 12:00:00 ", None),
        (b"[pod/a/b] ", None),
        (b"step 5: ", None),
        (b"1234567: ", None),
    ],
)
def test_rank(prefix: bytes, rank: int | None) -> None:
    assert rank_of(prefix) == rank


def test_without_rank_takes_one_label() -> None:
    assert without_rank(b"[1,0]<stdout>:0: x") == b"0: x"
    assert without_rank(b"  12: x") == b"x"
    assert without_rank(b"12:30 x") == b"12:30 x"


def test_readable() -> None:
    assert readable(b"a\x1b[A\tb\xff\x00") == "a·[A·b\ufffd·"


def test_plain_lines_keep_the_numbers_of_the_file() -> None:
    data = b'\x1b[32mone\x1b[0m\r\n{"stdout": "two\\n\\tthree"}\nfour\rfive\xc2\xa06'
    assert [(line.number, line.text) for line in plain_lines(data)] == [
        (1, b"one"), (2, b'{"stdout": "two'), (2, b'\tthree"}'), (3, b"four"), (3, b"five 6"),
    ]  # fmt: skip


def test_what_ansible_says_twice_is_taken_once() -> None:
    data = b'{"stdout": "a\\nb", "stdout_lines": ["a", "b"]}\nend'
    assert [line.text for line in plain_lines(data)] == [b'{"stdout": "a', b'b", ', b"end"]
    only_once = b'{"stdout_lines": [\n "a",\n "b"\n]}'
    assert len(list(plain_lines(only_once))) == 4


def test_a_prefix_is_known_or_learned_from_a_header() -> None:
    prefixes = Prefixes()
    known = [b"", b"  ", b"0: ", b"[1,0]<stdout>:", b"node01: ", b"(head, rank=0, pid=7) ", b"> * "]
    assert all(prefixes.explain(prefix) for prefix in known)
    assert not prefixes.explain(b"launcher 7 says ")
    prefixes.learn(b"launcher 7 says ")
    assert prefixes.explain(b"launcher 81 says      ")
    assert prefixes.strip(b"launcher 81 says   1 2") == b"1 2"
    assert not prefixes.explain(b"launcher 81 thinks ")


def test_a_label_at_each_write_is_taken_out() -> None:
    assert without_inner_labels(b"sum -1[0] 1.5 0[1,0]<stdout>: 2") == b"sum -1  1.5 0  2"
