"""`ol dev strength`: all that is measured, one after the other."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ol import codes, course, paths, planting
from ol.strength import edits, records
from ol.strength.killing import Finding, Subject, judge_all


@dataclass
class BugFinding(Finding):
    """What was said of a bug written by hand; `catalogue` is the mutant it is."""

    catalogue: str = ""


def measure(module: course.Module, count: int, seed: int) -> Iterator[str]:
    """Measure and write everything; yield what is to be said of it."""
    found = planting.plant_all(module, "ref", matrix=True)
    path = records.write("kill_matrix.json", records.matrix_text(module, found))
    yield f"written  {paths.shown(path)}"
    changes = source_mutants(module, count, seed)
    path = records.write("source_mutants.json", records.findings_text(changes))
    yield f"written  {paths.shown(path)}"
    yield from (f"survived {f.id}: {f.what}" for f in changes if not f.killer)
    bugs = hand_bugs(module)
    path = records.write("hand_bugs.json", records.findings_text(bugs))
    yield f"written  {paths.shown(path)}"
    records.put_into_readme()
    yield records.figures()


def source_mutants(module: course.Module, count: int, seed: int) -> list[Finding]:
    """Judge a sample of changes to the solutions."""
    sample = edits.sample(module, count, seed)
    return list(judge_all(module, [subject_of(module, edit) for edit in sample]))


def subject_of(module: course.Module, edit: edits.Edit) -> Subject:
    chain = edits.changed_chain(module, edit)
    code = codes.Code("changed", paths.solutions(module.id), chain)
    return Subject(edit.id, edit.notebook, edit.exercise, edit.what, code)


def hand_bugs(module: course.Module) -> list[BugFinding]:
    """Judge the bugs in checker/tests/bugs."""
    tests = str(paths.root() / "checker" / "tests")
    if tests not in sys.path:
        sys.path.insert(0, tests)
    bugs: Any = importlib.import_module("bugs")
    return judged(module, bugs.BUGS, bugs.code_of)


def judged(
    module: course.Module, bugs: Sequence[Any], code_of: Any
) -> list[BugFinding]:
    """Return the findings, the bugs' own ids in the catalogue beside them."""
    subjects = [
        Subject(bug.id, bug.notebook, bug.exercise, bug.sentence, code_of(bug))
        for bug in bugs
    ]
    found = judge_all(module, subjects)
    return [
        BugFinding(**finding.to_json(), catalogue=bug.catalogue)
        for finding, bug in zip(found, bugs, strict=True)
    ]
