"""Cells as they stand in a notebook's JSON: what they are, what they define."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from ol.extract import parse, strip_magics

Raw = dict[str, Any]

_CODE_ONLY = ("outputs", "execution_count")
_KINDS = {"markdown": "a text cell", "raw": "a raw cell", "code": "a code cell"}


def settle_shape(cell: Raw) -> None:
    """Give a cell the fields that its type must have, and none that it must not."""
    if not isinstance(cell.get("metadata"), dict):
        cell["metadata"] = {}
    if cell.get("cell_type") not in _KINDS:
        cell["cell_type"] = "raw"
    if not isinstance(cell.get("source"), str | list):
        cell["source"] = ""
    if cell["cell_type"] == "code":
        cell.pop("attachments", None)
        cell.setdefault("outputs", [])
        cell.setdefault("execution_count", None)
        return
    for key in _CODE_ONLY:
        cell.pop(key, None)


def source(cell: Raw) -> str:
    """Return a cell's text, whichever of the two ways it is stored in."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(map(str, text))


def grade_id(cell: Raw) -> str | None:
    nbgrader = cell["metadata"].get("nbgrader")
    found = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return found if isinstance(found, str) else None


def role(wanted: Raw) -> str:
    """Return the role of a released cell: `check`, `solution` or `given`."""
    nbgrader = wanted["metadata"]["nbgrader"]
    return next((r for r, key in _FLAGS if nbgrader[key]), "given")


_FLAGS = (("check", "grade"), ("solution", "solution"))


def name_of(wanted: Raw) -> str:
    """Return the name of a released cell, without its role."""
    return str(wanted["id"]).removesuffix(f"-{role(wanted)}")


def called(wanted: Raw) -> str:
    """Return how a released cell is called in a sentence."""
    words = {"check": "the check of", "solution": "the cell of", "given": "given cell"}
    return f"{words[role(wanted)]} `{name_of(wanted)}`"


def kind(cell: Raw) -> str:
    return _KINDS[cell["cell_type"]]


def places(cells: Sequence[Raw]) -> Iterator[str]:
    """Yield where each cell stands: code cells are counted, as `[7]` does."""
    number = 0
    for cell in cells:
        number += cell["cell_type"] == "code"
        if cell["cell_type"] == "code":
            yield f"cell {number}"
        else:
            yield f"after cell {number}" if number else "top"


def definition(cell: Raw, name: str) -> ast.stmt | None:
    """Return the last `def name` on a cell's top level; text cells may hold one."""
    if f"def {name}" not in source(cell):
        return None
    try:
        body = parse(strip_magics(source(cell))).body
    except SyntaxError:
        return None
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [s for s in body if isinstance(s, functions) and s.name == name]
    return found[-1] if found else None


def take_definition(cell: Raw, node: ast.stmt) -> str:
    """Cut a definition, decorators included, out of a cell; return its text."""
    lines = source(cell).split("\n")
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)]) - 1
    taken = lines[first : node.end_lineno]
    del lines[first : node.end_lineno]
    cell["source"] = "\n".join(lines).strip("\n")
    return "\n".join(taken)
