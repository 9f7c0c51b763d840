"""The course's four examples as tables, written by hand from the definition.

Minimal, numbered breadth-first with bytes in order (chapter L10.9, sections 2.1 and 3).
The graded tests and the project's own tests take their expected values from here; no
code computes them. Edges are for `forms.dfa`: state → characters → target.
"""

from __future__ import annotations

from collections.abc import Mapping

from ol.forms import Dfa, dfa

Edges = Mapping[int, Mapping[str, int]]

PETS: Edges = {  # (cat|car|dog)s?, accepting 5 and 6
    0: {"c": 1, "d": 2},
    1: {"a": 3},
    2: {"o": 4},
    3: {"rt": 5},
    4: {"g": 5},
    5: {"s": 6},
}
ABB: Edges = {  # (a|b)*abb, accepting 3
    0: {"a": 1, "b": 0},
    1: {"a": 1, "b": 2},
    2: {"a": 1, "b": 3},
    3: {"a": 1, "b": 0},
}
FOUR: Edges = {0: {"a": 1}, 1: {"a": 2}, 2: {"a": 3}, 3: {"a": 4}}  # a{4}, accepting 4
OPTIONAL: Edges = {0: {"a": 1}, 1: {"b": 2}}  # ab?, accepting 1 and 2


def tables() -> dict[str, Dfa]:
    """Return a fresh table of each example, by its pattern."""
    return {
        "(cat|car|dog)s?": dfa(PETS, accept={5, 6}),
        "(a|b)*abb": dfa(ABB, accept={3}),
        "a{4}": dfa(FOUR, accept={4}),
        "ab?": dfa(OPTIONAL, accept={1, 2}),
    }
