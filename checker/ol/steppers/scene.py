"""What a stepper shows, as data for the browser: figures, a table, steps, sentences.

A `Scene` is what the three watchers make and what the widget and the page show. `spec`
is JSON for stepper.js, which says there what each key means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ol.automata import dead_states
from ol.dot import byte_label, dfa_dot, nfa_dot
from ol.dot.labels import ranges
from ol.dot.machines import LIMIT, Edge, dfa_edges, nfa_edges
from ol.forms import Dfa, Nfa
from ol.pictures import Drawing, render
from ol.pictures.words import dfa_words, nfa_words

STATES = 200  # the most that a stepper takes; only those up to ol.dot's LIMIT are drawn
MEMBERS = 14  # of a set that a sentence names
IDENTITY = re.compile(r'\bid="([^"]+)"')

Json = dict[str, Any]


@dataclass
class Scene:
    """One stepper, ready to be shown anywhere.

    `state_at(step, text)` is what Python reads back; `still` are pictures for where
    nothing moves.
    """

    spec: Json
    still: tuple[Drawing, ...]
    state_at: Callable[[int, str], Any] = field(repr=False)

    @property
    def title(self) -> str:
        """What is watched, in words."""
        return str(self.spec["title"])

    @property
    def text(self) -> str:
        """The string to begin with; empty where there is none."""
        return str(self.spec.get("text", ""))


def nfa_figure(nfa: Nfa, caption: str) -> Json:
    """Return an NFA as the browser needs it: its picture, and its edges to walk."""
    edges = [edge for q in range(len(nfa.edges)) for edge in nfa_edges(nfa, q)]
    return _figure("nfa", caption, len(nfa.edges), edges) | {
        "svg": _svg(len(nfa.edges), lambda: nfa_dot(nfa)),
        "alt": nfa_words(nfa),
        "start": nfa.start,
        "accepting": [nfa.accept],
    }


def dfa_figure(
    dfa: Dfa, caption: str, name: str = "dfa", blocks: Sequence[int] | None = None
) -> Json:
    """Return a DFA likewise; with `blocks`, each state has a second line for a
    letter.
    """
    edges = [edge for q in range(dfa.n_states) for edge in dfa_edges(dfa, q)]
    dead = dead_states(dfa)
    return _figure(name, caption, dfa.n_states, edges) | {
        "svg": _svg(dfa.n_states, lambda: dfa_dot(dfa, blocks=blocks)),
        "alt": dfa_words(dfa),
        "start": 0,
        "accepting": np.flatnonzero(dfa.accept).tolist(),
        "dead": dead,
        "may": [_may_follow(dfa, state, dead) for state in range(dfa.n_states)],
    }


def _figure(name: str, caption: str, n_states: int, edges: list[Edge]) -> Json:
    return {
        "name": name,
        "caption": caption,
        "states": n_states,
        "edges": [
            [edge.name, edge.source, edge.target, edge.label, ranges(edge.values)]
            for edge in edges
        ],
    }


def _svg(n_states: int, dot: Callable[[], str]) -> str | None:
    """Return the picture with `data-id` for `id`: a page may hold it many times."""
    svg = render(dot()) if n_states <= LIMIT else None
    return IDENTITY.sub(r'data-id="\1"', svg) if svg else None


def _may_follow(dfa: Dfa, state: int, dead: Collection[int]) -> str:
    """Return the bytes after which acceptance can still be reached; "" for none."""
    row = dfa.trans[state]
    live = np.flatnonzero((row >= 0) & ~np.isin(row, list(dead))).tolist()
    return byte_label(live, 60) if live else ""


def state_set(states: Collection[int]) -> str:
    """Return `{1, 2}` as a sentence says it; a large set is cut and counted."""
    names = sorted(states)
    if len(names) <= MEMBERS:
        return "{" + ", ".join(map(str, names)) + "}"
    shown = ", ".join(map(str, names[: MEMBERS - 4]))
    return f"{{{shown}, …}} ({len(names)} states)"


def states_text(states: Collection[int]) -> str:
    """Return `state 3` or `states 1, 2 and 5`."""
    names = list(map(str, sorted(states)))
    if len(names) == 1:
        return f"state {names[0]}"
    if len(names) > MEMBERS:
        return f"{len(names)} states ({', '.join(names[: MEMBERS - 4])}, …)"
    return f"states {', '.join(names[:-1])} and {names[-1]}"
