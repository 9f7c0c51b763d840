"""A random walk under a mask: what a model writes that knows nothing at all.

All logits are equal, so every allowed token is as likely as every other; what comes out
is what the mask alone promises. The reference does the work: schema → DFA → index →
constraint → `constrained_sample`, with the random numbers of a seeded Pcg32.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ol.stages import reference
from ol.validity import schema_problem, syntax_problem
from ol.vocabularies import Vocab


@dataclass(frozen=True)
class Step:
    """One token of a walk: `allowed` of the vocabulary's tokens could have come.

    `token` is its bytes, None for the end of the text.
    """

    number: int
    token_id: int
    token: bytes | None
    allowed: int
    logprob: float

    @property
    def forced(self) -> bool:
        """Whether the mask left no choice."""
        return self.allowed == 1


@dataclass(frozen=True)
class Walked:
    """A walk as a whole; `problem` says what is wrong with a finished text."""

    text: str
    finished: bool
    problem: str
    tokens: int
    forced: int

    @property
    def readable(self) -> str:
        """The text, with what cannot be seen written as JSON's own escapes.

        It stands for the same value: such characters are inside strings alone.
        """
        return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in self.text)


def walk(dfa: Any, vocab: Vocab, seed: int, budget: int) -> Iterator[Step]:
    """Yield the tokens of one walk, at most `budget` of them, the end included."""
    constrain = reference().constrain
    index = constrain.TokenIndex(dfa, vocab.tokens, vocab.eos_id)
    constraint = constrain.Constraint(index, budget=budget)
    sampler = importlib.import_module("ol.needs.L10_1")
    generator = sampler.Pcg32(seed)
    params = sampler.SamplingParams(temperature=1.0)
    logits = np.zeros(len(vocab), dtype=np.float32)
    output: list[int] = []
    while not constraint.done and len(output) < budget:
        allowed = int(np.count_nonzero(constraint.mask()))
        token_id, logprob = constrain.constrained_sample(
            logits, constraint, params, [], output, generator
        )
        output.append(int(token_id))
        token = None if constraint.done else vocab.tokens[token_id]
        yield Step(len(output), output[-1], token, allowed, float(logprob) + 0.0)


def judged(schema: Any, steps: Sequence[Step]) -> Walked:
    """Return what `steps` wrote, judged by CPython's json and by jsonschema."""
    data = b"".join(step.token or b"" for step in steps)
    text = data.decode("utf-8", errors="replace")
    finished = bool(steps) and steps[-1].token is None
    problem = ""
    if finished:
        problem = syntax_problem(text) or schema_problem(schema, text)
        if data != text.encode():
            problem = "it is not UTF-8"
    forced = sum(step.forced for step in steps)
    return Walked(text, finished, problem, len(steps), forced)
