"""Plain stand-ins for the data classes that an implementation hands out.

The judge, the pictures and the oracle never import a learner's classes. They read any
object that has the fields of the interface (chapter L10.9, section 4, in snake case)
and, where they need a value of their own – an expected tree, an expected table – they
build it from the forms below. Values of two origins are compared by class name and
fields.

Sources: chapter L10.9, sections 2.1 and 4 (δ is `trans`, A is `accept`, ⊥ is `DEAD`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DEAD = -1


@dataclass(frozen=True)
class Bytes:
    """One byte out of a set: `values` is a frozenset of int in 0..255."""

    values: frozenset[int]


@dataclass(frozen=True)
class Characters:
    """One character out of inclusive code point ranges, sorted and disjoint."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Sequence:
    """All `parts`, one after the other; the empty sequence is the empty string."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    """Any one of the `options`."""

    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repeat:
    """`part` at least `least` and at most `most` times; `most` None is no limit."""

    part: Node
    least: int
    most: int | None


Node = Bytes | Characters | Sequence | Choice | Repeat


@dataclass(frozen=True)
class Nfa:
    """A nondeterministic automaton over bytes with ε-edges and one accepting state.

    `edges[q]` is a tuple of (frozenset of bytes, target); `epsilon[q]` a tuple of
    targets.
    """

    start: int
    accept: int
    edges: tuple[tuple[tuple[frozenset[int], int], ...], ...]
    epsilon: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Dfa:
    """A deterministic automaton: `accept` bool[n], `trans` int32[n, 256], start 0."""

    n_states: int
    accept: NDArray[np.bool_]
    trans: NDArray[np.int32]


def dfa(edges: Mapping[int, Mapping[str, int]], accept: Iterable[int]) -> Dfa:
    """Build a `Dfa` from a table written by hand.

    `edges[state]` maps a string to a target; each character of the string (U+0000–00FF)
    stands for the byte of that number. States are 0 .. the largest number mentioned.

    >>> dfa({0: {"a": 1}, 1: {"bc": 2}}, accept={1, 2}).n_states
    3
    """
    accept = set(accept)
    mentioned = (
        set(edges) | accept | {t for row in edges.values() for t in row.values()}
    )
    n_states = max(mentioned) + 1
    trans = np.full((n_states, 256), DEAD, dtype=np.int32)
    for state, row in edges.items():
        for characters, target in row.items():
            trans[state, [ord(character) for character in characters]] = target
    flags = np.array([state in accept for state in range(n_states)])
    return Dfa(n_states, flags, trans)
