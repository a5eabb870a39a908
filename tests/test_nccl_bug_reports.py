"""Public bug reports on reading and interpreting nccl-tests outputs, with the right values.

Each test loads a small output made by hand, as a user would, and says what went wrong elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT
from mlperf_logs import loaded, row, rows
from nccl_outputs import HEADER, MIB, SIZES, capture, devices

GIB = 1 << 30
H100 = "NVIDIA H100 80GB HBM3"
H200 = "NVIDIA H200"
LARGE = tuple(GIB << power for power in range(5))  # 1 GiB to 16 GiB
BANNER = (
    "# nThread 1 nGpus 1 minBytes {} maxBytes {} step: 2(factor) warmup iters: 5 iters: 20"
    " agg iters: 1 validation: 1 graph: 0\n"
)
# before 2.13: the largest difference in place of the number of wrong elements
HEADER_B = "#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n"  # noqa: E501
HEADER_B_PLAIN = HEADER_B.replace("   redop", "")
HEADER_C = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"  # noqa: E501
RUN = "select * from nccl_run"
POINTS = "select * from nccl_point order by line, placement desc"
FOUND = "select rule, line from finding order by rule, line"


# --- how the outputs are made --------------------------------------------------------------------


def table(
    *lines: str,
    header: str = HEADER,
    ranks: int = 8,
    device: str = "Fast 9000",
    least: int = MIB,
    most: int = MIB,
    average: float | None = None,
    out_of_bounds: int = 0,
) -> str:
    """A run whose rows are given as they are printed; without an average it has no last lines."""
    listed = "\n".join(devices(ranks, ["node1"], device)) if ranks else "#"
    text = BANNER.format(least, most) + "#\n# Using devices\n" + listed + "\n" + header
    text += "".join(line + "\n" for line in lines)
    if average is not None:
        text += f"# Out of bounds values : {out_of_bounds} {'FAILED' if out_of_bounds else 'OK'}\n"
        text += f"# Avg bus bandwidth    : {average:g} \n#\n"
    return text


def opened(folder: Path, text: str, name: str = "all_reduce.log") -> duckdb.DuckDBPyConnection:
    """A database with this output, as a user would load it."""
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return loaded(folder, data=ROOT / "data", system="Acme")


def labelled(text: str, labels: Iterable[str]) -> str:
    """The text with a label in front of each line."""
    lines = text.splitlines()
    return "".join(f"{label}{line}\n" for label, line in zip(labels, lines, strict=True))


def pieces(line: str) -> tuple[str, str, str]:
    """The three writes that make a row: what is measured, out of place, in place."""
    return line[:51], line[51:84], line[84:]


def line_of(text: str, part: str) -> int:
    """The number of the first line with these words."""
    return next(n for n, line in enumerate(text.split("\n"), start=1) if part in line)


def found(database: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Every finding as its rule and line."""
    return [tuple(each.values()) for each in rows(database, FOUND)]


def rules_of(database: duckdb.DuckDBPyConnection) -> list[str]:
    """The rules that are broken."""
    return [rule for rule, _ in found(database)]


def busbws(database: duckdb.DuckDBPyConnection) -> list[float | None]:
    """Every bus bandwidth, out of place before in place."""
    return [each["busbw_gbps"] for each in rows(database, POINTS)]


def is_sound(database: duckdb.DuckDBPyConnection) -> bool:
    """Whether this is `capture()` with every value and without a finding or a problem."""
    run = row(database, RUN)
    assert run["rows"] == len(SIZES)
    assert (run["status"], run["rows_lost"], run["ranks"], run["nodes"]) == ("success", 0, 8, 1)
    assert (run["peak_size_bytes"], run["peak_busbw_gbps"]) == (2 * MIB, 200.0)
    points = rows(database, POINTS)
    assert {each["size_bytes"] for each in points} == set(SIZES)
    assert all(199.8 < each["busbw_gbps"] < 200.2 for each in points)
    assert all(114.2 < each["algbw_gbps"] < 114.4 for each in points)
    assert {each["wrong"] for each in points} == {0}
    assert rows(database, "select * from problem") == []
    assert found(database) == []
    return True


# --- the 21 reports ------------------------------------------------------------------------------


def test_01_algorithm_bandwidth_of_all_gather_before_june_2020(tmp_path: Path) -> None:
    """all_gather printed its bus bandwidth as algorithm bandwidth too.

    https://github.com/NVIDIA/nccl-tests/issues/45
    """
    line = "    33554432       4194304   float   1000.0   16.78   16.78  0e+00   1000.0   16.78   16.78  0e+00"  # noqa: E501
    text = table(line, header=HEADER_B_PLAIN, ranks=2, most=32 * MIB, average=16.78)
    database = opened(tmp_path, text, "all_gather.log")
    run = row(database, RUN)
    assert (run["collective"], run["era"], run["ranks"]) == ("all_gather", "B", 2)
    assert (run["busbw_factor"], run["ranks_implied"]) == (0.5, None)
    point = rows(database, POINTS)[0]
    assert (point["algbw_gbps"], point["busbw_gbps"]) == (16.78, 16.78)  # as printed
    assert point["is_algbw_judged"] is False
    assert found(database) == []


def test_01_the_same_numbers_of_a_later_version_contradict_each_other(tmp_path: Path) -> None:
    """Since that change algorithm bandwidth is size over time: 33.55 GB/s here.

    https://github.com/NVIDIA/nccl-tests/issues/45
    """
    line = "    33554432       4194304     float    none      -1   1000.0   16.78   16.78       0   1000.0   16.78   16.78       0"  # noqa: E501
    database = opened(tmp_path, table(line, ranks=2, average=16.78), "all_gather.log")
    point = rows(database, POINTS)[0]
    assert point["is_algbw_judged"] is True
    assert point["expected_algbw_low_gbps"] < 33.55 < point["expected_algbw_high_gbps"]
    assert "nccl_algorithm_bandwidth" in rules_of(database)


def test_02_an_error_of_1e_06_is_a_difference(tmp_path: Path) -> None:
    """The largest difference, rounding only, was taken for corrupted data.

    https://github.com/NVIDIA/nccl-tests/issues/176
    """
    line = "        4096          1024   float     sum    80.00    0.05    0.09  1e-06    81.00    0.05    0.09  1e-06"  # noqa: E501
    text = table(line, header=HEADER_B, least=4096, most=4096, average=0.09)
    database = opened(tmp_path, text)
    for point in rows(database, POINTS):
        assert (point["delta"], point["wrong"], point["is_unchecked"]) == (1e-06, None, False)
    assert row(database, RUN)["status"] == "success"
    assert found(database) == []


def test_03_copies_that_do_not_know_of_each_other(tmp_path: Path) -> None:
    """Without MPI each process ran alone; their outputs stood in each other.

    https://github.com/NVIDIA/nccl-tests/issues/213
    https://github.com/NVIDIA/nccl-tests/issues/306
    """
    both = [capture(hosts=(host,)).splitlines(keepends=True) for host in ("node1", "node2")]
    text = "".join(line for pair in zip(*both, strict=True) for line in pair)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["copies"], run["ranks"], run["status"]) == (2, 8, "success")
    assert run["nodes"] is None  # not two: each copy has a node of its own
    assert run["rows"] == 2 * len(SIZES)
    assert found(database) == [("nccl_without_mpi", 1)]
    assert rows(database, "select * from nccl_scaling") == []


def test_04_one_rank_has_no_bus_bandwidth(tmp_path: Path) -> None:
    """An average of 0 and an algorithm bandwidth of 1,747,057 GB/s were taken for results.

    https://github.com/NVIDIA/nccl-tests/issues/294
    """
    lines = (
        "   268435456      67108864     float     sum      -1   1007.4  266.46    0.00       0     0.31  865921.00    0.00       0",  # noqa: E501
        "   536870912     134217728     float     sum      -1   2014.8  266.46    0.00       0     0.31  1731842.00    0.00       0",  # noqa: E501
    )
    text = table(*lines, ranks=1, most=512 * MIB, average=0)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["ranks"], run["peak_busbw_gbps"], run["busbw_factor"]) == (1, 0, 0)
    points = rows(database, POINTS)
    assert [each["algbw_gbps"] for each in points] == [266.46, 865921, 266.46, 1731842]
    assert {each["is_meaningful"] for each in points} == {False}
    assert rows(database, "select * from nccl_curve") == []
    assert found(database) == [("nccl_one_rank", 1)]


def test_04_one_rank_without_a_list_of_devices(tmp_path: Path) -> None:
    """The rows alone tell it: bus bandwidths of 0 beside algorithm bandwidths of hundreds.

    https://github.com/NVIDIA/nccl-tests/issues/294
    """
    line = "   268435456      67108864     float     sum      -1   1007.4  266.46    0.00       0     0.31  865921.00    0.00       0"  # noqa: E501
    database = opened(tmp_path, table(line, ranks=0, most=256 * MIB, average=0))
    assert row(database, RUN)["ranks"] == 1
    assert rows(database, "select * from nccl_curve") == []
    assert rules_of(database) == ["nccl_one_rank"]


def test_05_alltoall_on_one_device(tmp_path: Path) -> None:
    """A bus bandwidth of 0 and N/A in place looked like a fault of the card.

    https://github.com/NVIDIA/nccl-tests/issues/287
    """
    line = "     1048576        262144     float    none      -1    10.00  104.86    0.00       0    10.00  104.86    0.00     N/A"  # noqa: E501
    database = opened(tmp_path, table(line, ranks=1, average=0), "alltoall.log")
    out, in_place = rows(database, POINTS)
    assert (out["busbw_gbps"], out["wrong"], out["is_unchecked"]) == (0, 0, False)
    assert (in_place["busbw_gbps"], in_place["wrong"], in_place["is_unchecked"]) == (0, None, True)
    assert row(database, RUN)["collective"] == "alltoall"
    assert found(database) == [("nccl_one_rank", 1)]


def test_06_count_of_reduce_scatter_is_that_of_one_rank(tmp_path: Path) -> None:
    """The count times the type was taken for the size: it is an eighth of it on eight ranks.

    https://github.com/NVIDIA/nccl-tests/issues/285
    """
    line = "     1048576         32768     float     sum      -1    20.00   52.43   45.88       0    20.00   52.43   45.88       0"  # noqa: E501
    database = opened(tmp_path, table(line, average=45.88), "reduce_scatter.log")
    assert row(database, "select count, type from nccl_row where placement = 'in_place'") == {
        "count": 32768, "type": "float",
    }  # fmt: skip
    point = rows(database, POINTS)[0]
    assert (point["size_bytes"], point["algbw_gbps"], point["busbw_gbps"]) == (MIB, 52.43, 45.88)
    assert point["is_algbw_judged"] is True
    assert (row(database, RUN)["ranks"], row(database, RUN)["ranks_implied"]) == (8, 8)
    assert found(database) == []


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "NVLS is not shown in the output"),
        ("node1:1:2 [0] NCCL INFO NVLS comm 0x5581 headRank 0 nHeads 8\n", "NVLS is in use"),
    ],
)
def test_07_bus_bandwidth_over_the_link(tmp_path: Path, said: str, words: str) -> None:
    """480 GB/s on a link of 450 was taken for a wrong number; with NVLS the switch reduces.

    https://github.com/NVIDIA/nccl-tests/issues/153
    https://github.com/NVIDIA/nccl-tests/issues/312
    """
    database = opened(tmp_path, capture(device=H200, busbw=480.0, sizes=LARGE, before=said))
    run = row(database, RUN)
    assert (run["link_platform"], run["link_gbps"]) == ("H200, NVLink 4", 450)
    assert (round(run["peak_busbw_gbps"]), run["ranks_implied"]) == (480, 8)
    finding = row(database, "select * from finding")
    assert (finding["rule"], finding["severity"]) == ("nccl_over_link", "info")
    assert finding["line"] == run["peak_line"]
    assert words in finding["message"]


def test_08_a_failure_behind_rows(tmp_path: Path) -> None:
    """Rows, then a failure, no last lines, and a largest size that was reduced.

    https://github.com/NVIDIA/nccl-tests/issues/322
    """
    failure = "node1: Test NCCL failure common.cu:1204 'unhandled cuda error / '\n"
    failure += " .. node1 pid 4007: Test failure common.cu:915\n"
    said = "# Reducing maxBytes to 1951912277 due to memory limitation\n#\n"
    text = capture(most=4 * GIB, before=said, after=failure, is_ended=False)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["status"], run["rows"], run["rows_lost"]) == ("failed", len(SIZES), 0)
    assert (run["average_busbw_gbps"], run["has_footer"]) == (None, False)
    assert round(run["peak_busbw_gbps"]) == 200
    assert found(database) == [
        ("nccl_failure", line_of(text, "Test NCCL failure")),
        ("nccl_sizes_reached", line_of(text, "  1073741824 ")),
    ]
    notes = rows(database, "select line, text from nccl_note where kind = 'note'")
    assert [each["line"] for each in notes] == [line_of(text, "Reducing")]


def report(results: int, errors: Iterable[str] = ()) -> str:
    """What -J writes of an all_reduce on eight devices at 200 GB/s."""
    listed = [
        {"rank": rank, "group": 0, "pid": 4000 + rank, "hostname": "node1", "device": rank,
         "device_hex": f"0000:{16 + rank}:00", "device_info": "Fast 9000"}
        for rank in range(8)
    ]  # fmt: skip
    config = {
        "nthreads": 1, "ngpus": 1, "minimum_bytes": MIB, "maximum_bytes": 2 * MIB,
        "step_factor": 2, "warmup_iters": 1, "iterations": 20, "aggregated_iterations": 1,
        "validation": 1, "graph": 0, "devices": listed,
    }  # fmt: skip
    entries = []
    for size in (MIB, 2 * MIB)[:results]:
        time = size / 1000 * 1.75 / 200
        side = {"time": time, "alg_bw": size / 1000 / time, "bus_bw": 200.0, "nwrong": 0.0}
        entries.append({
            "size": size, "count": size // 4, "type": "float", "redop": "sum", "root": "    -1",
            "out_of_place": side, "in_place": side, "actual_iterations": 20,
        })  # fmt: skip
    said = list(errors)
    footer = {
        "out_of_bounds": {"count": 0, "okay": "true"},
        "average_bus_bandwidth": {"bandwidth": 200.0, "okay": "unchecked"},
    }  # fmt: skip
    whole = {
        "version": 1, "start_time": "2026-01-06 10:00:00", "args": ["./all_reduce_perf"],
        "env": ["PATH=/usr/bin"], "nccl_version": 22803, "config": config, "results": entries,
        **({} if said else footer), "errors": said, "end_time": "2026-01-06 10:00:03",
    }  # fmt: skip
    return json.dumps(whole, separators=(",", ":"))


def test_09_json_that_an_error_cut_off(tmp_path: Path) -> None:
    """With -J an error ended the program before the JSON did.

    https://github.com/NVIDIA/nccl-tests/pull/387
    """
    whole = report(2)
    cut = whole[: whole.rindex('"bus_bw"')]  # in place of the second size
    database = opened(tmp_path, cut, "out.json")
    run = row(database, RUN)
    assert (run["form"], run["collective"], run["ranks"]) == ("json", "all_reduce", 8)
    assert (run["status"], run["rows"], run["has_footer"]) == ("unfinished", 2, False)
    assert busbws(database) == [200, 200, 200]  # the second size is not whole
    assert found(database) == [("nccl_incomplete", 1), ("nccl_lost_rows", 1)]
    assert {each["line"] for each in rows(database, "select line from problem")} == {1}


def test_09_the_same_json_without_the_cut(tmp_path: Path) -> None:
    """Whole, the report has both sizes and breaks no rule.

    https://github.com/NVIDIA/nccl-tests/pull/387
    """
    database = opened(tmp_path, report(2), "out.json")
    run = row(database, RUN)
    assert (run["status"], run["rows"], run["average_busbw_gbps"]) == ("success", 2, 200)
    assert busbws(database) == [200] * 4
    assert found(database) == []


def test_09_json_that_lists_its_errors(tmp_path: Path) -> None:
    """Mended, the program ends its report and lists what failed, in the words of the text output.

    https://github.com/NVIDIA/nccl-tests/pull/387
    """
    failure = "node1: Test NCCL failure common.cu:1204 'unhandled cuda error / '"
    database = opened(tmp_path, report(1, [failure]), "out.json")
    run = row(database, RUN)
    assert (run["form"], run["rows"], run["peak_busbw_gbps"]) == ("json", 1, 200)
    assert run["status"] == "failed"
    assert "nccl_failure" in rules_of(database)


def test_10_a_label_inside_the_row(tmp_path: Path) -> None:
    """The launcher put its label before each of the three writes that make a row.

    https://github.com/NVIDIA/nccl/issues/1453
    """
    text = ""
    for line in capture().splitlines():
        text += "[0] " + ("[0]".join(pieces(line)) if " float " in line else line) + "\n"
    assert "[0]      1048576" in text and "      -1[0] " in text
    assert is_sound(opened(tmp_path, text))


def test_11_wrong_elements(tmp_path: Path) -> None:
    """Hundreds of thousands of wrong elements, with a bandwidth beside them.

    https://github.com/NVIDIA/nccl/issues/1184
    """
    wrong = {(2 * MIB, "out"): "237858", (2 * MIB, "in"): "238038"}
    text = capture(wrong=wrong)
    database = opened(tmp_path, text)
    bad = rows(database, "select wrong from nccl_point where wrong > 0 order by placement desc")
    assert [each["wrong"] for each in bad] == [237858, 238038]
    assert (row(database, RUN)["out_of_bounds"], row(database, RUN)["rows"]) == (2, len(SIZES))
    finding = row(database, "select * from finding")
    assert (finding["rule"], finding["severity"]) == ("nccl_wrong_elements", "error")
    assert finding["line"] == line_of(text, " 237858 ")
    assert "2 of 22 measurements have wrong elements, first 237858" in finding["message"]


def test_12_an_empty_host_name(tmp_path: Path) -> None:
    """Where the host name is blank, its place is taken by the next word.

    https://github.com/NVIDIA/nccl/issues/841
    """
    text = capture(hosts=("",), device="NVIDIA A100 80GB PCIe", busbw=20.0)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["ranks"], run["nodes"], run["hosts"]) == (8, None, None)
    assert run["device_name"] == "NVIDIA A100 80GB PCIe"
    listed = rows(database, 'select host, device, name from nccl_device order by "rank"')
    assert [each["device"] for each in listed] == list(range(8))
    assert round(run["peak_busbw_gbps"]) == 20
    assert found(database) == []


def test_13_a_malformed_row(tmp_path: Path) -> None:
    """A word among the numbers of one row must cost that row only, and be told.

    https://github.com/NVIDIA/cloudai/pull/954
    """
    good = capture().splitlines()
    at = next(n for n, line in enumerate(good) if line.startswith("     8388608 "))
    good[at] = good[at].replace(good[at].split()[5], "NaNbad", 1)
    database = opened(tmp_path, "\n".join(good) + "\n")
    run = row(database, RUN)
    assert (run["rows"], run["rows_lost"], run["status"]) == (len(SIZES) - 1, 1, "success")
    sizes = {each["size_bytes"] for each in rows(database, POINTS)}
    assert sizes == set(SIZES) - {8 * MIB}
    assert [each["line"] for each in rows(database, "select line from problem")] == [at + 1]
    assert found(database) == [("nccl_lost_rows", at + 1)]


@pytest.mark.parametrize("offset", ["-07:00", "+05:30", "Z"])
def test_14_stamps_with_an_offset(tmp_path: Path, offset: str) -> None:
    """Stamps that are not in UTC left no row of 24, and the run was still a success.

    https://github.com/NVIDIA/cluster-readiness-engine/issues/31
    """
    text = capture()
    stamps = (
        f"2026-02-16T02:00:{number % 60:02d}.08260603{number % 10}{offset} "
        for number in range(len(text.splitlines()))
    )
    assert is_sound(opened(tmp_path, labelled(text, stamps)))


def test_14_no_row_is_no_success(tmp_path: Path) -> None:
    """A table of which nothing could be read must not be a run that went well.

    https://github.com/NVIDIA/cluster-readiness-engine/pull/81
    """
    text = capture(is_ended=False).partition("     1048576 ")[0]
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["status"], run["rows"], run["peak_busbw_gbps"]) == ("unfinished", 0, None)
    assert rules_of(database) == ["nccl_incomplete"]


def test_15_a_log_whose_front_is_gone(tmp_path: Path) -> None:
    """Debug lines filled the log until it was rotated: banner, header and first rows were lost.

    https://github.com/NVIDIA/aicr/issues/1690
    https://github.com/NVIDIA/aicr/issues/1712
    """
    text = capture()
    kept = text[text.index("    67108864 ") :]
    database = opened(tmp_path, kept)
    run = row(database, RUN)
    assert (run["rows"], run["ranks_listed"], run["ranks_implied"]) == (5, None, 8)
    assert {each["size_bytes"] for each in rows(database, POINTS)} == set(SIZES[6:])
    assert all(199.8 < (each or 0) < 200.2 for each in busbws(database))
    assert run["min_bytes"] is None
    reasons = [each["reason"] for each in rows(database, "select reason from problem")]
    assert any("header" in reason for reason in reasons)


def test_15_a_log_whose_table_is_gone(tmp_path: Path) -> None:
    """Only the last lines are left: an average without a row is no success.

    https://github.com/NVIDIA/aicr/issues/1712
    """
    text = capture()
    database = opened(tmp_path, text[text.index("# Out of bounds") :])
    run = row(database, RUN)
    assert (run["rows"], run["peak_busbw_gbps"], run["out_of_bounds"]) == (0, None, 0)
    assert len(rows(database, "select * from problem")) >= 1
    assert run["status"] != "success"


def test_16_a_bandwidth_of_eight_bytes(tmp_path: Path) -> None:
    """The only size was the default of 8 bytes, and 470 "Gbps" were expected of it.

    https://github.com/scitix/sichek/issues/52
    """
    line = "           8             2     float     sum      -1    35.20    0.00    0.00       0    34.05    0.00    0.00       0"  # noqa: E501
    text = table(line, device=H200, least=8, most=8, average=0)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["max_bytes"], run["peak_size_bytes"], run["peak_busbw_gbps"]) == (8, 8, 0)
    assert (run["ranks"], run["status"]) == (8, "success")
    assert found(database) == []  # nothing that is published is about 8 bytes


def test_16_a_small_size_is_not_held_against_a_figure_of_16_gib(tmp_path: Path) -> None:
    """The same with sizes up to 16 MiB: links are not filled yet.

    https://github.com/scitix/sichek/issues/52
    """
    sizes = SIZES[:5]
    speeds = {(s, side): 20.0 * (n + 1) for n, s in enumerate(sizes) for side in ("out", "in")}
    database = opened(tmp_path, capture(device=H100, sizes=sizes, speeds=speeds))
    assert row(database, RUN)["peak_size_bytes"] == 16 * MIB
    assert found(database) == []


def test_17_a_healthy_node_that_was_flagged(tmp_path: Path) -> None:
    """480 GB/s of eight H200, as much as is published, was taken for a fault.

    https://github.com/Azure/azurehpc-health-checks/issues/142
    """
    database = opened(tmp_path, capture(device=H200, busbw=480.0, sizes=(16 * GIB,)))
    assert rules_of(database) == ["nccl_over_link"]
    references = rows(database, "select * from nccl_reference")
    assert references
    for reference in references:
        assert reference["peak_size_bytes"] == 16 * GIB
        assert reference["share_pct"] > 95


@pytest.mark.parametrize("device", ["NVIDIA GH200 120GB", "NVIDIA A100 80GB PCIe"])
def test_17_a_device_whose_name_holds_another(tmp_path: Path, device: str) -> None:
    """A GH200 is no H200, and a card has no NVSwitch: figures of others say nothing about them.

    https://github.com/Azure/azurehpc-health-checks/issues/142
    """
    database = opened(tmp_path, capture(device=device, busbw=100.0, sizes=LARGE))
    assert rows(database, "select reference_system from nccl_reference") == []
    assert found(database) == []


def test_18_the_average_is_no_bandwidth(tmp_path: Path) -> None:
    """The mean over all sizes, small ones too, was held against what links can do.

    https://github.com/aws/aws-k8s-tester/pull/503
    """
    sizes = tuple(8 << (3 * power) for power in range(11))  # 8 B to 8 GiB
    speeds = {(size, side): 470.0 for size in sizes[8:] for side in ("out", "in")}
    text = capture(device=H100, sizes=sizes, speeds=speeds, busbw=1.0)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert run["average_busbw_gbps"] < 150
    assert (round(run["peak_busbw_gbps"]), run["peak_size_bytes"] >= 128 * MIB) == (470, True)
    assert rules_of(database) == ["nccl_over_link"]
    for reference in rows(database, "select * from nccl_reference"):
        assert round(reference["peak_busbw_gbps"]) == 470


def test_19_rows_that_unbuffered_output_cuts(tmp_path: Path) -> None:
    """srun -u writes each piece at once: other output stood between the pieces of a row.

    https://github.com/awslabs/awsome-distributed-ai/pull/408
    """
    debug = "node1:4001:4100 [1] NCCL INFO Channel 00/0 : 1[1] -> 2[2] via P2P/CUMEM"
    text = ""
    for line in capture().splitlines():
        is_row = " float " in line
        text += (debug + "\n").join(pieces(line)) + "\n" if is_row else line + "\n"
    assert is_sound(opened(tmp_path, text))


def test_19_pieces_of_two_rows_are_not_joined(tmp_path: Path) -> None:
    """Where the pieces are not those of one row, the row is lost and told.

    https://github.com/awslabs/awsome-distributed-ai/pull/408
    """
    lines = capture().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("     2097152 "))
    head, out, _ = pieces(lines[at])
    _, other, in_place = pieces(lines[at + 1])
    assert out != other
    lines[at : at + 2] = [head, other + in_place]
    database = opened(tmp_path, "\n".join(lines) + "\n")
    run = row(database, RUN)
    assert (run["rows"], run["rows_lost"]) == (len(SIZES) - 2, 1)
    sizes = {each["size_bytes"] for each in rows(database, POINTS)}
    assert sizes == set(SIZES) - {2 * MIB, 4 * MIB}
    assert ("nccl_lost_rows", at + 1) in found(database)


def test_20_launch_parameters_under_the_header(tmp_path: Path) -> None:
    """Warnings of the compiler's launch bounds stood where the first row was expected.

    https://github.com/ROCm/rccl/issues/1072
    """
    said = "Launch params (512, 1, 1) are larger than launch bounds (256) for kernel _Z9deltaKernIf"
    said += " please add __launch_bounds__ to kernel define or recompile program ! \n"
    text = capture()
    first = text.index("     1048576 ")
    database = opened(tmp_path, text[:first] + said * 2 + text[first:])
    assert is_sound(database)
    assert row(database, "select kind, line from nccl_note") == {
        "kind": "warning", "line": text[:first].count("\n") + 1,
    }  # fmt: skip


def test_21_a_reduction_that_is_blank(tmp_path: Path) -> None:
    """The cell under `redop` is empty: columns counted from the front were those to the left.

    https://github.com/microsoft/superbenchmark/pull/113
    https://github.com/microsoft/superbenchmark/pull/454
    """
    line = "     1048576         32768     float              -1    20.00   52.43   45.88      0    25.00   41.94   36.70      0"  # noqa: E501
    text = table(line, header=HEADER_C, average=41.29)
    database = opened(tmp_path, text, "all_gather.log")
    out, in_place = rows(database, POINTS)
    assert (out["time_us"], out["algbw_gbps"], out["busbw_gbps"], out["wrong"]) == (
        20, 52.43, 45.88, 0,
    )  # fmt: skip
    assert (in_place["time_us"], in_place["busbw_gbps"], in_place["wrong"]) == (25, 36.7, 0)
    assert (out["type"], out["redop"], out["root"]) == ("float", None, None)
    assert found(database) == []


# --- found while this was written, reported nowhere ----------------------------------------------


def test_22_the_root_column_moves_the_bandwidths(tmp_path: Path) -> None:
    """Since 2.13 a row has a root: what takes the sixth field (Bobber) then shows the algorithm
    bandwidth, 114 GB/s here, as bus bandwidth."""
    database = opened(tmp_path, capture(sizes=(GIB,)))
    point = rows(database, POINTS)[0]
    assert (point["algbw_gbps"], point["busbw_gbps"], point["root"]) == (114.29, 200.0, None)
    assert row(database, RUN)["peak_busbw_gbps"] == 200.0


@pytest.mark.parametrize("label", ["0: ", "[1,0]<stdout>:", " 0: ", "[1,0]<stdout>: "])
def test_23_labels_of_srun_and_mpirun(tmp_path: Path, label: str) -> None:
    """The CSV tool of AWS finds no row behind the labels that its own guide shows."""
    assert is_sound(opened(tmp_path, labelled(capture(), [label] * len(capture().splitlines()))))


def test_23_a_count_of_wrong_elements_with_an_exponent(tmp_path: Path) -> None:
    """Nor a row with more wrong elements than six digits show."""
    database = opened(tmp_path, capture(wrong={(GIB, "out"): "1.23457e+06"}))
    assert row(database, "select wrong from nccl_point where wrong > 0") == {"wrong": 1234570}
    assert rules_of(database) == ["nccl_wrong_elements"]


def test_24_a_time_stamp_is_two_words(tmp_path: Path) -> None:
    """With -S a row has one word more than its header: superbenchmark shows #wrong as busbw."""
    ends = {
        "busbw": "             timestamp",
        "(elements)": "     %Y-%m-%d %H:%M:%S",
        " float ": "   2026-07-09 16:03:00",
    }
    text = ""
    for line in capture().splitlines():
        end = next((end for part, end in ends.items() if part in line), "")
        text += line + end + "\n"
    assert text.count("16:03:00") == len(SIZES)
    assert is_sound(opened(tmp_path, text))


def test_25_a_table_that_is_moved_in(tmp_path: Path) -> None:
    """Before an indented `#` superbenchmark takes the count for the size."""
    assert is_sound(opened(tmp_path, labelled(capture(), ["    "] * len(capture().splitlines()))))


def test_26_a_count_of_network_cards(tmp_path: Path) -> None:
    """OCI's scout takes `(found 1 nics)` for the first row: a bandwidth of 1 GB/s."""
    said = "node1:4000:4100 [0] NCCL INFO NET/OFI Selected Provider is efa (found 1 nics)\n"
    said += "node1:4000:4100 [0] NCCL INFO Using network AWS Libfabric\n"
    text = capture()
    first = text.index("     1048576 ")
    database = opened(tmp_path, said + text[:first] + said + text[first:])
    assert is_sound(database)
    assert row(database, RUN)["network"] == "AWS Libfabric"


def test_27_bandwidths_that_do_not_fit_their_column(tmp_path: Path) -> None:
    """From 2.17.3 to 2.19.5 a bandwidth of 999.996 runs over its column; 2.19.6 prints inf."""
    lines = (
        "     1048576        262144     float     sum      -1     0.00     inf     inf       0     0.00     inf     inf       0",  # noqa: E501
        "   104857600      26214400     float     sum      -1   183.50  571.43 1000.00       0   183.50  571.43  999.99       0",  # noqa: E501
        "   209715200      52428800     float     sum      -1   367.00  571.43 1000.00       0   367.00     nan    -nan       0",  # noqa: E501
    )
    text = table(*lines, most=200 * MIB)
    text += "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : inf \n#\n"
    database = opened(tmp_path, text)
    assert busbws(database) == [None, None, 1000, 999.99, 1000, None]
    run = row(database, RUN)
    assert (run["rows"], run["rows_lost"], run["peak_busbw_gbps"]) == (3, 0, 1000)
    assert (run["average_busbw_gbps"], run["has_footer"]) == (None, True)
    sizes = {each["size_bytes"] for each in rows(database, "select * from nccl_curve")}
    assert sizes == {100 * MIB, 200 * MIB}
    assert found(database) == []


# --- inconsistencies that were published ---------------------------------------------------------


def test_28_bandwidths_of_96_ranks_shown_for_64(tmp_path: Path) -> None:
    """A table labelled as of 64 devices whose bus over algorithm bandwidth is 1.979.

    https://github.com/coreweave/nccl-tests
    """
    hosts = tuple(f"node{number}" for number in range(8))
    text = capture(ranks=64, hosts=hosts, device=H100, busbw=386.5, factor=2 * 95 / 96, sizes=LARGE)
    database = opened(tmp_path, text)
    run = row(database, RUN)
    assert (run["ranks_listed"], run["ranks_implied"], run["nodes"]) == (64, 96, 8)
    assert 95 < run["ranks_implied_low"] < 96 < run["ranks_implied_high"] < 97
    finding = row(database, "select * from finding where rule = 'nccl_implied_ranks'")
    assert finding["message"] == "the bandwidths imply 96 ranks, 64 are listed"
    assert (finding["severity"], finding["line"]) == ("error", run["peak_line"])
    assert (finding["value"], finding["limit_value"]) == ("96", "64")


def test_28_without_a_list_the_bandwidths_still_tell_96(tmp_path: Path) -> None:
    """Published as here, without the devices: nothing to hold it against, but it is shown.

    https://github.com/coreweave/nccl-tests
    """
    text = capture(ranks=64, busbw=386.5, factor=2 * 95 / 96, sizes=LARGE)
    lines = [line for line in text.splitlines() if "Rank" not in line]
    database = opened(tmp_path, "\n".join(lines) + "\n", "all_reduce_64_devices.log")
    run = row(database, RUN)
    assert (run["ranks_listed"], run["ranks_implied"], run["ranks"]) == (None, 96, 96)


def test_29_a_bus_bandwidth_under_its_algorithm_bandwidth(tmp_path: Path) -> None:
    """A guide shows an all_reduce of many ranks with 0.997 of the algorithm bandwidth.

    https://github.com/Azure/ai-infrastructure-on-azure
    """
    hosts = ("node1", "node2")
    text = capture(ranks=16, hosts=hosts, busbw=450.0, factor=0.997, sizes=LARGE)
    database = opened(tmp_path, text)
    assert row(database, RUN)["ranks"] == 16
    (finding,) = rows(database, "select * from finding")
    assert (finding["rule"], finding["severity"]) == ("nccl_implied_ranks", "error")
    expected = "bus over algorithm bandwidth is 0.997, 16 ranks give 1.875"
    assert finding["message"] == expected
