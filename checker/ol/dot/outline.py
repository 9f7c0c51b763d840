"""An automaton in outline: a run of states without a choice is one arrow.

A call of a tool is mostly text that is fixed, a state for every byte of it. What a
reader wants to see is where the ways part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ol.dot.labels import byte_name
from ol.dot.machines import Edge, Marks, automaton_dot, dfa_edges

LONGEST = 40  # characters on an arrow; a longer text is cut in the middle


def outline_dot(dfa: Any) -> str:
    """Return DOT source of a Dfa whose forced runs are single arrows."""
    edges = outline_edges(dfa)
    accepting = set(np.flatnonzero(dfa.accept).tolist())
    return automaton_dot(edges, 0, accepting, edges.__getitem__, Marks())


def outline_edges(dfa: Any) -> dict[int, list[Edge]]:
    """Return the edges that leave each state that stays, the start first."""
    leaving = {state: dfa_edges(dfa, state) for state in range(int(dfa.n_states))}
    entering = dict.fromkeys(leaving, 0)
    for edges in leaving.values():
        for edge in edges:
            entering[edge.target] += 1
    inside = {
        state
        for state, edges in leaving.items()
        if state and not dfa.accept[state] and entering[state] == 1
        if len(edges) == 1 and len(edges[0].values) == 1
    }
    return {
        state: [_joined(edge, leaving, inside) for edge in edges]
        for state, edges in leaving.items()
        if state not in inside
    }


def _joined(edge: Edge, leaving: dict[int, list[Edge]], inside: set[int]) -> Edge:
    """Follow an edge through the states inside a run; a class of bytes may begin it."""
    text, target = edge.label, edge.target
    while target in inside:
        [step] = leaving[target]
        text += byte_name(*step.values)
        target = step.target
    if target == edge.target:
        return edge
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 :]}"
    return Edge(edge.source, target, edge.values, edge.kind, text)
