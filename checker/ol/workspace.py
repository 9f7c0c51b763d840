"""The learner's folder: `work/<module>/`. What is there is never overwritten.

Beside the notebooks stand `.starter/`, the notebooks as they were handed out (for
`diff` and `reset`), and `.ol.json`, which notebooks the reference stands in for.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ol import codes, course, paths
from ol.paths import UsageError, shown
from ol.source import read_notebook


@dataclass
class Started:
    """What `start` did, file by file."""

    folder: Path
    created: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)  # untouched, a newer one came
    outdated: list[str] = field(default_factory=list)  # worked on, a newer one is there


def start(module: course.Module) -> Started:
    """Copy the notebooks that are not there yet; UsageError where it cannot write."""
    folder = paths.work(module.id)
    started = Started(folder)
    with _writing(folder):
        (folder / ".starter").mkdir(parents=True, exist_ok=True)
        for source in released(module):
            _start_one(source, folder, started)
    return started


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Say as a UsageError what cannot be read or written."""
    try:
        yield
    except OSError as error:
        advice = "Mend the permissions"
        if isinstance(error, NotADirectoryError | FileExistsError):
            advice = "A file stands where a folder should be: move it away"
        raise UsageError(
            f"cannot write in {shown(folder)}: {error.strerror}. Nothing that was "
            f"there is lost. {advice}, or set OL_WORK=FOLDER to work somewhere else."
        ) from error


def released(module: course.Module) -> list[Path]:
    """Return the notebooks that the clone hands out, in order."""
    folder = paths.notebooks(module.id)
    files = [folder / f"{notebook.id}.ipynb" for notebook in module.present()]
    missing = [shown(path) for path in files if not path.exists()]
    if missing or not files:
        raise paths.ToolError(
            f"{', '.join(missing) or shown(folder)} is missing: "
            "`./ol dev build` makes it"
        )
    return files


def _start_one(source: Path, folder: Path, started: Started) -> None:
    mine, starter = folder / source.name, folder / ".starter" / source.name
    new = source.read_bytes()
    if mine.is_dir():
        raise UsageError(f"{shown(mine)} is a folder, not a notebook: move it away")
    if not mine.exists():
        write_atomically(mine, new)
        write_atomically(starter, new)
        started.created.append(source.name)
        return
    given = starter.read_bytes() if starter.exists() else None
    if given == new:
        started.kept.append(source.name)
    elif mine.read_bytes() == new:  # only the starter is missing or older
        write_atomically(starter, new)
        started.kept.append(source.name)
    elif mine.read_bytes() == given:  # byte for byte as handed out
        write_atomically(mine, new)
        write_atomically(starter, new)
        started.renewed.append(source.name)
    else:
        if given is None:
            write_atomically(starter, new)
        started.outdated.append(source.name)


def write_atomically(path: Path, data: bytes) -> None:
    """Write all or nothing: a kill in the middle leaves the old file."""
    handle, name = tempfile.mkstemp(
        dir=path.parent, prefix=f".{path.name}.", suffix=".part"
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def set_skipped(module: course.Module, notebook: str, skip: bool) -> list[str]:
    """Let the reference stand in for a notebook, or not; return all skipped ones."""
    folder = paths.work(module.id)
    if not folder.is_dir():
        raise UsageError(f"{shown(folder)} is not there yet: ./ol start makes it")
    skipped = [name for name in codes.skipped_notebooks(folder) if name != notebook]
    if skip:
        skipped = sorted([*skipped, notebook])
    text = json.dumps({"skipped": skipped}) + "\n"
    with _writing(folder):
        write_atomically(codes.state_file(folder), text.encode())
    return skipped


def notebook_file(module: course.Module, notebook_id: str) -> Path:
    """Return the learner's copy; UsageError if it is not there."""
    path = paths.work(module.id) / f"{notebook_id}.ipynb"
    if not path.exists():
        raise UsageError(f"{shown(path)} is not there: ./ol start brings it")
    return path


def reset(module: course.Module, exercise: course.Exercise) -> tuple[Path, Path]:
    """Put an exercise's starter back, after a backup; return (notebook, backup)."""
    path = notebook_file(module, exercise.notebook)
    starter = paths.notebooks(module.id) / path.name
    read_notebook(path)  # a UsageError, if it is none
    data = path.read_bytes()
    mine = json.loads(data)
    given = json.loads(starter.read_text("utf-8"))["cells"]
    _put_back(mine["cells"], given, f"{exercise.name}-solution")
    if mine == json.loads(data):
        raise UsageError(f"`{exercise.name}` is as it was handed out; nothing to reset")
    new = json.dumps(mine, indent=1, ensure_ascii=False) + "\n"
    with _writing(path.parent):
        backup = _backup(path, data)
        write_atomically(path, new.encode("utf-8", "backslashreplace"))
    return path, backup


def _put_back(cells: list[Any], given: list[Any], id: str) -> None:
    """Replace the cell by its starter, or insert it behind the cell it follows."""
    wanted = next(cell for cell in given if cell["id"] == id)
    places = [index for index, cell in enumerate(cells) if _identity(cell) == id]
    for index in reversed(places[1:]):
        del cells[index]  # copies of the exercise; the backup has them
    if places:
        cells[places[0]] = wanted
        return
    before = [cell["id"] for cell in given[: given.index(wanted)]]
    for name in reversed(before):
        for index, cell in enumerate(cells):
            if cell.get("id") == name:
                cells.insert(index + 1, wanted)
                return
    cells.append(wanted)


def _identity(cell: dict[str, Any]) -> str | None:
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    if isinstance(nbgrader, dict) and isinstance(nbgrader.get("grade_id"), str):
        return str(nbgrader["grade_id"])
    id = cell.get("id")
    return id if isinstance(id, str) else None


def _backup(path: Path, data: bytes) -> Path:
    """Write the notebook's bytes beside it under a name that is free."""
    folder = path.parent / ".backup"
    folder.mkdir(exist_ok=True)
    stamp = time.strftime("%Y-%m-%d_%H%M%S")
    for suffix in ("", *(f"_{n}" for n in range(2, 1000))):
        backup = folder / f"{path.stem}_{stamp}{suffix}.ipynb"
        if not backup.exists():
            write_atomically(backup, data)
            return backup
    raise UsageError(f"{shown(folder)} is full of backups of this second")


def is_untouched(module: course.Module, notebook_id: str) -> bool:
    """Say whether the learner's notebook is, byte for byte, as it was handed out."""
    folder = paths.work(module.id)
    name = f"{notebook_id}.ipynb"
    with contextlib.suppress(OSError):
        return (folder / name).read_bytes() == (folder / ".starter" / name).read_bytes()
    return False


def is_started(module: course.Module) -> bool:
    folder = paths.work(module.id)
    return folder.is_dir() and any(folder.glob("*.ipynb"))
