"""Where a child was when it ended, and what it was asked, as far as its dump tells."""

from __future__ import annotations

from ol import asked as asking
from ol import codes, trace
from ol.codes import Code
from ol.course import Check, Module
from ol.source import Cell, cell_id
from ol.trace import Frame


def asked(dump: str) -> str:
    """Return the input that the child did not come back from."""
    # Inside numpy or re the child cannot say it; what stands in the test remains.
    return trace.dumped_asked(dump) or asking.asked(
        (file, int(line), function, {}) for file, line, function in trace.dumped(dump)
    )


def where(dump: str, check: Check, code: Code, module: Module) -> str:
    """Name the innermost line of the exercise's own cell, and the learner's line that
    it had got to, where that is another one.

    An alarm rings anywhere: in given code, too, which does nothing but what it is told.
    """
    frames = trace.dumped_frames(dump)
    if not frames:
        return ""
    cells = _cells(code)
    given = _given(module)
    ranks = [_rank(cells.get(frame[0]), frame, check, given) for frame in frames]
    best = ranks.index(min(ranks))
    text = _line(frames[best], cells)
    inner = next((f for f, r in zip(frames, ranks, strict=True) if r <= 1), None)
    if inner and inner[0] != frames[best][0]:
        text += f"\nand from there {_line(inner, cells)}"
    return text


def _cells(code: Code) -> dict[str, Cell]:
    """Return the code cells by the names that they have in tracebacks."""
    return {
        f"{label} [{cell.place}]": cell
        for cells, label in code.chain.values()
        for cell in cells
        if cell.kind == "code"
    }


def _given(module: Module) -> frozenset[str]:
    """Return the ids of all given cells; a notebook does not tell which they are."""
    chain = codes.reference(module).values()
    return frozenset(
        cell_id(cell) for cells, _ in chain for cell in cells if cell.role == "given"
    )


def _rank(cell: Cell | None, frame: Frame, check: Check, given: frozenset[str]) -> int:
    """Return 0 for the exercise's own cell, 1 for the learner's own, 2 for others."""
    if cell is None:  # a package's file is its author's; steps that stand in are ours
        return 2 if frame[0].endswith("]") else 1
    if cell.role == "solution" and cell.name == check.name:
        return 0
    return 2 if cell.role == "given" or cell.id in given else 1


def _line(frame: Frame, cells: dict[str, Cell]) -> str:
    """Say where a frame is, as `trace.where` does for an exception."""
    file, number, function = frame
    lines = cells[file].source.split("\n") if file in cells else []
    source = lines[int(number) - 1].strip() if int(number) <= len(lines) else ""
    end = f": {source}" if source else ""
    return f"{file}, line {number}, in {function}{end}"
