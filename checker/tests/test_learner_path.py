"""The whole path of a learner through the real course, walked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ol import checking, codes, course, workspace
from ol.judge import Judge
from ol.source import stub
from ol.words import solution

MODULE = course.load().module()
EXERCISES = [e for n in MODULE.present() for e in n.exercises]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder, just started."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    workspace.start(MODULE)
    return tmp_path / MODULE.id


def put(work: Path, exercise: course.Exercise, source: str) -> None:
    """Write source into an exercise's cell, as a learner does."""
    path = work / f"{exercise.notebook}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    cell = next(c for c in notebook["cells"] if c["id"] == f"{exercise.name}-solution")
    cell["source"] = source
    path.write_text(json.dumps(notebook), "utf-8")


def state(exercise: course.Exercise) -> str:
    judge = Judge(MODULE, codes.resolve(MODULE, "work"))
    return judge.run(MODULE.check(exercise.name)).state


def test_a_fresh_start_is_not_written_and_names_the_next_step(work: Path) -> None:
    outcome = checking.check(MODULE, "work", fresh=True)
    steps = [v for v in outcome.verdicts if v.check.kind == "step"]
    assert {v.state for v in steps} == {"not_written"}
    named = {v.check.name: v.state for v in outcome.verdicts if v.check.kind == "named"}
    assert named["hand_example_dfa"] == "waiting"
    assert outcome.exit == 1


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_each_exercise_turns_green_with_all_others_unsolved(
    work: Path, exercise: course.Exercise
) -> None:
    assert state(exercise) == "not_written"
    put(work, exercise, solution(MODULE, exercise))
    assert state(exercise) == "pass"


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_an_exercise_that_returns_nothing_is_wrong(
    work: Path, exercise: course.Exercise
) -> None:
    """`None` in place of every answer: a verdict, never a pass, never our fault."""
    source = stub(solution(MODULE, exercise))
    put(work, exercise, source.replace("raise NotImplementedError", "return str"))
    assert state(exercise) in ("wrong", "error")


def test_solved_in_order_everything_turns_green(work: Path) -> None:
    for exercise in EXERCISES:
        put(work, exercise, solution(MODULE, exercise))
    outcome = checking.check(MODULE, "work", fresh=True)
    short = [(v.check.name, v.state, v.why) for v in outcome.verdicts
             if v.state not in ("pass", "absent")]  # fmt: skip
    assert short == []
    assert outcome.exit == 0


def test_strict_gives_no_steps(work: Path) -> None:
    last = EXERCISES[-2]
    put(work, last, solution(MODULE, last))
    code = codes.resolve(MODULE, "work")
    verdict = Judge(MODULE, code, strict=True).run(MODULE.check(last.name))
    assert verdict.state == "waiting"


def test_the_reference_passes() -> None:
    outcome = checking.check(MODULE, "ref", fresh=True)
    assert [
        v.check.name for v in outcome.verdicts if v.state not in ("pass", "absent")
    ] == []
    present = {notebook.id for notebook in MODULE.present()}
    assert {
        v.check.notebook for v in outcome.verdicts if v.state == "absent"
    }.isdisjoint(present)
