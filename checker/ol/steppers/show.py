"""From what a reader names – a pattern, an automaton – to the scene of a stepper."""

from __future__ import annotations

from typing import Any

from ol.automata import Malformed, as_dfa, read
from ol.forms import Dfa, Nfa
from ol.paths import UsageError
from ol.stages import pattern_stage, refusal
from ol.steppers.merging import minimize_scene
from ol.steppers.scene import STATES, Scene
from ol.steppers.subsets import subset_scene
from ol.steppers.traces import TooLarge, moore_trace, subset_trace
from ol.steppers.walking import explore_scene

STEPS = 1_500  # more are a film, and a page of over 1 MB
LONGEST = 200  # characters of a string to explore


def explore(x: Any, text: str | None = None) -> Scene:
    """Return the scene of a string through a pattern's NFA and DFA, or through a Dfa.

    Raises UsageError for a pattern that is refused and for what is too large.
    """
    if text is not None and len(text) > LONGEST:
        raise UsageError(f"a string to explore has at most {LONGEST} characters")
    machine, what = _machine(x, "nfa")
    if isinstance(machine, Dfa):
        return explore_scene(_small(machine), None, what, text)
    nfa = machine if len(machine.edges) <= STATES else None
    return explore_scene(_small(_raw(x, machine)), nfa, what, text)


def watch_subset(x: Any) -> Scene:
    """Return the scene of the subset construction on a pattern's NFA, or on an Nfa."""
    machine, what = _machine(x, "nfa")
    if isinstance(machine, Dfa):
        raise UsageError(
            "the subset construction starts from a pattern or an Nfa; this is a Dfa"
        )
    if len(machine.edges) > STATES:
        raise _too_large(f"the NFA has {len(machine.edges):,} states")
    try:
        trace = subset_trace(machine, STATES)
    except TooLarge as error:
        raise _too_large(f"the DFA has {error}") from None
    return _short(subset_scene(trace, what))


def watch_minimize(x: Any) -> Scene:
    """Return the scene of Moore's rounds on a pattern's raw DFA, or on a Dfa."""
    machine, what = _machine(x, "dfa")
    if isinstance(machine, Nfa):
        machine = as_dfa(machine)
    try:
        trace = moore_trace(_small(machine))
    except ValueError as error:
        raise UsageError(str(error)) from None
    return _short(minimize_scene(trace, what))


WATCHERS = {"explore": explore, "subset": watch_subset, "minimize": watch_minimize}


def _machine(x: Any, stage: str) -> tuple[Nfa | Dfa, str]:
    """Return an automaton in the judge's own form, and a name for what it accepts."""
    try:
        if isinstance(x, str):
            return read(pattern_stage(x, stage)), x or "(empty pattern)"
        return read(x), f"your {type(x).__name__}"
    except Malformed as error:
        raise UsageError(str(error)) from None
    except ValueError as error:
        if getattr(error, "kind", None) is None:
            raise
        raise UsageError(refusal(str(x), error)) from None


def _raw(x: Any, nfa: Nfa) -> Dfa:
    """Return the DFA beside an NFA, state for set; of a pattern too large for that,
    the smallest.
    """
    try:
        return subset_trace(nfa, STATES).dfa
    except TooLarge:
        machine, _ = _machine(x, "min") if isinstance(x, str) else (as_dfa(nfa), "")
        return machine if isinstance(machine, Dfa) else as_dfa(machine)


def _small(dfa: Dfa) -> Dfa:
    if dfa.n_states > STATES:
        raise _too_large(f"the DFA has {dfa.n_states:,} states")
    return dfa


def _too_large(why: str) -> UsageError:
    return UsageError(
        f"{why}; a stepper takes at most {STATES}. ol.draw(…) shows the neighbourhood "
        "of the start, ol.table(…) the table. Or take a smaller pattern of the same "
        "kind: a{4} for a{400}."
    )


def _short(scene: Scene) -> Scene:
    if len(scene.spec["steps"]) > STEPS:
        raise _too_large(f"there would be {len(scene.spec['steps']):,} steps")
    return scene
