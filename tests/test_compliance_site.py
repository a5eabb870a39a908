"""Compliance pages: matrix, submissions, rules, reference points, hyperparameters, quality gate."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from mlperf_logs import Submission, loaded, record, runs, waiver

from reports import catalogue, compliance_matrix, evidence, hyperparameter_table
from reports.blocks import Page, Source
from reports.compliance_matrix import matrix_html
from reports.evidence import Quotes
from reports.link_check import broken_links
from reports.links import Links
from reports.markers import expanded
from reports.pages import (
    build,
    compliance_round,
    hyperparameter_comparison,
    rule_page,
    submission_verdicts,
)
from reports.quality_block import quality_html
from reports.rendering import specification, still
from warehouse.database import writing
from warehouse.load import load
from warehouse.refresh import refresh
from warehouse.rules import rules

ROOT = Path(__file__).parent.parent
EVIL_SYSTEM = '<img src=x onerror=alert(1)> {#x} [y](z) `w` & "q"'
EVIL_VALUE = "</pre><script>alert(2)</script>"
DELL = "v1.1/closed/Dell/{}@dell_v1.1"
RNNT = DELL.format("2xXE8545x4A100-SXM-80GB/rnnt")
RESNET = {"benchmark": "resnet", "round": "v1.1", "division": "closed"}
QUALITY = {
    "is_passed": False,
    "versions": {"duckdb": "1.5.5", "great_expectations": "1.24.1"},
    "row_counts": {"score": 15},
    "expectations": [
        {"suite": "rules", "rule": "required_runs", "column": None, "severity": "error",
         "status": "failed", "observed": 2, "limit": "0", "description": "no finding"},
        {"suite": "rules", "rule": "duplicate_runs", "column": None, "severity": "warning",
         "status": "failed", "observed": 3, "limit": "0", "description": "no finding"},
        {"suite": "score", "rule": None, "column": "score_min", "severity": "error",
         "status": "raised", "observed": None, "limit": None, "description": "in its range",
         "reason": "<b>no such column</b>"},
        {"suite": "score", "rule": None, "column": "system", "severity": "error",
         "status": "passed", "observed": 0, "limit": None, "description": "never empty"},
    ],
}  # fmt: skip


def source_of(folder: Path, *paths: Path, data: Path | None = None) -> Source:
    """The pages' source of a database of these paths, and of what people say in `data`."""
    file = folder / "a.duckdb"
    with writing(file) as connection:
        load(connection, [str(path) for path in paths])
        refresh(connection, data or folder / "no such folder")
    return Source.of(duckdb.connect(str(file), read_only=True), folder)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the bundled MLPerf results."""
    path = tmp_path_factory.mktemp("bundled") / "a.duckdb"
    with writing(path) as connection:
        load(connection, [str(folder) for folder in (ROOT / "data" / "raw").glob("dell*")])
        refresh(connection, ROOT / "data")
    return path


@pytest.fixture(scope="module")
def source(bundled: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    connection = duckdb.connect(str(bundled), read_only=True)
    return Source.of(connection, tmp_path_factory.mktemp("pages"))


def evil(folder: Path) -> Path:
    """A submission whose names and values are HTML and Markdown; one run has another rate."""
    made = Submission(folder, organization="E <i>vil")
    made.system(EVIL_SYSTEM, 1)
    header = {"submission_platform": EVIL_SYSTEM, "submission_benchmark": "resnet"}
    logs = runs((10, 11, 12, 13), header=header, settings={"opt_name": "sgd"})
    logs += runs((14,), header=header, first_seed=5, settings={"opt_name": EVIL_VALUE})
    made.results(EVIL_SYSTEM, "resnet", logs)
    return made.root


@pytest.fixture(scope="module")
def evil_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site of that submission, with the gate's result."""
    folder = tmp_path_factory.mktemp("evil")
    with writing(folder / "a.duckdb") as connection:
        load(connection, [str(evil(folder))])
        refresh(connection, ROOT / "data")
    return build(
        folder / "a.duckdb", folder / "out", ROOT / "site", ROOT / "mkdocs.yml", dict(QUALITY)
    )


def text(source: Source, made: Any, name: str) -> str:
    """The finished Markdown of one page of a kind."""
    (markdown,) = [markdown for page, _, markdown in made.pages(source) if page == name]
    return source.filled(markdown)


def listing(source: Source, name: str, **parameters: str) -> pl.DataFrame:
    return source.frame(catalogue.listings()[name].view, parameters, name)


# What a cell says


def states(connection: duckdb.DuckDBPyConnection, result_set: str) -> dict[str, str]:
    found = connection.execute(
        "SELECT rule, state FROM compliance_state WHERE result_set = ?", [result_set]
    ).fetchall()
    return dict(found)


def test_the_worst_verdict_counts_and_a_waiver_shows(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    name = made.scored("box", (10, 11, 12, 13, -14))
    short = made.scored("short", (10, 11))
    data = tmp_path / "data"
    data.mkdir()
    (data / "waivers.toml").write_text(waiver("required_runs", short), encoding="utf-8")
    connection = loaded(made.root, data=data)
    assert states(connection, name)["converged_runs"] == "warning"
    assert states(connection, name)["required_runs"] == "pass"
    assert states(connection, short)["required_runs"] == "waived"
    found = connection.execute(
        "SELECT waived, compliance FROM compliance_summary WHERE result_set = ?", [short]
    ).fetchone()
    assert found is not None
    assert found[0] == 1
    assert found[1].endswith("1 waived")


def test_a_waived_finding_stands_beside_its_waiver(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    short = made.scored("short", (10, 11))
    data = tmp_path / "data"
    data.mkdir()
    (data / "waivers.toml").write_text(waiver("required_runs", short), encoding="utf-8")
    page = text(source_of(tmp_path, made.root, data=data), submission_verdicts, "v1-1-acme")
    (article,) = re.findall(r'<article [^>]*--required_runs".*?</article>', page)
    assert "2 runs, 5 are required" in article
    assert "by the maintainer, since 2020-01-01 until 2999-12-31: known and accepted" in article


def test_bundled_verdicts_of_the_two_node_rnnt(source: Source) -> None:
    found = states(source.connection, RNNT)
    assert found["identical_hyperparameters_across_nodes"] == "waived"
    assert found["super_linear_efficiency"] == "warning"
    assert found["official_rcp"] == "pass"


# The matrix


def matrix(source: Source) -> str:
    return matrix_html(Page(source, "compliance/index.md"), "v1.1")


def test_the_matrix_has_a_row_per_result_set_and_a_column_per_rule(source: Source) -> None:
    html = matrix(source)
    columns = re.findall(r'<th scope="col" class="(lb-\w+)" data-kind="verdict">', html)
    about_sets = [rule for rule in rules() if rule.applies_to == "result sets"]
    assert len(columns) == len(about_sets)
    assert columns == sorted(columns, key="lb-official".__ne__)  # official ones first
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", html.split("<tfoot>")[0])
    assert len(rows) == 15
    assert all(row.count("<td") == len(columns) + 2 for row in rows)


def test_a_cell_has_class_sign_and_word_and_leads_to_its_evidence(source: Source) -> None:
    html = matrix(source)
    place = "#set-2xxe8545x4a100-sxm-80gb-rnnt-closed--super_linear_efficiency"
    found = re.search(
        rf'<td class=w><a href="\.\./submissions/v1-1-dell-dell-v1-1\.html{place}" '
        r'title="warning: [^"]*151\.9[^"]*">▲<i>warning</i></a></td>',
        html,
    )
    assert found is not None
    assert "<td class=p>✓<i>pass</i></td>" in html
    assert "W<i>waived</i>" in html


def test_the_last_row_counts_what_does_not_pass(source: Source) -> None:
    html = matrix(source)
    heads = re.findall(r'data-kind="verdict"><a href="\.\./rules/(\w+)\.html"', html)
    counts = re.findall(r"<td>(\d+)</td>", html.split("<tfoot>")[1])
    found = dict(zip(heads, counts, strict=True))
    assert found["identical_hyperparameters_across_nodes"] == "2"
    assert found["super_linear_efficiency"] == "1"
    assert found["duplicate_runs"] == "0"


def test_many_result_sets_have_a_page_per_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Submission(tmp_path), Submission(tmp_path, "training_v2.0")
    first.scored("box")
    second.scored("box", first_seed=50)
    made = source_of(tmp_path, first.root, second.root)
    assert list(compliance_round.pages(made)) == []
    monkeypatch.setattr(compliance_matrix, "MOST_ON_ONE_PAGE", 1)
    assert [name for name, _, _ in compliance_round.pages(made)] == ["v2-0", "v1-1"]
    links = compliance_matrix.matrices_html(Page(made, "compliance/index.md"))
    assert '<a href="../matrix/v2-0.html">Round v2.0</a>' in links
    assert "<table" not in links


# Lines as evidence


def test_a_long_line_is_cut_around_the_value() -> None:
    line = "a" * 500 + " 12.5 " + "b" * 500
    shown = evidence.cut(line, "12.5")
    assert len(shown) == evidence.LONGEST_QUOTE + 2
    assert " 12.5 " in shown
    assert shown.startswith("…a")
    assert shown.endswith("b…")
    assert evidence.cut(line).startswith("aaa")
    assert evidence.cut("short", "x") == "short"


def test_lines_are_quoted_from_the_kept_text_and_escaped(tmp_path: Path) -> None:
    made = Submission(tmp_path)
    folder = made.results("box", "resnet", [record("opt_name", EVIL_VALUE) + "\n\x1b[1mend\n"])
    path = str(folder / "result_0.txt")
    connection = loaded(made.root)
    (folder / "result_0.txt").unlink()
    quotes = Quotes.of(connection, [(path, 1), (path, 2), (path, 99), ("no/such.txt", 1)])
    assert set(quotes.lines) == {(path, 1), (path, 2)}
    html = quotes.html(path, 1, "alert")
    assert "&lt;script&gt;alert(2)" in html
    assert "<script" not in html
    assert "\x1b" not in quotes.html(path, 2)
    assert quotes.html(path, None).endswith(", the file as a whole</code></div>")
    assert quotes.html(None, None) == ""


# A submission


def test_a_submission_shows_evidence_limit_and_remedy(source: Source) -> None:
    page = text(source, submission_verdicts, "v1-1-dell-dell-v1-1")
    place = "set-2xxe8545x4a100-sxm-80gb-rnnt-closed--identical_hyperparameters_across_nodes"
    (article,) = re.findall(rf'<article [^>]*id="{place}">.*?</article>', page)
    assert "<dt>Found</dt><dd>1</dd>" in article
    assert "<dt>Against</dt><dd>8</dd>" in article
    assert re.search(r"rnnt/result_\d\.txt:\d+</code><pre>:::MLLOG .*gradient_accum", article)
    assert "<strong>What to do:</strong>" in article
    assert "<strong>Waived</strong> by the maintainer" in article
    assert 'href="../rules/identical_hyperparameters_across_nodes.html"' in article


def test_a_submission_shows_the_official_verdicts(source: Source) -> None:
    page = text(source, submission_verdicts, "v1-1-dell-dell-v1-1")
    row = re.search(
        r'<tr id="set-2xr750xax4a100-pcie-80gb-resnet-closed--official_rcp">.*?</tr>', page
    )
    assert row is not None
    assert "pass</td>" in row[0]
    assert "training 1.1.0, mlperf-logging" in row[0]


# A rule


def test_every_rule_has_a_page_with_its_words_and_its_query(source: Source) -> None:
    made = {name: source.filled(markdown) for name, _, markdown in rule_page.pages(source)}
    assert set(made) == {rule.name for rule in rules()}
    page = made["super_linear_efficiency"]
    rule = next(rule for rule in rules() if rule.name == "super_linear_efficiency")
    for words in ("Rests on", "Why it matters", "What to do", "When it is wrong", "151.9"):
        assert words in page
    assert rule.query.split("\n")[0].strip().replace("'", "&#x27;") in page
    assert 'href="../submissions/v1-1-dell-dell-v1-1.html#set-2xxe8545x4a100' in page
    assert "Nothing in this database breaks the rule." in made["fio_direct"]


# Reference points


def test_the_reference_chart_has_points_band_and_submissions(source: Source) -> None:
    figure = catalogue.figures()["rcp_convergence"]
    frame = source.frame(figure.view, RESNET, figure.name)
    counts = dict(frame.group_by("mark").len().iter_rows())
    assert counts["submission, passes"] == 6
    assert counts["single run"] == 30
    assert counts["reference, pruned"] > 0
    point = frame.filter((pl.col("mark") == "reference") & (pl.col("batch_size") == 3264))
    set_of_two = frame.filter(
        (pl.col("mark") == "submission, passes") & (pl.col("system") == "2xR750xax4A100-PCIE-80GB")
    )
    assert set_of_two["converged"].to_list() == [35.0]
    assert set_of_two["min_mean"].to_list() == pytest.approx(point["min_mean"].to_list())
    assert set_of_two["min_mean"].to_list() == pytest.approx([34.3096], abs=1e-4)


def test_the_band_lies_under_the_reference_and_between_its_points(source: Source) -> None:
    rows = source.connection.execute(
        "SELECT min(mean - min_mean), count(*) FILTER (is_interpolated) FROM rcp_band"
    ).fetchone()
    assert rows is not None
    assert rows[0] >= 0
    assert rows[1] > 0
    (outside,) = source.connection.execute(
        "SELECT count(*) FROM rcp_band AS b WHERE batch_size > (SELECT max(batch_size) FROM"
        " rcp_point AS p WHERE p.rule_set = b.rule_set AND p.benchmark = b.benchmark)"
    ).fetchone() or (None,)
    assert outside == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reference_chart_is_drawn(source: Source, scheme: Any) -> None:
    figure = catalogue.figures()["rcp_convergence"]
    frame = source.frame(figure.view, RESNET, figure.name)
    spec = specification(figure, frame)
    assert "6 result sets pass and 0 fail" in spec["description"]
    assert "Epochs to converge" in still(spec, scheme).svg


# Hyperparameters


def test_the_comparison_marks_what_differs_between_node_counts(source: Source) -> None:
    made = {name: page for name, _, page in hyperparameter_comparison.pages(source)}
    name = next(name for name in made if "xe8545" in name and name.endswith("rnnt"))
    page = source.filled(made[name])
    row = re.search(r"<tr><th scope=\"row\"><code>gradient_accumulation_steps</code>.*?</tr>", page)
    assert row is not None
    assert re.search(r"<td>8 <small [^>]*>result_\d\.txt:\d+</small></td>", row[0])
    assert re.search(r'<td class="e">.*✕.*<b>1</b> <em>error</em> <small', row[0])


def test_a_difference_to_another_node_count_names_it(source: Source) -> None:
    made = {name: page for name, _, page in hyperparameter_comparison.pages(source)}
    page = source.filled(made[next(name for name in made if "r750xa" in name)])
    assert "<em>warning against 2xR750xax4A100-PCIE-80GB</em>" in page
    assert "<em>explained</em>" in page


def test_the_worst_grade_of_a_value_counts() -> None:
    members = [{"result_set": "a", "base_set": "a"}, {"result_set": "b", "base_set": "a"}]
    values = {
        ("a", "lr"): {"value": "1"}, ("b", "lr"): {"value": "2"},
        ("a", "seed"): {"value": "1"}, ("b", "seed"): {"value": "2"},
        ("a", "same"): {"value": "1"}, ("b", "same"): {"value": "1"},
        ("b", "alone"): {"value": "1"},
    }  # fmt: skip
    common = {"result_set": "b", "key": "lr", "scope": "across node counts"}
    differences = [
        {**common, "severity": "info", "is_base": True, "other_system": "A"},
        {**common, "severity": "warning", "is_base": False, "other_system": "C"},
    ]
    assert hyperparameter_table.grades(members, values, differences) == {
        ("b", "lr"): ("warning", "C"),
        ("b", "seed"): ("not compared", ""),
    }


# Waivers, corrections, summaries


def test_waivers_stand_beside_their_findings(source: Source) -> None:
    rows = listing(source, "waivers").filter(pl.col("rule").str.starts_with("identical")).to_dicts()
    (row,) = rows
    assert row["status"] == "active"
    assert row["subject"] == RNNT
    assert "gradient_accumulation_steps 8 -> 1" in row["message"]
    assert row["author"] == "maintainer"


def test_corrections_say_what_they_guard(source: Source) -> None:
    (row,) = listing(source, "corrections").to_dicts()
    assert row["status"] == "holds"
    assert row["expected"] == pytest.approx(106.5417)
    assert row["in_this_database"] == pytest.approx(106.5417, abs=1e-4)


def test_the_summary_counts_result_sets(source: Source) -> None:
    rows = {row["loaded_as"]: row for row in listing(source, "compliance_rounds").to_dicts()}
    assert rows["dell_v1.1"]["result_sets"] == 14
    assert rows["dell_v1.1"]["with_errors"] == 0
    assert rows["dell_v1.1"]["with_waivers"] == 2
    judged = listing(source, "compliance_judged_by")
    assert "training 1.1.0" in judged["judged_by"].to_list()
    assert judged.filter(pl.col("judged_by") == "levelbook")["result_sets"].to_list() == [15]


# The gate


def test_the_gate_that_was_not_run_says_so(source: Source) -> None:
    assert "has not been run" in quality_html(Page(source, "compliance/quality.md"))


def test_the_gate_tells_raised_from_failed(source: Source) -> None:
    made = Source(**{**source.__dict__, "quality": QUALITY})
    html = quality_html(Page(made, "compliance/quality.md"))
    assert "2 of 4 expectations hold the publication back" in html
    assert "1 passed, 2 failed, 1 raised" in html
    assert "great_expectations 1.24.1" in html
    assert '<a href="../rules/required_runs.html"><code>required_runs</code></a>' in html
    assert "&lt;b&gt;no such column&lt;/b&gt;" in html
    not_passed = html.split("<caption>Not passed</caption>")[1].split("</table>")[0]
    order = re.findall(r"</span> (\w+)</td>", not_passed)
    assert order == ["raised", "failed", "failed"]
    assert "score.system" not in not_passed


# The whole site, and names that are none


def test_links_lead_to_submissions_rules_and_places() -> None:
    row = {"result_set": "s", "collection": "", "round": "v1.1", "organization": "Dell",
           "system": "box", "benchmark": "bert", "division": "closed"}  # fmt: skip
    links = Links().with_verdicts([row], ["l"], ["required_runs"]).at("compliance/index.md")
    assert links.address("organization", row) == "../submissions/v1-1-dell.html"
    assert links.address("compliance", row) == "../submissions/v1-1-dell.html#set-box-bert-closed"
    assert links.address("subject", {"subject": "s"}) == links.address("compliance", row)
    assert links.address("subject", {"subject": "a file"}) is None
    assert links.address("rule", {"rule": "required_runs"}) == "../rules/required_runs.html"
    assert links.address("rule", {"rule": "../x"}) is None
    assert links.address("hyperparameters", {"ladder": "l"}) == "../hyperparameters/l.html"


def test_an_empty_database_has_an_empty_matrix(tmp_path: Path) -> None:
    made = source_of(tmp_path)
    html = made.filled(expanded("<!-- compliance_matrix -->", Page(made, "compliance/index.md")))
    assert "holds no result set yet" in html


@pytest.mark.parametrize(
    "pattern",
    ["compliance/index.html", "submissions/*.html", "rules/identical_hyper*within_set.html",
     "findings/*.html", "compliance/submissions.html", "benchmarks/resnet.html"],
)  # fmt: skip
def test_hostile_names_and_values_stay_text(evil_site: Path, pattern: str) -> None:
    files = list(evil_site.glob(pattern))
    assert files
    for file in files:
        page = file.read_text(encoding="utf-8")
        assert "<img src=x" not in page, file
        assert "<script>alert" not in page, file
        assert "E <i>vil" not in page, file


def test_hostile_text_is_shown_as_it_is(evil_site: Path) -> None:
    (file,) = evil_site.glob("submissions/*.html")
    page = file.read_text(encoding="utf-8")
    assert "&lt;img src=x onerror=alert(1)&gt; {#x} [y](z) `w` &amp;" in page
    assert "&lt;script&gt;alert(2)&lt;/script&gt;" in page


def test_the_site_is_whole_and_asks_no_other_host(evil_site: Path) -> None:
    assert broken_links(evil_site) == []
    assert (evil_site / "quality.json").is_file()
    assert 'href="../quality.json"' in (evil_site / "compliance" / "quality.html").read_text(
        encoding="utf-8"
    )
