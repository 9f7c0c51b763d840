"""Bugs written by hand, as a learner would write them: what the diagnosis is tried on.

A bug is a change of text in solution cells of the course, or in files of the second
implementation. `catalogue` names the mutant that it is, or the two, or none: a bug that
no mutant stands for is to be met with silence.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from bugs.automata import BUGS as AUTOMATA
from bugs.bug import Bug, Change
from bugs.json_and_masks import BUGS as JSON_AND_MASKS
from bugs.second import BUGS as SECOND
from bugs.tools import BUGS as TOOLS
from ol import codes, course, paths

__all__ = ["BUGS", "Bug", "Change", "code_of"]

BUGS = (*AUTOMATA, *JSON_AND_MASKS, *TOOLS, *SECOND)


def code_of(bug: Bug) -> codes.Code:
    """Return the whole course with the bug in it, or the second implementation."""
    if bug.in_second:
        return codes.Code(bug.id, broken_package(bug), package=broken_package(bug))
    module = course.load().module()
    return codes.Code(bug.id, paths.solutions(module.id), broken_chain(bug))


def broken_chain(bug: Bug) -> dict[str, codes.Labelled]:
    """Return the reference's cells with the bug's changes made."""
    chain = dict(codes.reference(course.load().module()))
    for change in bug.changes:
        cells, label = chain[change.place]
        found = [c for c in cells if c.kind == "code" and change.old in c.source]
        if len(found) != 1 or found[0].source.count(change.old) != 1:
            raise ValueError(f"{bug.id}: {change.old!r} stands in {len(found)} cells")
        changed = replace(
            found[0], source=found[0].source.replace(change.old, change.new)
        )
        chain[change.place] = ([changed if c is found[0] else c for c in cells], label)
    return chain


_packages: dict[str, Path] = {}
_FOLDER = tempfile.TemporaryDirectory(prefix="ol-bugs-")


def broken_package(bug: Bug) -> Path:
    """Return a copy of the second implementation with the bug in it."""
    if bug.id not in _packages:
        folder = Path(_FOLDER.name) / bug.id
        folder.mkdir()
        for path in (Path(__file__).parents[1] / "second").glob("*.py"):
            (folder / path.name).write_text(path.read_text("utf-8"), "utf-8")
        for change in bug.changes:
            path = folder / change.place
            text = path.read_text("utf-8")
            if text.count(change.old) != 1:
                raise ValueError(f"{bug.id}: {change.old!r} is not there once")
            path.write_text(text.replace(change.old, change.new), "utf-8")
        _packages[bug.id] = folder
    return _packages[bug.id]
