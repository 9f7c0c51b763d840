"""The judge's own toolkit for automata; it needs no reference implementation.

`reading` turns any object with the right fields into one of `ol.forms`, `language`
runs, determinizes and compares, `states` finds what is dead, unreachable or alike,
`explain` says why two automata differ (`parting`, `positions` and `tables` find the
words).
"""

from ol.automata.explain import Difference, explain_dfa, explain_language, malformed
from ol.automata.language import (
    accepts,
    as_dfa,
    byte_classes,
    determinize,
    epsilon_closure,
    run,
    shortest_difference,
)
from ol.automata.positions import trace
from ol.automata.reading import Malformed, kind_of, read, read_dfa, read_nfa
from ol.automata.states import dead_states, equivalent_states, unreachable_states
from ol.dot.labels import show_bytes

__all__ = [
    "Difference",
    "Malformed",
    "accepts",
    "as_dfa",
    "byte_classes",
    "dead_states",
    "determinize",
    "epsilon_closure",
    "equivalent_states",
    "explain_dfa",
    "explain_language",
    "kind_of",
    "malformed",
    "read",
    "read_dfa",
    "read_nfa",
    "run",
    "shortest_difference",
    "show_bytes",
    "trace",
    "unreachable_states",
]
