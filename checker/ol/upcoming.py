"""The next thing to do: the first check that does not pass, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from ol import checking, codes, course, paths
from ol.source import Cell
from ol.verdict import UNCOUNTED, Verdict

_HEADING = re.compile(r"^#+ +(.*?)(?: +\*\((.*)\)\*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Upcoming:
    """What to do next, and what helps to find it."""

    verdict: Verdict
    notebook: Path  # the learner's copy
    place: str  # "cell 15", or nothing where the cell is not there
    heading: str  # what stands above it in the notebook
    minutes: int  # 0 for a named test
    to_read: tuple[course.Notebook, ...]  # before it, for whoever has just begun


def upcoming(module: course.Module) -> Upcoming | None:
    """Return the first thing in the course's order that does not pass; None when all
    does. What is known from earlier checks is not run again.
    """
    outcome = checking.check(module, stop=_is_short)
    short = next((v for v in outcome.verdicts if _is_short(v)), None)
    if short is None:
        return None
    check = short.check
    exercise = module.exercise(check.name)
    role = "solution" if exercise else "check"
    mine = codes.resolve(module, "work").chain.get(check.notebook, ((), ""))[0]
    found = [c.place for c in mine if (c.role, c.name) == (role, check.name)]
    theirs = codes.reference(module)[check.notebook][0]
    return Upcoming(
        verdict=short,
        notebook=paths.work(module.id) / f"{check.notebook}.ipynb",
        place=found[-1] if found else "",
        heading=_heading_above(theirs, role, check.name),
        minutes=exercise.minutes if exercise else 0,
        to_read=_to_read(module, short),
    )


def _is_short(verdict: Verdict) -> bool:
    return verdict.state not in ("pass", *UNCOUNTED)


def _heading_above(cells: Sequence[Cell], role: str, name: str) -> str:
    """Return the last heading before a cell, without the minutes in it."""
    heading = ""
    for cell in cells:
        if (cell.role, cell.name) == (role, name):
            break
        if cell.kind == "markdown" and cell.role is None:
            for match in _HEADING.finditer(cell.source):
                heading = match[1]
    return heading


def _to_read(module: course.Module, short: Verdict) -> tuple[course.Notebook, ...]:
    """Return the notebooks without checks that come before the very first check."""
    present = module.present()
    first = next((c for n in present for c in n.checks), None)
    if short.check != first or short.state != "not_written":
        return ()
    before = present[: [n.id for n in present].index(first.notebook)]
    return tuple(before)


def running_server(module: course.Module) -> dict[str, Any] | None:
    """Return what is known of a JupyterLab that `ol lab` started for this folder."""
    from jupyter_core.paths import jupyter_runtime_dir

    # A look at the folder first: importing the server takes most of a second.
    if not any(Path(jupyter_runtime_dir()).glob("jpserver-*.json")):
        return None
    from jupyter_server.serverapp import list_running_servers

    tops = {paths.root(), paths.work(module.id)}
    for server in list_running_servers():
        if Path(str(server.get("root_dir", ""))).resolve() in tops:
            return dict(server)
    return None


def address(server: dict[str, Any], notebook: Path, *, token: bool) -> str:
    """Return where a notebook is open in that JupyterLab."""
    relative = notebook.resolve().relative_to(Path(server["root_dir"]).resolve())
    url = f"{server['url']}lab/tree/{quote(relative.as_posix())}"
    if token and server.get("token"):
        url += "?" + urlencode({"token": server["token"]})
    return url
