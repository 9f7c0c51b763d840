"""What a graded test was asking when the code failed in the midst of its answer.

`equal(constrain.double(2), 4, input="double(2)")`: while `double` runs, `equal` has not
been called yet. So the test's own source is looked at: the `input=` that the running
statement, or the one that uses its result, will give; else the call itself.
"""

from __future__ import annotations

import ast
import copy
import functools
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ol import paths
from ol.course import NAMESPACES
from ol.failure import shorten

Names = Mapping[str, Any]
Position = tuple[str, int, str, Names]  # file, line, function, its globals and locals
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_PLAIN = str | int | float | bytes | bool | None


def of_traceback(traceback: types.TracebackType | None) -> str:
    """Return what was asked when an exception came up; nothing if that is unknown."""
    found: list[Position] = []
    while traceback is not None:
        found.append(_position(traceback.tb_frame, traceback.tb_lineno))
        traceback = traceback.tb_next
    return asked(reversed(found))


def of_frame(frame: types.FrameType | None) -> str:
    """Return what is being asked where a frame runs."""
    found: list[Position] = []
    while frame is not None:
        found.append(_position(frame, frame.f_lineno))
        frame = frame.f_back
    return asked(found)


def _position(frame: types.FrameType, line: int) -> Position:
    names = {**frame.f_globals, **frame.f_locals}
    return frame.f_code.co_filename, line, frame.f_code.co_name, names


def asked(positions: Iterable[Position]) -> str:
    """Return what is asked at the first of these positions, innermost first, that
    knows it. Without names, only what stands there as a text is known.
    """
    calls: list[str] = []
    for file, line, function, names in positions:
        if not is_graded(file) or function == "<module>":
            continue
        statements = _statements(file)
        for expression in _inputs(statements, line):
            later = _running(statements, line)[1:]
            if text := _value(expression, {**names, **_bound_in(later, names)}):
                return shorten(text)
        if call := _call(statements, line):
            calls.append(shorten(_spelled(call, names)))
    return calls[0] if calls else ""


def is_graded(file: str) -> bool:
    """Say whether a file is one of the graded tests."""
    return Path(file).is_relative_to(paths.root() / "checker" / "graded")


@functools.lru_cache(maxsize=16)
def _statements(file: str) -> list[list[ast.stmt]]:
    """Return the blocks of a file, each a list of statements."""
    tree = ast.parse(Path(file).read_text("utf-8"))
    return [
        block
        for node in ast.walk(tree)
        for field in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(node, field, None), list)
    ]


def _around(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is not None and last is not None and first <= line <= last


def _running(blocks: list[list[ast.stmt]], line: int) -> list[ast.stmt]:
    """Return the innermost statement at a line and what its function does later."""
    found: list[list[ast.stmt]] = []
    for block in blocks:  # outer blocks come before inner ones
        for place, statement in enumerate(block):
            if _around(statement, line):
                scope = isinstance(statement, _SCOPES)
                found = [] if scope else [block[place:], *found]
    return [*found[0], *(s for rest in found[1:] for s in rest[1:])] if found else []


def _inputs(blocks: list[list[ast.stmt]], line: int) -> Iterator[ast.expr]:
    """Yield the `input=` of the running call, or of the next call that takes what the
    running statement binds.
    """
    statement, *later = _running(blocks, line) or [ast.Pass()]
    for call in _calls(statement):
        if _around(call, line):
            yield from _input_of(call)
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return
    bound = _names_in(statement, ast.Store)
    for one in later:
        for call in _calls(one):
            if bound & {name for a in call.args for name in _names_in(a, ast.Load)}:
                yield from _input_of(call)
        if isinstance(one, ast.Assign) and bound & _names_in(one.value, ast.Load):
            bound |= _names_in(one, ast.Store)


def _input_of(call: ast.Call) -> Iterator[ast.expr]:
    return (keyword.value for keyword in call.keywords if keyword.arg == "input")


def _calls(node: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Call)]


def _names_in(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, context)}


def _bound_in(later: list[ast.stmt], names: Names) -> dict[str, Any]:
    """Return the texts that the next statements bind: `input =` may stand below the
    call that is running. No code under test is called for it.
    """
    bound: dict[str, Any] = {}
    for statement in later:
        if isinstance(statement, ast.Assign):
            known = {**names, **bound, **dict.fromkeys(NAMESPACES, _UNKNOWN)}
            value = _value(statement.value, known) or _UNKNOWN
            bound |= dict.fromkeys(_names_in(statement, ast.Store), value)
    return bound


class _Unknown:
    """What is not bound yet: no text can be made of it."""

    def __str__(self) -> str:
        raise NameError

    def __format__(self, how: str) -> str:
        raise NameError

    __repr__ = __str__


_UNKNOWN = _Unknown()


def _value(expression: ast.expr, names: Names) -> str:
    code = compile(ast.Expression(expression), "<input>", "eval")
    try:
        return str(eval(code, dict(names)))
    except Exception:  # a name that is not bound yet; the code's own __repr__
        return ""


def _call(blocks: list[list[ast.stmt]], line: int) -> ast.Call | None:
    """Return the innermost call of the code under test at a line."""
    statement = next(iter(_running(blocks, line)), ast.Pass())
    found = None
    for call in _calls(statement):
        if _around(call, line) and _is_of_the_code(call.func):
            found = call
    return found


def _is_of_the_code(function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute):
        return False
    root = function.value
    return isinstance(root, ast.Name) and root.id in NAMESPACES


class _Spelled(ast.NodeTransformer):
    """`constrain.parse(pattern)` becomes `parse('ab?')`."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if _is_of_the_code(node):
            return ast.Name(node.attr, ast.Load())
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._names.get(node.id, ...)
        return ast.Constant(value) if isinstance(value, _PLAIN) else node


def _spelled(call: ast.Call, names: Names) -> str:
    return ast.unparse(_Spelled(names).visit(copy.deepcopy(call)))
