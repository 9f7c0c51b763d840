"""What the tests of drawings share: hand-made automata, brute force."""

from __future__ import annotations

import pytest

from ol import hand
from ol.forms import (
    Bytes,
    Choice,
    Dfa,
    Nfa,
    Repeat,
    Sequence,
    dfa,
)
from ol.pictures import (
    Drawing,
)

ABSENT = "no Graphviz here"
SVG = "{http://www.w3.org/2000/svg}"

CATS = hand.tables()["(cat|car|dog)s?"]
AB = Nfa(
    start=0,
    accept=5,
    edges=(((frozenset(b"a"), 1),), (), ((frozenset(b"b"), 3),), (), (), ()),
    epsilon=((), (2, 4), (), (5,), (5,), ()),
)


def letter(character: str) -> Bytes:
    return Bytes(frozenset(character.encode()))


def word(text: str) -> Sequence:
    return Sequence(tuple(map(letter, text)))


TREE = Sequence(
    (Choice((word("cat"), word("car"), word("dog"))), Repeat(letter("s"), 0, 1))
)


def chain(n_states: int) -> Dfa:
    """a{n-1}, and from every state but the last a way back to the start by `b`."""
    return dfa({q: {"a": q + 1, "b": 0} for q in range(n_states - 1)}, {n_states - 1})


def svg_of(drawing: Drawing) -> str:
    if drawing.svg is None:
        pytest.skip(ABSENT)
    return drawing.svg
