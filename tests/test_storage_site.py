"""Storage pages: figures, tables and links, with the numbers of the bundled fio runs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from reports import catalogue, curves, numbers, storage_charts, tables
from reports.blocks import Page, Source
from reports.link_check import broken_links
from reports.links import Links
from reports.pages import build, storage_series, storage_system
from reports.rendering import specification, still
from warehouse.database import writing
from warehouse.load import load
from warehouse.refresh import refresh

ROOT = Path(__file__).parent.parent
RAW = ROOT / "data" / "raw"
COLLECTIONS = ("nas_a", "nas_a_6000_iops", "nas_b", "vm_disk")
HOSTILE = '<script>alert(1)</script> & "x" [y](z) `**w**`'
READ = {"collection": "nas_a", "system": "NAS A", "series": "read-e418bc", "direction": "read"}
RANDOM = READ | {"series": "randread-ccfe88"}
UNEVEN = READ | {"series": "read-40bd55"}
DEPTHS = RANDOM | {"collection": "nas_a_6000_iops", "system": "NAS A, 6000 IOPS"}
DISK = {
    "collection": "vm_disk",
    "system": "VM disk",
    "series": "randread-aa36fd",
    "direction": "read",
}
PLACED = {
    "storage_curves": READ,
    "storage_throughput_jobs": READ,
    "storage_throughput_clients": READ,
    "storage_depth": DEPTHS,
    "storage_latency_curve": DEPTHS,
    "storage_block_size": RANDOM,
    "storage_percentiles": READ,
    "storage_balance": UNEVEN,
    "storage_timeline": DISK,
    "storage_compare": READ,
    "storage_comparison": READ,
}


def database(path: Path, *sources: Path, **said: Any) -> Path:
    with writing(path) as connection:
        load(connection, [str(source) for source in sources], said or None)
        refresh(connection, ROOT / "data")
    return path


def source_of(path: Path, folder: Path) -> Source:
    return Source.of(duckdb.connect(str(path), read_only=True), folder)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the bundled fio runs."""
    folder = tmp_path_factory.mktemp("storage")
    return database(folder / "a.duckdb", *(RAW / name for name in COLLECTIONS))


@pytest.fixture(scope="module")
def source(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    return source_of(bundled, tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def site(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("build")
    return build(bundled, out, ROOT / "site", ROOT / "mkdocs.yml")


def figure(source: Source, name: str, parameters: dict[str, str]) -> pl.DataFrame:
    return source.frame(catalogue.figures()[name].view, parameters, name)


def listing(source: Source, name: str, **parameters: str) -> pl.DataFrame:
    return source.frame(catalogue.listings()[name].view, parameters, name)


def megabytes(frame: pl.DataFrame, column: str = "bandwidth_bps") -> list[float]:
    return [round(value / 1e6, 1) for value in frame[column].to_list()]


def alternative(source: Source, name: str) -> str:
    return catalogue.figures()[name].alt_text(figure(source, name, PLACED[name]))


# How numbers are written


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (numbers.binary_size(4096), "4 KiB"),
        (numbers.binary_size(1048576.0), "1 MiB"),
        (numbers.binary_size(1536), "1,536 B"),
        (numbers.binary_size(None), "–"),
        (numbers.three_digits(0.6638), "0.66"),
        (numbers.three_digits(31.764), "31.8"),
        (numbers.three_digits(1016.46), "1,016"),
        (numbers.three_digits(None), "–"),
        (numbers.latency(66.048), "66.0 µs"),
        (numbers.latency(217607.6), "218 ms"),
        (numbers.latency(None), "–"),
    ],
)
def test_sizes_rates_and_latencies(made: str, wanted: str) -> None:
    assert made == wanted


def test_tables_show_bandwidth_in_decimal_megabytes_and_latency_in_ms() -> None:
    row = {
        "bandwidth_bps": 302538852.0,
        "lat_mean_us": 663.848,
        "block_bytes": "4096 to 1048576",
        "iops": 5926.97,
        "required_gbps": 1.61353,
        "peak_iops": None,
    }
    assert [tables.cell_text(name, row) for name in row] == [
        "302.5",
        "0.664",
        "4 KiB to 1 MiB",
        "5,927",
        "1.614",
        "–",
    ]
    assert [tables.heading(name) for name in row] == [
        "Bandwidth (MB/s)",
        "Lat mean (ms)",
        "Block size",
        "IOPS",
        "Required (GB/s)",
        "Peak (I/O/s)",
    ]


def test_bandwidth_is_in_gb_from_ten_on() -> None:
    slow, fast = pl.DataFrame({"b": [9.9e9]}), pl.DataFrame({"b": [1e6, 4.2e10]})
    assert storage_charts.in_bandwidth_unit(slow, shown="b")[1] == "MB/s"
    frame, unit = storage_charts.in_bandwidth_unit(fast, shown="b")
    assert (unit, frame["shown"].to_list()) == ("GB/s", [0.001, 42.0])


def test_labels_of_equal_values_are_moved_apart() -> None:
    places = curves.spaced([300.0, 301.0, 50.0], [10, 1000], share=0.05)
    assert places[2] == pytest.approx(50)
    assert places[0] == pytest.approx(300)
    assert places[1] == pytest.approx(300 * 100**0.05)


def test_an_axis_has_round_steps_whatever_its_length() -> None:
    assert curves.round_steps([29, 1100]) == [50, 100, 200, 500, 1000]
    assert curves.round_steps([70, 150]) == [70, 80, 90, 100, 150]
    assert curves.round_steps([0.5, 5e4]) == [1, 10, 100, 1000, 10000]


# Figures


def test_bandwidth_by_jobs_is_linear_until_8_and_saturated_from_16(source: Source) -> None:
    frame = figure(source, "storage_throughput_jobs", READ)
    lines = frame.unique(subset="jobs", maintain_order=True)
    assert lines["jobs"].to_list() == [1, 2, 4, 8, 16, 32]
    assert megabytes(lines, "line_bps") == [31.8, 63.6, 127.0, 253.5, 302.5, 300.9]
    assert megabytes(lines, "ideal_bps") == [31.8, 63.5, 127.1, 254.1, 508.2, 1016.5]
    assert set(frame["linear_until"]) == {8}
    assert set(frame["saturated_from"]) == {16}
    assert frame.height == 12
    assert frame.filter(pl.col("jobs") == 16)["clients"].to_list() == [2, 4]
    assert frame["evidence"][0] == str(RAW / "nas_a" / "sysA_read1m_c1_j1.json:30")


def test_the_saturation_point_is_named_with_its_value(source: Source) -> None:
    frame = figure(source, "storage_throughput_jobs", READ)
    spec = json.dumps(catalogue.figures()["storage_throughput_jobs"].chart(frame).to_dict())
    assert "saturated from\\n16 jobs: 303 MB/s" in spec
    text = alternative(source, "storage_throughput_jobs")
    assert "8 jobs 254, 16 jobs 303, 32 jobs 301 MB/s" in text
    assert "linear up to 8 jobs; saturated from 16 jobs" in text


def test_a_line_for_each_number_of_jobs_per_client(source: Source) -> None:
    frame = figure(source, "storage_throughput_clients", READ)
    lines = frame["line"].unique(maintain_order=True).to_list()
    assert lines == [
        f"{n} job{'s' if n > 1 else ''} per client, depth 2, 1 MiB" for n in (1, 2, 4, 8)
    ]
    four = frame.filter(pl.col("line") == lines[2])
    assert four["clients"].to_list() == [1, 2, 4]
    assert megabytes(four) == [127.0, 251.7, 302.5]


def test_latency_grows_with_depth_while_operations_do_not(source: Source) -> None:
    frame = figure(source, "storage_depth", DEPTHS)
    assert frame["iodepth"].to_list() == [1, 2, 4, 8, 16, 32]
    assert frame["iops"].round(0).to_list() == [5927, 5998, 6012, 6025, 6049, 6070]
    assert (frame["lat_mean_us"] / 1e3).round(2).to_list() == [0.66, 1.34, 2.70, 5.41, 10.80, 21.49]
    chart = catalogue.figures()["storage_depth"].chart(frame).to_dict()
    assert len(chart["vconcat"]) == 2
    assert chart["resolve"]["scale"]["x"] == "shared"
    assert "depth 32, 6,070 operations per s at 21.5 ms" in alternative(
        source, "storage_latency_curve"
    )


def test_bandwidth_by_block_size(source: Source) -> None:
    frame = figure(source, "storage_block_size", RANDOM)
    assert [numbers.binary_size(size) for size in frame["block_bytes"]] == [
        "4 KiB",
        "16 KiB",
        "64 KiB",
        "256 KiB",
        "1 MiB",
    ]
    assert megabytes(frame) == [103.3, 253.4, 297.3, 297.8, 304.6]


def test_percentiles_of_several_clients_are_a_range_and_of_one_a_point(source: Source) -> None:
    frame = figure(source, "storage_percentiles", READ)
    assert frame["percentile"].unique(maintain_order=True).to_list() == [
        50,
        90,
        95,
        99,
        99.9,
        99.99,
    ]
    assert frame["jobs"].unique(maintain_order=True).to_list() == [1, 2, 4, 8, 16, 32]
    one = frame.filter(pl.col("clients") == 1)
    assert set(one["how"]) == {"as logged"}
    assert one["value_us"].null_count() == 0
    sixteen = frame.filter((pl.col("jobs") == 16) & (pl.col("percentile") == 50)).row(0, named=True)
    assert sixteen["how"] == "range of the clients"
    assert sixteen["value_us"] is None
    assert (sixteen["low_us"], sixteen["high_us"]) == (101187.584, 104333.312)
    assert "p50 101 ms to 104 ms" in alternative(source, "storage_percentiles")


def test_the_straggler_is_named(source: Source) -> None:
    frame = figure(source, "storage_balance", UNEVEN)
    assert frame["client"].to_list() == [f"127.0.0.{n}:8765" for n in (1, 2, 3, 4)]
    assert megabytes(frame) == [76.7, 76.7, 40.0, 76.2]
    slow = frame.filter(pl.col("is_straggler"))
    assert slow["client"].to_list() == ["127.0.0.3:8765"]
    assert slow["deviation_pct"][0] == pytest.approx(-47.67, abs=0.01)
    assert megabytes(frame.head(1), "median_bps") == [76.4]
    assert "127.0.0.3:8765 40.0 straggler, -47.7 %" in alternative(source, "storage_balance")


def test_bandwidth_in_time_is_the_sum_of_the_jobs(source: Source) -> None:
    frame = figure(source, "storage_timeline", DISK)
    rates = frame.filter(pl.col("measure") == "bw")
    # the first lines of the two logs, in KiB/s
    first = [
        int((RAW / "vm_disk" / "avg100_nj2" / f"avg100_bw.{job}.log").read_text().split(",")[1])
        for job in (1, 2)
    ]
    assert rates["value_total"][0] == sum(first) * 1024
    assert rates["logs"].to_list() == [2] * 20
    assert rates["time_s"][-1] == pytest.approx(2.06)
    waits = frame.filter(pl.col("measure") == "lat")
    assert waits["value_total"].null_count() == waits.height == 21
    assert (waits["value_low"][0], waits["value_high"][0]) == (405.809, 442.077)
    assert set(frame["measure"]) == {"bw", "lat"}


def test_one_job_file_on_two_systems_names_the_fio_versions(source: Source) -> None:
    frame = figure(source, "storage_compare", READ)
    last = frame.filter(pl.col("is_last")).to_dicts()
    assert [(row["storage_system"], row["versions"]) for row in last] == [
        ("NAS A", "fio-3.42"),
        ("NAS B", "fio-3.33"),
    ]
    assert [row["saturated_from"] for row in last] == [16, 8]
    assert figure(source, "storage_compare", UNEVEN).is_empty()
    assert figure(source, "storage_comparison", {}).equals(frame)
    text = alternative(source, "storage_compare")
    assert "NAS B, fio-3.33: 1 job 31.8, 2 jobs 63.6, 4 jobs 127, 8 jobs 202" in text


@pytest.mark.parametrize("name", PLACED)
def test_every_figure_is_drawn_in_both_schemes(source: Source, name: str) -> None:
    found = catalogue.figures()[name]
    frame = figure(source, name, PLACED[name])
    spec = specification(found, frame)
    assert len(spec["description"]) > 40
    assert not re.search(r'"#[0-9a-f]{3,6}"', json.dumps(spec), re.I), "a colour of its own"
    light, dark = still(spec, "light"), still(spec, "dark")
    assert light.svg != dark.svg
    assert light.width > 500
    assert light.height > 80


def test_every_storage_figure_is_tested_here() -> None:
    assert PLACED.keys() == {name for name in catalogue.figures() if name.startswith("storage_")}


# Tables


def test_sizing_says_what_is_reached_and_what_is_not(source: Source) -> None:
    frame = listing(source, "storage_system_sizing", collection="nas_a", system="NAS A")
    rows = {(r["workload"], r["accelerator"], r["accelerators"]): r for r in frame.to_dicts()}
    assert len(rows) == 6 * 7
    small = rows["ResNet-50", "A100", 1]
    assert small["required_gbps"] == pytest.approx(919.54 * 114660.07 / 1e9)
    assert small["measured_gbps"] == pytest.approx(0.253081, abs=1e-6)
    assert (small["note"], small["storage_nodes"]) == ("reached", 1)
    two = rows["ResNet-50", "A100", 2]
    assert two["note"] == "reached"
    three = rows["ResNet-50", "A100", 4]
    assert three["note"].startswith("not shown: the run was held to a rate, 0.253 GB/s; 0.506")
    assert three["storage_nodes"] is None
    many = rows["3D-UNet", "H100", 64]
    assert many["required_gbps"] == pytest.approx(21.6718 * 146600628 * 64 / 1e9)
    assert many["note"] == "not measured with 8 clients: the curve ends at 4"
    assert (many["measured_gbps"], many["storage_nodes"]) == (None, None)


def test_the_demand_of_one_accelerator(source: Source) -> None:
    frame = listing(source, "storage_demand")
    assert frame.height == 6
    unet = frame.filter((pl.col("workload") == "3D-UNet") & (pl.col("accelerator") == "A100"))
    assert unet["required_gbps"][0] == pytest.approx(11.0063 * 146600628 / 1e9)


def test_series_come_with_their_verdict(source: Source) -> None:
    frame = listing(source, "storage_series", collection="nas_a", system="NAS A")
    assert frame["series"].to_list() == ["read-e418bc", "randread-ccfe88", "read-40bd55"]
    assert frame["verdict"][0] == "linear up to 8 jobs, saturated from 16 jobs at 302.5 MB/s"


def test_results_and_clients_say_their_place(source: Source) -> None:
    results = listing(source, "storage_series_results", **READ)
    assert results.height == 12
    assert all(re.search(r"\.json:\d+$", text) for text in results["evidence"])
    clients = listing(source, "storage_series_clients", **UNEVEN)
    assert clients.filter(pl.col("mark") == "straggler")["client"].to_list() == ["127.0.0.3:8765"]


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Two results of one system whose name is hostile, one with a job that failed."""
    folder = tmp_path_factory.mktemp("failed")
    good = (RAW / "nas_b" / "sysB_read1m_c1_j1.json").read_text(encoding="utf-8")
    (folder / "good.json").write_text(good, encoding="utf-8")
    bad = (RAW / "nas_b" / "sysB_read1m_c1_j2.json").read_text(encoding="utf-8")
    assert '"error" : 0' in bad
    (folder / "bad.json").write_text(bad.replace('"error" : 0', '"error" : 5'), encoding="utf-8")
    return source_of(database(folder / "a.duckdb", folder, system=HOSTILE), folder)


def test_a_failed_result_comes_first_with_its_reason_and_is_in_no_figure(failed: Source) -> None:
    frame = listing(failed, "storage_system_results", collection="", system=HOSTILE)
    assert frame["status"].to_list() == ["failed", "complete"]
    assert "error 5" in frame["reason"][0]
    key = {"collection": "", "system": HOSTILE}
    ((_, title, markdown),) = storage_system.pages(failed)
    assert title == HOSTILE
    assert "No data for this figure yet" in markdown
    assert figure(failed, "storage_curves", key).is_empty()


def test_a_system_name_cannot_break_a_page(failed: Source) -> None:
    for pages in (storage_system.pages, storage_series.pages):
        for name, _, markdown in pages(failed):
            assert re.fullmatch(r"[a-z0-9-]+", name)
            assert "<script" not in failed.filled(markdown)


# Pages and links


def test_addresses_of_storage_pages() -> None:
    links = Links.of([], [], [("c", "NAS A"), ("d", "NAS A")], [("c", "NAS A", "read-1")])
    row = {"collection": "c", "storage_system": "NAS A", "series": "read-1"}
    assert links.at("x.md").address("storage_system", row) == "storage/nas-a-c.html"
    assert links.at("a/x.md").address("series", row) == "../storage_series/nas-a-read-1-c.html"
    assert links.address("series", row | {"series": "other"}) is None
    assert links.address("system", {"collection": "c", "system": "NAS A"}) is None
    assert links.address("bandwidth_bps", row) is None


def test_pages_lead_to_each_other(site: Path) -> None:
    index = (site / "storage" / "index.html").read_text(encoding="utf-8")
    system = (site / "storage" / "nas-a-nas-a.html").read_text(encoding="utf-8")
    series = (site / "storage_series" / "nas-a-read-e418bc-nas-a.html").read_text(encoding="utf-8")
    assert 'href="../storage/nas-a-nas-a.html">NAS A</a>' in index
    assert 'href="../storage_series/nas-a-read-e418bc-nas-a.html">read-e418bc</a>' in system
    assert 'href="../storage/nas-a-nas-a.html">NAS A</a>' in series
    assert len(list((site / "storage").glob("*.html"))) == 5
    assert len(list((site / "storage_series").glob("*.html"))) == 6
    assert broken_links(site) == []


def test_pages_are_honest_about_the_bundled_data(site: Path) -> None:
    index = (site / "storage" / "index.html").read_text(encoding="utf-8")
    assert "No NAS product was measured" in index
    system = (site / "storage" / "nas-a-nas-a.html").read_text(encoding="utf-8")
    assert "no NAS product was measured" in system
    assert '<span class="lb-chip lb-unverified">unverified</span>' in system


def test_a_series_shows_what_was_measured_and_says_what_was_not(site: Path) -> None:
    page = (site / "storage_series" / "nas-a-read-e418bc-nas-a.html").read_text(encoding="utf-8")
    assert len(re.findall(r'<figure class="lb-figure"', page)) == 5
    assert "saturated from 16 jobs at 302.5 MB/s" in page
    missing = re.search(r"Not measured in this series:</strong>(.*?)</p>", page)
    assert missing is not None
    assert missing[1].split(";")[2].strip() == "Bandwidth by block size"
    for image in re.findall(r'<img [^>]*src="\.\./(\S+?)"', page):
        assert (site / image).is_file()


def test_downloads_hold_the_storage_relations(site: Path) -> None:
    names = {file.stem for file in (site / "downloads").glob("*.csv")}
    assert {"fio_result", "fio_curve", "fio_client", "fio_latency", "storage_sizing"} <= names
    frame = pl.read_csv(site / "downloads" / "fio_series.csv")
    series = frame.filter(pl.col("saturated_from_jobs") == 16)
    assert series["saturated_bps"].to_list() == [pytest.approx(302538852, abs=1)]


def test_systems_of_one_name_are_told_apart(tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        log = (RAW / "nas_b" / f"sysB_read1m_c{1 if name == 'one' else 2}_j1.json").read_bytes()
        (folder / "x.json").write_bytes(log)
        (folder / "source.toml").write_text(f'name = "{name}"\nsystem = "NAS"\n', encoding="utf-8")
        files.append(folder)
    source = source_of(database(tmp_path / "a.duckdb", *files), tmp_path)
    assert [title for _, title, _ in storage_system.pages(source)] == ["NAS [one]", "NAS [two]"]
    page = Page(source, "storage/index.md")
    assert "nas-two.html" in source.filled(page.listing("storage_systems"))


def timeline(tmp_path: Path, sample: str, **lines: str) -> list[float | None]:
    """Sums of the bandwidth logs beside a run of one job, or of two."""
    folder = tmp_path / "run"
    folder.mkdir()
    output = (RAW / "vm_disk" / f"{sample}.json").read_bytes()
    (tmp_path / "run.json").write_bytes(output)
    for name, text in lines.items():
        (folder / f"x_{name.replace('_', '.')}.log").write_text(text, encoding="utf-8")
    connection = duckdb.connect(str(database(tmp_path / "a.duckdb", tmp_path)), read_only=True)
    rows = connection.execute("SELECT value_total FROM fio_timeline_total ORDER BY time_s")
    return [value for (value,) in rows.fetchall()]


def test_a_log_of_every_operation_counts_bytes_not_their_rates(tmp_path: Path) -> None:
    """Each line says 200,000 KiB/s, which is one I/O over its latency."""
    lines = "".join(f"{ms}, 200000, 0, 16384, 0\n" for ms in range(1, 41))
    assert timeline(tmp_path, "jsonplus_clat_bins", bw_1=lines) == [16384 * 10 / 0.01] * 4


def test_jobs_that_share_a_log_or_lack_one_are_not_added_up(tmp_path: Path) -> None:
    lines = "100, 1000, 0, 0, 0\n200, 1000, 0, 0, 0\n"
    assert timeline(tmp_path, "avg100_nj2", bw_1=lines) == [None, None]


def test_averaged_logs_are_added_up_although_their_clocks_differ(tmp_path: Path) -> None:
    first, second = (
        "100, 1000, 0, 0, 0\n200, 2000, 0, 0, 0\n",
        "99, 10, 0, 0, 0\n201, 20, 0, 0, 0\n",
    )
    sums = timeline(tmp_path, "avg100_nj2", bw_1=first, bw_2=second)
    assert sums[:2] == [1010 * 1024, 2020 * 1024]
