"""Network pages: figures, tables and links, with the numbers of the bundled nccl-tests captures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import polars as pl
import pytest
from nccl_outputs import MIB, capture

from reports import catalogue, curves, network_charts, numbers, tables
from reports.blocks import Page, Source
from reports.link_check import broken_links
from reports.links import Links, titles
from reports.pages import build, network_system
from reports.rendering import specification, still
from warehouse.database import writing
from warehouse.load import load
from warehouse.refresh import refresh

ROOT = Path(__file__).parent.parent
RAW = ROOT / "data" / "raw"
COLLECTIONS = (
    "aws_p4de", "aws_p5", "h100_ndr", "superbench_a100", "xe9680_h100_2n", "xe9680_h100_4n",
)  # fmt: skip
HOSTILE = '<script>alert(1)</script> & "x" [y](z) `**w**`'
P5 = {"collection": "aws_p5", "system": "AWS p5.48xlarge (8x H100 80 GB)"}
NDR = {
    "collection": "h100_ndr",
    "system": "8x H100 80 GB, 400G InfiniBand (nccl-tests issue 309)",
}
ALL_REDUCE = {"collective": "all_reduce"}
PLACED = {
    "network_bandwidth": P5,
    "network_small_messages": P5,
    "network_scaling": NDR,
    "network_placements": NDR,
    "network_compare": P5,
    "network_comparison": P5,
}


def database(path: Path, *sources: Path, **said: str) -> Path:
    with writing(path) as connection:
        load(connection, [str(source) for source in sources], said or None)
        refresh(connection, ROOT / "data")
    return path


def source_of(path: Path, folder: Path) -> Source:
    return Source.of(duckdb.connect(str(path), read_only=True), folder)


def captured(folder: Path, system: str = "Rack", **texts: str) -> Source:
    """The pages' source of captures written into `folder`, each under its name."""
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    files = sorted(folder.glob("*.txt"))
    return source_of(database(folder / "a.duckdb", *files, system=system), folder)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the bundled captures."""
    folder = tmp_path_factory.mktemp("network")
    return database(folder / "a.duckdb", *(RAW / name for name in COLLECTIONS))


@pytest.fixture(scope="module")
def source(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    return source_of(bundled, tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="module")
def site(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("build")
    return build(bundled, out, ROOT / "site", ROOT / "mkdocs.yml")


def figure(source: Source, name: str, key: dict[str, str], **more: str) -> pl.DataFrame:
    return source.frame(catalogue.figures()[name].view, ALL_REDUCE | key | more, name)


def listing(source: Source, name: str, **parameters: str) -> pl.DataFrame:
    return source.frame(catalogue.listings()[name].view, parameters, name)


def alternative(source: Source, name: str) -> str:
    return catalogue.figures()[name].alt_text(figure(source, name, PLACED[name]))


def lines(frame: pl.DataFrame) -> list[str]:
    return network_charts.named_lines(frame)["line"].unique(maintain_order=True).to_list()


# How numbers are written


def test_tables_show_network_numbers_as_nccl_tests_prints_them() -> None:
    row = {
        "time_us": 12.9,
        "busbw_gbps": 483.05,
        "algbw_gbps": 0.0,
        "size_bytes": 17179869184,
        "peak_size_bytes": 0,
        "busbw_factor": 1.96875,
        "wrong": None,
        "peak_gbps": 450.0,
    }
    shown = ["12.9", "483.05", "0.00", "16 GiB", "0 B", "1.96875", "–", "450"]
    assert [tables.cell_text(name, row) for name in row] == shown
    assert tables.cell_text("time_us", {"time_us": 62239.0}) == "62,239"
    assert [tables.heading(name) for name in ("time_us", "busbw_gbps", "size_bytes")] == [
        "Time (µs)",
        "Bus bandwidth (GB/s)",
        "Size",
    ]
    assert tables.cell_text("lat_mean_us", {"lat_mean_us": 663.848}) == "0.664"


def test_an_axis_of_many_sizes_has_every_third_doubling_as_tick() -> None:
    frame = pl.DataFrame({"size": [2**power for power in range(3, 35)]})
    axis = curves.binary_size_x(frame, "size", "x").to_dict()["axis"]
    ticks = [numbers.binary_size(value) for value in axis["values"]]
    assert ticks == [
        "8 B", "64 B", "512 B", "4 KiB", "32 KiB", "256 KiB", "2 MiB", "16 MiB", "128 MiB",
        "1 GiB", "8 GiB",
    ]  # fmt: skip
    few = curves.binary_size_x(frame.head(5), "size", "x").to_dict()["axis"]
    assert few["values"] == [8, 16, 32, 64, 128]


def test_labels_on_an_even_axis_are_moved_apart() -> None:
    places = curves.spaced([320.7, 324.52, 466.73], [0, 500], is_log=False)
    assert places == pytest.approx([320.7, 345.7, 466.73])


# Figures


def test_bus_bandwidth_by_size_on_one_and_two_nodes(source: Source) -> None:
    frame = figure(source, "network_bandwidth", P5)
    assert lines(frame) == ["1 node, 8 ranks, factor 1.75", "2 nodes, 16 ranks, factor 1.875"]
    assert frame.height == 64
    assert set(frame["placement"]) == {"out_of_place"}
    last = frame.filter(pl.col("size_bytes") == 1 << 34)
    assert last["busbw_gbps"].to_list() == [483.05, 487.09]
    path = str(RAW / "aws_p5" / "all_reduce_1n.txt")
    assert last["evidence"][0] == f"{path}:48"
    assert last["link_gbps"].to_list() == [450, 400]
    text = alternative(source, "network_bandwidth")
    assert "1 node, 8 ranks, factor 1.75: 0.00 GB/s at 8 B, 483.05 GB/s at 16 GiB" in text
    assert "H100, NVLink 4: 450 GB/s; AWS p5, 3,200 Gbit/s EFA: 400 GB/s" in text


def test_the_link_peak_is_drawn_and_named(source: Source) -> None:
    spec = catalogue.figures()["network_bandwidth"].chart(figure(source, "network_bandwidth", P5))
    drawn = spec.to_dict()
    assert "H100, NVLink 4: 450 GB/s" in json.dumps(drawn)
    rules = [layer for layer in drawn["layer"] if layer["mark"]["type"] == "rule"]
    assert rules[0]["encoding"]["y"]["field"] == "link_gbps"
    x = next(layer["encoding"]["x"] for layer in drawn["layer"] if layer["mark"]["type"] == "line")
    assert x["scale"]["base"] == 2


def test_time_of_small_messages(source: Source) -> None:
    frame = figure(source, "network_small_messages", P5)
    assert frame["size_bytes"].max() == 65536
    one = frame.filter(pl.col("nodes") == 1)
    assert one["time_us"].to_list()[:3] == [12.90, 12.88, 22.25]
    assert one["time_us"][-1] == 19.09
    two = frame.filter(pl.col("nodes") == 2)
    assert two["time_us"][-1] == 135.1
    assert figure(source, "network_small_messages", NDR).is_empty()


def test_bus_bandwidth_by_nodes_at_the_largest_common_size(source: Source) -> None:
    frame = figure(source, "network_scaling", NDR)
    assert frame["nodes"].to_list() == [2, 4, 8]
    assert frame["busbw_gbps"].to_list() == [466.73, 324.52, 320.70]
    assert [round(value, 1) for value in frame["kept_pct"]] == [100, 69.5, 68.7]
    assert set(frame["size_bytes"]) == {1 << 33}
    assert alternative(source, "network_scaling").endswith("8 nodes 320.70 GB/s, 68.7 %.")


def test_what_nobody_knows_to_be_alike_has_a_mark_and_a_note(source: Source, site: Path) -> None:
    """The captures of this cluster name no version of NCCL."""
    frame = figure(source, "network_scaling", NDR)
    assert frame["is_like_for_like"].to_list() == [True, None, None]
    spec = json.dumps(catalogue.figures()["network_scaling"].chart(frame).to_dict())
    assert "321 (68.7 %) *" in spec
    (page,) = (site / "network").glob("8x-h100-80-gb-400g*.html")
    html = page.read_text(encoding="utf-8")
    assert "* all_reduce, float, sum, 8 nodes: not known if like for like" in html


def test_a_system_on_one_node_count_has_no_figure_of_scaling(source: Source) -> None:
    key = {"collection": "aws_p4de", "system": "AWS p4de.24xlarge (8x A100 80 GB)"}
    assert figure(source, "network_bandwidth", key).height == 29
    assert figure(source, "network_scaling", key).is_empty()


def test_in_place_against_out_of_place(source: Source) -> None:
    frame = figure(source, "network_placements", NDR)
    disturbed = frame.filter((pl.col("nodes") == 8) & (pl.col("size_bytes") == 8 * MIB))
    assert disturbed["placement"].to_list() == ["out_of_place", "in_place"]
    assert disturbed["busbw_gbps"].to_list() == [12.98, 51.38]
    assert disturbed["in_place_pct"].to_list() == pytest.approx([395.9, 395.9], abs=0.05)
    assert "395.9 % at 8 MiB" in alternative(source, "network_placements")
    chart = catalogue.figures()["network_placements"].chart(frame).to_dict()
    assert len(chart["vconcat"]) == 2


def test_systems_beside_each_other_have_the_same_ranks_and_nodes(source: Source) -> None:
    frame = figure(source, "network_compare", P5)
    assert set(frame["ranks"]) == {16}
    assert set(frame["nodes"]) == {2}
    ends = frame.group_by("collection").agg(pl.col("busbw_gbps").sort_by("size_bytes").last())
    assert dict(ends.iter_rows()) == {
        "aws_p4de": 78.33,
        "aws_p5": 487.09,
        "h100_ndr": 466.73,
        "xe9680_h100_2n": 469.21,
    }
    assert figure(source, "network_comparison", {}).equals(frame)
    text = alternative(source, "network_compare")
    assert "all_reduce, 2 nodes, 16 ranks, factor 1.875" in text
    assert "NCCL not known: 0.00 GB/s at 8 B, 487.09 GB/s at 16 GiB" in text
    alone = {"collection": "superbench_a100", "system": "8x A100 SXM4 40 GB, 1 node"}
    shared = figure(source, "network_compare", alone)
    assert "aws_p5" not in set(shared["collection"]) or set(shared["nodes"]) == {1}


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


def test_every_network_figure_is_tested_here() -> None:
    assert PLACED.keys() == {name for name in catalogue.figures() if name.startswith("network_")}


# What figures leave out


def test_repeated_runs_are_one_line_through_their_medians(tmp_path: Path) -> None:
    runs = {f"r{busbw:.0f}": capture(busbw=busbw, sizes=[MIB]) for busbw in (100, 200, 300, 310)}
    source = captured(tmp_path, **runs)
    frame = figure(source, "network_bandwidth", {"collection": "", "system": "Rack"})
    assert frame.height == 4
    named = network_charts.named_lines(frame)
    middle = network_charts.medians(named, "busbw_gbps")
    assert middle["busbw_gbps"].to_list() == pytest.approx([250], rel=0.01)


def test_lines_say_what_is_not_the_same(tmp_path: Path) -> None:
    old, new = capture(version="2.20.5"), capture(version="2.29.7", busbw=210)
    source = captured(tmp_path, old=old, new=new)
    frame = figure(source, "network_bandwidth", {"collection": "", "system": "Rack"})
    assert lines(frame) == [
        "1 node, 8 ranks, factor 1.75, NCCL 2.20.5",
        "1 node, 8 ranks, factor 1.75, NCCL 2.29.7",
    ]


def test_one_rank_and_size_zero_are_in_the_table_and_in_no_figure(tmp_path: Path) -> None:
    lone = capture(ranks=1, factor=0.01, busbw=0.001, sizes=[MIB])
    zero = capture(sizes=[MIB, 2 * MIB]).replace(f"{MIB:>12}", f"{0:>12}")
    source = captured(tmp_path, lone=lone, zero=zero)
    key = {"collection": "", "system": "Rack"}
    frame = figure(source, "network_bandwidth", key)
    assert set(frame["ranks"]) == {8}
    assert frame["size_bytes"].to_list() == [2 * MIB]
    points = listing(source, "network_points", **key)
    assert {(1, MIB), (8, 0), (8, 2 * MIB)} == set(points.select("ranks", "size_bytes").rows())


def test_a_chapter_for_each_collective(tmp_path: Path) -> None:
    gather = capture(collective="all_gather", factor=0.875, busbw=180)
    source = captured(tmp_path, reduce=capture(), gather=gather)
    ((_, _, markdown),) = network_system.pages(source)
    chapters = re.findall(r"^## (\S+)$", markdown, re.M)
    assert chapters[:2] == [r"all\_reduce", r"all\_gather"]
    frame = figure(source, "network_bandwidth", {"collection": "", "system": "Rack"})
    assert set(frame["collective"]) == {"all_reduce"}
    key = {"collection": "", "system": "Rack", "collective": "all_gather"}
    assert lines(figure(source, "network_bandwidth", key)) == ["1 node, 8 ranks, factor 0.875"]


def test_runs_of_nobody_knows_which_system_are_marked(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(capture(), encoding="utf-8")
    source = source_of(database(tmp_path / "a.duckdb", tmp_path / "x.txt"), tmp_path)
    ((name, _, markdown),) = network_system.pages(source)
    assert name == "unassigned"
    assert "a line may mix several" in markdown


# Tables


def test_runs_that_are_not_complete_come_first(source: Source) -> None:
    frame = listing(source, "network_runs", **P5)
    assert frame["status"].to_list() == ["unfinished", "success"]
    assert frame["ranks_listed"].to_list() == [16, 8]
    assert frame["ranks_implied"].to_list() == [16, 8]
    assert frame["evidence"][1].endswith("all_reduce_1n.txt:48")


def test_peaks_stand_beside_what_is_published(source: Source) -> None:
    frame = listing(source, "network_reference", **P5)
    rows = {(row["ranks"], row["reference_system"]): row for row in frame.to_dicts()}
    ring = rows[8, "8x H100, ring"]
    assert (ring["reference_busbw_gbps"], ring["basis"]) == (370, "measured")
    assert ring["share_pct"] == pytest.approx(130.55, abs=0.01)
    assert rows[16, "OCI H100, 2 nodes"]["reference_busbw_gbps"] == 471.22
    assert rows[8, "Azure ND H100 v5"]["basis"] == "threshold"


def test_published_figures_and_links_name_their_sources(source: Source) -> None:
    published, links = listing(source, "network_published"), listing(source, "network_links")
    for frame in (published, links):
        assert frame["source"].null_count() == frame["url"].null_count() == 0
    large = published.filter(pl.col("ranks") == 1024)
    assert large["reference_busbw_gbps"].to_list() == [367.29]
    h100 = links.filter(pl.col("platform") == "H100, NVLink 4")
    assert h100["peak_gbps"].to_list() == [450]


def test_every_measurement_has_its_line(source: Source) -> None:
    frame = listing(source, "network_points", **P5)
    assert frame.height == 128
    assert all(re.search(r"\.txt:\d+$", text) for text in frame["evidence"])
    last = frame.filter((pl.col("size_bytes") == 1 << 34) & (pl.col("ranks") == 16))
    assert last["busbw_gbps"].to_list() == [487.09, 487.26]


def test_a_size_that_falls_out_is_a_finding_of_the_system(source: Source) -> None:
    frame = listing(source, "network_findings", **NDR)
    found = frame.filter(pl.col("rule") == "nccl_outliers")["message"].to_list()
    assert any("8388608 B out of place: 12.98 GB/s" in (text or "") for text in found)
    assert "nccl_outliers" not in listing(source, "network_findings", **P5)["rule"].to_list()


def test_scaling_of_all_systems(source: Source) -> None:
    frame = listing(source, "network_scaling")
    p5 = frame.filter(pl.col("collection") == "aws_p5")
    assert p5["busbw_gbps"].to_list() == [483.05, 487.09]
    assert p5["kept_pct"].round(1).to_list() == [100, 100.8]
    assert set(frame["kind"]) == {"reconstructed"}


def test_thresholds_are_shown_where_they_are_used(source: Source) -> None:
    network = set(listing(source, "network_thresholds")["threshold"])
    storage = set(listing(source, "storage_thresholds")["threshold"])
    assert "nccl_outlier_pct" in network
    assert not network & storage


# Pages and links


def test_a_system_name_cannot_break_a_page(tmp_path: Path) -> None:
    broken = capture(device="<script>x</script>", hosts=["<b>host"], is_ended=False)
    source = captured(tmp_path, HOSTILE, one=capture(), two=broken)
    ((name, title, markdown),) = network_system.pages(source)
    assert re.fullmatch(r"[a-z0-9-]+", name)
    assert title == HOSTILE
    html = source.filled(markdown)
    assert "<script" not in html
    assert "<b>host" not in html
    index = Page(source, "network/index.md")
    assert "<script" not in source.filled(index.listing("network_systems"))


def test_addresses_and_titles_of_network_pages() -> None:
    links = Links.of([], [], network_systems=[("c", "Rack"), ("d", "Rack")])
    row = {"collection": "c", "network_system": "Rack"}
    assert links.at("x.md").address("network_system", row) == "network/rack-c.html"
    assert links.at("a/x.md").network_system(row | {"collection": "d"}) == "../network/rack-d.html"
    assert links.address("network_system", row | {"network_system": "other"}) is None
    assert titles([("c", "Rack"), ("d", "Rack"), ("d", "Lab"), ("", "Rack")]) == {
        ("c", "Rack"): "Rack [c]",
        ("d", "Rack"): "Rack [d]",
        ("d", "Lab"): "Lab",
        ("", "Rack"): "Rack",
    }


def test_pages_lead_to_each_other(site: Path) -> None:
    index = (site / "network" / "index.html").read_text(encoding="utf-8")
    page = "aws-p5-48xlarge-8x-h100-80-gb-aws-p5.html"
    assert f'href="../network/{page}">AWS p5.48xlarge (8x H100 80 GB)</a>' in index
    assert len(list((site / "network").glob("*.html"))) == 7
    assert broken_links(site) == []
    system = (site / "network" / page).read_text(encoding="utf-8")
    for image in re.findall(r'<img [^>]*src="\.\./(\S+?)"', system):
        assert (site / image).is_file()


def test_pages_say_that_the_captures_are_reconstructed(site: Path) -> None:
    index = (site / "network" / "index.html").read_text(encoding="utf-8")
    assert "None of them was measured for this site" in index
    system = next((site / "network").glob("aws-p5*.html")).read_text(encoding="utf-8")
    assert len(re.findall(r'<figure class="lb-figure"', system)) == 5
    captions = re.findall(r"<figcaption>.*?</figcaption>", system, re.S)
    assert all('lb-chip lb-reconstructed">reconstructed' in caption for caption in captions)
    assert "NVLink SHARP (NVLS)" in captions[0]
    assert "Two tables that AWS prints as examples" in system


def test_what_was_not_measured_is_named(site: Path) -> None:
    (page,) = (site / "network").glob("8x-h100-80-gb-400g*.html")
    missing = "<strong>Not measured here:</strong> Time of small messages, up to 64 KiB.</p>"
    assert missing in page.read_text(encoding="utf-8")


def test_downloads_hold_the_network_relations(site: Path) -> None:
    names = {file.stem for file in (site / "downloads").glob("*.csv")}
    assert {"nccl_run", "nccl_point", "nccl_curve", "nccl_scaling", "nccl_reference"} <= names
    frame = pl.read_csv(site / "downloads" / "nccl_run.csv")
    assert sorted(frame["peak_busbw_gbps"]) == [
        78.33, 235.26, 320.7, 324.99, 365.84, 466.73, 469.21, 483.05, 487.09,
    ]  # fmt: skip


def test_the_printed_average_is_in_no_figure_and_in_no_table_but_the_downloads() -> None:
    views = [item.view for item in catalogue.figures().values()]
    views += [item.view for item in catalogue.listings().values()]
    assert not [view for view in views if "average_busbw" in view]
