"""What a submission says of itself: its summary table and the flags for the package checker."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from conftest import SAMPLES, read, sample_files
from hypothesis import given
from hypothesis import strategies as st
from mlperf_logs import Submission, facts, load_more, loaded, row, rows

from ingest.formats import mlperf_checker_params, mlperf_summary
from ingest.records import CheckerFlag, ClaimedScore, Problem
from warehouse.load import load

SUMMARIES = SAMPLES / "mlperf_summary"
IGNORED = "no flag of the package checker; it is ignored"
HEADER = "division,availability,submitter,system,framework,{},details_url,code_url\n"

FLAGS: dict[str, list[tuple[int, str]]] = {
    "plain": [(1, "rcp-bypass")],
    "newline": [(1, "rcp-bypass")],
    "both_crlf": [(1, "rcp-bypass"), (3, "seed-checker-bypass")],
    "unknown_word": [(1, "seed-checker-bypass")],
    "bom": [(1, "rcp-bypass")],
    "twice": [(1, "rcp-bypass")],
    "empty": [],
}


@pytest.mark.parametrize(
    "path", sample_files("mlperf_checker_params"), ids=lambda path: path.parent.name
)
def test_flags(path: Path) -> None:
    records = read(path)
    flags = [record for record in records if isinstance(record, CheckerFlag)]
    assert [(flag.line, flag.flag) for flag in flags] == FLAGS[path.parent.name]
    problems = [record for record in records if isinstance(record, Problem)]
    if path.parent.name == "unknown_word":
        remedy = "write rcp-bypass or seed-checker-bypass"
        assert problems == [Problem(2, "warning", IGNORED, remedy, "skip-everything")]
    elif path.parent.name == "empty":
        assert problems == [Problem(None, "info", "no flag is set in it", "delete the file")]
    else:
        assert problems == []


def test_flags_are_claimed_by_name() -> None:
    assert mlperf_checker_params.claims(b"", "results/box/package_checker_params")
    assert not mlperf_checker_params.claims(b"rcp-bypass", "results/box/notes.txt")


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    for record in mlperf_checker_params.parse(data, "package_checker_params"):
        assert isinstance(record, CheckerFlag | Problem)
    table = HEADER.format("resnet").encode() + data
    for found in mlperf_summary.parse(table, "summary.csv"):
        assert isinstance(found, ClaimedScore | Problem)
        assert found.line is not None
        assert 2 <= found.line <= table.count(b"\n") + 1


def test_a_plain_summary() -> None:
    remedy = "write the minutes, or leave the cell empty"
    ignored = "{} of crate is no number of minutes; it is ignored"
    assert read(SUMMARIES / "plain.csv") == [
        ClaimedScore(2, "Example", "closed", "box", "box_dir", "resnet", 20.5),
        ClaimedScore(4, "Example", "open", "crate", None, "bert", 10.0),
        Problem(4, "warning", ignored.format("dlrm"), remedy, "n/a"),
        Problem(4, "warning", ignored.format("resnet"), remedy, "-3"),
    ]


def test_a_detailed_summary_gives_the_times_alone() -> None:
    assert read(SUMMARIES / "detailed.csv") == [
        ClaimedScore(2, "Example", "closed", "box", "box", "resnet", 20.5)
    ]


def test_a_summary_of_windows() -> None:
    reason, remedy = (
        "the row names no system; it is ignored",
        "name it as in the description's file",
    )
    assert read(SUMMARIES / "crlf_bom.csv") == [
        ClaimedScore(2, "Example", "closed", "box", None, "resnet", 20.5),
        Problem(3, "warning", reason, remedy),
        ClaimedScore(6, "Example", "closed", "crate", None, "resnet", 20.5),
    ]


def test_a_stray_carriage_return_is_a_blank() -> None:
    first, second = read(SUMMARIES / "bare_cr.csv")
    assert first == ClaimedScore(2, "Example", "closed", "box", None, "resnet", 20.5)
    assert second == ClaimedScore(3, "Exam ple", "closed", "box", None, "resnet", 20.5)


def test_a_table_that_breaks_off_is_read_until_there() -> None:
    text = HEADER.format("resnet") + "closed,,Acme,box,,9.5,,\nclosed,,Acme,crate," + "x" * 140_000
    score, problem = mlperf_summary.parse(text.encode(), "summary.csv")
    assert score == ClaimedScore(2, "Acme", "closed", "box", None, "resnet", 9.5)
    assert isinstance(problem, Problem)
    assert (problem.line, problem.severity) == (3, "error")
    assert problem.reason.startswith("the table cannot be read from here on: field larger")


@pytest.mark.parametrize("score", [0.0, -1.0, float("nan"), float("inf")])
def test_a_score_is_a_positive_number(score: float) -> None:
    with pytest.raises(ValueError, match="score_min must be"):
        ClaimedScore(2, "Acme", "closed", "box", None, "resnet", score)


def test_a_summary_is_told_by_its_columns() -> None:
    assert mlperf_summary.claims(HEADER.format("resnet").encode(), "anything.csv")
    assert not mlperf_summary.claims(b"division,system,score\n", "summary.csv")


def test_what_is_stored(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    folder = acme.results("box", "resnet", [])
    (folder / "package_checker_params").write_text("rcp-bypass\n")
    (folder.parent / "package_checker_params").write_text("\nseed-checker-bypass")
    (acme.home / "summary.csv").write_text((SUMMARIES / "plain.csv").read_text())
    connection = facts(acme.root)
    assert rows(connection, "select * exclude source_id from checker_flag order by flag") == [
        {"line": 1, "collection": "", "round": "v1.1", "organization": "Acme", "system": "box",
         "benchmark": "resnet", "flag": "rcp-bypass"},
        {"line": 2, "collection": "", "round": "v1.1", "organization": "Acme", "system": "box",
         "benchmark": None, "flag": "seed-checker-bypass"},
    ]  # fmt: skip
    scores = rows(connection, "select * exclude source_id from claimed_score order by line")
    assert scores[0] == {
        "line": 2, "collection": "", "round": "v1.1", "organization": "Example",
        "division": "closed", "system": "box", "description": "box_dir", "benchmark": "resnet",
        "score_min": 20.5,
    }  # fmt: skip
    assert len(scores) == 2


def test_the_same_flags_in_two_rounds_are_two(tmp_path: Path) -> None:
    roots = []
    for name in ("training_v1.1", "training_v2.0"):
        acme = Submission(tmp_path, name)
        (acme.results("box", "resnet", []) / "package_checker_params").write_text("rcp-bypass")
        roots.append(acme.root)
    connection = facts(roots[0])
    load(connection, [str(root) for root in roots])
    found = rows(connection, "select round from checker_flag order by all")
    assert [each["round"] for each in found] == ["v1.1", "v2.0"]


# The rule

CLAIM = "closed,available,{},{},MX,{},{},\n"


def summary(acme: Submission, cells: Iterable[tuple[str, str, float]], organization: str) -> None:
    text = HEADER.format("resnet")
    for system, url, score in cells:
        text += CLAIM.format(organization, system, repr(score), url)
    (acme.home / "summary.csv").write_text(text, encoding="utf-8")


def claims_found(connection: Any) -> list[dict[str, Any]]:
    return rows(
        connection,
        "select severity, subject, message, path, line, value, limit_value from finding"
        " where rule = 'claimed_score' order by all",
    )


@pytest.mark.parametrize("organization", ["Acme", "ACME", "acme "])
@pytest.mark.parametrize("url", ["", "https://example.org/systems/box.json"])
def test_a_claim_that_is_true(tmp_path: Path, organization: str, url: str) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12, 13, 14))
    summary(acme, [("box", url, 12.0000001)], organization)
    assert claims_found(loaded(acme.root)) == []


def test_a_claim_that_is_false(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12, 13, 14))
    summary(acme, [("box", "", 12.0001), ("crate", "", 3.5)], "Acme")
    path = str(acme.home / "summary.csv")
    assert claims_found(loaded(acme.root)) == [
        {"severity": "error", "subject": "v1.1/closed/Acme/box/resnet", "path": path, "line": 2,
         "message": "a score of 12.0001 min is claimed, the logs give 12.0 min",
         "value": "12.0001", "limit_value": "12.0"},
        {"severity": "warning", "subject": "v1.1/closed/Acme/crate/resnet", "path": path, "line": 3,
         "message": "a score of 3.5 min is claimed, but no logs of it were loaded",
         "value": "3.5", "limit_value": None},
    ]  # fmt: skip


def test_a_claim_for_too_few_runs(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12))
    summary(acme, [("box", "", 11.0)], "Acme")
    (found,) = claims_found(loaded(acme.root))
    assert found["severity"] == "error"
    assert found["message"] == "a score of 11.0 min is claimed, the logs give none: 3 of 5 runs"


def test_a_claim_may_be_raw_or_scaled(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12, 13, 14))
    factor = acme.home / "results" / "box" / "resnet" / "scaling.json"
    factor.write_text('{"scaling_factor": 1.5}')
    for score, expected in ((12.0, 0), (18.0, 0), (15.0, 1)):
        summary(acme, [("box", "", score)], "Acme")
        assert len(claims_found(loaded(acme.root))) == expected


def test_a_claim_that_is_loaded_later_is_compared(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.scored("box")
    connection = loaded(acme.root)
    assert claims_found(connection) == []
    summary(acme, [("box", "", 11.0)], "Acme")
    load_more(connection, acme.root)
    (found,) = claims_found(connection)
    assert found["message"] == "a score of 11.0 min is claimed, the logs give 10.0 min"


# The official table

DESCRIBED: dict[str, Any] = {
    "status": "Available on-premise", "host_processors_per_node": "2", "framework": "MX",
    "hw_notes": "N/A", "sw_notes": "",
}  # fmt: skip
SUMMARY_HEAD = (
    "division,availability,submitter,system,number_of_nodes,host_processor_model_name,"
    "host_processors_count,accelerator_model_name,accelerators_count,framework,notes,private_id,"
    "bert,dlrm,maskrcnn,minigo,resnet,ssd,rnnt,unet3d,details_url,code_url"
)


def table(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    from reports.cli import cli

    cli(["summary", *words], standalone_mode=False)
    return list(csv.DictReader(capsys.readouterr().out.splitlines()))


def test_the_columns_and_a_row_of_the_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12, 13, 14), epochs=36)
    acme.scored("crate", (1, 2, 3))
    acme.system("box", "2", "4", **DESCRIBED)
    box, crate = table(capsys, str(acme.root))
    assert ",".join(box) == SUMMARY_HEAD
    base = "https://github.com/mlcommons/training_results_v1.1/blob"
    assert {key: value for key, value in box.items() if value} == {
        "division": "closed", "availability": "Available on-premise", "submitter": "Acme",
        "system": "box", "number_of_nodes": "2", "host_processor_model_name": "EPYC",
        "host_processors_count": "4", "accelerator_model_name": "A100",
        "accelerators_count": "8", "framework": "MX", "notes": "N/A", "resnet": "12.0",
        "details_url": f"{base}/main/Acme/systems/box.json",
        "code_url": f"{base}/master/Acme/benchmarks",
    }  # fmt: skip
    assert (crate["system"], crate["availability"], crate["resnet"]) == ("crate", "", "")


def test_the_detailed_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    acme = Submission(tmp_path)
    acme.scored("box", (10, 11, 12, 13, 14), epochs=36)
    (box,) = table(capsys, "--detailed", str(acme.root))
    assert {key: value for key, value in box.items() if key.startswith("resnet:")} == {
        "resnet:time_to_train": "12.0", "resnet:Energy": "", "resnet:GBS": "1024.0",
        "resnet:samples_to_converge": "36.0", "resnet:RCP": "Pass",
        "resnet:rcp_scaling_factor": "1.0",
    }  # fmt: skip


def test_a_summary_of_two_rounds_needs_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import click

    for name in ("training_v1.1", "training_v2.0"):
        Submission(tmp_path, name).scored("box")
    with pytest.raises(click.UsageError, match=r"result sets of v1\.1, v2\.0; name one"):
        table(capsys, str(tmp_path))
    with pytest.raises(click.UsageError, match="no result set"):
        table(capsys, str(SUMMARIES))


def test_fields_of_a_tpu_are_written_as_officially(tmp_path: Path) -> None:
    acme = Submission(tmp_path)
    acme.scored("slice")
    acme.system(
        "slice", 4, 8, system_name="tpu-v3", accelerator_model_name="tpu-v3",
        framework="TensorFlow 1.15 commit hash = abc", hw_notes="a", sw_notes="b",
    )  # fmt: skip
    found = row(
        loaded(acme.root),
        "select description, system, accelerator_model_name, framework, notes from result_summary",
    )
    assert found == {
        "description": "slice", "system": "TPUv3.16", "accelerator_model_name": "TPUv3",
        "framework": "TensorFlow 1.15", "notes": "a;b",
    }  # fmt: skip
