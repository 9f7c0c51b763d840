"""The learner's part of a traceback: which cell, which line, which function."""

from __future__ import annotations

import contextlib
import json
import re
import traceback

Frame = tuple[str, str, str]  # file, line, function
_DUMPED = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
_BLOCK = re.compile(r"^(?=Current thread|Thread 0x|Stack \()", re.MULTILINE)
ASKED = "asked "  # what a child writes behind its frames, as JSON
_ESCAPED = re.compile(r"\\(x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
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


def where(error: BaseException, exercise: str = "") -> str:
    """Say in one or two lines where in the learner's code an error came up: first in
    the cell of an exercise, if one is named and that cell had been entered.
    """
    frames = learner_frames(error)
    if not frames:
        return ""
    own = {frame.filename for frame in frames if frame.name == exercise}
    last = [frame for frame in frames if frame.filename in own or not own][-1]
    if last is frames[-1]:
        return _place(last)
    return f"{_place(last)}\nand from there {_place(frames[-1])}"


def _place(frame: traceback.FrameSummary) -> str:
    line = f":\n    {frame.line.strip()}" if frame.line else ""
    live = "ipykernel_" in frame.filename or "<ipython-" in frame.filename
    file = "your notebook" if live else frame.filename
    return f"{file}, line {frame.lineno}, in {frame.name}{line}"


def dumped(dump: str) -> list[Frame]:
    """Return the frames of a faulthandler dump, innermost first.

    Of the thread that crashed, left or was called by the alarm: it wrote them itself.
    Else of the main thread, which comes last; another thread wrote that, and may have
    been cut off while it looked at frames that moved.
    """
    blocks = re.split(_BLOCK, dump)
    own = [block for block in blocks if block.startswith(("Current", "Stack"))]
    found = [frames for block in own if (frames := _DUMPED.findall(block))]
    frames = found[-1] if found else _DUMPED.findall(blocks[-1])
    return [(_unescaped(file), line, function) for file, line, function in frames]


def _unescaped(text: str) -> str:
    """Undo what faulthandler does to the letters of a path outside ASCII."""
    return _ESCAPED.sub(lambda match: chr(int(match[1][1:], 16)), text)


def dumped_frames(dump: str) -> list[Frame]:
    """Return the learner's frames of a dump."""
    return [frame for frame in dumped(dump) if is_learner_file(frame[0])]


def dumped_asked(dump: str) -> str:
    """Return what the child wrote down of what it was asked, if it came to that."""
    for line in dump.splitlines():
        with contextlib.suppress(ValueError):
            if line.startswith(ASKED):
                return str(json.loads(line.removeprefix(ASKED)))
    return ""
