"""What the public MLPerf logs give, read straight from the archives."""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import filelock
import pytest
from mlperf_logs import row, rows

from warehouse.database import connect, in_memory, writing
from warehouse.load import load
from warehouse.refresh import refresh

DELL = "training_v1.1_dell.tar.xz"
WHOLE = "training_v1.1.tar.xz"
PARTS = tuple(f"training_v{number}_part.tar.xz" for number in ("0.5", "0.6", "0.7", "2.0", "5.1"))
NVIDIA = "v0.7/closed/NVIDIA"
RESNET = ("R750xax4A100-PCIE-80GB", "2xR750xax4A100-PCIE-80GB",
          "4xR750xax4A100-PCIE-80GB", "8xR750xax4A100-PCIE-80GB")  # fmt: skip
XE8545 = ("XE8545x4A100-SXM-80GB", "2xXE8545x4A100-SXM-80GB")

DELL_SCORES_MIN = {
    (RESNET[0], "resnet"): 62.949,
    (RESNET[1], "resnet"): 32.087,
    (RESNET[2], "resnet"): 17.336,
    (RESNET[3], "resnet"): 10.586,
    (XE8545[0], "bert"): 38.855,
    (XE8545[1], "bert"): 26.547,
    (XE8545[0], "maskrcnn"): 83.774,
    (XE8545[1], "maskrcnn"): 48.788,
    (XE8545[0], "resnet"): 56.326,
    (XE8545[1], "resnet"): 30.123,
    # The fourth decimal of 16.2435 min decides how it is printed with three.
    (XE8545[0], "ssd"): 16.2435,
    (XE8545[1], "ssd"): 8.735,
    (XE8545[0], "rnnt"): 106.542,
    (XE8545[1], "rnnt"): 35.068,
    ("DSS8440x8A100-PCIE-40GB", "resnet"): 38.871,
}


def _once(folder: Path, name: str, archives: list[Path]) -> Path:
    """The database with these archives, made by whichever test process comes first."""
    database = folder / f"{name}.duckdb"
    with filelock.FileLock(f"{database}.made"):
        if not database.exists():
            with writing(database) as connection:
                load(connection, [str(path) for path in archives])
                refresh(connection)
    return database


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all test processes of a run, so that each archive is loaded once."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "corpus"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def dell(shared_folder: Path, corpus: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = connect(_once(shared_folder, "dell", [corpus / DELL]))
    yield connection
    connection.close()


@pytest.fixture(scope="session")
def whole(shared_folder: Path, corpus: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = connect(_once(shared_folder, "whole", [corpus / WHOLE]))
    yield connection
    connection.close()


@pytest.fixture(scope="session")
def parts(shared_folder: Path, corpus: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = connect(_once(shared_folder, "parts", [corpus / name for name in PARTS]))
    yield connection
    connection.close()


def score(connection: duckdb.DuckDBPyConnection, system: str, benchmark: str) -> dict[str, Any]:
    return row(
        connection,
        "select * from score where system = ? and benchmark = ?", system, benchmark,
    )  # fmt: skip


def scaling(connection: duckdb.DuckDBPyConnection, system: str, benchmark: str) -> dict[str, Any]:
    return row(
        connection,
        "select * from scaling where system = ? and benchmark = ?", system, benchmark,
    )  # fmt: skip


def subjects(connection: duckdb.DuckDBPyConnection, rule: str) -> list[str]:
    found = rows(connection, "select subject from finding where rule = ? order by all", rule)
    return [found_row["subject"] for found_row in found]


# Dell, round v1.1


@pytest.mark.parametrize(("system", "benchmark"), list(DELL_SCORES_MIN))
def test_dell_scores(dell: duckdb.DuckDBPyConnection, system: str, benchmark: str) -> None:
    expected = DELL_SCORES_MIN[system, benchmark]
    assert score(dell, system, benchmark)["score_min"] == pytest.approx(expected, abs=0.00051)


def test_dell_archive_gives_440_logs_of_51_result_sets(dell: duckdb.DuckDBPyConnection) -> None:
    found = row(
        dell, "select sum(runs) as runs, count(*) as sets, count(score_min) as scored from score"
    )
    assert found == {"runs": 440, "sets": 51, "scored": 51}
    assert rows(dell, "select * from problem") == []


@pytest.mark.parametrize(
    ("system", "speedup", "efficiency"),
    [(RESNET[1], 1.962, 98.1), (RESNET[2], 3.631, 90.8), (RESNET[3], 5.947, 74.3)],
)
def test_r750xa_resnet_efficiency(
    dell: duckdb.DuckDBPyConnection, system: str, speedup: float, efficiency: float
) -> None:
    found = scaling(dell, system, "resnet")
    assert found["base_system"] == RESNET[0]
    assert found["speedup"] == pytest.approx(speedup, abs=0.0005)
    assert found["efficiency_pct"] == pytest.approx(efficiency, abs=0.05)


def test_eight_nodes_lose_by_convergence(dell: duckdb.DuckDBPyConnection) -> None:
    found = scaling(dell, RESNET[3], "resnet")
    assert (found["base_epochs_to_converge"], found["epochs_to_converge"]) == (35, 45)
    assert found["convergence_efficiency_pct"] == pytest.approx(100 * 35 / 45, rel=1e-12)
    assert 95.3 < found["throughput_efficiency_pct"] < 95.7


def test_the_three_factors_multiply_to_the_efficiency(dell: duckdb.DuckDBPyConnection) -> None:
    found = rows(dell, "select * from scaling where throughput_efficiency_pct is not null")
    assert len(found) == 16
    for one in found:
        product = (
            one["throughput_efficiency_pct"] / 100
            * one["convergence_efficiency_pct"] / 100
            * one["overhead_efficiency_pct"]
        )  # fmt: skip
        assert product == pytest.approx(one["efficiency_pct"], rel=1e-9)


@pytest.mark.parametrize(
    ("benchmark", "efficiency"),
    [("bert", 73.2), ("maskrcnn", 85.9), ("resnet", 93.5), ("ssd", 93.0), ("rnnt", 151.9)],
)
def test_xe8545_efficiency(
    dell: duckdb.DuckDBPyConnection, benchmark: str, efficiency: float
) -> None:
    found = scaling(dell, XE8545[1], benchmark)
    assert found["efficiency_pct"] == pytest.approx(efficiency, abs=0.05)
    assert found["is_like_for_like"] is (benchmark != "rnnt")


def test_rnnt_is_printed_only_by_its_bundled_waiver(dell: duckdb.DuckDBPyConnection) -> None:
    found = scaling(dell, XE8545[1], "rnnt")
    assert found["note"] == "gradient_accumulation_steps 8 -> 1 at equal global batch size 2048"
    assert found["is_printable"] is True
    assert "gradient_accumulation_steps is 8 on one node" in found["footnote"]
    finding = row(
        dell,
        "select * from finding where rule = 'identical_hyperparameters_across_nodes'"
        " and severity = 'error'",
    )
    assert finding["subject"] == f"v1.1/closed/Dell/{XE8545[1]}/rnnt"
    assert (finding["value"], finding["limit_value"]) == ("1", "8")
    assert finding["is_waived"] is True


def test_rnnt_is_withheld_without_a_waiver(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "training_v1.1"
    _extract(
        corpus / DELL, folder, r"/(?:results|systems)/(?:2x)?XE8545x4A100-SXM-80GB(?:/rnnt/|\.json)"
    )
    connection = in_memory()
    load(connection, [str(folder)])
    refresh(connection, tmp_path / "no such folder")
    found = scaling(connection, XE8545[1], "rnnt")
    assert (found["is_like_for_like"], found["is_printable"]) == (False, False)
    assert found["efficiency_pct"] == pytest.approx(151.907, abs=0.001)


def _extract(archive: Path, folder: Path, wanted: str) -> None:
    """Members of an archive whose path matches, without the archive's own root folder."""
    with tarfile.open(archive) as packed:
        for member in packed:
            if member.isfile() and re.search(wanted, member.name):
                target = folder / member.name.split("/", 1)[1]
                target.parent.mkdir(parents=True, exist_ok=True)
                content = packed.extractfile(member)
                assert content is not None
                target.write_bytes(content.read())


def test_rnnt_at_two_nodes_is_super_linear(dell: duckdb.DuckDBPyConnection) -> None:
    finding = row(dell, "select * from finding where rule = 'super_linear_efficiency'")
    assert finding["subject"] == f"v1.1/closed/Dell/{XE8545[1]}/rnnt"
    assert finding["value"] == "151.9"
    assert finding["path"].endswith(f"/{XE8545[1]}/rnnt/result_0.txt")
    assert finding["line"] == 829


def test_a_failed_run_of_five_still_scores(dell: duckdb.DuckDBPyConnection) -> None:
    found = score(dell, "DSS8440x8A100-PCIE-40GB", "resnet")
    assert (found["runs"], found["runs_converged"], found["runs_dropped"]) == (5, 4, 2)
    failed = row(
        dell,
        "select path, line, value from finding where rule = 'converged_runs' and subject = ?",
        found["result_set"],
    )
    assert failed["path"].endswith("/DSS8440x8A100-PCIE-40GB/resnet/result_2.txt")
    assert failed["line"] == 1426


def test_two_and_four_nodes_differ_at_one_batch_size(dell: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        dell,
        "select key, value, other_value, severity, is_same_batch from hyperparameter_difference"
        " where result_set like '%/4xR750xax4A100-PCIE-80GB/resnet' and other_set like '%/2xR750%'"
        " and not is_explained order by key",
    )
    assert found == [
        {"key": "lars_opt_base_learning_rate", "value": "10.5", "other_value": "12.5",
         "severity": "warning", "is_same_batch": True},
        {"key": "lars_opt_learning_rate_decay_steps", "value": "37", "other_value": "36",
         "severity": "warning", "is_same_batch": True},
    ]  # fmt: skip
    for system in RESNET[1:3]:
        assert "10.5 at equal global batch size 3264" in scaling(dell, system, "resnet")["note"]


def test_one_learning_rate_of_five_stands_out(dell: duckdb.DuckDBPyConnection) -> None:
    found = row(dell, "select * from finding where rule = 'identical_hyperparameters_within_set'")
    assert found["subject"] == "v1.1/closed/Dell/XE8545x4A100-SXM-40GB/resnet"
    assert found["message"] == "lars_opt_base_learning_rate is 7.6 in 1 run(s), 7.26 in the others"
    assert found["severity"] == "error"
    assert found["path"].endswith("/resnet/result_0.txt")
    assert found["line"] == 253


def test_every_finding_leads_to_a_line_of_a_loaded_file(dell: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        dell,
        "select f.subject, f.line, s.lines from finding f left join source s on s.path = f.path",
    )
    assert found
    for one in found:
        assert one["lines"] is not None, one  # line NULL: the file as a whole
        assert one["line"] is None or 1 <= one["line"] <= one["lines"], one


def test_first_epoch_and_overall_rates_of_r750xa(dell: duckdb.DuckDBPyConnection) -> None:
    found = [score(dell, system, "resnet") for system in RESNET]
    overall = [round(one["overall_samples_per_s"]) for one in found]
    assert overall == [11_872, 23_291, 43_109, 90_771]
    first = [one["first_epoch_samples_per_s"] for one in found]
    assert first == pytest.approx([11_965, 23_434, 43_429, 89_774], rel=0.005)


def test_the_report_prints_105_6_and_the_logs_give_106_542(dell: duckdb.DuckDBPyConnection) -> None:
    found = rows(dell, "select * from published_comparison order by printed_value")
    assert [(one["printed_value"], one["status"]) for one in found] == [
        (77.31, "no log"), (105.6, "rebuilt"),
    ]  # fmt: skip
    assert found[0]["rebuilt_value"] is None
    assert found[1]["rebuilt_value"] == pytest.approx(106.542, abs=0.0005)


# The whole of round v1.1


def test_every_result_log_of_v1_1_is_recognised(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(
        whole,
        r"select count(*) as files, sum(records)::bigint as records from source"
        r" where regexp_matches(member, '/result_[^/]*\.txt$')",
    )
    assert found == {"files": 1_810, "records": 1_153_206}
    unread = "select format, status, count(*) as n from source where format is null group by all"
    assert rows(whole, unread) == [{"format": None, "status": "unrecognised", "n": 5}]


def test_stored_events_are_the_counted_records(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(
        whole,
        "select (select count(*) from event) as events,"
        " (select sum(records)::bigint from source where format = 'mlperf_log') as records",
    )
    assert found == {"events": 1_153_206 + 105, "records": 1_153_206 + 105}


def test_the_stray_copy_is_kept_and_counts_nowhere(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(
        whole,
        "select r.run_id, r.is_counted, r.reason, s.records from run_result r"
        " join source s on s.path = r.path where s.member like '%/.!65506!result_4.txt'",
    )
    assert (found["is_counted"], found["records"]) == (False, 105)
    assert found["reason"] == "not called result_<n>.txt"
    assert rows(whole, "select * from scored_run where run_id = ?", found["run_id"]) == []
    assert score(whole, "nd96amsr_a100_v4_ngc21.09_pytorch", "maskrcnn")["runs"] == 5


def test_exactly_one_record_is_lost(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(whole, "select * from problem where reason like 'a record is lost%'")
    assert found["path"].endswith("/Inspur/results/nf5488a5_tensorflow/minigo/result_8.txt")
    assert found["line"] == 901
    assert found["excerpt"].startswith("u::MLLOG {")
    others = rows(whole, "select path from problem where path <> ?", found["path"])
    assert {one["path"].rsplit("/", 1)[1] for one in others} == {".!65506!result_4.txt"}


def test_sets_systems_and_families_of_v1_1(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(
        whole,
        "select count(distinct system) as systems, count(distinct family_key) as families,"
        " (select count(*) from result_set) as sets, (select count(score_min) from score) as scored"
        " from family",
    )
    assert found == {"systems": 92, "families": 25, "sets": 183, "scored": 183}


def test_seven_families_have_several_scales(whole: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        whole,
        "select organization, count(distinct accelerators) as scales from family"
        " group by family_key, organization having scales > 1 order by scales desc, organization",
    )
    assert [(one["organization"], one["scales"]) for one in found] == [
        ("Azure", 13), ("NVIDIA", 13), ("Intel-HabanaLabs", 6), ("Dell", 4), ("Graphcore", 4),
        ("Dell", 2), ("Google", 2),
    ]  # fmt: skip


def test_only_rnnt_is_super_linear_in_v1_1(whole: duckdb.DuckDBPyConnection) -> None:
    assert subjects(whole, "super_linear_efficiency") == [f"v1.1/closed/Dell/{XE8545[1]}/rnnt"]


def test_sets_with_different_settings_inside_in_v1_1(whole: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        whole,
        "select subject, value, limit_value from finding"
        " where rule = 'identical_hyperparameters_within_set' order by subject",
    )
    assert found == [
        {"subject": "v1.1/closed/Dell/XE8545x4A100-SXM-40GB/resnet",
         "value": "7.6", "limit_value": "7.26"},
        {"subject": "v1.1/closed/Intel-HabanaLabs/HLS-1H-N2/resnet",
         "value": "9.1", "limit_value": "9"},
    ]  # fmt: skip
    rates = rows(
        whole,
        "select h.value, count(*) as n from hyperparameter h join run_result r using (run_id)"
        " where h.key = 'lars_opt_base_learning_rate' and r.is_counted"
        " and r.result_set = 'v1.1/closed/Dell/XE8545x4A100-SXM-40GB/resnet'"
        " group by all order by n",
    )
    assert [(one["value"], one["n"]) for one in rates] == [("7.6", 1), ("7.26", 4)]


def test_one_log_was_submitted_twice_in_v1_1(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(whole, "select * from finding where rule = 'duplicate_runs'")
    assert found["subject"] == "v1.1/closed/Azure/nd96amsr_a100_v4_ngc21.09_merlin_hugectr/dlrm"
    assert found["path"].endswith("/dlrm/result_1.txt")
    assert found["message"].endswith("/dlrm/result_0.txt")


def test_runs_that_did_not_converge_in_v1_1(whole: duckdb.DuckDBPyConnection) -> None:
    found = row(whole, "select sum(runs - runs_converged)::bigint as n from result_set")
    assert found == {"n": 23}
    assert len(subjects(whole, "converged_runs")) == 23


def test_dell_gives_the_same_in_both_archives(
    dell: duckdb.DuckDBPyConnection, whole: duckdb.DuckDBPyConnection
) -> None:
    sql = (
        "select result_set, runs, runs_converged, score_min, mean_min, training_samples_per_s"
        " from score where organization = 'Dell' order by result_set"
    )
    assert rows(dell, sql) == rows(whole, sql)


def test_cross_checks_of_other_submitters(whole: duckdb.DuckDBPyConnection) -> None:
    found = score(whole, "dgxa100_ngc21.09_mxnet", "resnet")
    assert found["score_min"] == pytest.approx(29.147, abs=0.0005)
    assert found["overall_samples_per_s"] == pytest.approx(25_641, abs=0.5)
    assert found["first_epoch_samples_per_s"] == pytest.approx(16_231, rel=0.005)


# Parts of other rounds


def test_every_result_log_of_the_parts_is_recognised(parts: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        parts,
        r"select path, status, records from source"
        r" where regexp_matches(member, '(^|/)result_[^/]*\.txt$')",
    )
    assert len(found) == 550
    assert {one["status"] for one in found} == {"complete", "aborted", "truncated", "duplicate"}
    assert [one["path"] for one in found if not one["records"]] == []


def test_every_result_set_of_the_parts_is_scored(parts: duckdb.DuckDBPyConnection) -> None:
    unexplained = "select result_set from score where score_min is null and reason is null"
    assert rows(parts, unexplained) == []
    by_round = rows(
        parts,
        "select round, count(*) as sets, count(score_min) as scored from score"
        " group by round order by round",
    )
    assert [(one["round"], one["sets"], one["scored"]) for one in by_round] == [
        ("v0.5", 3, 3), ("v0.6", 3, 3), ("v0.7", 16, 16), ("v2.0", 19, 19), ("v5.1", 34, 34),
    ]  # fmt: skip


def test_every_log_belongs_to_a_result_set_or_says_why_not(
    parts: duckdb.DuckDBPyConnection,
) -> None:
    found = rows(parts, "select path, reason from run_result where not is_counted")
    assert {one["reason"] for one in found} == {"not called result_<n>.txt"}
    assert {"/a100-8/resnet/" in one["path"] for one in found} == {True}
    assert len(found) == 5


def test_dgxa100_in_v0_7(parts: duckdb.DuckDBPyConnection) -> None:
    one = score(parts, "dgxa100_ngc20.06_mxnet", "resnet")
    two = score(parts, "dgxa100_n2_ngc20.06_mxnet", "resnet")
    assert one["result_set"] == f"{NVIDIA}/dgxa100_ngc20.06_mxnet/resnet"
    assert (one["accelerators"], two["accelerators"]) == (8, 16)
    assert one["score_min"] == pytest.approx(39.780, abs=0.0005)
    assert two["score_min"] == pytest.approx(23.753, abs=0.0005)
    assert one["overall_samples_per_s"] == pytest.approx(22_011, abs=0.5)
    assert one["first_epoch_samples_per_s"] == pytest.approx(20_167, abs=0.5)


def test_dlrm_of_v0_7_is_timed_in_a_mixed_clock(parts: duckdb.DuckDBPyConnection) -> None:
    found = score(parts, "dgxa100_ngc20.06_merlin_hugectr", "dlrm")
    assert found["score_min"] == pytest.approx(3.33, abs=0.02)
    assert found["first_started_at"] is None


def test_scaling_factors_change_only_the_scaled_score(parts: duckdb.DuckDBPyConnection) -> None:
    found = score(parts, "cloud-tpu-v4-4096-TF", "ssd")
    assert found["scaling_factor"] == pytest.approx(1.023, abs=0.0005)
    assert found["score_min"] == pytest.approx(2.2902, abs=0.00005)
    assert found["score_scaled_min"] == found["score_min"] * found["scaling_factor"]
    counted = rows(
        parts,
        "select round, count(scaling_factor) as n from score"
        " group by round having n > 0 order by round",
    )
    assert [(one["round"], one["n"]) for one in counted] == [("v2.0", 1), ("v5.1", 13)]
    raw = "select * from score where scaling_factor is null and score_scaled_min <> score_min"
    assert rows(parts, raw) == []


def test_speed_up_is_of_raw_scores(parts: duckdb.DuckDBPyConnection) -> None:
    found = scaling(parts, "2xXE9680Lx8B200-SXM-180GB", "dlrm_dcnv2")
    assert found["speedup"] == pytest.approx(2.5224 / 2.3305, abs=0.0001)


def test_only_one_bert_of_the_parts_is_super_linear(parts: duckdb.DuckDBPyConnection) -> None:
    found = row(parts, "select * from finding where rule = 'super_linear_efficiency'")
    assert found["subject"] == "v2.0/closed/Google/cloud-tpu-v4-8192-TF/bert"
    assert found["value"] == "106.9"


def test_two_systems_of_v5_1_share_their_logs(parts: duckdb.DuckDBPyConnection) -> None:
    found = subjects(parts, "duplicate_runs")
    copied = "v5.1/closed/Dell/1xXE9780x8B200-SXM-180GB"
    assert found == [f"{copied}/retinanet", f"{copied}/rgat"]
    original = score(parts, "1xXE9680Lx8B200-SXM-180GB", "rgat")
    assert score(parts, "1xXE9780x8B200-SXM-180GB", "rgat")["score_min"] == original["score_min"]


def test_a_set_of_two_batch_sizes_in_v2_0(parts: duckdb.DuckDBPyConnection) -> None:
    found = score(parts, "XE8545x4A100-SXM-40GB", "resnet")
    assert found["global_batch_size"] is None
    sizes = row(
        parts, "select batch_sizes from result_set where result_set = ?", found["result_set"]
    )
    assert sizes == {"batch_sizes": 2}
    difference = row(
        parts,
        "select message from finding where subject = ?"
        " and rule = 'identical_hyperparameters_within_set'",
        found["result_set"],
    )
    assert "global_batch_size is 816 in 1 run(s), 1024 in the others" in difference["message"]


def test_a_base_of_two_batch_sizes_cannot_be_compared(parts: duckdb.DuckDBPyConnection) -> None:
    found = rows(
        parts,
        "select nodes, is_like_for_like, note from scaling"
        " where system like '%XE8545x4A100-SXM-40GB' and result_set <> base_set order by nodes",
    )
    assert [one["nodes"] for one in found] == [2, 4, 8, 16, 32]
    assert {one["is_like_for_like"] for one in found} == {None}
    assert all(
        "global batch size of one end is not known, or not one" in one["note"] for one in found
    )
