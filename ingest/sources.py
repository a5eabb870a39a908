"""Paths to files: folders, globs, single files, archives and standard input, safely.

Archives are read as streams and nothing is written to disk. A member that would leave the
archive, a link, a device, and anything over the limits is refused with a Problem; what can be
read is read. An archive inside an archive is not opened.
"""

from __future__ import annotations

import bz2
import glob
import gzip
import io
import lzma
import os
import posixpath
import re
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from ingest.detect import HEAD_BYTES
from ingest.records import Problem
from ingest.units import GIB, MIB
from ingest.values import printable

TAR = re.compile(r"\.(?:tar|tar\.(?:gz|xz|zst|bz2)|tgz|txz)$", re.I)
NUMBERS = re.compile(r"(\d+)")
LIMITS = "raise the limit (--max-file-mib, --max-archive-gib, --max-members) if you trust it"
REPACK = "unpack the archive yourself, look at the member, and load the folder"
COPY_AGAIN = "copy the archive again"
LONGEST_TAR_HEADER_BYTES = MIB
TAR_HEADER_TYPES = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
                    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)  # fmt: skip


class UnreadablePathError(Exception):
    """A path that does not exist or cannot be opened; the text says which and what to do."""


class _OverLimitError(Exception):
    """An archive has given more than the limits allow; the text says which limit."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read at most, against archives made to fill a disk or a memory.

    A ratio is unpacked to packed bytes; it counts once an archive has given `ratio_from_bytes`.
    """

    file_bytes: int = 512 * MIB
    archive_bytes: int = 64 * GIB
    members: int = 1_000_000
    ratio: int = 1_000
    ratio_from_bytes: int = 64 * MIB


@dataclass(frozen=True, slots=True)
class Source:
    """One file: `path` as shown to people, `origin` absolute and used for identity.

    `read` gives all its bytes; `head` the first mebibyte at most.
    """

    path: str
    origin: str
    archive: str | None
    member: str | None
    head: bytes
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A path or archive member that was not read, and why."""

    path: str
    problem: Problem


Found = Source | Refusal


def natural(name: str) -> list[tuple[int, str]]:
    """A sort key that puts result_2 before result_10."""
    return [(int(p), "") if p.isdecimal() else (-1, p) for p in NUMBERS.split(name)]


def walk(paths: list[str], limits: Limits) -> Iterator[Found]:
    """Every file behind the paths, in natural order; `-` is standard input.

    Raises UnreadablePathError before anything is read when a path does not exist.
    """
    expanded = [name for path in paths for name in _expanded(path)]
    for name in expanded:
        if name == "-":
            yield _stdin(limits)
        elif os.path.isdir(name):
            yield from _folder(name, limits)
        else:
            yield from _file(name, limits)


def _expanded(path: str) -> list[str]:
    if path == "-" or os.path.lexists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True), key=natural)
    if not found:
        raise UnreadablePathError(f"{printable(path)}: no such file or folder; check the path")
    return found


def _stdin(limits: Limits) -> Found:
    try:
        data = sys.stdin.buffer.read(limits.file_bytes + 1)
    except (AttributeError, ValueError, OSError):  # closed by whoever started the command
        return _refused("<stdin>", "standard input cannot be read", "pipe a log into it")
    return _whole("<stdin>", "<stdin>", data, limits)


def _folder(root: str, limits: Limits) -> Iterator[Found]:
    inside = os.path.join(os.path.realpath(root), "")
    closed: list[OSError] = []
    is_empty = True
    for folder, folders, files in os.walk(root, onerror=closed.append):
        folders[:] = sorted((name for name in folders if name != ".git"), key=natural)
        for name in folders:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                yield _refused(path, "a link to a folder is not followed", "load its target")
        for name in sorted(files, key=natural):
            is_empty = False
            path = os.path.join(folder, name)
            if os.path.islink(path) and not os.path.realpath(path).startswith(inside):
                yield _refused(path, "a link that leads out of the folder", "load its target")
            else:
                yield from _file(path, limits)
    for error in closed:
        yield _unreadable(str(error.filename), error)
    if is_empty and not closed:
        yield _refused(root, "no file in this folder", "check the path")


def _file(path: str, limits: Limits) -> Iterator[Found]:
    try:
        if not os.path.isfile(path):
            reason = "a link to nothing" if os.path.islink(path) else "neither a file nor a folder"
            yield _refused(path, reason, "load a regular file")
        elif TAR.search(path):
            yield from _tar(path, limits)
        elif path.lower().endswith(".zip"):
            yield from _zip(path, limits)
        elif path.lower().endswith(".gz"):
            yield _gzip(path, limits)
        else:
            yield _plain(path, limits)
    except OSError as error:
        yield _unreadable(path, error)


def _refused(path: str, reason: str, remedy: str) -> Refusal:
    return Refusal(printable(path), Problem(None, "error", printable(reason), remedy))


def _unreadable(path: str, error: OSError) -> Refusal:
    return _refused(path, f"cannot be read: {error.strerror or error}", "check its permissions")


def _plain(path: str, limits: Limits) -> Found:
    size = os.path.getsize(path)
    if size > limits.file_bytes:
        return _refused(path, f"{size} bytes are over the limit of {limits.file_bytes}", LIMITS)
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
    origin = printable(os.path.abspath(path))
    return Source(printable(path), origin, None, None, head, lambda: Path(path).read_bytes())


def _whole(path: str, origin: str, data: bytes, limits: Limits) -> Found:
    if len(data) > limits.file_bytes:
        return _refused(path, f"more than the limit of {limits.file_bytes} bytes", LIMITS)
    shown, origin = printable(path), printable(origin)
    return Source(shown, origin, None, None, data[:HEAD_BYTES], lambda: data)


def _gzip(path: str, limits: Limits) -> Found:
    most = max(limits.ratio_from_bytes, limits.ratio * os.path.getsize(path))
    try:
        with gzip.open(path, "rb") as file:
            data = file.read(min(limits.file_bytes, most) + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        return _refused(path, f"a damaged gzip file ({error})", "copy the file again")
    if len(data) > most:
        return _refused(path, f"it unpacks to over {limits.ratio} times its size", LIMITS)
    return _whole(path, os.path.abspath(path)[: -len(".gz")], data, limits)


class _Metered(io.RawIOBase):
    """A stream that is unpacked while it is read, and stops at the limits of an archive."""

    def __init__(self, packed: IO[bytes], unpacked: Any, limits: Limits) -> None:
        self.packed, self.unpacked, self.limits = packed, unpacked, limits
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes; raises _OverLimitError when there have been too many."""
        data: bytes = self.unpacked.read(size)
        self.given += len(data)
        if reason := _over(self.given, self.packed.tell(), self.limits):
            raise _OverLimitError(reason)
        return data


def _over(unpacked: int, packed: int, limits: Limits) -> str | None:
    """Which limit an archive has passed, if any."""
    if unpacked > limits.archive_bytes:
        return f"more than {limits.archive_bytes} bytes unpacked"
    if unpacked > limits.ratio_from_bytes and unpacked > limits.ratio * max(packed, 1):
        return f"it unpacks to over {limits.ratio} times its size"
    return None


def _unpacked(packed: IO[bytes]) -> Any:
    """The stream without its compression, which its first bytes name, whatever the file's name."""
    start = packed.read(6)
    packed.seek(0)
    if start.startswith(b"\x1f\x8b"):
        return gzip.open(packed)
    if start.startswith(b"\xfd7zXZ"):
        return lzma.LZMAFile(packed)
    if start.startswith(b"BZh"):
        return bz2.BZ2File(packed)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        import zstandard

        return zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    return packed


class _Header(tarfile.TarInfo):
    """A member's header. A damaged one is an error: tarfile takes it for the end of the archive."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> _Header:
        """The next member; raises ReadError for anything but a member or a proper end."""
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from None

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """One header block; raises ReadError for a name or extension too long to be meant well."""
        header = super().frombuf(buf, encoding, errors)
        if header.type in TAR_HEADER_TYPES and header.size > LONGEST_TAR_HEADER_BYTES:
            raise tarfile.ReadError(f"a header of {header.size} bytes")
        return header


def _tar(path: str, limits: Limits) -> Iterator[Found]:
    with open(path, "rb") as packed:
        try:
            stream = _Metered(packed, _unpacked(packed), limits)
            with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Header) as archive:
                yield from _tar_members(archive, path, limits)
        except _OverLimitError as error:
            yield _refused(path, f"{error}; the rest of the archive is not read", LIMITS)
        except Exception as error:  # whatever damage makes the readers raise
            said = f"{error}" or type(error).__name__
            reason = f"the archive breaks off or is damaged ({said}); members before it are kept"
            yield _refused(path, reason, COPY_AGAIN)


def _tar_members(archive: tarfile.TarFile, path: str, limits: Limits) -> Iterator[Found]:
    names: set[str] = set()
    for count, member in enumerate(archive, start=1):
        archive.members = []  # type: ignore[attr-defined]  # tarfile would keep every header
        if count > limits.members:
            raise _OverLimitError(f"more than {limits.members} members")
        if member.isdir():
            continue
        shown = f"{path}!{member.name}"
        if reason := _refusal(member.name, member.size, names, limits):
            yield _refused(shown, *reason)
        elif not member.isreg() or member.issparse():
            yield _refused(shown, "a link, device or sparse file inside an archive", REPACK)
        else:
            file = archive.extractfile(member)
            yield _member(path, member.name, file.read() if file else b"")


def _zip(path: str, limits: Limits) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _zip_members(archive, path, limits)
    except _OverLimitError as error:
        yield _refused(path, f"{error}; the rest of the archive is not read", LIMITS)
    except Exception as error:  # whatever damage makes the readers raise
        yield _refused(path, f"the archive cannot be read ({error})", COPY_AGAIN)


def _zip_members(archive: zipfile.ZipFile, path: str, limits: Limits) -> Iterator[Found]:
    names: set[str] = set()
    unpacked = packed = 0
    for count, member in enumerate(archive.infolist(), start=1):
        unpacked, packed = unpacked + member.file_size, packed + member.compress_size
        if count > limits.members:
            raise _OverLimitError(f"more than {limits.members} members")
        if reason := _over(unpacked, packed, limits):
            raise _OverLimitError(reason)
        if member.is_dir():
            continue
        shown = f"{path}!{member.filename}"
        if refusal := _refusal(member.filename, member.file_size, names, limits):
            yield _refused(shown, *refusal)
        elif member.external_attr >> 28 not in (0, 8):
            yield _refused(shown, "a link or device inside an archive", REPACK)
        elif member.flag_bits & 1:
            yield _refused(shown, "an encrypted member", REPACK)
        else:
            yield _zip_member(archive, member, path)


def _zip_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str) -> Found:
    try:
        with archive.open(member) as file:
            return _member(path, member.filename, file.read(member.file_size + 1))
    except Exception as error:  # whatever damage makes the readers raise
        reason = f"this member cannot be read ({error}); the others are"
        return _refused(f"{path}!{member.filename}", reason, COPY_AGAIN)


def _refusal(name: str, size: int, names: set[str], limits: Limits) -> tuple[str, str] | None:
    """Why a member is not read, and what to do; a name that is taken is remembered in `names`."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or re.match(r"^[A-Za-z]:", name):
        return "a member whose path leads out of the archive", REPACK
    if size > limits.file_bytes:
        return f"{size} bytes are over the limit of {limits.file_bytes}", LIMITS
    if (plain := posixpath.normpath(name)) in names:
        return "a second member of this name; the first is read", REPACK
    names.add(plain)
    return None


def _member(path: str, name: str, data: bytes) -> Source:
    path, name = printable(path), printable(name)
    origin = f"{printable(os.path.abspath(path))}/{name}"
    return Source(f"{path}!{name}", origin, path, name, data[:HEAD_BYTES], lambda: data)
