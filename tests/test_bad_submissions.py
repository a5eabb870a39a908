"""What breaks the official checker, or passes it unseen, has a finding here and stops nothing else.

One submission has a result set of five good runs, and one for each way to be bad: the same five
logs, changed in one place. All are judged in one check.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from compliant_logs import add_compliant, changed
from mlperf_logs import Submission

from reports.cli import cli

RUN = 2  # the run of five that is changed
RUN_START, RUN_STOP = 186, 286
EVALUATED = (198, 209, 220, 230, 241, 252, 263, 274, 285)
EVIL = "begin_code"

Change = Callable[[str], str | bytes]
Expected = tuple[str, str, int | None]  # rule, end of the path, line


def edited(text: str, line: int, **fields: Any) -> str:
    """A log in which the record of one line has other fields; "dropped" takes one away."""
    lines = text.split("\n")
    said = json.loads(lines[line - 1].removeprefix(":::MLLOG ")) | fields
    kept = {key: value for key, value in said.items() if value != "dropped"}
    lines[line - 1] = ":::MLLOG " + json.dumps(kept)
    return "\n".join(lines)


def evaluated(value: Any) -> Change:
    """The last evaluation, which reaches the target, gives this instead."""
    return lambda text: edited(text, EVALUATED[-1], value=value)


def cut_inside(text: str) -> str:
    lines = text.split("\n")
    lines[EVALUATED[3] - 1] = lines[EVALUATED[3] - 1][:60]
    return "\n".join(lines)


def stopped_early(text: str) -> str:
    began = json.loads(text.split("\n")[RUN_START - 1].removeprefix(":::MLLOG "))["time_ms"]
    return edited(text, RUN_STOP, time_ms=began - 60_000)


def with_scalar(text: str) -> str:
    lines = text.split("\n")
    lines.insert(200, ":::MLLOG 5")
    return "\n".join(lines)


def climbing(folder: Path) -> str:
    """A division that leads out of the rules' folder to a YAML file of the submitter."""
    return "../" * 12 + str(folder.relative_to(folder.anchor) / EVIL)


# name of the system: how run 2 is changed, and what has to be found
CHANGED: dict[str, tuple[Change, Expected]] = {
    "empty": (lambda text: b"", ("unread_logs", "result_2.txt", None)),
    "binary": (
        lambda text: random.Random(1).randbytes(20_000), ("unread_logs", "result_2.txt", None)
    ),
    "utf16": (
        lambda text: text.encode("utf-16"), ("official_compliance", "result_2.txt", None)
    ),
    "cut_json": (cut_inside, ("official_seeds", "result_2.txt", EVALUATED[3])),
    "truncated": (lambda text: text[: len(text) * 6 // 10], ("unread_logs", "result_2.txt", 161)),
    "stop_first": (stopped_early, ("stop_before_start", "result_2.txt", RUN_STOP)),
    "mixed_batch": (
        lambda text: changed(text, "global_batch_size", 3264),
        ("identical_hyperparameters_within_set", "result_2.txt", 170),
    ),
    "mixed_benchmark": (
        lambda text: changed(text, "submission_benchmark", "ssd"),
        ("header_against_path", "result_2.txt", 1),
    ),
    "null_accuracy": (
        evaluated(None), ("status_against_accuracy", "result_2.txt", EVALUATED[-1])
    ),
    "text_accuracy": (
        evaluated("high"), ("status_against_accuracy", "result_2.txt", EVALUATED[-1])
    ),
    "nan_accuracy": (
        evaluated(float("nan")), ("status_against_accuracy", "result_2.txt", EVALUATED[-1])
    ),
    "null_metadata": (
        lambda text: edited(text, EVALUATED[-1], metadata=None),
        ("official_compliance", "result_2.txt", EVALUATED[-1]),
    ),
    "scalar": (with_scalar, ("official_seeds", "result_2.txt", 201)),
    "no_time": (
        lambda text: edited(text, EVALUATED[3], time_ms="dropped"),
        ("official_compliance", "result_2.txt", EVALUATED[3]),
    ),
    "reversed": (
        lambda text: "\n".join(reversed(text.strip().split("\n"))) + "\n",
        ("official_compliance", "result_2.txt", 1),
    ),
}  # fmt: skip
# made by hand below
OTHERS: dict[str, Expected] = {
    "zero_runs": ("system_without_results", "notes.md", None),
    "undescribed": ("official_system_description", "result_0.txt", None),
    "bad_description": ("unread_logs", "bad_description.json", 1),
    "copied_run": ("duplicate_runs", "result_3.txt", 1),
    "two_aborted": ("converged_runs", "result_1.txt", RUN_STOP),
    "malicious": ("official_compliance", "result_2.txt", None),
}


def add_changed(made: Submission) -> None:
    for number, (name, (change, _)) in enumerate(CHANGED.items(), start=1):
        path = add_compliant(made, name, 10 * number) / f"result_{RUN}.txt"
        bad = change(path.read_text(encoding="utf-8"))
        path.write_bytes(bad if isinstance(bad, bytes) else bad.encode())


def add_others(made: Submission, folder: Path) -> None:
    places = {name: add_compliant(made, name, 500 + 10 * n) for n, name in enumerate(OTHERS)}
    for path in places["zero_runs"].iterdir():
        path.unlink()
    (places["zero_runs"] / "notes.md").write_text("to do", encoding="utf-8")
    systems = made.home / "systems"
    (systems / "undescribed.json").unlink()
    (systems / "bad_description.json").write_text('{"submitter": "Acme", "division": }')
    for path in places["copied_run"].iterdir():
        lines = path.read_text(encoding="utf-8").split("\n")
        path.write_text("\n".join(line for line in lines if '"key": "seed"' not in line))
    copied = places["copied_run"]
    (copied / "result_3.txt").write_bytes((copied / "result_1.txt").read_bytes())
    for number in (1, 3):
        path = places["two_aborted"] / f"result_{number}.txt"
        text = edited(path.read_text(encoding="utf-8"), EVALUATED[-1], value=0.74)
        path.write_text(edited(text, RUN_STOP, metadata={"status": "aborted"}))
    path = places["malicious"] / "result_2.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text(changed(text, "submission_division", climbing(folder)))
    code = f"- BEGIN:\n    CODE: \"open({str(folder / 'written')!r}, 'w')\"\n"
    for name in (EVIL, f"{EVIL}_common.yaml", f"{EVIL}.yaml"):
        (folder / name).write_text(code, encoding="utf-8")


def digest(folder: Path) -> dict[str, str]:
    """Every file below a folder and a hash of its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Submission(tmp_path_factory.mktemp("bad"))
    add_compliant(made, "good")
    add_changed(made)
    add_others(made, made.root.parent)
    return made.root.parent


@pytest.fixture(scope="module")
def checked(folder: Path) -> tuple[int, list[dict[str, Any]], bool]:
    """Exit status and findings of one check over all, and whether the input is as it was."""
    before = digest(folder)
    words = ["--database", str(folder / "none.duckdb"), "check", "--format", "json"]
    done = CliRunner().invoke(cli, [*words, str(folder / "training_v1.1")])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, json.loads(done.stdout), digest(folder) == before


def about(found: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [
        one for one in found
        if f"/{name}/" in one["subject"] or f"/{name}" in (one["path"] or "").split("Acme", 1)[-1]
    ]  # fmt: skip


def test_the_check_fails_and_changes_nothing(
    checked: tuple[int, list[dict[str, Any]], bool], folder: Path
) -> None:
    status, _, is_unchanged = checked
    assert status == 1
    assert is_unchanged
    assert not (folder / "written").exists()


def test_the_good_result_set_has_no_finding(
    checked: tuple[int, list[dict[str, Any]], bool],
) -> None:
    assert about(checked[1], "good") == []


@pytest.mark.parametrize("name", [*CHANGED, *OTHERS])
def test_each_has_its_finding(checked: tuple[int, list[dict[str, Any]], bool], name: str) -> None:
    rule, file, line = OTHERS[name] if name in OTHERS else CHANGED[name][1]
    found = about(checked[1], name)
    places = {(one["rule"], Path(one["path"]).name, one["line"]) for one in found if one["path"]}
    assert (rule, file, line) in places, sorted(places, key=str)
    # a log in UTF-16 can be read here; it is one that does not comply, and one may be dropped
    grave = "warning" if name == "utf16" else "error"
    assert any(one["severity"] == grave for one in found)
    assert all(one["message"] and one["remedy"] for one in found)


def test_no_rule_failed_on_the_odd_data(
    checked: tuple[int, list[dict[str, Any]], bool],
) -> None:
    assert [one["message"] for one in checked[1] if one["subject"].startswith("rule ")] == []


def test_a_truncated_log_never_passes(tmp_path: Path) -> None:
    """Cut anywhere, at the end of a line or inside one: an error of its own."""
    made = Submission(tmp_path)
    cut = []
    for number, share in enumerate((5, 30, 50, 60, 80, 95, 99)):
        path = add_compliant(made, f"box{share}", 10 * number) / "result_2.txt"
        text = path.read_text(encoding="utf-8")
        path.write_text(text[: len(text) * share // 100], encoding="utf-8")
        cut.append(str(path))
    words = ["check", "--rule", "unread_logs", "--severity", "error", "--format", "json"]
    done = CliRunner().invoke(cli, [*words, str(made.root)])
    assert done.exit_code == 1
    assert {one["path"] for one in json.loads(done.stdout)} == set(cut)
