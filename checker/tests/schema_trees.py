"""Random JSON schemas of the subset, and random values for them.

Property names come from one list and keep its order, which is not the alphabet's, in
every object: whatever branch of an `anyOf` a value came from, its keys are in order.
Numbers are never floats without a fraction, for `1.0` equals `1` to a validator and is
another text to a grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

Schema = dict[str, Any]

NAMES = [
    "zeta",
    "a",
    "m",
    'q"uote',
    "back\\slash",
    "été",
    "p(a).*",
    "日本",
    "{}",
    "😀",
    "",
]
TEXTS = [
    "",
    "a",
    "Paris",
    "été",
    "日本",
    "😀",
    'a"b',
    "a\\b",
    "\n\t\x01",
    "/",
    "}{",
    "\x7f",
]
FLOATS = [0.5, -2.5, 1.5e-05, -1e-07, 123.456]
SCALARS = ["string", "integer", "number", "boolean", "null"]


def random_schema(rng: Random, depth: int) -> Schema:
    """Return a schema of the subset with at most `depth` levels below it."""
    kinds = [fixed, scalar, scalar] if depth == 0 else [fixed, scalar, any_of, array]
    kinds += [an_object] * 3 if depth else []
    schema = rng.choice(kinds)(rng, depth)
    if rng.random() < 0.1:
        schema["description"] = rng.choice(TEXTS)
    return schema


def fixed(rng: Random, depth: int) -> Schema:
    if rng.random() < 0.3:
        return {"const": any_value(rng, depth)}
    values = [any_value(rng, depth) for _ in range(rng.randint(1, 4))]
    return {"enum": values}


def scalar(rng: Random, depth: int) -> Schema:
    if rng.random() < 0.8:
        return {"type": rng.choice(SCALARS)}
    return {"type": rng.sample(SCALARS, rng.randint(1, 3))}


def any_of(rng: Random, depth: int) -> Schema:
    return {"anyOf": [random_schema(rng, depth - 1) for _ in range(rng.randint(1, 3))]}


def array(rng: Random, depth: int) -> Schema:
    schema: Schema = {"type": "array", "items": random_schema(rng, depth - 1)}
    least, more = rng.randint(0, 2), rng.randint(0, 2)
    if rng.random() < 0.5:
        schema["minItems"] = least
    if rng.random() < 0.5:
        schema["maxItems"] = schema.get("minItems", 0) + more
    return schema


def an_object(rng: Random, depth: int) -> Schema:
    chosen = sorted(rng.sample(range(len(NAMES)), rng.randint(0, 4)))
    names = [NAMES[number] for number in chosen]
    schema: Schema = {
        "type": rng.choice(["object", "object", ["object", "null"]]),
        "properties": {name: random_schema(rng, depth - 1) for name in names},
        "required": [name for name in names if rng.random() < 0.5],
    }
    if rng.random() < 0.3:
        schema["additionalProperties"] = rng.random() < 0.5
    return schema


def any_value(rng: Random, depth: int) -> Any:
    """Return a JSON value without a schema."""
    kind = rng.randint(0, 5 if depth == 0 else 7)
    if kind == 6:
        return [any_value(rng, depth - 1) for _ in range(rng.randint(0, 2))]
    if kind == 7:
        chosen = sorted(rng.sample(range(len(NAMES)), rng.randint(0, 2)))
        return {NAMES[number]: any_value(rng, depth - 1) for number in chosen}
    return of_type(rng, SCALARS[kind % len(SCALARS)], {})


def random_value(rng: Random, schema: Mapping[str, Any]) -> Any:
    """Return a value that a schema of `random_schema` allows, its keys in order."""
    if "anyOf" in schema:
        return random_value(rng, rng.choice(schema["anyOf"]))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    names = schema["type"]
    name = rng.choice(names) if isinstance(names, list) else names
    return of_type(rng, name, schema)


def of_type(rng: Random, name: str, schema: Mapping[str, Any]) -> Any:
    match name:
        case "string":
            return "".join(rng.choices(TEXTS, k=rng.randint(0, 3)))
        case "integer":
            return rng.choice([0, 7, -12, 10**20])
        case "number":
            return rng.choice([*FLOATS, 3, -40])
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
        case "array":
            least = schema.get("minItems", 0)
            count = rng.randint(least, schema.get("maxItems", least + 3))
            return [random_value(rng, schema["items"]) for _ in range(count)]
    return {
        key: random_value(rng, part)
        for key, part in schema.get("properties", {}).items()
        if key in schema.get("required", []) or rng.random() < 0.5
    }


def damaged(rng: Random, value: Any) -> Any:
    """Return the value with one place in it changed: dropped, doubled or replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.7:
        key = rng.choice(list(value))
        if rng.random() < 0.4:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: damaged(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.7:
        place = rng.randrange(len(value))
        instead = rng.choice([[], value[place : place + 1] * 2, None])
        changed = [damaged(rng, value[place])] if instead is None else instead
        return [*value[:place], *changed, *value[place + 1 :]]
    return any_value(rng, 1)


def closed(schema: Any) -> Any:
    """Return the schema as a validator has to read it: every object is closed."""
    if not isinstance(schema, dict):
        return schema
    schema = dict(schema)
    if "items" in schema:
        schema["items"] = closed(schema["items"])
    if "anyOf" in schema:
        schema["anyOf"] = [closed(part) for part in schema["anyOf"]]
    if "object" in schema.get("type", ()):
        parts = schema.get("properties", {}).items()
        schema["properties"] = {key: closed(part) for key, part in parts}
        schema["additionalProperties"] = False
    return schema
