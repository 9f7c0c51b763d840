"""What a top-level statement does to the names of its module: binds, changes, reads."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

_MUTATORS = frozenset(
    "add append clear discard extend insert pop popitem remove reverse setdefault sort "
    "update fill".split()
)
_HARMLESS = frozenset(
    "print display len repr str sorted list set dict tuple sum min max type all any id "
    "help dir vars enumerate zip range assert_".split()
)
_DEFINITIONS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
)


@dataclass
class Effects:
    """The names that one statement binds, changes in place, and reads.

    Reads include what the bodies of its functions read when they are called;
    `when_called` are the global names that those bodies change.
    """

    binds: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    when_called: set[str] = field(default_factory=set)
    is_definition: bool = False

    @property
    def touches(self) -> set[str]:
        return self.binds | self.changes


def effects_of(statement: ast.stmt) -> Effects:
    """Summarize a top-level statement; scopes are resolved by the compiler's
    symtable.
    """
    cached: Effects | None = getattr(statement, "_ol_effects", None)
    if cached is None:
        cached = _effects_of(statement)
        statement._ol_effects = cached  # type: ignore[attr-defined]
    return cached


def _effects_of(statement: ast.stmt) -> Effects:
    effects = Effects(is_definition=_is_definition(statement))
    try:
        table = symtable.symtable(ast.unparse(statement), "<cell>", "exec")
    except (SyntaxError, RecursionError):  # `await`, or nested too deeply
        return _rough_effects(statement, effects)
    for symbol in table.get_symbols():
        if symbol.is_assigned() or symbol.is_imported():
            effects.binds.add(symbol.get_name())
        if symbol.is_referenced():
            effects.reads.add(symbol.get_name())
    for child in table.get_children():
        _read_scope(child, effects)
    effects.reads |= _annotation_names(statement)
    effects.changes |= set(_changed_names(_here(statement)))
    inside = set(_changed_names(ast.walk(statement)))
    effects.when_called = effects.changes | (inside & effects.reads)
    return effects


def _rough_effects(statement: ast.stmt, effects: Effects) -> Effects:
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            reads = isinstance(node.ctx, ast.Load)
            (effects.reads if reads else effects.binds).add(node.id)
    return effects


def _is_definition(statement: ast.stmt) -> bool:
    if isinstance(statement, _DEFINITIONS):
        return True
    if isinstance(statement, ast.If) and _is_main_guard(statement.test):
        return False
    if isinstance(statement, ast.If | ast.Try):
        blocks = [statement.body, statement.orelse]
        if isinstance(statement, ast.Try):
            blocks += [handler.body for handler in statement.handlers]
            blocks.append(statement.finalbody)
        return any(_is_definition(inner) for block in blocks for inner in block)
    return False


def _is_main_guard(test: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.walk(test))


def _read_scope(table: symtable.SymbolTable, effects: Effects) -> None:
    for symbol in table.get_symbols():
        if symbol.is_global():
            if symbol.is_assigned():
                effects.changes.add(symbol.get_name())
            if symbol.is_referenced():
                effects.reads.add(symbol.get_name())
    for child in table.get_children():
        _read_scope(child, effects)


def _annotation_names(statement: ast.stmt) -> set[str]:
    """Names in annotations, also in quoted ones: dataclasses and mypy read them."""
    names: set[str] = set()
    for node in ast.walk(statement):
        annotations = [
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
        ]
        for annotation in filter(None, annotations):
            names |= _names_in(annotation)
    return names


def _names_in(node: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    for constant in ast.walk(node):
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
            try:
                names |= _names_in(ast.parse(constant.value, mode="eval").body)
            except SyntaxError:
                continue
    return names


def _here(statement: ast.stmt) -> Iterator[ast.AST]:
    """Walk what runs when the statement runs: not into bodies of functions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _root_name(node: ast.AST) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _changed_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        name = None
        if isinstance(node, ast.Attribute | ast.Subscript):
            if isinstance(node.ctx, ast.Store | ast.Del):
                name = _root_name(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            name = node.id
        elif isinstance(node, ast.Call):
            name = _changed_by_call(node)
        if name is not None:
            yield name


def _changed_by_call(call: ast.Call) -> str | None:
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr in _MUTATORS:
        return _root_name(function.value)
    if isinstance(function, ast.Name) and function.id in ("setattr", "delattr"):
        return _root_name(call.args[0]) if call.args else None
    return None


def acts_on_something(statement: ast.stmt) -> bool:
    """Say whether a statement does more than show a value or ask the course."""
    if isinstance(statement, ast.Pass):
        return False
    if not isinstance(statement, ast.Expr):
        return True
    value = statement.value
    if not isinstance(value, ast.Call):
        return any(isinstance(n, ast.Call) for n in _here(statement))
    root = _root_name(value.func)
    return root != "ol" and root not in _HARMLESS


def unsure_changes(statement: ast.stmt, called: Mapping[str, set[str]]) -> set[str]:
    """Names that a dropped statement hands to code which may change them.

    `called` gives the names that the notebook's own functions change when called.
    """
    names: set[str | None] = set()
    for node in _here(statement):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            continue
        call = node.value
        root = _root_name(call.func)
        if root == "ol" or root in _HARMLESS:
            continue
        names |= {_root_name(argument) for argument in call.args}
        if isinstance(call.func, ast.Attribute):
            names.add(root)
        else:
            names |= called.get(root or "", set())
    return {name for name in names if name}
