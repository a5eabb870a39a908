"""All fio outputs of the corpus through the whole warehouse: every file, exact numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from conftest import ROOT
from mlperf_logs import loaded, row, rows

FIO = ROOT.parent / "shared" / "corpus"
PLANNED = (
    ("*_c1_*", 1), ("*_c2_*", 2), ("*_c4_*", 4), ("*_1client_group_missing*", 1),
    ("*_1client*", 1), ("*_2clients*", 2), ("*_4clients*", 4), ("*two_jobs_group*", 2),
)  # fmt: skip
# Complete are what ran to its end, however unfair: the rules say so of those.
BROKEN = {
    "buffered_cached.json": "complete",
    "client_server_cut_mid.json": "incomplete",
    "devfull.json": "failed",
    "enoent_setup.json": "failed",
    "enospc_28_group_reporting.json": "failed",
    "enospc_28_nj2_one_fails.json": "failed",
    "enospc_28_normal.txt": "failed",
    "enospc_28_terse.txt": "failed",
    "enospc_28_to_output.json": "failed",
    "native_fallocate_msg.json": "complete",
    "null_engine.json": "complete",
    "rate_limited.json": "complete",
    "sigint_normal.txt": "interrupted",
    "sigint_partial.json": "interrupted",
    "sigkill_status_interval.json": "interrupted",
    "sigkill_worker_nj2.json": "failed",
    "sigterm_partial.json": "interrupted",
    "size_smaller_than_runtime.json": "complete",
    "status_last_cut.json": "incomplete",
    "stonewall_after_fail.json": "complete failed",
    "stonewall_exitall_on_error.json": "complete failed",
    "terse_v3_cut.txt": "incomplete",
    "verify_fail.json": "failed",
    "zero_runtime.json": "complete",
}


@pytest.fixture(scope="module")
def own() -> Iterator[duckdb.DuckDBPyConnection]:
    """Our own outputs, with the numbers of clients that their names say."""
    if not FIO.is_dir():
        pytest.skip(f"the corpus is not here: {FIO}")
    with loaded(FIO / "own" / "fio", data=ROOT / "data", clients=PLANNED) as connection:
        yield connection


@pytest.fixture(scope="module")
def public() -> Iterator[duckdb.DuckDBPyConnection]:
    """The outputs of others."""
    if not FIO.is_dir():
        pytest.skip(f"the corpus is not here: {FIO}")
    with loaded(FIO / "public" / "fio", data=ROOT / "data") as connection:
        yield connection


def results(connection: duckdb.DuckDBPyConnection, name: str) -> list[dict[str, Any]]:
    """The results of the file whose path ends so."""
    sql = "select * from fio_result where path like '%/' || ? order by group_id, direction"
    return rows(connection, sql, name)


def result(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, Any]:
    """The only result of a file."""
    (only,) = results(connection, name)
    return only


def mb(bandwidth_bps: float) -> float:
    return round(bandwidth_bps / 1e6, 1)


# every file


def test_every_file_has_a_format_and_a_status(own: duckdb.DuckDBPyConnection) -> None:
    sql = "select format, status, count(*) as n from source where format is not null group by all"
    found = {(one["format"], one["status"]): one["n"] for one in rows(own, sql)}
    assert found == {
        ("fio_hist_log", "complete"): 2,
        ("fio_json", "aborted"): 2,
        ("fio_json", "complete"): 238,
        ("fio_json", "truncated"): 4,
        ("fio_log", "complete"): 209,
        ("fio_log", "unreadable"): 1,  # five empty logs of the same bytes
        ("fio_message", "unreadable"): 36,
        ("fio_normal", "aborted"): 1,
        ("fio_normal", "complete"): 31,
        ("fio_terse", "complete"): 35,
        ("fio_terse", "truncated"): 1,
    }


def test_only_job_files_and_descriptions_are_no_output(own: duckdb.DuckDBPyConnection) -> None:
    sql = "select regexp_extract(path, '[^/]*$') as name from source where format is null"
    names = {one["name"] for one in rows(own, sql)}
    others = {name for name in names if not name.endswith(".fio")}
    assert others == {"INDEX.md", "index.json", "sigkill_parent.json"}


def test_public_files_by_status(public: duckdb.DuckDBPyConnection) -> None:
    sql = "select format, status, count(*) as n from source where format is not null group by all"
    found = {(one["format"], one["status"]): one["n"] for one in rows(public, sql)}
    assert found == {
        ("fio_json", "complete"): 11,
        ("fio_json", "truncated"): 1,
        ("fio_log", "complete"): 1,
        ("fio_message", "unreadable"): 3,
        ("fio_normal", "complete"): 1,
        ("fio_normal", "truncated"): 4,
    }


# the printed numbers follow from bytes, operations and run time


@pytest.mark.parametrize(
    ("measured", "printed", "slack", "checks"),
    [
        ("bandwidth_bps", "printed_bandwidth_bps", 2048, 417),
        ("ios * 1000 / nullif(runtime_ms, 0)", "printed_iops", 1, 406),
    ],
)
def test_printed_rates_are_bytes_and_operations_over_run_time(
    own: duckdb.DuckDBPyConnection, measured: str, printed: str, slack: int, checks: int
) -> None:
    sql = (
        f"select count(*) as n, count(*) filter (abs({measured} - {printed})"
        f" > greatest({printed} / 100, {slack})) as wrong"
        f" from fio_job_result join fio_run r using (run_id) where {measured} > 0 and {printed} > 0"
        " and r.form = 'json'"
    )
    assert row(own, sql) == {"n": checks, "wrong": 0}


# the capped servers


def test_system_a_is_linear_and_then_flat(own: duckdb.DuckDBPyConnection) -> None:
    found = {
        (c, j): mb(result(own, f"nas/sysA_read1m_c{c}_j{j}.json")["bandwidth_bps"])
        for c in (1, 2, 4)
        for j in (1, 2, 4, 8)
    }
    assert found == {
        (1, 1): 31.8, (1, 2): 63.4, (1, 4): 127.0, (1, 8): 253.1,
        (2, 1): 63.6, (2, 2): 127.0, (2, 4): 251.7, (2, 8): 301.2,
        (4, 1): 126.7, (4, 2): 253.5, (4, 4): 302.5, (4, 8): 300.9,
    }  # fmt: skip


def test_system_b_is_flat_at_its_lower_cap(own: duckdb.DuckDBPyConnection) -> None:
    found = [
        mb(result(own, f"nas/sysB_read1m_c4_j{j}.json")["bandwidth_bps"]) for j in (1, 2, 4, 8)
    ]
    assert found == [127.0, 202.0, 204.1, 202.3]


def test_depth_adds_latency_and_no_operations(own: duckdb.DuckDBPyConnection) -> None:
    found = [result(own, f"nas/sysA_randread16k_c4_qd{d}.json") for d in (1, 2, 4, 8, 16, 32)]
    assert [round(one["iops"]) for one in found] == [5927, 5998, 6012, 6025, 6049, 6070]
    assert [round(one["lat_mean_us"] / 1000, 2) for one in found] == [
        0.66,
        1.34,
        2.7,
        5.41,
        10.8,
        21.49,
    ]


def test_the_straggler_is_named(own: duckdb.DuckDBPyConnection) -> None:
    sql = "select * from fio_client where path like '%straggler.json' and is_straggler"
    found = row(own, sql)
    assert (found["client"], mb(found["bandwidth_bps"])) == ("127.0.0.3:8765", 40.0)
    assert round(found["deviation_pct"], 1) == -47.7


# groups, clients, losses


def test_two_groups_are_never_added(own: duckdb.DuckDBPyConnection) -> None:
    found = results(own, "client_server/v333_two_jobs_group.json")
    assert [mb(one["bandwidth_bps"]) for one in found] == [536.5, 122.0]
    most = row(own, "select max(bandwidth_bps) as b from fio_result where path like '%two_jobs%'")
    assert most["b"] < 600e6


@pytest.mark.parametrize("name", sorted(
    path.name for path in (FIO / "own" / "fio" / "client_server_partial").glob("*.json")
    if path.stat().st_size
))  # fmt: skip
def test_no_result_with_a_lost_client_is_complete(
    own: duckdb.DuckDBPyConnection, name: str
) -> None:
    found = results(own, f"client_server_partial/{name}")
    assert found
    assert all(one["status"] in ("incomplete", "failed") for one in found)


def test_a_mixed_group_keeps_its_numbers_but_not_its_options(
    own: duckdb.DuckDBPyConnection,
) -> None:
    found = results(own, "formats/json_job_and_group_mix.json")
    assert [(one["direction"], mb(one["bandwidth_bps"])) for one in found] == [
        ("read", 45.6), ("write", 96.0),
    ]  # fmt: skip
    assert {(one["rw"], one["iodepth"], one["block_bytes"]) for one in found} == {
        (None, None, None)
    }


def test_every_status_other_than_complete_has_a_reason(own: duckdb.DuckDBPyConnection) -> None:
    sql = "select count(*) as n from fio_result where (status = 'complete') <> (reason is null)"
    assert row(own, sql)["n"] == 0


def test_broken_outputs_are_no_plain_good_numbers(own: duckdb.DuckDBPyConnection) -> None:
    sql = (
        "select regexp_extract(path, '[^/]*$') as name, string_agg(distinct status, ' ' order by"
        " status) as status from fio_result where path like '%/broken/%' or path like '%/cut/%'"
        " group by all"
    )
    assert {one["name"]: one["status"] for one in rows(own, sql)} == BROKEN


# one run in several forms


@pytest.mark.parametrize("version", ["2_1_3", "2_2_10", "2_21", "3_1", "3_16", "3_28", "3_42"])
def test_units_of_every_version_give_plausible_latencies(
    own: duckdb.DuckDBPyConnection, version: str
) -> None:
    found = result(own, f"versions/v{version}_json_nj2.json")
    # Little's law: operations under way = rate times latency, whatever the unit of the version
    under_way = found["iops"] * found["lat_mean_us"] / 1e6
    assert under_way == pytest.approx(8, rel=0.1)


def test_bins_give_the_logged_percentiles(own: duckdb.DuckDBPyConnection) -> None:
    sql = """
        with below as (
            select *, sum(ios) over w as below, sum(ios) over (partition by run_id, kind) as total
            from fio_lat_bin window w as (partition by run_id, kind order by value_ns)
        ), computed as (
            select b.run_id, b.kind, p.percentile, min(b.value_ns) as ours,
                any_value(p.value_ns) as fios
            from below b
            join fio_lat_percentile p using (run_id, kind)
            where b.below >= p.percentile / 100 * b.total
            group by all
        )
        select count(*) as n, count(*) filter (ours = fios) as same from computed
    """
    assert row(own, sql) == {"n": 153, "same": 153}


# logs


def test_every_log_finds_its_run(own: duckdb.DuckDBPyConnection) -> None:
    sql = (
        "select count(*) as n, count(fio_run_id) as linked, count(is_ns) as with_unit"
        " from fio_log_link"
    )
    assert row(own, sql) == {"n": 211, "linked": 211, "with_unit": 211}


def test_a_bandwidth_log_adds_up_to_the_result(own: duckdb.DuckDBPyConnection) -> None:
    sql = (
        "select avg(value) as bps from fio_timeline where measure = 'bw'"
        " and path like '%/avg100_nj2/%' group by path"
    )
    sum_bps = sum(one["bps"] for one in rows(own, sql))
    assert sum_bps == pytest.approx(result(own, "logs/avg100_nj2.json")["bandwidth_bps"], rel=0.05)
