"""Masks: a trie of nested dicts is walked per state; sampling by plain loops."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol.needs.L10_1 import Pcg32, SamplingParams, sample

from .errors import ConstrainError
from .machines import DEAD, Dfa

Trie = dict[Any, Any]  # byte → trie; None → the ids of the tokens that end here


class TokenIndex:
    """Which tokens may come in a state, and where they lead."""

    def __init__(self, dfa: Dfa, vocab: Any, eos_id: int | None) -> None:
        tokens = list(getattr(vocab, "tokens", vocab))
        if any(type(data) not in (bytes, type(None)) for data in tokens):
            raise ConstrainError("vocabulary", "tokens are bytes or None")
        if eos_id is not None and eos_id not in range(len(tokens)):
            raise ConstrainError("vocabulary", "eos_id is no token")
        self.dfa, self.vocab, self.eos_id = dfa, tokens, eos_id
        self.vocab_size = len(tokens)
        self._trie: Trie = {}
        for token_id, data in enumerate(tokens):
            if data and token_id != eos_id:
                node = self._trie
                for byte in data:
                    node = node.setdefault(byte, {})
                node.setdefault(None, []).append(token_id)
        self._masks: dict[int, NDArray[np.bool_]] = {}

    def mask(self, state: int) -> NDArray[np.bool_]:
        self._check(state)
        if state not in self._masks:
            flags = np.zeros(self.vocab_size, np.bool_)
            for token_id in self._walk(self._trie, state):
                flags[token_id] = True
            if self.eos_id is not None:
                flags[self.eos_id] = self.dfa.accept[state]
            flags.setflags(write=False)
            self._masks[state] = flags
        return self._masks[state]

    def _walk(self, node: Trie, state: int) -> Iterator[int]:
        yield from node.get(None, ())
        for byte, child in node.items():
            if byte is not None:
                target = int(self.dfa.trans[state, byte])
                if target != DEAD:
                    yield from self._walk(child, target)

    def next_state(self, state: int, token_id: int) -> int:
        self._check(state)
        if token_id not in range(self.vocab_size):
            raise ConstrainError("token", f"there is no token {token_id}")
        if token_id == self.eos_id:
            if not self.dfa.accept[state]:
                raise ConstrainError("token", "the output is not whole")
            return state
        data = self.vocab[token_id]
        target = self.dfa.step(state, data) if data else DEAD
        if target == DEAD:
            raise ConstrainError("token", f"token {token_id} is not allowed")
        return target

    def _check(self, state: int) -> None:
        if state not in range(self.dfa.n_states):
            raise ConstrainError("state", f"there is no state {state}")


class Constraint:
    """One output: its state, and whether EOS has come."""

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
            raise ConstrainError("token", "the output has ended")
        self.state = self.index.next_state(self.state, token_id)
        self.done = self.index.eos_id is not None and token_id == self.index.eos_id

    def is_complete(self) -> bool:
        return self.done or bool(self.index.dfa.accept[self.state])


def apply_mask(logits: Any, mask: NDArray[np.bool_]) -> Any:
    """Return logits, of numpy or torch as they came, with -inf where not allowed."""
    if hasattr(logits, "masked_fill"):
        import torch

        return logits.masked_fill(~torch.from_numpy(np.array(mask)), -math.inf)
    row = np.asarray(logits)
    return np.where(mask, row, np.array(-np.inf, row.dtype))


def constrained_sample(
    logits: Any,
    constraint: Constraint,
    params: SamplingParams,
    prompt: Sequence[int],
    output: Sequence[int],
    rng: Pcg32,
) -> tuple[int, float]:
    """Return the next token and its logprob among those allowed."""
    if constraint.done and constraint.index.eos_id is None:
        raise ConstrainError("token", "the output has ended")
    values = [float(x) for x in logits]
    allowed = constraint.mask().tolist()
    row = [x if may else -math.inf for x, may in zip(values, allowed, strict=True)]
    if any(math.isnan(x) or x == math.inf for x in row):
        raise ConstrainError("logits", "an allowed logit is no number")
    highest = max(row)
    if highest == -math.inf:
        raise ConstrainError("logits", "nothing may come")
    token_id = sample(np.array(row), params, prompt, output, rng)
    constraint.advance(token_id)
    total = math.fsum(math.exp(x - highest) for x in row)
    return token_id, row[token_id] - highest - math.log(total)


def generate(
    index: TokenIndex,
    model: Callable[[list[int]], Any],
    params: SamplingParams,
    rng: Pcg32,
    budget: int,
) -> tuple[list[int], str]:
    """Return the ids of an answer and why it ended: `stop` or `length`."""
    constraint, output = Constraint(index), list[int]()
    while len(output) < budget:
        if index.eos_id is None and not constraint.mask().any():
            return output, "stop"
        row = model(list(output))
        token, _ = constrained_sample(row, constraint, params, [], output, rng)
        if constraint.done:
            return output, "stop"
        output.append(token)
    return output, "length"
