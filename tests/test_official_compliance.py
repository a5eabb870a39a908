"""Official compliance: equal to the official checker on real and on broken logs, and beyond it."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import filelock
import official_oracle as oracle
import pytest
from mlperf_logs import Submission, log, record, row, rows

from warehouse import reference, relations, rules
from warehouse.database import in_memory
from warehouse.load import load
from warehouse.official import assignment, compliance, evaluate
from warehouse.official.evaluate import MOST_FILES, Judgement, judge
from warehouse.official.logged import log_of_text
from warehouse.official.plans import RuleBook
from warehouse.official.records import Records
from warehouse.official.rule_data import Rules, RuleSet, find_rules

VERSION = "1.1.0"
PASSING = "- KEY: {NAME: anything, REQ: OPTIONAL}"
STATE = "- BEGIN: {CODE: \"s.update({'n': 0, 'names': []})\"}\n"


def book_of(folder: Path, files: Mapping[str, str]) -> RuleBook:
    """A rule set 1.1.0 of these files."""
    home = folder / "compliance_checker" / f"training_{VERSION}"
    home.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (home / f"{name}.yaml").write_text(text, encoding="utf-8")
    return RuleBook(Rules(folder, "test", "1"), RuleSet("training", VERSION), Records())


def judged(book: RuleBook, lines: Iterable[str]) -> Judgement:
    text = "\n".join(lines).encode("latin-1")
    version = book.rule_set.version
    return judge(book, log_of_text(text, version, book.keys(), book.records))


def errors(judgement: Judgement) -> list[tuple[str, str | None, int | None, int]]:
    """Kind, key, first line and number of lines of each error."""
    return [
        (each.kind, each.key, each.line, each.occurrences)
        for each in judgement.messages
        if each.severity == "error"
    ]


def key_rule(name: str, **said: Any) -> str:
    return json.dumps([{"KEY": {"NAME": name, **said}}])[1:-1].join(("- ", "\n"))


# Each: one rule file, the log, the verdict, the errors; the official checker must say the same.
ONE, TWO = record("a", 1), record("a", 2)
SEMANTICS: dict[str, tuple[str, list[str], list[tuple[Any, ...]]]] = {
    "exactly one: there": (key_rule("a", REQ="EXACTLY_ONE"), [ONE], []),
    "exactly one: missing": (
        key_rule("a", REQ="EXACTLY_ONE"), [record("b")], [("required", "a", None, 1)]),
    "exactly one: twice the same": (key_rule("a", REQ="EXACTLY_ONE"), [ONE, ONE], []),
    "exactly one: true is 1": (key_rule("a", REQ="EXACTLY_ONE"), [ONE, record("a", True)], []),
    "exactly one: two values": (
        key_rule("a", REQ="EXACTLY_ONE"), [ONE, ONE, TWO], [("required", "a", 3, 1)]),
    "at least one": (
        key_rule("a", REQ="AT_LEAST_ONE"), [record("b")], [("required", "a", None, 1)]),
    "at least two": (key_rule("a", REQ="AT_LEAST(2)"), [ONE], [("required", "a", None, 1)]),
    "at least two: there": (key_rule("a", REQ="AT_LEAST(2)"), [ONE, ONE], []),
    "either: none": (
        key_rule("a", REQ="AT_LEAST_ONE_OR(b)") + key_rule("b", REQ="AT_LEAST_ONE_OR(a)"),
        [record("c")], [("required", None, None, 1)]),
    "either: the other": (
        key_rule("a", REQ="AT_LEAST_ONE_OR(b)") + key_rule("b"), [record("b")], []),
    "optional": (key_rule("a", REQ="OPTIONAL"), [record("c")], []),
    "the last of two rules of a key holds": (
        key_rule("a", CHECK="v['value'] == 5") + key_rule("a", CHECK="v['value'] == 1"),
        [ONE], []),
    "a list of checks: all lines are counted": (
        key_rule("a", CHECK=["v['value'] > 0", "v['value'] > 1"]),
        [ONE, TWO, record("a", 0), record("a", 0)],
        [("check", "a", 1, 3), ("check", "a", 3, 2)]),
    "an error in a check is a failed check": (
        key_rule("a", CHECK="v['value'] > 0"), [record("a", "x")], [("check", "a", 1, 1)]),
    "submission keys: only the first line": (
        key_rule("submission_x", CHECK="v['value'] == 1", POST="s['n'] += 1")
        + STATE + "- END: {CHECK: \"s['n'] == 1\"}\n",
        [record("submission_x", 1), record("submission_x", 2)], []),
    "PRE, CHECK, POST in this order": (
        STATE + key_rule("a", PRE="s['n'] += 1", CHECK="s['n'] == v['value']", POST="s['n'] += 0"),
        [ONE, TWO], []),
    "POST runs after a failed check": (
        STATE + key_rule("a", CHECK="v['value'] == 0", POST="s['n'] += v['value']")
        + "- END: {CHECK: \"s['n'] == 3\"}\n",
        [ONE, TWO], [("check", "a", 1, 2)]),
    "POST: what stands before its error stays": (
        STATE + key_rule("a", POST="s['n'] = 7; s['x'] = v['metadata']['none']")
        + "- END: {CHECK: \"s['n'] == 7\"}\n",
        [ONE, ONE], [("code", "a", 1, 2)]),
    "at least one check: reached once": (
        key_rule("a", ATLEAST_ONE_CHECK="v['value'] > 1"), [ONE, TWO, ONE], []),
    "at least one check: never reached": (
        key_rule("a", ATLEAST_ONE_CHECK="v['value'] > 5"), [ONE, TWO],
        [("at_least_one", None, 2, 2)]),
    "at least one check: of a key that is not there": (
        key_rule("a", ATLEAST_ONE_CHECK="v['value'] > 5"), [record("b")], []),
    "first check": (
        key_rule("a", FIRST_CHECK="v['value'] == 2"), [ONE, TWO], [("check", "a", 1, 1)]),
    "first check: only the first": (key_rule("a", FIRST_CHECK="v['value'] == 1"), [ONE, TWO], []),
    "end": (
        STATE + key_rule("a", POST="s['names'] += [v['metadata']['t']]")
        + "- END: {CHECK: \"sorted(s['names']) == sorted(['x', 'y'])\"}\n",
        [record("a", 1, t="z"), record("a", 1, t="x")], [("end", None, None, 1)]),
    "end: there is no record at the end": (
        key_rule("a") + "- END: {CHECK: \"v['value'] == 1\"}\n", [ONE], [("end", None, None, 1)]),
    "end: PRE prepares its check": (
        STATE + "- END: {PRE: \"s['n'] += 1\", CHECK: \"s['n'] == 1\"}\n", [ONE], []),
    "an empty rule file": ("", [ONE], []),
}  # fmt: skip


@pytest.mark.parametrize("name", SEMANTICS)
def test_the_language_of_the_rules_means_what_the_official_checker_takes_it_for(
    tmp_path: Path, name: str
) -> None:
    text, lines, expected = SEMANTICS[name]
    book = book_of(tmp_path, {"common": text})
    found = judged(book, lines)
    assert errors(found) == expected
    assert found.verdict == ("fail" if expected else "pass")
    path = tmp_path / "result_0.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    config = tmp_path / "compliance_checker" / "training_1.1.0" / "common.yaml"
    official = oracle.compliance(path, "training", VERSION, config)
    assert isinstance(official, oracle.Compliance)
    assert official.valid is not bool(expected)
    assert official.keys == {key for _, key, _, _ in expected if key}


QUEUE = {
    "common": key_rule(
        "submission_division", POST="enqueue_config('training_1.1.0/{}_c.yaml'.format(v['value']))"
    )
    + key_rule("a", CHECK="v['value'] == 9", ATLEAST_ONE_CHECK="v['value'] > 5")
    + key_rule("b", CHECK="v['value'] == 9"),
    "closed_c": key_rule("a", POST="enqueue_config('training_1.1.0/last.yaml')"),
    "last": key_rule("c", REQ="EXACTLY_ONE"),
    "round_c": key_rule("a", POST="enqueue_config('training_1.1.0/round_d.yaml')"),
    "round_d": key_rule("a", POST="enqueue_config('training_1.1.0/round_c.yaml')"),
}


def test_rule_files_follow_each_other_and_take_back_messages_of_their_keys(tmp_path: Path) -> None:
    book = book_of(tmp_path, QUEUE)
    found = judged(book, [record("submission_division", "closed"), ONE, ONE, record("b", 1)])
    assert found.configs == [
        f"training_1.1.0/{name}.yaml" for name in ("common", "closed_c", "last")
    ]
    assert errors(found) == [
        ("check", "b", 4, 1),
        ("required", "c", None, 1),
        ("at_least_one", None, 3, 2),  # without a key: never taken back
    ]
    assert [each.config for each in found.messages][1] == "training_1.1.0/last.yaml"


def test_the_state_is_new_in_each_rule_file(tmp_path: Path) -> None:
    files = {
        "common": STATE
        + key_rule("a", POST="s['n'] += 1; enqueue_config('training_1.1.0/b.yaml')"),
        "b": key_rule("a", CHECK="s['n'] == 1"),
    }
    assert errors(judged(book_of(tmp_path, files), [ONE])) == [("check", "a", 1, 1)]


def test_rule_files_that_call_each_other_come_to_an_end(tmp_path: Path) -> None:
    found = judged(book_of(tmp_path, QUEUE), [record("submission_division", "round"), ONE])
    assert found.verdict == "invalid input"
    assert len(found.configs) == MOST_FILES
    assert str(MOST_FILES) in found.messages[0].reason


@pytest.mark.parametrize(
    "division",
    ["../../evil", "/tmp/evil", "..", "closed/../closed", "CLOSED", "closed\n", "nothing", None, 5,
     {"a": 1}, "x" * 5000, "{0.__class__}", "%s"],
)  # fmt: skip
def test_a_rule_file_that_a_log_makes_up_is_not_opened(tmp_path: Path, division: Any) -> None:
    book = book_of(tmp_path / "rules", QUEUE)
    evil = "- BEGIN: {CODE: \"s['evil'] = 1\"}\n" + key_rule("a", CHECK="v['value'] == 77")
    (tmp_path / "evil_c.yaml").write_text(evil, encoding="utf-8")
    found = judged(book, [record("submission_division", division), record("b", 9)])
    assert found.verdict == "invalid input"
    assert found.configs == ["training_1.1.0/common.yaml"]
    assert [each.kind for each in found.messages] == ["file"]
    assert len(found.messages[0].reason) < 250


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (key_rule("a", CHECK="__import__('os').system('touch evil')"), 1),
        (key_rule("a", CHECK="[].__class__"), 1),
        (key_rule("a", POST="import os; os.system('touch evil')"), 1),
        (key_rule("a", PRE="open('evil', 'w')"), 1),
        (key_rule("a", FIRST_CHECK="[x for x in range(10 ** 9)]"), 1),
        (key_rule("a", ATLEAST_ONE_CHECK="(lambda: 1)()"), 1),
        ("- BEGIN: {CODE: \"import os; os.system('touch evil')\"}\n" + key_rule("a"), None),
        ("- END: {CHECK: \"exec('import os')\"}\n", None),
        ('- END: {PRE: "exec(\'import os\')", CHECK: "True"}\n', None),
    ],
)
def test_code_outside_of_the_language_is_told_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, line: int | None
) -> None:
    monkeypatch.chdir(tmp_path)
    found = judged(book_of(tmp_path / "rules", {"common": text}), [ONE])
    assert found.verdict == "fail"
    (message,) = found.messages
    assert (message.kind, message.line) == ("code", line)
    assert message.reason.endswith("not allowed")
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("check", ["9 ** 9 ** 9 > 0", "len('a' * 10 ** 10) > 0"])
def test_a_sum_without_end_is_a_failed_check(tmp_path: Path, check: str) -> None:
    found = judged(book_of(tmp_path, {"common": key_rule("a", CHECK=check)}), [ONE])
    assert "too l" in found.messages[0].reason
    assert errors(found) == [("check", "a", 1, 1)]


BEGUN = STATE.replace("'n': 0", "'init_stopped': False, 'run_started': True, 'in_block': False, "
                      "'first_init_start': 1.6e12, 'n': 5")  # fmt: skip


@pytest.mark.parametrize(
    ("check", "line", "reason", "value"),
    [
        ("v['value'] == 'lars'", record("a", "sgd"), 'a is "sgd"; it must be "lars"', '"sgd"'),
        ("v['value'] in ['closed', 'open']", record("a", "shut"),
         'a is "shut"; it must be one of "closed", "open"', '"shut"'),
        ("v['value'] > 0", record("a", -1), "a is -1; it must be more than 0", "-1"),
        ("v['value'] != ''", record("a", ""), 'a is ""; it must not be empty', '""'),
        ("v['value'] == s['n']", record("a", 6), "a is 6; it must be 5", "6"),
        ("v['value'] >= 0.8 and v['value'] < 1.0", record("a", 1.5),
         "a is 1.5; it must be less than 1.0", "1.5"),
        ("'status' in v['metadata']", record("a", None, epoch=1), "a has no status in its metadata",
         '{"epoch": 1}'),
        ("v['metadata']['status'] == 'success'", record("a", None, status="aborted"),
         'status of a is "aborted"; it must be "success"', '"aborted"'),
        ("v['metadata']['epoch_num'] > 0", record("a", 3),
         "a cannot be judged by v['metadata']['epoch_num'] > 0: no 'epoch_num' in it", "3"),
        ("v['value'] > 0", record("a", None),
         "a cannot be judged by v['value'] > 0: '>' not supported between instances of 'NoneType'"
         " and 'int'", "{}"),
        ("s['init_stopped']", ONE, "a stands before init_stop", None),
        ("( s['init_stopped'] == True )", ONE, "a stands before init_stop", None),
        ("not s['run_started']", ONE, "a stands after run_start", None),
        ("s['in_block']", ONE, "a stands outside a block", None),
        ("ll.timestamp - s['first_init_start'] < (30*60*1e3)", record("a", 1, 1.6e12 + 1_870_200),
         "a comes 31.2 min after init_start; it must be less than 30 min", "31.2 min"),
        ("is_integer(v['value'] / 0.02)", record("a", 0.5),
         None, None),
        ("is_integer(v['value'] / 0.03)", record("a", 0.5),
         "a does not fulfil is_integer(v['value'] / 0.03)", "0.5"),
    ],
)  # fmt: skip
def test_reasons_are_plain_words(
    tmp_path: Path, check: str, line: str, reason: str | None, value: str | None
) -> None:
    found = judged(book_of(tmp_path, {"common": BEGUN + key_rule("a", CHECK=check)}), [line])
    if reason is None:
        assert found.messages == []
        return
    (message,) = found.messages
    assert (message.reason, message.value, message.limit_value) == (reason, value, check)


def test_long_lists_are_shortened_to_what_is_missing_and_what_is_too_many(tmp_path: Path) -> None:
    names = [f"layer{number}" for number in range(400)]
    text = (
        STATE + key_rule("w", POST="s['names'] += [v['metadata']['tensor']]")
        + json.dumps([{"END": {"CHECK": f"sorted(s['names']) == sorted({names})"}}])[1:-1].join(
            ("- ", "\n"))
    )  # fmt: skip
    lines = [record("w", None, tensor=name) for name in [*names[5:], "extra", "layer7"]]
    (message,) = judged(book_of(tmp_path, {"common": text}), lines).messages
    assert message.reason == (
        "names: 5 missing (layer0, layer1, layer2 and 2 more), 2 too many (layer7, extra)"
    )
    assert (message.value, message.limit_value) == ("397 names", "400 names")


def diffusion(fid: Any, clip: Any, version: str) -> list[str]:
    step = "step_num" if version == "3.1.0" else "samples_count"
    said = [("FID", 300.0, 1), ("CLIP", 0.01, 1), ("FID", fid, 2), ("CLIP", clip, 2)]
    header = {"submission_division": "closed", "submission_benchmark": "stable_diffusion"}
    return [
        *(record(key, value) for key, value in header.items()),
        *(record("eval_accuracy", value, metric=metric, **{step: number})
          for metric, value, number in said),
    ]  # fmt: skip


@pytest.mark.parametrize("version", ["3.1.0", "4.0.0", "4.1.0", "5.0.0"])
@pytest.mark.parametrize(("fid", "clip"), [(80.0, 0.2), (95.0, 0.2), (80.0, None)])
def test_evaluations_of_several_metrics_are_joined_as_officially(
    tmp_path: Path, version: str, fid: Any, clip: Any
) -> None:
    agree(tmp_path, diffusion(fid, clip, version), version)


def test_an_evaluation_that_cannot_be_joined_is_invalid_input(tmp_path: Path) -> None:
    lines = [*diffusion(1.0, 1.0, "4.0.0"), record("eval_accuracy", 1.0, metric="FID")]
    found = agree(tmp_path, lines, "4.0.0")
    assert found.verdict == "invalid input"
    assert "samples_count" in found.messages[0].reason


def agree(folder: Path, lines: Iterable[str], version: str = VERSION) -> Judgement:
    """Our judgement of a text, which has to be the official one."""
    kept = list(lines)
    path = folder / "result_0.txt"
    path.write_bytes("\n".join(kept).encode("latin-1"))
    found = judged(RuleBook(find_rules(), RuleSet("training", version), Records()), kept)
    assert_same(found.verdict, keys_of(found), oracle.compliance(path, "training", version))
    return found


def keys_of(judgement: Judgement) -> set[str]:
    return {each.key for each in judgement.messages if each.key and each.severity == "error"}


def assert_same(
    verdict: str, keys: set[str], official: oracle.Compliance | Exception, path: str = ""
) -> None:
    if isinstance(official, Exception):
        assert verdict == "invalid input", (path, official)
        return
    assert verdict == ("pass" if official.valid else "fail"), (path, official)
    assert keys == official.keys, (path, official)


WHOLE = log(header={"submission_benchmark": "resnet", "submission_status": "onprem",
                    "submission_platform": "box"}).split("\n")[:-1]  # fmt: skip
SEED = next(number for number, line in enumerate(WHOLE) if '"key": "seed"' in line)
EVALUATION = next(number for number, line in enumerate(WHOLE) if "eval_accuracy" in line)


def without(member: str, number: int = SEED) -> list[str]:
    said = json.loads(WHOLE[number].removeprefix(":::MLLOG "))
    del said[member]
    return exchanged(":::MLLOG " + json.dumps(said), number)


def exchanged(text: str, number: int = SEED) -> list[str]:
    return [*WHOLE[:number], text, *WHOLE[number + 1 :]]


BROKEN: dict[str, tuple[list[str], str, str]] = {
    "an empty file": ([], "fail", "no log lines"),
    "no record": (["hello", "MLLOG"], "fail", "no log lines"),
    "UTF-16": ([line.encode("utf-16").decode("latin-1") for line in WHOLE], "fail", "no log lines"),
    "cut at 60 %": (WHOLE[: len(WHOLE) * 6 // 10], "fail", "run_stop is missing"),
    "not JSON": (exchanged(WHOLE[SEED][:-5]), "fail", "no whole JSON"),
    "text behind a record": (exchanged(WHOLE[SEED] + " done"), "fail", "no whole JSON"),
    "null instead of a record": (exchanged(":::MLLOG null"), "fail", "the record is null"),
    "a number instead of a record": (exchanged(":::MLLOG 5"), "invalid input", "not an object"),
    "a list instead of a record": (exchanged(":::MLLOG []"), "invalid input", "not an object"),
    "a text as the time": (
        exchanged(record("seed", 1, "noon")), "fail", "could not convert"),  # type: ignore[arg-type]
    "no time": (exchanged(record("seed", 1, None)), "invalid input", "time_ms"),
    "without time_ms": (without("time_ms"), "invalid input", "no time_ms"),
    "without key": (without("key"), "invalid input", "no key"),
    "without value": (without("value"), "invalid input", "no value"),
    "without metadata": (without("metadata"), "invalid input", "no metadata"),
    "accuracy null": (
        exchanged(record("eval_accuracy", None, epoch_num=1), EVALUATION), "invalid input",
        "eval_accuracy cannot be judged"),
    "accuracy as text": (
        exchanged(record("eval_accuracy", "0.9", epoch_num=1), EVALUATION), "invalid input",
        "eval_accuracy cannot be judged"),
    "accuracy not a number": (
        exchanged(record("eval_accuracy", float("nan"), epoch_num=1), EVALUATION), "fail", ""),
    "two records on a line: the last counts": (
        exchanged(record("opt_name", "sgd") + WHOLE[SEED]), "fail", "opt_name is missing"),
    "a progress bar redraws the line": (
        exchanged("50%\r" + record("opt_name", "sgd") + "\r" + WHOLE[SEED]), "fail", ""),
    "a null byte": (exchanged(WHOLE[SEED].replace("seed", "se\x00ed")), "fail", "no whole JSON"),
    "unknown division": (
        [line.replace('"closed"', '"../../evil"') for line in WHOLE], "invalid input",
        "there is no rule file"),
    "unknown benchmark": (
        [line.replace('"resnet"', '"chess"') for line in WHOLE], "invalid input",
        "there is no rule file training_1.1.0/closed_chess.yaml"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_logs_are_judged_as_officially_and_the_reason_is_told(
    tmp_path: Path, name: str
) -> None:
    lines, verdict, reason = BROKEN[name]
    found = agree(tmp_path, lines)
    assert found.verdict == verdict
    assert any(reason in each.reason for each in found.messages), found.messages


def test_a_fault_names_its_line_and_quotes_it(tmp_path: Path) -> None:
    found = agree(tmp_path, without("metadata"))
    fault = found.messages[0]
    assert (fault.kind, fault.line, fault.reason) == ("input", SEED + 1, "a record has no metadata")
    assert fault.value is not None
    assert '"key": "seed"' in fault.value


def test_deep_nesting_does_not_break_the_judgement(tmp_path: Path) -> None:
    deep = exchanged(WHOLE[SEED].replace('"value": 1', '"value": ' + "[" * 3000 + "]" * 3000))
    assert agree(tmp_path, deep).verdict == "invalid input"
    submission = Submission(tmp_path)
    for depth in range(900, 1000, 7):
        nested = WHOLE[SEED].replace('"value": 1', '"value": ' + "[" * depth + "]" * depth)
        lines = [line.replace('"key": "seed"', '"key": "opt_name"') for line in exchanged(nested)]
        submission.results(f"box{depth}", "resnet", ["\n".join(lines)])
    connection = loaded(submission.root)
    verdicts = rows(connection, "select verdict from official_compliance")
    assert len(verdicts) == 15
    assert {each["verdict"] for each in verdicts} <= {"fail", "invalid input"}


def derived(connection: duckdb.DuckDBPyConnection, chosen: str | None = None) -> None:
    """Official compliance and all that it reads: no more, because the whole takes far longer."""
    reference.rebuild(connection, Path("no such folder"))
    assignment.store(connection, find_rules(chosen))
    compliance.judge(connection, find_rules(chosen))
    made = relations.relations()
    wanted, seen = {"official_compliance", "result_set"}, set[str]()
    while wanted - seen:
        seen |= wanted
        wanted |= {
            name for each in made if each.name in wanted for name in relations.reads_of(each.query)
        }
    kept = [each for each in made if each.name in wanted]
    relations.drop(connection, (each.name for each in reversed(kept)))
    for each in kept:
        kind = "table" if each.is_stored else "view"
        connection.execute(f"create {kind} {each.name} as {each.query}")
    relations.verify(connection, kept)


def loaded(*paths: Path, **said: Any) -> duckdb.DuckDBPyConnection:
    """A database with these paths and their official compliance."""
    connection = in_memory()
    connection.execute("set threads = 1")
    load(connection, [str(path) for path in paths], said)
    derived(connection)
    return connection


def findings(connection: duckdb.DuckDBPyConnection, subject: str) -> list[dict[str, Any]]:
    """What the rule finds on a result set, in the order of its messages."""
    (rule,) = (each for each in rules.rules() if each.name == "official_compliance")
    sql = f"select * from ({rule.query}) where subject = ? order by message"
    return rows(connection, sql, subject)


ACME = "v1.1/closed/Acme/box/resnet"
COMPLIANCE = "select * from official_compliance order by path"


def test_a_verdict_has_its_evidence(tmp_path: Path) -> None:
    submission = Submission(tmp_path)
    wrong = [WHOLE[0], "a line of text", *WHOLE[1:]]
    wrong = [line.replace('"onprem"', '"cellar"') for line in wrong]
    submission.results("box", "resnet", ["\n".join(wrong) + "\n"])
    connection = loaded(submission.root)
    found = row(connection, COMPLIANCE)
    line = next(number for number, text in enumerate(wrong, 1) if "cellar" in text)
    assert found["reason"].startswith('submission_status is "cellar"; it must be one of "cloud"')
    assert (found["line"], found["value"]) == (line, '"cellar"')
    assert found["limit_value"] == "v['value'] in ['cloud', 'onprem', 'preview', 'research']"
    assert (found["result_set"], found["verdict"]) == (ACME, "fail")
    assert found["rule_set"] == "training 1.1.0"
    assert found["rule_set_version"] == f"mlperf-logging {find_rules().version}"
    assert found["configs"].split(", ") == [
        f"training_1.1.0/{name}.yaml" for name in ("common", "closed_common", "closed_resnet")
    ]
    assert found["options"] == "warnings are not errors"


def test_files_without_a_record_have_a_verdict(tmp_path: Path) -> None:
    submission = Submission(tmp_path)
    logs = ["\n".join(WHOLE), "", "hello\n", ""]
    submission.results("box", "resnet", logs)
    submission.results("silent", "bert", ["", "text"], first=3)
    found = rows(loaded(submission.root), COMPLIANCE)
    said = [(each["result_set"], each["run_number"], each["verdict"]) for each in found]
    assert said == [
        *((ACME, number, "fail") for number in range(4)),
        ("v1.1/no division/Acme/silent/bert", 3, "fail"),
        ("v1.1/no division/Acme/silent/bert", 4, "fail"),
    ]
    assert {each["reason"] for each in found[1:]} == {
        "no log lines: there is no record in the file"
    }
    assert {each["run_id"] for each in found[1:]} == {None}
    assert {each["rule_set"] for each in found} == {"training 1.1.0"}


def test_all_attempts_in_a_file_are_judged_together(tmp_path: Path) -> None:
    submission = Submission(tmp_path)
    again = "\n".join(WHOLE) + "\n" + log(start_ms=1_600_010_000_000, header={
        "submission_benchmark": "resnet", "submission_status": "onprem"})  # fmt: skip
    submission.results("box", "resnet", [again])
    path = submission.home / "results" / "box" / "resnet" / "result_0.txt"
    connection = loaded(submission.root)
    found = row(connection, COMPLIANCE)
    assert row(connection, "select count(*) as n from run")["n"] == 2
    assert_same(found["verdict"], stored_keys(connection)[str(path)],
                oracle.compliance(path, "training", VERSION))  # fmt: skip
    message = row(connection, "select * from compliance_message where key = 'run_start'"
                  " and severity = 'warning'")  # fmt: skip
    assert message["reason"] == "run_start is required once but found 2 times with the same value"


@pytest.mark.parametrize(
    ("said", "verdict", "reason"),
    [
        (
            {"round": "v9.9"},
            "not judged",
            "there is no official rule set of training for round v9.9",
        ),
        ({"round": "v1.0"}, "fail", None),
    ],
)
def test_the_round_decides_the_rule_set(
    tmp_path: Path, said: dict[str, str], verdict: str, reason: str | None
) -> None:
    submission = Submission(tmp_path, name="results_somewhere")
    submission.results("box", "resnet", ["\n".join(WHOLE)])
    found = row(loaded(submission.root, **said), COMPLIANCE)
    assert found["verdict"] == verdict
    assert found["rule_set"] == (None if reason else "training 1.0.0")
    assert reason is None or found["reason"] == reason


def test_a_collection_put_together_from_facts_is_not_judged(tmp_path: Path) -> None:
    submission = Submission(tmp_path)
    submission.results("box", "resnet", ["\n".join(WHOLE)])
    (tmp_path / "source.toml").write_text(
        'name = "facts"\ntitle = "Facts"\nkind = "reconstructed"\n', encoding="utf-8"
    )
    connection = loaded(tmp_path)
    found = row(connection, COMPLIANCE)
    assert (found["verdict"], found["errors"], found["line"]) == ("not judged", None, None)
    assert row(connection, "select count(*) as n from compliance_judged")["n"] == 0


def test_a_log_is_judged_once_and_again_by_other_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = Submission(tmp_path)
    submission.results("box", "resnet", ["\n".join(WHOLE)])
    connection = loaded(submission.root)
    first = rows(connection, "select * from compliance_message order by ordinal")
    asked: list[int] = []
    real = evaluate.judge

    def counted(book: RuleBook, text: Any) -> Judgement:
        asked.append(1)
        return real(book, text)

    monkeypatch.setattr(evaluate, "judge", counted)
    submission.results("box", "resnet", ["\n".join(without("metadata"))], first=1)
    load(connection, [str(submission.root)])
    derived(connection)
    assert len(asked) == 1, "only the new one"
    kept = "select * from compliance_message where run_id = ? order by ordinal"
    assert rows(connection, kept, first[0]["run_id"]) == first
    home = find_rules()
    for other in (Rules(home.folder, home.origin, "9.9.9"), Rules(home.folder, "a folder", "1")):
        asked.clear()
        assignment.store(connection, other)
        compliance.judge(connection, other)
        assert len(asked) == 2
        assert row(connection, "select distinct rules_version from compliance_judged") == {
            "rules_version": other.version
        }
    asked.clear()
    compliance.judge(connection, Rules(home.folder, "a folder", "1"))
    assert len(asked) == 2, "the files of a folder may have changed"


@pytest.mark.parametrize(
    ("benchmark", "wrong", "severity"),
    [("unet3d", 4, "warning"), ("unet3d", 5, "error"), ("resnet", 1, "warning"),
     ("resnet", 2, "error")],
)  # fmt: skip
def test_a_finding_is_an_error_when_more_runs_fail_than_may_be_dropped(
    tmp_path: Path, benchmark: str, wrong: int, severity: str
) -> None:
    official = tmp_path / "rules"
    shutil.copytree(
        find_rules().folder, official, ignore=shutil.ignore_patterns("*.yaml", "*_pycache_*")
    )
    book_of(official, {"common": key_rule("seed", CHECK="v['value'] > 0")})
    submission = Submission(tmp_path)
    logs = [log(seed=-1 - number if number < wrong else number) for number in range(8)]
    submission.results("box", benchmark, logs)
    connection = in_memory()
    load(connection, [str(submission.root)])
    derived(connection, str(official))
    found = findings(connection, f"v1.1/closed/Acme/box/{benchmark}")
    (only,) = [each for each in found if each["message"].startswith("seed")]
    assert only["severity"] == severity
    assert f"seed is -1; it must be more than 0: {wrong} of 8 runs" in only["message"]
    assert ("accepted" in only["message"]) is (severity == "warning")
    assert only["path"].endswith("result_0.txt")
    assert "-1" in Path(only["path"]).read_text().split("\n")[only["line"] - 1]


def test_invalid_input_is_a_finding_of_its_own_and_others_are_judged(tmp_path: Path) -> None:
    submission = Submission(tmp_path)
    evil = [line.replace('"value": "closed"', '"value": "../../evil"') for line in WHOLE]
    submission.results("box", "resnet", ["\n".join(WHOLE), "\n".join(WHOLE) + "\n"])
    submission.results("evil", "resnet", ["\n".join(evil)])
    connection = loaded(submission.root)
    (found,) = findings(connection, "v1.1/no division/Acme/evil/resnet")
    assert found["severity"] == "error"
    assert "breaks down" in found["message"]
    assert "there is no rule file training_1.1.0/../../evil_common.yaml" in found["message"]
    assert findings(connection, ACME)


def stored_keys(connection: duckdb.DuckDBPyConnection) -> dict[str, set[str]]:
    """Failing keys by file."""
    found = rows(
        connection,
        "select s.path, list(distinct m.key) filter (m.severity = 'error' and m.key is not null"
        " and m.kind <> 'file') as keys from compliance_judged j join run r using (run_id)"
        " join source s using (source_id) left join compliance_message m using (run_id)"
        " group by s.path",
    )
    return {each["path"]: set(each["keys"] or []) for each in found}


def unpacked(corpus: Path, name: str, factory: pytest.TempPathFactory) -> Path:
    """The folder with the logs of an archive, unpacked once for all test processes."""
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / "official" / name
    folder.parent.mkdir(exist_ok=True)
    with filelock.FileLock(f"{folder}.lock"):
        if not folder.exists():
            with tarfile.open(corpus / f"{name}.tar.xz") as archive:
                archive.extractall(folder.with_suffix(".part"), filter="data")
            folder.with_suffix(".part").rename(folder)
    return next(path for path in folder.iterdir() if path.is_dir())


def compared(folders: Iterable[Path], version: str) -> Counter[str]:
    """Verdicts on the logs of these result sets, after each was found equal to the official one."""
    connection = in_memory()
    load(connection, [str(folder) for folder in folders])
    official_rules = find_rules()
    assignment.store(connection, official_rules)
    compliance.judge(connection, official_rules)
    keys = stored_keys(connection)
    found = rows(
        connection,
        "select s.path, j.verdict, j.rule_set from compliance_judged j join run r using (run_id)"
        " join source s using (source_id)"
        " where regexp_matches(s.path, '/result_[^/]+\\.txt$')",
    )
    assert len(found) == sum(len(list(folder.glob("result_*.txt"))) for folder in folders)
    for each in found:
        path = each["path"]
        assert each["rule_set"] == f"training {version}"
        official = oracle.compliance(Path(path), "training", version)
        assert_same(each["verdict"], keys[path], official, path)
    return Counter(each["verdict"] for each in found)


DELL = {
    "bert": {"fail": 70}, "dlrm": {"pass": 5}, "maskrcnn": {"pass": 45}, "minigo": {"fail": 40},
    "resnet": {"pass": 57, "fail": 3}, "rnnt": {"pass": 49, "fail": 1}, "ssd": {"pass": 50},
    "unet3d": {"fail": 120},
}  # fmt: skip


@pytest.mark.parametrize("benchmark", DELL)
def test_every_dell_log_of_v1_1_has_the_official_verdict(
    corpus: Path, tmp_path_factory: pytest.TempPathFactory, benchmark: str
) -> None:
    root = unpacked(corpus, "training_v1.1_dell", tmp_path_factory)
    assert compared(sorted(root.glob(f"Dell/results/*/{benchmark}")), VERSION) == DELL[benchmark]


PARTS = {
    "v0.6": ("0.6.0", ["*/results/*/*"], {"pass": 5, "fail": 15}),
    "v0.7": ("0.7.0", ["NVIDIA/results/*/*", "Fujitsu/results/gx_V100x8_ngc20.06_pytorch/gnmt"],
             {"pass": 44, "fail": 1}),
    "v2.0": ("2.0.0", ["Dell/results/XE8545*/*", "Google/results/cloud-tpu-v4-8192-TF/bert",
                       "Nettrix/results/*/*"], {"pass": 34, "fail": 1}),
    "v5.1": ("5.1.0", ["Dell/results/1xXE9680Lx8H200-SXM-141GB/*",
                       "Dell/results/XE9785L_8xMI355X/*",
                       "Dell/results/1xXE9680Lx8B200-SXM-180GB/dlrm_dcnv2"],
             {"pass": 54, "fail": 1}),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_logs_of_other_rounds_have_the_official_verdict(
    corpus: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    version, patterns, verdicts = PARTS[name]
    root = unpacked(corpus, f"training_{name}_part", tmp_path_factory)
    folders = sorted({folder for pattern in patterns for folder in root.glob(pattern)})
    folders = [folder for folder in folders if list(folder.glob("result_*.txt"))]
    assert compared(folders, version) == verdicts


@pytest.mark.slow
def test_every_log_of_v1_1_has_the_official_verdict(
    corpus: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = unpacked(corpus, "training_v1.1", tmp_path_factory)
    found = compared(sorted(root.glob("*/results/*/*")), VERSION)
    assert found == {"pass": 643, "fail": 1167}
