"""The commands in the documentation do what it says: each is run as written."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Any

import pytest
import yaml
from compliant_logs import add_compliant
from mlperf_logs import Submission

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


CI_GUIDE = ROOT / "site" / "guides" / "continuous-integration.md"


def yaml_blocks() -> list[Any]:
    """The YAML examples of the page on continuous integration, parsed."""
    blocks = re.findall(r"```yaml\n(.*?)```", CI_GUIDE.read_text("utf-8"), re.S)
    return [yaml.safe_load(block) for block in blocks]


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples are written for: a folder with results/ and systems/ of one submitter."""
    made = Submission(tmp_path_factory.mktemp("submitter"))
    add_compliant(made)
    return made.home


def test_workflow_of_the_guide_runs(submission: Path) -> None:
    workflow, _ = yaml_blocks()
    assert workflow["jobs"]["check"]["runs-on"] == "ubuntu-latest"
    steps = workflow["jobs"]["check"]["steps"]
    (line,) = [step["run"] for step in steps if "levelbook check" in step.get("run", "")]
    words = shlex.split(line)[1:]
    words[words.index("v5.1")] = "v1.1"  # the round of the example logs
    done = run(words, submission)
    assert done.returncode == 0, done.stdout + done.stderr
    kept = next(step for step in steps if "upload-artifact" in step.get("uses", ""))
    report = Xml.parse(submission / kept["with"]["path"]).getroot()
    assert int(report.get("tests", 0)) > 20
    assert report.get("failures") == "0"
    (submission / "results" / "box" / "resnet" / "result_1.txt").write_bytes(b"")
    assert run(words, submission).returncode == 1
    assert run([*words, "--system", "nosuch"], submission).returncode == 2


def test_hook_of_the_guide_is_the_one_of_the_repository(submission: Path) -> None:
    _, config = yaml_blocks()
    (said,) = config["repos"][0]["hooks"]
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert said["id"] == hook["id"] == "levelbook-check"
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    for path, is_taken in [("results/a/b/result_0.txt", True), ("Acme/systems/a.json", True),
                           ("README.md", False)]:  # fmt: skip
        assert bool(re.search(hook["files"], path)) is is_taken
    entry = shlex.split(hook["entry"])
    assert entry[0] == "levelbook"
    for args in (hook["args"], said["args"]):
        done = run([*entry[1:], *args], submission)
        assert done.returncode in (0, 1), done.stderr
        assert "findings: " in done.stdout
