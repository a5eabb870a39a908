"""Paths to files: what is found behind each kind of path, and what is refused and why."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import stat
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from ingest.sources import Limits, Refusal, Source, UnreadablePathError, natural, walk
from ingest.units import MIB

LOG = b':::MLLOG {"key": "run_start", "value": null}\n'
FILES = {"a/result_0.txt": LOG, "a/result_1.txt": LOG * 2, "b.json": b"{}"}

Pack = Callable[[bytes], bytes]
PACKS: dict[str, Pack] = {
    ".tar": lambda data: data,
    ".tar.gz": gzip.compress,
    ".tgz": gzip.compress,
    ".tar.xz": lzma.compress,
    ".txz": lzma.compress,
    ".tar.bz2": bz2.compress,
    ".tar.zst": lambda data: zstandard.ZstdCompressor().compress(data),
}


def tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            add(archive, name, data)
    return buffer.getvalue()


def add(archive: tarfile.TarFile, name: str, data: bytes = b"", **said: object) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    for field, value in said.items():
        setattr(member, field, value)
    archive.addfile(member, io.BytesIO(data))


def zip_of(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def found(*paths: Path | str, limits: Limits | None = None) -> dict[str, bytes | str]:
    """What is behind the paths: the bytes of what was read, the reason for what was not."""
    result: dict[str, bytes | str] = {}
    for each in walk([str(path) for path in paths], limits or Limits()):
        assert each.path not in result
        if isinstance(each, Refusal):
            assert each.problem.severity == "error"
            assert each.problem.remedy
            assert each.problem.line is None
            result[each.path] = each.problem.reason
        else:
            result[each.path] = each.read()
            assert each.head == each.read()[:MIB]
    return result


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


# what is found


def test_natural_order() -> None:
    names = ["result_10.txt", "result_2.txt", "result_1.txt", "a", "result_02.txt", "10", "9"]
    ordered = ["9", "10", "a", "result_1.txt", "result_2.txt", "result_02.txt", "result_10.txt"]
    assert sorted(names, key=natural) == ordered


def test_folder_recursively_in_natural_order(tmp_path: Path) -> None:
    for name in ("n10/r.txt", "n2/r_10.txt", "n2/r_9.txt", ".git/config", "top.txt"):
        write(tmp_path / name, name.encode())
    assert list(found(tmp_path)) == [
        f"{tmp_path}/{name}" for name in ("top.txt", "n2/r_9.txt", "n2/r_10.txt", "n10/r.txt")
    ]


def test_source_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "logs/result_0.txt", LOG)
    monkeypatch.chdir(tmp_path)
    (source,) = walk(["logs/result_0.txt"], Limits())
    assert isinstance(source, Source)
    assert (source.path, source.origin) == ("logs/result_0.txt", f"{tmp_path}/logs/result_0.txt")
    assert (source.archive, source.member) == (None, None)
    assert (source.head, source.read()) == (LOG, LOG)


def test_head_is_a_mebibyte(tmp_path: Path) -> None:
    (source,) = walk([str(write(tmp_path / "x", b"a" * (MIB + 5)))], Limits())
    assert isinstance(source, Source)
    assert (len(source.head), len(source.read())) == (MIB, MIB + 5)


def test_glob(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write(tmp_path / f"d/result_{number}.txt", LOG)
    write(tmp_path / "d/other.txt", LOG)
    names = [f"{tmp_path}/d/result_{number}.txt" for number in (1, 2, 10)]
    assert list(found(tmp_path / "d/result_*.txt")) == names
    assert list(found(tmp_path / "**/result_1*.txt")) == [names[0], names[2]]


def test_a_name_with_glob_characters_is_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "result_[1].txt", LOG)
    assert found(path) == {str(path): LOG}


@pytest.mark.parametrize("path", ["", "no/such/file", "no/such/*.txt", "nul\0byte"])
def test_missing_path(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "here.txt", LOG)
    with pytest.raises(UnreadablePathError, match=r"no such file or folder; check the path"):
        next(walk(["here.txt", path], Limits()))


@pytest.mark.parametrize("suffix", PACKS)
def test_tar(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"logs{suffix}", PACKS[suffix](tar(FILES)))
    assert found(path) == {f"{path}!{name}": data for name, data in FILES.items()}


@pytest.mark.parametrize("suffix", PACKS)
def test_the_bytes_not_the_name_say_how_a_tar_is_packed(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / "logs.tar.gz", PACKS[suffix](tar(FILES)))
    assert list(found(path).values()) == list(FILES.values())


def test_zip(tmp_path: Path) -> None:
    path = write(tmp_path / "logs.zip", zip_of({"a/": b"", **FILES}))
    assert found(path) == {f"{path}!{name}": data for name, data in FILES.items()}


def test_member_s_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "logs.zip", zip_of({"org/results/box/bert/result_0.txt": LOG}))
    monkeypatch.chdir(tmp_path)
    (source,) = walk(["logs.zip"], Limits())
    assert isinstance(source, Source)
    member = "org/results/box/bert/result_0.txt"
    assert source.origin == f"{tmp_path}/logs.zip/{member}"
    assert (source.archive, source.member) == ("logs.zip", member)


def test_gzip(tmp_path: Path) -> None:
    path = write(
        tmp_path / "result_0.txt.gz", gzip.compress(LOG, mtime=0) + gzip.compress(LOG, mtime=0)
    )
    (source,) = walk([str(path)], Limits())
    assert isinstance(source, Source)
    assert (source.path, source.origin) == (str(path), f"{tmp_path}/result_0.txt")
    assert source.read() == LOG * 2


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    assert found("-") == {"<stdin>": LOG}


def test_stdin_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert found("-") == {"<stdin>": "standard input cannot be read"}


def test_stdin_over_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG)))
    assert found("-", limits=Limits(file_bytes=9)) == {"<stdin>": "more than the limit of 9 bytes"}


def test_an_archive_in_an_archive_is_one_file(tmp_path: Path) -> None:
    inner = zip_of(FILES)
    path = write(tmp_path / "outer.tar", tar({"inner.zip": inner}))
    assert found(path) == {f"{path}!inner.zip": inner}


def test_names_that_are_no_utf8_become_printable(tmp_path: Path) -> None:
    write(tmp_path / os.fsdecode(b"r\xe9sult.txt"), LOG)
    assert found(tmp_path) == {f"{tmp_path}/r\ufffdsult.txt": LOG}
    packed = tar({os.fsdecode(b"m\xe9mber.txt"): LOG})
    path = write(tmp_path / "x/logs.tar", packed)
    assert found(path) == {f"{path}!m\ufffdmber.txt": LOG}


# folders and links


def test_empty_folder(tmp_path: Path) -> None:
    assert found(tmp_path) == {str(tmp_path): "no file in this folder"}


def test_link_within_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "real.txt", LOG)
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert list(found(tmp_path).values()) == [LOG, LOG]


def test_link_out_of_the_folder(tmp_path: Path) -> None:
    write(tmp_path / "secret.txt", b"secret")
    write(tmp_path / "logs/a.txt", LOG)
    (tmp_path / "logs/out.txt").symlink_to(tmp_path / "secret.txt")
    write(tmp_path / "logs-beside/b.txt", b"secret")
    (tmp_path / "logs/near.txt").symlink_to(tmp_path / "logs-beside/b.txt")
    reason = "a link that leads out of the folder"
    assert found(tmp_path / "logs") == {
        f"{tmp_path}/logs/a.txt": LOG,
        f"{tmp_path}/logs/near.txt": reason,
        f"{tmp_path}/logs/out.txt": reason,
    }


def test_links_to_folders_and_loops(tmp_path: Path) -> None:
    write(tmp_path / "a/r.txt", LOG)
    (tmp_path / "a/up").symlink_to(tmp_path)
    (tmp_path / "a/self").symlink_to("self")
    assert found(tmp_path) == {
        f"{tmp_path}/a/up": "a link to a folder is not followed",
        f"{tmp_path}/a/r.txt": LOG,
        f"{tmp_path}/a/self": "a link to nothing",
    }


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    write(tmp_path / "real/r.txt", LOG)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert found(tmp_path / "link") == {f"{tmp_path}/link/r.txt": LOG}


def test_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    path = f"{tmp_path}/gone.txt"
    assert found(tmp_path) == {path: "a link to nothing"}
    assert found(path) == {path: "a link to nothing"}


def test_pipes_and_sockets_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert found(".") == dict.fromkeys(("./fifo", "./socket"), "neither a file nor a folder")


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.txt", LOG)
    write(tmp_path / "b.txt", LOG)
    real = open

    def guarded(path: str, *rest: object) -> object:
        if str(path).endswith("a.txt"):
            raise PermissionError(13, "Permission denied", path)
        return real(path, *rest)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", guarded)
    assert found(tmp_path) == {
        f"{tmp_path}/a.txt": "cannot be read: Permission denied",
        f"{tmp_path}/b.txt": LOG,
    }


def test_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "closed/a.txt", LOG)
    write(tmp_path / "open/b.txt", LOG)
    real = os.scandir

    def guarded(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", guarded)
    assert found(tmp_path) == {
        f"{tmp_path}/open/b.txt": LOG,
        f"{tmp_path}/closed": "cannot be read: Permission denied",
    }


# members that are refused

ESCAPES = ["../up.txt", "a/../../up.txt", "/etc/passwd", "C:\\up.txt", "..\\up.txt", "\\\\h\\x"]
OUT = "a member whose path leads out of the archive"


@pytest.mark.parametrize("name", ESCAPES)
def test_members_that_lead_out(name: str, tmp_path: Path) -> None:
    path = write(tmp_path / "x.tar", tar({"a.txt": LOG, name: b"evil", "b.txt": LOG}))
    good = {f"{path}!a.txt": LOG, f"{path}!b.txt": LOG}
    assert found(path) == {**good, f"{path}!{name}": OUT}
    path = write(tmp_path / "x.zip", zip_of({"a.txt": LOG, name: b"evil", "b.txt": LOG}))
    good = {f"{path}!a.txt": LOG, f"{path}!b.txt": LOG}
    assert found(path) == {**good, f"{path}!{name}": OUT}


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_in_a_tar(kind: bytes, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        add(archive, "odd", type=kind, linkname="/etc/passwd")
        add(archive, "folder", type=tarfile.DIRTYPE)
        add(archive, "a.txt", LOG)
    path = write(tmp_path / "x.tar", buffer.getvalue())
    assert found(path) == {
        f"{path}!odd": "a link, device or sparse file inside an archive",
        f"{path}!a.txt": LOG,
    }


def test_link_in_a_zip(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("odd")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.txt", LOG)
    path = write(tmp_path / "x.zip", buffer.getvalue())
    assert found(path) == {
        f"{path}!odd": "a link or device inside an archive",
        f"{path}!a.txt": LOG,
    }


def test_second_member_of_a_name(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        add(archive, "a.txt", LOG)
        add(archive, "./a.txt", b"other")
    path = write(tmp_path / "x.tar", buffer.getvalue())
    reason = "a second member of this name; the first is read"
    assert found(path) == {f"{path}!a.txt": LOG, f"{path}!./a.txt": reason}


# limits


def test_file_over_the_limit(tmp_path: Path) -> None:
    path = write(tmp_path / "big.txt", b"x" * 11)
    limits = Limits(file_bytes=10)
    assert found(path, limits=limits) == {str(path): "11 bytes are over the limit of 10"}
    assert found(path, limits=Limits(file_bytes=11)) == {str(path): b"x" * 11}


@pytest.mark.parametrize("suffix", [".tar.xz", ".zip"])
def test_member_over_the_limit(suffix: str, tmp_path: Path) -> None:
    files = {"a": b"x" * 10, "b": b"x" * 11, "c": b"y"}
    data = zip_of(files) if suffix == ".zip" else lzma.compress(tar(files))
    path = write(tmp_path / f"x{suffix}", data)
    assert found(path, limits=Limits(file_bytes=10)) == {
        f"{path}!a": b"x" * 10,
        f"{path}!b": "11 bytes are over the limit of 10",
        f"{path}!c": b"y",
    }


@pytest.mark.parametrize("suffix", [".tar", ".zip"])
def test_too_many_members(suffix: str, tmp_path: Path) -> None:
    files = {"a": b"1", "b": b"2", "c": b"3"}
    path = write(tmp_path / f"x{suffix}", zip_of(files) if suffix == ".zip" else tar(files))
    assert found(path, limits=Limits(members=2)) == {
        f"{path}!a": b"1",
        f"{path}!b": b"2",
        str(path): "more than 2 members; the rest of the archive is not read",
    }
    assert len(found(path, limits=Limits(members=3))) == 3


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.zst", ".zip"])
def test_too_many_bytes_in_an_archive(suffix: str, tmp_path: Path) -> None:
    files = {"a": os.urandom(30_000), "b": os.urandom(30_000)}
    data = zip_of(files) if suffix == ".zip" else PACKS[suffix](tar(files))
    path = write(tmp_path / f"x{suffix}", data)
    result = found(path, limits=Limits(archive_bytes=50_000))
    assert result == {
        f"{path}!a": files["a"],
        str(path): "more than 50000 bytes unpacked; the rest of the archive is not read",
    }


RATIO = "it unpacks to over 50 times its size"


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".tar.zst", ".tar.bz2", ".zip"])
def test_bomb(suffix: str, tmp_path: Path) -> None:
    files = {"bomb": bytes(10 * MIB)}
    data = zip_of(files) if suffix == ".zip" else PACKS[suffix](tar(files))
    path = write(tmp_path / f"x{suffix}", data)
    result = found(path, limits=Limits(ratio=50, ratio_from_bytes=MIB))
    assert result == {str(path): f"{RATIO}; the rest of the archive is not read"}


def test_gzip_bomb(tmp_path: Path) -> None:
    path = write(tmp_path / "x.gz", gzip.compress(bytes(10 * MIB)))
    limits = Limits(ratio=50, ratio_from_bytes=MIB)
    assert found(path, limits=limits) == {str(path): RATIO}
    assert found(path, limits=Limits(file_bytes=MIB)) == {
        str(path): f"more than the limit of {MIB} bytes"
    }


def test_a_bomb_in_a_tar_header(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        add(archive, "a.txt", LOG)
        add(archive, "long", bytes(3 * MIB), type=tarfile.GNUTYPE_LONGNAME)
        add(archive, "b.txt", LOG)
    path = write(tmp_path / "x.tar.xz", lzma.compress(buffer.getvalue()))
    result = found(path)
    assert result.pop(f"{path}!a.txt") == LOG
    (reason,) = result.values()
    assert reason == (
        "the archive breaks off or is damaged (a header of 3145728 bytes); "
        "members before it are kept"
    )


def test_a_large_first_member_is_no_bomb(tmp_path: Path) -> None:
    """Its bytes count when they are unpacked, not when the header announces them."""
    data = os.urandom(MIB)
    path = write(tmp_path / "x.tar.xz", lzma.compress(tar({"a": data}), preset=0))
    assert found(path, limits=Limits(ratio=2, ratio_from_bytes=MIB // 8)) == {f"{path}!a": data}


# damage


@pytest.mark.parametrize("suffix", PACKS)
def test_truncated_tar(suffix: str, tmp_path: Path) -> None:
    files = {f"r{number}": os.urandom(200_000) for number in range(5)}
    packed = PACKS[suffix](tar(files))
    path = write(tmp_path / f"x{suffix}", packed[: len(packed) * 7 // 10])
    result = found(path)
    reason = result.pop(str(path))
    assert isinstance(reason, str)
    assert reason.startswith("the archive breaks off or is damaged (")
    assert reason.endswith("); members before it are kept")
    kept = {name.rpartition("!")[2]: data for name, data in result.items()}
    assert kept == {name: files[name] for name in ("r0", "r1", "r2")[: len(kept)]}
    assert len(kept) >= (3 if suffix != ".tar.bz2" else 0)


def test_tar_cut_between_two_members(tmp_path: Path) -> None:
    packed = tar({"a": b"x" * 512, "b": b"y" * 512})
    path = write(tmp_path / "x.tar", packed[:1024])
    assert found(path) == {
        f"{path}!a": b"x" * 512,
        str(
            path
        ): "the archive breaks off or is damaged (empty header); members before it are kept",
    }


def test_tar_with_a_damaged_header(tmp_path: Path) -> None:
    packed = bytearray(tar({"a": b"x" * 512, "b": b"y" * 512, "c": b"z"}))
    packed[1024:1100] = b"#" * 76
    path = write(tmp_path / "x.tar", bytes(packed))
    assert found(path) == {
        f"{path}!a": b"x" * 512,
        str(
            path
        ): "the archive breaks off or is damaged (bad checksum); members before it are kept",
    }


@pytest.mark.parametrize("suffix", [*PACKS, ".zip", ".gz"])
@pytest.mark.parametrize(
    "data", [b"", b"no archive at all\n" * 99, b"\x1f\x8b", b"\xfd7zXZ\0", b"PK"]
)
def test_not_an_archive(suffix: str, data: bytes, tmp_path: Path) -> None:
    path = write(tmp_path / f"x{suffix}", data)
    result = found(path)
    if suffix == ".gz" and data == b"":
        assert result == {str(path): b""}
    else:
        (reason,) = result.values()
        assert isinstance(reason, str)
        assert list(result) == [str(path)]


@pytest.mark.parametrize("suffix", [*PACKS, ".zip", ".gz"])
def test_any_byte_of_an_archive_may_be_wrong(suffix: str, tmp_path: Path) -> None:
    packed = (
        zip_of(FILES)
        if suffix == ".zip"
        else gzip.compress(LOG, mtime=0)
        if suffix == ".gz"
        else PACKS[suffix](tar({"a": LOG}))
    )
    for place in range(0, len(packed), max(1, len(packed) // 300)):
        for byte in (0, 0xFF):
            data = packed[:place] + bytes([byte]) + packed[place + 1 :]
            path = write(tmp_path / f"x{suffix}", data)
            list(walk([str(path)], Limits()))
        path = write(tmp_path / f"x{suffix}", packed[:place])
        list(walk([str(path)], Limits()))


def test_zip_with_a_wrong_checksum(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"first")
        archive.writestr("b.txt", b"second")
    data = buffer.getvalue().replace(b"first", b"fi#st", 1)
    path = write(tmp_path / "x.zip", data)
    assert found(path) == {
        f"{path}!a.txt": "this member cannot be read (Bad CRC-32 for file 'a.txt'); the others are",
        f"{path}!b.txt": b"second",
    }


def test_encrypted_zip(tmp_path: Path) -> None:
    data = bytearray(zip_of({"a.txt": LOG}))
    data[6] |= 1  # the flag in the member's header, and in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path = write(tmp_path / "x.zip", bytes(data))
    assert found(path) == {f"{path}!a.txt": "an encrypted member"}


def test_zip_that_lies_about_a_size(tmp_path: Path) -> None:
    data = zip_of({"a.txt": bytes(MIB)})
    place = data.index(b"PK\x01\x02") + 24
    path = write(tmp_path / "x.zip", data[:place] + b"\x05\0\0\0" + data[place + 4 :])
    (reason,) = found(path).values()
    assert isinstance(reason, str)
    assert reason.startswith("this member cannot be read (Bad CRC-32")


@pytest.mark.parametrize(
    "data",
    [b"garbage", gzip.compress(LOG * 99, mtime=0)[:-9], gzip.compress(LOG, mtime=0)[:5]],
    ids=["garbage", "cut", "head"],
)
def test_damaged_gzip(data: bytes, tmp_path: Path) -> None:
    path = write(tmp_path / "result_0.txt.gz", data)
    (reason,) = found(path).values()
    assert isinstance(reason, str)
    assert reason.startswith("a damaged gzip file (")
