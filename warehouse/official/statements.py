"""The statements of the official rules (BEGIN, PRE, POST), compiled to closures.

What they may do: change the state `s` of their own rule file, name a further rule file, decide.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache

from warehouse.official.expressions import (
    Closure,
    Context,
    NotAllowedError,
    bounded,
    compiled,
    operation,
    own,
)

KEPT_APART = (list, dict, set, tuple)

Statement = Callable[[Context], None]


@cache
def statements(text: str) -> Statement:
    """Compiles a block of statements; raises NotAllowedError for what is not in the language."""
    try:
        return _block(ast.parse(text.strip()).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAllowedError(f"text that is no code ({type(error).__name__})") from None


def _block(nodes: list[ast.stmt]) -> Statement:
    steps = [_statement(node) for node in nodes]
    if len(steps) == 1:
        return steps[0]

    def run(context: Context) -> None:
        for step in steps:
            step(context)

    return run


def _statement(node: ast.stmt) -> Statement:
    if isinstance(node, ast.Assign):
        return _assignment(node)
    if isinstance(node, ast.AugAssign):
        return _change(node)
    if isinstance(node, ast.If):
        return _condition(node)
    if isinstance(node, ast.Expr):
        return _printed(node.value) or _evaluated(compiled(node.value))
    raise NotAllowedError(type(node).__name__.lower())


def _evaluated(value: Closure) -> Statement:
    def run(context: Context) -> None:
        value(context)

    return run


def _printed(node: ast.expr) -> Statement | None:
    """`print` prints nothing here; what it would print is worked out, for its errors."""
    if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "print"):
        return None
    if node.keywords:
        raise NotAllowedError("a named argument")
    arguments = [compiled(argument) for argument in node.args]

    def run(context: Context) -> None:
        for argument in arguments:
            argument(context)

    return run


def _assignment(node: ast.Assign) -> Statement:
    targets = [_member_of_state(target) for target in node.targets]
    value = compiled(node.value)
    if len(targets) == 1:
        return _stored(targets[0], value)

    def run(context: Context) -> None:
        made = value(context)
        for target in targets:
            context.state[target(context)] = own(made)

    return run


def _stored(target: Closure, value: Closure) -> Statement:
    def run(context: Context) -> None:
        made = value(context)
        context.state[target(context)] = own(made) if isinstance(made, KEPT_APART) else made

    return run


def _change(node: ast.AugAssign) -> Statement:
    target, value = _member_of_state(node.target), compiled(node.value)
    operate = operation(node.op)

    def run(context: Context) -> None:
        name = target(context)
        before, change = context.state[name], value(context)
        if type(before) is list and type(change) is list and isinstance(node.op, ast.Add):
            before += own(change)
            bounded(before)
        else:
            context.state[name] = operate(before, change)

    return run


def _condition(node: ast.If) -> Statement:
    test, then = compiled(node.test), _block(node.body)
    other = _block(node.orelse) if node.orelse else None

    def run(context: Context) -> None:
        if test(context):
            then(context)
        elif other is not None:
            other(context)

    return run


def _member_of_state(target: ast.expr) -> Closure:
    is_state = (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and target.value.id == "s"
    )
    if not is_state or not isinstance(target, ast.Subscript):
        raise NotAllowedError("an assignment to something other than s[...]")
    if isinstance(target.slice, ast.Slice):
        raise NotAllowedError("a slice")
    return compiled(target.slice)
