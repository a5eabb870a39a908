"""Paths to files: folders, globs, single files, archives and standard input, safely.

Archives are read as streams and nothing is written to disk. A member that would leave the
archive, a link, a device, and anything over the limits is refused with a Problem.
"""

from __future__ import annotations

import glob
import gzip
import lzma
import os
import re
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from ingest.detect import HEAD_BYTES
from ingest.records import Problem
from ingest.units import GIB, MIB

TAR = re.compile(r"\.(?:tar|tar\.(?:gz|xz|zst|bz2)|tgz|txz)$", re.I)
NUMBERS = re.compile(r"(\d+)")
LIMITS = "raise the limit (--max-file-mib, --max-archive-gib, --max-members) if you trust it"
REPACK = "unpack the archive yourself, look at the member, and load the folder"


class UnreadablePathError(Exception):
    """A path that does not exist or cannot be opened; the text says which and what to do."""


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
            data = sys.stdin.buffer.read(limits.file_bytes + 1)
            yield from _one("<stdin>", "<stdin>", data, limits)
        elif os.path.isdir(name):
            yield from _folder(name, limits)
        else:
            yield from _file(name, limits)


def _expanded(path: str) -> list[str]:
    if path == "-" or os.path.exists(path):
        return [path]
    found = sorted(glob.glob(path, recursive=True), key=natural)
    if not found:
        raise UnreadablePathError(f"{path}: no such file or folder; check the path")
    return found


def _folder(root: str, limits: Limits) -> Iterator[Found]:
    inside = Path(root).resolve()
    for folder, folders, files in os.walk(root):
        folders[:] = sorted((name for name in folders if name != ".git"), key=natural)
        for name in sorted(files, key=natural):
            path = os.path.join(folder, name)
            if os.path.islink(path) and inside not in Path(path).resolve().parents:
                yield _refused(path, "a link that leads out of the folder", "load its target")
            else:
                yield from _file(path, limits)


def _file(path: str, limits: Limits) -> Iterator[Found]:
    try:
        if not os.path.isfile(path):
            yield _refused(path, "neither a file nor a folder", "load a regular file")
        elif TAR.search(path):
            yield from _tar(path, limits)
        elif path.lower().endswith(".zip"):
            yield from _zip(path, limits)
        elif path.lower().endswith(".gz"):
            yield from _gzip(path, limits)
        else:
            yield _plain(path, limits)
    except OSError as error:
        yield _refused(path, f"cannot be read: {error.strerror or error}", "check its permissions")


def _refused(path: str, reason: str, remedy: str) -> Refusal:
    return Refusal(path, Problem(None, "error", reason, remedy))


def _plain(path: str, limits: Limits) -> Found:
    size = os.path.getsize(path)
    if size > limits.file_bytes:
        return _refused(path, f"{size} bytes are over the limit of {limits.file_bytes}", LIMITS)
    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
    origin = os.path.abspath(path)
    return Source(path, origin, None, None, head, lambda: Path(path).read_bytes())


def _one(path: str, origin: str, data: bytes, limits: Limits) -> Iterator[Found]:
    if len(data) > limits.file_bytes:
        yield _refused(path, f"more than the limit of {limits.file_bytes} bytes", LIMITS)
    else:
        yield Source(path, origin, None, None, data[:HEAD_BYTES], lambda: data)


def _gzip(path: str, limits: Limits) -> Iterator[Found]:
    name = path[: -len(".gz")]
    most = max(limits.ratio_from_bytes, limits.ratio * os.path.getsize(path))
    try:
        with gzip.open(path, "rb") as file:
            data = file.read(min(limits.file_bytes, most) + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        yield _refused(path, f"damaged gzip file: {error}", "copy the file again")
        return
    if len(data) > most:
        yield _refused(path, f"unpacks to over {limits.ratio} times its size", LIMITS)
        return
    for found in _one(path, os.path.abspath(name), data, limits):
        yield found


def _tar(path: str, limits: Limits) -> Iterator[Found]:
    with open(path, "rb") as packed:
        try:
            stream, mode = _unpacked(packed, path)
            with tarfile.open(fileobj=stream, mode=mode) as archive:  # type: ignore[call-overload]
                yield from _tar_members(archive, path, packed, limits)
        except (tarfile.TarError, EOFError, lzma.LZMAError, zlib.error, OSError) as error:
            reason = f"the archive breaks off or is damaged ({error}); members before it are kept"
            yield _refused(path, reason, "copy the archive again")
        except Exception as error:
            if type(error).__name__ != "ZstdError":
                raise
            yield _refused(path, f"the archive is damaged ({error})", "copy the archive again")


def _unpacked(packed: IO[bytes], path: str) -> tuple[IO[bytes], str]:
    """The stream and tarfile's mode for it; only zstd is not known to the standard library."""
    if not path.lower().endswith(".zst"):
        return packed, "r|*"
    import zstandard

    return zstandard.ZstdDecompressor().stream_reader(packed), "r|"


def _tar_members(
    archive: tarfile.TarFile, path: str, packed: IO[bytes], limits: Limits
) -> Iterator[Found]:
    unpacked = 0
    for count, member in enumerate(archive, start=1):
        unpacked += member.size
        if reason := _over(count, unpacked, packed.tell(), limits):
            yield _refused(path, f"{reason}; the rest of the archive is not read", LIMITS)
            return
        if member.isdir():
            continue
        shown = f"{path}!{member.name}"
        if reason := _refusal(member.name, member.size, limits):
            yield _refused(shown, reason, REPACK)
        elif not member.isreg():
            yield _refused(shown, "a link or device inside an archive", REPACK)
        else:
            file = archive.extractfile(member)
            yield _member(path, member.name, file.read() if file else b"")


def _zip(path: str, limits: Limits) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _zip_members(archive, path, limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        yield _refused(path, f"the archive cannot be read ({error})", "pack it again")


def _zip_members(archive: zipfile.ZipFile, path: str, limits: Limits) -> Iterator[Found]:
    unpacked = packed = 0
    for count, member in enumerate(archive.infolist(), start=1):
        unpacked, packed = unpacked + member.file_size, packed + member.compress_size
        if reason := _over(count, unpacked, packed, limits):
            yield _refused(path, f"{reason}; the rest of the archive is not read", LIMITS)
            return
        shown = f"{path}!{member.filename}"
        if member.is_dir():
            continue
        if reason := _refusal(member.filename, member.file_size, limits):
            yield _refused(shown, reason, REPACK)
        elif member.external_attr >> 28 not in (0, 8):
            yield _refused(shown, "a link or device inside an archive", REPACK)
        else:
            with archive.open(member) as file:
                yield _member(path, member.filename, file.read(member.file_size))


def _over(members: int, unpacked: int, packed: int, limits: Limits) -> str | None:
    """Which limit an archive has passed, if any."""
    if members > limits.members:
        return f"more than {limits.members} members"
    if unpacked > limits.archive_bytes:
        return f"more than {limits.archive_bytes} bytes unpacked"
    if unpacked > limits.ratio_from_bytes and unpacked > limits.ratio * max(packed, 1):
        return f"unpacks to over {limits.ratio} times its size"
    return None


def _refusal(name: str, size: int, limits: Limits) -> str | None:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or re.match(r"^[A-Za-z]:", name):
        return "a member whose path leads out of the archive"
    if size > limits.file_bytes:
        return f"{size} bytes are over the limit of {limits.file_bytes}"
    return None


def _member(path: str, name: str, data: bytes) -> Source:
    origin = f"{os.path.abspath(path)}/{name}"
    return Source(f"{path}!{name}", origin, path, name, data[:HEAD_BYTES], lambda: data)
