"""source.toml: what is taken from it, and what is said about what is not."""

from __future__ import annotations

import pytest

from ingest.layout import Identity
from ingest.records import Problem
from ingest.sidecar import REMEDY, Sidecar, nearest, overridden, read_sidecar


def read(text: str) -> tuple[Sidecar, list[tuple[int | None, str, str]]]:
    sidecar, problems = read_sidecar(text.encode(), "/data/box/source.toml")
    assert all(problem.remedy == REMEDY for problem in problems)
    return sidecar, [(p.line, p.severity, p.reason) for p in problems]


def test_whole() -> None:
    sidecar, problems = read(
        '# made by hand\nname = "box_v1.1"\nkind = "reconstructed"\nverification = "official"\n'
        'round = "v1.1"\norganization = "Example"\nretrieved = 2026-11-30\n'
    )
    assert problems == []
    assert sidecar == Sidecar(
        name="box_v1.1",
        kind="reconstructed",
        verification="official",
        round="v1.1",
        organization="Example",
        retrieved="2026-11-30",
    )


def test_empty_is_unverified_and_named_after_its_folder() -> None:
    sidecar, problems = read("")
    assert problems == []
    assert (sidecar.name, sidecar.kind, sidecar.verification) == ("box", "logged", "unverified")


def test_byte_order_mark() -> None:
    sidecar, problems = read('\ufefforganization = "Example"\n')
    assert (sidecar.organization, problems) == ("Example", [])


def test_unknown_name() -> None:
    sidecar, problems = read('round = "v1.1"\nrounds = "v1.1"\n\n[extra]\na = 1\n')
    assert sidecar.round == "v1.1"
    assert problems == [
        (2, "warning", "rounds is no name of a source.toml"),
        (4, "warning", "extra is no name of a source.toml"),
    ]


def test_words_that_are_not_allowed() -> None:
    sidecar, problems = read('kind = "guessed"\nverification = "certified"\n')
    assert (sidecar.kind, sidecar.verification) == ("logged", "unverified")
    assert problems == [
        (1, "error", "kind must be one of logged, reconstructed, not 'guessed'"),
        (2, "error", "verification must be one of official, unverified, not 'certified'"),
    ]


@pytest.mark.parametrize("value", ["1.1", "true", "['v1.1']", "{ a = 1 }"])
def test_values_that_are_no_text(value: str) -> None:
    sidecar, problems = read(f'system = "box"\nround = {value}\n')
    assert (sidecar.system, sidecar.round) == ("box", None)
    ((line, severity, reason),) = problems
    assert (line, severity) == (2, "error")
    assert reason.startswith("round must be text, not ")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'name = "a"\nround = v1.1\n', 2),
        (b"\xff\xfe", 1),
        (b'name = "a"\nname = "b"\n', 2),
        (b"a = " + b"[" * 5000, 1),
        (b"a = " + b"1" * 5000, 1),
    ],
)
def test_not_toml(data: bytes, line: int) -> None:
    sidecar, (problem,) = read_sidecar(data, "/data/box/source.toml")
    assert sidecar == Sidecar()
    assert isinstance(problem, Problem)
    assert (problem.line, problem.severity) == (line, "error")
    assert problem.reason.startswith("not valid TOML (")
    assert problem.reason.endswith("); the folder is loaded without it")


def test_what_a_person_says_wins() -> None:
    path = Identity("v1.1", "Path", "path-box", "bert", 3, True)
    said = Sidecar(organization="Said", benchmark="resnet")
    assert overridden(path, said) == Identity("v1.1", "Said", "path-box", "resnet", 3, True)
    assert overridden(path, Sidecar()) == path


def test_the_innermost_sidecar_counts() -> None:
    outer, inner = Sidecar(name="outer"), Sidecar(name="inner")
    sidecars = {"/d": outer, "/d/a/b": inner}
    assert nearest("/d/a/b/c/result_0.txt", sidecars) is inner
    assert nearest("/d/a/bc/result_0.txt", sidecars) is outer
    assert nearest("/e/result_0.txt", sidecars) is None
