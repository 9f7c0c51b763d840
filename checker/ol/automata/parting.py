"""Where the runs of two Dfas on one string part, and why the languages differ.

Two runs have no step at which one is "wrong" by itself: states are only numbers. So
each state of yours is given a partner, the expected state it stands for, and the runs
part at the first step that leads yours to a state with another partner than the
expected run's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from ol.automata.language import Pair, Product, run, shortest_difference
from ol.automata.states import dead_states
from ol.dot.labels import byte_label, show_bytes
from ol.forms import DEAD, Dfa


@dataclass
class Side:
    """What one drawing points out; edges are as the builder of its kind wants them."""

    highlight: Collection[int] = ()
    dashed_edges: Collection[tuple[int, int]] = ()
    dashed_states: Collection[int] = ()


@dataclass
class Parting:
    """The place where two runs part: in words, its cause, and what to dash."""

    text: str
    cause: str = ""
    yours: Side = field(default_factory=Side)
    expected: Side = field(default_factory=Side)


def after(prefix: bytes) -> str:
    """Return `at the start` or `after "ab"`."""
    return f"after {show_bytes(prefix)}" if prefix else "at the start"


def dfa_parting(mine: Dfa, right: Dfa, string: bytes) -> Parting:
    """Return where the runs on a string that one of the two accepts part."""
    mine_run, right_run = run(mine, string), run(right, string)
    partners = _partners(mine, right)
    mine_dead, right_dead = {DEAD, *dead_states(mine)}, {DEAD, *dead_states(right)}
    for step, (p, q) in enumerate(zip(mine_run, right_run, strict=True)):
        both_dead = p in mine_dead and q in right_dead
        if step and partners.get(p) != q and not both_dead:
            pairs = (mine_run[step - 1], p), (right_run[step - 1], q)
            return _edge_parting(mine, right, string[:step], *pairs)
    return _final_parting(mine, right, (mine_run[-1], right_run[-1]), string)


def _partners(mine: Dfa, right: Dfa) -> dict[int, int]:
    """Return for states of yours the expected state they stand for.

    Where half of the rows agree as they stand, yours is numbered like the expected
    table and a state's partner is its namesake; else the first one met together with
    it.
    """
    rows = min(mine.n_states, right.n_states)
    alike = (mine.trans[:rows] == right.trans[:rows]).all(axis=1).sum()
    if 2 * int(alike) >= max(mine.n_states, right.n_states):
        return {state: state for state in range(DEAD, mine.n_states)}
    partners = {DEAD: DEAD}
    for p, q in Product(mine, right):
        if q != DEAD:
            partners.setdefault(p, q)
    return partners


def _edge_parting(
    mine: Dfa, right: Dfa, read: bytes, yours: Pair, expected: Pair
) -> Parting:
    """Describe runs that part on the last byte of `read`; the pairs are (from, to)."""
    (p, p_next), (q, q_next) = yours, expected
    where, byte = after(read[:-1]), show_bytes(read[-1:])
    if p_next == DEAD:
        text = f"{where} yours is in state {p}, which has no edge for {byte}; "
        text += f"expected goes from state {q} to state {q_next}"
    elif q_next == DEAD:
        text = f"{where} yours goes from state {p} to state {p_next} on {byte}; "
        text += f"expected has no edge for it in state {q}"
    else:
        text = f"{where}, on {byte}, yours goes from state {p} to state {p_next}, "
        text += f"expected from state {q} to state {q_next}"
    bytes_alike = np.flatnonzero((mine.trans[p] == p_next) & (right.trans[q] == q_next))
    cause = _bytes_cause(mine, right, p, q) if DEAD in (p_next, q_next) else ""
    return Parting(
        text,
        cause or _merge_cause(mine, right, read, p_next, q_next),
        _dfa_side(p, p_next, bytes_alike.tolist()),
        _dfa_side(q, q_next, bytes_alike.tolist()),
    )


def _dfa_side(state: int, target: int, values: list[int]) -> Side:
    """Dash the edge, or the state where one is missing."""
    if target == DEAD:
        return Side(dashed_states={state})
    return Side({state}, {(state, byte) for byte in values})


def _bytes_cause(mine: Dfa, right: Dfa, p: int, q: int) -> str:
    reads = [
        byte_label(np.flatnonzero(row != DEAD).tolist(), 60)
        for row in (mine.trans[p], right.trans[q])
    ]
    if reads[0] == reads[1]:
        return ""
    return f"in state {p} yours reads {reads[0]}, expected reads {reads[1]}"


def _merge_cause(mine: Dfa, right: Dfa, read: bytes, p: int, q: int) -> str:
    """Name two strings that yours cannot tell apart, and what would tell them apart."""
    if DEAD in (p, q):
        return ""
    product = Product(mine, right)
    for pair in product:
        if pair[0] != p or pair[1] in (q, DEAD):
            continue
        rest = shortest_difference(right, right, start=(q, pair[1]))
        if rest is not None:
            other = show_bytes(product.string(pair))
            then = f"followed by {show_bytes(rest)}" if rest else "accepted as it is"
            same = f"after {show_bytes(read)} and after {other} alike"
            return f"yours is in state {p} {same}, but only one may be {then}"
    return ""


def _final_parting(mine: Dfa, right: Dfa, ends: Pair, string: bytes) -> Parting:
    """Describe runs that agree to the end, where one state accepts and one does not."""
    texts = [_stop(dfa, state) for dfa, state in zip((mine, right), ends, strict=True)]
    text = f"{after(string)} yours is in {texts[0]}; expected is in {texts[1]}"
    cause = _flags_cause(mine, right) or _merge_cause(mine, right, string, *ends)
    sides = [Side(dashed_states={state} - {DEAD}) for state in ends]
    return Parting(text, cause, *sides)


def _stop(dfa: Dfa, state: int) -> str:
    if state == DEAD:
        return "no state"
    return f"state {state}, which is {'' if dfa.accept[state] else 'not '}accepting"


def _flags_cause(mine: Dfa, right: Dfa) -> str:
    if not np.array_equal(mine.trans, right.trans):
        return ""
    states = np.flatnonzero(mine.accept != right.accept).tolist()
    names = ", ".join(map(str, states[:5])) + ", …" * (len(states) > 5)
    plural = "s" * (len(states) > 1)
    return f"every transition is right; accept is wrong for state{plural} {names}"


def language_cause(mine: Dfa, right: Dfa) -> str:
    """Return a cause that explains the whole difference, or "" if none is obvious.

    Names no state, so that it may be said of an Nfa made into a Dfa, too.
    """
    if not mine.accept.any():
        return "no accepting state can be reached: yours accepts nothing"
    if 0 in dead_states(mine):
        return "no accepting state can be reached from the start: yours accepts nothing"
    if shortest_difference(mine, _with_endings(right)) is None:
        return "yours accepts whatever BEGINS with a right string, not only whole ones"
    return ""


def _with_endings(dfa: Dfa) -> Dfa:
    """Return the automaton that accepts every extension of an accepted string."""
    trans = dfa.trans.copy()
    accepting = np.flatnonzero(dfa.accept)
    trans[accepting] = accepting[:, np.newaxis]
    return Dfa(dfa.n_states, dfa.accept, trans)
