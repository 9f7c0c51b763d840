"""The guarantee itself: whatever is drawn, a finished output is what its schema allows.

Random schemas of the subset, random tokens. Every output has to be UTF-8, JSON by
RFC 8259 and valid for `jsonschema`; with a budget that holds the shortest output and
EOS, every output has to end within it.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ol
from ol import validity, vocabularies
from ol.needs.L10_1 import Pcg32, SamplingParams
from schema_trees import random_schema

CONSTRAIN = ol.load("L10.9", "ref").constrain
PARTS = 4  # of the work, so that two processes can share it


def schemas(seed: int, count: int) -> list[Any]:
    chooser = random.Random(seed)
    return [random_schema(chooser, chooser.randrange(4)) for _ in range(count)]


def index_of(schema: Any, vocabulary: Any, eos_id: int) -> Any:
    return CONSTRAIN.TokenIndex(CONSTRAIN.schema_to_dfa(schema), vocabulary, eos_id)


def drawn(chooser: random.Random, mask: Any) -> int:
    """Return one of the allowed ids, each as likely as the others."""
    for _ in range(20):  # most masks allow almost nothing or almost everything
        token = chooser.randrange(len(mask))
        if mask[token]:
            return token
    allowed = np.flatnonzero(mask)
    return int(allowed[chooser.randrange(len(allowed))])


def judge(
    schema: Any, tokens: list[bytes | None], output: list[int], said: str
) -> None:
    data = b"".join(tokens[token] or b"" for token in output)
    text = data.decode()  # strictly
    problem = validity.syntax_problem(text) or validity.schema_problem(schema, text)
    assert not problem, f"{said}: {text}: {problem}"


@pytest.mark.parametrize("part", range(PARTS))
def test_ten_thousand_walks_with_a_budget(part: int) -> None:
    vocab = vocabularies.vocab("tekken")
    vocabulary = CONSTRAIN.Vocabulary(vocab.tokens)
    for number, schema in enumerate(schemas(part, 25)):
        index = index_of(schema, vocabulary, vocab.eos_id)
        shortest = int(index.closing.distances[0]) + 1
        for walk in range(100):
            said = f"part {part}, schema {number}, walk {walk}"
            chooser = random.Random(said)
            budget = shortest + chooser.choice([0, 1, 2, 5, 20])
            constraint, output = CONSTRAIN.Constraint(index, budget), []
            while not constraint.done:
                assert len(output) < budget, said
                token = drawn(chooser, constraint.mask())
                constraint.advance(token)
                output.append(token)
            assert len(output) <= budget, said
            judge(schema, vocab.tokens, output, said)


@pytest.mark.parametrize("part", range(PARTS))
def test_five_hundred_walks_without_a_budget(part: int) -> None:
    vocab = vocabularies.vocab("toy")
    finished = 0
    for number, schema in enumerate(schemas(100 + part, 25)):
        index = index_of(schema, vocab.tokens, vocab.eos_id)
        for walk in range(5):
            said = f"part {part}, schema {number}, walk {walk}"
            chooser = random.Random(said)
            constraint, output = CONSTRAIN.Constraint(index), []
            while not constraint.done and len(output) < 2_000:
                mask = constraint.mask()
                if not mask.any():  # é needs a token that there is not
                    break
                token = drawn(chooser, mask)
                constraint.advance(token)
                output.append(token)
            if constraint.done:
                finished += 1
                judge(schema, vocab.tokens, output, said)
    assert finished > 80


@pytest.mark.parametrize("part", range(PARTS))
def test_two_hundred_walks_through_the_sampler(part: int) -> None:
    vocab = vocabularies.vocab("toy")
    for number, schema in enumerate(schemas(200 + part, 25)):
        index = index_of(schema, vocab.tokens, vocab.eos_id)
        try:
            CONSTRAIN.require_completable(index)
        except CONSTRAIN.ConstrainError as error:
            assert error.kind == "vocabulary"  # a character without a token
            continue
        shortest = int(index.closing.distances[0]) + 1
        for walk in range(2):
            said = f"part {part}, schema {number}, walk {walk}"
            noise = np.random.default_rng([part, number, walk])
            params = SamplingParams(temperature=1.5, top_p=0.95, frequency_penalty=0.3)
            output, reason = CONSTRAIN.generate(
                index,
                lambda _, noise=noise: 4 * noise.standard_normal(len(vocab.tokens)),
                params,
                Pcg32(walk),
                shortest + 10 * walk,
            )
            assert reason == "stop", said
            judge(schema, vocab.tokens, output, said)
