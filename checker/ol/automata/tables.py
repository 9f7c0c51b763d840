"""What keeps two tables of one language apart: states too many, or other numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ol.automata.language import Product
from ol.automata.states import dead_states, unreachable_states
from ol.dot.labels import show_bytes
from ol.forms import DEAD, Dfa


@dataclass
class Finding:
    """The first difference in words, its cause, the states to dash on either side."""

    text: str
    cause: str
    yours: Collection[int] = ()
    expected: Collection[int] = ()


def table_finding(mine: Dfa, right: Dfa) -> Finding:
    """Say why two different tables accept the same language.

    Yours is only blamed for what the expected table does not do itself: a raw subset
    construction, for example, is expected to keep equivalent states.
    """
    counts = f"{mine.n_states:,} states instead of {right.n_states:,}"
    size = "same language" + f", {counts}" * (mine.n_states != right.n_states)
    unreachable, dead = unreachable_states(mine), dead_states(mine)
    if unreachable and not unreachable_states(right):
        cause = f"state {unreachable[0]} cannot be reached from the start"
        return Finding(size, cause + _more(unreachable), unreachable)
    if dead and not dead_states(right):
        cause = f"state {dead[0]} is dead: no accepting state can be reached from it"
        return Finding(size, cause + _more(dead), dead)
    return _numbering_finding(mine, right) or _merging_finding(mine, right, size)


def _more(states: list[int]) -> str:
    return f" (one of {len(states)} such states)" if len(states) > 1 else ""


def _numbering_finding(mine: Dfa, right: Dfa) -> Finding | None:
    """Return the first state with another number, if numbers are all that differs."""
    product = Product(mine, right)
    pairs = [pair for pair in product if pair != (DEAD, DEAD)]
    one_to_one = len(pairs) == len({p for p, _ in pairs}) == len({q for _, q in pairs})
    if not one_to_one or len(pairs) != mine.n_states or len(pairs) != right.n_states:
        return None
    p, q = next(pair for pair in pairs if pair[0] != pair[1])
    reached = show_bytes(product.string((p, q)))
    rule = ""
    if [state for _, state in pairs] == list(range(right.n_states)):
        rule = "breadth-first from the start, bytes in order, "
    cause = f"{rule}the state reached by {reached} is {q}; yours calls it {p}"
    return Finding("same language, numbered differently", cause, [p], [q])


def _merging_finding(mine: Dfa, right: Dfa, size: str) -> Finding:
    """Name two strings after which one automaton is in one state, the other in two.

    The languages are the same, so two states of yours that stand beside one expected
    state have the same future: they are Myhill–Nerode equivalent.
    """
    product = Product(mine, right)
    of_mine: dict[int, int] = {}
    of_right: dict[int, int] = {}
    for p, q in product:
        first_q, first_p = of_mine.setdefault(p, q), of_right.setdefault(q, p)
        if (first_p, first_q) == (p, q):
            continue
        earlier = (p, first_q) if first_q != q else (first_p, q)
        strings = [show_bytes(product.string(pair)) for pair in (earlier, (p, q))]
        where = f"after {strings[0]} and after {strings[1]}"
        if DEAD not in (first_p, p) and first_p != p:
            cause = f"states {first_p} and {p} cannot be told apart: {where} "
            size = size.replace("language,", "language, not minimal:")
            return Finding(size, cause + "the same may follow", {first_p, p}, {q})
        cause = f"{where} yours is in {_states_text(first_p, p)}, "
        cause += f"expected in {_states_text(first_q, q)}"
        return Finding(size, cause, {first_p, p} - {DEAD}, {first_q, q} - {DEAD})
    return Finding(size, "the tables differ in states that no string leads to")


def _states_text(first: int, second: int) -> str:
    if first == second:
        return f"one state, {_name(first)}"
    return f"two, {_name(first)} and {_name(second)}"


def _name(state: int) -> str:
    return "DEAD" if state == DEAD else str(state)
