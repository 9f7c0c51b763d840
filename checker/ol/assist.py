"""Nobody is stuck: reference steps stand in for what comes before an exercise.

They are swapped in as source, behind the learner's own cells, and the whole is executed
afresh: given classes exist once, and helpers that the learner wrote beside an earlier
exercise stay.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Sequence

from ol.effects import effects_of
from ol.extract import parsed
from ol.source import Cell, cell_id


@functools.lru_cache(maxsize=4096)  # asked of every cell, once per step that stands in
def defined_names(cell: Cell) -> frozenset[str]:
    """Return the names that a code cell's top level binds, imports included."""
    if cell.kind != "code":
        return frozenset()
    return frozenset(name for s in parsed(cell).body for name in effects_of(s).binds)


def assisted(
    mine: Sequence[Cell], reference: Sequence[Cell], exercises: Iterable[str]
) -> list[Cell]:
    """Return my cells with the reference's `exercises`, and missing given cells."""
    cells = _with_given(list(mine), reference)
    for name in exercises:
        step = next(c for c in reference if c.role == "solution" and c.name == name)
        step = dataclasses.replace(
            step, origin=f"the course's own `{name}`", number=None
        )
        cells.insert(_place_for(name, cells), step)
    return cells


def _place_for(name: str, cells: Sequence[Cell]) -> int:
    """Return the index behind the last cell that defines the name, or the end."""
    for index in range(len(cells) - 1, -1, -1):
        cell = cells[index]
        if (cell.role, cell.name) == ("solution", name) or name in defined_names(cell):
            return index + 1
    return len(cells)


def _with_given(mine: list[Cell], reference: Sequence[Cell]) -> list[Cell]:
    """Insert given cells whose names the learner's notebook no longer defines."""
    present = {name for cell in mine for name in defined_names(cell)}
    cells = list(mine)
    for index, cell in enumerate(reference):
        if cell.role == "given" and defined_names(cell) - present:
            origin = f"the course's own `{cell.name}`"
            given = dataclasses.replace(
                cell, origin=origin, number=None, id=cell_id(cell)
            )
            cells.insert(_place_behind(reference[:index], cells), given)
    return cells


def _place_behind(before: Sequence[Cell], cells: Sequence[Cell]) -> int:
    """Return the index behind the nearest of the cells `before` that is still there."""
    ids = [cell.id for cell in cells]
    for cell in reversed(before):
        if cell.name and cell_id(cell) in ids:
            return ids.index(cell_id(cell)) + 1
    return 0
