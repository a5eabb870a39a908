"""Why a rule is not met, in plain words: the frequent forms of its expressions, else its text."""

from __future__ import annotations

import ast
import json
from collections import Counter
from typing import Any, NamedTuple

from warehouse.official.expressions import Closure, Context, Expression, compiled

LONGEST_TEXT = 160
MOST_NAMES = 3
MS_PER_MIN = 60_000
ASKED = {
    ast.Eq: "it must be", ast.NotEq: "it must not be", ast.Gt: "it must be more than",
    ast.GtE: "it must be at least", ast.Lt: "it must be less than", ast.LtE: "it must be at most",
    ast.In: "it must be one of",
}  # fmt: skip
BEGUN = {
    "init_started": "init_start", "init_stopped": "init_stop", "run_started": "run_start",
    "run_stopped": "run_stop", "staging_started": "staging_start",
}  # fmt: skip
INSIDE = {"in_block": "a block", "in_epoch": "an epoch", "in_eval": "an evaluation"}


class Reason(NamedTuple):
    """One sentence, what was found and what the rule asks for."""

    sentence: str
    value: str | None
    limit: str


def shown(value: Any) -> str:
    """A value as a log would say it, shortened."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = str(value)
    return shortened(text)


def shortened(text: str) -> str:
    """One line of text that fits into a table."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def listed(names: list[str]) -> str:
    """A few names, and how many more there are."""
    said = ", ".join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return f"{shortened(said)} and {more} more" if more > 0 else shortened(said)


def of_check(check: Expression, context: Context) -> Reason:
    """Why a check on a record fails; `context` is what it saw."""
    try:
        sentence, value = _explained(check.tree, context)
    except Exception:  # what it compares may be anything that a log holds
        sentence, value = f"{context.key} does not fulfil {shortened(check.text)}", seen(context)
    return Reason(sentence, value, shortened(check.text))


def of_error(check: Expression, context: Context, error: Exception) -> Reason:
    """Why a check cannot be worked out on a record."""
    sentence = f"{context.key} cannot be judged by {shortened(check.text)}: {error_text(error)}"
    return Reason(sentence, seen(context), shortened(check.text))


def of_end(check: Expression, context: Context, name: str) -> Reason:
    """Why a check at the end of a rule file fails."""
    try:
        found = _lists(check.tree, context)
    except Exception:  # the state may hold anything that a log holds
        found = None
    text = shortened(check.text)
    return found or Reason(f"the log as a whole does not fulfil {text} of {name}", None, text)


def of_target(check: Expression, key: str, last: dict[str, Any]) -> Reason:
    """Why a log fails of which no record reaches the target; `last` is the last of them."""
    text = shortened(check.text)
    return Reason(f"no {key} reaches the target: none fulfils {text}", shown(last["value"]), text)


def seen(context: Context) -> str | None:
    """The record that was judged: its value, or its metadata where there is none."""
    if not isinstance(context.record, dict):
        return None
    value = context.record.get("value")
    return shown(context.record.get("metadata") if value is None else value)


def error_text(error: Exception) -> str:
    """What an error says."""
    return f"no {error} in it" if isinstance(error, KeyError) else shortened(str(error))


def _explained(tree: ast.expr, context: Context) -> tuple[str, str | None]:
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        failing = next(part for part in tree.values if not compiled(part)(context))
        return _explained(failing, context)
    if isinstance(tree, ast.Compare):
        return _comparison(tree, context)
    is_denied = isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)
    name = _state(tree.operand if isinstance(tree, ast.UnaryOp) else tree)
    if name in BEGUN:
        return f"{context.key} stands {'after' if is_denied else 'before'} {BEGUN[name]}", None
    if name in INSIDE:
        return (
            f"{context.key} stands {'inside' if is_denied else 'outside'} {INSIDE[name]}",
            None,
        )
    return f"{context.key} does not fulfil {shortened(ast.unparse(tree))}", seen(context)


def _state(tree: ast.expr) -> str:
    """The name of a member of the state, "" for anything else."""
    text = ast.unparse(tree)
    return text[3:-2] if text.startswith("s['") and text.endswith("']") else ""


def _comparison(tree: ast.Compare, context: Context) -> tuple[str, str | None]:
    left, right, operator = tree.left, tree.comparators[0], type(tree.ops[0])
    name = _state(left)
    if name in BEGUN and isinstance(right, ast.Constant) and isinstance(right.value, bool):
        return f"{context.key} stands {'before' if right.value else 'after'} {BEGUN[name]}", None
    place = _place(right)
    if operator is ast.In and place is not None and isinstance(left, ast.Constant):
        return f"{context.key} has no {left.value!s} in its {place}", seen(context)
    if len(tree.ops) > 1 or operator not in ASKED:
        text = shortened(ast.unparse(tree))
        return f"{context.key} does not fulfil {text}", seen(context)
    found, asked = compiled(left)(context), compiled(right)(context)
    if ast.unparse(left) == "ll.timestamp - s['first_init_start']":
        minutes = f"{found / MS_PER_MIN:.1f} min"
        limit = f"it must be less than {asked / MS_PER_MIN:g} min"
        return f"{context.key} comes {minutes} after init_start; {limit}", minutes
    return f"{_subject(left, context.key)} is {shown(found)}; {_asked(operator, asked)}", shown(
        found
    )


def _asked(operator: type[ast.cmpop], asked: Any) -> str:
    if operator is ast.In and isinstance(asked, list | tuple | set):
        return f"{ASKED[operator]} {shortened(', '.join(map(shown, asked)))}"
    return f"{ASKED[operator]} {'empty' if asked == '' else shown(asked)}"


def _place(tree: ast.expr) -> str | None:
    """Whether a node is the value or the metadata of the record."""
    return {"v['value']": "value", "v['metadata']": "metadata", "v": "record"}.get(
        ast.unparse(tree)
    )


def _subject(tree: ast.expr, key: str) -> str:
    text = ast.unparse(tree)
    if text == "v['value']":
        return key
    if (
        isinstance(tree, ast.Subscript)
        and _place(tree.value)
        and isinstance(tree.slice, ast.Constant)
    ):
        return f"{tree.slice.value!s} of {key}"
    return f"{shortened(text)} of {key}"


def _lists(tree: ast.expr, context: Context) -> Reason | None:
    """For sorted(a) == sorted(b): which names are missing, and which are too many."""
    if not (isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.Eq)):
        return None
    sides = [_sorted_list(side) for side in (tree.left, tree.comparators[0])]
    if sides[0] is None or sides[1] is None:
        return None
    logged: Counter[Any] = Counter(sides[0](context))
    asked: Counter[Any] = Counter(sides[1](context))
    missing = [str(name) for name in (asked - logged).elements()]
    surplus = [str(name) for name in (logged - asked).elements()]
    said = [f"{len(missing)} missing ({listed(missing)})"] if missing else []
    said += [f"{len(surplus)} too many ({listed(surplus)})"] if surplus else []
    name = ast.unparse(tree.left)[len("sorted(s['") : -len("'])")]
    sentence = f"{name}: {', '.join(said)}"
    return Reason(sentence, f"{logged.total()} names", f"{asked.total()} names")


def _sorted_list(tree: ast.expr) -> Closure | None:
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "sorted" and len(tree.args) == 1:
        return compiled(tree.args[0])
    return None
