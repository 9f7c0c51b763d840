"""Where code to judge comes from: the learner's work, the reference, or a path."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ol import course, paths
from ol.imports import imports_of
from ol.source import Cell, read_notebook, read_script, stub

Labelled = tuple[Sequence[Cell], str]


@dataclass
class Code:
    """The notebooks of one implementation, or the folder of a package."""

    name: str  # "work", "ref" or the path as it was given
    folder: Path  # where its code stands and may look for files
    chain: dict[str, Labelled] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)  # notebook id → why
    skipped: tuple[str, ...] = ()
    package: Path | None = None
    only: str | None = None  # the one notebook that `--code 03_dfa.ipynb` is about


def reference(module: course.Module) -> dict[str, Labelled]:
    """Return the cells of every script of the module."""
    chain: dict[str, Labelled] = {}
    for notebook in module.present():
        path = paths.solutions(module.id) / f"{notebook.id}.py"
        label = path.relative_to(paths.root()).as_posix()
        chain[notebook.id] = (_script(path, path.stat().st_mtime_ns), label)
    return chain


@functools.lru_cache(maxsize=64)
def _script(path: Path, changed: int) -> tuple[Cell, ...]:
    try:
        return tuple(read_script(path))
    except (OSError, ValueError) as error:
        raise paths.ToolError(f"{paths.shown(path)}: {error}") from error


def resolve(module: course.Module, name: str) -> Code:
    """Return the code that `--code name` means; UsageError where there is none."""
    if name == "ref":
        return Code("ref", paths.solutions(module.id), reference(module))
    if name == "work":
        return resolve_folder(module, paths.work(module.id))
    path = Path(name)
    if path.is_file() and path.suffix == ".ipynb":
        return _one_notebook(module, name, path)
    if path.is_dir():
        if any(path.glob("*.ipynb")):
            return _folder(module, name, path, skipped_notebooks(path))
        if any((path / f"{n}.py").exists() for n in course.NAMESPACES):
            return Code(name, path, package=path.resolve())
    raise paths.UsageError(
        f"--code {name}: neither `work` nor `ref`, nor a folder of this module's "
        "notebooks, nor one notebook, nor a package with constrain.py"
    )


def resolve_folder(module: course.Module, folder: Path) -> Code:
    """Return the notebooks of a folder; one without any is an empty chain."""
    return _folder(module, "work", folder, skipped_notebooks(folder))


def _folder(
    module: course.Module, name: str, folder: Path, skipped: Sequence[str]
) -> Code:
    code = Code(name, folder, skipped=tuple(skipped))
    for notebook in module.present():
        path = folder / f"{notebook.id}.ipynb"
        if not path.exists():
            continue
        try:
            code.chain[notebook.id] = (tuple(read_notebook(path)), paths.shown(path))
        except paths.UsageError as error:
            code.unreadable[notebook.id] = str(error)
    if not code.chain and not code.unreadable and name != "work":
        known = ", ".join(n.id for n in module.present())
        raise paths.UsageError(
            f"--code {name}: none of {module.id}'s notebooks ({known})"
        )
    return code


def _one_notebook(module: course.Module, name: str, path: Path) -> Code:
    """Judge one notebook, the reference standing in for those before it."""
    notebook = module.notebook(path.name)
    code = Code(name, path.parent, dict(reference(module)), only=notebook.id)
    code.chain[notebook.id] = (tuple(read_notebook(path)), paths.shown(path))
    return code


def state_file(folder: Path) -> Path:
    return folder / ".ol.json"


def skipped_notebooks(folder: Path) -> list[str]:
    """Return the notebooks that the learner skipped; a broken file counts as none."""
    try:
        state = json.loads(state_file(folder).read_text("utf-8"))
        return [name for name in state["skipped"] if isinstance(name, str)]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def chain_of(module: course.Module, notebook_id: str) -> list[str]:
    """Return the notebooks that one builds on, itself last, in the course's order."""
    cells = reference(module)
    aliases = {n.alias: n.id for n in module.notebooks}
    found: set[str] = set()
    waiting = [notebook_id]
    while waiting:
        current = waiting.pop()
        if current in found or current not in cells:
            continue
        found.add(current)
        names = imports_of(cells[current][0])
        waiting += [aliases[alias] for alias in names if alias in aliases]
    return [notebook.id for notebook in module.notebooks if notebook.id in found]


def is_untouched(module: course.Module, code: Code, check: course.Check) -> bool:
    """Whether an exercise is still the starter: its cell is, and no other cell of the
    notebook defines the function. Then nothing has to run to say so.
    """
    cells, _ = reference(module)[check.notebook]
    starters = [
        stub(c.source) for c in cells if (c.role, c.name) == ("solution", check.name)
    ]
    head = f"def {check.name}("
    mine = [c.source for c in code.chain[check.notebook][0] if head in c.source]
    return len(mine) == 1 and [text.strip() for text in mine] == [
        text.strip() for text in starters
    ]
