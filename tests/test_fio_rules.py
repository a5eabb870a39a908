"""Every rule about fio: outputs that break it and outputs that do not; findings on real files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SAMPLES
from fio_outputs import MIB, Bench, JobText, job, latency, output, percentiles
from mlperf_logs import loaded, rows

from warehouse.rules import rules

DATA = ROOT / "data"
OWN = ROOT.parent / "shared" / "corpus" / "own" / "fio"
NAMES = [rule.name for rule in rules() if rule.name.startswith("fio_")]
SERIES = "Acme/"

Make = Callable[[Bench], object]


@dataclass(frozen=True)
class Case:
    """Outputs that break a rule and, but for that, the same that do not.

    `subject` is how the subject of the finding begins or ends: a series, or a file.
    """

    rule: str
    breaks: Make
    keeps: Make
    severity: str
    message: str
    subject: str = SERIES
    line_holds: str | None = None


def point(*jobs: JobText, runs: int = 3, **common: Any) -> Make:
    return lambda bench: bench.point("a", *jobs, runs=runs, **common)


def one(text: str) -> Make:
    return lambda bench: bench.write("a.json", text)


def said(make: Make, **fields: str | float) -> Make:
    """With these fields in source.toml."""

    def both(bench: Bench) -> None:
        bench.say(**fields)
        make(bench)

    return both


def points(*made: tuple[str, list[JobText]], **common: Any) -> Make:
    """Several test points, or several versions of fio."""

    def all_of_them(bench: Bench) -> None:
        for name, jobs in made:
            bench.point(name, *jobs, **common)

    return all_of_them


def clients(*names: str, **common: Any) -> list[JobText]:
    return [job(client=f"{name}:8765", **common) for name in names]


def grows_to(blocks: int) -> Make:
    """From one job to two of them, which move so many blocks."""
    fixed = {"size": "6000m"}
    two = job(numjobs=2, blocks=blocks, options=fixed)
    return points(("a", [job(options=fixed)]), ("b", [two]))


def options(**changed: str | None) -> JobText:
    return job(options=changed)


def versions(*names: str) -> Make:
    def make(bench: Bench) -> None:
        for number, name in enumerate(names):
            bench.point(f"v{number}", job(), version=name)

    return make


def two_systems(second: str) -> Make:
    def make(bench: Bench) -> None:
        bench.point("a", job())
        other = Bench(bench.root, "Other")
        other.point("a", job(), version=second)

    return make


def logged(*kib_per_s: int) -> Make:
    """A run with a bandwidth log of one job, a line each 100 ms."""

    def make(bench: Bench) -> None:
        bench.write("a.json", output(job(options={"write_bw_log": "a"})))
        lines = [f"{(n + 1) * 100}, {rate}, 0, 0, 0\n" for n, rate in enumerate(kib_per_s)]
        bench.write("a_bw.1.log", "".join(lines))

    return make


def bins(count: int) -> JobText:
    kept = latency(40e6 * 0.99, 6000) | {"bins": {"39845888": 5000, "40370176": count}}
    return job(clat_ns=kept)


def tail(**changed: int) -> JobText:
    kept = latency(40e6 * 0.99, 6000)
    return job(clat_ns=kept | {"percentile": percentiles(40e6) | changed})


BUFFERED = {"direct": "0"}
CACHED = {"vda": {"read_ios": 9, "read_sectors": 2048}}
FROM_DISK = {"vda": {"read_ios": 9, "read_sectors": 6000 * MIB // 512}}
KILLED = "fio: pid=4711, got signal=9\n"
EVEN = clients("h1", "h2")
UNEVEN = [*clients("h1"), *clients("h2", blocks=5000)]
LATE = [*clients("h1"), *clients("h2", started_s=1.5)]
LONGER = [*clients("h1"), *clients("h2", seconds=63.0)]
UNMEASURED: dict[str, Any] = {"clat_ns": {}, "lat_ns": {}, "slat_ns": {}}
RATED = {"rate": "100m"}
STEADY = (100_000, 101_000, 99_000) * 10
FALLING = tuple(100_000 - 800 * n for n in range(30))

CASES = [
    Case("fio_job_error", one(output(job(error=28))), one(output(job())), "error",
         "job seqread on local ended with error 28", "a.json", '"jobname"'),
    Case("fio_lost_client", said(one(output(*EVEN)), clients=3),
         said(one(output(*EVEN)), clients=2), "error", "2 of 3 clients reported a result",
         "a.json"),
    Case("fio_lost_client", one(output(*EVEN)), said(one(output(*EVEN)), clients=2), "info",
         "does not say how many clients were planned"),
    Case("fio_lost_client",
         said(points(("a", EVEN), ("b", clients("h1", "h3"))), clients=2),
         said(points(("a", EVEN), ("b", clients("h2", "h1"))), clients=2), "warning",
         "client h3:8765 took no part in the run with the most clients of the series", ".json"),
    Case("fio_dead_job", one(output(job(), job(blocks=0))), one(output(job(), job())), "error",
         "job seqread on local moved no bytes in the direction that it was asked for", "a.json"),
    Case("fio_missing_job",
         one(output(*[job(options={"numjobs": "3"})] * 2)),
         one(output(*[job(options={"numjobs": "3"})] * 3)), "error",
         "2 entries are there, numjobs is 3", "a.json"),
    Case("fio_missing_job", one(output(job(numjobs=4) | {"job_runtime": 180_000})),
         one(output(job(numjobs=4))), "error",
         "its merged jobs ran 3.0 run times in all, numjobs is 4", "a.json"),
    Case("fio_output_note", one(output(job(), before=KILLED)),
         one(output(job(), before="note: both iodepth >= 1 and synchronous I/O engine\n")), "error",
         "fio printed: fio: pid=4711, got signal=9", "a.json", "got signal=9"),
    Case("fio_output_note", one(output(job(), before=KILLED * 3)), one(output(job())), "error",
         "got signal=9 (and 2 more such lines)", "a.json", "got signal=9"),
    Case("fio_incomplete_output", one(output(job(), job())[:-400]), one(output(job(), job())),
         "error", "the document breaks off", "a.json"),
    Case("fio_recomputed_numbers", one(output(job(bw_bytes=100 * MIB * 102 // 100))),
         one(output(job(bw_bytes=100 * MIB * 1005 // 1000))), "error",
         "bandwidth 106954752.0 B/s is printed, bytes over run time gives 104857600.0", "a.json"),
    Case("fio_recomputed_numbers", one(output(job(iops=102.5))), one(output(job(iops=100.9))),
         "error", "rate 102.5 I/O/s is printed, operations over run time gives 100.0", "a.json"),
    Case("fio_recomputed_numbers", one(output(options(bs="2m"))), one(output(options(bs="1024k"))),
         "error", "block size 2097152.0 B was asked for, bytes over operations gives 1048576.0",
         "a.json"),
    Case("fio_percentiles", one(output(tail(**{"99.900000": 50_000_000}))),
         one(output(tail(**{"99.900000": 60_000_000}))), "error",
         "the percentile 99.9 is 50000.0 us, the one below it 60000.0 us", "a.json", "99.900000"),
    Case("fio_percentiles", one(output(tail(**{"99.900000": 80_000_000}))),
         one(output(tail(**{"99.900000": 79_800_000}))), "error",
         "the percentile 99.9 is 80000.0 us, the largest latency 79200.0 us", "a.json",
         "99.900000"),
    Case("fio_percentiles", one(output(bins(999))), one(output(bins(1000))), "error",
         "its bins hold 5999 I/Os, 6000 were measured", "a.json"),
    Case("fio_percentiles", one(output(job(lat_ns=latency(40e6, 5000)))),
         one(output(job(lat_ns=latency(40e6, 5900)))), "error",
         "5000 I/Os were measured, 6000 were done", "a.json"),
    Case("fio_short_ios", one(output(job(short_ios=2))), one(output(job())), "error",
         "2 short of 6000 I/Os", "a.json", '"read"'),
    Case("fio_short_ios", one(output(job(short_ios=1))), one(output(job())), "info",
         "1 short of 6000 I/Os", "a.json", '"read"'),
    Case("fio_short_ios", one(output(job(drop_ios=1))), one(output(job())), "error",
         "1 dropped of 6000 I/Os", "a.json", '"read"'),
    Case("fio_direct", point(options(direct=None)), point(options(direct=None, buffered="0")),
         "warning", "direct is not set, so it is 0: 3 runs go through the page cache"),
    Case("fio_direct", point(options(**BUFFERED)), point(job()), "warning",
         "direct=0 is set: 3 runs go through the page cache"),
    Case("fio_working_set", said(point(options(**BUFFERED)), client_memory_gib=4),
         said(point(job()), client_memory_gib=4), "warning",
         "client local works on 5.86 GiB and has 4.0 GiB of memory, without direct", ".json"),
    Case("fio_working_set",
         said(point(job(numjobs=2, options={**BUFFERED, "filename": "f"})), client_memory_gib=2),
         said(point(job(numjobs=2, options=BUFFERED)), client_memory_gib=2), "warning",
         "client local works on 2.93 GiB and has 2.0 GiB of memory", ".json"),
    Case("fio_page_cache", one(output(options(**BUFFERED), disks=CACHED)),
         one(output(options(**BUFFERED), disks=FROM_DISK)), "warning",
         "the jobs read 6291.5 MB, the disks at most 1.0 MB in 9 reads", "a.json"),
    Case("fio_limited_run", point(options(**RATED, thinktime="5")), point(options(thinktime="0")),
         "warning", "rate=100m, thinktime=5: 3 runs do not show the most"),
    Case("fio_limited_run", point(options(invalidate="0")), point(options(invalidate="1")),
         "warning", "invalidate=0: 3 runs"),
    Case("fio_run_time", point(job(seconds=59.0, options={"time_based": None})),
         point(job(options={"time_based": None})), "warning",
         "3 of 3 results ran 59.0 s, under 60 s"),
    Case("fio_run_time", one(output(job(seconds=80.0, options={"runtime": "100"}))),
         one(output(job(seconds=95.0, options={"runtime": "100"}))), "error",
         "ran 80.0 s of 100.0 s although time_based is set", "a.json"),
    Case("fio_run_time",
         one(output(job(seconds=80.0, options={"runtime": "100", "time_based": None}))),
         one(output(job(seconds=95.0, options={"runtime": "100", "time_based": None}))), "warning",
         "ran 80.0 s of the 100.0 s that were asked for", "a.json"),
    Case("fio_ramp_time", point(options(ramp_time=None)), point(options(ramp_time="1")), "warning",
         "ramp_time is not set: the first seconds are in the mean of 3 runs"),
    Case("fio_ramp_time", point(options(ramp_time=None)),
         point({**options(ramp_time=None), "steadystate": {"attained": 1}}), "warning", "3 runs"),
    Case("fio_steady_state", logged(*FALLING), logged(*STEADY), "warning",
         "the read bandwidth in 10 windows of the run departs up to", "a.json", "100, 100000"),
    Case("fio_depth_reached", one(output(job(iodepth=16, shares={"8": 12.0, "16": 88.0}))),
         one(output(job(iodepth=16, shares={"8": 9.0, "16": 91.0}))), "warning",
         "88.0 % of the I/Os were at the depth, iodepth=16 was asked for", "a.json"),
    Case("fio_depth_reached", one(output(job(options={"ioengine": "psync"}))),
         one(output(job(iodepth=1, options={"ioengine": "psync"}))), "warning",
         "engine psync has one I/O at a time, iodepth=4 was asked for", "a.json"),
    Case("fio_depth_reached", one(output(job(shares={"1": 50.0, "4": 50.0}))),
         one(output(job(shares={"1": 50.0, "4": 50.0}, options=RATED))), "warning",
         "50.0 % of the I/Os", "a.json"),
    Case("fio_littles_law", one(output(job(lat_ns=latency(30e6, 6000)))),
         one(output(job(lat_ns=latency(37e6, 6000)))), "warning",
         "mean latency times rate is 3.0 I/Os under way, depth times jobs is 4", "a.json"),
    Case("fio_littles_law", one(output(job(lat_ns=latency(30e6, 6000)))),
         one(output(job(lat_ns=latency(30e6, 6000), options=RATED))), "warning", "3.0", "a.json"),
    Case("fio_run_together", one(output(*LATE)), one(output(*EVEN)), "warning",
         "the jobs (read) started 1.5 s apart", "a.json"),
    Case("fio_run_together", one(output(*LONGER)), one(output(*EVEN)), "warning",
         "ran 60.0 to 63.0 s, 5.0 % apart", "a.json"),
    Case("fio_balance", one(output(*UNEVEN)), one(output(*EVEN)), "warning",
         "client h2:8765 got the least (read): 87.4 MB/s", "a.json", '"read"'),
    Case("fio_same_job_file", points(("a", [job()]), ("b", clients("h1", "h2", options=RATED))),
         points(("a", [job()]), ("b", clients("h1", "h2"))), "warning",
         "only in rate=100m against rate not set; no point of it is measured there"),
    Case("fio_same_job_file", points(("a", [job()]), ("b", [job(options=RATED)])),
         points(("a", [job()]), ("b", [job(options={"bs": "512k"})])), "info",
         "only in rate=100m against rate not set"),
    Case("fio_same_job_file", one(output(job(), job("other", options=RATED))),
         one(output(job(), job("other"))), "warning",
         "the jobs of this run have different job files", "a.json"),
    Case("fio_same_version", versions("fio-3.42", "fio-3.33"), versions("fio-3.42", "fio-3.42"),
         "warning", "fio-3.33 on Acme (3 results), fio-3.42 on Acme (3 results)", "read-"),
    Case("fio_same_version", two_systems("fio-3.33"), two_systems("fio-3.42"), "warning",
         "fio-3.33 on Other (3 results), fio-3.42 on Acme (3 results)", "read-"),
    Case("fio_total_io", point(options(size="3000m")), point(job()), "warning",
         "3 of 3 results moved 2.0 times the working set: what was read again may come from"),
    Case("fio_total_io", point(options(size="12000m")), point(job()), "info",
         "moved 0.5 times the working set: a part of it was never touched"),
    Case("fio_cpu_bound", one(output(job(user_pct=86.0))), one(output(job(user_pct=84.0))),
         "warning", "job seqread on local spent 91.0 % of its time on the processor", "a.json"),
    Case("fio_cpu_bound", said(point(job(numjobs=4)), client_cores=2),
         said(point(job(numjobs=4)), client_cores=4), "info",
         "3 runs have more jobs on a client than cores: up to 4 on 2"),
    Case("fio_network_bound", said(one(output(*EVEN)), link_gbit_s=0.9),
         said(one(output(*EVEN)), link_gbit_s=1.0), "warning",
         "(read) moved 104.9 MB/s, 93.2 % of its link of 0.9 Gbit/s", "a.json"),
    Case("fio_repetitions", point(job(), runs=2), point(job()), "warning",
         "1 of 1 test point has 2 runs"),
    Case("fio_compressible_data", point(job(rw="write")),
         point(job(rw="write", options={"refill_buffers": ""})), "info",
         "neither refill_buffers nor buffer_compress_percentage is set: what 3 runs wrote"),
    Case("fio_compressible_data", point(job(rw="write", options={"zero_buffers": ""})),
         point(job()), "warning", "zero_buffers or buffer_pattern is set"),
    Case("fio_random_map", point(job(rw="randread")),
         point(job(rw="randread", options={"randrepeat": "0"})), "warning",
         "randrepeat is not 0: 3 runs read or write the same blocks in the same order"),
    Case("fio_random_map",
         point(job(rw="randread", options={"randrepeat": "0", "norandommap": ""})),
         point(job(rw="randread"), runs=1), "info", "norandommap is set"),
    Case("fio_latency_not_measured", point(job(**UNMEASURED)), point(job()), "info",
         "3 of 3 results have no latency (read)"),
    Case("fio_latency_kind",
         point(job(clat_ns=latency(39e6, 6000),
                   lat_ns=latency(40e6, 6000) | {"percentile": percentiles(40e6)})),
         point(job()), "info", "the percentiles of 3 runs are of lat"),
    Case("fio_merged_jobs", one(output(job(numjobs=2, options={"rw": "write"}))),
         one(output(job(numjobs=2))), "info", "group 0 holds different jobs", "a.json"),
    Case("fio_super_linear", grows_to(12_700), grows_to(12_500), "info",
         "at 2 jobs is 221.9 MB/s, 1.06 times the linear line of 209.7 MB/s"),
]  # fmt: skip

IN_THEIR_OWN_FORM = ("fio_rounded_numbers",)  # broken by text, not by JSON: tested below


ACROSS_COLLECTIONS = ("fio_same_version",)  # its cases would meet in one database
FINDINGS = "select * from finding where rule like 'fio%' order by path, line, message"


def made(folder: Path, make: Make) -> Path:
    """The folder, filled."""
    make(Bench(folder))
    return folder


def found(folder: Path, make: Make) -> list[dict[str, Any]]:
    """What is found where these outputs are alone."""
    return rows(loaded(made(folder, make), data=DATA), FINDINGS)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, list[dict[str, Any]]]:
    """The findings of all cases by folder: `breaks` and `keeps` of each, loaded at once."""
    root = tmp_path_factory.mktemp("fio_rules")
    together = [case for case in CASES if case.rule not in ACROSS_COLLECTIONS]
    for number, case in enumerate(CASES):
        made(root / f"{number} breaks", case.breaks)
        made(root / f"{number} keeps", case.keeps)
    at = {case: number for number, case in enumerate(CASES)}
    folders = [root / f"{at[case]} {side}" for case in together for side in ("breaks", "keeps")]
    everything = rows(loaded(*folders, data=DATA), FINDINGS)
    by_folder: dict[Path, list[dict[str, Any]]] = {folder: [] for folder in root.iterdir()}
    for one in everything:
        by_folder[root / Path(one["path"]).relative_to(root).parts[0]].append(one)
    for folder in set(by_folder) - set(folders):
        by_folder[folder] = rows(loaded(folder, data=DATA), FINDINGS)
    return by_folder


def of_case(
    judged: dict[Path, list[dict[str, Any]]], case: Case, side: str
) -> list[dict[str, Any]]:
    name = f"{CASES.index(case)} {side}"
    folder = next(folder for folder in judged if folder.name == name)
    return [one for one in judged[folder] if one["rule"] == case.rule]


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_a_pair(name: str) -> None:
    covered = {case.rule for case in CASES} | set(IN_THEIR_OWN_FORM)
    assert name in covered, f"rules/{name}.sql has no case in test_fio_rules.py"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.severity}")
def test_outputs_that_break_the_rule(judged: dict[Path, list[dict[str, Any]]], case: Case) -> None:
    first = next(one for one in of_case(judged, case, "breaks") if one["severity"] == case.severity)
    assert case.message in first["message"]
    assert first["subject"].startswith(case.subject) or first["subject"].endswith(case.subject)
    lines = Path(first["path"]).read_text(encoding="utf-8").split("\n")
    assert (case.line_holds or "") in lines[first["line"] - 1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rule}-{case.severity}")
def test_outputs_that_keep_the_rule(judged: dict[Path, list[dict[str, Any]]], case: Case) -> None:
    assert of_case(judged, case, "keeps") == []


def test_a_plain_point_has_no_findings(tmp_path: Path) -> None:
    assert found(tmp_path / "one client", point(job())) == []
    even = said(point(*clients("h1", "h2", "h3", "h4")), clients=4)
    assert found(tmp_path / "four clients", even) == []


def test_normal_text_is_rounded(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    text = (SAMPLES / "fio_normal" / "v3_42_normal_randrw.txt").read_text(encoding="utf-8")
    for name in ("a.txt", "b.txt"):
        bench.write(name, text + "\n" * (name == "b.txt"))
    bench.write("c.json", output(job()))
    (rounded,) = rows(
        loaded(bench.root, data=DATA), "select * from finding where rule = 'fio_rounded_numbers'"
    )
    assert rounded["message"].startswith("2 runs come from normal text")
    assert (rounded["severity"], Path(rounded["path"]).name) == ("info", "a.txt")


# Real files


@pytest.fixture(scope="module")
def own() -> Path:
    """The folder of real fio outputs; the test is skipped where it is absent."""
    if not OWN.is_dir():
        pytest.skip(f"the corpus of fio outputs is not here: {OWN}")
    return OWN


# What the note of each file in index.json tells, as rules: error findings in alphabetical order.
ERRORS = {
    "broken/buffered_cached.json": [],
    "broken/devfull.json": ["fio_dead_job", "fio_job_error"],
    "broken/enoent_setup.json": ["fio_dead_job", "fio_job_error", "fio_output_note"],
    "broken/enospc_28_group_reporting.json": ["fio_job_error"],
    "broken/enospc_28_nj2_one_fails.json": ["fio_job_error"],
    "broken/enospc_28_normal.txt": ["fio_job_error", "fio_output_note"],
    "broken/enospc_28_terse.txt": ["fio_job_error"],
    "broken/enospc_28_to_output.json": ["fio_job_error"],
    "broken/native_fallocate_msg.json": [],
    "broken/no_jobs.json": ["unread_logs"],
    "broken/null_engine.json": [],
    "broken/rate_limited.json": [],
    "broken/sigint_normal.txt": ["fio_output_note"],
    "broken/sigint_partial.json": ["fio_output_note", "fio_run_time"],
    "broken/sigkill_parent.json": [],
    "broken/sigkill_status_interval.json": ["fio_incomplete_output", "fio_run_time"],
    "broken/sigkill_worker_nj2.json": ["fio_dead_job", "fio_output_note", "fio_recomputed_numbers"],
    "broken/sigterm_partial.json": ["fio_output_note", "fio_run_time"],
    "broken/size_smaller_than_runtime.json": [],
    "broken/stonewall_after_fail.json": ["fio_dead_job", "fio_job_error"],
    "broken/stonewall_exitall_on_error.json": ["fio_job_error"],
    "broken/verify_fail.json": ["fio_job_error"],
    "broken/zero_runtime.json": [],
    "cut/client_server_cut_mid.json": ["fio_incomplete_output", "fio_lost_client"],
    "cut/single_cut_in_number.json": ["fio_incomplete_output"],
    "cut/status_last_cut.json": ["fio_incomplete_output"],
    "cut/terse_v3_cut.txt": ["fio_incomplete_output"],
    "client_server_partial/v333_2clients_one_never_ran.json": [],
    "client_server_partial/v342_1client_group_missing_client.json": [],
    "client_server_partial/v342_2clients_logs_missing_client.json": [],
    "client_server_partial/v342_2clients_mixed_rw_missing_client.json": [],
    "client_server_partial/v342_2clients_nogroup_missing_client.json": ["fio_lost_client"],
    "client_server_partial/v342_2clients_one_enospc_missing_client.json": [],
    "client_server_partial/v342_2clients_one_setup_fail_missing_client.json": [
        "fio_dead_job", "fio_job_error", "fio_output_note",
    ],
    "client_server_partial/v342_4clients_group_missing_client.json": ["fio_lost_client"],
}  # fmt: skip
# Of a file that leaves no error: the warnings that its note asks for, or its problem.
WARNINGS = {
    "broken/buffered_cached.json": ["fio_direct", "fio_limited_run", "fio_page_cache"],
    "broken/null_engine.json": ["fio_limited_run"],
    "broken/rate_limited.json": ["fio_limited_run"],
}
COUNTS = {
    "broken": {
        "fio_compressible_data": 1, "fio_dead_job": 4, "fio_direct": 4, "fio_incomplete_output": 1,
        "fio_job_error": 10, "fio_limited_run": 3, "fio_littles_law": 3, "fio_output_note": 6,
        "fio_page_cache": 4, "fio_ramp_time": 7, "fio_recomputed_numbers": 1, "fio_repetitions": 7,
        "fio_run_time": 10, "fio_total_io": 3,
    },
    "client_server_partial": {
        "fio_compressible_data": 1, "fio_dead_job": 1, "fio_direct": 1, "fio_job_error": 1,
        "fio_lost_client": 6, "fio_output_note": 2, "fio_ramp_time": 4, "fio_repetitions": 4,
        "fio_run_time": 4, "fio_total_io": 3,
    },
    "cut": {"fio_incomplete_output": 4, "fio_lost_client": 1},
    "nas": {
        "fio_balance": 8, "fio_limited_run": 2, "fio_lost_client": 3, "fio_random_map": 1,
        "fio_repetitions": 3, "fio_run_time": 3, "fio_run_together": 5, "fio_same_version": 1,
        "fio_total_io": 3,
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def of_folder(own: Path) -> dict[str, list[dict[str, Any]]]:
    """All findings of each folder, loaded by itself."""
    asked = "select * from finding order by rule, path, line"
    return {folder: rows(loaded(own / folder, data=DATA), asked) for folder in COUNTS}


@pytest.mark.parametrize("folder", COUNTS)
def test_findings_of_a_folder(of_folder: dict[str, list[dict[str, Any]]], folder: str) -> None:
    rules_broken = Counter(one["rule"] for one in of_folder[folder])
    del rules_broken["unread_logs"]
    assert rules_broken == COUNTS[folder]


@pytest.mark.parametrize("name", ERRORS)
def test_every_broken_file_is_told_of(
    of_folder: dict[str, list[dict[str, Any]]], name: str
) -> None:
    of_file = [one for one in of_folder[name.partition("/")[0]] if one["path"].endswith(name)]
    errors = {one["rule"] for one in of_file if one["severity"] == "error"}
    assert sorted(errors) == ERRORS[name]
    warnings = {one["rule"] for one in of_file if one["severity"] == "warning"}
    assert set(WARNINGS.get(name, [])) <= warnings


def test_no_broken_file_is_left_out(own: Path) -> None:
    there = {
        f"{path.parent.name}/{path.name}"
        for folder in ("broken", "client_server_partial", "cut")
        for path in (own / folder).iterdir()
        if path.suffix in (".json", ".txt")
    }
    assert there == set(ERRORS)


def test_clients_that_left_no_trace_are_missed_where_they_were_planned(
    own: Path, tmp_path: Path
) -> None:
    bench = Bench(tmp_path)
    bench.say(clients=2)
    for path in (own / "client_server_partial").glob("*2clients*"):
        bench.write(path.name, path.read_text(encoding="utf-8"))
    asked = "select * from finding where rule = 'fio_lost_client' and severity = 'error'"
    lost = rows(loaded(bench.root, data=DATA), asked)
    missed = [one for one in lost if one["message"] == "1 of 2 clients reported a result"]
    assert sorted(Path(one["path"]).name for one in missed) == [
        "v333_2clients_one_never_ran.json",
        "v342_2clients_logs_missing_client.json",
        "v342_2clients_mixed_rw_missing_client.json",
        "v342_2clients_nogroup_missing_client.json",
        "v342_2clients_one_enospc_missing_client.json",
        "v342_2clients_one_setup_fail_missing_client.json",
    ]


def test_a_client_that_lags_is_named(of_folder: dict[str, list[dict[str, Any]]]) -> None:
    (straggler,) = (
        one for one in of_folder["nas"]
        if one["rule"] == "fio_balance" and one["path"].endswith("c4_j4_straggler.json")
    )  # fmt: skip
    assert straggler["message"] == (
        "client 127.0.0.3:8765 got the least (read): 40.0 MB/s, 47.7 % under the median of 4"
        " clients; spread 54.5 % of the mean, variation 23.5 %, Jain index 0.948"
    )


def test_the_bundled_runs_have_warnings_and_no_errors() -> None:
    folders = [folder.parent for folder in (DATA / "raw").glob("*/source.toml")]
    fio = [folder for folder in folders if not folder.name.startswith("dell")]
    everything = rows(loaded(*fio, data=DATA), FINDINGS)
    assert Counter((one["rule"], one["severity"]) for one in everything) == {
        ("fio_balance", "warning"): 8,
        ("fio_cpu_bound", "info"): 3,
        ("fio_limited_run", "warning"): 3,
        ("fio_ramp_time", "warning"): 1,
        ("fio_random_map", "warning"): 3,
        ("fio_repetitions", "warning"): 6,
        ("fio_run_time", "warning"): 6,
        ("fio_run_together", "warning"): 5,
        ("fio_same_job_file", "info"): 1,
        ("fio_same_version", "warning"): 1,
        ("fio_steady_state", "warning"): 1,
        ("fio_total_io", "warning"): 6,
    }
