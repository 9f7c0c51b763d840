"""Where things stand in a clone, and the errors that are the tool's or the user's.

Exit codes of every command: 0 all right, 1 the learner's code is not there yet, 2 the
command was used wrongly, 3 the tool itself failed.
"""

from __future__ import annotations

import os
from pathlib import Path


class Told(Exception):
    """An error whose message is all there is to see, in a notebook too."""

    prefix = ""

    def _render_traceback_(self) -> list[str]:
        return [f"{self.prefix}{self}"]


class UsageError(Told):
    """The command cannot be done as asked; the message says what to do instead."""

    def _render_traceback_(self) -> list[str]:
        """In a notebook: show the message and nothing else."""
        return [str(self)]


class ToolError(Told):
    """The tool's own fault, or the course's files': never the learner's."""

    prefix = "ol itself failed, not your code: "


def root() -> Path:
    """Return the clone's top folder; `OL_ROOT` stands in for it in tests."""
    override = os.environ.get("OL_ROOT")
    if override:
        return Path(override).resolve()
    return Path(__file__).resolve().parents[2]


def course_file() -> Path:
    return root() / "course.toml"


def solutions(module: str) -> Path:
    return root() / "solutions" / module


def notebooks(module: str) -> Path:
    return root() / "notebooks" / module


def graded(module: str) -> Path:
    return root() / "checker" / "graded" / module


def fixtures() -> Path:
    return root() / "fixtures"


def work(module: str) -> Path:
    """Return the learner's folder; `OL_WORK` puts it elsewhere."""
    override = os.environ.get("OL_WORK")
    return (Path(override).resolve() if override else root() / "work") / module


def cache() -> Path:
    return root() / ".ol-cache"


def shown(path: Path) -> str:
    """Return the path as a person would type it: relative to here where that is
    shorter.
    """
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive on Windows
        return str(path)
    return relative if len(relative) < len(str(path)) else str(path)


def command() -> str:
    """Return how the tool is called from here: `./ol` beside the script, else `ol`."""
    return "./ol" if (Path.cwd() / "ol").is_file() else "ol"
