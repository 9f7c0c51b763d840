"""The words that stand beside an exercise in its script: hints and answers."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ol import codes, course, paths


def hints(module: course.Module, exercise: course.Exercise) -> list[str]:
    """Return the hints of an exercise, the gentlest first."""
    cells = codes.reference(module)[exercise.notebook][0]
    found = [c for c in cells if c.role == "hint" and c.name == exercise.name]
    return [cell.source for cell in sorted(found, key=lambda cell: cell.level or 0)]


def solution(module: course.Module, exercise: course.Exercise) -> str:
    """Return the source of the solution cell, markers included."""
    cells = codes.reference(module)[exercise.notebook][0]
    return next(
        c.source for c in cells if c.role == "solution" and c.name == exercise.name
    )


@dataclass(frozen=True)
class Answer:
    """What a predict question expects, and why."""

    value: Any
    reason: str


def answer(module: course.Module, name: str) -> Answer:
    """Return the answer to a predict question; UsageError for a name that is none."""
    known: list[str] = []
    for cells, label in codes.reference(module).values():
        for cell in cells:
            if cell.role != "answer":
                continue
            known.append(str(cell.name))
            if cell.name == name:
                first, _, reason = cell.source.partition("\n")
                try:
                    value = _literal(first.strip().strip("`"))
                except (ValueError, SyntaxError) as error:
                    raise paths.ToolError(f"{label}: answer {name}: {error}") from error
                return Answer(value, reason.strip())
    raise paths.UsageError(
        f"no question is called {name!r}; there are: {', '.join(known)}"
    )


def _literal(text: str) -> Any:
    return set() if text == "set()" else ast.literal_eval(text)
