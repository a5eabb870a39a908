"""The published relations: one SQL file each, documented, verified against what it really gives.

A file begins with comment lines: sentences, then `-- column | unit | meaning` for every column in
order. A line `-- stored` makes the relation a table that is made anew after each load, because many
others read it; all else is a view.
"""

from __future__ import annotations

import graphlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

import duckdb

READ = re.compile(r"\b(?:from|join)\s+([a-z_][a-z0-9_]*)")
OWN = re.compile(r"(?:\bwith|,)\s*([a-z_][a-z0-9_]*)\s+as\s*\(")
COMMENT = re.compile(r"--[^\n]*")


class RelationError(Exception):
    """A SQL file whose documentation does not say what it gives: a fault of Levelbook."""


@dataclass(frozen=True, slots=True)
class Column:
    """One documented column; unit `-` for text, flags and counts that need none."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Relation:
    """One SQL file of `views/`: its name, its sentences, its columns and its query.

    `parts` are queries whose rows are added to a stored relation one after the other: one union of
    so many costs twice as much to plan.
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    query: str
    is_stored: bool
    parts: tuple[str, ...] = ()


def relations(generated: Iterable[Relation] = ()) -> list[Relation]:
    """Every relation of `views/` and the generated ones, each after those it reads."""
    made = [*map(_read, sql_files("views")), *generated]
    found = {relation.name: relation for relation in made}
    reads = {name: sorted(_reads(found[name]) & set(found) - {name}) for name in found}
    return [found[name] for name in graphlib.TopologicalSorter(reads).static_order()]


def _reads(relation: Relation) -> set[str]:
    return set().union(*map(reads_of, (relation.query, *relation.parts)))


def sql_files(folder: str) -> list[Traversable]:
    """The SQL files of a folder of this package, in alphabetical order."""
    inside = (files("warehouse") / folder).iterdir()
    return sorted((file for file in inside if file.name.endswith(".sql")), key=lambda f: f.name)


def _read(file: Traversable) -> Relation:
    text = file.read_text(encoding="utf-8")
    comments = [line[2:].strip() for line in text.split("\n") if line.startswith("--")]
    columns = tuple(
        Column(*(part.strip() for part in line.split(" | ", 2)))
        for line in comments
        if line.count(" | ") >= 2
    )
    sentences = [line for line in comments if line.count(" | ") < 2 and line != "stored"]
    query = COMMENT.sub("", text).strip().rstrip(";")
    name = file.name.removesuffix(".sql")
    return Relation(name, " ".join(sentences), columns, query, "stored" in comments)


def reads_of(sql: str) -> set[str]:
    """The relations that a query reads: names after from and join, less its own subqueries."""
    return set(READ.findall(sql.lower())) - set(OWN.findall(sql.lower()))


def rebuild(connection: duckdb.DuckDBPyConnection, generated: Iterable[Relation] = ()) -> None:
    """Makes every relation anew and stores its documentation as comments.

    Raises RelationError where the documented columns are not the real ones.
    """
    made = relations(generated)
    drop(connection, (relation.name for relation in reversed(made)))
    for relation in made:
        kind = "table" if relation.is_stored else "view"
        connection.execute(f"create {kind} {relation.name} as {relation.query}")
        for part in relation.parts:
            connection.execute(f"insert into {relation.name} {part}")
    verify(connection, made)
    connection.execute(";\n".join(comment for relation in made for comment in _comments(relation)))


def drop(connection: duckdb.DuckDBPyConnection, names: Iterable[str]) -> None:
    """Removes relations that may be there as a view or as a table."""
    rows = connection.execute("select table_name, table_type from information_schema.tables")
    kinds = dict(rows.fetchall())
    for name in names:
        if name in kinds:
            kind = "view" if kinds[name] == "VIEW" else "table"
            connection.execute(f"drop {kind} {name}")


def verify(connection: duckdb.DuckDBPyConnection, made: Iterable[Relation]) -> None:
    """Raises RelationError unless the documented columns are the real ones, in order."""
    rows = connection.execute(
        "select table_name, list(column_name order by column_index) from duckdb_columns()"
        " group by table_name"
    )
    real = dict(rows.fetchall())
    for relation in made:
        documented = [column.name for column in relation.columns]
        if real[relation.name] != documented:
            raise RelationError(
                f"{relation.name}.sql gives {real[relation.name]} but documents {documented}"
            )


def _comments(relation: Relation) -> Iterator[str]:
    kind = "table" if relation.is_stored else "view"
    yield f"comment on {kind} {relation.name} is {quoted(relation.description)}"
    for column in relation.columns:
        text = column.meaning if column.unit == "-" else f"{column.meaning} [{column.unit}]"
        yield f"comment on column {relation.name}.{column.name} is {quoted(text)}"


def identifier(name: str) -> str:
    """A name as SQL takes it, whatever its characters."""
    return '"' + name.replace('"', '""') + '"'


def quoted(text: str) -> str:
    """A string literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
