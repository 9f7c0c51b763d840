"""`ol dev build`: percent scripts → nbgrader source notebooks → released notebooks.

jupytext reads, nbgrader's own preprocessors strip. Ids and grade_ids come from the
cells' names, so that two builds are equal byte for byte, and equal to nbgrader's own
release.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ol import course, paths
from ol.source import STUB, Cell, cell_id, read_script

_KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_HINT_TITLES = {1: "Hint 1: a nudge", 2: "Hint 2: the idea", 3: "Hint 3: pseudo-code"}


def source_folder(module: str) -> Path:
    """Return nbgrader's source folder of a module: built, ignored by git."""
    return paths.root() / "instructor" / "source" / module


def build(module: course.Module) -> dict[Path, str]:
    """Return the text of every file that the module's scripts become, nothing
    written.
    """
    files: dict[Path, str] = {}
    for notebook in module.present():
        script = paths.solutions(module.id) / f"{notebook.id}.py"
        source = source_notebook(script, notebook)
        files[source_folder(module.id) / f"{notebook.id}.ipynb"] = _text(source)
        released = release(source, notebook.id)
        files[paths.notebooks(module.id) / f"{notebook.id}.ipynb"] = _text(released)
    return files


def write(files: dict[Path, str]) -> list[Path]:
    """Write what changed; return those files."""
    changed = [path for path, text in files.items() if _read(path) != text]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[path], "utf-8", newline="\n")
    return changed


def stale(files: dict[Path, str], module: str) -> list[str]:
    """Return what differs between a build and `notebooks/`, one sentence each."""
    folder = paths.notebooks(module)
    built = {path: text for path, text in files.items() if path.parent == folder}
    problems = [
        f"{paths.shown(path)} is not what its script builds"
        for path, text in built.items()
        if _read(path) != text
    ]
    return problems + [
        f"{paths.shown(path)} has no script"
        for path in sorted(folder.glob("*"))
        if path not in built and not path.name.startswith(".")
    ]


def _read(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except OSError:
        return None


def _text(notebook: Any) -> str:
    import nbformat

    text = nbformat.writes(notebook, version=4)
    assert isinstance(text, str)
    return text.rstrip("\n") + "\n"


def source_notebook(script: Path, notebook: course.Notebook) -> Any:
    """Return the nbgrader source notebook of a script, solutions included."""
    import nbformat

    cells = read_script(script)
    _check_names(script, cells, notebook)
    points = {check.name: check.points for check in notebook.checks}
    kept = [cell for cell in cells if cell.role != "answer"]
    new = nbformat.v4.new_notebook(metadata=_KERNEL)
    new.nbformat_minor = 5
    for cell, id in zip(kept, _ids(kept), strict=True):
        new.cells.append(_cell(cell, id, points))
    return new


def _ids(cells: list[Cell]) -> Iterator[str]:
    """Yield cell ids: from the name, or from the place after the last named cell."""
    last, place = "top", 0
    for cell in cells:
        if cell.name:
            last, place = cell_id(cell), 0
            yield last
        else:
            place += 1
            yield f"{last}-then-{place}"


def _cell(cell: Cell, id: str, points: dict[str, int]) -> Any:
    import nbformat

    if cell.kind == "markdown":
        text = _hint(cell) if cell.role == "hint" else cell.source
        return nbformat.v4.new_markdown_cell(text, id=id)
    new = nbformat.v4.new_code_cell(cell.source, id=id)
    if cell.role in ("given", "solution", "check"):
        new.metadata["nbgrader"] = {
            "grade": cell.role == "check",
            "grade_id": id,
            "locked": cell.role != "solution",
            "schema_version": 3,
            "solution": cell.role == "solution",
            "task": False,
        }
    if cell.role == "check":
        new.metadata["nbgrader"]["points"] = points[str(cell.name)]
    return new


def _hint(cell: Cell) -> str:
    title = _HINT_TITLES[cell.level or 1]
    return f"<details><summary>{title}</summary>\n\n{cell.source}\n\n</details>"


def _check_names(script: Path, cells: list[Cell], notebook: course.Notebook) -> None:
    """Hold the script to course.toml: every exercise has its cells, in order."""
    problems: list[str] = []
    ids = [id for cell, id in zip(cells, _ids(cells), strict=True) if cell.name]
    problems += [f"two cells are called {id}" for id in {*ids} if ids.count(id) > 1]
    exercises = [exercise.name for exercise in notebook.exercises]
    solutions = [cell.name for cell in cells if cell.role == "solution"]
    if solutions != exercises:
        problems.append(f"exercises {solutions}, but course.toml has {exercises}")
    checks = [cell.name for cell in cells if cell.role == "check"]
    named = [check.name for check in notebook.checks]
    if sorted(map(str, checks)) != sorted(named):
        problems.append(f"check cells {checks}, but course.toml has {named}")
    for name in exercises:
        levels = [c.level for c in cells if c.role == "hint" and c.name == name]
        if levels != [1, 2, 3]:
            problems.append(f"{name}: hints of levels {levels} instead of [1, 2, 3]")
    if problems:
        raise paths.ToolError(f"{paths.shown(script)}: " + "; ".join(problems))


def release(source: Any, name: str) -> Any:
    """Return what learners get: nbgrader's generate_assignment, in this process."""
    import copy

    released = copy.deepcopy(source)
    resources: dict[str, Any] = {"unique_key": name, "metadata": {"name": name}}
    with _quiet():
        for preprocessor in _preprocessors():
            released, resources = preprocessor.preprocess(released, resources)
    return released


def _preprocessors() -> list[Any]:
    from nbgrader import preprocessors as nbgrader
    from traitlets.config import Config

    config = Config()
    config.ClearSolutions.code_stub = {"python": STUB}
    # GenerateAssignment's own list, without what needs a database or other files.
    names = (
        "LockCells", "ClearSolutions", "ClearOutput", "CheckCellMetadata",
        "ComputeChecksums", "ClearHiddenTests", "ClearMarkScheme", "ComputeChecksums",
        "CheckCellMetadata",
    )  # fmt: skip
    return [getattr(nbgrader, name)(config=config) for name in names]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stderr(io.StringIO()):
        yield
