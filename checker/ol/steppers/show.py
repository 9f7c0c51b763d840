"""From what a reader names – a pattern, an automaton – to the scene of a stepper."""

from __future__ import annotations

from typing import Any

from ol.automata import Malformed, as_dfa, read
from ol.dot.machines import LIMIT as DRAWN
from ol.forms import Dfa, Nfa
from ol.paths import UsageError
from ol.stages import pattern_stage, refusal
from ol.steppers.merging import minimize_scene
from ol.steppers.scene import STATES, Scene
from ol.steppers.subsets import subset_scene
from ol.steppers.traces import SubsetTrace, TooLarge, moore_trace, subset_trace
from ol.steppers.walking import explore_scene

STEPS = 1_500  # more are a film, and a page of over 1 MB
LONGEST = 200  # characters of a string to explore


def explore(x: Any, text: str | None = None) -> Scene:
    """Return the scene of a string through a pattern's NFA and DFA, or through a Dfa.

    Where the NFA is too large to be drawn, the smallest DFA stands alone.
    Raises UsageError for a pattern that is refused and for what is too large.
    """
    if text is not None and len(text) > LONGEST:
        raise UsageError(f"a string to explore has at most {LONGEST} characters")
    machine, what = _machine(x, "nfa")
    if isinstance(machine, Dfa):
        return explore_scene(_small(machine), None, what, text)
    if len(machine.edges) <= DRAWN:
        return explore_scene(_traced(machine).dfa, machine, what, text)
    scene = explore_scene(_small(_smallest(x, machine)), None, what, text)
    note = f"DFA (its NFA has {len(machine.edges):,} states, too many to draw):"
    scene.spec["figures"][0]["caption"] = note
    return scene


def watch_subset(x: Any) -> Scene:
    """Return the scene of the subset construction on a pattern's NFA, or on an Nfa."""
    machine, what = _machine(x, "nfa")
    if isinstance(machine, Dfa):
        raise UsageError(
            "the subset construction starts from a pattern or an Nfa; this is a Dfa"
        )
    if len(machine.edges) > STATES:
        raise _too_large(f"the NFA has {len(machine.edges):,} states")
    return _short(subset_scene(_traced(machine), what))


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


def _traced(nfa: Nfa) -> SubsetTrace:
    try:
        return subset_trace(nfa, STATES)
    except TooLarge as error:
        raise _too_large(f"the DFA has {error}") from None


def _smallest(x: Any, nfa: Nfa) -> Dfa:
    """Return the DFA to show alone where the NFA is too large to be drawn."""
    if isinstance(x, str):
        machine, _ = _machine(x, "min")
        return as_dfa(machine)
    return as_dfa(nfa)


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
