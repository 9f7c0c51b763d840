"""The learner's part of a traceback: which cell, which line, which function."""

from __future__ import annotations

import traceback

LEARNER_FOLDERS: set[str] = set()  # of packages under test


def is_learner_file(filename: str) -> bool:
    """Cells compile as `work/L10.9/03_dfa.ipynb [cell 7]`; a kernel's as
    `<ipython-…>`.
    """
    if filename.endswith("]") or "ipykernel_" in filename or "<ipython-" in filename:
        return True
    return any(filename.startswith(folder) for folder in LEARNER_FOLDERS)


def learner_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the frames that lie in cells, outermost first."""
    summary = traceback.extract_tb(error.__traceback__, limit=-200)
    return [frame for frame in summary if is_learner_file(frame.filename)]


def where(error: BaseException) -> str:
    """Say in one or two lines where in the learner's code an error came up."""
    frames = learner_frames(error)
    if not frames:
        return ""
    last = frames[-1]
    line = f": {last.line.strip()}" if last.line else ""
    file = last.filename if last.filename.endswith("]") else "your notebook"
    return f"{file}, line {last.lineno}, in {last.name}{line}"
