"""From a term to the smallest table: sets of partial derivatives, Hopcroft, numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import ConstrainError
from .patterns import compiled
from .terms import Term, linear_form

DEAD = -1
MAX_STATES = 50_000
ALL = (1 << 256) - 1


@dataclass(frozen=True, eq=False)
class Dfa:
    """A table: `trans[state, byte]`, DEAD where no match can follow; starts in 0."""

    n_states: int
    accept: NDArray[np.bool_]
    trans: NDArray[np.int32]

    def step(self, state: int, data: bytes) -> int:
        if state != DEAD and not 0 <= state < self.n_states:
            raise ConstrainError("state", f"there is no state {state}")
        for byte in data:
            if state == DEAD:
                break
            state = int(self.trans[state, byte])
        return state

    def matches(self, data: bytes) -> bool:
        state = self.step(0, data)
        return state != DEAD and bool(self.accept[state])


def determinized(term: Term) -> Dfa:
    """Return the DFA whose states are the sets of terms that the bytes so far leave."""
    start = frozenset([term])
    numbers, waiting = {start: 0}, [start]
    rows: list[list[int]] = []
    while len(rows) < len(waiting):
        row = [DEAD] * 256
        for mask, rests in _blocks(waiting[len(rows)]):
            if not rests:
                continue
            if rests not in numbers:
                if len(numbers) == MAX_STATES:
                    raise ConstrainError("size", "too many states")
                numbers[rests] = len(numbers)
                waiting.append(rests)
            for byte in _bytes(mask):
                row[byte] = numbers[rests]
        rows.append(row)
    accept = np.array([any(t.nullable for t in terms) for terms in waiting], np.bool_)
    return Dfa(len(rows), accept, np.array(rows, np.int32))


def _blocks(terms: frozenset[Term]) -> list[tuple[int, frozenset[Term]]]:
    """Return sets of bytes that are alike for all of the terms, and what they leave."""
    blocks: list[tuple[int, frozenset[Term]]] = [(ALL, frozenset())]
    for term in terms:
        for mask, rest in linear_form(term):
            split = []
            for block, rests in blocks:
                if inside := block & mask:
                    split.append((inside, rests | {rest}))
                if outside := block & ~mask:
                    split.append((outside, rests))
            blocks = split
    return blocks


def _bytes(mask: int) -> list[int]:
    return [byte for byte in range(256) if mask >> byte & 1]


def trim(dfa: Dfa) -> Dfa:
    """Keep the states on a way from the start to an accepting state."""
    backward: list[set[int]] = [set() for _ in range(dfa.n_states)]
    for state in range(dfa.n_states):
        for target in set(dfa.trans[state].tolist()) - {DEAD}:
            backward[target].add(state)
    alive: set[int] = set()
    waiting = np.flatnonzero(dfa.accept).tolist()
    while waiting:
        state = waiting.pop()
        if state not in alive:
            alive.add(state)
            waiting += backward[state]
    if 0 not in alive:
        raise ConstrainError("empty", "no string matches")
    reached, waiting = {0}, [0]
    while waiting:
        for target in set(dfa.trans[waiting.pop()].tolist()) - reached - {DEAD}:
            reached.add(target)
            waiting.append(target)
    keep = sorted(alive & reached)
    numbers = np.full(dfa.n_states + 1, DEAD, np.int32)
    numbers[keep] = np.arange(len(keep))
    return Dfa(len(keep), dfa.accept[keep], numbers[dfa.trans[keep]])


def minimize(dfa: Dfa) -> Dfa:
    """Merge states with one future: Hopcroft's splitting by the smaller half."""
    sink = dfa.n_states
    total = np.vstack([dfa.trans, np.full((1, 256), sink, np.int32)])
    total[total == DEAD] = sink
    columns = np.unique(total, axis=1)
    into = [_sources(column) for column in columns.T.tolist()]
    accepting = set(np.flatnonzero(dfa.accept).tolist())
    blocks = [b for b in (accepting, set(range(sink + 1)) - accepting) if b]
    home = {state: number for number, block in enumerate(blocks) for state in block}
    waiting = {(number, c) for number in range(len(blocks)) for c in range(len(into))}
    while waiting:
        number, column = waiting.pop()
        arriving = {s for t in blocks[number] for s in into[column].get(t, ())}
        touched: dict[int, set[int]] = {}
        for state in arriving:
            touched.setdefault(home[state], set()).add(state)
        for old, inside in touched.items():
            if len(inside) < len(blocks[old]):
                _split(blocks, home, waiting, old, inside, len(into))
    return _merged(dfa, blocks, home)


def _sources(column: list[int]) -> dict[int, list[int]]:
    sources: dict[int, list[int]] = {}
    for state, target in enumerate(column):
        sources.setdefault(target, []).append(state)
    return sources


def _split(
    blocks: list[set[int]],
    home: dict[int, int],
    waiting: set[tuple[int, int]],
    old: int,
    inside: set[int],
    columns: int,
) -> None:
    """Take `inside` out of a block; the smaller half is what is looked at again."""
    outside = blocks[old] - inside
    smaller, larger = sorted((inside, outside), key=len)
    new = len(blocks)
    blocks[old] = larger
    blocks.append(smaller)
    home.update(dict.fromkeys(smaller, new))
    waiting |= {(new, column) for column in range(columns)}


def _merged(dfa: Dfa, blocks: list[set[int]], home: dict[int, int]) -> Dfa:
    sink_block = home[dfa.n_states]
    kept = [number for number in range(len(blocks)) if number != sink_block]
    start = home[0]
    kept = [start, *(number for number in kept if number != start)]
    numbers = {number: place for place, number in enumerate(kept)}
    members = [min(blocks[number]) for number in kept]
    lookup = np.array(
        [numbers.get(home[s], DEAD) for s in range(dfa.n_states)] + [DEAD]
    )
    trans = lookup[dfa.trans[members]].astype(np.int32)
    return Dfa(len(kept), dfa.accept[members], trans)


def number_breadth_first(dfa: Dfa) -> Dfa:
    """Number the states in the order in which bytes 0 to 255 find them."""
    order, seen = [0], {0}
    for state in order:
        for target in dfa.trans[state].tolist():
            if target != DEAD and target not in seen:
                seen.add(target)
                order.append(target)
    numbers = np.full(dfa.n_states + 1, DEAD, np.int32)
    numbers[order] = np.arange(len(order))
    return Dfa(len(order), dfa.accept[order], numbers[dfa.trans[order]])


def regex_to_dfa(pattern: str) -> Dfa:
    """Return the canonical DFA of a pattern."""
    return number_breadth_first(minimize(trim(determinized(compiled(pattern)))))
