"""Module L10.1: the sampler. From logits to the next token, the same on every machine.

The order of the processors is part of the contract, since they do not commute:

1. a mask, where there is one: a masked logit is -inf before anything else sees it;
2. repetition penalty (prompt and output), then presence and frequency (output alone);
3. temperature;
4. top-k, then top-p over what top-k left;
5. the draw, by one number of the generator.

So top-p counts the probability of tokens that may come, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MULTIPLIER = 6364136223846793005
_MASK64 = 2**64 - 1


class Pcg32:
    """PCG-XSH-RR 64/32: 64 bits of state, 32 bits a number.

    `seed` chooses the place in a stream, `stream` which of 2^63 streams.

    Source: M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
    Algorithms for Random Number Generation", 2014, and its reference `pcg32_srandom`.
    """

    def __init__(self, seed: int, stream: int = 54) -> None:
        self._increment = ((stream << 1) | 1) & _MASK64
        self._state = 0
        self.next_u32()
        self._state = (self._state + seed) & _MASK64
        self.next_u32()

    def next_u32(self) -> int:
        """Return the next number, 0 to 2^32 - 1."""
        old = self._state
        self._state = (old * _MULTIPLIER + self._increment) & _MASK64
        word = (((old >> 18) ^ old) >> 27) & 0xFFFFFFFF
        turn = old >> 59
        return ((word >> turn) | (word << (-turn & 31))) & 0xFFFFFFFF

    def next_double(self) -> float:
        """Return the next number in [0, 1): 53 bits of two draws."""
        high, low = self.next_u32() >> 5, self.next_u32() >> 6
        return (high * 2.0**26 + low) / 2.0**53


@dataclass(frozen=True)
class SamplingParams:
    """How to choose among the tokens; the defaults change nothing.

    temperature: 0 is greedy. top_k: 0 is off. top_p: the least number of tokens whose
    probabilities add up to it; 1 is off. repetition_penalty: divides positive logits
    and multiplies negative ones of tokens that were there; 1 is off. presence_penalty,
    frequency_penalty: taken off once, and per occurrence, of tokens of the output.

    Raises ValueError for a value outside of its range.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    repetition_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    seed: int | None = None

    def __post_init__(self) -> None:
        ranges = {
            "temperature": (0.0, math.inf),
            "top_k": (0, math.inf),
            "top_p": (0.0, 1.0),
            "repetition_penalty": (1e-6, math.inf),
            "presence_penalty": (-math.inf, math.inf),
            "frequency_penalty": (-math.inf, math.inf),
        }
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ValueError(f"{name} must be {low:g} to {high:g}, not {value!r}")


def sample(
    logits: Any,
    params: SamplingParams,
    prompt: Sequence[int],
    output: Sequence[int],
    rng: Pcg32,
) -> int:
    """Return the id of the next token.

    logits: float[V], numpy or torch; -inf is a token that must not come. prompt,
    output: the ids so far. Greedy takes no number from `rng`; every other draw takes
    one. Ties go to the lowest id.

    Raises ValueError where a logit is NaN or no logit is finite.
    """
    scores = penalized(as_floats(logits), params, prompt, output)
    if params.temperature == 0:
        return int(np.argmax(scores))
    ids, weights = candidates(scores / params.temperature, params.top_k, params.top_p)
    total = np.cumsum(weights)
    place = np.searchsorted(total, rng.next_double() * total[-1], side="right")
    return int(ids[min(int(place), len(ids) - 1)])


def as_floats(logits: Any) -> NDArray[np.float64]:
    """Return logits as a fresh float64[V]; ValueError where nothing can be drawn."""
    if hasattr(logits, "detach"):
        logits = logits.detach().cpu().double().numpy()
    scores = np.array(logits, dtype=np.float64)
    if scores.ndim != 1 or not len(scores):
        raise ValueError(f"logits must be one row, not of the shape {scores.shape}")
    if np.isnan(scores).any() or np.isposinf(scores).any():
        raise ValueError("a logit is NaN or infinite")
    if np.isneginf(scores).all():
        raise ValueError("no logit is finite: nothing can come")
    return scores


def penalized(
    scores: NDArray[np.float64],
    params: SamplingParams,
    prompt: Sequence[int],
    output: Sequence[int],
) -> NDArray[np.float64]:
    """Return the scores after the three penalties: float64[V]."""
    scores = scores.copy()
    if params.repetition_penalty != 1:
        seen = np.unique(np.array([*prompt, *output], dtype=np.intp))
        factor = np.where(
            scores[seen] > 0, 1 / params.repetition_penalty, params.repetition_penalty
        )
        scores[seen] *= factor
    if params.presence_penalty or params.frequency_penalty:
        written, counts = np.unique(np.array(output, dtype=np.intp), return_counts=True)
        scores[written] -= params.presence_penalty + params.frequency_penalty * counts
    return scores


def candidates(
    scores: NDArray[np.float64], top_k: int, top_p: float
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the ids that may be drawn and their weights; a weight is e^(score - best).

    Only what could be among the candidates is sorted: with 131,072 tokens a full sort
    costs more than all the rest.
    """
    ids = np.flatnonzero(scores > -np.inf)
    if 0 < top_k < len(ids):
        ids = best(ids, scores[ids], top_k)
    weights = np.exp(scores[ids] - scores[ids].max())
    if top_p < 1:
        ids, weights = nucleus(ids, weights, top_p)
    return ids, weights


def best(
    ids: NDArray[np.intp], scores: NDArray[np.float64], count: int
) -> NDArray[np.intp]:
    """Return the `count` ids of the largest scores, ascending; ties to the lowest."""
    bar = np.partition(scores, -count)[-count]
    above, ties = ids[scores > bar], ids[scores == bar]
    return np.sort(np.append(above, ties[: count - len(above)]))


def nucleus(
    ids: NDArray[np.intp], weights: NDArray[np.float64], top_p: float
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the fewest, likeliest tokens that hold `top_p` of the weight, at least one.

    The head is sorted in pieces that double until they hold enough.
    """
    wanted = top_p * weights.sum()
    count = min(64, len(ids))
    while True:
        head = best(np.arange(len(ids)), weights, count)
        if weights[head].sum() >= wanted or count == len(ids):
            break
        count = min(2 * count, len(ids))
    head = head[np.lexsort((head, -weights[head]))]
    enough = int(np.searchsorted(np.cumsum(weights[head]), wanted)) + 1
    keep = np.sort(head[:enough])
    return ids[keep], weights[keep]
