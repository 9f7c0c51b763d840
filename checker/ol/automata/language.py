"""Which strings does an automaton accept, and on which do two of them differ?

Everything here works on the read forms of `ol.automata.reading`. State 0 is the start
and DEAD is -1: as a Python index that is the last row, so one row more at the end of a
table makes every step total, without a question asked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol.automata.reading import Malformed, read
from ol.forms import DEAD, Dfa, Nfa

SUBSET_LIMIT = 50_000  # state sets; the reference's own budget (rulings, "Regex")

Pair = tuple[int, int]


def as_dfa(machine: Any) -> Dfa:
    """Return any Nfa or Dfa as a Dfa with the same language; raises `Malformed`."""
    automaton = read(machine)
    return determinize(automaton) if isinstance(automaton, Nfa) else automaton


def run(dfa: Dfa, data: bytes) -> list[int]:
    """Return the states that a run visits, the start first: len(data) + 1 of them."""
    states = [0]
    for byte in data:
        state = states[-1]
        states.append(DEAD if state == DEAD else int(dfa.trans[state, byte]))
    return states


def accepts(dfa: Dfa, data: bytes) -> bool:
    """Whether the whole of `data` is in the language."""
    last = run(dfa, data)[-1]
    return last != DEAD and bool(dfa.accept[last])


def byte_classes(trans: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the class of each byte, uint8[256]: equal columns share one.

    `trans` is any [rows, 256] table. Classes are numbered by their first byte, from 0.
    Source: Aho, Lam, Sethi, Ullman, "Compilers", 2nd ed., section 3.9.8.
    """
    numbers: dict[bytes, int] = {}
    columns = np.ascontiguousarray(trans.T)
    return np.array(
        [numbers.setdefault(column.tobytes(), len(numbers)) for column in columns],
        dtype=np.uint8,
    )


def first_bytes(classes: NDArray[np.uint8]) -> list[int]:
    """Return the least byte of every class, in the order of the classes."""
    return [int(byte) for byte in np.unique(classes, return_index=True)[1]]


def epsilon_closure(nfa: Nfa, states: Iterable[int]) -> frozenset[int]:
    """Return the states that ε-edges alone reach, `states` included."""
    reached, waiting = set(states), list(states)
    while waiting:
        for target in nfa.epsilon[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return frozenset(reached)


def determinize(nfa: Nfa, limit: int = SUBSET_LIMIT) -> Dfa:
    """Return the Dfa of all reachable state sets, numbered breadth-first in byte order.

    Source: Rabin and Scott, "Finite Automata and Their Decision Problems", 1959,
    definition 11.
    Raises `Malformed` beyond `limit` sets: the judge must come to an end.
    """
    classes = _nfa_classes(nfa)
    moves = _moves(nfa, first_bytes(classes))
    order = [epsilon_closure(nfa, {nfa.start})]
    numbers = {order[0]: 0}
    rows = []
    for states in order:  # grows while it is read
        row = [DEAD] * (int(classes.max()) + 1)
        for letter, targets in _successors(moves, states):
            closure = epsilon_closure(nfa, targets)
            if closure not in numbers:
                numbers[closure] = len(order)
                order.append(closure)
            row[letter] = numbers[closure]
        rows.append(row)
        if len(order) > limit:
            raise Malformed(f"there are more than {limit:,} sets of states")
    accept = np.array([nfa.accept in states for states in order])
    return Dfa(len(order), accept, np.array(rows, dtype=np.int32)[:, classes])


def _nfa_classes(nfa: Nfa) -> NDArray[np.uint8]:
    """Bytes that are in the same sets on all edges need not be told apart."""
    sets = list(dict.fromkeys(values for row in nfa.edges for values, _ in row))
    member = np.zeros((len(sets), 256), dtype=np.bool_)
    for number, values in enumerate(sets):
        member[number, list(values)] = True
    return byte_classes(member)


def _moves(nfa: Nfa, letters: Sequence[int]) -> list[list[Pair]]:
    """Return per state its edges as (class, target)."""
    return [
        [
            (number, target)
            for values, target in row
            for number, byte in enumerate(letters)
            if byte in values
        ]
        for row in nfa.edges
    ]


def _successors(
    moves: Sequence[Sequence[Pair]], states: Iterable[int]
) -> list[tuple[int, set[int]]]:
    by_class: dict[int, set[int]] = {}
    for state in states:
        for letter, target in moves[state]:
            by_class.setdefault(letter, set()).add(target)
    return sorted(by_class.items())


class Product:
    """Two Dfas that read the same bytes in step, explored breadth-first.

    Iterating gives the pairs of states that some string leads to, those of shorter
    strings first and among equally long ones those of smaller bytes, so that
    `string(pair)` is the shortest string, and of these the least. Only one byte of each
    joint class is tried. Source: Hopcroft and Karp, "A Linear Algorithm for Testing
    Equivalence of Finite Automata", 1971, without the merging: the strings are wanted.
    """

    def __init__(self, left: Dfa, right: Dfa, start: Pair = (0, 0)) -> None:
        """Prepare the walk from the pair `start`."""
        self.letters = first_bytes(byte_classes(np.vstack([left.trans, right.trans])))
        self.left = _total(left.trans[:, self.letters])
        self.right = _total(right.trans[:, self.letters])
        self.start = start
        self.came_from: dict[Pair, tuple[Pair, int]] = {}

    def __iter__(self) -> Iterator[Pair]:
        self.came_from = {self.start: (self.start, 0)}
        waiting = deque([self.start])
        while waiting:
            pair = waiting.popleft()
            yield pair
            targets = zip(self.left[pair[0]], self.right[pair[1]], strict=True)
            for byte, target in zip(self.letters, targets, strict=True):
                if target not in self.came_from:
                    self.came_from[target] = (pair, byte)
                    waiting.append(target)

    def string(self, pair: Pair) -> bytes:
        """Return the least shortest string that leads to a pair met so far."""
        data = bytearray()
        while pair != self.start:
            pair, byte = self.came_from[pair]
            data.append(byte)
        return bytes(reversed(data))


def _total(trans: NDArray[np.int32]) -> list[list[int]]:
    rows: list[list[int]] = trans.tolist()
    return [*rows, [DEAD] * trans.shape[1]]


def shortest_difference(a: Any, b: Any, start: Pair = (0, 0)) -> bytes | None:
    """Return the shortest string that exactly one accepts, or None if there is none.

    Among equally short ones the least in byte order. `a` and `b` are automata of either
    kind; `start` gives the states to start from (of the Dfas). Raises `Malformed`.
    """
    left, right = as_dfa(a), as_dfa(b)
    left_accepts = [*left.accept.tolist(), False]
    right_accepts = [*right.accept.tolist(), False]
    product = Product(left, right, start)
    for pair in product:
        if left_accepts[pair[0]] != right_accepts[pair[1]]:
            return product.string(pair)
    return None
