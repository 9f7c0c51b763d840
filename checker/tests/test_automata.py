"""Running, determinizing, states and the shortest difference."""

from __future__ import annotations

import random
import re
import time

import numpy as np
import pytest

from automata_samples import (
    AB,
    CATS,
    byte,
    nfa_accepts,
    random_dfa,
    random_nfa,
    simple_accepts,
    strings,
)
from ol import automata
from ol.forms import DEAD, Dfa, Nfa, dfa


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
