"""`ol mutants`: what became of every known mistake, planted in somebody's code.

The planting is done in a child process (`ol.run.plants`); this side asks, listens, and
says what each answer means.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ol import codes, course, mutants, paths
from ol.course import Check
from ol.run import spare

CAUGHT = "caught"
SURVIVED = "survived"
CANNOT = "cannot be planted here"
CRASHED = "crashed"
LATE = "timed out"
UNJUDGED = "not judged"

_STATES = {"wrong": CAUGHT, "pass": SURVIVED, "timeout": LATE}
_SECONDS = 12.0  # of silence; a test may take 10


@dataclass
class Planted:
    """One mutant: the test that is to catch it, what came of it, and of all tests
    that ran; what is not among them never calls the mutant's target.
    """

    id: str
    test: str
    outcome: str = SURVIVED
    why: str = ""
    states: dict[str, str] = field(default_factory=dict)  # test → state

    @property
    def noticed(self) -> dict[str, str]:
        """The other tests that fail with it, and how."""
        return {
            test: state
            for test, state in self.states.items()
            if state != "pass" and test != self.test
        }

    @property
    def counts(self) -> bool:
        """Whether it says something about the code's tests."""
        return self.outcome not in (CANNOT, UNJUDGED)

    def to_json(self) -> dict[str, Any]:
        """Return the record of a JSON report."""
        return {
            "id": self.id,
            "title": mutants.CATALOGUE[self.id].title,
            "outcome": self.outcome,
            "test": self.test,
            "why": self.why,
            "noticed_by": self.noticed,
            "passed": [test for test, state in self.states.items() if state == "pass"],
        }


def plant_all(
    module: course.Module,
    code_name: str,
    ids: Sequence[str] = (),
    *,
    matrix: bool = False,
    told: Callable[[Planted], None] = lambda planted: None,
) -> list[Planted]:
    """Plant each mutant in the code; `told` hears of each one as it is done.

    matrix: run the others on it, too, not only the test that is to catch it: all
    named tests, and the step checks that are to catch a mutant.
    """
    if not hasattr(os, "fork"):
        raise paths.UsageError("planting needs os.fork: Linux or macOS")
    code = codes.resolve(module, code_name)
    wanted = [mutants.get(id).id for id in ids] or list(module.mutants)
    planted = {id: Planted(id, module.mutants[id]) for id in wanted}
    job = {
        "module": module.id,
        "code": code.name if code.package is None else str(code.package),
        "folder": str(code.folder),
        "mutants": wanted,
        "tests": [check.name for check in tests_of(module, wanted, matrix=matrix)],
        "matrix": matrix,
        "seconds": _SECONDS,
        "memory_mb": course.load().memory_mb,
    }
    states: dict[str, str] = {}
    for answer in _answers(job):
        if "baseline" in answer:
            states = answer["baseline"]
        else:
            entry = planted[answer["mutant"]]
            _learn(entry, answer, states)
            if "done" in answer:
                told(entry)
    return list(planted.values())


def tests_of(module: course.Module, ids: Sequence[str], *, matrix: bool) -> list[Check]:
    """Return the tests to run, in the order of the course."""
    named = {module.mutants[id] for id in ids}
    checks = [c for c in module.checks() if module.is_present(c.notebook)]
    if matrix:
        named |= {c.name for c in checks if c.kind != "step"}
        named |= {*module.mutants.values()}
    return [c for c in checks if c.name in named]


def _learn(entry: Planted, answer: dict[str, Any], states: dict[str, str]) -> None:
    """Take one answer of the child into account."""
    if answer.get("planted") is False:
        entry.outcome = CANNOT
        entry.why = "the code never calls what this mistake is in"
    if "state" in answer:
        entry.states[answer["test"]] = answer["state"]
        if answer["test"] == entry.test:
            entry.outcome = _STATES.get(answer["state"], CRASHED)
    if answer.get("late") and answer.get("running") == entry.test:
        entry.outcome = LATE
    if "done" in answer and states.get(entry.test) == "absent":
        entry.outcome = CANNOT
        entry.why = f"the code has no step `{entry.test}` of that name"
    elif "done" in answer and states.get(entry.test) != "pass":
        entry.outcome = UNJUDGED
        entry.why = f"{entry.test} does not pass without it either"


def _answers(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what the child says; a ToolError where it ends before it is done."""
    child = spare.start("ol.run.plants")
    assert child.stdin and child.stdout and child.stderr
    try:
        child.stdin.write(json.dumps(job) + "\n")
        child.stdin.close()
        yield from map(json.loads, child.stdout)
        child.wait()
    finally:
        spare.kill(child)
    said = child.stderr.read()
    if child.returncode:
        raise paths.ToolError(f"the child process ended early:\n{said[-2_000:]}")
