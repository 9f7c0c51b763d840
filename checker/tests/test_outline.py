"""The outline of an automaton: forced runs are one arrow, everything else stays."""

from __future__ import annotations

import re

import pytest

import ol
from ol.automata import read
from ol.dot.outline import LONGEST, outline_dot, outline_edges


def edges_of(pattern: str) -> set[tuple[int, str, int]]:
    dfa = read(ol.load("L10.9", "ref").constrain.regex_to_dfa(pattern))
    found = outline_edges(dfa)
    return {(e.source, e.label, e.target) for edges in found.values() for e in edges}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("abc", {(0, "abc", 3)}),
        ("abc|xyz", {(0, "abc", 5), (0, "xyz", 5)}),
        ("a(bc)*d", {(0, "a", 1), (1, "bc", 1), (1, "d", 3)}),
        ("ab?c?", {(0, "a", 1), (1, "b", 2), (1, "c", 3), (2, "c", 3)}),
        ("[xy]bc", {(0, "[xy]bc", 3)}),
        ("ab[xy]", {(0, "ab", 2), (2, "[xy]", 3)}),
        ("a b\n", {(0, "a␣b\\n", 4)}),
        ("a*", {(0, "a", 0)}),
    ],
)
def test_runs(pattern: str, expected: set[tuple[int, str, int]]) -> None:
    assert edges_of(pattern) == expected


def test_a_long_run_is_cut_in_the_middle() -> None:
    [(_, label, target)] = edges_of("a{50}b{50}")
    assert target == 100
    assert re.fullmatch("a+…b+", label)
    assert len(label) == LONGEST + 1


def test_the_picture_has_the_states_that_stay_and_no_others() -> None:
    dfa = ol.load("L10.9", "ref").constrain.regex_to_dfa("abc(de|fg)")
    dot = outline_dot(dfa)
    assert set(re.findall(r"^ *q(\d+) \[", dot, re.MULTILINE)) == {"0", "3", "6"}
    picture = ol.draw(dfa, outline=True)
    assert picture.text == ol.draw(dfa).text  # the table under it is whole
    assert picture.dot == dot
