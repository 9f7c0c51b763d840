"""What is said of an NFA, and of an object that is no automaton."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from automata_samples import AB, CATS, byte, explained
from ol import automata
from ol.forms import DEAD, Nfa, dfa


def nfa_explained(yours: Any, expected: Any) -> automata.Difference:
    difference = automata.explain_language(yours, expected)
    assert difference is not None
    return difference


def test_nfa_same_language_as_dfa() -> None:
    assert (
        automata.explain_language(AB, dfa({0: {"a": 1}, 1: {"b": 2}}, {1, 2})) is None
    )


def test_nfa_forgotten_epsilon_to_the_accepting_state() -> None:
    broken = replace(AB, epsilon=((), (2,), (), (5,), (5,), ()))
    found = nfa_explained(broken, AB)
    assert (found.yours, found.expected) == ('refuses "a"', 'accepts "a"')
    assert found.first_difference == (
        'after "a" yours can be in states 1, 2; the accepting state 5 is not among them'
    )
    assert found.cause == (
        "no path of ε-edges leads from there to the accepting state 5"
    )
    assert 'label=" ε "' in found.pictures[0][1]


def test_nfa_that_cannot_read_on() -> None:
    broken = replace(AB, epsilon=((), (4,), (), (5,), (5,), ()))
    found = nfa_explained(broken, AB)
    assert found.first_difference == (
        'after "a" yours can be in states 1, 4, 5; no edge from there reads "b"'
    )
    assert found.cause == 'in yours "b" is read in state 2 only'


def test_nfa_that_reads_on_into_nowhere() -> None:
    broken = replace(AB, epsilon=((), (2, 4), (), (), (5,), ()))
    found = nfa_explained(broken, AB)
    assert found.first_difference == (
        'after "a" yours can be in states 1, 2, 4, 5; on "b" it goes on to state 3'
    )
    assert found.cause == "from there no path of yours leads to an accepting state"


def test_nfa_that_repeats_what_may_come_once() -> None:
    broken = replace(AB, epsilon=((), (2, 4), (), (5, 2), (5,), ()))
    found = nfa_explained(broken, AB)
    assert (found.yours, found.expected) == ('accepts "abb"', 'refuses "abb"')
    assert 'but nothing that begins with "abb" is right' in found.first_difference
    assert 'id="e2_3_wrong"' in found.pictures[0][1]


def test_nfa_that_accepts_the_empty_string() -> None:
    broken = replace(AB, epsilon=((5,), (2, 4), (), (5,), (5,), ()))
    found = nfa_explained(broken, AB)
    assert found.yours == 'accepts "" (the empty string)'
    assert found.cause == "ε-edges alone lead from the start to the accepting state"


@dataclass
class Loose:
    """A learner's class: any field may hold anything."""

    n_states: Any = 2
    accept: Any = None
    trans: Any = None


def loose_dfa(**fields: Any) -> Loose:
    trans = np.full((2, 256), DEAD, dtype=np.int32)
    trans[0, 97] = 1
    given = {"n_states": 2, "accept": np.array([False, True]), "trans": trans} | fields
    return Loose(**given)


def bad_target(value: int) -> Any:
    trans = loose_dfa().trans.copy()
    trans[1, 98] = value
    return trans


class NoRepr:
    def __repr__(self) -> str:
        raise RuntimeError("half written")


@pytest.mark.parametrize(
    ("yours", "words"),
    [
        (None, "`return` missing"),
        ([1, 2], "this list has no n_states and no accept and no trans"),
        (NoRepr(), "this NoRepr has no n_states"),
        (loose_dfa(n_states="2"), "n_states is '2' (str), not an int"),
        (loose_dfa(n_states=True), "n_states is True (bool), not an int"),
        (loose_dfa(n_states=2.0), "n_states is 2.0 (float), not an int"),
        (loose_dfa(n_states=0), "n_states is 0"),
        (loose_dfa(n_states=3), "accept is an array of shape (2,), not bool[3]"),
        (loose_dfa(accept={1}), "accept is {1}, not bool[2]"),
        (loose_dfa(accept=[False, 7]), "accept holds int64 numbers"),
        (loose_dfa(accept=["no", "yes"]), "accept is an array of <U3, not bool[2]"),
        (loose_dfa(trans=bad_target(0)[:, :128]), "not int32[2, 256]"),
        (loose_dfa(trans=[[1], [2, 3]]), "does not read as an array int32[2, 256]"),
        (loose_dfa(trans=bad_target(0) * 1.0), "trans is an array of float64"),
        (loose_dfa(trans={}), "trans is {}, not int32[2, 256]"),
        (
            loose_dfa(trans=bad_target(2)),
            "trans[1, 98] (byte b) is 2, but the states are",
        ),
        (loose_dfa(trans=bad_target(-2)), "trans[1, 98] (byte b) is -2"),
    ],
)
def test_a_malformed_dfa_is_an_answer(yours: Any, words: str) -> None:
    found = explained(yours, CATS)
    assert words in found.cause
    assert found.expected.startswith("a Dfa: n_states int, accept bool[n]")
    assert found.pictures == []
    with pytest.raises(automata.Malformed):
        automata.read_dfa(yours)


def nfa_with(**fields: Any) -> Nfa:
    return replace(AB, **fields)


@pytest.mark.parametrize(
    ("yours", "words"),
    [
        (None, "`return` missing"),
        ("ab", "neither an Nfa nor a Dfa"),
        (nfa_with(start="x"), "start is 'x' (str), not an int"),
        (nfa_with(start=6), "start is 6, but the states are 0 to 5"),
        (nfa_with(accept=None), "accept is None (NoneType), not an int"),
        (nfa_with(accept={5}), "accept is {5} (set), not an int"),
        (nfa_with(edges={}), "edges is {} (dict), not a tuple"),
        (nfa_with(edges=()), "edges has 0 entries and epsilon 6"),
        (nfa_with(edges=((), (5,), (), (), (), ())), "edges[1][0] is 5, not a pair"),
        (nfa_with(edges=(((97, 1),), *AB.edges[1:])), "edges[0][0] reads 97"),
        (nfa_with(edges=((("a", 1),), *AB.edges[1:])), "edges[0][0] reads 'a'"),
        (
            nfa_with(edges=((({"a"}, 1),), *AB.edges[1:])),
            "a byte of edges[0][0] is 'a'",
        ),
        (nfa_with(edges=((({256}, 1),), *AB.edges[1:])), "a byte is 0 to 255"),
        (
            nfa_with(edges=(((byte("a"), 9),), *AB.edges[1:])),
            "target of edges[0][0] is 9",
        ),
        (nfa_with(edges=(None, *AB.edges[1:])), "edges[0] is None (NoneType)"),
        (
            nfa_with(epsilon=((), (2, -1), (), (), (), ())),
            "an entry of epsilon[1] is -1",
        ),
        (
            nfa_with(epsilon=(3, (), (), (), (), ())),
            "epsilon[0] is 3 (int), not a tuple",
        ),
    ],
)
def test_a_malformed_nfa_is_an_answer(yours: Any, words: str) -> None:
    found = nfa_explained(yours, AB)
    assert words in found.cause
    assert found.expected.startswith("an Nfa: start int")
    with pytest.raises(automata.Malformed):
        automata.as_dfa(yours)


def test_a_malformed_expected_automaton_is_the_tools_fault() -> None:
    with pytest.raises(automata.Malformed):
        automata.explain_dfa(CATS, loose_dfa(n_states=0))
    with pytest.raises(automata.Malformed):
        automata.explain_language(CATS, None)


def test_lists_sets_and_numpy_numbers_are_fine() -> None:
    other = Nfa(
        np.int64(0),  # type: ignore[arg-type]
        5,
        [[({97}, np.int32(1))], [], [[b"b", 3]], [], [], []],  # type: ignore
        [[], {2, 4}, [], [5], [5], []],  # type: ignore
    )
    assert automata.explain_language(other, AB) is None
    assert automata.read_nfa(other) == AB
    assert automata.accepts(automata.as_dfa(loose_dfa(accept=[0, 1])), b"a")
