"""The commands in the documentation do what it says: each is run as written."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "site" / "guides").glob("*.md"))]
BLOCK = re.compile(r"```console\n(.*?)```", re.S)
STANDS_FOR = {"PATH": "data/raw", "PATH...": "data/raw"}


def commands(page: Path) -> list[list[str]]:
    """The `$ levelbook ...` lines of a page's console blocks, as arguments."""
    lines = [line for block in BLOCK.findall(page.read_text("utf-8")) for line in block.split("\n")]
    found = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines]
    return [words[1:] for words in found if words and words[0] == "levelbook"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the bundled logs and a database of them, as after the first command."""
    place = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "data" / "raw", place / "data" / "raw")
    run(["load", "data/raw"], place)
    return place


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "reports.cli", *(STANDS_FOR.get(word, word) for word in words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def named() -> list[tuple[str, list[str]]]:
    return [(page.name, words) for page in PAGES for words in commands(page)]


def test_documentation_shows_commands() -> None:
    assert {"load", "check", "query", "build", "trace"} <= {words[0] for _, words in named()}


@pytest.mark.parametrize(("page", "words"), named(), ids=lambda value: str(value)[:60])
def test_command_in_documentation_works(page: str, words: list[str], folder: Path) -> None:
    if words[0] == "serve":
        pytest.fail("serve does not end by itself; show it outside a console block")
    done = run(words, folder)
    assert done.returncode == 0, f"{page}: levelbook {shlex.join(words)}\n{done.stderr}"
    assert done.stdout.strip()


def test_readme_names_the_two_commands_of_ci() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "pip install -c constraints.txt -e '.[test]' && .venv/bin/levelbook publish" in readme
    assert ".venv/bin/pytest" in readme
    assert ".venv/bin/pytest" in ci
    assert ".venv/bin/levelbook publish" in ci
