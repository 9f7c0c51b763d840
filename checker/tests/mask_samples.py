"""Random machines and vocabularies, and masks by definition: no trie, no cache.

Everything here works byte by byte on the table and shares nothing with notebook 08.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ol.forms import DEAD, Dfa

ALPHABET = b'abc"\\\x00\xc3\xff'
Tokens = list[bytes | None]
FAR = 10**9


def random_dfa(rng: Random) -> Dfa:
    """Return a table of one to nine states; some cannot end, some are not reached."""
    n = rng.randint(1, 9)
    trans = np.full((n, 256), DEAD, np.int32)
    for state in range(n):
        for byte in ALPHABET:
            if rng.random() < 0.55:
                trans[state, byte] = rng.randrange(n)
    accept = np.array([rng.random() < 0.3 for _ in range(n)])
    return Dfa(n, accept, trans)


def random_tokens(rng: Random) -> Tokens:
    """Return up to forty tokens: bytes, doubles, empty and special ones."""
    tokens: Tokens = []
    for _ in range(rng.randint(0, 40)):
        length = rng.choice((1, 1, 1, 2, 2, 3, 4, 7))
        kinds: Tokens = [bytes(rng.choices(ALPHABET, k=length))] * 8 + [None, b""]
        tokens.append(rng.choice(tokens or kinds) if rng.random() < 0.1 else
                      rng.choice(kinds))  # fmt: skip
    return tokens


def random_eos(rng: Random, tokens: Tokens) -> int | None:
    """Return no EOS, or any token, one with bytes of its own included."""
    return rng.randrange(len(tokens)) if tokens and rng.random() < 0.7 else None


def step(dfa: Any, state: int, data: bytes) -> int:
    """Return the state after `data`, byte by byte."""
    for byte in data:
        state = DEAD if state == DEAD else int(dfa.trans[state, byte])
    return state


def allowed(dfa: Any, tokens: Tokens, eos_id: int | None, state: int) -> list[int]:
    """Return the ids that may come in a state, by the rule of section 2.3."""
    return [
        id
        for id, data in enumerate(tokens)
        if (dfa.accept[state] if id == eos_id else
            bool(data) and step(dfa, state, data or b"") != DEAD)
    ]  # fmt: skip


def distances(dfa: Any, tokens: Tokens, eos_id: int | None) -> list[int]:
    """Return each state's distance to acceptance by single bytes, round by round."""
    single = [t for i, t in enumerate(tokens) if t and len(t) == 1 and i != eos_id]
    found = [0 if flag else FAR for flag in dfa.accept]
    for _ in range(dfa.n_states):
        for state in range(dfa.n_states):
            targets = [step(dfa, state, data) for data in single]
            near = [found[target] + 1 for target in targets if target != DEAD]
            found[state] = min([found[state], *near])
    return found


def in_time(
    dfa: Any, tokens: Tokens, eos_id: int | None, state: int, left: int
) -> list[int]:
    """Return the ids that may come with `left` tokens to come, by the rule itself."""
    far, end = distances(dfa, tokens, eos_id), 0 if eos_id is None else 1
    plain = allowed(dfa, tokens, eos_id, state)
    if far[state] + end > left:
        return plain
    return [
        id
        for id in plain
        if id == eos_id or far[step(dfa, state, tokens[id] or b"")] + end <= left - 1
    ]
