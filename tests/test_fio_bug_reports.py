"""Public bug reports about fio outputs and the programs that read them, with the right values.

Each test loads a small output made by hand, as a user would, and says what went wrong elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import ROOT
from mlperf_logs import loaded, row, rows

Fields = dict[str, Any]

MIB = 1024 * 1024
OPTIONS = {"rw": "read", "bs": "1m", "ioengine": "libaio", "direct": "1", "iodepth": "4"}
BREAKS = "select line from finding where rule = ? order by line"
NOTES = "select line, kind, host from fio_note order by line"
RESULT = "select * from fio_result"
IN_ORDER = RESULT + " order by path, direction"
CLIENTS = "select client, jobs, bandwidth_bps from fio_client order by client"


# --- how the outputs are made --------------------------------------------------------------------


def side(mib: float, runtime_ms: int, ios: int, lat_us: float = 100.0, **more: Any) -> Fields:
    """One direction as fio 3 prints it; `more` is added or takes the place of a key."""
    moved = int(mib * MIB)
    bandwidth = moved * 1000 / runtime_ms if runtime_ms else 0
    latency = {"min": 1000, "max": 9_000_000, "mean": lat_us * 1000, "stddev": 5.0, "N": ios}
    return {
        "io_bytes": moved, "io_kbytes": moved // 1024, "bw_bytes": int(bandwidth),
        "bw": int(bandwidth / 1024), "iops": ios * 1000 / runtime_ms if runtime_ms else 0.0,
        "runtime": runtime_ms, "total_ios": ios, "short_ios": 0, "drop_ios": 0,
        "clat_ns": latency, "lat_ns": latency, **more,
    }  # fmt: skip


def side_of_fio_2(kib: int, runtime_ms: int, ios: int, lat_us: float, **more: Any) -> Fields:
    """One direction as fio 2.3 to 2.20 prints it: io_bytes in KiB, latencies in microseconds."""
    latency = {"min": 1, "max": 9000, "mean": lat_us, "stddev": 5.0}
    return {
        "io_bytes": kib, "bw": kib * 1000 // runtime_ms, "iops": ios * 1000 / runtime_ms,
        "runtime": runtime_ms, "total_ios": ios, "short_ios": 0, "drop_ios": 0,
        "clat": {**latency, "percentile": {"99.000000": 900, "0.00": 0}}, "lat": latency, **more,
    }  # fmt: skip


def job(name: str = "job", *, error: int = 0, options: Fields | None = None, **more: Any) -> Fields:
    """One entry of `jobs` or `client_stats`; `more` holds its directions."""
    said = OPTIONS if options is None else options
    return {
        "jobname": name, "groupid": 0, "error": error, "eta": 2147483647, "elapsed": 3,
        "job options": {"name": name, **said}, **more,
    }  # fmt: skip


def of_client(port: int, name: str = "job", **more: Any) -> Fields:
    """One entry of `client_stats`, which has no options of its own."""
    entry = {**job(name, **more), "hostname": "127.0.0.1", "port": port}
    return {key: value for key, value in entry.items() if key not in ("job options", "eta")}


def document(jobs: Iterable[Fields], *, version: str = "fio-3.33", **more: Any) -> str:
    """A local output laid out as fio does."""
    whole = {"fio version": version, "timestamp": 1796061881, **more, "jobs": list(jobs)}
    return json.dumps(whole, indent=2, separators=(",", " : ")) + "\n"


def served(clients: Iterable[Fields], *, version: str = "fio-3.42", options: Any = None) -> str:
    """An output of client/server mode laid out as fio does."""
    said = {**OPTIONS, "group_reporting": "1"} if options is None else options
    whole = {"fio version": version, "timestamp": 1796061881, "global options": said}
    whole["client_stats"] = list(clients)
    return json.dumps(whole, indent=2, separators=(",", " : ")) + "\n"


def opened(folder: Path, text: str, name: str = "out.json") -> duckdb.DuckDBPyConnection:
    """A database with one output in it, judged by the project's own thresholds."""
    (folder / name).write_text(text, encoding="utf-8", newline="")
    return loaded(folder, data=ROOT / "data")


def opened_all(folder: Path, texts: Iterable[str]) -> duckdb.DuckDBPyConnection:
    """A database with several outputs in it, named so that their paths keep the order."""
    for number, text in enumerate(texts):
        (folder / f"out{number}.txt").write_text(text, encoding="utf-8")
    return loaded(folder, data=ROOT / "data")


def line_of(text: str, part: str, number: int = 1) -> int:
    """The line of the file on which `part` stands for the `number`-th time."""
    found = [line for line, words in enumerate(text.split("\n"), start=1) if part in words]
    return found[number - 1]


def close(value: float) -> Any:
    """Equal but for what floating point costs."""
    return pytest.approx(value, rel=1e-9)


# --- words round the numbers ---------------------------------------------------------------------


def test_01_error_lines_before_json(tmp_path: Path) -> None:
    """Errors of jobs stood in the output file before the JSON, which no parser took.

    https://github.com/axboe/fio/issues/731
    """
    words = "".join(
        f"fio: pid={pid}, err=5/file:ioengines.c:99, func=td_io_queue, error=Input/output error\n"
        for pid in (11, 12)
    )
    text = words + document([job(error=5, read=side(64, 1000, 64))])
    database = opened(tmp_path, text)
    result = row(database, RESULT)
    assert (result["bandwidth_bps"], result["iops"], result["status"]) == (67108864, 64, "failed")
    assert "ended with error 5" in result["reason"]
    assert [tuple(each.values()) for each in rows(database, NOTES)] == [
        (1, "error", None),
        (2, "error", None),
    ]
    assert rows(database, BREAKS, "fio_output_note") == [{"line": 1}]
    assert rows(database, BREAKS, "fio_job_error") == [{"line": line_of(text, '"jobname"')}]


def test_02_io_u_error_before_json(tmp_path: Path) -> None:
    """An error of the device made the output file invalid JSON, so both directions were lost.

    https://github.com/axboe/fio/issues/1685
    """
    words = "fio: io_u error on file /dev/sdq: Input/output error: read offset=8192, buflen=4096\n"
    words += "fio: pid=7, err=5/file:io_u.c:1, func=io_u error, error=Input/output error\n"
    options = {**OPTIONS, "rw": "randrw", "bs": "4k"}
    moved: Fields = {"read": side(4, 2000, 1024), "write": side(8, 2000, 2048)}
    database = opened(tmp_path, words + document([job(error=5, options=options, **moved)]))
    found = rows(database, RESULT + " order by direction")
    assert [(r["direction"], r["bandwidth_bps"], r["iops"], r["status"]) for r in found] == [
        ("read", 2097152, 512, "failed"),
        ("write", 4194304, 1024, "failed"),
    ]
    assert [each["line"] for each in rows(database, NOTES)] == [1, 2]
    assert rows(database, "select * from problem") == []


def test_03_sprandom_note_before_json(tmp_path: Path) -> None:
    """A note that says nothing bad stood before the JSON and broke what reads it.

    https://github.com/axboe/fio/issues/2048
    """
    words = "fio: sprandom sets norandommap=1\n"
    options = {**OPTIONS, "rw": "randwrite", "bs": "4k", "sprandom": "1"}
    text = words + document([job(options=options, write=side(40, 4000, 10240))])
    database = opened(tmp_path, text)
    result = row(database, RESULT)
    assert (result["bandwidth_bps"], result["iops"]) == (10485760, 2560)
    assert (result["status"], result["line"]) == ("complete", line_of(text, '"write" :'))
    assert [tuple(each.values()) for each in rows(database, NOTES)] == [(1, "note", None)]
    assert rows(database, BREAKS, "fio_output_note") == []


def test_04_warning_of_the_random_generator_in_a_bytes_repr(tmp_path: Path) -> None:
    """Two warnings on disks over 64 TB stood before the JSON, all of it logged as Python bytes.

    https://github.com/redhat-cip/hardware/issues/201
    """
    words = "fio: file /dev/sdq exceeds 32-bit tausworthe random generator.\n"
    words += "fio: Switching to tausworthe64. Use the random_generator= option.\n"
    options = {**OPTIONS, "rw": "randread", "bs": "4k"}
    text = words + document([job(options=options, read=side(20, 10000, 5120, 250.0))])
    database = opened(tmp_path, f"Benchmarking storage for 10 seconds\n{text.encode()!r}\n")
    result = row(database, RESULT)
    assert (result["bandwidth_bps"], result["iops"]) == (2097152, 512)
    assert (result["lat_mean_us"], result["status"], result["line"]) == (250, "complete", 2)
    assert [(each["line"], each["kind"]) for each in rows(database, NOTES)] == [(2, "note")] * 2


def test_05_command_line_and_cpu_mask_lines_of_windows(tmp_path: Path) -> None:
    """A script skipped one line before the JSON, but Windows printed three, ended by CR LF.

    https://github.com/earlephilhower/ezfio/issues/38
    """
    words = "fio --name=job --ioengine=windowsaio --output-format=json+\n"
    words += "CPU mask cannot bind CPUs (e.g. 0, 70) that are in different processor groups\n" * 2
    options = {**OPTIONS, "ioengine": "windowsaio"}
    text = words + document([job(options=options, read=side(100, 1000, 100))])
    database = opened(tmp_path, text.replace("\n", "\r\n"))
    result = row(database, RESULT)
    assert (result["bandwidth_bps"], result["status"]) == (104857600, "complete")
    assert result["line"] == line_of(text, '"read" : {')
    assert [(each["line"], each["kind"]) for each in rows(database, NOTES)] == [
        (1, "note"),
        (2, "note"),
    ]


def test_06_words_of_servers_round_the_json(tmp_path: Path) -> None:
    """What a server said about its error stood with the JSON, and json.loads gave nothing at all.

    https://github.com/pcuzner/fioloadgen/issues/6
    """
    line = "job: (g=0): rw=read, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB"
    words = "".join(f"<{host}> {line}, ioengine=libaio, iodepth=4\n" for host in ("n1", "n2"))
    words += "<n2> fio: pid=7, err=28/file:io_u.c:1, func=io_u error, error=No space left\n\n"
    clients = [
        of_client(8765, read=side(100, 1000, 100)),
        of_client(8766, error=28, read=side(50, 500, 50)),
        of_client(8766, "All clients", read=side(150, 1000, 150)),
    ]
    database = opened(tmp_path, words + served(clients) + "<n1> \n")
    result = row(database, RESULT)
    assert (result["clients"], result["status"]) == (2, "failed")
    assert result["bandwidth_bps"] == 150 * MIB
    assert [tuple(each.values()) for each in rows(database, CLIENTS)] == [
        ("127.0.0.1:8765", 1, 100 * MIB),
        ("127.0.0.1:8766", 1, 100 * MIB),
    ]
    assert [tuple(each.values()) for each in rows(database, NOTES)] == [(3, "error", "n2")]


# --- keys and units ------------------------------------------------------------------------------


def test_07_an_option_given_twice(tmp_path: Path) -> None:
    """Four files were four equal keys, so that parsers kept the last file or refused the output.

    https://github.com/axboe/fio/issues/1571
    """
    options = {**OPTIONS, "filename": "/dev/a", "again": "/dev/b"}
    text = document([job(options=options, read=side(64, 1000, 64))]).replace("again", "filename")
    database = opened(tmp_path, text)
    found = row(database, "select options->>'$.filename' as files from fio_job")
    assert json.loads(found["files"]) == ["/dev/a", "/dev/b"]
    problem = row(database, "select line, severity, reason from problem")
    assert (problem["line"], problem["severity"]) == (line_of(text, '"filename"', 2), "info")
    assert "'filename' is given more than once" in problem["reason"]
    result = row(database, RESULT)
    assert (result["bandwidth_bps"], result["status"]) == (67108864, "complete")


@pytest.mark.parametrize(
    ("version", "last", "offset_bytes"),
    [
        ("fio-3.33", ("0", "1"), [None, None]),
        ("fio-3.33", ("0", "0"), [None, None]),
        ("fio-3.1", ("0", "4096"), [0, 4096]),
        ("fio-3.1", ("0", "0"), [0, 0]),
    ],
)
def test_08_a_fifth_column_in_the_log(
    tmp_path: Path, version: str, last: tuple[str, str], offset_bytes: list[float | None]
) -> None:
    """Scripts unpacked four columns, and fio 3.18 wrote a fifth, which in older logs is the offset.

    https://github.com/axboe/fio/issues/1014, also issues/928, pull/1229 and pull/1524
    """
    options = {**OPTIONS, "write_bw_log": "disk"}
    log = f"100, 2048, 0, 4096, {last[0]}\n200, 1024, 1, 4096, {last[1]}\n"
    (tmp_path / "disk_bw.1.log").write_text(log, encoding="utf-8")
    moved: Fields = {"read": side(1, 200, 256), "write": side(1, 200, 256)}
    database = opened(tmp_path, document([job(options=options, **moved)], version=version))
    found = rows(database, "select * from fio_timeline order by line")
    assert [(r["line"], r["time_s"], r["direction"], r["value"], r["unit"]) for r in found] == [
        (1, 0.1, "read", 2097152, "B/s"),
        (2, 0.2, "write", 1048576, "B/s"),
    ]
    assert [r["offset_bytes"] for r in found] == offset_bytes
    link = row(database, "select fio_path, job from fio_log_link")
    assert link == {"fio_path": str(tmp_path / "out.json"), "job": 1}


def test_09_io_bytes_in_kib(tmp_path: Path) -> None:
    """Up to fio 2.20 the key io_bytes holds KiB: a result was 1024 times too small.

    https://github.com/axboe/fio/issues/378
    """
    printed = {
        "fio-2.2.10": side_of_fio_2(65536, 2000, 64, 100.0),
        "fio-2.20": side_of_fio_2(65536, 2000, 64, 100.0),
        "fio-2.21": side_of_fio_2(67108864, 2000, 64, 100.0, io_kbytes=65536, bw=32768),
        "fio-3.42": side(64, 2000, 64),
    }
    texts = [document([job(read=read)], version=version) for version, read in printed.items()]
    database = opened_all(tmp_path, texts)
    found = rows(database, IN_ORDER)
    assert [each["version"] for each in found] == list(printed)
    assert [(r["bytes_moved"], r["bandwidth_bps"]) for r in found] == [(67108864, 33554432)] * 4
    assert [(r["iops"], r["lat_mean_us"]) for r in found] == [(32, 100)] * 4
    assert rows(database, BREAKS, "fio_recomputed_numbers") == []


def test_10_json_without_units(tmp_path: Path) -> None:
    """JSON named no unit for lat and bw: lat was microseconds in 2.x, is nanoseconds in 3.x.

    https://github.com/axboe/fio/issues/430, also issues/451
    """
    old = document([job(read=side_of_fio_2(65536, 2000, 64, 511.25))], version="fio-2.20")
    (tmp_path / "old.json").write_text(old, encoding="utf-8")
    clat = {"min": 1, "max": 9, "mean": 5, "stddev": 1, "percentile": {"99.000000": 900_000}}
    new = document([job(read=side(64, 2000, 64, 511.25, clat_ns=clat))])
    database = opened(tmp_path, new, "new.json")
    assert [r["lat_mean_us"] for r in rows(database, RESULT)] == [close(511.25)] * 2
    assert [r["bandwidth_bps"] for r in rows(database, RESULT)] == [33554432] * 2
    printed = rows(database, "select printed_bandwidth_bps as bps from fio_job_result")
    assert printed == [{"bps": 33554432}] * 2
    tail = rows(database, "select percentile, value_us from fio_latency where kind = 'clat'")
    assert [(r["percentile"], r["value_us"]) for r in tail] == [(99, 900), (99, 900)]


def test_11_bw_mean_of_a_group(tmp_path: Path) -> None:
    """With group_reporting bw_mean was that of one job, half of what two jobs moved.

    https://github.com/axboe/fio/issues/519
    """
    options = {**OPTIONS, "numjobs": "2", "group_reporting": "1"}
    read = side(200, 2000, 200, bw_mean=51200.0, bw_agg=50.0, iops_mean=50.0, bw_samples=8)
    entry = job(options=options, read=read, job_runtime=4000)
    result = row(opened(tmp_path, document([entry], version="fio-3.1")), RESULT)
    assert (result["bandwidth_bps"], result["iops"]) == (100 * MIB, 100)
    assert (result["jobs"], result["clients"], result["status"]) == (2, 1, "complete")


def test_12_iops_mean_of_one(tmp_path: Path) -> None:
    """With a log line for each I/O fio said iops avg=1.00 and a bandwidth seven times too small.

    https://github.com/axboe/fio/issues/448
    """
    options = {**OPTIONS, "rw": "randwrite", "bs": "4k", "write_iops_log": "raw"}
    write = side(125, 10000, 32000, iops_min=1, iops_max=1, iops_mean=1.0, bw_mean=1800.5)
    database = opened(tmp_path, document([job(options=options, write=write)]))
    result = row(database, RESULT)
    assert (result["iops"], result["bandwidth_bps"]) == (3200, 13107200)
    assert rows(database, BREAKS, "fio_recomputed_numbers") == []


# --- clients -------------------------------------------------------------------------------------


def test_13_all_clients_is_no_client_and_no_result(tmp_path: Path) -> None:
    """The bandwidth of "All clients" was not the sum of its clients, who ended at other times.

    https://github.com/axboe/fio/issues/1918
    """
    total = of_client(8766, "All clients", read=side(999, 1000, 7))
    clients = [of_client(8765, read=side(100, 800, 100)), of_client(8766, read=side(50, 1000, 50))]
    text = served([*clients, total])
    database = opened(tmp_path, text)
    result = row(database, RESULT)
    assert (result["clients"], result["bytes_moved"]) == (2, 150 * MIB)
    assert (result["bandwidth_bps"], result["iops"]) == (150 * MIB, 150)
    assert result["bandwidth_sum_bps"] == close(175 * MIB)
    found = rows(database, "select client, bandwidth_bps, is_straggler from fio_client order by 1")
    assert [tuple(each.values()) for each in found] == [
        ("127.0.0.1:8765", 125 * MIB, False),
        ("127.0.0.1:8766", 50 * MIB, True),
    ]
    assert rows(database, BREAKS, "fio_balance") == [{"line": line_of(text, '"read" : {', 2)}]


def test_14_all_clients_is_missing(tmp_path: Path) -> None:
    """Two job sections under group_reporting made fio leave "All clients" out, with no client lost.

    https://github.com/axboe/fio/issues/1881
    """
    line = "rw=read, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 1024KiB-1024KiB"
    words = "".join(
        f"<{host}> {name}: (g=0): {line}, ioengine=libaio, iodepth=4\n"
        for name in ("one", "two")
        for host in ("n1", "n2")
    )
    clients = [
        of_client(8765, "one", read=side(300, 3000, 300), job_runtime=6000),
        of_client(8766, "one", read=side(150, 3000, 150), job_runtime=6000),
    ]
    database = opened(tmp_path, words + served(clients, version="fio-3.38"))
    result = row(database, RESULT)
    assert (result["clients"], result["jobs"], result["bandwidth_bps"]) == (2, 4, 150 * MIB)
    assert [each["bandwidth_bps"] for each in rows(database, CLIENTS)] == [100 * MIB, 50 * MIB]
    assert (result["status"], result["reason"]) == ("complete", None)


def test_14_all_clients_comes_too_early(tmp_path: Path) -> None:
    """The counterpart: "All clients" before the last of its clients means that one is missing.

    https://github.com/axboe/fio/issues/1881
    """
    total = of_client(8766, "All clients", read=side(300, 3000, 300))
    first, second, last = (
        of_client(port, read=side(150, 3000, 150)) for port in (8765, 8766, 8767)
    )
    result = row(opened(tmp_path, served([first, second, total, last])), RESULT)
    assert (result["clients"], result["bandwidth_bps"]) == (3, 150 * MIB)
    assert result["status"] == "incomplete"
    assert "at least one result did not arrive" in result["reason"]


def test_15_client_stats_without_job_options(tmp_path: Path) -> None:
    """KeyError 'rw': in client/server mode all options may stand in the global list, by server.

    https://github.com/louwrentius/fio-plot/issues/155
    """
    said = [
        {"hostname": "127.0.0.1", "port": port, **OPTIONS, "bs": size, "numjobs": "2"}
        for port, size in ((8766, "128k"), (8765, "128k"))
    ]
    clients = [of_client(port, read=side(32, 1000, 256)) for port in (8765, 8765, 8766, 8766)]
    total = of_client(8766, "All clients", read=side(128, 1000, 1024))
    database = opened(tmp_path, served([*clients, total], options=said))
    result = row(database, RESULT)
    assert (result["rw"], result["iodepth"], result["block_bytes"]) == ("read", 4, 131072)
    assert (result["clients"], result["jobs"], result["jobs_per_client"]) == (2, 4, 2)
    assert (result["bandwidth_bps"], result["status"]) == (128 * MIB, "complete")
    assert result["series"].startswith("read-")


# --- options -------------------------------------------------------------------------------------


def test_16_depth_that_nobody_gave(tmp_path: Path) -> None:
    """KeyError 'iodepth': fio does not list an option that has its default, which is 1.

    https://github.com/louwrentius/fio-plot/issues/149
    """
    options = {"rw": "randread", "bs": "4k", "size": "1G", "runtime": "60"}
    entry = job(options=options, read=side(240, 60000, 61440))
    result = row(opened(tmp_path, document([entry], version="fio-3.37")), RESULT)
    assert (result["iodepth"], result["jobs"], result["jobs_per_client"]) == (1, 1, 1)
    assert (result["rw"], result["block_bytes"], result["iops"]) == ("randread", 4096, 1024)


def test_17_options_of_all_jobs_in_the_global_section(tmp_path: Path) -> None:
    """KeyError 'job options': options given once for all jobs were not found in the jobs.

    https://github.com/louwrentius/fio-plot/issues/2, also issues/64 and issues/87
    """
    bare = {
        key: value for key, value in job("a", read=side(64, 1000, 64)).items() if " " not in key
    }
    second = job("b", options={"bs": "4k", "iodepth": "16"}, read=side(10, 2000, 2560))
    jobs = [bare, {**second, "groupid": 1}]
    said: Fields = {"global options": OPTIONS}
    database = opened(tmp_path, document(jobs, **said))
    found = rows(database, RESULT + " order by group_id")
    assert [(r["rw"], r["iodepth"], r["block_bytes"], r["bandwidth_bps"]) for r in found] == [
        ("read", 4, 1048576, 67108864),
        ("read", 16, 4096, 5242880),
    ]
    assert [r["status"] for r in found] == ["complete", "complete"]


# --- latencies -----------------------------------------------------------------------------------


def with_bins(bins: dict[int, int]) -> Fields:
    """A direction of json+ as fio before 3.18 prints it, without N."""
    text = {str(value_ns): ios for value_ns, ios in bins.items()}
    clat = {"min": 1000, "max": 9000, "mean": 2000.0, "stddev": 1.0, "bins": text}
    clat["percentile"] = {"50.000000": min(bins), "99.000000": max(bins)}
    return side(1, 1000, sum(bins.values()), clat_ns=clat)


def test_18_bins_of_json_plus(tmp_path: Path) -> None:
    """The script that comes with fio for json+ failed on fio's own bins, or gave an empty table.

    https://github.com/axboe/fio/issues/1781
    """
    options = {**OPTIONS, "numjobs": "2"}
    bins = ({1000: 98, 9000: 2}, {1000: 50, 5000: 50})
    jobs = [job(options=options, read=with_bins(each)) for each in bins]
    text = "note: words before\n" + document(jobs, version="fio-3.16")
    found = rows(
        opened(tmp_path, text),
        "select percentile, value_us, how, low_us, high_us from fio_latency "
        "where kind = 'clat' and percentile in (50, 90, 99, 99.9) order by percentile",
    )
    assert [tuple(each.values())[:3] for each in found] == [
        (50, 1, "merged"),
        (90, 5, "merged"),
        (99, 5, "merged"),
        (99.9, 9, "merged"),
    ]
    assert [(each["low_us"], each["high_us"]) for each in found[::2]] == [(1, 1), (5, 9)]


TEXT_OF_2_1 = """\
slow: (g=0): rw=randread, bs=4K-4K/4K-4K/4K-4K, ioengine=libaio, iodepth=4
fio-2.1.3
Starting 1 process

slow: (groupid=0, jobs=1): err= 0: pid=9: Mon Nov 30 18:15:02 2026
  read : io=10240KB, bw={bandwidth}, iops=25, runt=100000msec
    clat (msec): min=1, max=30, avg=20.50, stdev= 1.00
     lat (msec): min=1, max=31, avg=20.75, stdev= 1.00
    clat percentiles (msec):
     | 50.00th=[   20], 99.00th=[   29]
    bw (KB  /s): min=   36, max= 1000, per=100.00%, avg=558.62, stdev=298.13
  cpu          : usr=0.15%, sys=0.00%, ctx=426, majf=0, minf=14
  IO depths    : 1=0.1%, 2=0.1%, 4=99.8%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
     issued    : total=r=2560/w=0/d=0, short=r=0/w=0/d=0

Run status group 0 (all jobs):
   READ: io=10240KB, aggrb=102KB/s, minb=102KB/s, maxb=102KB/s, mint=100000msec, maxt=100000msec
"""
TEXT_OF_3_33 = """\
slow: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, \
ioengine=libaio, iodepth=4
fio-3.33
Starting 1 process

slow: (groupid=0, jobs=1): err= 0: pid=9: Mon Nov 30 18:15:02 2026
  read: IOPS=25, BW={bandwidth} ({decimal})(10.0MiB/100000msec)
    clat (usec): min=1000, max=30000, avg=20500.00, stdev=1000.00
     lat (usec): min=1000, max=31000, avg=20750.00, stdev=1000.00
    clat percentiles (msec):
     | 50.00th=[   20], 99.00th=[   29]
   bw (  KiB/s): min=   36, max= 1000, per=100.00%, avg=558.62, stdev=298.13, samples=9
   iops        : min=    9, max=  250, avg=139.65, stdev=74.53, samples=9
  cpu          : usr=0.15%, sys=0.00%, ctx=426, majf=0, minf=14
  IO depths    : 1=0.1%, 2=0.1%, 4=99.8%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
     issued rwts: total=2560,0,0,0 short=0,0,0,0 dropped=0,0,0,0
     latency   : target=0, window=0, percentile=100.00%, depth=4

Run status group 0 (all jobs):
   READ: bw={bandwidth} ({decimal}), {bandwidth}-{bandwidth} ({decimal}-{decimal}), \
io=10.0MiB (10.5MB), run=100000-100000msec
"""
TEXTS = [
    TEXT_OF_2_1.format(bandwidth="104857B/s"),
    TEXT_OF_2_1.format(bandwidth="102KB/s"),
    TEXT_OF_3_33.format(bandwidth="102KiB/s", decimal="105kB/s"),
    TEXT_OF_3_33.format(bandwidth="104857B/s", decimal="104857B/s"),
]


def test_19_bandwidth_in_bytes_a_second(tmp_path: Path) -> None:
    """A slow disk's B/s was not read at all, and KiB/s were shown as MiB/s.

    https://github.com/phoronix-test-suite/phoronix-test-suite/issues/113, also issues/762
    """
    database = opened_all(tmp_path, TEXTS)
    found = rows(database, IN_ORDER)
    assert [(r["bandwidth_bps"], r["bytes_moved"]) for r in found] == [(104857.6, 10485760)] * 4
    assert [(r["is_rounded"], r["line"], r["status"]) for r in found] == [(True, 6, "complete")] * 4
    printed = rows(database, "select printed_bandwidth_bps from fio_job_result order by path")
    assert [each["printed_bandwidth_bps"] for each in printed] == [104857, 104448, 104448, 104857]


def terse(disks: int, name: str = "seq") -> str:
    """A line of terse output version 3: 121 fields, and nine more for each disk."""
    levels = [f"{p:.6f}%={p}" for p in (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99)]
    levels += ["0%=0"] * (20 - len(levels))
    idle = (
        "0;" * 6 + "0.0;0.0;" + "0;0;0.0;0.0;" + "0%=0;" * 20 + "0;0;0.0;0.0;0;0;0.0%;0.0;0.0"
    ).split(";")
    moved = ["20480", "10240", "2560", "2000"]
    read = [*moved, "1", "9", "4.0", "1.0", "2", "99", "50.0", "3.0", *levels]
    read += ["3", "108", "54.0", "4.0", "9000", "11000", "100.0%", "10100.0", "9.0"]
    rest = ["1.0%", "2.0%", "5", "0", "6", "0.1%", "0.1%", "99.8%", *["0.0%"] * 26]
    fields = ["3", "fio-3.19", name, "0", "0", *read, *idle, *rest]
    for number in range(disks):
        fields += [f"sd{number}", "5120", "0", "0", "0", "7", "0", "7", "48.03%"]
    return ";".join(fields) + "\n"


def test_20_terse_lines_without_a_disk(tmp_path: Path) -> None:
    """A program took terse lines of one length only, but it depends on the disks that are listed.

    https://github.com/intel/fiovisualizer/pull/17
    """
    texts = [terse(disks) for disks in (0, 1, 2)]
    assert [text.count(";") + 1 for text in texts] == [121, 130, 139]
    database = opened_all(tmp_path, texts)
    found = rows(database, IN_ORDER)
    assert [(r["bandwidth_bps"], r["status"]) for r in found] == [(10485760, "complete")] * 3
    used = rows(
        database, "select name, read_ios, util_pct from fio_disk order by run_id, line, name"
    )
    assert [each["name"] for each in used] == ["sd0", "sd0", "sd1"]
    assert {(each["read_ios"], each["util_pct"]) for each in used} == {(5120, 48.03)}
    assert rows(database, "select * from problem") == []
    assert [(r["iops"], r["lat_mean_us"], r["lat_kind"]) for r in found] == [(2560, 54, "lat")] * 3
    tail = rows(database, "select value_us, how from fio_latency where percentile = 99")
    assert tail == [{"value_us": 99, "how": "logged"}] * 3


def test_21_disk_util_is_not_always_there(tmp_path: Path) -> None:
    """A few of 505 outputs had no disk_util, on which what read them depended.

    https://github.com/axboe/fio/issues/1627
    """
    without = document([job(read=side(64, 1000, 64))])
    used: Fields = {"disk_util": [{"name": "sdq", "read_ios": 64, "util": 98.5}]}
    database = opened_all(tmp_path, [without, document([job(read=side(32, 1000, 32))], **used)])
    found = rows(database, IN_ORDER)
    assert [(r["bandwidth_bps"], r["status"]) for r in found] == [
        (67108864, "complete"),
        (33554432, "complete"),
    ]
    query = "select run_id, name, read_ios, util_pct, read_bytes from fio_disk"
    assert [tuple(each.values()) for each in rows(database, query)] == [
        (found[1]["run_id"], "sdq", 64, 98.5, None)
    ]
    assert rows(database, "select * from problem") == []


def test_22_layout_of_the_text_has_changed(tmp_path: Path) -> None:
    """Scripts made for the text of fio 2 gave 0 or nothing for that of fio 3.

    https://github.com/buty4649/fio-cdm/issues/6, also
    https://github.com/Azure/azurehpc/issues/433 and
    https://github.com/redhat-cip/hardware/issues/187
    """
    database = opened_all(tmp_path, TEXTS)
    found = rows(database, IN_ORDER)
    assert [r["version"] for r in found] == ["fio-2.1.3", "fio-2.1.3", "fio-3.33", "fio-3.33"]
    lat = [(r["iops"], r["lat_mean_us"], r["lat_kind"]) for r in found]
    assert lat == [(25.6, 20750, "lat")] * 4
    asked = [(r["rw"], r["iodepth"], r["block_bytes"]) for r in found]
    assert asked == [("randread", 4, 4096)] * 4
    assert [(r["jobs"], r["clients"], r["runtime_s"]) for r in found] == [(1, 1, 100)] * 4
    tail = rows(database, "select percentile, value_us from fio_latency order by path, percentile")
    assert [tuple(each.values()) for each in tail] == [(50, 20000), (99, 29000)] * 4


def test_23_latency_that_was_not_measured(tmp_path: Path) -> None:
    """KeyError 'percentile': with gtod_reduce fio measures no latency and prints zeros for it.

    https://github.com/microsoft/superbenchmark/pull/188
    """
    zero = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    read = side(100, 2000, 25600, slat_ns=zero, clat_ns=zero, lat_ns=zero)
    options = {**OPTIONS, "bs": "4k", "gtod_reduce": "1"}
    database = opened(tmp_path, document([job(options=options, read=read)]))
    result = row(database, RESULT)
    assert (result["bandwidth_bps"], result["iops"]) == (52428800, 12800)
    assert (result["lat_mean_us"], result["lat_kind"], result["status"]) == (None, None, "complete")
    assert rows(database, "select * from fio_latency") == []


def test_24_jobs_of_the_same_name_on_several_hosts(tmp_path: Path) -> None:
    """Jobs of one name could not be told apart by host, and each server repeated the options.

    https://github.com/axboe/fio/issues/515, also issues/516 and
    https://github.com/distributed-system-analysis/pbench/issues/743
    """
    said = {**OPTIONS, "numjobs": "2", **{f"{key} again": value for key, value in OPTIONS.items()}}
    clients = [
        of_client(port, read=side(mib, 1000, mib))
        for port, mib in ((8765, 30), (8766, 10), (8765, 20), (8766, 40))
    ]
    total = of_client(8766, "All clients", read=side(100, 1000, 100))
    text = served([*clients, total], version="fio-3.33", options=said).replace(" again", "")
    database = opened(tmp_path, text)
    result = row(database, RESULT)
    assert (result["clients"], result["jobs"], result["bandwidth_bps"]) == (2, 4, 100 * MIB)
    assert (result["rw"], result["iodepth"], result["status"]) == ("read", 4, "complete")
    assert [tuple(each.values()) for each in rows(database, CLIENTS)] == [
        ("127.0.0.1:8765", 2, 50 * MIB),
        ("127.0.0.1:8766", 2, 50 * MIB),
    ]
    assert rows(database, "select * from problem") == []


def test_25_a_run_that_its_size_ended(tmp_path: Path) -> None:
    """A runner left time_based out: one of two runs of 60 s read its file once, in 2 s.

    https://github.com/ceph/cbt/issues/363
    """
    options = {**OPTIONS, "size": "1g", "runtime": "60"}
    whole = job(options={**options, "time_based": "1"}, read=side(30720, 60000, 30720))
    (tmp_path / "whole.json").write_text(document([whole]), encoding="utf-8")
    text = document([job(options=options, read=side(1024, 2000, 1024))])
    database = opened(tmp_path, text, "short.json")
    found = rows(database, RESULT + " order by path")
    assert [(r["runtime_s"], r["bandwidth_bps"]) for r in found] == [
        (2, 512 * MIB),
        (60, 512 * MIB),
    ]
    asked = rows(database, "select runtime_asked_s as asked from fio_job")
    assert asked == [{"asked": 60}, {"asked": 60}]
    short = row(database, "select path, line, value from finding where rule = 'fio_run_time'")
    assert short["path"] == str(tmp_path / "short.json")
    assert short["line"] == line_of(text, '"read" : {')


# --- the outputs of the reports ------------------------------------------------------------------


@pytest.fixture(scope="session")
def public() -> Path:
    """The folder of outputs that others published; the test is skipped where it is absent."""
    folder = ROOT.parent / "shared" / "corpus" / "public" / "fio"
    if not folder.is_dir():
        pytest.skip(f"the public corpus is not here: {folder}")
    return folder


@cache
def published(path: Path) -> duckdb.DuckDBPyConnection:
    """A database with one of these outputs in it."""
    return loaded(path, data=ROOT / "data")


MOVED = "direction, round(bandwidth_bps), round(iops), lat_mean_us, status from fio_result"
SAID = "line, kind from fio_note order by line"
WRONG = "line, severity, reason from problem"
EMPTY = "the document holds no entry: no job reported a result"
LOGGED = "line, time_s, direction, value, unit, block_bytes, offset_bytes from fio_timeline"


@pytest.mark.parametrize(
    ("file", "query", "expected"),
    [
        ("p05_errlines_before_json_312.txt", SAID, [(1, "error"), (2, "error")]),
        ("p05_errlines_before_json_312.txt", WRONG, [(3, "error", EMPTY)]),
        ("p06_io_error_before_json_336.txt", SAID, [(1, "error"), (2, "error")]),
        ("p06_io_error_before_json_336.txt", WRONG, [(3, "error", EMPTY)]),
        ("p08_tausworthe_bytes_repr.txt", SAID, [(1, "note"), (1, "note")]),
        ("p08_tausworthe_bytes_repr.txt", "version from fio_output", [("fio-3.27",)]),
        ("p09_windows_cpumask_before_json.txt", SAID, [(1, "note"), (2, "note")]),
        ("p09_windows_cpumask_before_json.txt", WRONG, [(4, "error", EMPTY)]),
        (
            "p12_dup_job_options_334.json",
            "json_array_length(options, '$.filename') from fio_job",
            [(4,)],
        ),
        ("p10_io_bytes_is_kib_219.json", MOVED, [("read", 262144000, 250, 3495, "complete")]),
        (
            "p04_fio342_cbt_json_normal_mixed.txt",
            MOVED,
            [("write", 13116865, 3202, close(2492.474939713), "complete")],
        ),
        (
            "p15_normal_2113_bytes_unit.txt",
            "direction, round(bandwidth_bps), iodepth, rw, ios from fio_result",
            [("read", 551817, 64, "randread", 2688)],
        ),
        (
            "p13_bw_log_5col_318.log",
            LOGGED + " where line in (1, 5) order by line",
            [
                (1, 0, "write", 82732 * 1024, "B/s", 4096, None),
                (5, 0.036, "read", 7762 * 1024, "B/s", 262144, None),
            ],
        ),
    ],
)
def test_outputs_of_the_reports(
    public: Path, file: str, query: str, expected: list[tuple[Any, ...]]
) -> None:
    database = published(public / file)
    assert database.execute(f"select {query}").fetchall() == expected
