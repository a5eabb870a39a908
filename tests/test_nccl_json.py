"""nccl-tests and rccl-tests as JSON and CSV: numbers, lines, what damage costs, what is hidden."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from conftest import ROOT, SAMPLES, problems_of, read, sample_files
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.detect import detect
from ingest.formats import nccl_json, rccl_csv, rccl_json
from ingest.nccl.names import collective_named, collective_of, version_of
from ingest.nccl.records import NcclDevice, NcclNote, NcclOutput, NcclRow
from ingest.records import Record, Run

CORPUS = ROOT.parent / "shared" / "corpus"
PER_ITERATION = SAMPLES / "nccl_json" / "v3_per_iteration.json"
MISSPELT = SAMPLES / "nccl_json" / "misspelt_keys.json"
T = TypeVar("T")
Measured = tuple[int, str, float | None, float | None, float | None]


def of(kind: type[T], records: Iterable[Record]) -> list[T]:
    return [record for record in records if isinstance(record, kind)]


def parse(data: bytes | str) -> list[Record]:
    return list(nccl_json.parse(data.encode() if isinstance(data, str) else data, "out.json"))


def rows(records: Iterable[Record]) -> list[Measured]:
    return [
        (r.size_bytes, r.placement, r.time_us, r.algbw_gbps, r.busbw_gbps)
        for r in of(NcclRow, records)
    ]


def run_of(records: Iterable[Record]) -> Run:
    (run,) = of(Run, records)
    return run


def output_of(records: Iterable[Record]) -> NcclOutput:
    (output,) = of(NcclOutput, records)
    return output


# --- -J -----------------------------------------------------------------------------------------


def test_version_1_with_misspelt_keys() -> None:
    records = read(MISSPELT)
    assert rows(records) == [
        (1048576, "out_of_place", 27.489829, 38.144145, 66.752253),
        (1048576, "in_place", 27.764727, 37.76648, 66.09134),
        (2097152, "out_of_place", 34.979657, 59.953475, 104.918581),
        (2097152, "in_place", 35.329454, 59.359876, 103.879783),
    ]
    output = output_of(records)
    assert (output.collective, output.nccl_version, output.era) == ("all_reduce", "2.28.3", "D")
    assert (output.ranks_listed, output.nodes_listed, output.rows_lost) == (8, 1, 0)
    assert (output.average_busbw_gbps, output.average_said) == (58.41, None)
    assert (output.out_of_bounds, output.has_footer) == (0, True)
    assert run_of(records).status == "success"
    assert not problems_of(records)


def test_parameters_have_the_names_of_the_banner() -> None:
    settings_of = json.loads(output_of(read(MISSPELT)).settings or "")
    assert (settings_of["minBytes"], settings_of["maxBytes"]) == (1048576, 2097152)
    assert (settings_of["warmup iters"], settings_of["iters"], settings_of["agg iters"]) == (
        1,
        20,
        1,
    )
    assert (settings_of["step"], settings_of["nGpus"]) == ("2(factor)", 1)


def test_a_row_has_its_line_count_type_root_and_digits() -> None:
    first = of(NcclRow, read(PER_ITERATION))[0]
    assert (first.line, first.ordinal, first.cycle) == (25, 1, 1)
    assert (first.count, first.type, first.redop, first.root) == (131072, "float", "none", -1)
    assert (first.time_us, first.time_digits) == (50.0, "50.000000")
    assert (first.algbw_digits, first.busbw_digits) == ("20.971520", "10.485760")


def test_iterations_of_version_3() -> None:
    first, second = of(NcclRow, read(PER_ITERATION))[:2]
    assert (first.iter_min_us, first.iter_max_us, first.iter_p99_us) == (48.5, 61.25, 61.25)
    assert first.iter_cv_pct == 5.0
    assert (second.iter_min_us, second.iter_max_us, second.iter_cv_pct) == (47.5, None, None)


def test_bare_inf_and_nan_are_unknown_and_break_nothing() -> None:
    second = of(NcclRow, read(PER_ITERATION))[1]
    assert (second.time_us, second.algbw_gbps, second.busbw_gbps) == (None, 0.0, None)
    assert (second.time_digits, second.busbw_digits, second.wrong) == ("inf", "nan", 3.0)


def test_a_placement_that_was_not_run_is_no_lost_row() -> None:
    found = of(NcclRow, read(PER_ITERATION))
    assert [r.placement for r in found if r.ordinal == 2] == ["out_of_place"]
    assert output_of(read(PER_ITERATION)).rows_lost == 0


def test_sizes_that_begin_again_are_another_cycle() -> None:
    found = of(NcclRow, read(PER_ITERATION))
    assert [(r.ordinal, r.cycle) for r in found] == [(1, 1), (1, 1), (2, 1), (3, 2), (3, 2)]


def test_another_operation_is_no_other_cycle() -> None:
    text = MISSPELT.read_text().replace('"redop":"sum"', '"redop":"max"', 1)
    swapped = text.replace('"size":1048576', '"size":4194304', 1)
    assert [r.cycle for r in of(NcclRow, parse(swapped))] == [1, 1, 1, 1]


def test_footer_with_failures_and_cpu_time() -> None:
    records = read(PER_ITERATION)
    output = output_of(records)
    assert (output.is_cpu_time, output.out_of_bounds, output.average_said) == (True, 1, "FAILED")
    assert (output.collective, output.nccl_version) == ("all_gather", "2.29.7")
    assert (output.line, output.last_line) == (1, 43)
    assert run_of(records).status == "success"
    (note,) = of(NcclNote, records)
    assert (note.line, note.kind) == (41, "warning")
    assert note.text == "unhandled system error, see address-1"


def test_environment_holds_only_variables_of_the_communication() -> None:
    records = read(PER_ITERATION)
    assert json.loads(output_of(records).environment or "") == {
        "NCCL_IB_HCA": "mlx5_0,mlx5_1",
        "NCCL_COMM_ID": "address-1:4567",
        "FI_PROVIDER": "efa",
    }
    assert not [word for word in ("10.1.2", "do-not-store", "/usr/bin") if word in repr(records)]


def test_hosts_that_are_addresses_stay_two_hosts() -> None:
    records = read(PER_ITERATION)
    assert [(d.rank, d.host) for d in of(NcclDevice, records)] == [
        (0, "address-1"),
        (1, "address-2"),
    ]
    assert output_of(records).nodes_listed == 2


def test_devices_of_a_process_with_several_are_not_counted() -> None:
    records = read(SAMPLES / "nccl_json" / "first_device_only.json")
    output = output_of(records)
    assert (output.ranks_listed, output.nodes_listed) == (None, 1)
    (device,) = of(NcclDevice, records)
    assert (device.rank, device.host, device.device) == (0, "node01", 0)
    assert (device.bus_id, device.name) == ("0000:10:00", "NVIDIA H100 80GB HBM3")
    unchecked = [(r.wrong, r.is_unchecked) for r in of(NcclRow, records)]
    assert unchecked == [(0.0, False), (None, True)] * 2


def test_a_killed_run_has_no_rows_and_is_unfinished() -> None:
    records = read(SAMPLES / "nccl_json" / "cut.json")
    assert rows(records) == []
    assert len(of(NcclDevice, records)) == 8
    assert (output_of(records).rows_lost, output_of(records).has_footer) == (1, False)
    assert run_of(records).status == "unfinished"
    assert [p.severity for p in problems_of(records)] == ["warning", "warning"]


def test_a_cut_result_keeps_the_placement_that_is_whole() -> None:
    text = MISSPELT.read_text()
    records = parse(text[: text.rindex('"bus_bw":103.879783') + len('"bus_bw":103.8')])
    assert rows(records)[-1] == (2097152, "out_of_place", 34.979657, 59.953475, 104.918581)
    assert len(rows(records)) == 3
    assert output_of(records).rows_lost == 1
    assert "no whole in-place measurement of 2097152 bytes" in problems_of(records)[0].reason


def test_results_behind_damage_are_found() -> None:
    text = PER_ITERATION.read_text()
    records = parse(text.replace('"max_us": 61.25,', "[node1] NCCL WARN lost\n", 1))
    assert [(r.size_bytes, r.placement) for r in of(NcclRow, records)] == [
        (1048576, "out_of_place"),
        (2097152, "out_of_place"),
        (1048576, "out_of_place"),
        (1048576, "in_place"),
    ]
    assert output_of(records).rows_lost == 1
    assert run_of(records).status == "unfinished"


def test_an_error_instead_of_the_footer_is_a_failure() -> None:
    text = MISSPELT.read_text()
    start = text.index(',"out_of_bounds"')
    for error, kind in (("unhandled cuda error", "failure"), ("Test timeout (60s)", "timeout")):
        records = parse(text[:start] + f',"errors":["{error}"],"end_time":"2026-01-06 10:00:03"}}')
        assert run_of(records).status == "failed"
        assert [(n.kind, n.text) for n in of(NcclNote, records)] == [(kind, error)]
        assert len(rows(records)) == 4


def test_two_documents_are_two_runs() -> None:
    one = MISSPELT.read_text()
    records = parse(f"{one}\nsome text\n{one}\n")
    assert [(r.attempt, r.first_line, r.is_last) for r in of(Run, records)] == [
        (1, 1, False),
        (2, 3, True),
    ]
    assert len(rows(records)) == 8


def test_no_size_is_no_row() -> None:
    records = parse(MISSPELT.read_text().replace('"size":1048576', '"size":1e30', 1))
    assert [size for size, *_ in rows(records)] == [2097152, 2097152]
    assert output_of(records).rows_lost == 1


def test_json_that_was_proposed_in_a_pull_request() -> None:
    path = CORPUS / "public" / "nccl" / "i28_ncclt_pr318_json_on_stdout_after_warnings.txt"
    if not path.is_file():
        pytest.skip(f"the corpus is not here: {path}")
    records = list(nccl_json.parse(path.read_bytes(), path.name))
    assert rows(records) == [
        (33554432, "out_of_place", 1494.278386, 22.455275, 19.648366),
        (33554432, "in_place", 1459.561667, 22.98939, 20.115716),
        (67108864, "out_of_place", 2846.555628, 23.575462, 20.628529),
        (67108864, "in_place", 2849.237796, 23.553269, 20.60911),
    ]
    assert [r.is_unchecked for r in of(NcclRow, records)] == [False, True, False, True]
    assert (output_of(records).nccl_version, output_of(records).collective) == ("2.26.6", None)
    assert run_of(records).status == "unfinished"
    assert "never merged" in problems_of(records)[0].reason


# --- rccl-tests ----------------------------------------------------------------------------------


def test_rccl_list() -> None:
    records = read(SAMPLES / "rccl_json" / "two_nodes.json")
    found = of(NcclRow, records)
    assert rows(records) == [
        (1048576, "out_of_place", 27.489829, 38.144145, 71.520271),
        (1048576, "in_place", 27.489829, 38.144145, 71.520271),
        (2097152, "out_of_place", 34.979657, 59.953475, 112.412766),
        (2097152, "in_place", 34.979657, 59.953475, 112.412766),
    ]
    assert [(r.line, r.ordinal, r.cycle, r.wrong, r.is_unchecked) for r in found] == [
        (2, 1, 1, 0.0, False),
        (3, 1, 1, 0.0, False),
        (4, 2, 1, None, True),
        (5, 2, 1, None, True),
    ]
    output = output_of(records)
    assert (output.collective, output.is_rccl, output.form) == ("all_reduce", True, "rccl_json")
    assert (output.ranks_listed, output.nodes_listed) == (16, 2)
    assert run_of(records) == Run(1, 1, 6, "success", True)


def test_a_cut_rccl_list_is_unfinished() -> None:
    data = (SAMPLES / "rccl_json" / "two_nodes.json").read_bytes()
    records = list(rccl_json.parse(data[: data.rindex(b'"algBw"') + 12], "x.json"))
    assert len(rows(records)) == 3
    assert output_of(records).rows_lost == 1
    assert run_of(records).status == "unfinished"


def test_rccl_csv_of_a_build_with_mpi_has_a_value_without_a_name() -> None:
    records = read(SAMPLES / "rccl_csv" / "mpi.csv")
    assert rows(records) == [
        (1048576, "out_of_place", 50.0, 20.97152, 18.35008),
        (1048576, "in_place", 40.0, 26.2144, 22.9376),
        (1048576, "out_of_place", None, 0.0, 0.0),
    ]
    found = of(NcclRow, records)
    assert [(r.line, r.ordinal, r.cycle, r.wrong) for r in found] == [
        (2, 1, 1, 0.0),
        (3, 1, 1, 7.0),
        (4, 2, 2, None),
    ]
    output = output_of(records)
    assert (output.collective, output.nodes_listed, output.ranks_listed) == ("reduce_scatter", 2, 8)
    assert run_of(records).status == "success"


def test_rccl_csv_of_a_build_without_mpi() -> None:
    records = read(SAMPLES / "rccl_csv" / "without_mpi.csv")
    found = of(NcclRow, records)
    assert [(r.ordinal, r.placement, r.type, r.busbw_gbps) for r in found] == [
        (1, "in_place", "bfloat16", 66.752253),
        (2, "in_place", "bfloat16", 104.918581),
    ]
    assert (output_of(records).ranks_listed, output_of(records).nodes_listed) == (8, None)


def test_rccl_csv_with_a_line_of_another_shape() -> None:
    data = (SAMPLES / "rccl_csv" / "mpi.csv").read_bytes().replace(b',"7"', b"", 1)
    records = list(rccl_csv.parse(data, "x.csv"))
    assert [r.line for r in of(NcclRow, records)] == [2, 4]
    assert "placement is no number" in problems_of(records)[0].reason
    data = data.replace(b"22.937600", b"22.9,376,00", 1)
    records = list(rccl_csv.parse(data, "x.csv"))
    assert [r.line for r in of(NcclRow, records)] == [2, 4]
    assert "15 values under 13 names" in problems_of(records)[0].reason


# --- names ---------------------------------------------------------------------------------------


def test_names() -> None:
    assert collective_of("./build/all_reduce_perf_mpi") == "all_reduce"
    assert collective_of("sendrecv_perf") == "sendrecv"
    assert collective_of("/usr/bin/mpirun") is None
    assert [collective_named(n) for n in ("AllGather", "SendRecv", "AlltoAllv", "")] == [
        "all_gather",
        "sendrecv",
        "alltoallv",
        None,
    ]
    assert [version_of(code) for code in (22907, 21805, 2804, 0)] == [
        "2.29.7",
        "2.18.5",
        "2.8.4",
        None,
    ]


# --- properties ----------------------------------------------------------------------------------

STRUCTURED = {
    path: (module, path.read_bytes())
    for module in (nccl_json, rccl_json, rccl_csv)
    for path in sample_files(module.NAME)
}


@pytest.mark.parametrize("path", STRUCTURED, ids=lambda path: path.name)
def test_a_cut_invents_no_row(path: Path) -> None:
    module, data = STRUCTURED[path]
    whole = set(rows(module.parse(data, path.name)))
    for end in range(0, len(data), 97):
        records = list(module.parse(data[:end], path.name))
        assert set(rows(records)) <= whole
        assert all(run.status == "unfinished" for run in of(Run, records)) or rows(records)


@pytest.mark.parametrize("path", STRUCTURED, ids=lambda path: path.name)
def test_text_round_it_changes_no_row(path: Path) -> None:
    module, data = STRUCTURED[path]
    whole = rows(module.parse(data, path.name))
    around = b"NCCL version 2.28.3+cuda12.9\nwarning [1,0]: {\n" + data + b"\nbye\n"
    assert rows(module.parse(around, path.name)) == whole
    assert rows(module.parse(data.replace(b"\n", b"\r\n"), path.name)) == whole
    assert rows(module.parse(b"\xef\xbb\xbf" + data, path.name)) == whole
    assert rows(module.parse(data.decode().encode("utf-16"), path.name)) == whole


@given(cut=st.integers(0, 3000), put=st.binary(max_size=12))
@settings(max_examples=300, deadline=None)
def test_damage_raises_nothing(cut: int, put: bytes) -> None:
    for module, data in STRUCTURED.values():
        damaged = data[:cut] + put + data[cut + len(put) :]
        lines = damaged.count(b"\n") + 1
        for record in module.parse(damaged, "x"):
            json.dumps(repr(record)).encode()
            assert 1 <= (getattr(record, "line", 1) or 1) <= lines


@pytest.mark.parametrize("path", STRUCTURED, ids=lambda path: path.name)
def test_samples_are_detected_whatever_their_name(path: Path) -> None:
    module, data = STRUCTURED[path]
    assert {detect(data, name) for name in ("x", "systems/box.json", "result_0.txt")} == {
        module.NAME
    }
