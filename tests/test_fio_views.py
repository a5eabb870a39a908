"""The relations over fio outputs: results, their status, curves, latencies, logs and sizing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT
from fio_outputs import MIB, Bench, job, latency, output, transfer
from mlperf_logs import load_more, row, rows
from mlperf_logs import loaded as loaded_with


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """An empty folder of one storage system."""
    return Bench(tmp_path)


def loaded(*paths: Path, **said: Any) -> duckdb.DuckDBPyConnection:
    """A database in memory with these paths and the project's thresholds and workloads."""
    return loaded_with(*paths, data=ROOT / "data", **said)


def result(bench: Bench, *jobs: Any, **common: Any) -> dict[str, Any]:
    """The one result of an output of these jobs."""
    bench.write("a.json", output(*jobs, **common))
    return row(loaded(bench.root), "select * from fio_result")


# results


def test_numbers_are_recomputed_from_bytes_and_run_time(bench: Bench) -> None:
    found = result(bench, job(bw_bytes=1, bw=1, iops=1.0))
    assert found["bandwidth_bps"] == 6000 * MIB / 60
    assert found["iops"] == 100
    assert found["lat_mean_us"] == 40_000
    assert (found["lat_kind"], found["status"], found["reason"]) == ("lat", "complete", None)
    assert (found["clients"], found["jobs"], found["iodepth"]) == (1, 1, 4)
    assert (found["block_bytes"], found["direction"], found["system"]) == (MIB, "read", "Acme")


def test_jobs_of_a_group_are_added_over_the_longest_run_time(bench: Bench) -> None:
    found = result(bench, job("a"), job("b", seconds=50.0))
    assert found["bandwidth_bps"] == 12_000 * MIB / 60
    assert found["bandwidth_sum_bps"] == 6000 * MIB / 60 + 6000 * MIB / 50
    assert found["jobs"] == 2


def test_groups_that_ran_one_after_another_are_results_of_their_own(bench: Bench) -> None:
    bench.write("a.json", output(job("one", group=0), job("two", blocks=3000, group=1)))
    found = rows(loaded(bench.root), "select * from fio_result order by group_id")
    assert [one["bandwidth_bps"] for one in found] == [100 * MIB, 50 * MIB]


def test_a_mean_latency_is_weighted_by_operations(bench: Bench) -> None:
    found = result(bench, job("a", blocks=6000), job("b", blocks=1000))
    means_us = (4 / 100 * 1e6, 4 / (1000 / 60) * 1e6)
    assert found["lat_mean_us"] == pytest.approx((means_us[0] * 6 + means_us[1]) / 7, rel=1e-6)


def test_an_unmeasured_latency_is_unknown_and_not_zero(bench: Bench) -> None:
    idle = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    found = result(bench, job(slat_ns=idle, clat_ns=idle, lat_ns=idle))
    assert (found["lat_mean_us"], found["lat_kind"]) == (None, None)
    assert found["iops"] == 100


def test_clients_are_told_apart_by_host_and_port(bench: Bench) -> None:
    found = result(bench, job(client="10.0.0.1:8765"), job(client="10.0.0.1:8766"))
    assert (found["clients"], found["jobs"], found["jobs_per_client"]) == (2, 2, 1)
    assert found["bandwidth_bps"] == 200 * MIB  # and not the 300 that "All clients" would add


def test_a_merged_group_counts_its_jobs(bench: Bench) -> None:
    found = result(bench, job(numjobs=4))
    assert (found["jobs"], found["status"]) == (4, "complete")


def test_options_of_different_jobs_in_one_group_are_not_trusted(bench: Bench) -> None:
    mixed = job(rw="randwrite", numjobs=2, options={"bs": "64k"})
    mixed["read"] = transfer(6000, 60.0, 4)
    bench.write("a.json", output(mixed))
    found = rows(loaded(bench.root), "select * from fio_result order by direction")
    assert [one["direction"] for one in found] == ["read", "write"]
    assert {(one["iodepth"], one["block_bytes"], one["rw"]) for one in found} == {(None,) * 3}
    assert {one["series"] for one in found} == {None}


@pytest.mark.parametrize(
    ("bs", "direction", "expected"),
    [("4k", "write", 4096), ("4k,64k", "read", 4096), ("4k,64k", "write", 65536),
     (",64k", "write", 65536), ("4ki", "read", 4000), ("1m", "read", MIB), ("512", "read", 512)],
)  # fmt: skip
def test_a_block_size_is_that_of_the_direction(
    bench: Bench, bs: str, direction: str, expected: int
) -> None:
    assert result(bench, job(rw=direction, options={"bs": bs}))["block_bytes"] == expected


def test_defaults_of_fio_stand_in_for_options_that_were_not_given(bench: Bench) -> None:
    found = result(bench, job(options={"bs": None, "iodepth": None, "ioengine": None}))
    assert (found["block_bytes"], found["iodepth"]) == (4096, 1)


# status


def test_an_error_of_one_job_makes_the_result_a_failed_one(bench: Bench) -> None:
    found = result(bench, job("good"), job("bad", error=28))
    assert found["status"] == "failed"
    assert found["reason"] == "job bad on local ended with error 28"


def test_a_job_that_did_nothing_makes_the_result_incomplete(bench: Bench) -> None:
    found = result(bench, job("good"), job("dead", **transfer(0, 0, 0)))
    assert found["status"] == "incomplete"
    assert "job dead on local moved no bytes" in found["reason"]
    assert found["bandwidth_bps"] == 100 * MIB


def test_a_signal_makes_the_result_an_interrupted_one(bench: Bench) -> None:
    text = "fio: terminating on signal 2\n\n"
    assert result(bench, job(), before=text)["status"] == "interrupted"


def test_a_run_shorter_than_its_time_was_interrupted_even_without_a_word(bench: Bench) -> None:
    found = result(bench, job(seconds=12.0))
    assert found["status"] == "interrupted"
    assert "ran 12.0 s of 60.0 s although time_based is set" in found["reason"]


def test_a_lost_client_shows_against_the_planned_number(bench: Bench) -> None:
    bench.write("a.json", output(job(client="a:1"), job(client="b:1")))
    found = row(loaded(bench.root, clients=(("*", 3),)), "select * from fio_result")
    assert (found["status"], found["clients"]) == ("incomplete", 2)
    assert found["reason"] == "2 of 3 clients reported a result"


def test_planned_clients_may_differ_by_file_name(bench: Bench) -> None:
    bench.write("x_c2.json", output(job(client="a:1"), job(client="b:1")))
    bench.write("x_c3.json", output(job(client="a:1"), job(client="b:1"), run=1))
    bench.write("y.json", output(job(client="a:1"), run=2))
    with (bench.root / "source.toml").open("a") as file:
        file.write('[clients]\n"*_c2.json" = 2\n"*_c3.json" = 3\n')
    found = rows(loaded(bench.root), "select clients_planned from fio_run order by path")
    assert [one["clients_planned"] for one in found] == [2, 3, None]


def test_a_missing_sum_over_all_clients_shows_a_lost_one(bench: Bench) -> None:
    text = output(job(client="a:1"), job(client="b:1"))
    bench.write("a.json", text.replace('"All clients"', '"seqread"'))
    found = row(loaded(bench.root), "select status, reason from fio_result")
    assert found["status"] == "incomplete"
    assert "fio printed no sum over all clients" in found["reason"]


def test_a_file_loaded_again_with_other_contents_takes_the_place(bench: Bench) -> None:
    path = bench.write("a.json", output(job(blocks=10, seconds=1.0)))
    connection = loaded(bench.root)
    path.write_text(output(job()))
    load_more(connection, bench.root)
    found = rows(connection, "select status, bandwidth_bps from fio_result order by run_id")
    assert [one["status"] for one in found] == ["replaced", "complete"]
    assert row(connection, "select count(*) as n from fio_point")["n"] == 1


# series and curves


def sweep(bench: Bench) -> None:
    """1, 2, 4 and 8 jobs: twice linear, then flat at 250 MiB/s."""
    for jobs, blocks in ((1, 6000), (2, 12_000), (4, 15_000), (8, 15_000)):
        made = job(numjobs=jobs, blocks=blocks, options={"size": "1g"})
        bench.write(f"j{jobs}.json", output(made, run=jobs))


def test_files_of_one_sweep_are_one_series_whatever_their_names(bench: Bench) -> None:
    sweep(bench)
    for number, text in enumerate(sorted(bench.root.glob("*.json"))):
        text.rename(bench.root / f"{number}-whatever.out")
    connection = loaded(bench.root)
    found = row(connection, "select * from fio_series")
    assert (found["results"], found["points"], found["jobs"]) == (4, 4, "1 to 8")


def test_the_size_of_a_job_is_part_of_the_job_file(bench: Bench) -> None:
    bench.write("a.json", output(job()))
    bench.write("b.json", output(job(options={"size": "2g"}), run=1))
    bench.write("c.json", output(job(options={"name": "other", "filename": "/x"}), run=2))
    found = rows(loaded(bench.root), "select series from fio_result order by path")
    assert found[0]["series"] == found[2]["series"] != found[1]["series"]


def test_saturation_and_the_end_of_the_linear_part_are_named(bench: Bench) -> None:
    sweep(bench)
    connection = loaded(bench.root)
    found = row(connection, "select * from fio_series")
    assert (found["linear_until_jobs"], found["saturated_from_jobs"]) == (2, 4)
    assert found["verdict"] == "linear up to 2 jobs, saturated from 4 jobs at 262.1 MB/s"
    curve = rows(connection, "select * from fio_curve where axis = 'jobs' order by x")
    assert [one["ideal_bps"] / MIB for one in curve] == [100, 200, 400, 800]
    assert [one["efficiency_pct"] for one in curve] == [100, 100, 62.5, 31.25]


def test_a_curve_that_still_rises_is_not_called_saturated(bench: Bench) -> None:
    for jobs, blocks in ((1, 6000), (2, 12_000), (4, 20_000)):
        said = {"size": "1g"}
        bench.write(f"j{jobs}.json", output(job(numjobs=jobs, blocks=blocks, options=said)))
    found = row(loaded(bench.root), "select * from fio_series")
    assert found["saturated_from_jobs"] is None
    assert found["verdict"] == "linear up to 2 jobs, still rising at 4 jobs"


def test_repetitions_are_one_point_with_their_median(bench: Bench) -> None:
    for run, blocks in enumerate((6000, 6060, 7200)):
        bench.write(f"r{run}.json", output(job(blocks=blocks, options={"size": "1g"}), run=run))
    found = row(loaded(bench.root), "select * from fio_point")
    assert (found["repetitions"], found["bandwidth_bps"]) == (3, 101 * MIB)
    assert (found["bandwidth_low_bps"], found["bandwidth_high_bps"]) == (100 * MIB, 120 * MIB)


def test_a_failed_result_is_no_point(bench: Bench) -> None:
    bench.write("a.json", output(job(error=5)))
    assert row(loaded(bench.root), "select count(*) as n from fio_point")["n"] == 0


# clients


def test_an_uneven_client_is_named(bench: Bench) -> None:
    clients = [job(client=f"10.0.0.{n}:8765", blocks=6000 if n < 4 else 3000) for n in range(1, 5)]
    bench.write("a.json", output(*clients))
    found = rows(loaded(bench.root), "select * from fio_client order by client")
    assert [one["is_straggler"] for one in found] == [False, False, False, True]
    assert found[3]["client"] == "10.0.0.4:8765"
    assert found[3]["deviation_pct"] == -50
    assert found[0]["spread_pct"] == pytest.approx(50 / 87.5 * 100)
    assert found[0]["jain_index"] == pytest.approx(350**2 / (4 * (3 * 100**2 + 50**2)))


def test_even_clients_have_no_straggler(bench: Bench) -> None:
    bench.write("a.json", output(job(client="a:1"), job(client="b:1", blocks=5700)))
    assert not any(one["is_straggler"] for one in rows(loaded(bench.root), "from fio_client"))


# latency


def with_bins(client: str, ios_by_ns: dict[int, int]) -> dict[str, Any]:
    """A client whose latency bins are known."""
    ios = sum(ios_by_ns.values())
    made = job(client=client, blocks=ios)
    mean_ns = sum(ns * number for ns, number in ios_by_ns.items()) / ios
    made["read"]["clat_ns"] = latency(mean_ns, ios) | {
        "percentile": {"50.000000": min(ios_by_ns), "99.000000": max(ios_by_ns)},
        "bins": {str(ns): number for ns, number in ios_by_ns.items()},
    }
    return made


def test_percentiles_of_clients_are_merged_from_their_bins(bench: Bench) -> None:
    fast, slow = {1_000_000: 900, 2_000_000: 100}, {1_000_000: 500, 8_000_000: 500}
    bench.write("a.json", output(with_bins("a:1", fast), with_bins("b:1", slow)))
    sql = "select percentile, value_us, how, jobs_merged from fio_latency where kind = 'clat'"
    found = {one["percentile"]: one for one in rows(loaded(bench.root), sql)}
    assert found[50.0]["value_us"] == 1000
    assert found[90.0]["value_us"] == 8000  # the mean of both clients' 90 % would be 4.5 ms
    assert {one["how"] for one in found.values()} == {"merged"}
    assert found[99.0]["jobs_merged"] == 2


def test_percentiles_of_clients_without_bins_are_a_range(bench: Bench) -> None:
    bench.write("a.json", output(job(client="a:1"), job(client="b:1", blocks=3000)))
    sql = "select * from fio_latency where percentile = 99"
    found = row(loaded(bench.root), sql)
    assert (found["how"], found["value_us"]) == ("range", None)
    assert (found["low_us"], found["high_us"]) == (60_000, 120_000)


def test_bins_of_one_client_alone_are_no_merge_of_all(bench: Bench) -> None:
    bench.write("a.json", output(with_bins("a:1", {1000: 10, 2000: 10}), job(client="b:1")))
    sql = "select distinct how from fio_latency where percentile = 99"
    assert row(loaded(bench.root), sql)["how"] == "range"


# logs


def log_lines(*values: int) -> str:
    """A log of one value a second."""
    return "".join(f"{1000 * (n + 1)}, {value}, 0, 0, 0\n" for n, value in enumerate(values))


def test_a_log_is_linked_by_the_name_in_the_options(bench: Bench) -> None:
    bench.write("a.json", output(job(options={"write_bw_log": "/tmp/x", "write_lat_log": "x"})))
    bench.write("logs/x_bw.1.log", log_lines(100, 200))
    bench.write("logs/x_clat.1.log", log_lines(1_000_000, 3_000_000))
    found = rows(loaded(bench.root), "select * from fio_timeline order by measure, time_s")
    assert [(one["value"], one["unit"]) for one in found] == [
        (102_400, "B/s"), (204_800, "B/s"), (1000, "us"), (3000, "us"),
    ]  # fmt: skip
    assert all(one["fio_run_id"] is not None for one in found)


def test_an_old_fio_wrote_microseconds(bench: Bench) -> None:
    text = output(job(options={"write_lat_log": "x"}), version="fio-2.21")
    bench.write("a.json", text)
    bench.write("x_lat.1.log", "1000, 250, 0, 4096\n2000, 250, 0, 4096\n")
    found = rows(loaded(bench.root), "select value, unit from fio_timeline")
    assert {(one["value"], one["unit"]) for one in found} == {(250, "us")}


def test_the_unit_of_a_latency_log_alone_is_unknown(bench: Bench) -> None:
    bench.write("x_lat.1.log", "1000, 250, 0, 4096\n2000, 250, 0, 4096\n")
    found = rows(loaded(bench.root), "select distinct unit, fio_run_id from fio_timeline")
    assert found == [{"unit": None, "fio_run_id": None}]


def test_a_log_that_two_outputs_name_belongs_to_neither(bench: Bench) -> None:
    for run in (1, 2):
        bench.write(f"{run}.json", output(job(options={"write_bw_log": "x"}), run=run))
    bench.write("x_bw.1.log", log_lines(100, 200))
    assert row(loaded(bench.root), "select fio_run_id from fio_log_link")["fio_run_id"] is None


# sizing


def test_sizing_is_samples_times_bytes_times_accelerators(bench: Bench) -> None:
    bench.say(storage_nodes=2)
    bench.write("a.json", output(job(blocks=60_000, seconds=60.0, options={"size": "1g"})))
    sql = (
        "select * from storage_sizing where workload = 'ResNet-50' and accelerator = 'A100'"
        " order by accelerators"
    )
    found = {one["accelerators"]: one for one in rows(loaded(bench.root), sql)}
    assert found[8]["required_gbps"] == pytest.approx(0.843, abs=0.001)
    assert found[8]["measured_gbps"] == pytest.approx(1000 * MIB / 1e9)
    assert (found[8]["is_reached"], found[8]["storage_nodes"]) == (True, 2)
    assert (found[4]["is_reached"], found[4]["storage_nodes"]) == (True, 1)
    assert found[16]["note"] == "not measured with 2 clients: the curve ends at 1"
    assert (found[16]["is_reached"], found[16]["storage_nodes"]) == (None, None)


def test_a_demand_over_the_curve_is_said_and_not_extrapolated(bench: Bench) -> None:
    bench.say(storage_nodes=1)
    bench.write("a.json", output(job(options={"size": "1g"})))
    sql = "select * from storage_sizing where workload = '3D-UNet' and accelerators = 8"
    found = rows(loaded(bench.root), f"{sql} order by accelerator")
    assert [one["storage_nodes"] for one in found] == [None, None]
    assert found[0]["note"] == (
        "not reached: 0.105 GB/s measured, 15.490 GB/s needed with headroom"
    )
