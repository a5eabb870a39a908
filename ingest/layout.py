"""Who ran what, from the path: the MLCommons submission layout is the source of identity.

Source: mlcommons/policies `submission_rules.adoc`, section on the directory structure, and the
variations in the published rounds: `<org>/results/<system>/<benchmark>/result_<n>.txt`,
`<org>/systems/<system>.json`, v0.5 `v0.5.0/<org>/<submission>/results/...`, a missing benchmark
folder (v0.7 Alibaba), `strong`/`weak` folders (HPC).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

VERSION = re.compile(r"^v\d+\.\d+\.\d+$")
ROUND = re.compile(r"(?:^|[_\-/ ])v(\d{1,2})\.(\d)(?:\.\d)?(?=$|[_\-/ ]|\.tar|\.tgz|\.zip)")
RESULT = re.compile(r"^result_(?:run)?(\d{1,4})(?=[_.])")
OFFICIAL = re.compile(r"^result_.+\.txt$")
LAST_NUMBER = re.compile(r"(\d+)\D*$")
BETWEEN = ("strong", "weak")
DIVISIONS = ("open", "closed", "network")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a path says about a file. Unknown is None.

    `is_official_name` is False for a log inside a result set's folder that the official tools
    would not read, because it is not called result_<n>.txt; None outside such a folder.
    """

    round: str | None = None
    organization: str | None = None
    system: str | None = None
    benchmark: str | None = None
    run_number: int | None = None
    is_official_name: bool | None = None

    @property
    def result_set(self) -> tuple[str | None, str | None, str | None]:
        """Organisation, system and benchmark: the folder that holds the runs of one score."""
        return self.organization, self.system, self.benchmark

    @property
    def place(self) -> str:
        """The result set and the run in it, as text; the round is left out on purpose."""
        return "/".join(
            "" if part is None else str(part) for part in (*self.result_set, self.run_number)
        )


def identify(path: str) -> Identity:
    """The identity of a file from its absolute path (an archive counts as a folder)."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    folder = _last_index(parts, "results")
    if folder is not None and len(parts) - folder >= 3:
        return _in_results(parts, folder)
    folder = _last_index(parts, "systems")
    if folder is not None and folder == len(parts) - 2 and parts[-1].endswith(".json"):
        system = PurePosixPath(parts[-1]).stem
        return Identity(_round(parts[:folder]), _organization(parts, folder), system)
    return Identity(round=_round(parts[:-1]))


def _in_results(parts: tuple[str, ...], folder: int) -> Identity:
    inner = [part for part in parts[folder + 2 : -1] if part not in BETWEEN]
    name = parts[-1]
    number = RESULT.match(name) or LAST_NUMBER.search(PurePosixPath(name).stem)
    return Identity(
        round=_round(parts[:folder]),
        organization=_organization(parts, folder),
        system=parts[folder + 1],
        benchmark=inner[0] if inner else None,
        run_number=int(number[1]) if number and len(number[1]) < 10 else None,
        is_official_name=OFFICIAL.match(name) is not None,
    )


def _last_index(parts: tuple[str, ...], name: str) -> int | None:
    found = [index for index, part in enumerate(parts[:-1]) if part == name]
    return found[-1] if found else None


def _round(parts: tuple[str, ...]) -> str | None:
    """The nearest folder that names a round, `v1.1` for training_results_v1.1 and v1.1.0."""
    for part in reversed(parts):
        if found := ROUND.search(part):
            return f"v{found[1]}.{found[2]}"
    return None


def _organization(parts: tuple[str, ...], folder: int) -> str | None:
    """The folder above `results`; in round v0.5 the one below the version."""
    above = [part for part in parts[:folder] if part.lower() not in DIVISIONS]
    for index, part in enumerate(above[:-1]):
        if VERSION.match(part):
            return above[index + 1]
    return above[-1] if above and above[-1] != "/" else None
