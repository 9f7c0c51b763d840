"""A drawing in words: what its `alt` text says to those who do not see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ol.dot.labels import byte_label
from ol.dot.machines import Edge, dfa_edges, nfa_edges
from ol.dot.tree import children, describe, walk
from ol.forms import Dfa, Nfa

ENOUGH = 12  # states (or nodes) that are told one by one; the table has the others


def dfa_words(dfa: Dfa) -> str:
    """Return a Dfa in a few sentences."""
    accepting = np.flatnonzero(dfa.accept).tolist()
    head = f"Deterministic automaton with {_count(dfa.n_states)}; start 0; "
    return head + _rest(dfa.n_states, accepting, lambda state: dfa_edges(dfa, state))


def nfa_words(nfa: Nfa) -> str:
    """Return an Nfa in a few sentences."""
    n_states = len(nfa.edges)
    head = f"Nondeterministic automaton with {_count(n_states)}; start {nfa.start}; "
    return head + _rest(n_states, [nfa.accept], lambda state: nfa_edges(nfa, state))


def _count(n_states: int) -> str:
    return f"{n_states:,} state{'s' * (n_states != 1)}"


def _rest(
    n_states: int, accepting: Sequence[int], leaving: Callable[[int], list[Edge]]
) -> str:
    names = ", ".join(map(str, accepting[:ENOUGH])) + ", …" * (len(accepting) > ENOUGH)
    sentences = [f"accepting {names or 'none'}."]
    for state in range(min(n_states, ENOUGH)):
        steps = [f"{_reads(edge)} to {edge.target}" for edge in leaving(state)]
        if steps:
            sentences.append(f"From {state}: {', '.join(steps)}.")
    if n_states > ENOUGH:
        sentences.append("The other states are in the table.")
    return " ".join(sentences)


def _reads(edge: Edge) -> str:
    return byte_label(edge.values, 40) if edge.values else "ε"


def arrow_words(arrows: Sequence[tuple[str, str, str]]) -> str:
    """Return a machine with named states, arrow by arrow."""
    told = "; ".join(f"from {a} by {label} to {b}" for a, label, b in arrows)
    return f"Machine that starts in {arrows[0][0]}: {told}."


def tree_words(root: Any) -> str:
    """Return a tree as a nested expression in words, or its size when it is large."""
    spots = walk(root)
    head = f"Syntax tree of {len(spots):,} node{'s' * (len(spots) != 1)}"
    return f"{head}: {_nested(root)}." if len(spots) <= 2 * ENOUGH else f"{head}."


def _nested(node: Any) -> str:
    below = ", ".join(map(_nested, children(node)))
    return f"{describe(node)} ({below})" if below else describe(node)
