"""Random schemas through the oracle: `jsonschema`, the reference, and its own masks.

Each schema follows from the seed and its number; `OL_SEED=7 ./ol dev test -k
oracle_random` tries others.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from ol import codes, course, oracle
from ol.fixtures import vocabulary
from ol.forms import Dfa
from ol.implementation import Implementation
from schema_trees import closed, damaged, random_schema, random_value

SEED = os.environ.get("OL_SEED", "1964")
BATCHES = 4
MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain

NULL = {"type": "null"}
KEYWORDS = [
    "type", "enum", "const", "items", "minItems", "maxItems", "properties", "required",
    "additionalProperties", "anyOf", "title", "$id", "pattern", "$ref", "x/y~",
]  # fmt: skip
VALUES = [
    None, True, False, 0, 1, 2.0, 1.5, -1, 10**9, "string", "array", "object", "x", [],
    {}, ["a"], ["zeta", "a"], ["null", "integer"], ["array", "null"], [NULL], NULL,
    {"a": NULL}, [{}], ["string", 3], [1.0, True, None, "x", [1], {"b": 1}],
]  # fmt: skip


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def numbered(batch: int, count: int) -> list[tuple[Random, Any, str]]:
    """Return the schemas of a batch, each with its source of chance and its place."""
    print(f"OL_SEED={SEED}")
    found = []
    for number in range(batch, count, BATCHES):
        rng = Random(f"oracle/{SEED}/{number}")
        schema = random_schema(rng, depth=number // BATCHES % 4)
        found.append((rng, schema, f"OL_SEED={SEED}, number {number}"))
    return found


def through(dfa: Dfa, state: int, data: bytes) -> int:
    """Return the state after some bytes, -1 where they die."""
    for byte in data:
        state = int(dfa.trans[state, byte]) if state >= 0 else state
    return state


def accepts(dfa: Dfa, value: Any) -> bool:
    """Whether a table takes the text of a value, as CPython writes it."""
    state = through(dfa, 0, compact(value).encode())
    return state >= 0 and bool(dfa.accept[state])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_oracle_and_a_validator(batch: int) -> None:
    verdicts = Counter[bool]()
    for rng, schema, place in numbered(batch, 320):
        dfa = oracle.schema_to_dfa(schema)
        validator = Draft202012Validator(closed(schema))
        for _ in range(12):
            value = random_value(rng, schema)
            assert accepts(dfa, value), (place, schema, value)
            broken = damaged(rng, value)
            valid = validator.is_valid(broken)
            verdicts[valid] += 1
            assert accepts(dfa, broken) is valid, (place, schema, broken)
    assert min(verdicts[True], verdicts[False]) > 50  # damage does harm, not always


def below(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a schema and all schemas in it, as far as they have the right form."""
    inside = [schema.get("items")]
    for keyword, form in (("anyOf", list), ("properties", dict)):
        parts = schema.get(keyword)
        if isinstance(parts, form):
            inside += parts.values() if isinstance(parts, dict) else parts
    found = [schema]
    for part in inside:
        found += below(part) if isinstance(part, dict) else []
    return found


def spoilt(rng: Random, schema: Any) -> Any:
    """Return the schema with a keyword of it, or two, set, dropped or moved."""
    schema = json.loads(json.dumps(schema))
    for _ in range(rng.choice([1, 1, 2])):
        place = rng.choice(below(schema))
        if place and rng.random() < 0.25:
            del place[rng.choice(list(place))]
            continue
        keyword, value = rng.choice(KEYWORDS), rng.choice(VALUES)
        place[keyword] = json.loads(json.dumps(value))
        moved = rng.sample(list(place.items()), len(place))
        place.clear()
        place.update(moved)
    return schema


def outcome(call: Any, schema: Any) -> Dfa | tuple[str, str | None, str | None]:
    try:
        table: Dfa = call(schema)
    except ValueError as refused:
        why: Any = refused
        return why.kind, why.pointer, why.keyword
    return table


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.skipif(not MODULE.is_present("07_schema"), reason="needs 07_schema")
def test_the_oracle_and_the_reference(batch: int) -> None:
    """The same table, or the same refusal at the same place."""
    kinds = Counter[str]()
    for rng, whole, place in numbered(batch, 1_200):
        schema = spoilt(rng, whole)
        mine = outcome(oracle.schema_to_dfa, schema)
        other = outcome(CONSTRAIN.schema_to_dfa, schema)
        if isinstance(mine, tuple) or isinstance(other, tuple):
            assert mine == other, (place, schema)
            kinds[str(mine[0])] += 1  # type: ignore[index]
            continue
        assert np.array_equal(mine.trans, other.trans), (place, schema)
        assert np.array_equal(mine.accept, other.accept), (place, schema)
        kinds["table"] += 1
    assert kinds.keys() >= {"table", "keyword", "type", "value", "empty"}


@pytest.mark.parametrize("batch", range(BATCHES))
def test_masks_by_deriving_and_by_the_table(batch: int) -> None:
    """A token is allowed where the table's walk over its bytes does not die."""
    tokens: list[bytes | None] = vocabulary.tokens()
    for rng, schema, place in numbered(batch, 80):
        dfa = oracle.schema_to_dfa(schema)
        walk = oracle.walk(schema, tokens, vocabulary.EOS)
        state = 0
        for _ in range(25):
            after = {i: through(dfa, state, t) for i, t in enumerate(tokens) if t}
            expected = [i for i, target in after.items() if target >= 0]
            expected += [vocabulary.EOS] * bool(dfa.accept[state])
            assert walk.allowed() == expected, (place, schema, state)
            assert walk.complete == bool(dfa.accept[state]), (place, schema, state)
            if not expected:  # no token begins the next character: DEL, an emoji
                break
            choice = rng.choice(expected)
            walk.take(choice)
            if walk.done:
                assert walk.allowed() == [vocabulary.EOS], (place, schema)
                break
            state = after[choice]
