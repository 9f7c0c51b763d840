"""First-order source mutants: one small change in one solution cell of the reference.

The changes are the usual ones of mutation testing (Offutt 1996; DeMillo et al. 1978):
comparisons, arithmetic and boolean operators, constants, conditions, returned values,
statements left out. Docstrings, annotations and the words of error messages are left
alone: no test is to look at them.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ol import codes, course
from ol.source import Cell

Change = tuple[str, Callable[[], None]]  # what it does, and doing it, in place

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.Div: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
_NAMES = {
    "min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list",
    "reversed": "list", "append": "extend", "lstrip": "rstrip", "rstrip": "lstrip",
    "startswith": "endswith", "endswith": "startswith",
}  # fmt: skip
# the place of the words among the arguments of what refuses
_WORDS = {"ConstrainError": 1, "refuse": 1, "ToolError": 3, "malformed": 1,
          "unsupported": 1}  # fmt: skip


@dataclass(frozen=True)
class Edit:
    """A change: where, what it does in words, and the cell's source with it."""

    notebook: str
    exercise: str
    number: int  # among the edits of its cell
    what: str
    source: str

    @property
    def id(self) -> str:
        return f"{self.exercise}.{self.number}"


def sample(module: course.Module, count: int, seed: int) -> list[Edit]:
    """Return so many of all edits of the module, chosen at random, in their order."""
    everything = list(edits_of_module(module))
    chosen = random.Random(seed).sample(range(len(everything)), count)
    return [everything[index] for index in sorted(chosen)]


def edits_of_module(module: course.Module) -> Iterator[Edit]:
    for notebook, (cells, _) in codes.reference(module).items():
        for cell in cells:
            if cell.role == "solution" and cell.name is not None:
                yield from edits_of_cell(notebook, cell)


def edits_of_cell(notebook: str, cell: Cell) -> Iterator[Edit]:
    """Yield every edit of a cell that Python compiles to something else."""
    original = ast.unparse(ast.parse(cell.source))
    number = 0
    for place, node in enumerate(ast.walk(ast.parse(cell.source))):
        for choice in range(len(list(changes_of(node)))):
            tree = ast.parse(cell.source)  # afresh: the last change was made in place
            same = list(ast.walk(tree))[place]
            if same in untouchable(tree):
                break
            what, apply = list(changes_of(same))[choice]
            apply()
            source = ast.unparse(ast.fix_missing_locations(tree))
            if source != original:
                number += 1
                said = f"line {getattr(node, 'lineno', 1)}: {what}"
                yield Edit(notebook, str(cell.name), number, said, source)


def changed_chain(module: course.Module, edit: Edit) -> dict[str, codes.Labelled]:
    """Return the reference with the edit made, as `Implementation` takes it."""
    chain = dict(codes.reference(module))
    cells, label = chain[edit.notebook]
    chain[edit.notebook] = (
        [
            replace(cell, source=edit.source)
            if (cell.role, cell.name) == ("solution", edit.exercise)
            else cell
            for cell in cells
        ],
        label,
    )
    return chain


def untouchable(tree: ast.AST) -> set[ast.AST]:
    """Return the nodes that no edit may touch: see the module's docstring."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        roots: list[ast.AST | None] = [getattr(node, "annotation", None)]
        roots.append(getattr(node, "returns", None))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            roots.append(node)
        if isinstance(node, ast.Call) and (place := _WORDS.get(_name_of(node))):
            roots += node.args[place : place + 1]
        for root in roots:
            if root is not None:
                found |= set(ast.walk(root))
    return found


def changes_of(node: ast.AST) -> Iterator[Change]:
    """Yield the changes that can be made to a node."""
    if isinstance(node, ast.Compare):
        yield from _comparisons(node)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        yield from _arithmetic(node)
    elif isinstance(node, ast.BoolOp):
        yield from _boolean(node)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield from _conditions(node)
    elif isinstance(node, ast.Return):
        yield from _returned(node)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from _names(node)
    yield from _left_out(node)


def _comparisons(node: ast.Compare) -> Iterator[Change]:
    for index, operator in enumerate(node.ops):
        other = _COMPARISONS[type(operator)]
        what = f"{type(operator).__name__} becomes {other.__name__}"
        yield f"{what} in `{_short(node)}`", _put(node.ops, index, other())


def _arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[Change]:
    other = _OPERATORS.get(type(node.op))
    if other is not None:
        what = f"{type(node.op).__name__} becomes {other.__name__} in `{_short(node)}`"
        yield what, _set(node, "op", other())


def _boolean(node: ast.BoolOp) -> Iterator[Change]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield f"`and` and `or` are exchanged in `{_short(node)}`", _set(node, "op", other)


def _constants(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        others: list[object] = [not value]
    elif isinstance(value, int):
        others = [value + 1, value - 1]
    elif isinstance(value, str | bytes):
        others = [type(value)()] if value else ["X"]
    else:
        return
    for other in others:
        yield f"{value!r} becomes {other!r}", _set(node, "value", other)


def _conditions(node: ast.If | ast.While | ast.IfExp) -> Iterator[Change]:
    negated = ast.UnaryOp(ast.Not(), node.test)
    yield f"the condition `{_short(node.test)}` is negated", _set(node, "test", negated)


def _returned(node: ast.Return) -> Iterator[Change]:
    if node.value is not None and not _is_none(node.value):
        what = f"`{_short(node.value)}` is not returned"
        yield what, _set(node, "value", ast.Constant(None))


def _names(node: ast.Name | ast.Attribute) -> Iterator[Change]:
    field = "id" if isinstance(node, ast.Name) else "attr"
    name = getattr(node, field)
    if name in _NAMES:
        yield f"{name} becomes {_NAMES[name]}", _set(node, field, _NAMES[name])


def _left_out(node: ast.AST) -> Iterator[Change]:
    for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
        if not isinstance(body, list):
            continue
        for index, statement in enumerate(body):
            if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign):
                if isinstance(getattr(statement, "value", None), ast.Constant):
                    continue
                what = f"`{_short(statement)}` is left out"
                yield what, _put(body, index, ast.Pass())
            elif isinstance(statement, ast.Break | ast.Continue):
                other = ast.Continue if isinstance(statement, ast.Break) else ast.Break
                yield "break and continue are exchanged", _put(body, index, other())


def _name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:59] + "…"


def _set(node: ast.AST, field: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, field, value)


def _put(
    items: list[ast.cmpop] | list[ast.stmt], index: int, value: object
) -> Callable[[], None]:
    return lambda: items.__setitem__(index, value)  # type: ignore[call-overload]
