"""The drawings of nondeterministic and deterministic automata.

The builders take whatever has the fields of `ol.forms.Nfa` or `ol.forms.Dfa` and is
well formed (`ol.automata.read_nfa` and `read_dfa` make sure). The same automaton gives
the same source, byte for byte: states breadth-first from the start, edges in byte
order.

Ids for the steppers: a state is `q5`, an edge `e4_5`; an ε-edge beside it
`e4_5_epsilon`, the part of it that is dashed as wrong `e4_5_wrong`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ol.dot.graph import (
    BLOCK_FILLS,
    BLOCK_LINES,
    HIGHLIGHT,
    QUIET,
    WRONG,
    attributes,
    block_letter,
    digraph,
)
from ol.dot.labels import byte_label

LIMIT, SHOWN = 40, 30  # a larger automaton is cut after so many states from the start

BYTES, EPSILON, DIFFERENT = "bytes", "epsilon", "wrong"


@dataclass(frozen=True)
class Edge:
    """One arrow of a drawing; `values` are the bytes it reads, empty for ε."""

    source: int
    target: int
    values: frozenset[int]
    kind: str = BYTES
    text: str = ""  # of a whole run of bytes, in place of the values

    @property
    def label(self) -> str:
        """The text beside the arrow."""
        if self.text:
            return self.text
        return (
            "ε" if self.kind == EPSILON or not self.values else byte_label(self.values)
        )

    @property
    def name(self) -> str:
        """The id in the SVG."""
        suffix = "" if self.kind == BYTES else f"_{self.kind}"
        return f"e{self.source}_{self.target}{suffix}"


@dataclass(frozen=True)
class Marks:
    """What a drawing points out: states and edges, and each state's block."""

    highlight: Collection[int] = ()
    dashed_states: Collection[int] = ()
    blocks: Sequence[int] | None = None


def nfa_dot(
    nfa: Any,
    highlight: Collection[int] = (),
    dashed_edges: Collection[tuple[int, int]] = (),
    dashed_states: Collection[int] = (),
) -> str:
    """Return DOT source of an Nfa, or of a fragment whose accept is not reachable.

    `highlight`, `dashed_states`: state numbers. `dashed_edges`: (source, target).
    """
    dashed = frozenset(dashed_edges)

    def leaving(state: int) -> list[Edge]:
        return nfa_edges(nfa, state, dashed)

    marks = Marks(frozenset(highlight), frozenset(dashed_states))
    return automaton_dot(range(len(nfa.edges)), nfa.start, {nfa.accept}, leaving, marks)


def dfa_dot(
    dfa: Any,
    highlight: Collection[int] = (),
    dashed_edges: Collection[tuple[int, int]] = (),
    dashed_states: Collection[int] = (),
    blocks: Sequence[int] | None = None,
) -> str:
    """Return DOT source of a Dfa; edges to DEAD are not drawn.

    `highlight`, `dashed_states`: state numbers. `dashed_edges`: (state, byte).
    `blocks`: one block number per state, shown as letter, colour and line style.
    """
    dashed = frozenset(dashed_edges)
    accepting = set(np.flatnonzero(dfa.accept).tolist())

    def leaving(state: int) -> list[Edge]:
        return dfa_edges(dfa, state, dashed)

    marks = Marks(frozenset(highlight), frozenset(dashed_states), blocks)
    return automaton_dot(range(int(dfa.n_states)), 0, accepting, leaving, marks)


def nfa_edges(
    nfa: Any, state: int, dashed: Collection[tuple[int, int]] = ()
) -> list[Edge]:
    """Return the edges that leave `state`, one per target, bytes first, then ε."""
    read: dict[int, frozenset[int]] = {}
    for values, target in nfa.edges[state]:
        read[target] = read.get(target, frozenset()) | frozenset(values)
    edges = [
        Edge(state, target, values, DIFFERENT if (state, target) in dashed else BYTES)
        for target, values in sorted(
            read.items(), key=lambda item: (sorted(item[1]), item)
        )
    ]
    return edges + [
        Edge(
            state,
            target,
            frozenset(),
            DIFFERENT if (state, target) in dashed else EPSILON,
        )
        for target in sorted(set(nfa.epsilon[state]))
    ]


def dfa_edges(
    dfa: Any, state: int, dashed: Collection[tuple[int, int]] = ()
) -> list[Edge]:
    """Return the live edges that leave `state`, by least byte; dashed bytes apart."""
    read: dict[tuple[int, str], set[int]] = {}
    for byte, target in enumerate(dfa.trans[state].tolist()):
        if target >= 0:
            kind = DIFFERENT if (state, byte) in dashed else BYTES
            read.setdefault((target, kind), set()).add(byte)
    return [
        Edge(state, target, frozenset(values), kind)
        for (target, kind), values in read.items()
    ]


def breadth_first(
    states: Collection[int],
    start: int,
    leaving: Callable[[int], list[Edge]],
    limit: int,
) -> list[int]:
    """Return up to `limit` states from the start on, then those it does not reach."""
    order, waiting, met = [start], deque([start]), {start}
    while waiting and len(order) < limit:
        for edge in leaving(waiting.popleft()):
            if edge.target not in met:
                met.add(edge.target)
                order.append(edge.target)
                waiting.append(edge.target)
    order += (state for state in states if state not in met)
    return order[:limit]


def automaton_dot(
    states: Collection[int],
    start: int,
    accepting: Collection[int],
    leaving: Callable[[int], list[Edge]],
    marks: Marks,
) -> str:
    """Return DOT source of `states` and of the edges that `leaving` gives for each."""
    n_states = len(states)
    limit = n_states if n_states <= LIMIT else SHOWN
    order = breadth_first(states, start, leaving, limit)
    order += _pointed_out(leaving, marks, order)
    shown = frozenset(order)
    lines = [
        "node [shape=circle, width=0.32, height=0.32, margin=0.02];",
        'start [shape=none, label="", width=0, height=0, tooltip="start"];',
    ]
    lines += [_state_line(state, state == start, accepting, marks) for state in order]
    lines.append(f'start -> q{start} [id="start", tooltip="start"];')
    edges = [edge for state in order for edge in leaving(state)]
    lines += [_edge_line(edge) for edge in edges if edge.target in shown]
    if len(order) < n_states:
        lines += _more_lines(n_states - len(order), edges, shown)
    return digraph(lines)


def _pointed_out(
    leaving: Callable[[int], list[Edge]], marks: Marks, order: list[int]
) -> list[int]:
    """Return the states a drawing must show although the neighbourhood ends before."""
    marked = sorted({*marks.highlight, *marks.dashed_states})[:8]
    ends = [
        edge.target for q in marked for edge in leaving(q) if edge.kind == DIFFERENT
    ]
    return [state for state in dict.fromkeys([*marked, *ends]) if state not in order]


def _state_line(
    state: int, is_start: bool, accepting: Collection[int], marks: Marks
) -> str:
    words = [f"state {state}", *["start"] * is_start]
    look: dict[str, str | float] = {"id": f"q{state}", "label": str(state)}
    if state in accepting:
        words.append("accepting")
        look["shape"] = "doublecircle"
    if marks.blocks is not None:
        block = int(marks.blocks[state])
        words.append(f"block {block_letter(block)}")
        look["label"] = f"{state}\n{block_letter(block)}"
        look["fillcolor"] = BLOCK_FILLS[block % len(BLOCK_FILLS)]
        look["style"] = f"filled,{BLOCK_LINES[block % len(BLOCK_LINES)]}"
    if state in marks.highlight:
        words.append("highlighted")
        look |= {"fillcolor": HIGHLIGHT, "penwidth": 2.2}
    if state in marks.dashed_states:
        words.append("the difference")
        look |= {"style": "filled,dashed", "color": WRONG, "penwidth": 2}
    return f"q{state} {attributes(**look, tooltip=', '.join(words))};"


def _edge_line(edge: Edge) -> str:
    full = edge.text or ("ε" if edge.label == "ε" else byte_label(edge.values, None))
    words = f"from {edge.source} by {full} to {edge.target}"
    look: dict[str, str | float] = {"label": f" {edge.label} ", "id": edge.name}
    if edge.kind == EPSILON:
        look |= {"style": "dotted", "color": QUIET, "fontcolor": QUIET, "penwidth": 1.4}
    if edge.kind == DIFFERENT:
        words += ", the difference"
        look |= {"style": "dashed", "color": WRONG, "fontcolor": WRONG, "penwidth": 2}
    return f"q{edge.source} -> q{edge.target} {attributes(**look, tooltip=words)};"


def _more_lines(hidden: int, edges: list[Edge], shown: Collection[int]) -> list[str]:
    text = f"… and {hidden:,} more state{'s' * (hidden > 1)}"
    lines = [f"more {attributes(shape='plaintext', label=text, tooltip=text)};"]
    leading_out = dict.fromkeys(
        edge.source for edge in edges if edge.target not in shown
    )
    look = attributes(color=QUIET, tooltip="to states not shown")
    return lines + [f"q{state} -> more {look};" for state in leading_out]
