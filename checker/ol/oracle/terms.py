"""Regular expressions that can be derived by a byte.

The derivative ∂_b(r) is a regular expression again: that of everything that may follow
once b has been read. A string is in the language when deriving by its bytes, one after
the other, ends in a term that contains the empty string (is *nullable*).

Terms are made by an `Algebra` only. It keeps one object per term, so equal terms are
one object, and it applies the rules of similarity that keep the number of different
derivatives finite and small: an alternation is a set (associative, commutative,
idempotent), a concatenation leans to the right, ∅ and ε vanish, (r|s)t is derived as
rt|st. A term other than ∅ is never empty: ∅ does not survive inside another term.

Deriving walks with a stack of its own: a pattern may be nested thousands deep.

Sources: J. A. Brzozowski, "Derivatives of Regular Expressions", JACM 11(4), 1964.
S. Owens, J. Reppy, A. Turon, "Regular-expression derivatives re-examined", JFP 19(2),
2009 (smart constructors; sets of bytes that derive alike, section 4.2).
V. Antimirov, "Partial derivatives of regular expressions and finite automaton
constructions", TCS 155, 1996 (why (r|s)t → rt|st keeps the number of terms small).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache

from ol.oracle.characters import Ranges, after_continuation, after_lead


def cuts(answer: Callable[[int], Hashable]) -> int:
    """Return the bytes at which `answer` changes, as bits: bit b is set where
    answer(b) differs from answer(b - 1), and bit 0 always.

    Between two cuts all bytes derive alike, and the cuts of two terms are joined by |.
    """
    answers = [answer(byte) for byte in range(256)]
    changes = (b for b in range(1, 256) if answers[b] != answers[b - 1])
    return sum((1 << b for b in changes), start=1)


@lru_cache(maxsize=4096)  # a leaf is asked 256 questions; patterns repeat leaves
def lead_cuts(ranges: Ranges) -> int:
    """Return the cuts of one whole character."""
    return cuts(lambda byte: after_lead(ranges, byte))


@lru_cache(maxsize=4096)
def continuation_cuts(following: int, ranges: Ranges) -> int:
    """Return the cuts of the last `following` bytes of a character."""
    return cuts(lambda byte: after_continuation(following, ranges, byte))


class Term:
    """A regular expression.

    `nullable`: it contains the empty string; `cuts`: see above; `options`: what it is
    an alternation of, which for all but an `Either` is itself alone.
    """

    nullable = False
    cuts = 1

    def __init__(self) -> None:
        self.derived: dict[int, Term] = {}
        self.options: frozenset[Term] = frozenset((self,))

    def needs(self) -> tuple[Term, ...]:
        """Return the terms whose derivatives `derive` looks up."""
        return ()

    def derive(self, byte: int, algebra: Algebra) -> Term:
        """Return ∂_byte of this term; those of `needs()` are known by then."""
        raise NotImplementedError


class Empty(Term):
    """ε: the empty string and nothing else."""

    nullable = True

    def derive(self, byte: int, algebra: Algebra) -> Term:
        return algebra.nothing


class Byte(Term):
    """One byte out of `values`."""

    def __init__(self, values: frozenset[int]) -> None:
        super().__init__()
        self.values = values
        self.cuts = cuts(values.__contains__)

    def derive(self, byte: int, algebra: Algebra) -> Term:
        return algebra.empty if byte in self.values else algebra.nothing


class Character(Term):
    """One whole character out of `ranges`, in UTF-8."""

    def __init__(self, ranges: Ranges) -> None:
        super().__init__()
        self.ranges = ranges
        self.cuts = lead_cuts(ranges)

    def derive(self, byte: int, algebra: Algebra) -> Term:
        return algebra.rest(*after_lead(self.ranges, byte))


class Rest(Term):
    """The last `following` bytes of a character: their bits spell one of `ranges`."""

    def __init__(self, following: int, ranges: Ranges) -> None:
        super().__init__()
        self.following = following
        self.ranges = ranges
        self.cuts = continuation_cuts(following, ranges)

    def derive(self, byte: int, algebra: Algebra) -> Term:
        left = after_continuation(self.following, self.ranges, byte)
        return algebra.rest(self.following - 1, left)


class Either(Term):
    """Any of the `options`, none of which is an `Either`; without any it is ∅."""

    def __init__(self, options: frozenset[Term]) -> None:
        super().__init__()
        self.options = options
        self.nullable = any(option.nullable for option in options)
        for option in options:
            self.cuts |= option.cuts

    def needs(self) -> tuple[Term, ...]:
        return tuple(self.options)

    def derive(self, byte: int, algebra: Algebra) -> Term:
        return algebra.either(option.derived[byte] for option in self.options)


class Then(Term):
    """`head` (never itself a `Then`), and `tail` behind it."""

    def __init__(self, head: Term, tail: Term) -> None:
        super().__init__()
        self.head = head
        self.tail = tail
        self.nullable = head.nullable and tail.nullable
        self.cuts = head.cuts | (tail.cuts if head.nullable else 0)

    def needs(self) -> tuple[Term, ...]:
        return (self.head, self.tail) if self.head.nullable else (self.head,)

    def derive(self, byte: int, algebra: Algebra) -> Term:
        """∂(r·s) = ∂r·s, and ∂s as well where r may be skipped."""
        after_head = algebra.follow(self.head.derived[byte], self.tail)
        if not self.head.nullable:
            return after_head
        return algebra.either((after_head, self.tail.derived[byte]))


class Repeat(Term):
    """`part` at least `least` and at most `most` times; `most` None is no limit."""

    def __init__(self, part: Term, least: int, most: int | None) -> None:
        super().__init__()
        self.part = part
        self.least = least
        self.most = most
        self.nullable = least == 0
        self.cuts = part.cuts

    def needs(self) -> tuple[Term, ...]:
        return (self.part,)

    def derive(self, byte: int, algebra: Algebra) -> Term:
        """∂(r{m,n}) = ∂r·r{m-1,n-1}; a nullable r has m = 0, so this holds for it."""
        most = None if self.most is None else self.most - 1
        fewer = algebra.repeat(self.part, max(self.least - 1, 0), most)
        return algebra.follow(self.part.derived[byte], fewer)


class Algebra:
    """Makes terms, each only once, and derives them."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Term] = {}
        self.empty = self._term(Empty)
        self.nothing = self._term(Either, frozenset())

    def _term(self, form: type[Term], *fields: object) -> Term:
        key = (form, *fields)
        if key not in self._known:
            self._known[key] = form(*fields)
        return self._known[key]

    def byte(self, values: frozenset[int]) -> Term:
        """Return the term of one raw byte."""
        return self._term(Byte, values) if values else self.nothing

    def character(self, ranges: Ranges) -> Term:
        """Return the term of one character; `ranges` hold no surrogates."""
        return self._term(Character, ranges) if ranges else self.nothing

    def rest(self, following: int, ranges: Ranges) -> Term:
        """Return the term of the end of a character; of no bytes, that is ε or ∅."""
        if not ranges:
            return self.nothing
        return self._term(Rest, following, ranges) if following else self.empty

    def either(self, terms: Iterable[Term]) -> Term:
        """Return r|s|…: a set, so order, grouping and repetition do not matter."""
        options = frozenset[Term]().union(*(term.options for term in terms))
        if self.empty in options and sum(option.nullable for option in options) > 1:
            options -= {self.empty}
        if len(options) == 1:
            [only] = options
            return only
        return self._term(Either, options)

    def then(self, head: Term, tail: Term) -> Term:
        """Return r·s, leaning to the right: (a·b)·c is a·(b·c)."""
        if self.nothing in (head, tail):
            return self.nothing
        heads = []
        while isinstance(head, Then):
            heads.append(head.head)
            head = head.tail
        if head is self.empty:
            term = tail
        else:
            term = head if tail is self.empty else self._term(Then, head, tail)
        for earlier in reversed(heads):
            term = self._term(Then, earlier, term)
        return term

    def follow(self, term: Term, tail: Term) -> Term:
        """Return r·t, spread out where r is an alternation: (r|s)t is rt|st."""
        return self.either(self.then(option, tail) for option in term.options)

    def repeat(self, part: Term, least: int, most: int | None) -> Term:
        """Return r{m,n}. r{1} is r, ε{m,n} and r{0} are ε, (r*){m,n} is r*."""
        least = 0 if part.nullable else least
        if most == 0 or part is self.empty:
            return self.empty
        if part is self.nothing:
            return self.empty if least == 0 else self.nothing
        if (least, most) == (1, 1):
            return part
        if most == 1 and part.nullable:
            return part
        if isinstance(part, Repeat) and (part.least, part.most) == (0, None):
            return part
        return self._term(Repeat, part, least, most)

    def derivative(self, term: Term, byte: int) -> Term:
        """Return ∂_byte(term); what it needs is derived first, with a stack."""
        waiting = [term]
        while waiting:
            top = waiting[-1]
            missing = [part for part in top.needs() if byte not in part.derived]
            if byte not in top.derived and missing:
                waiting += missing
                continue
            waiting.pop()
            if byte not in top.derived:
                top.derived[byte] = top.derive(byte, self)
        return term.derived[byte]
