"""A second implementation of notebook 08's interface, with other insides.

No trie and no step functions: a mask is asked token by token, a state at a time, and
kept in a list. The graded tests have to pass it, and to catch the chapter's mutants in
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import forms, oracle


class ConstrainError(ValueError):
    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Dfa(forms.Dfa):
    """The table, with the one method that the interface asks for."""

    def step(self, state: int, data: bytes) -> int:
        for byte in data:
            state = -1 if state < 0 else int(self.trans[state, byte])
        return state


def regex_to_dfa(pattern: str) -> Dfa:
    table = oracle.regex_to_dfa(pattern)
    return Dfa(table.n_states, table.accept, table.trans)


class TokenIndex:
    def __init__(self, dfa: Any, vocab: Any, eos_id: int | None) -> None:
        if any(type(data) not in (bytes, type(None)) for data in vocab):
            raise ConstrainError("vocabulary")
        if eos_id is not None and eos_id not in range(len(vocab)):
            raise ConstrainError("vocabulary")
        self.dfa, self.vocab, self.eos_id = dfa, list(vocab), eos_id
        self.vocab_size = len(self.vocab)
        self._masks: list[NDArray[np.bool_] | None] = [None] * dfa.n_states

    def mask(self, state: int) -> NDArray[np.bool_]:
        if state not in range(self.dfa.n_states):
            raise ConstrainError("state")
        mask = self._masks[state]
        if mask is None:
            mask = np.array([self._may(state, i) for i in range(self.vocab_size)], bool)
            mask.setflags(write=False)
            self._masks[state] = mask
        return mask

    def _may(self, state: int, token_id: int) -> bool:
        if token_id == self.eos_id:
            return bool(self.dfa.accept[state])
        data = self.vocab[token_id]
        return bool(data) and self.dfa.step(state, data) != forms.DEAD

    def next_state(self, state: int, token_id: int) -> int:
        if state not in range(self.dfa.n_states):
            raise ConstrainError("state")
        known = token_id in range(self.vocab_size)
        if not known or not self._may(state, token_id):
            raise ConstrainError("token")
        if token_id == self.eos_id:
            return state
        return int(self.dfa.step(state, self.vocab[token_id]))


class Constraint:
    def __init__(self, index: TokenIndex, budget: int | None = None) -> None:
        self.index, self.state, self.done = index, 0, False

    def mask(self) -> NDArray[np.bool_]:
        if not self.done:
            return self.index.mask(self.state)
        alone = np.arange(self.index.vocab_size) == self.index.eos_id
        alone.setflags(write=False)
        return alone

    def advance(self, token_id: int) -> None:
        if self.done and token_id != self.index.eos_id:
            raise ConstrainError("token")
        self.state = self.index.next_state(self.state, token_id)
        self.done = self.index.eos_id is not None and token_id == self.index.eos_id

    def is_complete(self) -> bool:
        return self.done or bool(self.index.dfa.accept[self.state])
