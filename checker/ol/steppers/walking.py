"""`explore`: a string through an NFA and a DFA, byte by byte.

The walk itself is stepper.js's: a reader types any string, with Python or without.
"""

from __future__ import annotations

from ol.automata import run
from ol.forms import Dfa, Nfa
from ol.pictures import draw
from ol.steppers.scene import Scene, dfa_figure, nfa_figure
from ol.steppers.traces import example

LEGEND = {
    "now": "may stand here",
    "taken": "edge just taken",
    "may": "may follow",
    "was": "stood here before",
    "died": "died here",
    "ring": "accepts",
}


def _typed(data: bytes) -> str:
    """Return what a person would type; "" for bytes that nobody can."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return ""


def explore_scene(dfa: Dfa, nfa: Nfa | None, what: str, text: str | None) -> Scene:
    """Return the scene of a Dfa, beside it the Nfa that it came from, if there is one.

    `what` names the language in the title; without `text` an example is found.
    """
    figures, legend = [dfa_figure(dfa, "DFA:")], {**LEGEND}
    if nfa is None:
        del legend["was"]
    else:
        figures.insert(0, nfa_figure(nfa, "NFA, all guesses at once:"))
    if text is None:
        text = _typed(example(dfa))
    spec = {
        "what": "explore",
        "title": f"{what}: a string, byte by byte",
        "figures": figures,
        "text": text,
        "legend": legend,
    }

    def state_at(step: int, text: str) -> int:
        states = run(dfa, text.encode("utf-8", "replace"))
        return states[min(step, len(states) - 1)]

    return Scene(spec, (draw(dfa, title=what),), state_at)
