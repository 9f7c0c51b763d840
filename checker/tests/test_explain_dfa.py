"""What is said of a DFA that is not the expected one."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from automata_samples import (
    CATS,
    FOUR,
    changed,
    explained,
    random_dfa,
    simple_accepts,
    strings,
)
from ol import automata
from ol.forms import DEAD, Dfa, dfa


def test_identical_tables_have_no_difference() -> None:
    assert automata.explain_dfa(CATS, replace(CATS)) is None
    assert automata.explain_language(CATS, replace(CATS)) is None


def test_a_missing_edge() -> None:
    found = explained(changed(CATS, (3, "t", DEAD)), CATS)
    assert (found.yours, found.expected) == ('refuses "cat"', 'accepts "cat"')
    assert found.first_difference == (
        'after "ca" yours is in state 3, which has no edge for "t"; '
        "expected goes from state 3 to state 5"
    )
    assert found.cause == "in state 3 yours reads r, expected reads [rt]"
    yours, expected = (dot for _, dot in found.pictures)
    assert 'id="q3", label="3", style="filled,dashed"' in yours
    assert 'id="e3_5_wrong", style="dashed"' in expected
    assert 'label=" r ", id="e3_5"' in expected  # the right byte stays solid


def test_an_edge_too_many() -> None:
    found = explained(changed(CATS, (5, "z", 6)), CATS)
    assert (found.yours, found.expected) == ('accepts "carz"', 'refuses "carz"')
    assert "expected has no edge for it in state 5" in found.first_difference
    assert found.cause == "in state 5 yours reads [sz], expected reads s"


def test_a_wrong_target_names_two_strings_taken_for_one() -> None:
    found = explained(changed(CATS, (2, "o", 3)), CATS)
    assert (found.yours, found.expected) == ('refuses "dog"', 'accepts "dog"')
    assert 'after "d", on "o"' in found.first_difference
    assert found.cause == (
        'yours is in state 3 after "do" and after "ca" alike, '
        'but only one may be followed by "g"'
    )
    assert 'id="e2_3_wrong"' in found.pictures[0][1]
    assert 'id="e2_4_wrong"' in found.pictures[1][1]


def test_one_refinement_only_is_named_by_its_strings() -> None:
    merged = dfa({0: {"a": 1}, 1: {"a": 1}}, accept={1})  # states 1 to 4 of a{4} as one
    found = explained(merged, FOUR)
    assert (found.yours, found.expected) == ('accepts "a"', 'refuses "a"')
    assert found.cause.startswith('yours is in state 1 after "a" and after "aa" alike')


def test_a_wrong_flag() -> None:
    flags = CATS.accept.copy()
    flags[6] = False
    found = explained(replace(CATS, accept=flags), CATS)
    assert (found.yours, found.expected) == ('refuses "cars"', 'accepts "cars"')
    assert found.first_difference == (
        'after "cars" yours is in state 6, which is not accepting; '
        "expected is in state 6, which is accepting"
    )
    assert found.cause == "every transition is right; accept is wrong for state 6"
    assert (
        'id="q6", label="6", shape="doublecircle", style="filled,dashed"'
        in (found.pictures[1][1])
    )


def test_a_state_that_became_dead() -> None:
    flags = CATS.accept.copy()
    flags[6] = False
    found = explained(changed(replace(CATS, accept=flags), (6, "s", 6)), CATS)
    assert found.yours == 'refuses "cars"'
    assert "state 6, which is not accepting" in found.first_difference


def test_accepting_nothing_and_accepting_beginnings() -> None:
    nothing = replace(CATS, accept=np.zeros(7, dtype=bool))
    assert "yours accepts nothing" in explained(nothing, CATS).cause
    cut = replace(CATS, trans=np.full((7, 256), DEAD, dtype=np.int32))
    assert "reached from the start" in explained(cut, CATS).cause
    prefix = dfa({0: {"a": 1}, 1: {"".join(map(chr, range(256))): 1}}, accept={1})
    found = explained(prefix, dfa({0: {"a": 1}}, accept={1}))
    assert found.cause.startswith("yours accepts whatever BEGINS with a right string")
    assert found.yours == 'accepts "a\\x00"'


def test_explanations_are_true_of_random_automata(rng: random.Random) -> None:
    yours, expected = random_dfa(rng, 4, "ab"), random_dfa(rng, 4, "ab")
    found = automata.explain_language(yours, expected)
    wanted = next(
        (
            text
            for text in strings("ab", 8)
            if simple_accepts(yours, text) != simple_accepts(expected, text)
        ),
        None,
    )
    if wanted is None:
        assert found is None
        return
    assert found is not None
    verb = "accepts" if simple_accepts(yours, wanted) else "refuses"
    assert found.yours == f"{verb} {automata.show_bytes(wanted)}"
    assert found.first_difference
    assert [title for title, _ in found.pictures] == ["yours", "expected"]
    assert any("the difference" in dot for _, dot in found.pictures)


RAW = dfa(
    {0: {"c": 1, "d": 2}, 1: {"a": 3}, 2: {"o": 4}, 3: {"r": 5, "t": 6}, 4: {"g": 7},
     5: {"s": 8}, 6: {"s": 8}, 7: {"s": 8}},
    accept={5, 6, 7, 8},
)  # fmt: skip


def test_not_minimal_names_a_pair() -> None:
    found = explained(RAW, CATS)
    assert found.first_difference == (
        "same language, not minimal: 9 states instead of 7"
    )
    assert found.cause == (
        "states 5 and 6 cannot be told apart: "
        'after "car" and after "cat" the same may follow'
    )
    assert found.yours == "9 states, accepting {5, 6, 7, 8}"
    assert found.pictures[0][1].count("the difference") == 2


def test_a_raw_table_is_not_blamed_for_being_raw() -> None:
    found = explained(CATS, RAW)
    assert found.first_difference == "same language, 7 states instead of 9"
    assert found.cause == (
        'after "car" and after "cat" yours is in one state, 5, expected in two, 5 and 6'
    )


def test_dead_states_kept() -> None:
    kept = dfa({0: {"a": 1, "b": 2}, 2: {"b": 2}}, accept={1})
    found = explained(kept, dfa({0: {"a": 1}}, accept={1}))
    assert found.first_difference == "same language, 3 states instead of 2"
    assert found.cause == ("state 2 is dead: no accepting state can be reached from it")


def test_unreachable_states_kept() -> None:
    kept = dfa({0: {"a": 1}, 2: {"a": 1}, 3: {"a": 1}}, accept={1})
    found = explained(kept, dfa({0: {"a": 1}}, accept={1}))
    assert found.cause == (
        "state 2 cannot be reached from the start (one of 2 such states)"
    )


def test_numbered_differently() -> None:
    order = [0, 6, 2, 3, 4, 5, 1]  # states 1 and 6 swapped; a swap is its own inverse
    trans = np.append(order, DEAD)[CATS.trans[order]].astype(np.int32)
    found = explained(Dfa(7, CATS.accept[order], trans), CATS)
    assert found.first_difference == "same language, numbered differently"
    assert found.cause == (
        "breadth-first from the start, bytes in order, "
        'the state reached by "c" is 1; yours calls it 6'
    )
    assert 'id="q6", label="6", style="filled,dashed"' in found.pictures[0][1]
    assert 'id="q1", label="1", style="filled,dashed"' in found.pictures[1][1]


def test_same_table_of_another_number_type() -> None:
    found = explained(replace(CATS, trans=CATS.trans.astype(np.int64)), CATS)
    assert found.first_difference == "the same table, but trans is an array of int64"
    assert found.cause == "make it with dtype=np.int32"
    lists = replace(CATS, trans=CATS.trans.tolist())
    assert "trans is a list" in explained(lists, CATS).first_difference
    flags = replace(CATS, accept=CATS.accept.tolist())
    assert "accept is a list" in explained(flags, CATS).first_difference
    assert automata.explain_language(lists, CATS) is None  # by language: no matter
