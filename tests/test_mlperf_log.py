"""MLPerf logs: what each sample in samples/mlperf_log says, to the line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest
from conftest import SAMPLES, events_of, problems_of, read, sample_files

from ingest.formats import mlperf_log
from ingest.records import Event, Record, Run
from ingest.sources import Limits, Source, walk

FOLDER = SAMPLES / "mlperf_log"

# The six records of plain.txt, which most samples hold in some disguise.
BODY = [
    ("cache_clear", "true"),
    ("submission_benchmark", '"resnet"'),
    ("seed", "4711"),
    ("run_start", None),
    ("eval_accuracy", "0.75"),
    ("run_stop", None),
]

KEPT_TEXT = "the value is not a finite number: kept as text, its number is unknown"
LOST_MARKER = "a record is lost: its marker is damaged or missing"
RECORD_INSIDE = "a record is lost: another record stands inside it"
NO_TIME_AND_KEY = "a record is lost: no time and key after the marker"
NO_STOP = "no run_stop: the run was killed, or the file is cut off after this line"
NO_START = "no run_start: the run has no time"


def at(*lines: int) -> list[tuple[int, str, str | None]]:
    """The records of BODY at these lines; 0 leaves one out."""
    return [(line, *record) for line, record in zip(lines, BODY, strict=False) if line]


WHOLE = at(1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Says:
    """What a sample must give: (line, key, value), (line, severity, reason), status by attempt."""

    events: list[tuple[int, str, str | None]]
    problems: tuple[tuple[int | None, str, str], ...] = ()
    runs: tuple[tuple[int, int, str], ...] = ((1, 6, "success"),)


def whole(*problems: tuple[int | None, str, str]) -> Says:
    return Says(WHOLE, problems)


def two(stop_value: str | None, status: str, *problems: tuple[int | None, str, str]) -> Says:
    events: list[tuple[int, str, str | None]] = [
        (1, "run_start", None),
        (2, "run_stop", stop_value),
    ]
    return Says(events, problems, ((1, 2, status),))


EXPECTED = {
    # the grammars
    "plain.txt": whole(),
    "v05.txt": Says(
        [
            (1, "run_clear_caches", None),
            (3, "run_start", None),
            (4, "run_set_random_seed", "77"),
            (5, "train_epoch", "0"),
            (6, "eval_accuracy", "0.5"),
            (7, "model_hp_initializer_type", '"truncated_normal"'),
            (8, "opt_name", '"sgd"'),
            (9, "run_stop", '{"success":true}'),
            (10, "run_final", None),
        ],
        runs=((1, 10, "success"),),
    ),
    "v05_space_before_colon.txt": Says(
        [
            (1, "run_start", None),
            (2, "input_size", "0"),
            (3, "eval_accuracy", "0.625"),
            (4, "run_stop", None),
            (5, "run_final", None),
        ],
        runs=((1, 5, "stopped"),),
    ),
    "v05_logger_duplicates.txt": Says(
        [
            (1, "run_start", None),
            (2, "run_start", None),
            (3, "eval_offset", "3"),
            (4, "eval_offset", "3"),
            (5, "run_stop", None),
            (6, "run_stop", None),
            (7, "run_final", None),
            (8, "run_final", None),
        ],
        runs=((1, 8, "stopped"),),
    ),
    "v05_aborted.txt": Says(
        [(1, "run_start", None), (2, "run_stop", '{"success":false}'), (3, "run_final", None)],
        runs=((1, 3, "aborted"),),
    ),
    "v05_unended_last_line.txt": Says(
        [(1, "run_start", None), (2, "run_stop", None)],
        ((3, "warning", "the file ends inside this record (nothing shows where it ends)"),),
        ((1, 2, "stopped"),),
    ),
    "v05_value_damaged.txt": Says(
        [
            (1, "run_start", None),
            (3, "eval_offset", '"3#1"'),
            (4, "run_stop", None),
            (5, "run_final", None),
        ],
        (
            (
                2,
                "warning",
                "a record is lost: the JSON breaks off at character 21: Expecting ':' delimiter",
            ),
            (3, "info", "the value is no JSON: kept as text"),
        ),
        ((1, 5, "stopped"),),
    ),
    "v05_two_on_one_line.txt": Says(
        [
            (1, "run_start", None),
            (1, "eval_offset", "3"),
            (1, "run_stop", None),
            (2, "run_final", None),
        ],
        runs=((1, 2, "stopped"),),
    ),
    "v06_mpirun_tags.txt": Says(
        [
            (1, "cache_clear", "true"),
            (2, "submission_org", '"Example"'),
            (3, "run_start", None),
            (4, "train_samples", "1281167"),
            (6, "eval_accuracy", "0.5"),
            (7, "run_stop", None),
        ],
        runs=((1, 7, "success"),),
    ),
    "v06_space_before_colon.txt": Says(
        [(1, "run_start", None), (2, "base_lr", "0.5"), (3, "run_stop", '{"status":"success"}')],
        runs=((1, 3, "success"),),
    ),
    "v06_damaged.txt": Says(
        [(1, "run_start", None), (4, "run_stop", None)],
        (
            (
                2,
                "warning",
                "a record is lost: the JSON breaks off at character 81: Expecting ',' delimiter",
            ),
            (3, "warning", LOST_MARKER),
        ),
        ((1, 4, "stopped"),),
    ),
    "v06_two_on_one_line.txt": Says(
        [(1, "run_start", None), (1, "seed", "5"), (2, "run_stop", None)],
        runs=((1, 2, "stopped"),),
    ),
    "unmarked.txt": Says(
        [
            (1, "run_start", None),
            (2, "run_start", None),
            (3, "lr", "0.5"),
            (4, "eval_accuracy", "0.748"),
            (5, "Total runtime", "0.05"),
            (6, "run_stop", '{"success":true}'),
        ],
    ),
    "unmarked_interleaved.txt": Says(
        [(2, "run_start", None), (3, "run_stop", '{"success":true}')],
        ((1, "warning", RECORD_INSIDE),),
        ((2, 3, "success"),),
    ),
    # what stands around a record
    "srun_labels.txt": whole(),
    "bracket_labels.txt": whole(),
    "text_before_marker.txt": whole(),
    "crlf.txt": whole(),
    "progress_bar.txt": Says(at(1, 2, 3, 4, 5, 7), runs=((1, 7, "success"),)),
    "cr_only.txt": Says(at(1, 1, 1, 1, 1, 1), runs=((1, 1, "success"),)),
    "invalid_utf8.txt": whole((5, "info", "bytes that are not UTF-8 were replaced in this record")),
    "utf16_le.txt": whole(),
    "utf16_be.txt": whole(),
    "utf8_bom.txt": whole(),
    "null_bytes.txt": whole(),
    "separators_in_line.txt": Says(at(2, 3, 4, 5, 6, 7), runs=((2, 7, "success"),)),
    "ranks_repeat.txt": Says(
        [
            *[(1 + 3 * n + rank, *BODY[n]) for n in range(4) for rank in range(3)],
            (13, *BODY[4]),
            (14, *BODY[5]),
        ],
        runs=((1, 14, "success"),),
    ),
    "no_final_newline.txt": whole(),
    # members
    "no_event_type.txt": whole(),
    "no_namespace.txt": whole(),
    "time_s.txt": whole(),
    "time_zero.txt": Says(
        [(1, *BODY[3]), (2, *BODY[4]), (3, *BODY[5]), (4, *BODY[1]), (5, *BODY[0])],
        runs=((1, 5, "success"),),
    ),
    "mixed_clocks.txt": Says(
        [
            (1, *BODY[0]),
            (2, *BODY[3]),
            (3, *BODY[4]),
            (4, *BODY[5]),
            (5, *BODY[0]),
            (6, "seed", "1"),
            (7, "train_samples", "10"),
        ],
        runs=((1, 7, "success"),),
    ),
    "strange_times.txt": Says(
        [(1, *BODY[3]), (2, *BODY[4]), (3, *BODY[4]), (4, *BODY[4]), (5, *BODY[0]), (6, *BODY[5])],
    ),
    "numbers.txt": Says(
        [
            (1, *BODY[0]),
            (2, *BODY[1]),
            (3, "seed", "10688027786191513374"),
            (4, "opt_gradient_clip_norm", '"inf"'),
            (5, "train_loss", '"nan"'),
            (6, "opt_bounds", '[0.5,"-inf"]'),
            (7, "huge", "9" * 400),
            (9, "lars_opt_momentum", '"0.94"'),
            (10, "d_batch_size", "24.0"),
            (11, "train_samples", "[3872218]"),
            (12, "opt_steps", "[44,55]"),
            (13, "tracked_stats", '{"throughput":26071.5,"d_convergence":"50"}'),
            (14, "flag", "false"),
            (15, "name", '"ünïcode \ufffd end"'),
            (16, *BODY[3]),
            (17, *BODY[4]),
            (18, *BODY[5]),
        ],
        (
            (4, "info", KEPT_TEXT),
            (5, "info", KEPT_TEXT),
            (6, "info", KEPT_TEXT),
            (8, "warning", "a record is lost: the JSON cannot be read: ValueError"),
        ),
        ((1, 18, "success"),),
    ),
    "maskrcnn.txt": Says(
        [*WHOLE[:4], (5, "eval_accuracy", '{"BBOX":0.377,"SEGM":0.342}'), WHOLE[5]]
    ),
    "deep_nesting.txt": Says(
        at(1, 2, 3, 4, 7, 8),
        (
            (5, "warning", "a record is lost: the JSON is nested too deeply"),
            (6, "warning", "a record is lost: the JSON is nested too deeply"),
        ),
        ((1, 8, "success"),),
    ),
    "unknown_member.txt": Says(
        [*WHOLE[:4], (5, "eval_accuracy", None), WHOLE[5]],
        (
            (5, "info", "it has a member that no record has (va#ue): not read"),
            (5, "info", "it has no value: the official tools break down on it"),
        ),
    ),
    "bad_key.txt": Says(
        [*WHOLE[:2], (3, "se#d", "4711"), *WHOLE[3:]], ((3, "info", "its key is no name"),)
    ),
    "no_key.txt": Says(
        at(1, 2, 0, 8, 9, 10),
        (
            (3, "warning", "a record is lost: the record has no key"),
            (4, "warning", "a record is lost: the record has no key"),
            (5, "warning", "a record is lost: the JSON is not an object"),
            (6, "warning", "a record is lost: the JSON is not an object"),
            (
                7,
                "warning",
                "a record is lost: the JSON breaks off at character 0: Expecting value",
            ),
        ),
        ((1, 10, "success"),),
    ),
    # several records on a line, or one on several lines
    "two_on_one_line.txt": Says(at(1, 1, 2, 2, 3, 4), runs=((1, 4, "success"),)),
    "marker_quoted.txt": Says(
        [*WHOLE[:3], (4, "note", '"write :::MLLOG before it"'), *at(0, 0, 0, 5, 6, 7)],
        runs=((1, 7, "success"),),
    ),
    "raw_newline.txt": Says(
        [*WHOLE[:3], (4, "note", r'"first\nsecond"'), *at(0, 0, 0, 6, 7, 8)],
        ((4, "info", "a raw newline splits it over several lines: joined"),),
        ((1, 8, "success"),),
    ),
    "raw_newline_crlf.txt": Says(
        [*WHOLE[:3], (4, "note", r'"first\nsecond"'), *at(0, 0, 0, 6, 7, 8)],
        ((4, "info", "a raw newline splits it over several lines: joined"),),
        ((1, 8, "success"),),
    ),
    "split_too_often.txt": Says(
        at(1, 2, 3, 10, 11, 12),
        (
            (
                4,
                "warning",
                "a record is lost: the JSON breaks off at character 100: "
                "Unterminated string starting at",
            ),
            (9, "warning", LOST_MARKER),
        ),
        ((1, 12, "success"),),
    ),
    # relaunches
    "relaunch.txt": Says(
        [*WHOLE[:5], *at(8, 9, 10, 11, 12, 13)],
        (
            (5, "error", NO_STOP),
            (
                8,
                "warning",
                "a relaunch was appended to this file here; only its last attempt counts",
            ),
        ),
        ((1, 5, "unfinished"), (8, 13, "success")),
    ),
    "relaunch_cut.txt": Says(
        [*WHOLE[:4], *at(6, 7, 8, 9, 10, 11)],
        (
            (
                5,
                "warning",
                "a record is lost: the JSON breaks off at character 82: Expecting value",
            ),
            (4, "error", NO_STOP),
            (
                6,
                "warning",
                "a relaunch was appended to this file here; only its last attempt counts",
            ),
        ),
        ((1, 4, "unfinished"), (6, 11, "success")),
    ),
    # damage
    "damaged_marker.txt": Says(at(1, 2, 3, 4, 0, 6), ((5, "warning", LOST_MARKER),)),
    "missing_marker.txt": Says(at(1, 2, 3, 4, 0, 6), ((5, "warning", LOST_MARKER),)),
    "damaged_second_on_line.txt": Says(
        at(1, 0, 2, 3, 4, 5), ((1, "warning", LOST_MARKER),), ((1, 5, "success"),)
    ),
    "head_cut_at_marker.txt": Says(
        at(0, 2, 3, 4, 5, 6), ((1, "warning", LOST_MARKER),), ((2, 6, "success"),)
    ),
    "head_cut_in_record.txt": Says(
        at(0, 2, 3, 4, 5, 6),
        ((1, "warning", "the file begins inside this record"),),
        ((2, 6, "success"),),
    ),
    "cut_in_json.txt": Says(
        at(1, 2, 3, 4, 5),
        (
            (
                6,
                "warning",
                "the file ends inside this record (the JSON breaks off at character 59: "
                "Unterminated string starting at)",
            ),
            (5, "error", NO_STOP),
        ),
        ((1, 5, "unfinished"),),
    ),
    "cut_in_marker.txt": Says(
        at(1, 2, 3, 4, 5),
        (
            (
                6,
                "warning",
                "the file ends inside this record (its marker is damaged or missing)",
            ),
            (5, "error", NO_STOP),
        ),
        ((1, 5, "unfinished"),),
    ),
    "cut_in_marker_colons.txt": Says(
        at(1, 2, 3, 4, 5),
        (
            (6, "warning", "the file ends inside a record's marker"),
            (5, "error", NO_STOP),
        ),
        ((1, 5, "unfinished"),),
    ),
    "cut_after_marker.txt": Says(
        at(1, 2, 3, 4, 5),
        (
            (
                6,
                "warning",
                "the file ends inside this record (the JSON breaks off at character 1: "
                "Expecting value)",
            ),
            (5, "error", NO_STOP),
        ),
        ((1, 5, "unfinished"),),
    ),
    "result_empty.txt": Says([], ((None, "error", "the file is empty"),), ()),
    "result_blank.txt": Says([], ((None, "error", "the file is empty"),), ()),
    "result_binary.txt": Says([], ((None, "error", "no MLPerf record in the file"),), ()),
    "result_no_record.txt": Says([], ((None, "error", "no MLPerf record in the file"),), ()),
    # what became of the run
    "stop_before_start.txt": Says([(1, *BODY[5]), (2, *BODY[3])], runs=((1, 2, "success"),)),
    "no_run_stop.txt": Says(at(1, 2, 3, 4, 5), ((5, "error", NO_STOP),), ((1, 5, "unfinished"),)),
    "no_run_start.txt": Says(at(1, 2, 3, 0, 4, 5), ((1, "error", NO_START),), ((1, 5, "success"),)),
    "status_aborted.txt": two(None, "aborted"),
    "status_abort.txt": two(None, "aborted"),
    "status_upper_case.txt": two(None, "aborted"),
    "status_null.txt": two(None, "stopped"),
    "status_missing.txt": two(None, "stopped"),
    "status_unknown.txt": two(
        None,
        "unknown",
        (
            2,
            "warning",
            "run_stop says 'paused', neither success nor aborted: the run does not count",
        ),
    ),
    "status_in_value.txt": two('"success"', "success"),
    "status_in_value_object.txt": two('{"status":"aborted"}', "aborted"),
    "status_beside_a_word.txt": two(None, "success"),
    "metadata_text.txt": Says([*WHOLE[:5], (6, "run_stop", '"null"')]),
    "events_after_stop.txt": Says(
        [*WHOLE, (7, "eval_accuracy", "0.76")], runs=((1, 7, "success"),)
    ),
    "backwards.txt": Says(at(1, 0, 0, 2, 3, 4), runs=((1, 4, "success"),)),
}


@pytest.mark.parametrize("name", [path.name for path in sample_files("mlperf_log")])
def test_sample(name: str) -> None:
    said = EXPECTED[name]
    records = read(FOLDER / name)
    events = events_of(records)
    assert [(event.line, event.key, event.value) for event in events] == said.events
    problems = [(p.line, p.severity, p.reason) for p in problems_of(records)]
    assert problems == list(said.problems)
    runs = [record for record in records if isinstance(record, Run)]
    assert [(run.first_line, run.last_line, run.status) for run in runs] == list(said.runs)
    assert [run.is_last for run in runs] == [run is runs[-1] for run in runs]


def test_every_expectation_has_a_sample() -> None:
    assert set(EXPECTED) == {path.name for path in sample_files("mlperf_log")}


def test_every_problem_says_what_to_do() -> None:
    for path in sample_files("mlperf_log"):
        assert all(problem.remedy for problem in problems_of(read(path)))


def events(name: str) -> list[Event]:
    return events_of(read(FOLDER / name))


@pytest.mark.parametrize(
    ("name", "ranks"),
    [
        ("plain.txt", [None] * 6),
        ("srun_labels.txt", [0, 1, 12, 3, 0, 0]),
        ("bracket_labels.txt", [0, 1, 2, 3, 4, 0]),
        ("v06_mpirun_tags.txt", [0, 0, 0, 1, 1, 0]),
        ("text_before_marker.txt", [None, None, None, None, 8, None]),
        ("utf8_bom.txt", [0] * 6),
        ("ranks_repeat.txt", [0, 1, 2] * 4 + [0, 0]),
    ],
)
def test_rank(name: str, ranks: list[int | None]) -> None:
    assert [event.rank for event in events(name)] == ranks


@pytest.mark.parametrize(
    ("name", "times"),
    [
        (
            "plain.txt",
            [
                (1700000000000.0, "epoch"),
                (1700000000100.0, "epoch"),
                (1700000000200.0, "epoch"),
                (1700000001000.0, "epoch"),
                (1700000061000.0, "epoch"),
                (1700000062000.0, "epoch"),
            ],
        ),
        (
            "time_s.txt",
            [
                (None, "placeholder"),
                (None, "placeholder"),
                (None, "placeholder"),
                (1600000000250.0, "epoch"),
                (1600000060500.0, "epoch"),
                (1600000061500.0, "epoch"),
            ],
        ),
        (
            "time_zero.txt",
            [
                (1700000001000.0, "epoch"),
                (1700000061000.0, "epoch"),
                (1700000062000.0, "epoch"),
                (None, "placeholder"),
                (None, "placeholder"),
            ],
        ),
        (
            "mixed_clocks.txt",
            [
                (1700000000000.0, "epoch"),
                (1592985147.0, "suspect"),
                (1593184000.0, "suspect"),
                (1593184341.0, "suspect"),
                (1700500000000.0, "epoch"),
                (0.005279, "suspect"),
                (None, "missing"),
            ],
        ),
        (
            "strange_times.txt",
            [
                (1700000000001.0, "epoch"),
                (None, "missing"),
                (-5.0, "suspect"),
                (None, "missing"),
                (None, "missing"),
                (1700000062000.0, "epoch"),
            ],
        ),
        (
            "v05_space_before_colon.txt",
            [(1540000000000.0 + 1000 * second, "epoch") for second in (1, 2, 3, 4, 5)],
        ),
        (
            "v06_mpirun_tags.txt",
            [
                (None, "placeholder"),
                (None, "placeholder"),
                (1560000000500.0, "epoch"),
                (1560000001250.0, "epoch"),
                (1560000031000.0, "epoch"),
                (1560000060500.0, "epoch"),
            ],
        ),
        (
            "unmarked.txt",
            [(1560506400000.0 + 1000 * second, "epoch") for second in (1, 1, 2, 3, 4, 5)],
        ),
    ],
)
def test_time(name: str, times: list[tuple[float | None, str]]) -> None:
    assert [(event.time_ms, event.clock) for event in events(name)] == times


def test_numbers() -> None:
    assert [event.number for event in events("numbers.txt")] == [
        None,  # true is no number
        None,
        float(10688027786191513374),
        None,  # Infinity
        None,  # NaN
        None,
        None,  # 400 digits are over the largest double
        0.94,  # text
        24.0,
        3872218.0,  # a list of one
        None,
        None,
        None,
        None,
        None,
        0.75,
        None,
    ]


@pytest.mark.parametrize(
    ("name", "line", "metadata"),
    [
        ("plain.txt", 1, '{"file":"train.py","lineno":12}'),
        ("plain.txt", 5, '{"file":"train.py","lineno":12,"epoch_num":2}'),
        ("plain.txt", 6, '{"file":"train.py","lineno":12,"status":"success"}'),
        ("invalid_utf8.txt", 5, '{"file":"tr\ufffdin.py","lineno":12,"epoch_num":2}'),
        ("v05.txt", 6, '{"file":"train.py","lineno":44,"epoch_num":0}'),
        ("v06_space_before_colon.txt", 2, None),
        ("metadata_text.txt", 1, None),
        ("unmarked.txt", 4, '{"epoch_num":61.0}'),
        ("unmarked.txt", 3, None),
    ],
)
def test_metadata(name: str, line: int, metadata: str | None) -> None:
    assert [event.metadata for event in events(name) if event.line == line] == [metadata]


def test_event_type() -> None:
    kinds = [event.event_type for event in events("plain.txt")]
    assert kinds == ["POINT_IN_TIME"] * 3 + ["INTERVAL_START", "POINT_IN_TIME", "INTERVAL_END"]
    assert {event.event_type for event in events("no_event_type.txt")} == {None}


def test_attempts_of_a_relaunch() -> None:
    assert [event.attempt for event in events("relaunch.txt")] == [1] * 5 + [2] * 6
    assert [event.attempt for event in events("relaunch_cut.txt")] == [1] * 4 + [2] * 6
    assert {event.attempt for event in events("ranks_repeat.txt")} == {1}


def test_excerpt_shows_the_damage_and_no_control_characters() -> None:
    (problem,) = problems_of(read(FOLDER / "damaged_marker.txt"))
    assert problem.excerpt.startswith('u::MLLOG {"namespace": "", "time_ms": 1700000061000')
    (problem,) = problems_of(read(FOLDER / "invalid_utf8.txt"))
    assert problem.excerpt.isprintable()


def test_claims() -> None:
    assert mlperf_log.claims(b"x\n:::MLLOG {", "job-17.out")
    assert mlperf_log.claims(b"", "Org/results/box/bert/result_0.txt")
    assert mlperf_log.claims(b"\xff\xfe" + ":::MLLOG {".encode("utf-16-le"), "job.log")
    assert not mlperf_log.claims(b"MLPerf: see [1] for the rules", "notes.txt")
    assert not mlperf_log.claims(b'{"notes": ":::MLLOG "}', "systems/box.json")
    assert not mlperf_log.claims(b"", "my_result_0.txt")
    assert not mlperf_log.claims(b"epoch 1", "train.log")


def test_long_lines_take_no_quadratic_time() -> None:
    record = b':::MLLOG {"key": "a", "value": 1}'
    records = list(mlperf_log.parse(record * 20_000, "one_line"))
    assert len(events_of(records)) == 20_000


def corpus_logs(archive: Path) -> Iterator[tuple[str, list[Record]]]:
    """Every result_*.txt of an archive, with its records."""
    for found in walk([str(archive)], Limits()):
        assert isinstance(found, Source), found
        if fnmatch(found.origin, "*/result_*.txt"):
            yield found.origin, list(mlperf_log.parse(found.read(), found.origin))


@pytest.mark.parametrize(
    ("archive", "files", "count", "damage"),
    [
        ("training_v0.5_part.tar.xz", 15, 33_465, []),
        (
            "training_v0.6_part.tar.xz",
            20,
            4_431,
            [
                ("Alibaba/results/sinian/resnet/result_5.txt", 42, RECORD_INSIDE),
                ("Alibaba/results/sinian/resnet/result_5.txt", 43, NO_TIME_AND_KEY),
            ],
        ),
        ("training_v0.7_part.tar.xz", 90, 29_841, []),
        (
            "training_v1.1.tar.xz",
            1810,
            1_153_206,
            [("Inspur/results/nf5488a5_tensorflow/minigo/result_8.txt", 901, LOST_MARKER)],
        ),
        ("training_v2.0_part.tar.xz", 125, 53_701, []),
        (
            "training_v5.1_part.tar.xz",
            300,
            63_562,
            [
                ("Dell/results/1xXE9680Lx8H200-SXM-141GB/rgat/result_7.txt", 4485, NO_STOP),
                (
                    "Dell/results/1xXE9780x8B200-SXM-180GB/llama2_70b_lora/result_0.txt",
                    983,
                    NO_STOP,
                ),
            ],
        ),
    ],
)
def test_published_logs(
    corpus: Path, archive: str, files: int, count: int, damage: list[tuple[str, int, str]]
) -> None:
    logs = list(corpus_logs(corpus / archive))
    assert len(logs) == files
    assert sum(len(events_of(records)) for _, records in logs) == count
    found = [
        (path.partition(f"{archive}/")[2].partition("/")[2], problem.line, problem.reason)
        for path, records in logs
        for problem in problems_of(records)
    ]
    assert found == damage
