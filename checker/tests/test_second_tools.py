"""The graded tests of notebook 12 on a second implementation: fair, and not blind.

They pass code that shares nothing with the reference, and catch the chapter's mutants
in it, each by its named test.
"""

from __future__ import annotations

import re

import pytest

import second_tools
from ol import course, mutants
from ol.graded import graded_functions, run_functions
from ol.verdict import Verdict

MODULE = course.load().module()
NOTEBOOK = MODULE.notebook("12_parser")
FUNCTIONS = graded_functions(MODULE, NOTEBOOK.id)
INTERFACE = [
    "hold_back", "collect", "message_json", "delta_json",
    *(check.name for check in NOTEBOOK.checks if check.kind == "named"),
]  # fmt: skip


def judged(check: str) -> Verdict:
    pattern = re.compile(rf"test_{check}(__\w+)?")
    functions = [pair for pair in FUNCTIONS if pattern.fullmatch(pair[0])]
    return run_functions(MODULE.check(check), functions, {"tools": second_tools})


@pytest.mark.parametrize("check", INTERFACE)
def test_it_passes(check: str) -> None:
    verdict = judged(check)
    assert verdict.state == "pass", (verdict.why, verdict.failure)


@pytest.mark.parametrize("id", ["s14", "s15", "s16"])
def test_its_mutants_are_caught(id: str) -> None:
    mutant = mutants.get(id)
    assert mutants.witness_changed(mutant, [second_tools])
    with mutants.plant_in([second_tools], mutant):
        assert judged(MODULE.mutants[id]).state == "wrong"
    assert judged(MODULE.mutants[id]).state == "pass"
