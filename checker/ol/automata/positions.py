"""Where an Nfa can be after each byte of a string, and where two automata part.

A Dfa takes part as an automaton that is in one state or in none.
"""

from __future__ import annotations

from collections.abc import Collection

from ol.automata.language import as_dfa, epsilon_closure, run
from ol.automata.parting import Parting, Side, after
from ol.automata.states import dead_states
from ol.dot.labels import show_bytes
from ol.forms import DEAD, Dfa, Nfa

Places = frozenset[int]


def trace(machine: Nfa | Dfa, data: bytes) -> list[Places]:
    """Return the states that the automaton can be in after 0, 1, … bytes of `data`."""
    if isinstance(machine, Dfa):
        return [frozenset({state} - {DEAD}) for state in run(machine, data)]
    places = [epsilon_closure(machine, {machine.start})]
    for byte in data:
        moved = {
            target
            for state in places[-1]
            for values, target in machine.edges[state]
            if byte in values
        }
        places.append(epsilon_closure(machine, moved))
    return places


def nfa_parting(mine: Nfa | Dfa, right: Nfa | Dfa, string: bytes) -> Parting:
    """Return where two automata part on a string that exactly one of them accepts.

    That is the first byte after which one can still accept something and the other
    cannot; without such a byte, the end of the string.
    """
    hopes = zip(_hope(mine, string), _hope(right, string), strict=True)
    mine_places, right_places = trace(mine, string), trace(right, string)
    for step, (mine_hopes, right_hopes) in enumerate(hopes):
        if step and mine_hopes != right_hopes:
            before = mine_places[step - 1], right_places[step - 1]
            yours = mine_places[step - 1], mine_places[step]
            text, cause = _step_text(mine, string[:step], yours, mine_hopes)
            sides = [
                _step_side(machine, string[step - 1], places)
                for machine, places in zip((mine, right), before, strict=True)
            ]
            return Parting(text, cause, *sides)
    text, cause = _end_text(mine, string, mine_places[-1])
    ends = [
        Side(places, dashed_states=_accepting(machine))
        for machine, places in ((mine, mine_places[-1]), (right, right_places[-1]))
    ]
    return Parting(text, cause, *ends)


def _hope(machine: Nfa | Dfa, string: bytes) -> list[bool]:
    """After each byte: can some continuation still be accepted?"""
    dfa = as_dfa(machine)
    hopeless = {DEAD, *dead_states(dfa)}
    return [state not in hopeless for state in run(dfa, string)]


def _accepting(machine: Nfa | Dfa) -> Places:
    if isinstance(machine, Nfa):
        return frozenset({machine.accept})
    return frozenset(
        state for state in range(machine.n_states) if machine.accept[state]
    )


def _readers(machine: Nfa | Dfa, byte: int) -> list[int]:
    """Return the states with an edge that reads the byte."""
    if isinstance(machine, Dfa):
        return [q for q, target in enumerate(machine.trans[:, byte]) if target != DEAD]
    return [q for q, row in enumerate(machine.edges) if any(byte in v for v, _ in row)]


def _step_text(
    mine: Nfa | Dfa, read: bytes, places: tuple[Places, Places], hopes: bool
) -> tuple[str, str]:
    """Return the words and the cause for the last byte of `read`.

    `places` are those of yours before and after it; `hopes` is whether yours can still
    accept something then (the expected automaton cannot, or the other way round).
    """
    byte = show_bytes(read[-1:])
    text = f"{after(read[:-1])} yours can be in {states_text(places[0])}; "
    if not places[1]:
        readers = _readers(mine, read[-1])
        where = (
            f"is read in {states_text(readers)} only" if readers else "is read nowhere"
        )
        return f"{text}no edge from there reads {byte}", f"in yours {byte} {where}"
    text += f"on {byte} it goes on to {states_text(places[1])}"
    if hopes:
        return f"{text}, but nothing that begins with {show_bytes(read)} is right", ""
    return text, "from there no path of yours leads to an accepting state"


def _step_side(machine: Nfa | Dfa, byte: int, before: Places) -> Side:
    """Highlight where the automaton can be; dash the edges it takes on the byte."""
    if isinstance(machine, Dfa):
        taken = {(q, byte) for q in before if machine.trans[q, byte] != DEAD}
    else:
        taken = {
            (q, target)
            for q in before
            for values, target in machine.edges[q]
            if byte in values
        }
    return Side(before, taken, () if taken else before)


def _end_text(mine: Nfa | Dfa, string: bytes, now: Places) -> tuple[str, str]:
    accepting = _accepting(mine)
    text = f"{after(string)} yours can be in {states_text(now)}; "
    if now & accepting:
        names = states_text(now & accepting)
        cause = ""
        if not string and isinstance(mine, Nfa):
            cause = "ε-edges alone lead from the start to the accepting state"
        return text + f"{names} is accepting", cause
    if isinstance(mine, Dfa):
        return text + "none of them is accepting", ""
    return (
        text + f"the accepting state {mine.accept} is not among them",
        f"no path of ε-edges leads from there to the accepting state {mine.accept}",
    )


def states_text(states: Collection[int]) -> str:
    """Return `state 3`, `states 3, 4, 7` or `no state`; long sets are cut."""
    names = sorted(states)
    if not names:
        return "no state"
    text = ", ".join(map(str, names[:8])) + ", …" * (len(names) > 8)
    return f"state{'s' * (len(names) > 1)} {text}"
