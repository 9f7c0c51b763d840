"""Masks without a trie and without a table: every token's bytes are derived in turn.

A token is allowed where the derivative by all its bytes is not ∅; EOS where the term
contains the empty string; a special (None) or an empty token never. After EOS only EOS.
"""

from __future__ import annotations

from ol.oracle.terms import Algebra, Term


def answer(term: Term, algebra: Algebra, data: bytes) -> Term:
    """Return what is left of a term when `data` has been read."""
    for byte in data:
        term = algebra.derivative(term, byte)
    return term


class Walk:
    """One output in the making: which tokens may come, which one came.

    tokens: the bytes of each token by id. eos_id: the token that ends, or None.
    """

    def __init__(
        self,
        term: Term,
        algebra: Algebra,
        tokens: list[bytes | None],
        eos_id: int | None,
    ) -> None:
        self.term = term
        self.done = False
        self._algebra = algebra
        self._tokens = tokens
        self._eos_id = eos_id
        self._after: dict[tuple[Term, int], Term] = {}
        self._distances: dict[Term, int] = {}

    @property
    def complete(self) -> bool:
        """Whether the output may end here."""
        return self.done or self.term.nullable

    def allowed(self) -> list[int]:
        """Return the ids of the tokens that may come next, ascending."""
        ids = range(len(self._tokens))
        if self.done:
            return [id for id in ids if id == self._eos_id]
        return [id for id in ids if self._may_come(self.term, id)]

    def take(self, token_id: int) -> None:
        """Go on by an allowed token; ValueError for any other."""
        if token_id not in self.allowed():
            raise ValueError(f"token {token_id} is not allowed here")
        if token_id == self._eos_id:
            self.done = True
        else:
            self.term = self._step(self.term, token_id)

    def steps_to_end(self, token_id: int) -> int:
        """Return how many tokens the shortest output needs after this one and before
        EOS; raises KeyError where none of these tokens leads to an end.
        """
        if not self._distances:
            self._measure()
        return self._distances[self._step(self.term, token_id)]

    def _may_come(self, term: Term, token_id: int) -> bool:
        if token_id == self._eos_id:
            return term.nullable
        if not self._tokens[token_id]:
            return False
        return self._step(term, token_id) is not self._algebra.nothing

    def _step(self, term: Term, token_id: int) -> Term:
        key = (term, token_id)
        if key not in self._after:
            data = self._tokens[token_id] or b""
            self._after[key] = answer(term, self._algebra, data)
        return self._after[key]

    def reachable(self) -> dict[Term, list[Term]]:
        """Return every term that tokens lead to from here, and where they lead on."""
        found: dict[Term, list[Term]] = {}
        waiting = [self.term]
        ids = [id for id in range(len(self._tokens)) if id != self._eos_id]
        while waiting:
            term = waiting.pop()
            if term not in found:
                after = (self._step(term, i) for i in ids if self._may_come(term, i))
                found[term] = list(dict.fromkeys(after))
                waiting += found[term]
        return found

    def _measure(self) -> None:
        """Find each term's distance to the nearest one where the output may end."""
        graph = self.reachable()
        distances = {term: 0 for term in graph if term.nullable}
        changed = True
        while changed:
            changed = False
            for term, targets in graph.items():
                near = [distances[t] + 1 for t in targets if t in distances]
                if near and min(near) < distances.get(term, len(graph) + 1):
                    distances[term] = min(near)
                    changed = True
        self._distances = distances
