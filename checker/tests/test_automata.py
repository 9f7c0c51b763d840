"""The judge's toolkit for automata: by hand, by brute force, by Python's `re`."""

from __future__ import annotations

import itertools
import random
import re
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from ol import automata
from ol.forms import DEAD, Dfa, Nfa, dfa

CATS = dfa(
    {
        0: {"c": 1, "d": 2},
        1: {"a": 3},
        2: {"o": 4},
        3: {"rt": 5},
        4: {"g": 5},
        5: {"s": 6},
    },
    accept={5, 6},
)  # (cat|car|dog)s?
FOUR = dfa({0: {"a": 1}, 1: {"a": 2}, 2: {"a": 3}, 3: {"a": 4}}, accept={4})  # a{4}
ABB = dfa(
    {
        0: {"a": 1, "b": 0},
        1: {"a": 1, "b": 2},
        2: {"a": 1, "b": 3},
        3: {"a": 1, "b": 0},
    },
    accept={3},
)  # (a|b)*abb


def byte(character: str) -> frozenset[int]:
    return frozenset(character.encode())


AB = Nfa(  # ab?, by Thompson's rules
    start=0,
    accept=5,
    edges=(((byte("a"), 1),), (), ((byte("b"), 3),), (), (), ()),
    epsilon=((), (2, 4), (), (5,), (5,), ()),
)


def changed(machine: Dfa, *cells: tuple[int, str, int]) -> Dfa:
    """Return a copy with some cells of the table overwritten."""
    trans = machine.trans.copy()
    for state, character, target in cells:
        trans[state, ord(character)] = target
    return replace(machine, trans=trans)


def strings(alphabet: str, longest: int) -> list[bytes]:
    """All strings up to a length, shortest first, then in byte order."""
    return [
        "".join(letters).encode()
        for length in range(longest + 1)
        for letters in itertools.product(sorted(alphabet), repeat=length)
    ]


def simple_accepts(machine: Dfa, data: bytes) -> bool:
    state = 0
    for value in data:
        state = int(machine.trans[state][value])
        if state < 0:
            return False
    return bool(machine.accept[state])


def nfa_accepts(machine: Nfa, data: bytes) -> bool:
    """By trying every path: (state, position) pairs, no sets, no closures."""
    seen, waiting = set(), [(machine.start, 0)]
    while waiting:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        state, position = place
        waiting += [(target, position) for target in machine.epsilon[state]]
        if position < len(data):
            waiting += [
                (target, position + 1)
                for values, target in machine.edges[state]
                if data[position] in values
            ]
    return (machine.accept, len(data)) in seen


def random_dfa(rng: random.Random, n_states: int, alphabet: str) -> Dfa:
    edges = {
        state: {
            letter: rng.randrange(n_states) for letter in alphabet if rng.random() < 0.8
        }
        for state in range(n_states)
    }
    accept = {state for state in range(n_states) if rng.random() < 0.3}
    machine = dfa(edges, accept | {n_states - 1})
    machine.accept[n_states - 1] = rng.random() < 0.3
    return machine


def random_nfa(rng: random.Random, n_states: int, alphabet: str) -> Nfa:
    def targets() -> list[int]:
        return [rng.randrange(n_states) for _ in range(rng.randrange(3))]

    edges = tuple(
        tuple((byte(rng.choice(alphabet)), target) for target in targets())
        for _ in range(n_states)
    )
    epsilon = tuple(tuple(targets()[:1]) for _ in range(n_states))
    return Nfa(rng.randrange(n_states), rng.randrange(n_states), edges, epsilon)


@pytest.fixture(params=range(30))
def rng(request: pytest.FixtureRequest) -> random.Random:
    print(f"seed {request.param}")
    return random.Random(request.param)


# ---- running, determinizing ----------------------------------------------------------


def test_accepts_agrees_with_re() -> None:
    pattern = re.compile(b"(cat|car|dog)s?")
    words = ["", "c", "cat", "cats", "catss", "car", "dog", "dogs", "cag", "é", "cat\n"]
    for word in map(str.encode, words):
        assert automata.accepts(CATS, word) == bool(pattern.fullmatch(word)), word


def test_nfa_becomes_dfa_of_ab() -> None:
    machine = automata.as_dfa(AB)
    accepted = [text for text in strings("abc", 4) if automata.accepts(machine, text)]
    assert accepted == [b"a", b"ab"]
    assert machine.n_states == 3
    assert machine.trans.dtype == np.int32
    assert machine.accept.dtype == np.bool_


def test_determinize_against_every_path(rng: random.Random) -> None:
    machine = random_nfa(rng, 6, "ab")
    made = automata.as_dfa(machine)
    for text in strings("ab", 6):
        assert simple_accepts(made, text) == nfa_accepts(machine, text), text


def test_determinize_gives_up_in_words() -> None:
    either = byte("ab")
    third_from_last = Nfa(  # (a|b)*a(a|b)(a|b): 8 sets
        start=0,
        accept=3,
        edges=(((either, 0), (byte("a"), 1)), ((either, 2),), ((either, 3),), ()),
        epsilon=((), (), (), ()),
    )
    assert automata.determinize(third_from_last, limit=8).n_states == 8
    with pytest.raises(automata.Malformed, match="more than 3 sets"):
        automata.determinize(third_from_last, limit=3)


def test_trace_shows_where_an_nfa_can_be() -> None:
    assert automata.trace(AB, b"ab") == [{0}, {1, 2, 4, 5}, {3, 5}]
    assert automata.trace(AB, b"b") == [{0}, set()]
    assert automata.trace(CATS, b"co") == [{0}, {1}, set()]


def test_byte_classes_are_numbered_by_first_byte() -> None:
    classes = automata.byte_classes(CATS.trans)
    letters = {letter: int(classes[ord(letter)]) for letter in "\0acdgorstz"}
    assert letters == {
        "\0": 0, "a": 1, "c": 2, "d": 3, "g": 4, "o": 5, "r": 6, "s": 7, "t": 6, "z": 0,
    }  # fmt: skip
    assert classes.shape == (256,)
    assert classes.dtype == np.uint8


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"", '"" (the empty string)'),
        (b"abc", '"abc"'),
        ("é".encode(), '"é"'),
        (b"\xc3", "b'\\xc3'"),
        (b'a"b\\', '"a\\"b\\\\"'),
        (b"'\n\x00", '"\'\\n\\x00"'),
    ],
)
def test_show_bytes(data: bytes, shown: str) -> None:
    assert automata.show_bytes(data) == shown


def test_show_bytes_cuts_long_strings() -> None:
    assert automata.show_bytes(b"a" * 2000) == f'"{"a" * 50}…{"a" * 20}" (2,000 bytes)'
    assert automata.show_bytes(b"\xff" * 2000).endswith(" (2,000 bytes)")


# ---- states --------------------------------------------------------------------------


def test_dead_and_unreachable_states() -> None:
    machine = dfa({0: {"a": 1, "b": 2}, 2: {"b": 2}, 3: {"a": 1}}, accept={1})
    assert automata.dead_states(machine) == [2]
    assert automata.unreachable_states(machine) == [3]
    assert automata.dead_states(CATS) == automata.unreachable_states(CATS) == []


def test_equivalent_states_by_hand() -> None:
    raw = dfa(
        {0: {"a": 1, "b": 2}, 1: {"a": 1, "b": 3}, 2: {"a": 1, "b": 2},
         3: {"a": 1, "b": 4}, 4: {"a": 1, "b": 2}},
        accept={4},
    )  # fmt: skip
    assert automata.equivalent_states(raw) == [[0, 2], [1], [3], [4]]
    assert automata.equivalent_states(CATS) == [[state] for state in range(7)]


def test_equivalent_states_by_brute_force(rng: random.Random) -> None:
    machine = random_dfa(rng, 6, "ab")
    texts = strings("ab", 6)  # n states are told apart by strings shorter than n

    def future(state: int) -> tuple[bool, ...]:
        order = [state, *(q for q in range(6) if q != state)]
        new = {old: place for place, old in enumerate(order)} | {DEAD: DEAD}
        trans = np.array([[new[int(t)] for t in machine.trans[old]] for old in order])
        moved = Dfa(6, machine.accept[order], trans)
        return tuple(simple_accepts(moved, text) for text in texts)

    blocks: dict[tuple[bool, ...], list[int]] = {}
    for state in range(6):
        blocks.setdefault(future(state), []).append(state)
    assert automata.equivalent_states(machine) == list(blocks.values())
    dead = [state for state in range(6) if not any(future(state))]
    assert automata.dead_states(machine) == dead


# ---- the shortest difference ---------------------------------------------------------


def test_shortest_difference_against_all_strings(rng: random.Random) -> None:
    left, right = random_dfa(rng, 3, "ab"), random_nfa(rng, 3, "ab")
    wanted = None
    for text in strings("ab", 9):
        if simple_accepts(left, text) != nfa_accepts(right, text):
            wanted = text
            break
    assert automata.shortest_difference(left, right) == wanted
    assert automata.shortest_difference(right, left) == wanted


def test_shortest_difference_is_least_in_byte_order() -> None:
    left, right = dfa({0: {"\x00": 1}}, {1}), dfa({0: {"\xff\x00": 1}}, {1})
    assert automata.shortest_difference(left, right) == b"\xff"
    left, right = dfa({0: {"xyz": 1}}, {1}), dfa({0: {"x": 1}}, {1})
    assert automata.shortest_difference(left, right) == b"y"


def test_shortest_difference_of_large_tables_is_fast() -> None:
    n_states = 2_000
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 60, 256)
    trans = rng.integers(0, n_states, (n_states, 60), dtype=np.int32)[:, classes]
    left = Dfa(n_states, rng.random(n_states) < 0.5, trans)
    began = time.perf_counter()
    assert automata.shortest_difference(left, left) is None
    chain = np.full((n_states, 256), DEAD, dtype=np.int32)
    chain[:-1, 97] = np.arange(1, n_states)
    flags = np.arange(n_states) == n_states - 1
    long, none = Dfa(n_states, flags, chain), Dfa(n_states, flags & False, chain)
    assert automata.shortest_difference(long, none) == b"a" * (n_states - 1)
    assert time.perf_counter() - began < 3


# ---- explanations of language --------------------------------------------------------


def explained(yours: Any, expected: Any) -> automata.Difference:
    difference = automata.explain_dfa(yours, expected)
    assert difference is not None
    return difference


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


# ---- explanations of tables ----------------------------------------------------------

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


# ---- explanations for NFAs -----------------------------------------------------------


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


# ---- malformed objects ---------------------------------------------------------------


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
