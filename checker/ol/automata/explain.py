"""Why two automata are not the same: the shortest string, the place, the likely cause.

By language first, by table second. An expected automaton is the judge's own, so a
`Malformed` one is an error of the tool and raised; a malformed one of the learner is an
answer like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ol.automata.language import accepts, as_dfa, shortest_difference
from ol.automata.parting import Side, dfa_parting, language_cause
from ol.automata.positions import nfa_parting
from ol.automata.reading import SHAPES, Malformed, kind_of, read, read_dfa, said
from ol.automata.tables import table_finding
from ol.dot.labels import show_bytes
from ol.dot.machines import dfa_dot, nfa_dot
from ol.forms import Dfa, Nfa


@dataclass
class Difference:
    """Two automata told apart; every field is text a person can read as it stands.

    `pictures` are (title, DOT source), the learner's first, the difference dashed.
    """

    yours: str
    expected: str
    first_difference: str
    cause: str
    pictures: list[tuple[str, str]] = field(default_factory=list)


def explain_dfa(yours: Any, expected: Any) -> Difference | None:
    """Compare two Dfas table by table; None iff they are identical.

    Different languages come first (the shortest string on which they differ), then what
    keeps two tables of one language apart, last the number types of the arrays.
    """
    right = read_dfa(expected)
    try:
        mine = read_dfa(yours)
    except Malformed as error:
        return malformed(yours, "Dfa", error)
    string = shortest_difference(mine, right)
    if string is not None:
        return _explain_dfa_string(mine, right, string)
    if not (np.array_equal(mine.trans, right.trans) and _same_flags(mine, right)):
        return _explain_table(mine, right)
    return _explain_types(yours, mine)


def explain_language(yours: Any, expected: Any) -> Difference | None:
    """Compare two automata of either kind by language only; None iff it is the same.

    Pictures show the automata as they are, an Nfa as an Nfa.
    """
    right = read(expected)
    try:
        mine = read(yours)
        string = shortest_difference(mine, right)
    except Malformed as error:
        return malformed(yours, _kind(yours, expected), error)
    if string is None:
        return None
    if isinstance(mine, Dfa) and isinstance(right, Dfa):
        return _explain_dfa_string(mine, right, string)
    return _explain_nfa_string(mine, right, string)


def malformed(yours: Any, kind: str, error: Malformed) -> Difference:
    """Return the answer to an object that is no automaton; `kind` is "Dfa" or "Nfa"."""
    return Difference(said(yours), SHAPES[kind], "not an automaton", str(error))


def _kind(yours: Any, expected: Any) -> str:
    try:
        return kind_of(yours)
    except Malformed:
        return kind_of(expected)


def _same_flags(mine: Dfa, right: Dfa) -> bool:
    return np.array_equal(mine.accept, right.accept)


def _verdicts(mine: Dfa, string: bytes) -> tuple[str, str]:
    """Return what yours and the expected automaton say of a string that parts them."""
    words = ("accepts", "refuses") if accepts(mine, string) else ("refuses", "accepts")
    yours, expected = (f"{word} {show_bytes(string)}" for word in words)
    return yours, expected


def _explain_dfa_string(mine: Dfa, right: Dfa, string: bytes) -> Difference:
    parting = dfa_parting(mine, right, string)
    pictures = [
        ("yours", _picture(mine, parting.yours)),
        ("expected", _picture(right, parting.expected)),
    ]
    cause = language_cause(mine, right) or parting.cause
    return Difference(*_verdicts(mine, string), parting.text, cause, pictures)


def _explain_nfa_string(mine: Nfa | Dfa, right: Nfa | Dfa, string: bytes) -> Difference:
    parting = nfa_parting(mine, right, string)
    pictures = [
        ("yours", _picture(mine, parting.yours)),
        ("expected", _picture(right, parting.expected)),
    ]
    mine_dfa = as_dfa(mine)
    cause = language_cause(mine_dfa, as_dfa(right)) or parting.cause
    return Difference(*_verdicts(mine_dfa, string), parting.text, cause, pictures)


def _picture(machine: Nfa | Dfa, side: Side) -> str:
    build = nfa_dot if isinstance(machine, Nfa) else dfa_dot
    return build(machine, side.highlight, side.dashed_edges, side.dashed_states)


def _explain_table(mine: Dfa, right: Dfa) -> Difference:
    finding = table_finding(mine, right)
    return Difference(
        yours=summary(mine),
        expected=summary(right),
        first_difference=finding.text,
        cause=finding.cause,
        pictures=[
            ("yours", dfa_dot(mine, dashed_states=finding.yours)),
            ("expected", dfa_dot(right, dashed_states=finding.expected)),
        ],
    )


def summary(dfa: Dfa) -> str:
    """Return a Dfa in a few words: `7 states, accepting {5, 6}`."""
    accepting = np.flatnonzero(dfa.accept).tolist()
    names = ", ".join(map(str, accepting[:8])) + ", …" * (len(accepting) > 8)
    return f"{dfa.n_states:,} state{'s' * (dfa.n_states != 1)}, accepting {{{names}}}"


def _explain_types(yours: Any, mine: Dfa) -> Difference | None:
    """Say that an otherwise right table is made of the wrong number type."""
    for name, wanted in (("trans", "int32"), ("accept", "bool")):
        value = getattr(yours, name)
        if not isinstance(value, np.ndarray):
            got = f"a {type(value).__name__}"
        elif value.dtype != np.dtype(wanted):
            got = f"an array of {value.dtype}"
        else:
            continue
        return Difference(
            yours=f"{summary(mine)}; {name} is {got}",
            expected=f"{name} is an array of {wanted}",
            first_difference=f"the same table, but {name} is {got}",
            cause=f"make it with dtype=np.{wanted if name == 'trans' else 'bool_'}",
        )
    return None
