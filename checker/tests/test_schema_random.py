"""Random schemas: two routes, one table, and `jsonschema` agrees about every value.

Each schema follows from the seed and its number; `OL_SEED=7 ./ol dev test -k
schema_random` tries others.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from ol import codes, course
from ol.implementation import Implementation
from schema_trees import closed, damaged, random_schema, random_value

SEED = os.environ.get("OL_SEED", "1968")
SCHEMAS, BATCHES = 720, 12
MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain


def compact(value: Any) -> str:
    """Return the text of a value, by CPython's own writer."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_schemas(batch: int) -> None:
    print(f"OL_SEED={SEED}")
    verdicts = {True: 0, False: 0}
    for number in range(batch, SCHEMAS, BATCHES):
        rng = Random(f"{SEED}/{number}")
        schema = random_schema(rng, depth=number % 4)
        place = f"OL_SEED={SEED}, number {number}, {compact(schema)}"
        dfa = CONSTRAIN.schema_to_dfa(schema)
        by_text = CONSTRAIN.regex_to_dfa(CONSTRAIN.json_schema_to_regex(schema))
        assert np.array_equal(dfa.trans, by_text.trans), place
        assert np.array_equal(dfa.accept, by_text.accept), place
        validator = Draft202012Validator(closed(schema))
        for _ in range(12):
            value = random_value(rng, schema)
            assert validator.is_valid(value), f"{place}: {value!r}"
            assert dfa.matches(compact(value).encode()), f"{place}: {value!r}"
            broken = damaged(rng, value)
            valid = validator.is_valid(broken)
            verdicts[valid] += 1
            assert dfa.matches(compact(broken).encode()) is valid, (
                f"{place}: {broken!r}"
            )
    assert min(verdicts.values()) > 20  # damage does some harm, and not always


def test_the_schemas_are_of_many_kinds() -> None:
    texts = [
        compact(random_schema(Random(f"{SEED}/{number}"), depth=number % 4))
        for number in range(SCHEMAS)
    ]
    for piece in (
        '"anyOf"', '"enum"', '"const"', '"minItems":2', '"maxItems":0', "日本", "😀",
        '"required":[]', '["object","null"]', '"properties":{}', "1.5e-05",
    ):  # fmt: skip
        assert any(piece in text for text in texts), piece
    assert len(set(texts)) > SCHEMAS * 0.5
