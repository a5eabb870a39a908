"""All nccl-tests outputs of the corpus through the whole warehouse: every file, exact numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT
from mlperf_logs import loaded, row, rows
from nccl_outputs import capture

CORPUS = ROOT.parent / "shared" / "corpus"
PARTS = ("own", "public")
# What INDEX.md says in words: rows of a test that splits them itself, fragments, a documentation
# page that lost its line ends, a row with a word among its numbers. It says nothing of JSON, and 1
# of the line that holds two sizes (i28).
SAID = {
    "rows split over lines": 1, "0 (device list only)": 0, "0 (fragments)": 0, "4 (+1 orphan)": 4,
    "0 or 1 with warning": 1, "0–1 + warning": 0,
}  # fmt: skip
JSON_ROWS = {"s27": 2, "s29": 0, "s31": 2, "s32": 2, "i28": 2}
JSON_PEAKS = {"s27": 104.918581, "s31": 104.918581, "s32": 112.412766, "i28": 20.628529}

# One word for each run of a file. A success may still be wrong: the rules say so.
STATUSES = {
    "own": {
        "s01": "success", "s03": "success", "s04": "success", "s06": "success", "s07": "success",
        "s08": "success", "s10": "success", "s11": "success", "s13": "success", "s14": "success",
        "s15": "success", "s16": "success", "s18": "success", "s19": "success",
        "s21": "unfinished", "s22": "success success", "s23": "unfinished", "s25": "success",
        "s26": "unfinished", "s27": "success", "s29": "unfinished", "s31": "success",
        "s32": "success", "s33": "success",
    },
    "public": {
        "i02": "unfinished", "i03": "unfinished", "i04": "success", "i06": "unfinished",
        "i07": "unfinished", "i09": "failed", "i10": "failed", "i11": "unfinished",
        "i13": "unfinished", "i14": "unfinished", "i15": "unfinished", "i16": "unfinished",
        "i18": "success", "i21": "success", "i22": "unfinished", "i23": "unfinished",
        "i25": "unfinished", "i26": "unfinished", "i27": "unfinished", "i28": "unfinished",
        "i32": "success", "i34": "success", "i35": "unfinished", "i37": "unfinished",
        "i39": "success", "i40": "unfinished", "i41": "failed", "i43": "success", "i44": "failed",
        "r01": "success", "r02": "success", "r03": "success", "r04": "success", "r06": "success",
        "r07": "unfinished", "r08": "unfinished", "r09": "success", "r10": "success",
        "r11": "success", "r13": "success", "r14": "success", "r15": "unfinished",
        "r16": "success", "r18": "success", "r19a": "success", "r19b": "success",
        "r21": "success", "r22": "success", "r23": "success", "r25": "unfinished",
    },
}  # fmt: skip

# What each rule has to find, and why. Every other rule has to find nothing.
FINDINGS = {
    "own": {
        # their printed averages were invented
        "nccl_average": ["s14", "s25", "s27", "s31"],
        "nccl_incomplete": ["s21", "s23", "s26", "s29"],
        "nccl_lost_rows": ["s21", "s29"],
        "nccl_one_rank": ["s13"],
        "nccl_sizes_reached": ["s14", "s21", "s33"],
        "nccl_unchecked_results": ["s11"],
        # no size is over 16 MiB: nothing that is published is held against them
        "nccl_under_reference": [],
    },
    "public": {
        # rows were left out when they were published, without a sign
        "nccl_average": ["i21", "i32", "i43"],
        "nccl_failure": ["i09", "i10", "i41", "i44"],
        # device lines were left out of i21, i25 when they were published; r16: 96 against 64
        "nccl_implied_ranks": ["i21", "i25", "r16"],
        "nccl_incomplete": [
            "i02", "i03", "i06", "i07", "i11", "i13", "i14", "i15", "i16", "i22", "i23", "i25",
            "i26", "i27", "i28", "i35", "i37", "i40", "r07", "r08", "r15", "r25",
        ],
        # systems that nobody names are not one system
        "nccl_like_for_like": [],
        "nccl_lost_rows": ["i02", "i18", "r15", "r25"],
        # bus bandwidths of 0; i21 lists one device, and its bandwidths are those of two
        "nccl_one_rank": ["i03", "i04"],
        # 8 MiB out of place; the first size of a table has no neighbour on its other side
        "nccl_outliers": ["i32"],
        "nccl_over_link": ["i39"],
        "nccl_sizes_reached": ["i11", "i14", "i25", "i26"],
        "nccl_unchecked_results": ["i11", "i14", "r01", "r02", "r03", "r04", "r06", "r13"],
        "nccl_under_reference": ["r21"],  # the wrong network plugin
        "nccl_without_mpi": ["i06", "i07"],
        "unread_logs": ["i29", "i30"],  # of other benchmarks
    },
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A line of INDEX.md: what a careful reader finds in a file."""

    part: str
    name: str
    rows: int
    peak_busbw_gbps: float | None


def entries() -> list[Entry]:
    """Every file of both folders that is an output of nccl-tests."""
    found = []
    for part in PARTS:
        index = CORPUS / part / "nccl" / "INDEX.md"
        for line in index.read_text().splitlines() if index.is_file() else ():
            cells = [cell.strip() for cell in line.split("|")]
            if cells[1:] and cells[1].endswith((".txt", ".json")) and cells[4] != "refuse":
                found.append(entry(part, cells[1], cells[4], cells[5]))
    return found


def entry(part: str, name: str, said: str, peak: str) -> Entry:
    """One of them, from its cells."""
    short = name.partition("_")[0]
    number = JSON_ROWS.get(short, SAID.get(said))
    count = int(said) if number is None else number
    return Entry(part, name, count, float(peak) if peak else JSON_PEAKS.get(short))


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    """Both folders, as a user would load them without saying anything about them."""
    if not all((CORPUS / part / "nccl").is_dir() for part in PARTS):
        pytest.skip(f"the corpus is not here: {CORPUS}")
    opened = {part: loaded(CORPUS / part / "nccl", data=ROOT / "data") for part in PARTS}
    yield opened
    for connection in opened.values():
        connection.close()


Databases = dict[str, duckdb.DuckDBPyConnection]
SHORT = "regexp_extract(path, '([a-z0-9]+)_[^/]*$', 1)"


# every file


@pytest.mark.parametrize("known", entries(), ids=lambda known: known.name[:30])
def test_rows_and_peak_are_those_of_the_index(databases: Databases, known: Entry) -> None:
    connection = databases[known.part]
    of_file = "where path like '%/' || ?"
    runs = rows(connection, f"select rows, run_id from nccl_run {of_file}", known.name)
    assert sum(run["rows"] for run in runs) == known.rows
    columns = "run, ordinal, placement, busbw_gbps"
    points = rows(connection, f"select {columns} from nccl_point {of_file}", known.name)
    assert len({(point["run"], point["ordinal"]) for point in points}) == known.rows
    if known.peak_busbw_gbps is None:
        return
    shown = [point for point in points if point["placement"] == "out_of_place"] or points
    assert max(point["busbw_gbps"] for point in shown) == known.peak_busbw_gbps
    peak = f"select max(peak_busbw_gbps) as peak from nccl_run {of_file}"
    assert row(connection, peak, known.name) == {"peak": known.peak_busbw_gbps}


@pytest.mark.parametrize("part", PARTS)
def test_status_of_every_file(databases: Databases, part: str) -> None:
    sql = f"select {SHORT} as name, string_agg(status, ' ' order by run_id) as status from nccl_run"
    found = rows(databases[part], sql + " where path not like '%.md' group by name")
    assert {each["name"]: each["status"] for each in found} == STATUSES[part]


@pytest.mark.parametrize("part", PARTS)
def test_what_the_views_have_to_have(databases: Databases, part: str) -> None:
    """The columns that everything else is built on, filled as far as an output says them."""
    run = "path, system, collective, ranks, nodes, nccl_version, status, rows, problems"
    point = "path, run, size_bytes, placement, type, redop, time_us, algbw_gbps, busbw_gbps, wrong"
    runs = rows(databases[part], f"select {run} from nccl_run")
    points = rows(databases[part], f"select {point} from nccl_point")
    assert {each["system"] for each in runs} == {"unassigned"}
    assert all(each[name] is not None for each in runs for name in ("status", "rows", "problems"))
    assert {each["placement"] for each in points} == {"out_of_place", "in_place"}
    assert all(each["time_us"] is not None and each["type"] for each in points)
    assert {each["run"] for each in points} == ({1, 2} if part == "own" else {1})


@pytest.mark.parametrize("part", PARTS)
def test_every_file_without_a_row_says_why(databases: Databases, part: str) -> None:
    sql = "select path from nccl_run where rows = 0 and problems = 0"
    assert rows(databases[part], sql) == []


@pytest.mark.parametrize("part", PARTS)
def test_an_index_is_no_output(databases: Databases, part: str) -> None:
    """Its sentences hold words of nccl-tests."""
    sql = "select format from source where path like '%INDEX.md'"
    assert row(databases[part], sql) == {"format": None}


# what the rules find


def subjects(connection: duckdb.DuckDBPyConnection, rule: str) -> list[str]:
    """The files of a rule's findings, one for each finding."""
    sql = f"select {SHORT} as name from finding where rule = ? and path not like '%.md' order by 1"
    return [each["name"] for each in rows(connection, sql, rule)]


@pytest.mark.parametrize(
    ("part", "rule"), [(part, rule) for part in PARTS for rule in FINDINGS[part]]
)
def test_findings_of_a_rule(databases: Databases, part: str, rule: str) -> None:
    assert subjects(databases[part], rule) == FINDINGS[part][rule]


@pytest.mark.parametrize("part", PARTS)
def test_no_other_rule_finds_anything(databases: Databases, part: str) -> None:
    sql = "select distinct rule from finding where path not like '%.md'"
    assert {each["rule"] for each in rows(databases[part], sql)} <= set(FINDINGS[part])


@pytest.mark.parametrize("part", PARTS)
def test_every_finding_has_a_message_and_a_line_of_its_file(
    databases: Databases, part: str
) -> None:
    for finding in rows(databases[part], "select rule, path, line, message from finding"):
        assert finding["message"], finding
        lines = Path(finding["path"]).read_bytes().count(b"\n") + 1
        assert 1 <= finding["line"] <= lines, finding


def test_a_size_that_falls_out_of_its_curve(databases: Databases) -> None:
    sql = "select message, line, value from finding where rule = 'nccl_outliers' and path like ?"
    assert rows(databases["public"], sql, "%/i32_%") == [{
        "message": "8388608 B out of place: 12.98 GB/s between 40.52 and 87.36",
        "line": 11, "value": "12.98",
    }]  # fmt: skip


def test_the_wrong_network_plugin(databases: Databases) -> None:
    """6.02 GB/s where 122.57 GB/s are published, and the run ended well."""
    sql = "select share_pct, reference_busbw_gbps, r.peak_size_bytes, r.status"
    sql += " from nccl_reference join nccl_run r using (run_id) where r.path like '%/r21_%'"
    found = row(databases["public"], sql)
    assert round(found["share_pct"], 1) == 4.9
    assert (found["reference_busbw_gbps"], found["peak_size_bytes"]) == (122.57, 8 << 20)
    assert found["status"] == "success"


# inconsistencies that were published


def test_a_ratio_of_96_ranks_is_told(databases: Databases) -> None:
    """Published as of 64 devices, naming no test: only all_reduce has a factor over 1."""
    sql = "select ranks_implied, ranks from nccl_run where path like '%/r16_%'"
    assert row(databases["public"], sql) == {"ranks_implied": 96, "ranks": 96}


def loaded_as_all_reduce(folder: Path, text: str) -> dict[str, Any]:
    """The run of a text in a file whose name tells the test, with the findings of one rule."""
    (folder / "all_reduce.log").write_text(text, encoding="utf-8")
    connection = loaded(folder, data=ROOT / "data", system="Acme")
    run = row(connection, "select ranks_listed, ranks_implied from nccl_run")
    sql = "select severity, message from finding where rule = 'nccl_implied_ranks'"
    return {**run, "findings": [tuple(each.values()) for each in rows(connection, sql)]}


def test_96_ranks_against_64_devices(tmp_path: Path) -> None:
    """The same table under the list of the 64 devices that it is published for."""
    path = CORPUS / "public" / "nccl" / "r16_coreweave_h100_64gpu_kubectl.txt"
    if not path.is_file():
        pytest.skip(f"the corpus is not here: {path}")
    text = path.read_text(encoding="utf-8")
    hosts = tuple(f"node{number}" for number in range(8))
    listed = capture(ranks=64, hosts=hosts, device="NVIDIA H100 80GB HBM3").splitlines()
    devices = "\n".join(line for line in listed if line.startswith("#  Rank"))
    found = loaded_as_all_reduce(tmp_path, text.replace("...\n", devices + "\n", 1))
    assert found == {
        "ranks_listed": 64,
        "ranks_implied": 96,
        "findings": [("error", "the bandwidths imply 96 ranks, 64 are listed")],
    }


def test_a_bus_bandwidth_under_its_algorithm_bandwidth(tmp_path: Path) -> None:
    """A published all_reduce of many ranks has 0.997 of its algorithm bandwidth: impossible."""
    hosts = tuple(f"node{number}" for number in range(16))
    found = loaded_as_all_reduce(tmp_path, capture(ranks=128, hosts=hosts, factor=0.997))
    assert found["ranks_listed"] == 128
    words = "bus over algorithm bandwidth is 0.997, 128 ranks give 1.984"
    assert found["findings"] == [("error", words)]
