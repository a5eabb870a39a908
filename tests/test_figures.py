"""The figures as pure functions of frames, with the numbers of the public Dell v1.1 results."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from reports import catalogue, theme
from reports.figures import (
    benchmark_convergence,
    benchmark_scaling,
    benchmark_scores,
    resnet_loss,
    resnet_scaling,
    xe8545_revised,
    xe8545_submitted,
)
from reports.rendering import specification, still, vega_lite_version
from reports.tables import WITHHELD

R750XA = {1: 62.9491, 2: 32.0870, 4: 17.3363, 8: 10.5857}


def score_row(**changed: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "collection": "c",
        "round": "v1.1",
        "division": "closed",
        "organization": "Dell",
        "system": "R750xa",
        "benchmark": "resnet",
        "benchmark_title": "ResNet-50",
        "family": "R750xa",
        "nodes": 1,
        "accelerators": 4,
        "accelerator_model": "A100",
        "run_number": 0,
        "time_to_train_min": 63.0,
        "slowest_min": 63.0,
        "status": "success",
        "score_min": 62.9491,
        "is_plain_mean": False,
        "ideal_min": 62.9491,
        "base_system": "R750xa",
        "speedup": 1.0,
        "efficiency_pct": 100.0,
        "is_like_for_like": True,
        "is_printable": True,
        "reason": None,
        "note": None,
        "footnote": None,
        "score_verification": "official",
        "verification": "official",
        "kind": "reconstructed",
        "start": "result_0.txt:12",
        "stop": "result_0.txt:800",
    }
    return row | changed


def r750xa() -> pl.DataFrame:
    rows = [
        score_row(
            system="R750xa" if nodes == 1 else f"{nodes}xR750xa",
            nodes=nodes,
            accelerators=4 * nodes,
            score_min=score,
            ideal_min=R750XA[1] / nodes,
            efficiency_pct=100 * R750XA[1] / score / nodes,
            run_number=run,
            time_to_train_min=score + run / 10,
            slowest_min=score + 0.4,
        )
        for nodes, score in R750XA.items()
        for run in range(5)
    ]
    return pl.DataFrame(rows)


def xe8545_rnnt(**second: Any) -> pl.DataFrame:
    base = {"benchmark": "rnnt", "benchmark_title": "RNN-T", "base_system": "XE8545"}
    one = score_row(**base, system="XE8545", score_min=106.5417)
    two = score_row(**base, system="2xXE8545", nodes=2, score_min=35.0680, efficiency_pct=151.9)
    return pl.DataFrame([one, two | second], infer_schema_length=None)


def marks(chart: Any, name: str) -> list[dict[str, Any]]:
    """The rows of data behind all layers with this kind of mark."""
    spec = chart.to_dict()
    layers = [layer for layer in spec["layer"] if layer["mark"]["type"] == name]
    found = []
    for layer in layers:
        data = layer.get("data", spec.get("data", {}))
        found += data.get("values") or spec["datasets"][data["name"]]
    return found


def test_figure_1_shows_the_scores_the_ideal_and_the_efficiency() -> None:
    bars = marks(resnet_scaling.chart(r750xa()), "bar")
    assert [(row["nodes"], row["score_min"]) for row in bars] == list(R750XA.items())
    assert [row["label"].split() for row in bars] == [
        ["62.949", "min"],
        ["32.087", "min", "98.1", "%"],
        ["17.336", "min", "90.8", "%"],
        ["10.586", "min", "74.3", "%"],
    ]
    ideal = marks(resnet_scaling.chart(r750xa()), "line")
    assert [row["ideal_min"] for row in ideal] == [R750XA[1] / nodes for nodes in R750XA]


def test_figure_1_shows_every_single_run() -> None:
    runs = marks(resnet_scaling.chart(r750xa()), "point")
    assert len(runs) == 20
    assert {row["stop"] for row in runs} == {"result_0.txt:800"}


def test_figure_1_alternative_text_comes_from_the_data() -> None:
    text = resnet_scaling.alt_text(r750xa())
    assert "ResNet-50 on 8 nodes: 10.586 min, efficiency 74.3 %" in text


def test_bars_start_at_zero_and_axes_name_the_unit() -> None:
    spec = resnet_scaling.chart(r750xa()).to_dict()
    encoding = spec["layer"][0]["encoding"]["y"]
    assert encoding["scale"]["domain"][0] == 0
    assert "Minutes" in encoding["title"]


def test_the_loss_is_shown_as_efficiency_and_its_three_factors() -> None:
    factors = {
        "scaling efficiency": 74.3,
        "throughput": 95.6,
        "convergence": 77.8,
        "overhead": 99.9,
    }
    rows = [{"nodes": 8, "factor": name, "value_pct": value} for name, value in factors.items()]
    frame = pl.DataFrame(rows)
    shown = marks(resnet_loss.chart(frame), "bar")
    assert {row["factor"]: row["value_pct"] for row in shown} == factors
    assert "8 nodes: 74.3 % scaling efficiency, 95.6 % throughput" in resnet_loss.alt_text(frame)


def test_rnnt_is_printed_with_a_mark_when_a_waiver_allows_it() -> None:
    frame = xe8545_rnnt(is_like_for_like=False, footnote="a waiver")
    labels = [row["label"] for row in marks(xe8545_submitted.chart(frame), "bar")]
    assert labels == ["106.542 min", "35.068 min\n151.9 %, not like for like *"]


def test_efficiency_is_withheld_from_figure_and_text_without_a_waiver() -> None:
    frame = xe8545_rnnt(is_like_for_like=False, is_printable=False, efficiency_pct=None)
    chart = xe8545_submitted.chart(frame)
    assert marks(chart, "bar")[1]["label"] == f"35.068 min\n{WITHHELD}"
    assert "151.9" not in json.dumps(chart.to_dict()) + xe8545_submitted.alt_text(frame)


def test_an_unverified_score_says_so_next_to_the_number() -> None:
    frame = xe8545_rnnt(efficiency_pct=110.2, verification="unverified", is_like_for_like=None)
    frame = frame.with_columns(
        pl.when(pl.col("nodes") == 1)
        .then(pl.lit("unverified"))
        .otherwise("score_verification")
        .alias("score_verification"),
        pl.when(pl.col("nodes") == 1).then(77.31).otherwise("score_min").alias("score_min"),
    )
    labels = [row["label"] for row in marks(xe8545_revised.chart(frame), "bar")]
    assert labels[0] == "77.310 min unverified"
    assert labels[1] == "35.068 min\n110.2 %, unverified, not known if like for like *"


def test_a_missing_score_is_shown_with_its_reason() -> None:
    known = score_row()
    missing = score_row(system="other", score_min=None, reason="two of five runs failed")
    frame = pl.DataFrame([known, missing], infer_schema_length=None)
    labels = [row["label"] for row in marks(benchmark_scores.chart(frame), "text")]
    assert labels == ["62.949", "no score: two of five runs failed"]
    assert "1 without a score" in benchmark_scores.alt_text(frame)


def test_scores_survive_when_nothing_has_a_score_or_a_time() -> None:
    row = score_row(score_min=None, time_to_train_min=None, slowest_min=None, reason=None)
    schema = {"score_min": pl.Float64, "time_to_train_min": pl.Float64, "slowest_min": pl.Float64}
    frame = pl.DataFrame([row], schema_overrides=schema)
    assert marks(benchmark_scores.chart(frame), "text")[0]["label"].startswith("no score")


def test_scores_of_92_systems_have_a_row_each() -> None:
    rows = [score_row(system=f"system {n}", score_min=float(n + 1)) for n in range(92)]
    spec = benchmark_scores.chart(pl.DataFrame(rows)).to_dict()
    assert len(spec["layer"][0]["encoding"]["y"]["sort"]) == 92
    assert spec["height"] > 92 * 15


def test_collections_are_named_only_where_there_are_several() -> None:
    rows = [score_row(), score_row(collection="other")]
    shown = marks(benchmark_scores.chart(pl.DataFrame(rows)), "text")
    assert {row["row"] for row in shown} == {"Dell R750xa [c]", "Dell R750xa [other]"}


def test_scaling_has_two_logarithmic_axes_and_labels_the_largest_scale() -> None:
    frame = r750xa().filter(pl.col("run_number") == 0)
    chart = benchmark_scaling.chart(frame)
    spec = chart.to_dict()
    line = spec["layer"][1]["encoding"]
    assert line["x"]["scale"]["type"] == line["y"]["scale"]["type"] == "log"
    assert [row["label"] for row in marks(chart, "text")] == ["74.3 %"]
    assert "32 accelerators 10.586 minutes (74.3 %)" in benchmark_scaling.alt_text(frame)


def convergence(**changed: Any) -> pl.DataFrame:
    row = {
        "collection": "c",
        "organization": "Dell",
        "system": "R750xa",
        "run_number": 0,
        "ordinal": 1,
        "metric": "accuracy",
        "quality": "top-1 accuracy",
        "is_lower_better": False,
        "accuracy": 0.7,
        "epoch_num": 3.0,
        "samples_trained": None,
        "minutes_since_start": 5.0,
        "evidence": "result_0.txt:99",
    }
    later = row | {"ordinal": 2, "accuracy": 0.76, "epoch_num": 35.0}
    return pl.DataFrame([row | changed, later | changed], infer_schema_length=None)


def axis(frame: pl.DataFrame, name: str) -> dict[str, Any]:
    encoding: dict[str, Any] = benchmark_convergence.chart(frame).to_dict()["layer"][0]["encoding"]
    found: dict[str, Any] = encoding[name]
    return found


def test_convergence_counts_epochs_and_falls_back_to_samples() -> None:
    assert axis(convergence(), "x")["title"] == "Epoch"
    samples = convergence(epoch_num=None).with_columns(samples_trained=pl.Series([100.0, 200.0]))
    assert axis(samples, "x")["title"] == "Samples"
    miscounted = convergence(epoch_num=200_000.0).with_columns(
        minutes_since_start=pl.Series([1.0, 2.0])
    )
    assert axis(miscounted, "x")["title"] == "Minutes"
    assert "0.7 to 0.76 at epoch 35" in benchmark_convergence.alt_text(convergence())


def test_convergence_does_not_take_a_placeholder_for_an_epoch() -> None:
    """BERT logs epoch 1 at every evaluation of some rounds."""
    bert = convergence(epoch_num=1.0).with_columns(minutes_since_start=pl.Series([1.0, 2.0]))
    assert axis(bert, "x")["title"] == "Minutes"


def test_convergence_says_what_was_measured_and_which_way_is_better() -> None:
    assert axis(convergence(), "y")["title"] == "Top-1 accuracy"
    errors = convergence(quality="word error rate", is_lower_better=True)
    assert axis(errors, "y")["title"] == "Word error rate (less is better, log scale)"
    assert axis(errors, "y")["scale"]["type"] == "log"


def test_every_figure_has_its_words() -> None:
    for figure in catalogue.figures().values():
        assert figure.view.strip().upper().startswith(("SELECT", "WITH"))
        assert figure.title
        assert not figure.title.endswith(".")
        assert figure.caption.endswith(".")


def test_placed_figures_come_in_their_order() -> None:
    placed = catalogue.placed(catalogue.figures(), "benchmark")
    assert [figure.name for figure in placed] == [
        "benchmark_scores",
        "benchmark_scaling",
        "benchmark_convergence",
        "rcp_convergence",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_figure_is_drawn_the_same_twice(scheme: theme.Scheme) -> None:
    figure = catalogue.figures()["resnet_scaling"]
    first, second = (specification(figure, r750xa()) for _ in range(2))
    assert json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)
    drawn = still(first, scheme)
    assert drawn == still(second, scheme)
    assert "62.949 min" in drawn.svg
    assert drawn.width > 400


def test_charts_carry_no_colours_of_their_own() -> None:
    spec = specification(catalogue.figures()["xe8545_submitted"], xe8545_rnnt())
    assert "config" not in spec
    assert "#" not in json.dumps(spec["layer"])
    assert spec["description"].startswith("Bar chart")


def test_the_vega_lite_version_is_one_that_can_be_drawn() -> None:
    import vl_convert

    assert vega_lite_version() in vl_convert.get_vegalite_versions()


def test_both_schemes_give_the_same_settings_in_other_colours() -> None:
    light, dark = theme.chart_config("light"), theme.chart_config("dark")
    assert light.keys() == dark.keys()
    assert light["range"]["category"] != dark["range"]["category"]
    assert theme.theme_script().startswith("window.levelbookTheme = {")
