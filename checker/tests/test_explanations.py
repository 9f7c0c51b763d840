"""Four classic mistakes, planted by overlay and written by hand: the right words each.

One refinement only (seen on a{4}), no refinement, a numbering from state n down, an NFA
that is followed without its closure.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ol import codes, course, mutants, workspace
from ol.judge import Judge
from ol.verdict import Verdict

MODULE = course.load().module()

ONE_ROUND = """
def minimize(dfa):
    blocks = refine(dfa, dfa.accept.astype(np.int64))
    _, speakers = np.unique(blocks, return_index=True)
    trans = np.append(blocks, DEAD)[dfa.trans[speakers]]
    return Dfa(len(speakers), dfa.accept[speakers], trans.astype(np.int32))
"""
NO_ROUND = "def minimize(dfa):\n    return dfa\n"
FROM_N_DOWN = """
def number_breadth_first(dfa):
    order, n = [0], dfa.n_states
    for state in order:
        for target in dict.fromkeys(dfa.trans[state].tolist()):
            if target != DEAD and target not in order:
                order.append(target)
    order = [0] + order[:0:-1]
    new = np.full(n + 1, DEAD)
    new[order] = np.arange(n)
    return Dfa(n, dfa.accept[order], new[dfa.trans[order]].astype(np.int32))
"""
ONE_STEP = """
def epsilon_closure(nfa, states):
    return frozenset(states).union(*(nfa.epsilon[state] for state in states))
"""
# mutant, its source by hand, exercise, check, and what the answer has to say
CASES = [
    ("s01a", ONE_ROUND, "minimize", "minimize", ["aa", "Refine until"]),
    ("s01b", NO_ROUND, "minimize", "hand_example_dfa",
     ["same language, not minimal", "cannot be told apart"]),
    ("u04", FROM_N_DOWN, "number_breadth_first", "hand_example_dfa",
     ["same language, numbered differently", "breadth-first from the start"]),
    ("u01", ONE_STEP, "epsilon_closure", "epsilon_closure", ["missing", "ε"]),
]  # fmt: skip


def words(verdict: Verdict) -> str:
    assert verdict.state == "wrong", verdict.why
    assert verdict.failure is not None
    return " ".join(verdict.failure.to_json().values())


@pytest.mark.parametrize(("id", "source", "exercise", "check", "told"), CASES)
def test_planted_by_overlay(
    id: str, source: str, exercise: str, check: str, told: list[str]
) -> None:
    code = codes.resolve(MODULE, "ref")
    judge = Judge(MODULE, code, overlay=mutants.overlay(mutants.get(id)))
    text = words(judge.run(MODULE.check(check)))
    assert all(word in text for word in told), text


@pytest.mark.parametrize(("id", "source", "exercise", "check", "told"), CASES)
def test_written_by_hand(
    id: str, source: str, exercise: str, check: str, told: list[str],
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    workspace.start(MODULE)
    solved = {c.name: c.source for cells, _ in codes.reference(MODULE).values()
              for c in cells if c.role == "solution"}  # fmt: skip
    for notebook in MODULE.present():
        path = tmp_path / MODULE.id / f"{notebook.id}.ipynb"
        content = json.loads(path.read_text("utf-8"))
        for cell in content["cells"]:
            name = cell["id"].removesuffix("-solution")
            if cell["id"] != name:
                cell["source"] = source if name == exercise else solved[name]
        path.write_text(json.dumps(content), "utf-8")
    judge = Judge(MODULE, codes.resolve(MODULE, "work"))
    verdict = judge.run(MODULE.check(check))
    text = words(verdict)
    assert all(word in text for word in told), text


@pytest.mark.parametrize("id", ["s01a", "s01b", "u04"])
def test_a_wrong_table_is_drawn_beside_the_right_one(id: str) -> None:
    code = codes.resolve(MODULE, "ref")
    judge = Judge(MODULE, code, overlay=mutants.overlay(mutants.get(id)))
    check = "minimize" if id == "s01a" else "hand_example_dfa"
    failure = judge.run(MODULE.check(check)).failure
    assert failure is not None
    assert [title for title, _ in failure.pictures] == ["yours", "expected"]
    assert "dashed" in failure.pictures[0][1]
