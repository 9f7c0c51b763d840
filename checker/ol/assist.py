"""Nobody is stuck: reference steps stand in for what comes before an exercise.

They are swapped in as source, behind the learner's own cells, and the whole is executed
afresh: given classes exist once, and helpers that the learner wrote beside an earlier
exercise stay.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Sequence

from ol.extract import strip_magics
from ol.source import Cell


def defined_names(cell: Cell) -> set[str]:
    """Return the names that a code cell's top level binds by def, class or
    assignment.
    """
    if cell.kind != "code":
        return set()
    try:
        tree = ast.parse(strip_magics(cell.source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = getattr(statement, "targets", None) or [statement.target]  # type: ignore[union-attr]
            names |= {t.id for t in targets if isinstance(t, ast.Name)}
    return names


def assisted(
    mine: Sequence[Cell], reference: Sequence[Cell], exercises: Iterable[str]
) -> list[Cell]:
    """Return my cells with the reference's `exercises` and missing given cells put
    in.
    """
    cells = _with_given(list(mine), reference)
    for name in exercises:
        step = next(c for c in reference if c.role == "solution" and c.name == name)
        step = dataclasses.replace(
            step, origin=f"the course's own `{name}`", number=None
        )
        cells.insert(_place_for(name, cells), step)
    return cells


def _place_for(name: str, cells: Sequence[Cell]) -> int:
    """Return the index behind the last cell that defines the name (the end, if
    none).
    """
    for index in range(len(cells) - 1, -1, -1):
        cell = cells[index]
        if (cell.role, cell.name) == ("solution", name) or name in defined_names(cell):
            return index + 1
    return len(cells)


def _with_given(mine: list[Cell], reference: Sequence[Cell]) -> list[Cell]:
    """Insert given cells whose names the learner's notebook does not define any
    more.
    """
    present = {name for cell in mine for name in defined_names(cell)}
    missing = [
        dataclasses.replace(cell, origin=f"the course's own `{cell.name}`", number=None)
        for cell in reference
        if cell.role == "given" and defined_names(cell) - present
    ]
    after_imports = 1 + next(
        (i for i, c in enumerate(mine) if c.kind == "code" and "import" in c.source), -1
    )
    return [*mine[:after_imports], *missing, *mine[after_imports:]]
