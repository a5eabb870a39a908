"""Bins of fio: what they hold, and that they give the percentiles that fio itself prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SAMPLES

from ingest.fio.bins import bin_of, bin_value, log_bin_values_ns

OWN = ROOT.parent / "shared" / "corpus" / "own" / "fio"


@pytest.fixture(scope="module")
def own() -> Path:
    if not OWN.is_dir():
        pytest.skip(f"the corpus of fio outputs is not here: {OWN}")
    return OWN


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (0, 0),
        (127, 127),
        (128, 129),  # 128 and 129
        (191, 255),
        (192, 258),  # 256 to 259
        (640, 33_024),
        (1215, 16_711_680),  # the last bin up to 2.21, 16.7 s in us
        (1855, 17_112_760_320),  # the last bin from 2.99, 17.1 s in ns
    ],
)
def test_a_bin_has_the_middle_of_its_range(index: int, value: int) -> None:
    assert bin_value(index) == value


def test_bins_follow_each_other_without_a_gap() -> None:
    assert [bin_of(value) for value in range(128)] == list(range(128))
    first, index = 128, 128
    while index < 1856:
        width = 1 << (index // 64 - 1)
        assert bin_of(first - 1) == index - 1
        assert bin_of(first) == bin_of(first + width - 1) == index
        assert bin_value(index) == first + width // 2
        first, index = first + width, index + 1


@pytest.mark.parametrize("bins", [0, 1, 18, 57, 235, 1215, 1217, 1857, 3712])
def test_no_fio_prints_so_many_bins(bins: int) -> None:
    assert log_bin_values_ns(bins) is None


@pytest.mark.parametrize("coarseness", range(7))
@pytest.mark.parametrize(("bins", "unit_ns"), [(1216, 1_000), (1856, 1)])
def test_the_number_of_bins_says_the_unit_and_the_coarseness(
    bins: int, unit_ns: int, coarseness: int
) -> None:
    values = log_bin_values_ns(bins >> coarseness)
    assert values is not None
    assert len(values) == bins >> coarseness
    assert list(values) == sorted(values)
    stride = 1 << coarseness
    for index, value in enumerate(values):
        assert bin_of(int(value / unit_ns)) // stride == index


def test_coarse_bins_have_the_middle_of_all_that_they_sum() -> None:
    values = log_bin_values_ns(232)
    assert values is not None
    assert values[0] == 3.5  # 0 to 7
    assert values[15] == 123.5
    assert values[16] == 136  # 128 to 143, in eight bins of two
    assert values[231] == (bin_value(1848) + bin_value(1855)) / 2


def _latencies(document: Any) -> Iterator[dict[str, Any]]:
    """Every latency object of a result."""
    if isinstance(document, dict):
        for key, value in document.items():
            if key in ("slat", "clat", "lat", "slat_ns", "clat_ns", "lat_ns"):
                yield value
            yield from _latencies(value)
    elif isinstance(document, list):
        for each in document:
            yield from _latencies(each)


def _documents(folder: Path) -> Iterator[Any]:
    decoder = json.JSONDecoder(strict=False)
    for path in sorted(folder.glob("**/*.json")):
        text = path.read_text(errors="replace")
        try:
            yield decoder.raw_decode(text, text.find("\n{") + 1)[0]
        except json.JSONDecodeError:
            continue


def test_every_percentile_and_bin_that_fio_printed_is_the_value_of_a_bin(own: Path) -> None:
    checked = 0
    for document in _documents(own):
        for latency in _latencies(document):
            bins = latency.get("bins")
            values = [int(value) for value in bins if value.isdigit()] if bins else []
            values += [value for value in latency.get("percentile", {}).values() if value]
            for value in values:
                checked += 1
                assert bin_value(bin_of(value)) == value
    assert checked > 10_000


def _percentile(counts: list[int], percentile: float) -> int:
    """The index of the bin that fio would take."""
    total, seen = sum(counts), 0
    for index, count in enumerate(counts):
        seen += count
        if seen >= percentile / 100 * total:
            return index
    raise AssertionError


def test_json_plus_bins_give_the_percentiles_of_the_same_file(own: Path) -> None:
    checked = 0
    for path in sorted(own.glob("versions/v3_*_jsonplus.json")):
        (job,) = json.loads(path.read_text())["jobs"]
        latency = job["read"]["clat_ns"]
        counts = [0] * 1856
        for value, count in latency["bins"].items():
            counts[bin_of(int(value))] = count
        for percentile, value in latency["percentile"].items():
            if value:
                assert bin_value(_percentile(counts, float(percentile))) == value, path.name
                checked += 1
    assert checked == 4 * 17


def test_the_histogram_log_gives_the_percentiles_of_its_run(own: Path) -> None:
    """The log lacks three of 55,775 I/Os, and sums eight bins: fio's value lies within them."""
    lines = (own / "logs/hist/hist_clat_hist.1.log").read_text().splitlines()
    windows = [[int(text) for text in line.split(", ")][3:] for line in lines]
    counts = [sum(window) for window in zip(*windows, strict=True)]
    (job,) = json.loads((own / "logs/hist.json").read_text())["jobs"]
    assert (sum(counts), job["read"]["total_ios"]) == (55_772, 55_775)
    for percentile, value in job["read"]["clat_ns"]["percentile"].items():
        assert bin_of(value) // 8 == _percentile(counts, float(percentile))


def test_samples_have_as_many_bins_as_fio_prints() -> None:
    for name, bins in (("hist_clat_hist.1.log", 232), ("histc0_clat_hist.1.log", 1856)):
        line = (SAMPLES / "fio_hist_log" / name).read_text().splitlines()[0]
        assert line.count(",") - 2 == bins
