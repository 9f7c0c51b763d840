"""Terms: regular expressions over sets of bytes, and their partial derivatives.

A term is interned, so equal terms are one object and compare by identity. Its linear
form is what it may begin with: pairs of a set of bytes and the term that is left.
"""

from __future__ import annotations

from typing import Any

Key = tuple[Any, ...]


class Term:
    """An interned term: `key` is its operator and operands."""

    __slots__ = ("forms", "key", "nullable", "size")

    def __init__(self, key: Key, nullable: bool, size: int) -> None:
        self.key = key
        self.nullable = nullable
        self.size = size  # states of an NFA with a copy per repetition
        self.forms: list[tuple[int, Term]] | None = None


_known: dict[Key, Term] = {}


def _intern(key: Key, nullable: bool, size: int) -> Term:
    if key not in _known:
        _known[key] = Term(key, nullable, size)
    return _known[key]


EMPTY = _intern(("empty",), True, 1)


def letters(mask: int) -> Term:
    return _intern(("letters", mask), False, 2)


def then(first: Term, second: Term) -> Term:
    """Return first followed by second, nested to the right."""
    if first is EMPTY:
        return second
    if second is EMPTY:
        return first
    if first.key[0] == "then":
        return then(first.key[1], then(first.key[2], second))
    key = ("then", first, second)
    return _intern(key, first.nullable and second.nullable, first.size + second.size)


def either(options: list[Term]) -> Term:
    if len(options) == 1:
        return options[0]
    unique = tuple(dict.fromkeys(options))
    size = sum(option.size for option in options) + 2
    return _intern(("either", *unique), any(o.nullable for o in unique), size)


def repeat(part: Term, least: int, most: int | None) -> Term:
    """Return least to most copies; with a nullable part, least does not matter."""
    if most == 0:
        return EMPTY
    if part.nullable:
        least = 0
    if (least, most) == (1, 1):
        return part
    copies = least + 1 if most is None else most
    return _intern(("repeat", part, least, most), least == 0, part.size * copies + 2)


def linear_form(term: Term) -> list[tuple[int, Term]]:
    """Return (set of bytes, rest) for every way in which the term may begin."""
    if term.forms is None:
        term.forms = list(dict.fromkeys(_forms(term)))
    return term.forms


def _forms(term: Term) -> list[tuple[int, Term]]:
    operator, *operands = term.key
    if operator == "letters":
        return [(operands[0], EMPTY)] if operands[0] else []
    if operator == "either":
        return [form for option in operands for form in linear_form(option)]
    if operator == "then":
        first, second = operands
        forms = [(mask, then(rest, second)) for mask, rest in linear_form(first)]
        return forms + (linear_form(second) if first.nullable else [])
    if operator == "repeat":
        part, least, most = operands
        more = repeat(part, max(least - 1, 0), None if most is None else most - 1)
        return [(mask, then(rest, more)) for mask, rest in linear_form(part)]
    return []
