"""What people say: the TOML files of `data/`, and what is wrong with them said in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from mlperf_logs import row, rows, waiver

from warehouse import reference
from warehouse.database import in_memory
from warehouse.reference import ReferenceDataError, share_folder
from warehouse.refresh import refresh
from warehouse.rules import rules

CORRECTION = (
    '[[correction]]\nid = "x"\nquantity = "score_min"\nexpect = 1.0\ntolerance = 0.1\n'
    'reason = "r"\nauthor = "maintainer"\nsince = 2020-01-01\n'
    "until = 2999-12-31\n"
)


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_bundled_files_are_read_whole() -> None:
    connection = in_memory()
    reference.rebuild(connection)
    folder = share_folder() / "data"
    for file, key, table in reference.TABLES:
        entries = tomllib.loads((folder / file).read_text(encoding="utf-8"))[key]
        found = rows(connection, f"select * from {table} order by line")
        assert len(found) == len(entries) > 0
        known = {reference.RENAMED.get(name, name) for entry in entries for name in entry}
        assert known <= set(found[0]), file
        lines = (folder / file).read_text(encoding="utf-8").split("\n")
        assert all(lines[one["line"] - 1] == f"[[{key}]]" for one in found)


def test_bundled_waivers_are_about_rules_and_end() -> None:
    connection = in_memory()
    reference.rebuild(connection)
    names = {rule.name for rule in rules()}
    for one in rows(connection, "select * from waiver"):
        assert one["rule"] in names
        assert one["since"] <= one["until"]
        assert len(one["reason"]) > 40


def test_a_folder_without_files_says_nothing(tmp_path: Path) -> None:
    connection = in_memory()
    reference.rebuild(connection)
    reference.rebuild(connection, tmp_path)
    for table in ("waiver", "correction", "published", "family_override"):
        assert rows(connection, f"select * from {table}") == []


def test_an_entry_is_taken_with_its_line(tmp_path: Path) -> None:
    written(tmp_path, "waivers.toml", "# first\n\n" + waiver("a", "b") + "\n" + waiver("c", "d"))
    connection = in_memory()
    reference.rebuild(connection, tmp_path)
    found = rows(connection, "select rule, subject, line from waiver order by line")
    assert found == [
        {"rule": "a", "subject": "b", "line": 3}, {"rule": "c", "subject": "d", "line": 11},
    ]  # fmt: skip


@pytest.mark.parametrize(
    "head", ["[[waiver]] # why", "[[ waiver ]]", "  [[waiver]]", '[["waiver"]]']
)
def test_heads_may_be_written_in_any_way(tmp_path: Path, head: str) -> None:
    text = waiver("a", "b").replace("[[waiver]]", head)
    written(tmp_path, "waivers.toml", "\n" + text)
    connection = in_memory()
    reference.rebuild(connection, tmp_path)
    assert row(connection, "select rule, line from waiver") == {"rule": "a", "line": 2}


def test_a_head_inside_a_text_is_no_head(tmp_path: Path) -> None:
    text = waiver("a", "b").replace('"known and accepted"', '"""\n[[waiver]]\n"""')
    written(tmp_path, "waivers.toml", text)
    connection = in_memory()
    reference.rebuild(connection, tmp_path)
    assert row(connection, "select reason from waiver") == {"reason": "[[waiver]]\n"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("waivers.toml", "[[waiver]\n", "not valid TOML"),
        ("waivers.toml", b"\xff\xfe\n", "not valid TOML"),
        ("waivers.toml", 'waiver = "x"\n', "waiver must be"),
        ("waivers.toml", '[waiver]\nrule = "x"\n', "waiver must be"),
        ("waivers.toml", "waiver = [1, 2]\n", "waiver must be"),
        ("waivers.toml", '[[waiver]]\nrule = "x"\n', "line 1: .*NOT NULL"),
        ("waivers.toml", waiver("a", "b").replace("until", "untill"), "line 1: .*NOT NULL"),
        ("waivers.toml", waiver("a", "b").replace("2020-01-01", '"soon"'), "line 1: "),
        ("corrections.toml", CORRECTION + "\n" + CORRECTION, "line 11: "),
        ("corrections.toml", CORRECTION.replace("1.0", '"many"'), "line 1: "),
        ("systems.toml", '[[family]]\norganization = "A"\nsystems = ["x"]\n', "line 1: .*NOT NULL"),
        ("systems.toml", '[[family]]\norganization = "A"\nname = "B"\nsystems = 5\n', "line 1: "),
    ],
)
def test_a_fault_is_one_line_with_file_and_place(
    tmp_path: Path, name: str, text: str | bytes, said: str
) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(ReferenceDataError, match=said) as raised:
        reference.rebuild(in_memory(), tmp_path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)


def test_refresh_follows_the_files(tmp_path: Path) -> None:
    connection = in_memory()
    written(tmp_path, "waivers.toml", waiver("required_runs", "b"))
    refresh(connection, tmp_path)
    assert row(connection, "select status, is_loaded from waiver_status") == {
        "status": "unmatched", "is_loaded": False,
    }  # fmt: skip
    (tmp_path / "waivers.toml").unlink()
    refresh(connection, tmp_path)
    assert rows(connection, "select * from waiver_status") == []


def test_a_failed_refresh_leaves_what_was_derived(tmp_path: Path) -> None:
    connection = in_memory()
    refresh(connection, tmp_path)
    written(tmp_path, "waivers.toml", "[[waiver]\n")
    with pytest.raises(ReferenceDataError):
        refresh(connection, tmp_path)
    assert rows(connection, "select * from finding") == []


def test_the_folder_of_data_is_found() -> None:
    assert (share_folder() / "data" / "waivers.toml").is_file()
    assert (share_folder() / "mkdocs.yml").is_file()
