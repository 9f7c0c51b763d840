"""Cells, read from a percent script (ours) or from a notebook (anybody's).

Both are read with the standard library: the format is small, and importing nbformat or
jupytext costs seconds that `ol check` does not have. `ol.build`, which writes
notebooks, uses jupytext; a test holds the two readings of every script equal.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ol.paths import UsageError, shown

ROLES = ("given", "solution", "check", "hint", "predict", "answer")
_HEADER = re.compile(
    r'^# %%(?P<markdown> \[markdown\])?(?P<options>(?: \w+=(?:"[^"]*"|\d+))*)\s*$'
)
_OPTION = re.compile(r'(\w+)=(?:"([^"]*)"|(\d+))')
_ROLE_SUFFIX = re.compile(r"^(?P<name>.+)-(?P<role>solution|check|predict)$")
_BEGIN, _END = "### BEGIN SOLUTION", "### END SOLUTION"


@dataclass(frozen=True)
class Cell:
    """One cell. `number` counts code cells from 1, as `[7]` does after Run All."""

    kind: str  # "code" or "markdown"
    source: str
    name: str | None = None
    role: str | None = None
    level: int | None = None  # of a hint
    number: int | None = None
    id: str | None = None
    origin: str | None = None  # where it comes from, when not from this notebook

    @property
    def place(self) -> str:
        return self.origin or f"cell {self.number}"


def read_script(path: Path) -> list[Cell]:
    """Read one of `solutions/`'s percent scripts; ValueError names a bad header's
    line.
    """
    cells: list[Cell] = []
    header: re.Match[str] | None = None
    lines: list[str] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.startswith("# %%"):
            lines.append(line)
            continue
        _append(cells, header, lines)
        header, lines = _HEADER.match(line), []
        if header is None:
            raise ValueError(f"{shown(path)}:{number}: not a cell header: {line}")
    _append(cells, header, lines)
    return cells


def _append(cells: list[Cell], header: re.Match[str] | None, lines: list[str]) -> None:
    if header is None:  # what stands above the first header is a note to authors
        return
    source = "\n".join(lines).strip("\n")
    if header["markdown"]:
        source = re.sub(r"^# ?", "", source, flags=re.MULTILINE)
    options = {
        key: text or value for key, text, value in _OPTION.findall(header["options"])
    }
    code = header["markdown"] is None
    cells.append(
        Cell(
            kind="code" if code else "markdown",
            source=source,
            name=options.get("name"),
            role=options.get("role"),
            level=int(options["level"]) if "level" in options else None,
            number=1 + sum(cell.kind == "code" for cell in cells) if code else None,
        )
    )


def read_notebook(path: Path) -> list[Cell]:
    """Read a notebook as it is on disk; UsageError says what is wrong with the file.

    Name and role come from nbgrader's grade_id or, where the metadata was stripped,
    from the cell's id: the build writes the same text into both.
    """
    try:
        text = path.read_text("utf-8")
        raw = json.loads(text)
        cells = raw["cells"]
        if not isinstance(cells, list):
            raise TypeError("its cells are not a list")
    except FileNotFoundError:
        raise UsageError(f"{shown(path)} is not there") from None
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise UsageError(_unreadable(path, error)) from error
    result: list[Cell] = []
    code_cells = 0
    for raw_cell in cells:
        if not isinstance(raw_cell, dict):
            raise UsageError(_unreadable(path, TypeError("a cell is not an object")))
        code_cells += raw_cell.get("cell_type") == "code"
        result.append(_notebook_cell(raw_cell, code_cells))
    return result


def _unreadable(path: Path, error: Exception) -> str:
    hint = (
        "Is it open in JupyterLab? Save it there once more. Older copies may lie in "
        ".ipynb_checkpoints, .backup or submission/. Or move it aside: `ol start` "
        "brings the starter again."
    )
    if path.is_dir():
        return (
            f"{shown(path)} cannot be read as a notebook: it is a folder. Move it away."
        )
    if isinstance(error, OSError):
        error = OSError(error.strerror)
    try:
        if "<<<<<<<" in path.read_text("utf-8", errors="replace"):
            hint = (
                "It holds the marks of a git merge conflict (<<<<<<<): take one side."
            )
    except OSError:
        hint = "Look at the file's permissions."
    return f"{shown(path)} cannot be read as a notebook ({error}). {hint}"


def _notebook_cell(raw: dict[str, Any], code_cells: int) -> Cell:
    source = raw.get("source", "")
    if isinstance(source, list):
        source = "".join(str(line) for line in source)
    metadata = raw.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    identity = grade_id if isinstance(grade_id, str) else raw.get("id")
    match = _ROLE_SUFFIX.match(identity) if isinstance(identity, str) else None
    code = raw.get("cell_type") == "code"
    return Cell(
        kind="code" if code else str(raw.get("cell_type", "raw")),
        source=str(source),
        name=match["name"] if match else None,
        role=match["role"] if match else None,
        number=code_cells if code else None,
        id=raw.get("id") if isinstance(raw.get("id"), str) else None,
    )


def cell_id(cell: Cell) -> str:
    """Return the id, and grade_id, of a named cell of a script."""
    if cell.role == "hint":
        return f"{cell.name}-hint-{cell.level}"
    if cell.role in (None, "given"):
        return f"{cell.name}"
    return f"{cell.name}-{cell.role}"


def stub(source: str) -> str:
    """Return what the release shows of a solution cell: as nbgrader's
    ClearSolutions.
    """
    kept: list[str] = []
    inside = False
    for line in source.split("\n"):
        if _BEGIN in line:
            inside = True
            indent = re.match(r"\s*", line)
            kept.append(f"{indent[0] if indent else ''}{STUB}")
        elif _END in line:
            inside = False
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


STUB = 'raise NotImplementedError("not written yet")'


def solution_lines(source: str) -> list[str]:
    """Return the lines between the markers, the markers left out."""
    body = source.partition(_BEGIN)[2].partition(_END)[0]
    return [line for line in body.split("\n") if line.strip()]
