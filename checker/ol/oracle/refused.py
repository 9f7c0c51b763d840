"""What the oracle refuses in a schema: every keyword has one place where it may stand.

The answer is a kind, a JSON pointer (RFC 6901) and the keyword. Where two keywords
disagree the pointer leads to their schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from ol.oracle.refusal import OracleRefusal
from ol.oracle.tables import MOST_STATES

SILENT = {
    *("title", "description", "default", "examples", "deprecated"),
    *("readOnly", "writeOnly", "$comment", "$schema", "$id"),
}
BESIDE = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    **{name: set[str]() for name in ("string", "integer", "number", "boolean", "null")},
}


def no(kind: str, message: str, pointer: str, keyword: str | None = None) -> NoReturn:
    raise OracleRefusal(kind, message, pointer=pointer, keyword=keyword)


def check(schema: Any, pointer: str) -> None:
    """Refuse a schema that is outside the subset, or any below it."""
    if not isinstance(schema, dict):
        kind = "type" if isinstance(schema, bool) else "value"
        no(kind, "a schema is an object", pointer)
    names = _types(schema, pointer)
    _places(schema, names, pointer)
    for keyword, value in schema.items():
        _value(keyword, value, f"{pointer}/{_step(keyword)}")
    _sense(schema, names, pointer)
    for key, part in schema.get("properties", {}).items():
        check(part, f"{pointer}/properties/{_step(key)}")
    if "items" in schema:
        check(schema["items"], f"{pointer}/items")
    for number, part in enumerate(schema.get("anyOf", ())):
        check(part, f"{pointer}/anyOf/{number}")


def kept(schema: Mapping[str, Any]) -> list[Any]:
    """Return the members of an enum or const that its type leaves."""
    members = schema["enum"] if "enum" in schema else [schema["const"]]
    if "type" not in schema:
        return list(members)
    kind = schema["type"]
    names = kind if isinstance(kind, list) else [kind]
    return [m for m in members if any(_is(m, name) for name in names)]


def _is(value: Any, name: str) -> bool:
    """Whether a value has a type: 1.0 is an integer, true is a number of no kind."""
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, float):
        return name == "number" or (name == "integer" and value == int(value))
    kinds = {
        int: ("integer", "number"),
        str: ("string",),
        list: ("array",),
        dict: ("object",),
        type(None): ("null",),
    }
    return name in kinds[type(value)]


def _step(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _types(schema: dict[str, Any], pointer: str) -> list[str]:
    kind = schema.get("type", [])
    names: list[str] = kind if isinstance(kind, list) else [kind]
    for name in names:
        if not isinstance(name, str) or name not in BESIDE:
            no("type", f"no type {name!r}", f"{pointer}/type", "type")
    if not names and not {"enum", "const", "anyOf"} & {*schema}:
        for keyword in schema:
            if keyword not in SILENT.union({"type"}, *BESIDE.values()):
                no("keyword", keyword, f"{pointer}/{_step(keyword)}", keyword)
        no("type", "no type", pointer)
    return names


def _places(schema: dict[str, Any], names: list[str], pointer: str) -> None:
    if "anyOf" in schema:
        allowed = {"anyOf"}
    elif "enum" in schema or "const" in schema:
        allowed = {"type", "enum" if "enum" in schema else "const"}
    else:
        allowed = {"type"}.union(*(BESIDE[name] for name in names))
    for keyword in schema:
        if keyword not in allowed | SILENT:
            no("keyword", keyword, f"{pointer}/{_step(keyword)}", keyword)


def _value(keyword: str, value: Any, pointer: str) -> None:
    whole = not isinstance(value, bool) and (
        isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    )
    if keyword == "additionalProperties" and isinstance(value, dict):
        no("keyword", "a schema for other members", pointer, keyword)
    right = {
        "properties": isinstance(value, dict),
        "required": isinstance(value, list) and all(isinstance(n, str) for n in value),
        "additionalProperties": isinstance(value, bool),
        "items": isinstance(value, dict | bool),
        "minItems": whole and value >= 0,
        "maxItems": whole and value >= 0,
        "enum": isinstance(value, list),
        "anyOf": isinstance(value, list) and len(value) > 0,
    }
    if not right.get(keyword, True):
        no("value", f"{keyword} has no such value", pointer, keyword)
    if keyword in ("minItems", "maxItems") and value > MOST_STATES:
        no("size", "each item has its own states", pointer, keyword)


def _sense(schema: dict[str, Any], names: list[str], pointer: str) -> None:
    for number, name in enumerate(schema.get("required", ())):
        if name not in schema.get("properties", {}):
            no("required", name, f"{pointer}/required/{number}", "required")
    listed = "enum" in schema or "const" in schema
    if "array" in names and not listed and "items" not in schema:
        no("items", "an array without items", pointer)
    if listed and not kept(schema):
        no("empty", "no member is left", pointer)
    if schema.get("minItems", 0) > schema.get("maxItems", float("inf")):
        no("empty", "minItems over maxItems", pointer)
