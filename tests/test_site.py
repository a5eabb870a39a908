"""Pages, tables, links and the whole site, built from the bundled data."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from reports import footnotes, numbers, tables
from reports.blocks import Page, SiteError, Source
from reports.link_check import broken_links
from reports.links import Links
from reports.markers import expanded
from reports.mkdocs_site import extended_nav
from reports.pages import build
from reports.slugs import slug, unique_slugs
from reports.text import escaped, escaped_markdown
from warehouse.database import writing
from warehouse.load import load
from warehouse.refresh import refresh

ROOT = Path(__file__).parent.parent
HOSTILE = '<script>alert(1)</script> & "x" [y](z) `**w**`'


def database(path: Path, *sources: Path) -> Path:
    """A database with these sources loaded."""
    with writing(path) as connection:
        load(connection, [str(source) for source in sources])
        refresh(connection, ROOT / "data")
    return path


def site_of(path: Path, out: Path) -> Path:
    return build(path, out, ROOT / "site", ROOT / "mkdocs.yml")


@pytest.fixture(scope="session")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the bundled data."""
    return database(tmp_path_factory.mktemp("database") / "a.duckdb", ROOT / "data" / "raw")


@pytest.fixture(scope="session")
def site(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the bundled data."""
    return site_of(bundled, tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without any result."""
    return database(tmp_path_factory.mktemp("empty") / "a.duckdb")


@pytest.fixture
def report(site: Path) -> str:
    return (site / "reports" / "multinode-scaling.html").read_text(encoding="utf-8")


# Numbers, names and tables


@pytest.mark.parametrize(
    ("made", "wanted"),
    [
        (numbers.minutes(38.8708), "38.871"),
        (numbers.minutes(None), "–"),
        (numbers.minutes(float("nan")), "–"),
        (numbers.percent(74.32), "74.3 %"),
        (numbers.count(1632), "1,632"),
        (numbers.plain(0.0035), "0.0035"),
    ],
)
def test_numbers_are_written_with_fixed_decimals(made: str, wanted: str) -> None:
    assert made == wanted


@pytest.mark.parametrize(
    ("column", "wanted"),
    [
        ("score_min", "Score (min)"),
        ("efficiency_pct", "Efficiency (%)"),
        ("training_samples_per_s", "Training (samples/s)"),
        ("is_counted", "Counted"),
        ("nodes", "Nodes"),
    ],
)
def test_headings_carry_the_unit(column: str, wanted: str) -> None:
    assert tables.heading(column) == wanted


def test_a_table_escapes_every_text() -> None:
    frame = pl.DataFrame({"system": [HOSTILE], HOSTILE: [HOSTILE]})
    html = tables.html_table(frame, HOSTILE)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 5
    assert 'aria-label="&lt;script&gt;' in html


def test_a_table_keeps_numbers_for_sorting_and_shows_unknown_as_a_dash() -> None:
    html = tables.html_table(pl.DataFrame({"score_min": [1234.56789, None]}), "x")
    assert '<td class="lb-number" data-value="1234.56789">1,234.568</td>' in html
    assert '<td class="lb-number">–</td>' in html


def test_a_table_says_why_an_efficiency_is_missing() -> None:
    frame = pl.DataFrame(
        {"efficiency_pct": [None, 98.1], "is_printable": [False, True]},
        schema={"efficiency_pct": pl.Float64, "is_printable": pl.Boolean},
    )
    html = tables.html_table(frame, "x")
    assert "withheld: not like for like" in html
    assert "printable" not in html.lower()


def test_control_and_direction_characters_do_not_reach_a_page() -> None:
    assert escaped("a\x00\x1b\n\u202eb\x02") == "a b"


def test_markdown_of_a_log_stays_text() -> None:
    assert escaped_markdown("# *a* [b](c) <d>") == r"\# \*a\* \[b\]\(c\) &lt;d&gt;"


def test_slugs_are_safe_and_unique() -> None:
    assert slug("../../Ärger <b>/x") == "arger-b-x"
    assert slug("日本") == "unnamed"
    found = unique_slugs([(1, "a b"), (2, "a-b"), (3, "A B"), (4, "index")], ["index"])
    assert list(found.values()) == ["a-b", "a-b-2", "a-b-3", "index-2"]


def test_links_are_relative_to_their_page() -> None:
    links = Links.of(["resnet"], [("c", "v1.1", "Dell", "R750xa")])
    row = {"collection": "c", "round": "v1.1", "organization": "Dell", "system": "R750xa"}
    assert links.at("index.md").system(row) == "systems/v1-1-dell-r750xa-c.html"
    assert (
        links.at("reports/x.md").benchmark({"benchmark": "resnet"}) == "../benchmarks/resnet.html"
    )
    assert links.system({"system": "other"}) is None


# The footnote


def shown(**changed: str) -> footnotes.Shown:
    row = {
        "collection": "c",
        "round": "v1.1",
        "division": "closed",
        "organization": "Dell",
        "benchmark": "ResNet-50",
        "verification": "official",
        "kind": "logged",
    }
    return footnotes.Shown.of(row | changed)


COLLECTIONS = {"c": {"title": "Results", "url": "https://example.org", "retrieved": "2026-11-30"}}


def test_the_footnote_names_suite_source_and_trademark() -> None:
    note = footnotes.footnote([shown()], COLLECTIONS)
    assert "MLPerf® Training v1.1, Closed division: ResNet-50" in note
    assert "retrieved 2026-11-30 from https://example.org" in note
    assert footnotes.TRADEMARK in note
    assert "not official metrics" in note
    assert footnotes.NOT_VERIFIED not in note


def test_the_footnote_of_unverified_results_says_so() -> None:
    alone = footnotes.footnote([shown(verification="unverified")], COLLECTIONS)
    mixed = footnotes.footnote([shown(), shown(verification="unverified")], COLLECTIONS)
    assert footnotes.NOT_VERIFIED in alone
    assert footnotes.MIXED not in alone
    assert footnotes.NOT_VERIFIED in mixed
    assert footnotes.MIXED in mixed


def test_no_result_no_footnote() -> None:
    assert footnotes.footnote([], {}) == ""


def test_the_name_is_never_written_without_its_sign() -> None:
    texts = {str(file): file.read_text(encoding="utf-8") for file in (ROOT / "site").rglob("*.md")}
    texts |= {"mixed": footnotes.MIXED, "derived": footnotes.DERIVED}
    for name, text in texts.items():
        assert not re.search(r"MLPerf(?!®)", text), name


# The configuration


def configuration() -> dict[str, Any]:
    from mkdocs.utils.yaml import yaml_load

    with (ROOT / "mkdocs.yml").open(encoding="utf-8") as file:
        return dict(yaml_load(file))


def test_mkdocs_reads_and_writes_below_build_only() -> None:
    config = configuration()
    assert config["docs_dir"] == "build/pages"
    assert config["site_dir"] == "build/site"
    assert config["strict"] is True
    assert config["theme"]["font"] is False
    assert config["nav"]


def test_site_holds_pages_and_no_python() -> None:
    assert (ROOT / "site" / "index.md").is_file()
    assert not list((ROOT / "site").rglob("*.py"))


def test_generated_pages_follow_the_index_page_of_their_folder() -> None:
    nav = [{"Home": "index.md"}, {"Benchmarks": ["benchmarks/index.md"]}]
    pages = {"benchmarks": [("BERT", "benchmarks/bert.md")]}
    assert extended_nav(nav, pages)[1] == {
        "Benchmarks": ["benchmarks/index.md", {"BERT": "benchmarks/bert.md"}]
    }


def test_the_packages_start_without_the_heavy_libraries() -> None:
    code = (
        "import sys, reports.pages, reports.catalogue; reports.catalogue.figures();"
        "print([n for n in ('altair', 'mkdocs', 'vl_convert') if n in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"


# Links


def page(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"<html><body>{body}</body></html>", encoding="utf-8")


def test_a_broken_link_in_raw_html_is_found(tmp_path: Path) -> None:
    page(tmp_path, "a.html", '<a href="b.html#here">b</a> <a href="https://example.org">c</a>')
    page(tmp_path, "b.html", '<p id="here">here</p><a href="missing.html">d</a>')
    assert [str(link) for link in broken_links(tmp_path)] == [
        "b.html: missing.html: there is no such file"
    ]


def test_a_missing_place_and_a_way_out_are_found(tmp_path: Path) -> None:
    page(tmp_path, "a.html", '<a href="#gone">x</a><a href="../../etc/passwd">y</a>')
    reasons = [link.reason for link in broken_links(tmp_path)]
    assert reasons == ["there is no such place on the page", "leads out of the site"]


def test_a_file_loaded_from_another_host_is_found(tmp_path: Path) -> None:
    page(tmp_path, "a.html", '<script src="https://cdn.example.org/x.js"></script>')
    assert broken_links(tmp_path)[0].reason == "is loaded from another host"


def test_a_build_with_a_broken_link_is_refused(empty: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "site", source)
    with (source / "methods.md").open("a", encoding="utf-8") as file:
        file.write('\n<p><a href="nowhere.html">nowhere</a></p>\n')
    with pytest.raises(SiteError, match=r"methods\.html: nowhere\.html") as error:
        build(empty, tmp_path / "build", source, ROOT / "mkdocs.yml")
    assert "\n" not in str(error.value)


def test_a_warning_of_mkdocs_is_an_error_of_one_line(empty: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT / "site", source)
    with (source / "methods.md").open("a", encoding="utf-8") as file:
        file.write("\n[gone](gone.md)\n")
    with pytest.raises(SiteError, match=r"gone\.md"):
        build(empty, tmp_path / "build", source, ROOT / "mkdocs.yml")


# Markers


@pytest.fixture
def marked(bundled: Path, tmp_path: Path) -> Callable[[str], str]:
    """Expands the markers of some Markdown."""
    connection = duckdb.connect(str(bundled), read_only=True)
    source = Source.of(connection, tmp_path)
    return lambda markdown: source.filled(expanded(markdown, Page(source, "x.md")))


def test_a_marker_becomes_a_table_and_a_footnote(marked: Callable[[str], str]) -> None:
    html = marked("before\n\n<!-- listing scores -->\n\nafter")
    assert html.startswith("before\n\n<div")
    assert "106.542" in html
    assert footnotes.TRADEMARK in html


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        ("<!-- figure nothing -->", "there is no figure 'nothing'"),
        ("<!-- listing benchmark_runs -->", "parameter benchmark is not given"),
    ],
)
def test_a_wrong_marker_says_what_is_wrong(
    marked: Callable[[str], str], marker: str, reason: str
) -> None:
    with pytest.raises(SiteError, match=reason):
        marked(marker)


# The whole site


def test_the_report_shows_printed_and_rebuilt_numbers(report: str) -> None:
    for number in ("105.6", "106.542", "77.31", "no log", "62.949", "10.586", "74.3"):
        assert number in report


def test_the_report_says_reconstructed_and_unverified(report: str) -> None:
    assert '<span class="lb-chip lb-reconstructed">reconstructed</span>' in report
    assert '<span class="lb-chip lb-unverified">unverified</span>' in report
    assert "77.310 min (plain mean) unverified" in report
    assert footnotes.NOT_VERIFIED in report


def test_the_report_marks_rnnt_and_gives_the_reason(report: str) -> None:
    assert "not like for like" in report
    assert "gradient_accumulation_steps" in report


def test_every_figure_has_an_image_a_text_and_its_data(site: Path, report: str) -> None:
    figures = re.findall(r'<figure class="lb-figure".*?</figure>', report)
    assert len(figures) == 4
    for figure in figures:
        image = re.search(r'<img [^>]*src="\.\./(\S+?)" alt="([^"]+)" width="\d+"', figure)
        assert image is not None
        assert (site / image[1]).is_file()
        assert (site / image[1].replace(".svg", ".csv")).is_file()
        assert "<details>" in figure


def test_numbers_can_be_traced_to_file_and_line(site: Path) -> None:
    runs = (site / "benchmarks" / "rnnt.html").read_text(encoding="utf-8")
    assert re.search(r"<code>[^<]*rnnt/result_0\.txt:\d+</code>", runs)


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    assert broken_links(site) == []
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?https?:", style.read_text(encoding="utf-8"))


def test_downloads_hold_every_documented_relation(site: Path) -> None:
    names = {file.stem for file in (site / "downloads").glob("*.csv")}
    assert {"score", "run_result", "finding", "source", "scaling_printed"} <= names
    assert not {"scaling", "scaling_revised", "event", "source_text"} & names
    frame = pl.read_csv(site / "downloads" / "score.csv")
    assert frame.filter(pl.col("benchmark") == "rnnt")["score_min"].max() == pytest.approx(106.5417)


def files(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def test_the_same_database_gives_the_same_bytes(
    bundled: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert files(site_of(bundled, tmp_path)) == files(site)
    assert "SOURCE_DATE_EPOCH" not in os.environ


def test_without_a_waiver_the_efficiency_is_nowhere(bundled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.duckdb"
    shutil.copyfile(bundled, copy)
    data = tmp_path / "data"
    shutil.copytree(ROOT / "data", data, ignore=shutil.ignore_patterns("raw", "facts"))
    (data / "waivers.toml").write_text("", encoding="utf-8")
    with writing(copy) as connection:
        refresh(connection, data)
    connection = duckdb.connect(str(copy), read_only=True)
    source = Source.of(connection, tmp_path)
    markers = "<!-- figure xe8545_submitted -->\n<!-- listing dell_scaling -->\n<!-- downloads -->"
    shown = source.filled(expanded(markers, Page(source, "x.md")))
    assert "withheld: not like for like" in shown
    written = [tmp_path / "downloads" / "scaling_printed.csv", *(tmp_path / "figures").iterdir()]
    assert len(written) == 4
    for text in (shown, *(file.read_text(encoding="utf-8") for file in written)):
        assert "151.9" not in text


def test_an_empty_database_gives_a_site_that_says_so(empty: Path, tmp_path: Path) -> None:
    site = site_of(empty, tmp_path / "build")
    assert "holds no result yet" in (site / "index.html").read_text(encoding="utf-8")


def test_names_from_logs_cannot_break_a_page(tmp_path: Path) -> None:
    log = next((ROOT / "data" / "raw").rglob("result_0.txt")).read_text(encoding="utf-8")
    for system in ("<b>&amp; [x](y)", "`q` {{z}} --> $1 \\", "日本"):
        folder = tmp_path / "raw" / "E <i>vil" / "results" / system / "resnet"
        folder.mkdir(parents=True)
        (folder / "result_0.txt").write_text(log, encoding="utf-8")
    site = site_of(database(tmp_path / "odd.duckdb", tmp_path / "raw"), tmp_path / "build")
    pages = [file.read_text(encoding="utf-8") for file in site.rglob("*.html")]
    assert all("<b>&amp; [x]" not in page and "E <i>vil" not in page for page in pages)
    assert len(list((site / "systems").glob("*.html"))) == 4
