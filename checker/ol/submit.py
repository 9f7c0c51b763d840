"""The folder to hand in: a copy of the learner's notebooks, mended; work/ stays as is.

The folder carries a marker with the digests of what was written, and is replaced only
while everything in it is still as `submit` wrote it.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ol import codes, course, paths, workspace
from ol.paths import UsageError, shown
from ol.repair import Change, repair
from ol.source import read_notebook

MARKER = ".ol-submission.json"  # nbgrader's configuration leaves dot files behind
_LEFT_BY_OTHERS = (".ipynb_checkpoints", ".DS_Store", "__pycache__")


@dataclass
class Submission:
    """What `submit` wrote, what it mended, and what it could not mend."""

    folder: Path
    changes: dict[str, list[Change]] = field(default_factory=dict)  # by file name
    problems: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # notebooks not of the module


def default_folder(module: course.Module) -> Path:
    return paths.root() / "submission" / module.id


def submit(module: course.Module, folder: Path) -> Submission:
    """Write the folder to hand in; UsageError where that is impossible."""
    if not workspace.is_started(module):
        where = shown(paths.work(module.id))
        raise UsageError(f"{where} holds no notebooks: {paths.command()} start")
    if folder.resolve().is_relative_to(paths.work(module.id).resolve()):
        raise UsageError(f"{shown(folder)} is where you work: choose another place")
    _require_ours(folder)
    submission = Submission(folder)
    files = _collect(module, submission)
    try:
        _replace(folder, files, module)
    except OSError as error:
        raise UsageError(
            f"cannot write {shown(folder)}: {error.strerror}. Choose another place: "
            f"{paths.command()} submit -o FOLDER, such as -o ~/{folder.name}"
        ) from error
    return submission


def _collect(module: course.Module, submission: Submission) -> dict[str, bytes]:
    """Return the files of the folder; say in `submission` what became of them."""
    work = paths.work(module.id)
    files: dict[str, bytes] = {}
    for released in workspace.released(module):
        mine = work / released.name
        changes: list[Change] = []
        if not mine.exists():
            text = "was not there: the starter stands in for it (0 points)"
            submission.changes[released.name] = [Change("", text)]
            files[released.name] = released.read_bytes()
            continue
        try:
            files[released.name], changes = mended(mine, released)
        except UsageError as error:
            submission.problems.append(f"{error} It goes along under another name.")
            files[f"{released.name}.unreadable"] = mine.read_bytes()
        for change in changes:
            if change.kind == "open":
                where = f"{released.name}, {change.place}, "
                submission.problems.append(f"{where}{change.text}")
            else:
                submission.changes.setdefault(released.name, []).append(change)
    if skipped := codes.skipped_notebooks(work):
        text = json.dumps({"skipped": skipped}) + "\n"
        files[codes.state_file(work).name] = text.encode()
    known = {notebook.id for notebook in module.present()}
    others = (path.name for path in work.glob("*.ipynb") if path.stem not in known)
    submission.left_out = sorted(others)
    return files


def mended(mine: Path, released: Path) -> tuple[bytes, list[Change]]:
    """Return a notebook as it is to be handed in: byte for byte where nothing is
    amiss. UsageError if it is no notebook.
    """
    read_notebook(mine)
    data = mine.read_bytes()
    notebook = json.loads(data)
    before = copy.deepcopy(notebook)
    changes = repair(notebook, json.loads(released.read_bytes()))
    if notebook == before:
        return data, changes
    return _encoded(notebook), changes


def _encoded(notebook: Any) -> bytes:
    """Return the notebook as nbformat writes it; half a character stays escaped."""
    text = json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False)
    try:
        return (text + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(notebook, indent=1, sort_keys=True) + "\n").encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _require_ours(folder: Path) -> None:
    """Refuse a folder with anything in it that `submit` did not write."""
    if not folder.exists() and not folder.is_symlink():
        return
    hint = "Nothing was written. Move it away, or choose another place with -o FOLDER."
    if not folder.is_dir() or folder.is_symlink():
        raise UsageError(f"{shown(folder)} is there already, and no folder. {hint}")
    files = _marked(folder)
    for path in sorted(folder.iterdir()):
        if path.name in (MARKER, *_LEFT_BY_OTHERS):
            continue
        if path.is_file() and files.get(path.name) == _digest(path.read_bytes()):
            continue
        what = "was changed since" if path.name in files else "is not from `submit`"
        raise UsageError(f"{shown(path)} {what}. {hint}")


def _marked(folder: Path) -> dict[str, str]:
    """Return name and digest of each file that `submit` wrote there."""
    try:
        marker: Any = json.loads((folder / MARKER).read_text("utf-8"))
        return dict(marker["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _replace(folder: Path, files: dict[str, bytes], module: course.Module) -> None:
    """Write all files to a new folder beside the old one, then take its place."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, data in files.items():
            (new / name).write_bytes(data)
        digests = {name: _digest(data) for name, data in sorted(files.items())}
        marker = {"made_by": "ol submit", "module": module.id, "files": digests}
        (new / MARKER).write_text(json.dumps(marker, indent=1) + "\n", "utf-8")
        new.chmod(0o755)
        if folder.exists():
            old = new.with_name(new.name + ".old")
            os.replace(folder, old)
            shutil.rmtree(old)
        os.replace(new, folder)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
