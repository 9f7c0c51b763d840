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

from typing import Any

from ol.forms import Dfa
from ol.oracle.masks import Walk, answer
from ol.oracle.parser import parse
from ol.oracle.refusal import OracleRefusal
from ol.oracle.schemas import object_term, schema_term
from ol.oracle.tables import canonical
from ol.oracle.terms import Algebra, Term

__all__ = [
    "OracleRefusal",
    "Walk",
    "accepts",
    "object_to_dfa",
    "regex_to_dfa",
    "schema_accepts",
    "schema_to_dfa",
    "walk",
]


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
    return answer(parse(pattern, algebra), algebra, data).nullable


def schema_to_dfa(schema: Any) -> Dfa:
    """Return the canonical DFA of the compact JSON texts that a schema allows.

    schema: a JSON value as Python reads it, its keys in the order of the text. Raises
    OracleRefusal with `.kind`, `.pointer` and `.keyword`.
    """
    algebra = Algebra()
    return canonical(schema_term(schema, algebra), algebra)


def schema_accepts(schema: Any, data: bytes) -> bool:
    """Whether `data` is a compact text that a schema allows, by deriving alone."""
    algebra = Algebra()
    return answer(schema_term(schema, algebra), algebra, data).nullable


def object_to_dfa(depth: int) -> Dfa:
    """Return the canonical DFA of JSON objects nested at most `depth` deep."""
    algebra = Algebra()
    return canonical(object_term(depth, algebra), algebra)


def walk(source: Any, tokens: list[bytes | None], eos_id: int | None) -> Walk:
    """Return a walk through the language of a pattern (str) or a schema."""
    algebra = Algebra()
    is_pattern = isinstance(source, str)
    term: Term = (parse if is_pattern else schema_term)(source, algebra)
    return Walk(term, algebra, tokens, eos_id)
