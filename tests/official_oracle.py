"""What the installed official tools say: the oracle that our verdicts are compared with.

They run here only, never in the program. Rule files are read once a process, because the official
reader parses three of them anew for every log; `dlrm`, which the convergence test has forgotten
since 2023, is given back. An exception of theirs is returned, not raised: it is an answer too.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import yaml


class Compliance(NamedTuple):
    """Verdict on one log, keys of failed checks, first lines of the messages without a key."""

    valid: bool
    keys: frozenset[str]
    messages: tuple[str, ...]


class Convergence(NamedTuple):
    """Verdict on one result set, the message, the factor of the score."""

    passed: bool
    message: str
    factor: float


def compliance(
    file: Path, usage: str, version: str, config: Path | None = None
) -> Compliance | Exception:
    """What the compliance checker says of a log; `config` is another first rule file."""
    checker_module, _, _ = _tools()
    with _quiet():
        del checker_module.enqueued_configs[:]  # what an earlier exception left behind
        checker = checker_module.make_checker(usage, version, False, False)
        try:
            first = config or f"{usage}_{version}/common.yaml"
            valid = checker_module.main(str(file), str(first), checker)[0]
        except Exception as error:
            return error
        found = tuple(message.split("\n")[0] for message in checker.not_overwritable)
        return Compliance(bool(valid), frozenset(checker.overwritable), found)


def seeds(files: Sequence[Path], version: str) -> list[str] | Exception:
    """The messages of the seed checker on the logs of a result set; none: it passes."""
    _, seed_module, _ = _tools()
    with _quiet():
        try:
            found: list[str] = seed_module.SeedChecker(version)._assert_unique_seed_per_run(
                [str(file) for file in files]
            )
        except Exception as error:
            return error
        return found


def rcp(
    folder: Path,
    usage: str,
    version: str,
    train_samples: bool = False,
    rcp_pass: str = "pruned_rcps",
) -> Convergence | Exception:
    """What the convergence test says of the folder of a result set; `rcp_pass` or full_rcps."""
    _, _, rcp_module = _tools()
    with _quiet():
        try:
            passed, message, factor = rcp_module.check_directory(
                str(folder), usage, version, False, train_samples, rcp_pass=rcp_pass
            )
        except Exception as error:
            return error
        return Convergence(bool(passed), str(message), float(factor))


@cache
def _tools() -> tuple[Any, Any, Any]:
    """The compliance, seed and convergence checkers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mlperf_logging.compliance_checker import mlp_compliance
        from mlperf_logging.package_checker import seed_checker
        from mlperf_logging.rcp_checker import rcp_checker
    mlp_compliance.yaml = SimpleNamespace(load=_load, BaseLoader=None)
    rcp_checker.submission_runs["training"].setdefault("dlrm", 5)
    return mlp_compliance, seed_checker, rcp_checker


def _load(file: io.TextIOBase, Loader: object) -> Any:  # noqa: N803 - their name
    return _rules(file.read())


@cache
def _rules(text: str) -> Any:
    return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))


@contextmanager
def _quiet() -> Iterator[None]:
    """Neither log, warnings nor prints."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
