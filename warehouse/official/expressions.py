"""The expressions of the official rules, compiled to closures: nothing of their text is executed.

Their language is the part of Python that the rule files of mlcommons/logging use. What is not
listed here is refused, and so are names, attributes and sizes that no rule needs.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

LARGEST_BITS = 4096
LARGEST_EXPONENT = 1000
LONGEST = 1_000_000
INTEGER_WITHIN = 1e-5
BEYOND_THE_RECORD = {"s", "ll", "enqueue_config"}


class NotAllowedError(Exception):
    """Code of a rule file that is not in the language; the text names it."""


@dataclass(slots=True)
class Context:
    """What a rule can see: the state of its file (`s`), the record (`v`, `ll`), the queue."""

    state: dict[Any, Any]
    record: Any = None
    key: str = ""
    time: float = 0.0
    queue: list[str] = field(default_factory=list)


Closure = Callable[[Context], Any]


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression; `is_stateless`: only the record decides what it gives."""

    text: str
    tree: ast.expr
    run: Closure
    is_stateless: bool


@cache
def expression(text: str) -> Expression:
    """Compiles an expression; raises NotAllowedError for what is not in the language."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        return Expression(text.strip(), tree, compiled(tree), not names & BEYOND_THE_RECORD)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAllowedError(f"text that is no expression ({type(error).__name__})") from None


def compiled(node: ast.expr) -> Closure:
    """The closure of a node; raises NotAllowedError."""
    compiler = _COMPILERS.get(type(node))
    if compiler is None:
        raise NotAllowedError(type(node).__name__.lower())
    made: Closure = compiler(node)
    return made


def _constant(node: ast.Constant) -> Closure:
    value = node.value
    if not isinstance(value, str | int | float | None):
        raise NotAllowedError(f"the constant {value!r}")
    return lambda context: value


def _name(node: ast.Name) -> Closure:
    if node.id == "s":
        return lambda context: context.state
    if node.id == "v":
        return _record
    if node.id in _TYPES:
        kind = _TYPES[node.id]
        return lambda context: kind
    raise NotAllowedError(f"the name {node.id}")


def _record(context: Context) -> Any:
    if context.record is None:
        raise NameError("name 'v' is not defined")  # at the end of a file there is no record
    return context.record


def _attribute(node: ast.Attribute) -> Closure:
    name = ast.unparse(node)
    if name == "ll.timestamp":
        return lambda context: context.time
    if name == "ll.key":
        return lambda context: context.key
    if name == "ll.value":
        return _record
    raise NotAllowedError(f"the attribute {node.attr}")


def _subscript(node: ast.Subscript) -> Closure:
    if isinstance(node.slice, ast.Slice):
        raise NotAllowedError("a slice")
    if isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
        index = node.slice.value
        if node.value.id == "s":
            return lambda context: context.state[index]
        if node.value.id == "v":
            return lambda context: _record(context)[index]
    whole, part = compiled(node.value), compiled(node.slice)
    return lambda context: _item(whole(context), part(context))


def _item(whole: Any, index: Any) -> Any:
    if not isinstance(whole, dict | list | str | tuple):
        raise TypeError(f"{type(whole).__name__} has no members")
    return whole[index]


def _compare(node: ast.Compare) -> Closure:
    operands = [compiled(node.left), *(_operand(each) for each in node.comparators)]
    compare = [_COMPARISONS[type(each)] for each in node.ops]
    if len(compare) == 1:
        left, right = operands
        only = compare[0]
        return lambda context: only(left(context), right(context))

    def chain(context: Context) -> Any:
        before, found = operands[0](context), True
        for test, operand in zip(compare, operands[1:], strict=True):
            after = operand(context)
            if not (found := test(before, after)):
                return found
            before = after
        return found

    return chain


def _operand(node: ast.expr) -> Closure:
    """A list of constants is made once: a comparison does not keep it."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set) and all(
        isinstance(element, ast.Constant) for element in node.elts
    ):
        value = compiled(node)(Context({}))
        return lambda context: value
    return compiled(node)


def _in(member: Any, whole: Any) -> bool:
    return member in whole


def _not_in(member: Any, whole: Any) -> bool:
    return member not in whole


def _boolean(node: ast.BoolOp) -> Closure:
    parts = [compiled(value) for value in node.values]
    stops_at = isinstance(node.op, ast.Or)

    def decide(context: Context) -> Any:
        value = None
        for part in parts:
            value = part(context)
            if bool(value) is stops_at:
                return value
        return value

    return decide


def _binary(node: ast.BinOp) -> Closure:
    operate = operation(node.op)
    left, right = compiled(node.left), compiled(node.right)
    return lambda context: operate(left(context), right(context))


def operation(node: ast.operator) -> Callable[[Any, Any], Any]:
    """The operator of a node; raises NotAllowedError."""
    operate = _OPERATIONS.get(type(node))
    if operate is None:
        raise NotAllowedError(f"the operator {type(node).__name__}")
    return operate


def own(value: Any) -> Any:
    """A value that the state may keep and change: records are shared between logs."""
    if isinstance(value, list):
        return [own(member) for member in value]
    if isinstance(value, dict):
        return {key: own(member) for key, member in value.items()}
    return deepcopy(value) if isinstance(value, tuple | set) else value


def _unary(node: ast.UnaryOp) -> Closure:
    operand = compiled(node.operand)
    if isinstance(node.op, ast.Not):
        return lambda context: not operand(context)
    if isinstance(node.op, ast.USub):
        return lambda context: -operand(context)
    raise NotAllowedError(f"the operator {type(node.op).__name__}")


def _conditional(node: ast.IfExp) -> Closure:
    test, then, other = compiled(node.test), compiled(node.body), compiled(node.orelse)
    return lambda context: then(context) if test(context) else other(context)


def _collection(node: ast.List | ast.Tuple | ast.Set) -> Closure:
    make = {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)]
    if all(isinstance(each, ast.Constant) and type(each.value) is str for each in node.elts):
        names = make(each.value for each in node.elts if isinstance(each, ast.Constant))
        return lambda context: names.copy() if isinstance(names, list) else names
    elements = [compiled(element) for element in node.elts]
    return lambda context: make(element(context) for element in elements)


def _dictionary(node: ast.Dict) -> Closure:
    if None in node.keys:
        raise NotAllowedError("a dictionary inside a dictionary's braces")
    keys = [compiled(key) for key in node.keys if key is not None]
    values = [compiled(value) for value in node.values]
    return lambda context: {
        key(context): value(context) for key, value in zip(keys, values, strict=True)
    }


def _call(node: ast.Call) -> Closure:
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        raise NotAllowedError("a named or starred argument")
    name = ast.unparse(node.func)
    arguments = [compiled(argument) for argument in node.args]
    if name == "enqueue_config" and len(arguments) == 1:
        return lambda context: context.queue.append(str(arguments[0](context)))
    if name in FUNCTIONS:
        call = FUNCTIONS[name]
        if len(arguments) == 1:
            only = arguments[0]
            return lambda context: call(only(context))
        if len(arguments) == 2:
            first, second = arguments
            return lambda context: call(first(context), second(context))
        return lambda context: call(*(argument(context) for argument in arguments))
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, arguments)
    raise NotAllowedError(f"the call of {name[:40]}")


def _method(node: ast.Attribute, arguments: list[Closure]) -> Closure:
    if node.attr == "format":
        return _format(node, arguments)
    found = _METHODS.get(node.attr)
    if found is None:
        raise NotAllowedError(f"the method {node.attr}")
    kind, call = found
    owner = compiled(node.value)

    def run(context: Context) -> Any:
        whole = owner(context)
        if type(whole) is not kind:
            raise AttributeError(f"{type(whole).__name__} has no {node.attr}")
        return call(whole, *(argument(context) for argument in arguments))

    return run


def _format(node: ast.Attribute, arguments: list[Closure]) -> Closure:
    """A template of the rule itself, with plain {} only: the text of a log is never one."""
    template = node.value.value if isinstance(node.value, ast.Constant) else None
    parts = template.split("{}") if isinstance(template, str) else []
    if len(parts) != len(arguments) + 1 or any("{" in part or "}" in part for part in parts):
        raise NotAllowedError("a template that is not plain")

    def filled(context: Context) -> str:
        made = [parts[0]]
        for argument, part in zip(arguments, parts[1:], strict=True):
            made += [str(argument(context)), part]
        return "".join(made)

    return filled


def _number(value: Any) -> Any:
    if not isinstance(value, int | float):
        raise TypeError(f"{type(value).__name__} is no number")
    return value


def bounded(value: Any) -> Any:
    """The value of an operation, unless it grows beyond what any rule needs."""
    if isinstance(value, int) and value.bit_length() > LARGEST_BITS:
        raise OverflowError("the number is too large")
    if isinstance(value, list | str) and len(value) > LONGEST:
        raise OverflowError("the list is too long")
    return value


def _plus(left: Any, right: Any) -> Any:
    return bounded(left + right)


def _times(left: Any, right: Any) -> Any:
    for whole, times in ((left, right), (right, left)):
        if isinstance(whole, str | list | tuple) and len(whole) * _number(times) > LONGEST:
            raise OverflowError("the list is too long")
    return bounded(left * right)


def _modulo(left: Any, right: Any) -> Any:
    return _number(left) % _number(right)


def _power(left: Any, right: Any) -> Any:
    if abs(_number(right)) > LARGEST_EXPONENT:
        raise OverflowError("the exponent is too large")
    if isinstance(_number(left), int) and left.bit_length() * max(1, abs(right)) > LARGEST_BITS:
        raise OverflowError("the number is too large")
    return left**right


def _is_integer(value: Any) -> bool:
    """Source: mlp_compliance.is_integer."""
    return bool(abs(round(value) - value) < INTEGER_WITHIN)


def _type(value: Any) -> Any:
    return type(value)


def _get(whole: dict[Any, Any], *key_and_other: Any) -> Any:
    return whole.get(*key_and_other)


def _update(whole: dict[Any, Any], other: Any) -> None:
    whole.update(own(other))


def _append(whole: list[Any], member: Any) -> None:
    whole.append(own(member))
    bounded(whole)


_TYPES: dict[str, type] = {
    "int": int, "float": float, "str": str, "bool": bool, "list": list, "dict": dict,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "is_integer": _is_integer, "len": len, "sorted": sorted, "min": min,
    "max": max, "abs": abs, "int": int, "float": float, "isinstance": isinstance,
    "type": _type, "math.log2": math.log2, "math.ceil": math.ceil, "math.floor": math.floor,
    "math.isclose": math.isclose,
}  # fmt: skip
_METHODS: dict[str, tuple[type, Callable[..., Any]]] = {
    "get": (dict, _get), "update": (dict, _update), "append": (list, _append),
    "lower": (str, str.lower),
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: _in, ast.NotIn: _not_in,
}  # fmt: skip
_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: _plus, ast.Sub: operator.sub, ast.Mult: _times, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: _modulo, ast.Pow: _power, ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
}  # fmt: skip
_COMPILERS: dict[type[ast.expr], Callable[[Any], Closure]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute,
    ast.Subscript: _subscript, ast.Compare: _compare, ast.BoolOp: _boolean, ast.BinOp: _binary,
    ast.UnaryOp: _unary, ast.IfExp: _conditional, ast.List: _collection, ast.Tuple: _collection,
    ast.Set: _collection, ast.Dict: _dictionary, ast.Call: _call,
}  # fmt: skip
