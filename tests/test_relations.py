"""The published relations: documented, verified, commented, and named as users rely on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import duckdb
import pytest
from mlperf_logs import row, rows

from warehouse import relations, rules
from warehouse.database import in_memory
from warehouse.refresh import refresh
from warehouse.relations import Column, Relation, RelationError

ALL = relations.relations(rules.as_relations())
UNITS = {
    "min": {"min"},
    "pct": {"%"},
    "ms": {"ms"},
    "at": {"UTC"},
}
RELIED_ON = {
    "source": "path, sha256, format, status, lines, records, problems",
    "problem": "path, line, severity, reason",
    "score": "round, division, organization, system, benchmark, nodes, accelerators, runs,"
    " runs_converged, score_min, mean_min",
    "scaling": "round, division, organization, family, system, benchmark, nodes, accelerators,"
    " score_min, speedup, efficiency_pct, throughput_efficiency_pct, convergence_efficiency_pct,"
    " overhead_efficiency_pct, is_like_for_like, note",
    "finding": "rule, severity, subject, message, path, line",
    "system": "system, nodes, accelerators_per_node",
    "run": "run_id, benchmark, organization, division, round, system, status",
    "event": "run_id, line, key, value, number, time_ms, rank, metadata",
    "run_result": "run_id, time_to_train_min, is_converged, reason",
    "result_set": "result_set, runs, runs_converged",
    "hyperparameter": "run_id, key, value, number, line",
    "epoch": "run_id, ordinal, minutes",
    "evaluation": "run_id, ordinal, accuracy",
    "throughput": "run_id, overall_samples_per_s, first_epoch_samples_per_s",
    "family": "family, system, nodes, accelerators",
    "hyperparameter_difference": "scope, severity, result_set, other_set, key, value, other_value",
}


@pytest.fixture(scope="module")
def empty() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with every relation and not one row."""
    connection = in_memory()
    refresh(connection)
    yield connection
    connection.close()


@pytest.mark.parametrize("name", sorted(RELIED_ON))
def test_names_that_users_rely_on(empty: duckdb.DuckDBPyConnection, name: str) -> None:
    assert rows(empty, f"select {RELIED_ON[name]} from {name}") == []


@pytest.mark.parametrize("relation", ALL, ids=lambda relation: relation.name)
def test_documentation_is_of_the_real_columns(
    empty: duckdb.DuckDBPyConnection, relation: Relation
) -> None:
    real = [found[0] for found in empty.execute(f"describe {relation.name}").fetchall()]
    assert [column.name for column in relation.columns] == real
    assert len(relation.description) > 5
    for column in relation.columns:
        assert column.meaning, column.name
        assert column.unit, column.name


@pytest.mark.parametrize("relation", ALL, ids=lambda relation: relation.name)
def test_documentation_is_stored_as_comments(
    empty: duckdb.DuckDBPyConnection, relation: Relation
) -> None:
    found = rows(
        empty,
        "select column_name, comment from duckdb_columns() where table_name = ?"
        " order by column_index",
        relation.name,
    )
    for column, one in zip(relation.columns, found, strict=True):
        unit = "" if column.unit == "-" else f" [{column.unit}]"
        assert one["comment"] == f"{column.meaning}{unit}"
    said = row(
        empty,
        "select comment from duckdb_tables() where table_name = $1"
        " union all select comment from duckdb_views() where view_name = $1",
        relation.name,
    )
    assert said == {"comment": relation.description}


@pytest.mark.parametrize("relation", ALL, ids=lambda relation: relation.name)
def test_a_unit_in_a_name_is_the_documented_one(relation: Relation) -> None:
    for column in relation.columns:
        ending = column.name.rsplit("_", 1)[-1]
        if ending in UNITS and column.name != ending:
            assert column.unit in UNITS[ending], column.name
        if column.name.endswith("_per_s"):
            assert column.unit == "samples/s"


@pytest.mark.parametrize("relation", ALL, ids=lambda relation: relation.name)
def test_flags_are_booleans_and_nothing_else_is_called_so(
    empty: duckdb.DuckDBPyConnection, relation: Relation
) -> None:
    for name, kind, *_ in empty.execute(f"describe {relation.name}").fetchall():
        assert name.startswith(("is_", "has_")) == (kind == "BOOLEAN"), name


@pytest.mark.parametrize("folder", ["views", "rules"])
def test_files_are_short_and_named_after_what_they_give(folder: str) -> None:
    for file in relations.sql_files(folder):
        assert re.fullmatch(r"[a-z_]+\.sql", file.name)
        text = file.read_text(encoding="utf-8")
        assert text.count("\n") <= 130, file.name
        assert "\t" not in text


def test_every_relation_stands_after_those_it_reads() -> None:
    names = [relation.name for relation in ALL]
    assert len(names) == len(set(names))
    for place, relation in enumerate(ALL):
        read = relations.reads_of(relation.query) & set(names) - {relation.name}
        assert read <= set(names[:place]), relation.name


def relation(query: str, *columns: str, stored: bool = False) -> Relation:
    made = tuple(Column(name, "-", f"the {name}") for name in columns)
    return Relation("made", "It's a relation; with 'quotes'.", made, query, stored)


@pytest.mark.parametrize("stored", [False, True])
def test_a_relation_is_made_with_its_comments(stored: bool) -> None:
    connection = in_memory()
    relations.rebuild(
        connection,
        [*rules.as_relations(), relation("select 1 as a, 2 as b", "a", "b", stored=stored)],
    )
    found = rows(
        connection, "select column_name, comment from duckdb_columns() where table_name = 'made'"
    )
    assert [one["comment"] for one in found] == ["the a", "the b"]
    assert row(connection, "select * from made") == {"a": 1, "b": 2}


@pytest.mark.parametrize("columns", [("a",), ("a", "b", "c"), ("b", "a"), ("a", "x")])
def test_wrong_documentation_is_refused(columns: tuple[str, ...]) -> None:
    made = [*rules.as_relations(), relation("select 1 as a, 2 as b", *columns)]
    with pytest.raises(RelationError, match=r"made\.sql gives \['a', 'b'\] but documents"):
        relations.rebuild(in_memory(), made)


def test_making_everything_anew_gives_the_same() -> None:
    connection = in_memory()
    listed = (
        "select table_name, column_name, data_type, comment from duckdb_columns()"
        " where not internal order by all"
    )
    refresh(connection)
    before = connection.execute(listed).fetchall()
    refresh(connection)
    assert connection.execute(listed).fetchall() == before


def test_a_view_that_became_a_table_is_replaced() -> None:
    connection = in_memory()
    connection.execute("create view score as select 1 as old")
    connection.execute("create table throughput as select 1 as old")
    refresh(connection)
    assert rows(connection, "select score_min from score") == []
    assert rows(connection, "select run_id from throughput") == []


@pytest.mark.parametrize("text", ["it's", "''", "a;b", "--", 'say "x"'])
def test_text_is_quoted(text: str) -> None:
    connection = duckdb.connect()
    assert connection.execute(f"select {relations.quoted(text)}").fetchone() == (text,)


@pytest.mark.parametrize(
    ("sql", "read"),
    [
        ("select * from a join b using (x)", {"a", "b"}),
        ("with c as (select * from a), d as (select * from c) select * from d", {"a"}),
        ("SELECT * FROM a\nLEFT JOIN b ON true", {"a", "b"}),
        ("select * from (select * from a) x", {"a"}),
    ],
)
def test_relations_that_a_query_reads(sql: str, read: set[str]) -> None:
    assert relations.reads_of(sql) == read


def test_the_order_of_making_is_always_the_same() -> None:
    code = (
        "from warehouse import relations, rules;"
        "print([made.name for made in relations.relations(rules.as_relations())])"
    )
    orders = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(orders) == 1
