"""System descriptions and scaling factors: what each sample says, to the line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import SAMPLES, problems_of, read, sample_files

from ingest.formats import mlperf_scaling, mlperf_system
from ingest.records import Problem, Record, ScalingFactor, System

FOLDER = SAMPLES / "mlperf_system"

BOX = {
    "submitter": "Example",
    "division": "closed",
    "system_name": "box",
    "number_of_nodes": "2",
    "accelerators_per_node": "4",
    "accelerator_model_name": "X100-80GB",
    "host_processor_model_name": "CPU 1",
}

# sample: nodes, accelerators per node, what differs from BOX
DESCRIBED: dict[str, tuple[int | None, int | None, dict[str, Any]]] = {
    "systems/strings.json": (2, 4, {}),
    "systems/whole_numbers.json": (2, 4, {"number_of_nodes": 2, "accelerators_per_node": 4}),
    "systems/floats.json": (1, 8, {"number_of_nodes": 1.0, "accelerators_per_node": "8.0"}),
    "systems/spaced_key.json": (2, 4, {}),
    "systems/divison.json": (2, 4, {}),
    "systems/trailing_comma.json": (2, 4, {}),
    "systems/bom.json": (2, 4, {}),
    "systems/utf16.json": (2, 4, {}),
    "systems/zero_accelerators.json": (2, 0, {"accelerators_per_node": "0"}),
    "systems/no_accelerators.json": (
        2,
        0,
        {"accelerators_per_node": "N/A", "accelerator_model_name": "N/A"},
    ),
    "systems/not_numbers.json": (
        None,
        None,
        {"number_of_nodes": "two", "accelerators_per_node": 4.5},
    ),
    "systems/zero_nodes.json": (None, None, {"number_of_nodes": "0", "accelerators_per_node": -1}),
    "systems/infinite.json": (2, 4, {"host_memory": "inf", "peak": "nan"}),
}
# sample: nodes, accelerators per node, the whole description
ODD: dict[str, tuple[int | None, int | None, dict[str, Any]]] = {
    "systems/missing_keys.json": (
        None,
        4,
        {"submitter": "Example", "accelerators_per_node": "4"},
    ),
    "systems/log_lines.json": (
        3,
        16,
        {
            "number_of_nodes": "3",
            "accelerators_per_node": "16",
            "accelerator_model_name": "X9",
            "submitter": "Example",
            "division": "closed",
            "system_name": "3xBOX-2",
            "poc_name": "A B",
            "nodes": "{'num_nodes': '3', 'num_accelerators': '16', 'accelerator': 'X9'}",
            "hardware": "BOX-2",
        },
    ),
    "systems/log_lines_bad_entry.json": (None, None, {"submitter": "Example"}),
    "results/box/entry.json": (
        1,
        8,
        {
            "number_of_nodes": 1,
            "accelerators_per_node": 8,
            "host_processor_model_name": "CPU 5",
            "notes": "",
            "division": "open",
            "hardware": "box",
            "nodes": [{"num_nodes": 1, "num_accelerators": 8, "cpu": "CPU 5", "notes": ""}],
        },
    ),
}
NOT_READ = {"cut.json", "deep.json", "empty.json", "list.json", "not_json.json"}

NODES_MISSING = (None, "warning", "number_of_nodes is missing; it is unknown")
LOG_LINES = (1, "info", "lines of log output instead of JSON; read as such")
NO_JSON = "not valid JSON from this line on; the description was not read"
PROBLEMS: dict[str, list[tuple[int | None, str, str]]] = {
    "systems/trailing_comma.json": [
        (8, "info", "not valid JSON: a comma stands before a closing bracket; read without it")
    ],
    "systems/missing_keys.json": [NODES_MISSING],
    "systems/not_numbers.json": [
        (5, "warning", "number_of_nodes is no count: 'two'; it is unknown"),
        (6, "warning", "accelerators_per_node is no count: 4.5; it is unknown"),
    ],
    "systems/zero_nodes.json": [
        (5, "warning", "number_of_nodes is no count: '0'; it is unknown"),
        (6, "warning", "accelerators_per_node is no count: -1; it is unknown"),
    ],
    "systems/log_lines.json": [LOG_LINES],
    "systems/log_lines_bad_entry.json": [
        LOG_LINES,
        NODES_MISSING,
        (None, "warning", "accelerators_per_node is missing; it is unknown"),
    ],
    "systems/cut.json": [(6, "error", NO_JSON)],
    "systems/not_json.json": [(1, "error", NO_JSON)],
    "systems/empty.json": [(1, "error", NO_JSON)],
    "systems/list.json": [(1, "error", "the JSON is not an object; the description was not read")],
    "systems/deep.json": [(1, "error", "nested too deeply; the description was not read")],
}


def names() -> list[str]:
    return [path.relative_to(FOLDER).as_posix() for path in sample_files("mlperf_system")]


def only(kind: type[Record], records: list[Record]) -> Any:
    (found,) = (record for record in records if isinstance(record, kind))
    return found


@pytest.mark.parametrize("name", names())
def test_system(name: str) -> None:
    records = read(FOLDER / name)
    problems = [(p.line, p.severity, p.reason) for p in problems_of(records)]
    assert problems == PROBLEMS.get(name, [])
    assert all(problem.remedy for problem in problems_of(records))
    if name.partition("/")[2] in NOT_READ:
        assert len(records) == 1
        return
    nodes, accelerators, fields = ODD.get(name) or DESCRIBED[name]
    system = only(System, records)
    assert (system.nodes, system.accelerators_per_node) == (nodes, accelerators)
    assert json.loads(system.fields) == (fields if name in ODD else BOX | fields)


def test_every_expectation_has_a_sample() -> None:
    expected = {*DESCRIBED, *ODD, *(f"systems/{name}" for name in NOT_READ)}
    assert expected == set(names())
    assert set(PROBLEMS) <= expected


def test_the_name_is_the_file_or_the_entry_s_folder() -> None:
    assert only(System, read(FOLDER / "systems/strings.json")).name == "strings"
    assert only(System, read(FOLDER / "results/box/entry.json")).name == "box"


def test_fields_are_json_that_a_database_takes() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    fields = only(System, read(FOLDER / "systems/infinite.json")).fields
    assert json.loads(fields, parse_constant=refuse)["peak"] == "nan"


def test_a_huge_file_is_no_description() -> None:
    data = b'{"number_of_nodes": "' + b'\\"' * 600_000
    (problem,) = mlperf_system.parse(data, "systems/huge.json")
    assert problem == Problem(
        None,
        "error",
        f"{len(data)} bytes are no system description; it was not read",
        "load the description itself",
    )


@pytest.mark.parametrize(
    ("name", "is_claimed"),
    [
        ("Org/systems/box.json", True),
        ("v0.5.0/org/sub/results/box/entry.json", True),
        ("Org/systems/notes.txt", False),
        ("package.json", False),
        ("results/box/resnet/scaling.json", False),
    ],
)
def test_claims_by_place(name: str, is_claimed: bool) -> None:
    assert mlperf_system.claims(b"{}", name) is is_claimed


def test_claims_by_its_keys() -> None:
    assert mlperf_system.claims(b'{"number of nodes": "1"}', "box.json")
    assert not mlperf_system.claims(b'{"number of nodes": "1"}', "box.toml")


FACTORS = {"good": 1.0125, "text_number": 1.5, "bom": 1.25}


@pytest.mark.parametrize("path", sample_files("mlperf_scaling"), ids=lambda path: path.parent.name)
def test_scaling(path: Any) -> None:
    records = read(path)
    if factor := FACTORS.get(path.parent.name):
        assert records == [ScalingFactor(factor)]
    else:
        reason = "no positive number called scaling_factor in it; the score stays raw"
        remedy = 'write {"scaling_factor": NUMBER}'
        assert records == [Problem(1, "error", reason, remedy)]


def test_scaling_claims_by_name() -> None:
    assert mlperf_scaling.claims(b"", "results/box/resnet/scaling.json")
    assert not mlperf_scaling.claims(b'{"scaling_factor": 1}', "factor.json")


def test_published_systems(corpus: Any) -> None:
    from ingest.sources import Limits, Source, walk

    found = list(walk([str(corpus / "training_v1.1.tar.xz")], Limits()))
    descriptions = [f for f in found if isinstance(f, Source) and "/systems/" in f.origin]
    records = [list(mlperf_system.parse(f.read(), f.origin)) for f in descriptions]
    assert len(descriptions) == 92
    assert all(len(record) == 1 and isinstance(record[0], System) for record in records)
