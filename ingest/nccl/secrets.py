"""The text of a file without what nobody may read: addresses, accounts, secrets, environments.

`-J` writes the whole environment of the process into its file, and a debug log names every network
address. Each is replaced by a word that is the same wherever the same one stood, so that two hosts
that are known by their addresses stay two hosts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import AddressValueError, IPv6Address

from ingest.lines import as_utf8

KEPT_VARIABLES = (b"NCCL_", b"RCCL_", b"CUDA_", b"UCX_", b"NVSHMEM_", b"FI_", b"OFI_", b"HSA_")
HIDDEN = b"redacted"

BYTE = rb"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
# not the end of a version: 5.8-1.0.1.1, version 2.1.3.4
IPV4 = re.compile(
    rb"(?<![\w.])(?<!\d-)(?<![Vv]ersion )" + rb"\.".join([BYTE] * 4) + rb"(?![\w-]|\.\d)"
)
# Amazon names a host after its address: ip-10-1-2-3
HOST_IPV4 = re.compile(rb"(?<=\bip-)\d{1,3}(?:-\d{1,3}){3}(?!\w)")
# a hardware address has 6 bytes on Ethernet, up to 20 on InfiniBand
MAC = re.compile(
    rb"(?<![\w:-])[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4,18}(?![\w:-])"
)
GUID = re.compile(rb"(?<![\w:])[0-9A-Fa-f]{4}(?::[0-9A-Fa-f]{4}){3}(?![\w:])")
COLONS = re.compile(rb"[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(?!\w)")
ACCOUNT = re.compile(
    rb"(?<![\w.+-])[A-Za-z_][\w.+-]{0,63}(?::[^\s@/\"'<>]{1,200})?(?:@[A-Za-z0-9][\w.-]{0,253})+"
)
VERSIONED = re.compile(rb"@(?:sha\d+|v\d[\d.]*)$")  # image@sha256:..., action@v4
SECRET_WORDS = (
    rb"secret|token|passwd|password|api_?key|access_?key|private_?key|credential|authorization"
)
SECRET_HINTS = (b"secret", b"token", b"passw", b"key", b"credential", b"authorization")
SECRET = re.compile(
    rb"(\b[\w-]{0,64}?(?:" + SECRET_WORDS + rb")[\w-]{0,64}\\*[\"']?\s?[=:]\s?\\*[\"']?)"
    rb"(?!(?:null|true|false|-?\d+(?:\.\d+)?)(?:[\s\"',;\\\[\]{}]|$))"  # a number is no secret
    rb"(?:(?:bearer|basic) )?[^\s\"',;\\\[\]{}]+",
    re.IGNORECASE,
)
ENVIRONMENT = re.compile(rb'(\\*)"env\1"\s*:\s*\[(?=\s*(?:\\*"|\]|\Z))')

AFTER_ENVIRONMENT = re.compile(rb'\]\s*,\s*\\*"nccl_version')


@dataclass(slots=True)
class _Words:
    """A word for each text that is hidden, the same for the same text."""

    kind: bytes
    known: dict[bytes, bytes] = field(default_factory=dict)

    def word(self, text: bytes) -> bytes:
        """`address-1` for the first text, `address-2` for the next one, ..."""
        return self.known.setdefault(text, b"%s-%d" % (self.kind, len(self.known) + 1))

    def instead(self, found: re.Match[bytes]) -> bytes:
        """The word for what a pattern found."""
        return self.word(found[0])


def redacted(data: bytes) -> bytes:
    """The same lines without addresses, `user@host`, secrets and the values of an environment.

    Of the environment that `-J` writes, only the variables of NCCL, RCCL, CUDA, UCX, NVSHMEM, FI,
    OFI and HSA keep their values. Line numbers stay, and to do it twice changes nothing.
    """
    data = _without_environment(as_utf8(data))
    lowered = data.lower()
    if any(hint in lowered for hint in SECRET_HINTS):
        data = SECRET.sub(rb"\g<1>" + HIDDEN, data)
    return _without_accounts(_without_addresses(data))


def _without_addresses(data: bytes) -> bytes:
    addresses = _Words(b"address")
    data = MAC.sub(addresses.instead, data)
    data = GUID.sub(addresses.instead, data)
    data = COLONS.sub(lambda found: _without_ipv6(found, addresses), data)
    data = HOST_IPV4.sub(addresses.instead, data)
    return IPV4.sub(addresses.instead, data)


def _without_accounts(data: bytes) -> bytes:
    accounts = _Words(b"account")

    def instead(found: re.Match[bytes]) -> bytes:
        return found[0] if VERSIONED.search(found[0]) else accounts.instead(found)

    before = b""
    while before != data and b"@" in data:  # what follows a name may be part of the next one
        before, data = data, ACCOUNT.sub(instead, data)
    return data


def _without_ipv6(found: re.Match[bytes], addresses: _Words) -> bytes:
    """`eth0:fe80::1` is an interface and its address; `std::` and 10:00:00 are no address."""
    run = found[0]
    if b"::" not in run and run.count(b":") < 7:
        return run
    start, end = 0, len(run)
    before = found.string[found.start() - 1 : found.start()]
    if before.isalnum() or before == b"_":
        start = run.index(b":") + 1
    if run.endswith((b":", b".")) and not run.endswith(b"::"):
        end -= 1
    address = run[start:end]
    if not _is_ipv6(address):
        return run
    return run[:start] + addresses.word(address.lower()) + run[end:]


def _is_ipv6(text: bytes) -> bool:
    try:
        return bool(text.strip(b":")) and IPv6Address(text.decode("ascii")) is not None
    except (AddressValueError, UnicodeDecodeError):
        return False


def _without_environment(data: bytes) -> bytes:
    parts, done = [], 0
    for found in ENVIRONMENT.finditer(data):
        if found.start() < done:
            continue
        parts.append(data[done : found.end()])
        done = found.end()
        is_item = _item(found[1])
        while item := is_item.match(data, done):
            parts.append(item[1] + _variable(item[2]) + item[3])
            done = item.end()
            if not item[3].rstrip().endswith(b","):
                break
        else:  # the list breaks off, or is not what -J writes: nothing of it is shown
            rest = data[done : _end_of_list(data, done)]
            parts.append(_hidden(rest))
            done += len(rest)
    return b"".join([*parts, data[done:]])


def _end_of_list(data: bytes, start: int) -> int:
    """Where the environment ends: before what follows it, or else at the end of the line."""
    found = AFTER_ENVIRONMENT.search(data, start)
    end = found.start() if found else data.find(b"\n", start)
    return end if end >= 0 else len(data)


def _hidden(rest: bytes) -> bytes:
    """A string instead of a list that cannot be read; an empty rest stays."""
    is_shown = rest.strip() in (b"", b"]", b'"%s"' % HIDDEN)
    return rest if is_shown else b'"%s"' % HIDDEN + b"\n" * rest.count(b"\n")


def _item(escape: bytes) -> re.Pattern[bytes]:
    """One string of a JSON list; inside another JSON string each quote has slashes before it."""
    quote = re.escape(escape) + b'"'
    body = rb"(?:[^\"\\]|\\.)*" if not escape else rb".*?(?<!\\)"
    return re.compile(
        rb"(\s*" + quote + rb")(" + body + rb")(" + quote + rb"\s*(?:,|(?=\])))", re.S
    )


def _variable(text: bytes) -> bytes:
    """`NAME=value` as it may be kept; a line end inside it stays, for the line numbers."""
    if text.startswith(KEPT_VARIABLES):
        return text
    name, equals, _ = text.partition(b"=")
    ends = text.count(b"\n")
    if not equals or ends:
        return HIDDEN + b"\n" * ends
    return name + equals + HIDDEN
