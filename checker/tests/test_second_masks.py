"""The graded tests of notebook 08 on a second implementation: fair, and not blind."""

from __future__ import annotations

import re

import pytest

import second_masks
from ol import course, mutants
from ol.graded import graded_functions, run_functions
from ol.verdict import Verdict

MODULE = course.load().module()
FUNCTIONS = graded_functions(MODULE, "08_masks")
NAMED = ["token_index_rules", "masks_match_python_l8_7"]


def judged(check: str) -> Verdict:
    pattern = re.compile(rf"test_{check}(__\w+)?")
    functions = [pair for pair in FUNCTIONS if pattern.fullmatch(pair[0])]
    assert functions
    return run_functions(MODULE.check(check), functions, {"constrain": second_masks})


@pytest.mark.parametrize("check", NAMED)
def test_it_passes(check: str) -> None:
    verdict = judged(check)
    assert verdict.state == "pass", (verdict.why, verdict.failure)


@pytest.mark.parametrize("id", ["s06", "s07", "s10"])
def test_its_mutants_are_caught(id: str) -> None:
    mutant = mutants.get(id)
    assert mutants.witness_changed(mutant, [second_masks])
    with mutants.plant_in([second_masks], mutant):
        assert judged(MODULE.mutants[id]).state == "wrong"
    assert judged(MODULE.mutants[id]).state == "pass"
