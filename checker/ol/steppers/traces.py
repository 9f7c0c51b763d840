"""What two algorithms do, step by step, as plain data: nothing here draws or speaks.

Sources: chapter L10.9, section 2.1, steps 3 and 4; Rabin and Scott 1959 (subsets),
Moore 1956 (rounds). The numbers are those of the notebooks 03 and 04: sets as they are
found, blocks by their first state, the smallest automaton breadth-first.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ol.automata import (
    byte_classes,
    dead_states,
    epsilon_closure,
    run,
    unreachable_states,
)
from ol.forms import DEAD, Dfa, Nfa

States = tuple[int, ...]  # ascending
Columns = tuple[frozenset[int], ...]  # sets of bytes that are treated alike
Blocks = tuple[int, ...]  # per state its block; DEAD for a state that was removed


class TooLarge(ValueError):
    """There are more states than anyone would step through."""


@dataclass(frozen=True)
class Cell:
    """One cell of the growing table: from the set `row` by the bytes of `column`.

    `moved`: where the NFA can be right after the byte; `target` is the number of the
    closure of that, `is_new` whether it was found here for the first time.
    """

    row: int
    column: int
    moved: States
    target: int
    is_new: bool


@dataclass(frozen=True)
class SubsetTrace:
    """The subset construction: `sets[q]` is state q, `cells` the edges as found.

    Cells that lead to the empty set are left out: they are DEAD.
    """

    nfa: Nfa
    columns: Columns
    sets: tuple[States, ...]
    cells: tuple[Cell, ...]

    @property
    def dfa(self) -> Dfa:
        """The automaton that comes out."""
        trans = np.full((len(self.sets), 256), DEAD, dtype=np.int32)
        for cell in self.cells:
            trans[cell.row, list(self.columns[cell.column])] = cell.target
        accept = np.array([self.nfa.accept in states for states in self.sets])
        return Dfa(len(self.sets), accept, trans)


def subset_trace(nfa: Nfa, limit: int) -> SubsetTrace:
    """Follow the subset construction; TooLarge beyond `limit` sets."""
    columns = _nfa_columns(nfa)
    start = _ordered(epsilon_closure(nfa, {nfa.start}))
    sets, numbers = [start], {start: 0}
    cells: list[Cell] = []
    for row, states in enumerate(sets):  # grows while it is read
        for column, values in enumerate(columns):
            moved = _move(nfa, states, min(values))
            if not moved:
                continue
            closed = _ordered(epsilon_closure(nfa, moved))
            target = numbers.setdefault(closed, len(sets))
            is_new = target == len(sets)
            sets += [closed] * is_new
            cells.append(Cell(row, column, moved, target, is_new))
        if len(sets) > limit:
            raise TooLarge(f"more than {limit} states")
    return SubsetTrace(nfa, columns, tuple(sets), tuple(cells))


def _ordered(states: frozenset[int]) -> States:
    return tuple(sorted(states))


def _move(nfa: Nfa, states: States, byte: int) -> States:
    """Return where `byte` leads to, before any ε-edge."""
    return _ordered(
        frozenset(
            target
            for state in states
            for values, target in nfa.edges[state]
            if byte in values
        )
    )


def _nfa_columns(nfa: Nfa) -> Columns:
    """Return the classes of bytes that some edge reads, by their first bytes."""
    sets = sorted({tuple(sorted(values)) for row in nfa.edges for values, _ in row})
    member = np.zeros((max(len(sets), 1), 256), dtype=np.bool_)
    for number, values in enumerate(sets):
        member[number, list(values)] = True
    return _columns(member, np.any(member, axis=0).tolist())


def _columns(table: NDArray[np.generic], wanted: Sequence[bool]) -> Columns:
    """Return the classes of equal columns of `table`, those where `wanted` holds."""
    classes = byte_classes(table)
    members = [np.flatnonzero(classes == c) for c in range(int(classes.max()) + 1)]
    return tuple(frozenset(m.tolist()) for m in members if wanted[m[0]])


@dataclass(frozen=True)
class Split:
    """A block whose states disagree: `column` is the first on which they do.

    `parts` are the blocks it falls into, by all columns, in the order of their first
    states.
    """

    block: int
    column: int
    parts: tuple[States, ...]


@dataclass(frozen=True)
class Round:
    """One look at all states: the blocks before, what splits, the blocks after."""

    before: Blocks
    splits: tuple[Split, ...]
    after: Blocks


@dataclass(frozen=True)
class Met:
    """A block that gets its number: met from the state `source` by `column`.

    `source` is a new number, None for the start; `block` is one of the last round.
    """

    block: int
    source: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class MooreTrace:
    """Minimization: remove, refine round by round, merge, number breadth-first.

    `targets[q][c]`: the state after state q by column c, DEAD if none that stays.
    The last round splits nothing. `met[n]` says how the new state n was found.
    """

    dfa: Dfa
    removed: dict[int, str]
    columns: Columns
    targets: tuple[tuple[int, ...], ...]
    rounds: tuple[Round, ...]
    met: tuple[Met, ...]

    @property
    def blocks(self) -> Blocks:
        """The blocks that no round splits."""
        return self.rounds[-1].after

    @property
    def smallest(self) -> Dfa:
        """The smallest automaton, numbered breadth-first."""
        number_of = {one.block: number for number, one in enumerate(self.met)}
        of_state = [number_of.get(block, DEAD) for block in self.blocks] + [DEAD]
        speakers = [self.blocks.index(one.block) for one in self.met]
        trans = np.full((len(self.met), 256), DEAD, dtype=np.int32)
        for number, state in enumerate(speakers):
            for values, target in zip(self.columns, self.targets[state], strict=True):
                trans[number, list(values)] = of_state[target]
        return Dfa(len(self.met), self.dfa.accept[speakers], trans)


def moore_trace(dfa: Dfa) -> MooreTrace:
    """Follow Moore's rounds on what of `dfa` is useful; ValueError if nothing is."""
    removed = dict.fromkeys(unreachable_states(dfa), "no string leads to it")
    removed |= dict.fromkeys(dead_states(dfa), "no string leads on to acceptance")
    if 0 in removed:
        raise ValueError("no string is accepted: the start itself is a dead state")
    trans = dfa.trans.copy()
    trans[np.isin(trans, list(removed))] = DEAD
    trans[list(removed)] = DEAD
    columns = _columns(trans, np.any(trans != DEAD, axis=0).tolist())
    targets = tuple(tuple(int(row[min(v)]) for v in columns) for row in trans)
    rounds = tuple(_rounds(targets, _numbered(dfa.accept.tolist(), removed)))
    met = _breadth_first(targets, rounds[-1].after)
    return MooreTrace(dfa, removed, columns, targets, rounds, met)


def _numbered(notes: Sequence[Hashable], removed: Collection[int]) -> Blocks:
    """Give states with equal notes one number, by first state; DEAD to the removed."""
    numbers: dict[Hashable, int] = {}
    return tuple(
        DEAD if state in removed else numbers.setdefault(note, len(numbers))
        for state, note in enumerate(notes)
    )


def _rounds(targets: tuple[States, ...], blocks: Blocks) -> Iterator[Round]:
    """Yield rounds until one splits nothing."""
    while True:
        notes = [
            (block, *(DEAD if t == DEAD else blocks[t] for t in row))
            for block, row in zip(blocks, targets, strict=True)
        ]
        splits = tuple(_splits(notes))
        gone = [state for state, block in enumerate(blocks) if block == DEAD]
        after = _numbered(notes, gone)
        yield Round(blocks, splits, after)
        if not splits:
            return
        blocks = after


def _splits(notes: list[tuple[int, ...]]) -> Iterator[Split]:
    """Yield the blocks whose states have different notes: own block, then targets'."""
    members: dict[int, dict[tuple[int, ...], list[int]]] = {}
    for state, note in enumerate(notes):
        members.setdefault(note[0], {}).setdefault(note, []).append(state)
    members.pop(DEAD, None)
    for block, by_note in sorted(members.items()):
        if len(by_note) > 1:
            differs = [len(set(column)) > 1 for column in zip(*by_note, strict=True)]
            parts = tuple(tuple(part) for part in by_note.values())
            yield Split(block, differs.index(True) - 1, parts)


def _breadth_first(targets: tuple[States, ...], blocks: Blocks) -> tuple[Met, ...]:
    """Return the blocks in the order in which a walk meets them, bytes in order."""
    met = [Met(blocks[0])]
    seen = {blocks[0], DEAD}
    for source, one in enumerate(met):  # grows while it is read
        for column, target in enumerate(targets[blocks.index(one.block)]):
            block = DEAD if target == DEAD else blocks[target]
            if block not in seen:
                seen.add(block)
                met.append(Met(block, source, column))
    return tuple(met)


def example(dfa: Dfa, longest: int = 24) -> bytes:
    """Return an accepted string that sees many states: no state twice, then the end.

    Printable ASCII first, as it is for people; b"" where nothing is accepted.
    """
    dead = {DEAD, *dead_states(dfa)}
    if 0 in dead:
        return b""
    order = sorted(range(256), key=lambda byte: (not 0x20 < byte < 0x7F, byte))
    data, seen = bytearray(), {0, *dead}
    state = 0
    while len(data) < longest:
        row = dfa.trans[state].tolist()
        byte = next((byte for byte in order if row[byte] not in seen), None)
        if byte is None:
            break
        data.append(byte)
        state = row[byte]
        seen.add(state)
    return bytes(data) + _ending(dfa, run(dfa, bytes(data))[-1], order)


def _ending(dfa: Dfa, state: int, order: list[int]) -> bytes:
    """Return a shortest string from `state` to acceptance; there is one."""
    endings, waiting = {state: b""}, [state]
    for current in waiting:  # grows while it is read
        if dfa.accept[current]:
            return endings[current]
        for byte in order:
            target = int(dfa.trans[current, byte])
            if target != DEAD and target not in endings:
                endings[target] = endings[current] + bytes([byte])
                waiting.append(target)
    return b""
