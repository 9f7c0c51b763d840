"""The learner's part of a traceback: which cell, which line, which function."""

from __future__ import annotations

import re
import traceback

Frame = tuple[str, str, str]  # file, line, function
_DUMPED = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
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
    live = "ipykernel_" in last.filename or "<ipython-" in last.filename
    file = "your notebook" if live else last.filename
    return f"{file}, line {last.lineno}, in {last.name}{line}"


def dumped_frames(dump: str) -> list[Frame]:
    """Return the learner's frames of a faulthandler dump, innermost first.

    Of the thread that crashed or left, else of the main thread, which comes last.
    """
    blocks = re.split(r"^(?=Current thread|Thread 0x)", dump, flags=re.MULTILINE)
    current = [block for block in blocks if block.startswith("Current")]
    frames: list[Frame] = _DUMPED.findall((current or blocks)[-1])
    return [frame for frame in frames if is_learner_file(frame[0])]


def dumped_where(frames: list[Frame]) -> str:
    """Say where the innermost frame is, as `where` does for an exception."""
    return "{}, line {}, in {}".format(*frames[0]) if frames else ""
