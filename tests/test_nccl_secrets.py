"""What is kept of a text: the same lines, no address, no account, no secret, no environment."""

from __future__ import annotations

import pytest
from conftest import ROOT
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ingest.nccl.secrets import redacted

CORPUS = ROOT.parent / "shared" / "corpus"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (b"; OOB eth0:10.1.1.5<0>", b"; OOB eth0:address-1<0>"),
        (b"10.0.0.1 10.0.0.2 10.0.0.1", b"address-1 address-2 address-1"),
        (b"Using eth0:fe80::ba3f:d2ff%eth0<0>", b"Using eth0:address-1%eth0<0>"),
        (b"gid fe80:0000:0000:0000:506b:4b03:00c3:1234", b"gid address-1"),
        (b"guid 506b:4b03:00c3:1234", b"guid address-1"),
        (b"ether b8:ce:f6:00:11:22", b"ether address-1"),
        (b"on ip-10-1-2-3 device", b"on ip-address-1 device"),
        (b"root@node01:/data# ls", b"account-1:/data# ls"),
        (b"ssh://user:pw@node01:22", b"ssh://account-1:22"),
        (b"-x AWS_SECRET_ACCESS_KEY=abc/def", b"-x AWS_SECRET_ACCESS_KEY=redacted"),
        (b"Authorization: Bearer abc.def", b"Authorization: redacted"),
        (b'{\\"token\\": \\"abc\\"}', b'{\\"token\\": \\"redacted\\"}'),
    ],
)
def test_hidden(text: bytes, kept: bytes) -> None:
    assert redacted(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        b"#  Rank  0 Group  0 Pid   4000 on     node01 device  0 [0000:10:00] NVIDIA H100",
        b"# nccl-tests version 2.17.6 nccl-headers=22803 nccl-library=22803",
        b"2026-02-16T02:00:03.0-07:00      1048576        262144     float     sum      -1",
        b"[1,0]<stdout>: 8 2 float sum -1 23.5 0.00 0.00 0",
        b"node01:739787:739914 [1] NCCL INFO NET/IB : Using [0]mlx5_1:1/IB/SHARP",
        b"MLNX_OFED_LINUX-5.8-1.0.1.1 and UCX version 1.17.0.1",
        b"image@sha256:0123456789abcdef std::vector ncclFuncs::table",
        b"tokens: 4096, keys: 12",
    ],
)
def test_kept(text: bytes) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            b'"env":["PATH=/bin","NCCL_ALGO=Ring","X=a\\"b], c","A="],"nccl_version":1',
            b'"env":["PATH=redacted","NCCL_ALGO=Ring","X=redacted","A=redacted"],"nccl_version":1',
        ),
        (b'"env": [\n "A=1",\n "UCX_TLS=rc"\n]', b'"env": [\n "A=redacted",\n "UCX_TLS=rc"\n]'),
        (b'{\\"env\\":[\\"A=1\\",\\"FI_X=2\\"]}', b'{\\"env\\":[\\"A=redacted\\",\\"FI_X=2\\"]}'),
        (b'"env":["A=1","PASSPHRASE=cut off he', b'"env":["A=redacted","redacted"'),
        (b'"env":["A=1\n2"],"x":1', b'"env":["redacted\n"],"x":1'),
        (
            b'"env":["A=1",oops,"B=2"],"nccl_version":7',
            b'"env":["A=redacted","redacted"],"nccl_version":7',
        ),
    ],
)  # fmt: skip
def test_environment(text: bytes, kept: bytes) -> None:
    assert redacted(text) == kept


def test_utf16_hides_nothing() -> None:
    assert redacted("OOB 10.0.0.1\n".encode("utf-16")) == b"OOB address-1\n"


PIECES = [
    b'"env":[', b'\\"env\\":[', b'"A=1"', b'"NCCL_X=10.0.0.1"', b",", b"]", b"\n", b"\r\n", b" ",
    b"10.0.0.1", b"fe80::1", b"a@b", b"u:p@h", b"token=", b"secret: ", b'"', b"\\", b":",
    b"b8:ce:f6:00:11:22", b"ip-10-1-2-3", b'"nccl_version"', b"\xff",
]  # fmt: skip


@given(
    st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=3)), max_size=20),
    st.sampled_from([b" ", b"\n", b",", b'"', b"<"]),
)
@settings(max_examples=1000, deadline=None)
@example([b'"env":["A=1\n",\n"env":["B=2'], b" ")
@example([b"user@10.0.0.1", b"token=10.0.0.1", b"a@ba@b"], b" ")
def test_lines_stay_and_twice_is_once(pieces: list[bytes], between: bytes) -> None:
    text = between.join(pieces)
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return
    once = redacted(text)
    assert once.count(b"\n") == text.count(b"\n")
    assert redacted(once) == once


def test_the_corpus_keeps_its_lines_and_its_numbers() -> None:
    if not (CORPUS / "public" / "nccl").is_dir():
        pytest.skip(f"the corpus is not here: {CORPUS}")
    changed = 0
    for path in sorted(CORPUS.glob("*/nccl/*.txt")):
        before, after = path.read_bytes().split(b"\n"), redacted(path.read_bytes()).split(b"\n")
        assert len(before) == len(after)
        pairs = [
            (a, b)
            for a, b in zip(before, after, strict=True)
            if a.removeprefix(b"\xef\xbb\xbf") != b
        ]
        assert all(b"address-" in b or b"account-" in b for _, b in pairs)
        changed += len(pairs)
    assert changed == 4
