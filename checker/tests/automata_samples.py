"""What the tests of the judge's automata share: hand-made automata, brute force."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

from ol import automata, hand
from ol.forms import Dfa, Nfa, dfa

CATS = hand.tables()["(cat|car|dog)s?"]
FOUR = hand.tables()["a{4}"]
ABB = hand.tables()["(a|b)*abb"]


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


def explained(yours: Any, expected: Any) -> automata.Difference:
    difference = automata.explain_dfa(yours, expected)
    assert difference is not None
    return difference
