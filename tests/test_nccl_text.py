"""The text table of nccl-tests: eras, columns, what stands around it, and what is lost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from conftest import ROOT, SAMPLES, problems_of, read

from ingest.detect import detect
from ingest.formats import nccl_text
from ingest.nccl.records import NcclDevice, NcclNote, NcclOutput, NcclRow
from ingest.records import Record, Run

CORPUS = ROOT.parent / "shared" / "corpus"
T = TypeVar("T")

HEADER_B = "#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error"  # noqa: E501
HEADER_C = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong"  # noqa: E501
HEADER_D = HEADER_C.replace(" #wrong", "  #wrong")
BANNER = "# nThread 1 nGpus 1 minBytes {} maxBytes {} step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0"  # noqa: E501
ROW = "     1048576        262144     float     sum      -1    27.49   38.14   66.75      0    27.76   37.77   66.09      0"  # noqa: E501
NEXT = "     2097152        524288     float     sum      -1    34.98   59.95  104.92      0    35.33   59.36  103.88      0"  # noqa: E501
FOOTER = "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 66.42 "


def of(kind: type[T], records: Iterable[Record]) -> list[T]:
    return [record for record in records if isinstance(record, kind)]


def parse(*lines: str, name: str = "job.log") -> list[Record]:
    return list(nccl_text.parse(("\n".join(lines) + "\n").encode(), name))


def sample(name: str) -> list[Record]:
    return read(SAMPLES / "nccl_text" / name)


def only(kind: type[T], records: Iterable[Record]) -> T:
    (record,) = of(kind, records)
    return record


def cells(records: Iterable[Record]) -> list[tuple[object, ...]]:
    return [
        (r.size_bytes, r.placement, r.time_us, r.algbw_gbps, r.busbw_gbps)
        for r in of(NcclRow, records)
    ]


def lost(records: Iterable[Record]) -> list[int | None]:
    return [p.line for p in problems_of(list(records)) if "row" in p.reason]


# --- every capture at hand ------------------------------------------------------------------------

# What INDEX.md says in words: rows of a test that splits them itself, fragments, a documentation
# page that lost its line ends, a row with a word among its numbers.
SAID = {
    "rows split over lines": 1, "0 (device list only)": 0, "0 (fragments)": 0, "4 (+1 orphan)": 4,
    "0 or 1 with warning": 1, "0–1 + warning": 0,
}  # fmt: skip


def expectations() -> list[tuple[Path, int, float | None]]:
    found = []
    for index in sorted(CORPUS.glob("*/nccl/INDEX.md")):
        for line in index.read_text().splitlines():
            columns = [column.strip() for column in line.split("|")]
            if len(columns) < 6 or not columns[1].endswith(".txt"):
                continue
            _, name, _, what, rows, peak, *_ = columns if len(columns) > 6 else [*columns, ""]
            if "FOREIGN" in what or "JSON on stdout" in what:
                continue
            number = SAID.get(rows) if rows in SAID else int(rows)
            assert number is not None
            found.append((index.parent / name, number, float(peak) if peak else None))
    return found


@pytest.mark.parametrize(("path", "rows", "peak"), expectations(), ids=lambda each: str(each)[-40:])
def test_rows_and_peak_are_those_of_the_index(path: Path, rows: int, peak: float | None) -> None:
    data = path.read_bytes()
    assert detect(data, str(path)) == "nccl_text"
    records = list(nccl_text.parse(data, str(path)))
    found = of(NcclRow, records)
    assert len({(row.attempt, row.ordinal) for row in found}) == rows
    shown = [row for row in found if row.placement == "out_of_place"] or found
    if peak is not None:
        assert max(row.busbw_gbps for row in shown if row.busbw_gbps is not None) == peak
    lines = data.split(b"\n")
    for row in found:
        assert row.busbw_digits and row.busbw_digits.encode() in b"\n".join(lines[row.line - 1 :])
        assert str(row.size_bytes).encode() in lines[row.line - 1]
    assert of(Run, records)
    assert found or problems_of(records)


@pytest.mark.parametrize(
    ("name", "statuses", "lost_rows"),
    [
        ("i09_ncclt322_maxbytes_reduced_then_aborted.txt", ["failed"], 0),
        ("i10_ncclt5_v1_header_then_failure.txt", ["failed"], 0),
        ("i41_ncclt294_info_then_failure.txt", ["failed"], 0),
        ("i44_cloudai_failure_cascade.txt", ["failed"], 0),
        ("i18_polaris_pals_label_multi_arm_split_row.txt", ["success"], 1),
        ("i02_nccl1453_tuning_lines_split_row.txt", ["unfinished"], 1),
        ("r07_aws_p4de_2n_srun_label.txt", ["unfinished"], 0),
        ("r15_gke_placeholders_XXX.txt", ["unfinished"], 6),
        ("r19a_oci_oke_docs_0.txt", ["success"], 0),
        ("r21_cscs_gh200_2n_degraded_net.txt", ["success"], 0),
        ("r25_cloudai_malformed_NaNbad_row.txt", ["unfinished"], 1),
    ],
)
def test_how_the_public_captures_ended(name: str, statuses: list[str], lost_rows: int) -> None:
    path = CORPUS / "public" / "nccl" / name
    if not path.is_file():
        pytest.skip("the public captures are not here")
    records = read(path)
    assert [run.status for run in of(Run, records)] == statuses
    assert sum(output.rows_lost for output in of(NcclOutput, records)) == lost_rows
    notes = [note.line for note in of(NcclNote, records) if note.kind == "lost"]
    assert len(notes) == lost_rows


def test_what_the_words_of_public_captures_tell() -> None:
    folder = CORPUS / "public" / "nccl"
    if not folder.is_dir():
        pytest.skip("the public captures are not here")
    sharp = only(NcclOutput, read(folder / "i41_ncclt294_info_then_failure.txt"))
    assert (sharp.network, sharp.is_sharp, sharp.is_nvls) == ("IBext_v6", True, None)
    nvls = only(NcclOutput, read(folder / "i40_log_timestamp_brackets_nccl_info_nvls.txt"))
    assert nvls.is_nvls is True
    assert "NCCL_TOPO_FILE" in json.loads(nvls.environment or "")
    efa = only(NcclOutput, read(folder / "i43_aws_efa_mpijob_2n_a10_tagoutput_info.txt"))
    assert (efa.network, efa.nccl_version) == ("AWS Libfabric", "2.12.7")
    two = only(NcclOutput, read(folder / "r18_oci_h100_2n_nccl_version_line.txt"))
    assert (two.ranks_listed, two.nodes_listed, two.average_busbw_gbps) == (16, 2, 464.075)
    elided = only(NcclOutput, read(folder / "r19a_oci_oke_docs_0.txt"))
    assert (elided.ranks_listed, elided.tests_version) == (None, "2.17.9")
    amd = only(NcclOutput, read(folder / "i25_rccl_mi350x_version_lines_no_hash.txt"))
    assert (amd.is_rccl, amd.nccl_version) == (True, "2.27.7-develop:29e1567")


# --- eras and columns -----------------------------------------------------------------------------


def test_a_run_of_v2_19_with_all_around_it() -> None:
    records = sample("min_bw_failed.txt")
    output = only(NcclOutput, records)
    assert (output.collective, output.era, output.tests_version) == ("all_reduce", "D", "2.19.6")
    assert output.nccl_version == "2.29.7"  # nccl-library=22907
    assert (output.ranks_listed, output.nodes_listed, output.copies) == (8, 1, 1)
    assert (output.average_busbw_gbps, output.average_said) == (141.742, "FAILED")
    assert output.out_of_bounds == 0
    assert json.loads(output.settings or "") == {
        "nThread": 1, "nGpus": 1, "minBytes": 1048576, "maxBytes": 16777216, "step": "2(factor)",
        "warmup iters": 1, "iters": 20, "agg iters": 1, "validation": 1, "graph": 0, "unalign": 0,
    }  # fmt: skip
    run = only(Run, records)
    assert (run.status, run.first_line, run.last_line) == ("success", 1, 26)
    device = of(NcclDevice, records)[7]
    assert (device.line, device.rank, device.group, device.host) == (13, 7, 0, "node01")
    assert (device.device, device.bus_id) == (7, "0000:17:00")
    assert device.name == "NVIDIA H100 80GB HBM3"
    last = of(NcclRow, records)[-1]
    assert (last.line, last.ordinal, last.placement) == (22, 5, "in_place")
    assert (last.size_bytes, last.count, last.type, last.redop) == (
        16777216,
        4194304,
        "float",
        "sum",
    )
    assert (last.root, last.time_us, last.algbw_gbps, last.busbw_gbps) == (
        None,
        141.24,
        118.79,
        207.88,
    )
    assert (last.wrong, last.delta, last.is_unchecked) == (0, None, False)
    assert (last.time_digits, last.algbw_digits, last.busbw_digits) == (
        "141.24",
        "118.79",
        "207.88",
    )


def test_a_blank_redop_and_a_root_of_none() -> None:
    first = of(NcclRow, sample("blank_redop.txt"))[0]
    assert (first.count, first.type, first.redop, first.root) == (32768, "float", None, None)
    assert (first.time_us, first.algbw_gbps, first.busbw_gbps) == (27.49, 38.14, 33.38)


def test_timestamps_and_iterations_shift_no_column() -> None:
    stamped = of(NcclRow, sample("timestamps.txt"))
    assert [row.busbw_gbps for row in stamped[::2]] == [66.75, 104.92, 146.92, 183.69, 209.96]
    row = of(NcclRow, sample("per_iteration.txt"))[1]
    assert (row.placement, row.busbw_gbps, row.wrong) == ("in_place", 66.09, 0)
    assert (row.iter_min_us, row.iter_max_us, row.iter_p99_us, row.iter_cv_pct) == (
        26.93, 33.32, 33.32, 3.21,
    )  # fmt: skip


def test_cpu_time_is_said() -> None:
    records = sample("cpu_time.txt")
    assert only(NcclOutput, records).is_cpu_time
    assert of(NcclRow, records)[0].time_us == 2.75


def test_unchecked_is_not_right() -> None:
    rows = of(NcclRow, sample("alltoall_unchecked.txt"))
    assert [(row.wrong, row.is_unchecked) for row in rows[:2]] == [(0, False), (None, True)]


def test_scientific_notation_and_one_rank() -> None:
    rows = of(NcclRow, sample("one_gpu_exponents.txt"))
    assert [row.algbw_gbps for row in rows[1::2]] == [432960, 2e6, 6e7]
    assert {row.busbw_gbps for row in rows} == {0}


def test_in_place_only_and_side_work() -> None:
    rows = of(NcclRow, sample("rccl_in_place_only.txt"))
    assert [(row.placement, row.busbw_gbps) for row in rows] == [
        ("in_place", 66.75), ("in_place", 104.92), ("in_place", 146.92),
    ]  # fmt: skip
    output = only(NcclOutput, sample("rccl_in_place_only.txt"))
    assert (output.is_rccl, output.tests_version) == (True, "develop:ae3e635")
    assert output.ranks_listed is None  # one line for eight devices of a process
    side = of(NcclRow, sample("side_work.txt"))
    assert [(row.busbw_gbps, row.wrong) for row in side] == [(66.75, 0), (66.75, 0)]


def test_era_a_prints_milliseconds() -> None:
    records = parse(
        "nThread 1 nGpus 2 minBytes 1048576 maxBytes 1048576 step: 2(factor) warmup iters: 5"
        " iters: 20 validation: 1 ",
        "# NCCL Tests compiled with NCCL 2.4",
        "#   Rank  0 on     node01 device  0 [0x00] Tesla V100",
        "#   Rank  1 on     node01 device  1 [0x01] Tesla V100",
        "#      bytes             N    type      op     time  algbw  busbw      res     time  algbw"
        "  busbw      res",
        "     1048576        262144   float     sum    2.059   0.51   0.51    2e-07    3.314   0.32"
        "   0.32  \tN/A",
        " Out of bounds values : 0 OK",
        " Avg bus bandwidth    : 0.415 ",
    )
    output = only(NcclOutput, records)
    assert (output.era, output.ranks_listed, output.nccl_version) == ("A", 2, None)
    out, in_place = of(NcclRow, records)
    assert (out.time_us, out.time_digits, out.delta, out.wrong) == (2059, "2.059", 2e-07, None)
    assert (in_place.time_us, in_place.delta, in_place.is_unchecked) == (3314, None, True)


def test_the_error_of_era_b_is_a_difference_not_a_count() -> None:
    row = "        4096          1024   float     sum    93.73    0.04    0.09  1e-06    93.15    0.04    0.09  1e-06"  # noqa: E501
    records = parse(HEADER_B, row)
    assert only(NcclOutput, records).era == "B"
    assert [(each.delta, each.wrong) for each in of(NcclRow, records)] == [(1e-06, None)] * 2


def test_a_count_of_wrong_elements_is_kept() -> None:
    row = "      524288        131072     float     sum      -1    663.1    0.79    0.79 237858    569.4    0.92    0.92 238038"  # noqa: E501
    assert [each.wrong for each in of(NcclRow, parse(HEADER_C, row))] == [237858, 238038]


@pytest.mark.parametrize("word", ["nan", "-nan", "inf"])
def test_what_is_no_number_is_unknown_and_keeps_its_text(word: str) -> None:
    row = f"           8             2     float     sum      -1     0.00   {word}   {word}      0     1.00   0.01   0.01      0"  # noqa: E501
    first, second = of(NcclRow, parse(HEADER_D, row))
    assert (first.algbw_gbps, first.busbw_gbps, first.algbw_digits) == (None, None, word)
    assert second.busbw_gbps == 0.01


def test_an_asterisk_of_rccl_marks_an_error() -> None:
    row = "        4096          1024   float     sum    93.73    0.04    0.09  1e+00*   93.15    0.04    0.09  1e-06"  # noqa: E501
    assert [each.delta for each in of(NcclRow, parse(HEADER_B, row))] == [1.0, 1e-06]


def test_a_hypercube_has_no_redop_in_v2_19() -> None:
    row = "     1048576        262144     float              -1    27.49   38.14   38.14       0    27.76   37.77   37.77       0"  # noqa: E501
    records = parse("# Collective test starting: hypercube_perf", HEADER_D, row)
    assert only(NcclOutput, records).collective == "hypercube"
    assert [(each.redop, each.busbw_gbps) for each in of(NcclRow, records)] == [
        (None, 38.14), (None, 37.77),
    ]  # fmt: skip


def test_without_its_header_a_table_is_read_by_its_number_of_columns_and_says_so() -> None:
    records = parse(ROW, NEXT)
    assert cells(records)[::2] == [
        (1048576, "out_of_place", 27.49, 38.14, 66.75),
        (2097152, "out_of_place", 34.98, 59.95, 104.92),
    ]
    assert only(NcclOutput, records).era is None  # C and D differ in the header only
    assert "header" in problems_of(records)[0].reason


# --- runs -----------------------------------------------------------------------------------------


def test_two_tests_in_one_file_are_two_runs() -> None:
    records = sample("two_tests.txt")
    assert [run.status for run in of(Run, records)] == ["success", "success"]
    assert [run.is_last for run in of(Run, records)] == [False, True]
    outputs = of(NcclOutput, records)
    assert [(o.collective, o.line) for o in outputs] == [(None, 1), ("all_gather", 26)]
    rows = of(NcclRow, records)
    assert {row.attempt: row.busbw_gbps for row in rows[8::10]} == {1: 209.96, 2: 104.98}


def test_every_type_and_operation_is_a_row_of_its_own() -> None:
    rows = of(NcclRow, sample("all_types_and_ops.txt"))
    keys = {(row.size_bytes, row.type, row.redop, row.placement) for row in rows}
    assert len(keys) == len(rows) == 60
    assert {row.cycle for row in rows} == {1}


def test_cycles_are_told_apart() -> None:
    records = parse(BANNER.format(1048576, 2097152), HEADER_C, *[ROW, NEXT] * 3, FOOTER)
    assert [row.cycle for row in of(NcclRow, records)[::2]] == [1, 1, 2, 2, 3, 3]
    one = parse(BANNER.format(1048576, 1048576), HEADER_C, *[ROW] * 3, FOOTER)
    assert [row.cycle for row in of(NcclRow, one)[::2]] == [1, 2, 3]


def test_sizes_that_are_rounded_to_0_are_no_cycles() -> None:
    zero = "           0             0   float     sum    35.20    0.00    0.00    N/A    34.05    0.00    0.00    N/A"  # noqa: E501
    four = zero.replace("  0             0 ", "  4             1 ")
    records = parse(BANNER.format(1, 4), HEADER_B, zero, zero, four)
    assert [row.cycle for row in of(NcclRow, records)] == [1] * 6


def test_copies_without_mpi_are_counted_and_their_whole_rows_kept() -> None:
    banner = BANNER.format(1048576, 2097152)
    device = "#  Rank  0 Group  0 Pid   {} on     node0{} device  0 [0x01] NVIDIA H100"
    records = parse(
        banner, banner, device.format(4000, 1), device.format(5000, 2), HEADER_C, HEADER_C,
        ROW, ROW, "     2097152        524288     float     sum      -1", NEXT,
        "    34.98   59.95  104.92      0    35.33   59.36  103.88      0", FOOTER, FOOTER,
    )  # fmt: skip
    output = only(NcclOutput, records)
    assert (output.copies, output.nodes_listed, output.rows_lost) == (2, None, 2)
    assert len(of(NcclRow, records)) == 6
    assert lost(records) == [9, 11]
    assert [p.line for p in problems_of(records) if "side by side" in p.reason] == [1]
    assert only(Run, records).status == "success"


def test_a_failure_ends_a_run_and_the_next_one_is_another() -> None:
    failure = "node1: Test NCCL failure common.cu:1204 'unhandled cuda error / '"
    records = parse(HEADER_C, ROW, failure, BANNER.format(8, 8), HEADER_C, NEXT, FOOTER)
    assert [run.status for run in of(Run, records)] == ["failed", "success"]
    assert [note.kind for note in of(NcclNote, records)] == ["failure"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("slurmstepd: error: *** JOB 7 ON node1 CANCELLED DUE TO TIME LIMIT ***", "aborted"),
        ("mpirun noticed that process rank 3 exited on signal 9 (Killed).", "aborted"),
        ("node1: Test timeout (60s) common.cu:301", "failed"),
        ("srun: error: node1: task 3: Exited with exit code 3", "failed"),
        ("node1:12:34 [0] misc/ibvwrap.cc:63 NCCL WARN Failed to open a library", "unfinished"),
    ],
)  # fmt: skip
def test_how_a_run_without_last_lines_ended(said: str, status: str) -> None:
    assert only(Run, parse(BANNER.format(8, 8), HEADER_C, ROW, said)).status == status


def test_a_failure_of_the_run_before_is_not_of_the_next_one() -> None:
    first = [BANNER.format(8, 8), HEADER_C, ROW, FOOTER]
    said = "srun: error: node1: task 3: Exited with exit code 3"
    assert [r.status for r in of(Run, parse(*first, said, *first))] == ["success", "success"]
    assert [r.status for r in of(Run, parse(said, *first))] == ["success"]


# --- what is lost ---------------------------------------------------------------------------------


def test_a_label_inside_a_row() -> None:
    row = "[0]  1048576 262144 float sum -1[0]   1626.5 0.64 1.24 0[0]   2302.3 0.46 0.87 0"
    assert cells(parse("[0] " + HEADER_C, row)) == [
        (1048576, "out_of_place", 1626.5, 0.64, 1.24), (1048576, "in_place", 2302.3, 0.46, 0.87),
    ]  # fmt: skip


def test_the_summary_of_alltoallv_inside_a_row() -> None:
    records = sample("alltoallv_summary_splits_row.txt")
    assert cells(records) == [
        (1048576, "out_of_place", 27.49, 38.14, 28.61), (1048576, "in_place", 27.76, 37.77, 28.32),
    ]  # fmt: skip
    assert problems_of(records) == []


def test_pieces_that_do_not_fit_each_other_are_lost() -> None:
    head, rest = ROW[:54], NEXT[54:]
    debug = "node1:1:2 [0] NCCL INFO 1048576 Bytes -> Algo 1 proto 2 time 25.49"
    records = parse(HEADER_C, head + debug, rest)
    assert of(NcclRow, records) == []
    assert lost(records) == [2, 1]


def test_a_row_without_its_left_half_is_lost() -> None:
    records = parse(
        HEADER_C,
        ROW,
        "       72481.1   25.16   44.02      0  72469.2   25.16   44.03      0",
        FOOTER,
    )
    assert lost(records) == [3]
    assert only(NcclOutput, records).rows_lost == 1


def test_placeholders_and_words_are_no_numbers() -> None:
    placeholder = "   268435456       4194304     float    none      -1    XXXXX  XXX.XX  XXX.XX    N/A   XXXXXX  XXX.XX  XXX.XX      0"  # noqa: E501
    records = parse(HEADER_C, placeholder, ROW.replace("27.49", "NaNbad"), NEXT, FOOTER)
    assert len(of(NcclRow, records)) == 2
    reasons = [p.reason for p in problems_of(records)]
    assert lost(records) == [2, 3]
    assert "placeholders" in reasons[0]


def test_a_row_behind_other_words_is_not_one_of_the_table() -> None:
    records = parse(HEADER_C, "expected at least this much: about" + ROW, NEXT, FOOTER)
    assert len(of(NcclRow, records)) == 2
    assert lost(records) == [2]


def test_a_device_list_that_is_cut_counts_no_ranks() -> None:
    records = sample("device_list_cut.txt")
    assert len(of(NcclDevice, records)) == 13
    assert only(NcclOutput, records).ranks_listed is None
    assert [note.kind for note in of(NcclNote, records)] == ["elided"]


def test_a_blank_host_name_is_unknown() -> None:
    device = "#  Rank  0 Group  0 Pid   4349 on        device  0 [0x01] NVIDIA A100 80GB PCIe"
    records = parse(BANNER.format(8, 8), device, HEADER_C)
    assert only(NcclDevice, records).host is None
    output = only(NcclOutput, records)
    assert (output.ranks_listed, output.nodes_listed) == (1, None)


def test_elided_rows_are_noted() -> None:
    records = parse(HEADER_C, ROW, "        ...", NEXT, FOOTER)
    assert [(note.kind, note.line) for note in of(NcclNote, records)] == [("elided", 3)]


def test_addresses_are_not_kept() -> None:
    said = "node1:1:2 [1] NCCL INFO NET/IB : Using [0]mlx5_1:1/IB/SHARP [RO]; OOB ens7:10.1.2.3<0>"
    records = parse(BANNER.format(8, 8), said, HEADER_C, ROW, FOOTER)
    (note,) = of(NcclNote, records)
    assert note.kind == "network"
    assert not re.search(r"10\.1\.2\.3", note.text)


@pytest.mark.parametrize(
    ("name", "collective"),
    [
        ("nccl_allreduce.log", "all_reduce"), ("reduce-scatter_8.txt", "reduce_scatter"),
        ("reduce.log", "reduce"), ("all_gather.log", None), ("job.log", None),
        ("allreduce_and_reducescatter.log", None),
    ],
)  # fmt: skip
def test_the_name_of_the_file_tells_the_test_where_nothing_else_does(
    name: str, collective: str | None
) -> None:
    """all_gather has no reduction: the name is not that of this table."""
    assert only(NcclOutput, parse(HEADER_C, ROW, FOOTER, name=name)).collective == collective


def test_a_text_without_any_table_is_refused() -> None:
    records = parse("nothing to see here", "8 2 apples")
    assert [problem.severity for problem in problems_of(records)] == ["error"]
    assert not nccl_text.claims(b"nothing to see here\n8 2 apples\n", "x.txt")
