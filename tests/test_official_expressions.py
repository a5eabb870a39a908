"""The language of the official rules: all that they use works, and nothing else does."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import pytest

from warehouse.official.expressions import (
    Context,
    Expression,
    NotAllowedError,
    expression,
)
from warehouse.official.rule_data import find_rules
from warehouse.official.rule_file import (
    AGGREGATED,
    Refusal,
    RuleFile,
    RuleFileError,
    read_rule_file,
)
from warehouse.official.statements import statements

PINNED = "4.1.68"


@pytest.fixture(scope="module")
def rule_files() -> list[RuleFile]:
    """Every rule file of the installed package."""
    rules = find_rules()
    return [
        read_rule_file(path, f"{found.folder}/{path.name}")
        for found in rules.rule_sets()
        for path in sorted((rules.folder / "compliance_checker" / found.folder).glob("*.yaml"))
    ]


def expressions_of(files: list[RuleFile]) -> list[Expression | Refusal]:
    found: list[Expression | Refusal] = []
    for file in files:
        for key in file.keys.values():
            found += [*key.checks, *key.first_checks]
            found += [] if key.at_least_one is None else [key.at_least_one]
        found += file.end_checks
    return found


def test_every_rule_of_the_installed_package_is_understood(rule_files: list[RuleFile]) -> None:
    found = expressions_of(rule_files)
    code = [
        each
        for file in rule_files
        for each in (file.begin, file.end_before, *(
            part for key in file.keys.values() for part in (key.before, key.after)))
        if each is not None
    ]  # fmt: skip
    assert [each for each in (*found, *code) if isinstance(each, Refusal)] == []
    if find_rules().version == PINNED:
        known = {each for each in found if isinstance(each, Expression)}
        assert (len(rule_files), len(found), len(code)) == (309, 2008, 305)
        assert len({each.text for each in known}) == 250
        assert len({each.text for each in known if each.is_stateless}) == 193


def test_the_evaluations_of_stable_diffusion_are_joined_by_our_own_function(
    rule_files: list[RuleFile],
) -> None:
    joined = {file.name: file.aggregates_by for file in rule_files if file.aggregates_by}
    by = {"3.1.0": "step_num", "4.0.0": "samples_count", "4.1.0": "samples_count",
          "5.0.0": "samples_count"}  # fmt: skip
    assert joined == {
        f"training_{version}/{division}_stable_diffusion.yaml": member
        for version, member in by.items()
        for division in ("closed", "open")
    }
    assert all(AGGREGATED in file.keys for file in rule_files if file.aggregates_by)


VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2, 0.001, 0.5, 0.72, 1.0, 8192, 1e-5, 1e300, "", "closed", "lars",
    "Adam", [], [1, 50.0], [1, 50], {}, {"BBOX": 0.4, "SEGM": 0.35}, {"FID": 80.0, "CLIP": 0.2},
    {"iteration": 1}, "9" * 50,
]  # fmt: skip
METADATA: list[Any] = [
    {}, {"epoch_num": 1, "first_epoch_num": 1, "epoch_count": 2, "samples_count": 262144},
    {"epoch_num": 2, "status": "success", "method": "discard", "step_num": 3, "timestamp": 1.5},
    {"tensor": "a", "samples_count": "x", "epoch_count": 0, "iteration": 1}, None,
]  # fmt: skip
STATES: list[dict[str, Any]] = [
    {},
    {
        "init_started": True, "init_stopped": True, "run_started": True, "run_stopped": False,
        "in_block": False, "in_epoch": True, "in_eval": False, "last_epoch": 1, "last_eval": 1,
        "accuracy_printed": True, "block_first_epoch": 1, "first_init_start": 5.0,
        "global_batch_size": 8192, "initialized_tensors": ["a"], "compile_time_mins": 30,
        "eval_interval_samples": 262144, "opt_learning_rate_warmup_steps": 10, "lr_min": 1e-7,
        "lr_max": 1e-5, "learning_rate": 1e-5, "target_accuracy": 0.7, "train_samples": 1,
        "save_model_ts": [1.0], "run_start_ts": 0.0, "model_saved": False, "sgd": 0, "lars": 0,
        "sgd_decay": 0, "lars_decay_steps": 0, "lars_decay_power": 0, "lars_wd": 0, "lars_eps": 0,
        "opt_base_learning_rate": 1e-5, "num_prompts_per_step": 1, "first_eval_samples": 1,
        "next_validation_samples": 2, "staging_started": True,
    },
]  # fmt: skip


class Line:
    """What Python gives the rules as `ll`."""

    timestamp = 100.0


def test_every_expression_gives_what_python_gives(rule_files: list[RuleFile]) -> None:
    known = {each for each in expressions_of(rule_files) if isinstance(each, Expression)}
    judged = 0
    for rule in sorted(known, key=lambda each: each.text):
        for value, metadata, state in itertools.product(VALUES, METADATA, STATES):
            record = {"value": value, "metadata": metadata}
            mine = outcome(rule, record, state)
            assert mine == python(rule.text, record, state), (rule.text, record)
            judged += 1
    assert judged >= 250 * len(VALUES) * len(METADATA) * len(STATES)


def outcome(rule: Expression, record: Any, state: dict[str, Any]) -> str | bool:
    try:
        return bool(rule.run(Context(dict(state), record, "key", Line.timestamp)))
    except Exception:
        return "error"


_CODE: dict[str, Any] = {}


def python(text: str, record: Any, state: dict[str, Any]) -> str | bool:
    """What the official checker does; only with rules of the installed package."""
    code = _CODE.setdefault(text, compile(text, "rule", "eval"))
    globals_ = {"s": dict(state), "math": math, "is_integer": is_integer}
    try:
        return bool(eval(code, globals_, {"v": record, "ll": Line}))
    except Exception:
        return "error"


def is_integer(value: float) -> bool:
    return abs(round(value) - value) < 0.00001


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("__import__('os').system('id')", "system"),
        ("().__class__.__bases__[0].__subclasses__()", "__subclasses__"),
        ("v.__class__", "__class__"),
        ("s['a'].__init__", "__init__"),
        ("ll.full_string", "full_string"),
        ("lambda: 1", "lambda"),
        ("[x for x in v]", "listcomp"),
        ("{x: 1 for x in v}", "dictcomp"),
        ("(x for x in v)", "generatorexp"),
        ("(a := 1)", "namedexpr"),
        ("f'{v}'", "joinedstr"),
        ("open('/etc/passwd')", "open"),
        ("eval('1')", "eval"),
        ("getattr(v, 'x')", "getattr"),
        ("math.factorial(5)", "factorial"),
        ("sorted(v, key=len)", "named"),
        ("max(*v)", "starred"),
        ("v['value'][1:2]", "slice"),
        ("v['value'].format(1)", "template"),
        ("'{0.__class__}'.format(v)", "template"),
        ("'{!r}'.format(v)", "template"),
        ("'{:>99999999}'.format(v)", "template"),
        ("v['value'].join(['a'])", "join"),
        ("1 << 99", "LShift"),
        ("~1", "Invert"),
        ("b'x'", "constant"),
        ("unknown", "unknown"),
        ("1 +", "no expression"),
        ("(" * 500 + "1" + ")" * 500, "no expression"),
        ("import os", "no expression"),
        ("1; 2", "no expression"),
    ],
)
def test_what_is_not_in_the_language_is_refused(text: str, named: str) -> None:
    with pytest.raises(NotAllowedError) as refused:
        expression(text)
    assert named in str(refused.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("9 ** 9 ** 9", OverflowError),
        ("2 ** 5000", OverflowError),
        ("v['value'] ** 999", OverflowError),
        ("'a' * 10 ** 9", OverflowError),
        ("10 ** 9 * [1]", OverflowError),
        ("'%999999999d' % 1", TypeError),
        ("v['value']['value']", TypeError),
        ("v['metadata'].get('a')", AttributeError),
        ("v['metadata'].lower(1)", TypeError),
        ("type('X', (), {})", TypeError),
    ],
)
def test_what_would_grow_without_end_or_reach_further_is_an_error(
    text: str, error: type[Exception]
) -> None:
    context = Context({}, {"value": 10**300, "metadata": "text"})
    with pytest.raises(error):
        expression(text).run(context)


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "x = 1",
        "v['value'] = 1",
        "s = {}",
        "del s['a']",
        "s['a'], s['b'] = 1, 2",
        "s['a'][0] = 1",
        "s[0:2] = [1]",
        "while True: pass",
        "for x in s: pass",
        "def f(): pass",
        "with s: pass",
        "s['a'] @= 1",
        "exec('1')",
        "print(1, file=v)",
        "global s",
        "from dataclasses import replace",
    ],
)
def test_statements_outside_of_the_language_are_refused(text: str) -> None:
    with pytest.raises(NotAllowedError):
        statements(text)


def test_statements_change_the_state_and_nothing_else() -> None:
    record = {"value": [1], "metadata": {"tensor": "a"}}
    context = Context({"names": [], "n": 1}, record, "key", 7.0)
    statements(
        "s['kept'] = v['value']; s['kept'] += [2]\n"
        "s['names'] += [v['metadata']['tensor']]\n"
        "s['names'].append(ll.timestamp)\n"
        "if s['n'] == 1:\n    s['n'] += 1\nelse:\n    s['n'] = 0\n"
        "s.update({'other': {'a': v['value']}})\n"
        "print('nothing', s['n'])\n"
        "enqueue_config('training_1.1.0/{}_common.yaml'.format('{0.__class__}'))"
    )(context)
    assert context.state == {
        "names": ["a", 7.0], "n": 2, "kept": [1, 2], "other": {"a": [1]},
    }  # fmt: skip
    assert record["value"] == [1], "records are shared between logs"
    assert context.queue == ["training_1.1.0/{0.__class__}_common.yaml"]


def test_a_list_that_doubles_with_every_line_ends() -> None:
    context = Context({"a": [0]})
    double = statements("s['a'] = s['a'] + s['a']")
    with pytest.raises(OverflowError):
        for _ in range(64):
            double(context)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- KEY:\n    NAME: [", "cannot be read"),
        ("just text", "no list of rules"),
        ("- 5", "no list of rules"),
        ("- KEY: {REQ: EXACTLY_ONE}", "no list of rules"),
        ("- BEGIN: {CODE: print(1)}\n- BEGIN: {CODE: print(1)}", "no list of rules"),
        ("- KEY: {NAME: a, CHECK: {b: c}}", "no list of rules"),
    ],
)
def test_a_broken_rule_file_says_why(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "common.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RuleFileError) as broken:
        read_rule_file(path, "training_1.1.0/common.yaml")
    assert said in str(broken.value)
    assert "training_1.1.0/common.yaml" in str(broken.value)


def test_scalars_of_a_rule_file_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "common.yaml"
    path.write_text("- KEY:\n    NAME: 1.0\n    REQ: EXACTLY_ONE\n    CHECK: no\n")
    assert json.dumps(list(read_rule_file(path, "x").keys)) == '["1.0"]'
