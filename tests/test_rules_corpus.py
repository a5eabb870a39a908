"""What the cross-run rules find in the public logs: all of it, and nothing else."""

from __future__ import annotations

import duckdb
import pytest
from mlperf_logs import rows
from test_corpus import dell, parts, shared_folder, whole

__all__ = ["dell", "parts", "shared_folder", "whole"]  # fixtures

AZURE = "Azure/nd96amsr_a100_v4"
FOUND_IN_DELL = {
    "clock_steps": {"4xR750xax4A100-PCIE-80GB/resnet": "info"},
    "family_software": {"2xXE8545x4A100-SXM-80GB/bert": "info"},
    "foreign_platform": {"DSS8440x8A100-PCIE-80GB/rnnt": "error"},
    "identical_hyperparameters_across_nodes": {
        "2xXE8545x4A100-SXM-80GB/rnnt": "error",
        "4xR750xax4A100-PCIE-80GB/resnet": "warning",
    },
    "identical_hyperparameters_across_systems": {
        "2xR750xax4A100-PCIE-80GB/resnet": "warning",
        "2xXE8545x4A100-SXM-80GB/resnet": "warning",
        "XE8545x4A100-SXM-40GB/resnet": "warning",
        "XE8545x4A100-SXM-80GB/bert": "warning",
        "XE8545x4A100-SXM-80GB/resnet": "warning",
        "XE8545x4A100-SXM-80GB/ssd": "warning",
    },
    "identical_hyperparameters_within_set": {"XE8545x4A100-SXM-40GB/resnet": "error"},
    "late_run_stop": {"DSS8440x10A100-PCIE-80GB/resnet": "warning"},
    "placeholder_platform": {"DSS8440x10A100-PCIE-80GB/maskrcnn": "error"},
    "policy_fixed_hyperparameters": {
        "2xXE8545x4A100-SXM-80GB/resnet": "error",
        "XE8545x4A100-SXM-40GB/resnet": "error",
    },
    "super_linear_efficiency": {"2xXE8545x4A100-SXM-80GB/rnnt": "warning"},
}
FOUND_IN_NONE = (
    "duplicate_runs", "reused_seeds", "stop_before_start", "epoch_time_outliers",
    "evaluation_cadence", "status_against_accuracy", "header_against_path", "low_efficiency",
    "score_outlier", "result_set_span", "batch_size_and_scale", "system_description_numbers",
)  # fmt: skip


def subjects(connection: duckdb.DuckDBPyConnection, rule: str, start: str = "") -> list[str]:
    """What a rule finds fault with, in the result sets whose name begins so."""
    got = rows(
        connection,
        "select subject from finding where rule = ? and starts_with(subject, ?) order by subject",
        rule, start,
    )  # fmt: skip
    return [one["subject"].removeprefix(start) for one in got]


# Dell, round v1.1


@pytest.mark.parametrize("rule", FOUND_IN_DELL)
def test_found_in_dell(dell: duckdb.DuckDBPyConnection, rule: str) -> None:
    got = rows(dell, "select subject, severity from finding where rule = ?", rule)
    found = {one["subject"].removeprefix("v1.1/closed/Dell/"): one["severity"] for one in got}
    assert found == FOUND_IN_DELL[rule]
    assert len(got) == len(found)


@pytest.mark.parametrize("rule", FOUND_IN_NONE)
def test_not_found_in_dell(dell: duckdb.DuckDBPyConnection, rule: str) -> None:
    assert subjects(dell, rule) == []


def test_the_clock_of_the_launching_host_is_days_ahead(
    dell: duckdb.DuckDBPyConnection,
) -> None:
    (one,) = rows(dell, "select * from finding where rule = 'clock_steps'")
    assert one["message"] == (
        "the header lines are of clocks that differ by up to 5.83 days (5 run(s))"
    )
    assert one["path"].endswith("/4xR750xax4A100-PCIE-80GB/resnet/result_0.txt")
    assert one["line"] == 13


def test_super_linear_rnnt_says_where_it_comes_from(
    dell: duckdb.DuckDBPyConnection,
) -> None:
    (one,) = rows(dell, "select * from finding where rule = 'super_linear_efficiency'")
    assert "throughput 154.3 %, convergence 99.1 %, overhead 99.3 %" in one["message"]


# Parts of other rounds


@pytest.mark.parametrize(
    "rule",
    ["duplicate_runs", "identical_hyperparameters_within_set", "policy_fixed_hyperparameters",
     "placeholder_platform", "foreign_platform", "header_against_path", "reused_seeds",
     "stop_before_start", "clock_steps", "evaluation_cadence", "late_run_stop"],
)  # fmt: skip
def test_not_found_in_v0_7(parts: duckdb.DuckDBPyConnection, rule: str) -> None:
    assert subjects(parts, rule, "v0.7/") == []


def test_a_run_of_v0_7_reached_the_target_and_says_aborted(
    parts: duckdb.DuckDBPyConnection,
) -> None:
    assert subjects(parts, "status_against_accuracy", "v0.7/closed/") == [
        "Alibaba/v100-1280/resnet"
    ]


def test_copies_in_v5_1_are_two_findings_of_15_logs(
    parts: duckdb.DuckDBPyConnection,
) -> None:
    got = rows(parts, "select subject, value from finding where rule = 'duplicate_runs' order by 1")
    copied = "v5.1/closed/Dell/1xXE9780x8B200-SXM-180GB"
    assert [(one["subject"], one["value"]) for one in got] == [
        (f"{copied}/retinanet", "5"), (f"{copied}/rgat", "10"),
    ]  # fmt: skip
    assert subjects(parts, "foreign_platform", f"{copied}/") == ["retinanet", "rgat"]
    assert subjects(parts, "reused_seeds", "v5.1/") == []


def test_two_batch_sizes_in_one_set_of_v2_0(
    parts: duckdb.DuckDBPyConnection,
) -> None:
    (one,) = rows(
        parts, "select * from finding where rule = 'identical_hyperparameters_within_set'"
    )
    assert one["subject"] == "v2.0/closed/Dell/XE8545x4A100-SXM-40GB/resnet"
    assert "global_batch_size is 816 in 1 run(s), 1024 in the others" in one["message"]
    assert subjects(parts, "policy_fixed_hyperparameters") == [
        "v2.0/closed/Dell/XE8545x4A100-SXM-80GB/resnet"
    ]


def test_software_changed_between_one_and_two_nodes_in_v5_1(
    parts: duckdb.DuckDBPyConnection,
) -> None:
    (one,) = rows(
        parts, "select * from finding where rule = 'family_software' and severity = 'warning'"
    )
    assert one["subject"] == "v5.1/closed/Dell/2xXE9680Lx8B200-SXM-180GB/dlrm_dcnv2"
    assert "nccl_version 2.27.7 -> 2.25.1" in one["message"]


# The whole of round v1.1


FOUND_IN_V1_1 = {
    "batch_size_and_scale": [
        f"{AZURE}_n96_ngc21.09_mxnet/unet3d", f"{AZURE}_n9_ngc21.09_mxnet/unet3d",
        "NVIDIA/dgxa100_n51_ngc21.09_pytorch/maskrcnn",
        "NVIDIA/dgxa100_n96_ngc21.09_mxnet/unet3d", "NVIDIA/dgxa100_n9_ngc21.09_mxnet/unet3d",
    ],
    "clock_steps": ["Dell/4xR750xax4A100-PCIE-80GB/resnet"],
    "duplicate_runs": [f"{AZURE}_ngc21.09_merlin_hugectr/dlrm"],
    "epoch_time_outliers": [
        f"{AZURE}_ngc21.09_mxnet/unet3d", "Lenovo/SR670v2_8xA100-PCIe-80GB-300W/unet3d",
    ],
    "evaluation_cadence": [],
    "foreign_platform": [
        "Dell/DSS8440x8A100-PCIE-80GB/rnnt",
        "GIGABYTE/G492-ID0_A100_20211013.merlin_hugectr/dlrm",
        *(f"GIGABYTE/G492-ID0_A100_20211013.mxnet/{name}" for name in ("resnet", "ssd", "unet3d")),
        *(f"GIGABYTE/G492-ID0_A100_20211013.pytorch/{name}"
          for name in ("bert", "maskrcnn", "rnnt")),
        "GIGABYTE/G492-ID0_A100_20211013.tensorflow/minigo",
    ],
    "header_against_path": [
        f"{AZURE}_n8_ngc21.09_mxnet/resnet", f"{AZURE}_n8_ngc21.09_mxnet/resnet",
        "Lenovo/SR670v2_8xA100-PCIe-80GB-300W/bert",
    ],
    "identical_hyperparameters_within_set": [
        "Dell/XE8545x4A100-SXM-40GB/resnet", "Intel-HabanaLabs/HLS-1H-N2/resnet",
    ],
    "late_run_stop": ["Dell/DSS8440x10A100-PCIE-80GB/resnet"],
    "low_efficiency": [
        "Graphcore/ipu-pod256-TF1/resnet", "NVIDIA/dgxa100_n8_ngc21.09_merlin_hugectr/dlrm",
    ],
    "placeholder_platform": [
        f"{AZURE}_n8_ngc21.09_mxnet/resnet", "Dell/DSS8440x10A100-PCIE-80GB/maskrcnn",
        "HPE/HPE-ProLiant-XL675d-Gen10-Plus_A100-SXM4-80GB_pytorch/rnnt",
        "Lenovo/SR670v2_8xA100-PCIe-80GB-300W/bert",
    ],
    "policy_fixed_hyperparameters": [
        "Dell/2xXE8545x4A100-SXM-80GB/resnet", "Dell/XE8545x4A100-SXM-40GB/resnet",
    ],
    "result_set_span": [],
    "reused_seeds": ["Supermicro/AS-2124GQ-NART+/rnnt"],
    "score_outlier": [
        "HPE/HPE-ProLiant-XL675d-Gen10-Plus_A100-SXM4-80GB_pytorch/rnnt",
        "Inspur/nf5488a5_pytorch/bert", "Inspur/nf5688m6_pytorch/bert",
        "Supermicro/SYS-420GP-TNAR/bert", "Supermicro/SYS-420GP-TNAR/rnnt",
    ],
    "status_against_accuracy": [],
    "stop_before_start": [],
    "super_linear_efficiency": ["Dell/2xXE8545x4A100-SXM-80GB/rnnt"],
    "system_description_numbers": [],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("rule", FOUND_IN_V1_1)
def test_found_in_the_closed_division_of_v1_1(
    whole: duckdb.DuckDBPyConnection,
    rule: str,
) -> None:
    assert subjects(whole, rule, "v1.1/closed/") == FOUND_IN_V1_1[rule]


@pytest.mark.slow
def test_the_open_division_of_v1_1(whole: duckdb.DuckDBPyConnection) -> None:
    google, samsung = "Google/tpu-v4-4096-TF/bert", "samsung_supercomputer21_dgxa100_n128_pytorch"
    expected = {
        "epoch_time_outliers": [google, "Graphcore/ipu-pod64-POPART-open/bert"],
        "header_against_path": [f"Samsung/{samsung}/bert"],
        "low_efficiency": [google],
        "result_set_span": [google],
    }
    for rule, names in expected.items():
        assert subjects(whole, rule, "v1.1/open/") == names


@pytest.mark.slow
def test_rules_of_many_harmless_hits_in_v1_1(
    whole: duckdb.DuckDBPyConnection,
) -> None:
    assert len(subjects(whole, "run_numbering")) == 64
    assert len(subjects(whole, "overlapping_runs")) == 51
    assert len(subjects(whole, "reference_hyperparameters")) == 78
