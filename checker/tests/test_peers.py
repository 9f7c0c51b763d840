"""Other libraries' minimal automata have as many states as ours (group `bench`).

They work over characters and keep their own numbers, so only counts can be compared,
and only where a character is a byte. `OL_WITH=bench ./ol dev test` installs them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from ol import codes, course, oracle, paths
from ol.implementation import Implementation
from pattern_trees import random_pattern, render

MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain
WHY = "the group `bench` is not installed: `OL_WITH=bench ./ol dev test` adds it"

PATTERNS = [
    "(cat|car|dog)s?",
    "(a|b)*abb",
    "ab?",
    "a{4}",
    "(ab|c){2,3}",
    "(a|ab)(c|bcd)(d*)",
    "a{0,3}b{2,}",
    "((a|b)*a(a|b){2})*",
    "(a?b?)*c",
    "[ab]*a[ab]{6}",
    "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "(0|[1-9][0-9]*)([eE][0-9]+)?",
    "[a-z0-9_]+@[a-z0-9]+(-[a-z]{2,3})+",
    "((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9]):){3}[0-9]",
]


def ours(pattern: str) -> set[int]:
    return {m.regex_to_dfa(pattern).n_states for m in (CONSTRAIN, oracle)}


def interegular_states(pattern: str) -> int:
    interegular: Any = pytest.importorskip("interegular", reason=WHY)
    automaton = interegular.parse_pattern(pattern).to_fsm().reduce()
    return sum(automaton.islive(state) for state in automaton.states)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_as_many_states_as_interegular(pattern: str) -> None:
    assert ours(pattern) == {interegular_states(pattern)}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_as_many_states_as_automata_lib(pattern: str) -> None:
    pytest.importorskip("automata.fa", reason=WHY)
    from automata.fa.dfa import DFA
    from automata.fa.nfa import NFA

    automaton = DFA.from_nfa(NFA.from_regex(pattern), minify=True)
    minimal = automaton.to_partial(minify=True)
    assert ours(pattern) == {len(minimal.states)}


def test_random_patterns_have_as_many_states_as_interegular() -> None:
    pytest.importorskip("interegular", reason=WHY)
    for number in range(150):
        rng = Random(number)
        pattern = render(random_pattern(rng, ascii_only=True), rng)
        pattern = pattern.replace(r"\u00", r"\x")  # the one it does not know
        assert ours(pattern) == {interegular_states(pattern)}, pattern


def test_the_benchmark_measures_a_pattern_or_says_which_there_are() -> None:
    script = paths.root() / "checker" / "bench" / "compile.py"

    def run(name: str) -> tuple[int, str]:
        command = [sys.executable, str(script), name]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout

    code, output = run("p1_alt")
    assert code == 0
    assert re.search(r"^p1_alt +7 +[0-9.,]+ ms", output, re.MULTILINE)
    assert run("nothing")[0] == 2
