"""The oracle: patterns answered by derivatives, sharing no code with the course.

What the course teaches – tree, Thompson's NFA, subsets, Moore's rounds – is checked
against answers that come another way: an operator-precedence parser, Brzozowski's
derivatives (1964, as re-examined by Owens, Reppy and Turon, 2009), code points read bit
by bit, Hopcroft's merging. The golden tables in fixtures/ are written by it.

It holds to the course's rulings on what a pattern means and refuses the same things
under the same kinds. Budgets are counts of its own insides (symbols written out,
different derivatives), so close to a limit it may accept what the reference refuses.
"""

from __future__ import annotations

from ol.forms import Dfa
from ol.oracle.parser import parse
from ol.oracle.refusal import OracleRefusal
from ol.oracle.tables import canonical
from ol.oracle.terms import Algebra

__all__ = ["OracleRefusal", "accepts", "regex_to_dfa"]


def regex_to_dfa(pattern: str) -> Dfa:
    """Return the canonical DFA of a pattern over bytes: minimal, numbered
    breadth-first, DEAD wherever no match can be reached any more.

    Raises OracleRefusal with `.kind`.

    >>> regex_to_dfa("(cat|car|dog)s?").n_states
    7
    """
    algebra = Algebra()
    return canonical(parse(pattern, algebra), algebra)


def accepts(pattern: str, data: bytes) -> bool:
    """Whether the whole of `data` matches, by deriving alone: no table is built.

    Raises OracleRefusal with `.kind`; a pattern that matches nothing is no error here.

    >>> accepts("(cat|car|dog)s?", b"dogs")
    True
    """
    algebra = Algebra()
    term = parse(pattern, algebra)
    for byte in data:
        term = algebra.derivative(term, byte)
    return term.nullable
