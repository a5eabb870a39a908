"""Every rule: a submission that breaks it and one that does not; waivers and corrections."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mlperf_logs import (
    MINUTE_MS,
    SLOT_MS,
    START_MS,
    Submission,
    correction,
    loaded,
    log,
    record,
    row,
    rows,
    runs,
    waiver,
)

from warehouse import official, reference, relations
from warehouse.database import in_memory
from warehouse.load import load
from warehouse.rules import FIELDS, SEVERITIES, as_relations, rules

SET = "v1.1/closed/Acme/box/resnet"
NAMES = [rule.name for rule in rules()]
ELSEWHERE = ("fio_", "nccl_", "official_", "claimed_score", "system_without_results")
ABOUT_TRAINING = [name for name in NAMES if not name.startswith(ELSEWHERE)]  # have own modules
OURS = "select * from finding where not starts_with(rule, 'official_') order by rule, message"

Make = Callable[[Submission, Path], object]


@dataclass(frozen=True)
class Case:
    """A submission that breaks a rule and, but for that, the same that does not.

    `breaks` and `keeps` fill a submission and a folder like `data/`.
    """

    rule: str
    breaks: Make
    keeps: Make
    severity: str
    subject: str = SET
    message: str = ""
    line_holds: str | None = None


def two_scales(one: dict[str, Any], two: dict[str, Any], fast: float = 20) -> Make:
    """A system on one and on two nodes, with these settings."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box_n2", [fast] * 5, nodes=2, settings=two, first_seed=9)
        acme.scored("box", [40] * 5, settings=one)

    return make


def scored(*minutes: float, **common: Any) -> Make:
    return lambda acme, data: acme.scored("box", minutes or (10,) * 5, **common)


def with_data(name: str, text: str, *minutes: float) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", minutes or (10,) * 5)
        (data / name).write_text(text, encoding="utf-8")

    return make


def odd_setting(acme: Submission, data: Path) -> None:
    acme.system("box")
    odd = log(settings={"opt_base_learning_rate": 9.5}, seed=7)
    acme.results("box", "resnet", [*runs([10] * 4), odd])


def copied(as_other_system: bool) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        acme.scored("crate", first_seed=50)
        source = acme.home / "results" / "box" / "resnet" / "result_0.txt"
        other = acme.home / "results" / "crate" / "resnet" / "result_0.txt"
        shutil.copy(source, other if as_other_system else acme.root / "copy.txt")

    return make


def again(is_other: bool) -> Make:
    """Run 2 a second time, further down, with other contents or the same."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        first = acme.home / "results" / "box" / "resnet" / "result_2.txt"
        second = acme.root / "later" / acme.root.name / first.relative_to(acme.root)
        second.parent.mkdir(parents=True)
        second.write_text(log(seed=99) if is_other else first.read_text("utf-8"), encoding="utf-8")

    return make


def headed(**header: str) -> Make:
    """Beside another system of the submitter, whose name a log may give by mistake."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("crate", first_seed=50)
        acme.scored("box", header=header)

    return make


def beside(**header: str) -> Make:
    """Beside a system of another submitter, whose logs call their platform NVIDIA DGX A100."""

    def make(acme: Submission, data: Path) -> None:
        other = Submission(acme.root.parent, organization="NVIDIA")
        other.scored(
            "dgxa100_mxnet", first_seed=60,
            header={"submission_org": "NVIDIA", "submission_platform": "1xNVIDIA DGX A100"},
        )  # fmt: skip
        acme.scored("box", header=header)

    return make


def respelt(is_copy: bool) -> Make:
    """A log of box under crate, with another platform in its header; or crate's own."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        acme.scored("crate", first_seed=50)
        source = acme.home / "results" / "box" / "resnet" / "result_0.txt"
        text = source.read_text("utf-8").replace('"value": "box"', '"value": "crate"')
        if is_copy:
            (acme.home / "results" / "crate" / "resnet" / "result_0.txt").write_text(text, "utf-8")

    return make


def changed(old: str, new: str, run: int = 2, **common: Any) -> Make:
    """One log of the five with a text replaced in it."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", **common)
        path = acme.home / "results" / "box" / "resnet" / f"result_{run}.txt"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    return make


def with_run(**odd: Any) -> Make:
    """Four runs like the others, and one of its own."""

    def make(acme: Submission, data: Path) -> None:
        acme.system("box")
        start_ms = START_MS + 20 * SLOT_MS
        acme.results("box", "resnet", [*runs([10] * 4), log(**{"start_ms": start_ms, **odd})])

    return make


def stepping(back_s: float) -> Make:
    """The third epoch of one run begins this long before the second ends."""
    ends_ms = START_MS + 2 * SLOT_MS + 5.0 * MINUTE_MS
    begin = record("epoch_start", None, ends_ms, epoch_num=3)
    return changed(begin, record("epoch_start", None, ends_ms - back_s * 1000, epoch_num=3))


def launched(ahead_min: float) -> Make:
    """The host that launches one run has a clock that is ahead."""
    at_ms = START_MS + 2 * SLOT_MS - 2
    clear = record("cache_clear", True, at_ms)
    return changed(clear, record("cache_clear", True, at_ms + ahead_min * MINUTE_MS))


def two_systems(one: dict[str, Any], two: dict[str, Any], **odd: Any) -> Make:
    """Two systems of one node each, with these settings."""

    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", settings=one)
        acme.scored("crate", first_seed=50, settings=two)
        if odd:
            text = log(**odd, start_ms=START_MS + 70 * SLOT_MS)
            path = acme.home / "results" / "crate" / "resnet" / "result_4.txt"
            path.write_text(text, "utf-8")

    return make


def two_hosts(one: dict[str, Any], two: dict[str, Any]) -> Make:
    """One and two nodes whose descriptions say this."""

    def make(acme: Submission, data: Path) -> None:
        two_scales({}, {})(acme, data)
        acme.system("box", **one)
        acme.system("box_n2", 2, **two)

    return make


def numbered(first: int, beside: str | None = None) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.system("box")
        folder = acme.results("box", "resnet", runs([10] * 5), first)
        if beside is not None:
            (folder / beside).write_text("a line\n", "utf-8")

    return make


def three_submitters(minutes: float) -> Make:
    """Two others take 10 minutes on the same accelerators."""

    def make(acme: Submission, data: Path) -> None:
        for number, name in enumerate(("Bolt", "Cog")):
            other = Submission(acme.root.parent, organization=name)
            other.scored("rack", first_seed=100 * (number + 1), header={"submission_org": name})
        acme.scored("box", (minutes,) * 5)

    return make


def of_reference(learning_rate: float) -> Make:
    """With the batch size of a reference convergence point."""
    settings = {"global_batch_size": 1632, "opt_base_learning_rate": None}
    return scored(settings={**settings, "lars_opt_base_learning_rate": learning_rate})


def stated(status: str, **header: str) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", header=header)
        acme.system("box", status=status)

    return make


def sized(system: str, nodes: Any, **settings: Any) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored(system, nodes=nodes, settings=settings)

    return make


def described(is_there: bool) -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        if not is_there:
            (acme.home / "systems" / "box.json").unlink()

    return make


def cut(share: float, name: str = "result_2.txt") -> Make:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box")
        path = acme.home / "results" / "box" / "resnet" / name
        text = log(seed=77)
        path.write_text(text[: int(len(text) * share)], encoding="utf-8")

    return make


CASES = [
    Case(
        "converged_runs", scored(10, 11, 12, 13, -14), scored(10, 11, 12, 13, 14), "warning",
        message="run 4: did not converge (1 of 5 runs; 1 may be dropped)", line_holds="run_stop",
    ),
    Case(
        "converged_runs", scored(10, 11, 12, -13, -14), scored(), "error",
        message="run 3: did not converge (2 of 5 runs; 1 may be dropped)", line_holds="run_stop",
    ),
    Case(
        "correction_guard",
        with_data("corrections.toml", "\n" + correction(11)),
        with_data("corrections.toml", correction(10)),
        "error", message="again expects score_min 11.0, the data give 10.0",
    ),
    Case(
        "correction_guard",
        with_data("corrections.toml", correction(10, until="2021-01-01")),
        with_data("corrections.toml", correction(10)),
        "error", message="again is stale: it ended on 2021-01-01",
    ),
    Case(
        "correction_guard",
        with_data("corrections.toml", correction(10), 10, 10),
        with_data("corrections.toml", correction(10.0005)),
        "error", message="the data give none",
    ),
    Case(
        "duplicate_runs", copied(True), copied(False), "error",
        subject="v1.1/closed/Acme/crate/resnet", message="the same bytes as",
        line_holds=":::MLLOG",
    ),
    Case(
        "header_against_path", headed(submission_benchmark="bert"), headed(), "error",
        message="gives the benchmark as bert, the path as resnet",
    ),
    Case(
        "header_against_path", headed(submission_org="NVIDIA"), headed(submission_org="ACME Inc."),
        "warning", message="gives the organisation as NVIDIA", line_holds="submission_org",
    ),
    Case(
        "header_against_path", stated("cloud", submission_status="onprem"),
        stated("available", submission_status="onprem"), "warning",
        message="gives the status as onprem, the system description as cloud",
        line_holds="submission_status",
    ),
    Case(
        "header_against_path", headed(submission_division="open"), headed(), "warning",
        subject=SET.replace("closed", "open"),
        message="gives the division as open, the system description as closed",
    ),
    Case(
        "foreign_platform", headed(submission_platform="1xcrate"),
        headed(submission_platform="1xBOX"), "error",
        message="5 run(s) gives the platform as 1xcrate, which is crate; the path says box",
        line_holds="submission_platform",
    ),
    Case(
        "foreign_platform", beside(submission_platform="NVIDIA_DGX_A100"),
        beside(submission_platform="NVIDIA A100"), "error",
        message="which is a system of NVIDIA; the path says box", line_holds="submission_platform",
    ),
    Case(
        "placeholder_platform", headed(submission_platform="8xSUBMISSION_PLATFORM_PLACEHOLDER"),
        headed(submission_platform="a free text"), "error",
        message="gives the platform as 8xSUBMISSION_PLATFORM_PLACEHOLDER, the path as box",
        line_holds="submission_platform",
    ),
    Case(
        "duplicate_runs", respelt(True), respelt(False), "error",
        subject="v1.1/closed/Acme/crate/resnet",
        message="other bytes, but the same times of run_start and run_stop as",
        line_holds="run_start",
    ),
    Case(
        "identical_hyperparameters_across_systems",
        two_systems({}, {"opt_base_learning_rate": 3.0, "opt_name": "lars"}),
        two_systems({}, {"opt_base_learning_rate": 2, "opt_name": "lars"}), "warning",
        subject="v1.1/closed/Acme/crate/resnet",
        message="against box at the same global batch size: opt_base_learning_rate 2 -> 3",
        line_holds="opt_base_learning_rate",
    ),
    Case(
        "identical_hyperparameters_across_systems",
        two_systems({}, {"gradient_accumulation_steps": 8}),
        two_systems({}, {"opt_base_learning_rate": 3, "global_batch_size": 2048}), "warning",
        subject="v1.1/closed/Acme/crate/resnet",
        message="against box at the same global batch size: gradient_accumulation_steps 1 -> 8",
        line_holds="gradient_accumulation_steps",
    ),
    Case(
        "reference_hyperparameters",
        of_reference(9.9), of_reference(7.4), "info",
        message="the reference record resnet_ref_1632 of this batch size has"
        " lars_opt_base_learning_rate 7.4, not 9.9",
        line_holds="lars_opt_base_learning_rate",
    ),
    Case(
        "batch_size_and_scale", scored(settings={"global_batch_size": 1001}), scored(), "info",
        message="1001 cannot be shared out evenly over 8 accelerators",
        line_holds="global_batch_size",
    ),
    Case(
        "batch_size_and_scale",
        two_scales({"global_batch_size": 2048}, {"global_batch_size": 1024}),
        two_scales({"global_batch_size": 1024}, {"global_batch_size": 2048}), "info",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="1024 is smaller than 2048 on fewer accelerators, box",
        line_holds="global_batch_size",
    ),
    Case(
        "reused_seeds", two_systems({}, {}, seed=3), two_systems({}, {}, seed=70), "warning",
        message="1 seed(s) of resnet are found on more than one system, in 2 result sets: 3",
        line_holds='"seed"',
    ),
    Case(
        "stop_before_start", with_run(minutes=-5, seed=9), with_run(minutes=5, seed=9), "error",
        message="run 4: run_stop is 300.0 s before run_start", line_holds="run_stop",
    ),
    Case(
        "clock_steps", stepping(5), stepping(0.5), "warning",
        message="the clock goes back while training, by up to 5.0 s (1 run(s))",
        line_holds="epoch_start",
    ),
    Case(
        "clock_steps", launched(6 * 24 * 60), launched(30), "info",
        message="the header lines are of clocks that differ by up to 6.0 days (1 run(s))",
        line_holds="cache_clear",
    ),
    Case(
        "overlapping_runs", scored(10, 11, 12, 13, 14, start_ms=START_MS), scored(), "info",
        message="5 run(s) overlap in time with other runs on box", line_holds="run_start",
    ),
    Case(
        "epoch_time_outliers", scored(40, 40, 40, 40, 45), scored(40, 40, 40, 40, 43), "warning",
        message="1 of 5 runs take more than 10 % more or less time for a sample than the median"
        " run: up to +12.5 % (run 4)",
        line_holds="run_stop",
    ),
    Case(
        "late_run_stop", scored(epoch_minutes=2.25), scored(epoch_minutes=2.4), "warning",
        message="5 run(s) stop more than 30 s after the first evaluation that reaches the target:"
        " up to 60.0 s",
        line_holds="run_stop",
    ),
    Case(
        "evaluation_cadence",
        changed('"epoch_num": 8}', '"epoch_num": 7}', epochs=12), scored(epochs=12), "error",
        message="1 run(s) evaluate at other intervals than the policy: 3.0 epochs to the one at"
        " epoch 7.0, not 4.0 (2 interval(s))",
        line_holds="eval_accuracy",
    ),
    Case(
        "status_against_accuracy", changed("0.76,", "0.7589,"), scored(), "error",
        message="run 2: status success, but no evaluation reaches the target, at least 0.759:"
        " the last is 0.7589",
        line_holds="eval_accuracy",
    ),
    Case(
        "status_against_accuracy",
        changed('"success"', '"aborted"'), scored(10, 10, 10, 10, -10), "error",
        message="run 2: status aborted, but an evaluation reaches the target, at least 0.759: 0.76",
        line_holds="eval_accuracy",
    ),
    Case(
        "status_against_accuracy",
        changed("0.76,", "0.5,", header={"submission_division": "open"}), scored(), "warning",
        subject=SET.replace("closed", "open"), message="run 2: status success",
        line_holds="eval_accuracy",
    ),
    Case(
        "low_efficiency", two_scales({}, {}, 45), two_scales({}, {}, 39), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="scaling efficiency 44.4 % from box to box_n2: throughput 44.4 %, convergence 100.0"
        " %, overhead 100.0 %",
        line_holds="run_stop",
    ),
    Case(
        "score_outlier", three_submitters(14), three_submitters(12), "info",
        message="14.00 min, 1.40 times the median 10.00 min of 2 other submitters on 8 x A100:"
        " samples per second 0.71 times theirs, samples to converge 1.00 times theirs",
        line_holds="run_stop",
    ),
    Case(
        "run_numbering", numbered(3), numbered(1), "info",
        message="5 runs are numbered from 3 to 7",
    ),
    Case(
        "run_numbering", numbered(0, "rcp_checker.log"), numbered(0), "info",
        message="beside the runs: rcp_checker.log",
    ),
    Case(
        "run_numbering", with_run(start_ms=START_MS - SLOT_MS), with_run(seed=9), "info",
        message="1 run(s) began before the run of the number before", line_holds="run_start",
    ),
    Case(
        "result_set_span", with_run(start_ms=START_MS + 7 * 24 * 60 * MINUTE_MS, seed=9),
        with_run(start_ms=START_MS + 6 * 24 * 60 * MINUTE_MS, seed=9), "info",
        message="the runs go over 7.0 days, from 2020-09-13 (run 0) to 2020-09-20 (run 4)",
        line_holds="run_start",
    ),
    Case(
        "family_software",
        two_hosts({"framework": "A 1"}, {"framework": "A 2"}),
        two_hosts({"framework": "A 1"}, {"framework": "a1"}), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box, for resnet: framework A 1 -> A 2",
    ),
    Case(
        "family_software",
        two_hosts({"other_software_stack": {"cuda": "11.4", "nccl": "2.11"}},
                  {"other_software_stack": {"cuda": "11.5", "nccl": "2.11"}}),
        two_hosts({"other_software_stack": {"cuda": "11.4"}},
                  {"other_software_stack": {"cuda": "11.4", "nccl": "2.11"}}), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box, for resnet: cuda 11.4 -> 11.5",
    ),
    Case(
        "family_software", two_hosts({"operating_system": "X"}, {"operating_system": "Y"}),
        two_hosts({}, {"operating_system": "Y"}), "info",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box, for resnet: operating_system X -> Y",
    ),
    Case(
        "system_description_numbers", sized("4xbox", 2), sized("2xbox", 2), "warning",
        subject=SET.replace("box", "4xbox"),
        message="the logged platform 4xbox says 4 node(s), the description 2",
        line_holds="submission_platform",
    ),
    Case(
        "system_description_numbers", sized("box", "two"), sized("box", "2"), "warning",
        message="number_of_nodes is two, no number",
    ),
    Case(
        "system_description_numbers", sized("box", 1, d_batch_size=100),
        sized("box", 1, d_batch_size=64, gradient_accumulation_steps=2), "warning",
        message="8 accelerators with 100.0 samples each do not make the global batch size 1024",
        line_holds="d_batch_size",
    ),
    Case(
        "identical_hyperparameters_across_nodes",
        two_scales({}, {"opt_base_learning_rate": 3.0}), two_scales({}, {}), "error",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box (base): opt_base_learning_rate 2 -> 3 at equal global batch size 1024",
        line_holds="opt_base_learning_rate",
    ),
    Case(
        "identical_hyperparameters_across_nodes",
        two_scales({"opt_name": "sgd"}, {"opt_name": "lars", "global_batch_size": 2048}),
        two_scales({}, {"global_batch_size": 2048, "opt_base_learning_rate": 4.0}), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="against box (base): opt_name sgd -> lars", line_holds="opt_name",
    ),
    Case(
        "identical_hyperparameters_within_set", odd_setting, scored(), "error",
        message="opt_base_learning_rate is 9.5 in 1 run(s), 2 in the others",
        line_holds="opt_base_learning_rate",
    ),
    Case(
        "missing_system_description", described(False), described(True), "warning",
        message="no systems/box.json was loaded",
    ),
    Case(
        "policy_fixed_hyperparameters", two_scales({}, {"eval_samples": 49999}), two_scales({}, {}),
        "error", subject="v1.1/closed/Acme/box_n2/resnet",
        message="eval_samples is 49999, not 50000 (the evaluation data set is fixed)",
        line_holds="eval_samples",
    ),
    Case(
        "required_runs", scored(10, 11, 12), scored(), "error", message="3 runs, 5 are required",
        line_holds="run_start",
    ),
    Case(
        "required_runs", scored(10, 11, 12, 13, 14, 15), scored(), "warning",
        message="6 runs, 5 are required", line_holds="run_start",
    ),
    Case(
        "super_linear_efficiency", two_scales({}, {}, 19), two_scales({}, {}, 19.7), "warning",
        subject="v1.1/closed/Acme/box_n2/resnet",
        message="scaling efficiency 105.3 % from box to box_n2", line_holds="run_stop",
    ),
    Case(
        "unread_logs", cut(0.7), cut(1), "error", message="no run_stop", line_holds=":::MLLOG",
    ),
    Case(
        "unread_logs", cut(0.7, ".!65!result_2.txt"), cut(1, ".!65!result_2.txt"), "warning",
        message="no run_stop", line_holds=":::MLLOG",
    ),
    Case(
        "waiver_state",
        with_data("waivers.toml", waiver("required_runs", SET, until="2020-12-31"), 10, 11, 12),
        with_data("waivers.toml", waiver("required_runs", SET), 10, 11, 12), "error",
        message="the waiver of required_runs is stale: it ended on 2020-12-31",
    ),
    Case(
        "waiver_state",
        with_data("waivers.toml", waiver("required_runs", SET, since="2999-01-01"), 10, 11, 12),
        with_data("waivers.toml", waiver("required_runs", SET), 10, 11, 12), "error",
        message="the waiver of required_runs is early: it begins on 2999-01-01",
    ),
    Case(
        "replaced_runs", again(True), again(False), "info",
        message="run 2 was loaded again later with other contents, which count",
    ),
    Case(
        "waiver_state", with_data("waivers.toml", waiver("required_runs", SET)),
        with_data("waivers.toml", waiver("required_runs", SET.replace("box", "not loaded"))),
        "error", message="the waiver of required_runs is unmatched: no finding matches it",
    ),
    Case(
        "waiver_state", with_data("waivers.toml", waiver("requirement", "not loaded")),
        with_data("waivers.toml", waiver("required_runs", "not loaded")),
        "error", subject="not loaded",
        message="the waiver of requirement is unmatched: there is no such rule",
    ),
]  # fmt: skip


def made(tmp_path: Path, make: Make) -> tuple[Any, Path]:
    acme, data = Submission(tmp_path), tmp_path / "data"
    data.mkdir()
    make(acme, data)
    return loaded(acme.root, data=data), data


def needed(query: str, known: dict[str, relations.Relation]) -> set[str]:
    """The relations and tables that a query reads, and what these read."""
    found: set[str] = set()
    left = {query}
    while left:
        reads = relations.reads_of(left.pop()) - found
        found |= reads
        for name in reads & set(known):
            left |= {known[name].query, *known[name].parts}
    return found


def judged(tmp_path: Path, make: Make, name: str) -> tuple[list[dict[str, Any]], Path]:
    """What a rule finds in a submission; of the relations only those are made that it reads."""
    acme, data = Submission(tmp_path), tmp_path / "data"
    data.mkdir()
    make(acme, data)
    connection = in_memory()
    connection.execute("set threads = 1")
    load(connection, [str(acme.root)], {})
    reference.rebuild(connection, data)
    known = {relation.name: relation for relation in relations.relations(as_relations())}
    (rule,) = (rule for rule in rules() if rule.name == name)
    reads = needed(rule.query, known)
    if "rcp_record" in reads:
        official.rebuild(connection)
    for relation in known.values():
        if relation.name in reads:
            kind = "table" if relation.is_stored else "view"
            connection.execute(f"create {kind} {relation.name} as {relation.query}")
            for part in relation.parts:
                connection.execute(f"insert into {relation.name} {part}")
    severity = "severity" if rule.severity == "graded" else f"'{rule.severity}' as severity"
    columns = f"{severity}, subject, message, path, line, value, limit_value"
    return rows(connection, f"select {columns} from ({rule.query}) order by all"), data


def test_the_short_way_finds_what_the_relation_finding_says(tmp_path: Path) -> None:
    (tmp_path / "short").mkdir()
    short, _ = judged(tmp_path / "short", scored(10, 11, 12), "required_runs")
    connection, _ = made(tmp_path, scored(10, 11, 12))
    (long,) = rows(connection, "select * from finding where rule = 'required_runs'")
    assert [long[name] for name in ("severity", "subject", "message", "value")] == [
        short[0][name] for name in ("severity", "subject", "message", "value")
    ]
    assert long["remedy"] and long["title"] and long["basis"]


@pytest.mark.parametrize("name", ABOUT_TRAINING)
def test_every_rule_has_a_pair(name: str) -> None:
    assert name in {case.rule for case in CASES}, f"rules/{name}.sql has no case in test_rules.py"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.severity}")
def test_a_submission_that_breaks_the_rule(tmp_path: Path, case: Case) -> None:
    found, data = judged(tmp_path, case.breaks, case.rule)
    assert found
    assert {one["subject"] for one in found} == {case.subject}
    assert {one["severity"] for one in found} == {case.severity}
    assert case.message in found[0]["message"]
    path = Path(found[0]["path"])
    if case.line_holds is not None:
        line = path.read_text(encoding="utf-8").split("\n")[found[0]["line"] - 1]
        assert case.line_holds in line
    elif path.parts[0] == "data":
        text = (data / path.name).read_text(encoding="utf-8").split("\n")
        assert text[found[0]["line"] - 1].startswith("[[")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.severity}")
def test_a_submission_that_keeps_the_rule(tmp_path: Path, case: Case) -> None:
    found, _ = judged(tmp_path, case.keeps, case.rule)
    assert found == []


def test_a_plain_submission_has_no_findings(tmp_path: Path) -> None:
    connection, _ = made(tmp_path, two_scales({}, {}))
    assert rows(connection, OURS) == []
    assert row(connection, "select count(*) as n from rule") == {"n": len(NAMES)}


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_every_rule_says_what_it_rests_on(rule: Any) -> None:
    for field in FIELDS:
        text = getattr(rule, field.replace(" ", "_"))
        assert len(text) > 3, field
    assert rule.severity in SEVERITIES


# Waivers


def of_required_runs(tmp_path: Path, text: str, source: str | None = None) -> list[dict[str, Any]]:
    def make(acme: Submission, data: Path) -> None:
        acme.scored("box", (10, 11, 12))
        (data / "waivers.toml").write_text(text, encoding="utf-8")
        if source is not None:
            (acme.root / "source.toml").write_text(source, encoding="utf-8")

    connection, _ = made(tmp_path, make)
    return rows(connection, OURS)


def test_an_active_waiver_stands_beside_the_finding(tmp_path: Path) -> None:
    (found,) = of_required_runs(tmp_path, waiver("required_runs", SET))
    assert (found["rule"], found["severity"]) == ("required_runs", "error")
    assert (found["is_waived"], found["waiver_reason"]) == (True, "known and accepted")


def test_a_waiver_speaks_of_every_collection(tmp_path: Path) -> None:
    (found,) = of_required_runs(tmp_path, waiver("required_runs", SET), 'name = "lab"\n')
    assert (found["subject"], found["is_waived"]) == (f"{SET}@lab", True)


def test_a_waiver_of_one_collection(tmp_path: Path) -> None:
    text = waiver("required_runs", f"{SET}@lab")
    (found,) = of_required_runs(tmp_path, text, 'name = "lab"\n')
    assert found["is_waived"] is True


def test_a_waiver_of_another_collection_is_left_alone(tmp_path: Path) -> None:
    text = waiver("required_runs", f"{SET}@other")
    (found,) = of_required_runs(tmp_path, text, 'name = "lab"\n')
    assert (found["rule"], found["is_waived"]) == ("required_runs", False)


@pytest.mark.parametrize(
    ("since", "until"), [("2020-01-01", "2020-12-31"), ("2999-01-01", "2999-12-31")]
)
def test_a_waiver_out_of_its_time_waives_nothing(tmp_path: Path, since: str, until: str) -> None:
    found = of_required_runs(tmp_path, waiver("required_runs", SET, since, until))
    assert [(one["rule"], one["is_waived"]) for one in found] == [
        ("required_runs", False), ("waiver_state", False),
    ]  # fmt: skip


def test_two_waivers_waive_once(tmp_path: Path) -> None:
    text = waiver("required_runs", SET) + waiver("required_runs", f"{SET}@lab")
    (found,) = of_required_runs(tmp_path, text * 2, 'name = "lab"\n')
    assert found["is_waived"] is True


def test_a_waiver_of_another_rule_waives_nothing(tmp_path: Path) -> None:
    found = of_required_runs(tmp_path, waiver("converged_runs", SET))
    assert [(one["rule"], one["is_waived"]) for one in found] == [
        ("required_runs", False), ("waiver_state", False),
    ]  # fmt: skip


def test_a_waiver_of_no_rule_at_all_fails(tmp_path: Path) -> None:
    found = of_required_runs(tmp_path, waiver("no_such_rule", SET))
    assert [one["rule"] for one in found] == ["required_runs", "waiver_state"]


# Evidence


def test_evidence_is_the_line_of_a_log_with_text_before(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.system("box")
    noise = "a line\nanother\r\n\r  0% 0/51\r 100%\n"
    logs = [noise + text for text in runs([10] * 5)]
    acme.results("box", "resnet", logs)
    assert rows(loaded(acme.root), OURS) == []
    odd = record("opt_base_learning_rate", 8)
    (acme.home / "results" / "box" / "resnet" / "result_1.txt").write_text(
        logs[1] + odd + "\n", encoding="utf-8"
    )
    found = row(loaded(acme.root), OURS)
    with Path(found["path"]).open("rb") as file:
        assert b'"value": 8' in file.read().split(b"\n")[found["line"] - 1]
