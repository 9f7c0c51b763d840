"""A pattern as a term, by operator precedence (Dijkstra's shunting yard, 1961).

Two stacks: operands, and operators that still wait for their right side – an open
group, a bar, and the unwritten sign between `a` and `b` in `ab`. No function calls
itself, so nesting costs no stack of Python's.
"""

from __future__ import annotations

from dataclasses import dataclass

from ol.oracle.lexer import Symbols, Token, tokens
from ol.oracle.refusal import OracleRefusal
from ol.oracle.terms import Algebra, Term

MOST_OPEN = 5_000
MOST_NFA_STATES = 500_000

JOIN = "·"
BEFORE_AN_OPERAND = ("", "(", "|")  # behind these an operand has to come
AFTER_AN_OPERAND = ("|", ")", "end")  # and where one of these comes, it was ε


@dataclass(frozen=True)
class Operand:
    """A finished part: its term, and what it would cost when every count is written
    out (two NFA states for each symbol: the least that Thompson's construction takes).
    """

    term: Term
    cost: int


def parse(pattern: str, algebra: Algebra) -> Term:
    """Return the term of a pattern; raises OracleRefusal (all kinds but `empty`)."""
    yard = Yard(algebra)
    before = ""
    for token in tokens(pattern):
        if before in BEFORE_AN_OPERAND and token.kind in AFTER_AN_OPERAND:
            yard.operands.append(Operand(algebra.empty, 2))
        if before not in BEFORE_AN_OPERAND and token.kind in ("symbols", "("):
            yard.operators.append(Token(JOIN, token.position))
        yard.take(token)
        before = token.kind
    [operand] = yard.operands
    if operand.cost > MOST_NFA_STATES:
        raise OracleRefusal("size", f"more than {MOST_NFA_STATES:,} NFA states")
    return operand.term


class Yard:
    """The two stacks."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.operands: list[Operand] = []
        self.operators: list[Token] = []
        self.open_groups = 0

    def take(self, token: Token) -> None:
        """Put a token where it belongs, and finish what it ends."""
        if token.kind == "symbols":
            self.operands.append(Operand(self.leaf(token.symbols), 2))
        elif token.kind == "times":
            self.repeat(token)
        elif token.kind == "(":
            self.open(token)
        elif token.kind == "|":
            self.finish(JOIN)
            self.operators.append(token)
        else:
            self.close(token)

    def leaf(self, symbols: Symbols) -> Term:
        characters = self.algebra.character(symbols.characters)
        return self.algebra.either((characters, self.algebra.byte(symbols.raw)))

    def repeat(self, token: Token) -> None:
        """Repeat the operand on top: a quantifier binds what is right before it."""
        part = self.operands.pop()
        term = self.algebra.repeat(part.term, token.least, token.most)
        copies = max(token.least, token.most or 0, 1)
        self.operands.append(Operand(term, part.cost * copies + 2))

    def open(self, token: Token) -> None:
        self.open_groups += 1
        if self.open_groups > MOST_OPEN:
            message = f"more than {MOST_OPEN:,} groups are open"
            raise OracleRefusal("size", message, token.position)
        self.operators.append(token)

    def close(self, token: Token) -> None:
        """Finish a group, or the pattern as a whole."""
        self.finish(JOIN)
        self.finish("|")
        if token.kind == "end":
            if self.operators:
                position = self.operators[-1].position
                raise OracleRefusal("syntax", "a group is never closed", position)
            return
        if not self.operators:
            raise OracleRefusal("syntax", ") closes no group", token.position)
        self.operators.pop()
        self.open_groups -= 1

    def finish(self, operator: str) -> None:
        """Join the operands between which `operator` stands on top of the stack."""
        parts = [self.operands.pop()]
        while self.operators and self.operators[-1].kind == operator:
            self.operators.pop()
            parts.append(self.operands.pop())
        if operator == "|":
            term = self.algebra.either(part.term for part in parts)
        else:
            term = parts[0].term  # the last part; those before it are put in front
            for part in parts[1:]:
                term = self.algebra.then(part.term, term)
        self.operands.append(Operand(term, sum(part.cost for part in parts)))
