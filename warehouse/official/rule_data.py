"""Where the official rules are, and what they consist of: YAML, JSON and literals of Python files.

Source: PyPI package `mlperf-logging` (mlcommons/logging): folders
`compliance_checker/<usage>_<version>` and `rcp_checker/<usage>_<version>`, `benchmark_meta.py`,
`rcp_checker/rcp_checker.py`.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

PACKAGE = "mlperf-logging"
MODULE = "mlperf_logging"
USAGES = ("training", "hpc")
FOLDER = re.compile(r"^(training|hpc)_(\d+)\.(\d+)\.(\d+)$")
NAME = re.compile(r"[a-z0-9_]{1,100}")


class RuleDataError(Exception):
    """A folder that holds no official rules; the text says which, and what to do."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one round: usage `training` or `hpc`, version such as 1.1.0."""

    usage: str
    version: str

    @property
    def name(self) -> str:
        """What people call it."""
        return f"{self.usage} {self.version}"

    @property
    def folder(self) -> str:
        """The name of its folders."""
        return f"{self.usage}_{self.version}"

    @property
    def round(self) -> str:
        """The round that it was written for, such as v1.1."""
        major, minor, _ = self.version.split(".")
        return f"v{major}.{minor}"


@dataclass(frozen=True, slots=True)
class Rules:
    """Official rules on disk: their folder, its name for people, the package's version."""

    folder: Path
    origin: str
    version: str

    def rule_sets(self) -> list[RuleSet]:
        """Every rule set for which there are compliance rules."""
        found = [FOLDER.match(path.name) for path in (self.folder / "compliance_checker").iterdir()]
        names = [(match[1], f"{match[2]}.{match[3]}.{match[4]}") for match in found if match]
        return [RuleSet(*name) for name in sorted(names)]

    def config(self, name: str) -> Path | None:
        """The rule file `<usage>_<version>/<name>.yaml`, None where there is none.

        Only plain names are looked up, because part of them is text of a log.
        """
        folder, slash, file = name.partition("/")
        if not (slash and FOLDER.fullmatch(folder) and NAME.fullmatch(file.removesuffix(".yaml"))):
            return None
        path = self.folder / "compliance_checker" / folder / file
        return path if path.is_file() else None

    def rcp_files(self, rule_set: RuleSet) -> dict[str, Path]:
        """The files of reference convergence points, by benchmark."""
        folder = self.folder / "rcp_checker" / rule_set.folder
        return {
            path.stem.removeprefix("rcps_"): path for path in sorted(folder.glob("rcps_*.json"))
        }

    def literal(self, file: str, name: str) -> Any:
        """The literal that a Python file assigns to a name; the file is read, not run.

        Raises RuleDataError where there is no such assignment.
        """
        return _literal(self.folder / file, name)


@cache
def _literal(path: Path, name: str) -> Any:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets):
                return ast.literal_eval(node.value)
    except (OSError, SyntaxError, ValueError) as error:
        raise RuleDataError(f"{path}: {error}; name a whole copy of mlperf_logging") from None
    raise RuleDataError(f"{path}: no {name} in it; name another version of mlperf_logging")


def find_rules(chosen: str | None = None) -> Rules:
    """The rules in a folder (a checkout, or the package in it), else the installed package's.

    Raises RuleDataError where they are not there.
    """
    if chosen is None:
        spec = importlib.util.find_spec(MODULE)
        if spec is None or not spec.submodule_search_locations:
            raise RuleDataError(f"{PACKAGE} is not installed; pip install it, or use --rules DIR")
        return Rules(Path(spec.submodule_search_locations[0]), PACKAGE, metadata.version(PACKAGE))
    root = Path(chosen)
    for folder in (root, root / MODULE):
        if (folder / "compliance_checker").is_dir():
            return Rules(folder, chosen, _version(folder))
    raise RuleDataError(f"{chosen}: no folder compliance_checker in it; name a copy of {MODULE}")


def _version(folder: Path) -> str:
    """What the file VERSION beside the package says."""
    for path in (folder.parent / "VERSION", folder / "VERSION"):
        if path.is_file():
            return path.read_text(encoding="utf-8").strip()
    return "unknown"
