"""What a Dfa's states are worth: reachable or not, dead or live, alike or different."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ol.automata.language import byte_classes, first_bytes
from ol.forms import DEAD, Dfa


def unreachable_states(dfa: Dfa) -> list[int]:
    """Return, ascending, the states that no string leads to."""
    reached, waiting = {0}, [0]
    while waiting:
        targets = set(dfa.trans[waiting.pop()].tolist()) - reached - {DEAD}
        reached |= targets
        waiting += targets
    return [state for state in range(dfa.n_states) if state not in reached]


def dead_states(dfa: Dfa) -> list[int]:
    """Return, ascending, the states from which no accepting state can be reached."""
    sources: dict[int, list[int]] = {}
    for state, row in enumerate(dfa.trans):
        for target in set(row.tolist()):
            sources.setdefault(target, []).append(state)
    waiting = np.flatnonzero(dfa.accept).tolist()
    live = set(waiting)
    while waiting:
        sources_here = set(sources.get(waiting.pop(), ())) - live
        live |= sources_here
        waiting += sources_here
    return [state for state in range(dfa.n_states) if state not in live]


def equivalent_states(dfa: Dfa) -> list[list[int]]:
    """Return the Myhill–Nerode classes: states after which the same may follow.

    Blocks are sorted inside and by their first state. DEAD takes part as one more
    state, so that a dead state is not told from it, but it stands in no block. Source:
    Moore, "Gedanken-experiments on Sequential Machines", 1956, theorem 4.
    """
    letters = first_bytes(byte_classes(dfa.trans))
    trans = np.vstack([dfa.trans[:, letters], np.full((1, len(letters)), DEAD)])
    blocks = np.append(dfa.accept, False).astype(np.int64)
    count = len(set(blocks.tolist()))
    while True:
        # A state's signature: its own block and the block that each byte leads to.
        blocks = _number_rows(np.column_stack([blocks, blocks[trans]]))
        refined = int(blocks.max()) + 1
        if refined == count:
            break
        count = refined
    groups: dict[int, list[int]] = {}
    for state, block in enumerate(blocks[:-1].tolist()):
        groups.setdefault(block, []).append(state)
    return list(groups.values())


def _number_rows(signatures: NDArray[np.int64]) -> NDArray[np.int64]:
    numbers: dict[bytes, int] = {}
    rows = np.ascontiguousarray(signatures)
    return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows])
