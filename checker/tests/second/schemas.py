"""JSON schemas to patterns; every keyword is known or refused where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .errors import ConstrainError
from .machines import Dfa, regex_to_dfa
from .texts import MAX_DIGITS, escape, json_dumps, json_quote

STRING = (
    r'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u(?:[0-9a-ce-fA-CE-F][0-9a-fA-F]{3}'
    r"|[dD][0-7][0-9a-fA-F]{2}"
    r'|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*"'
)
INTEGER = "-?(?:0|[1-9][0-9]*)"
NUMBER = rf"{INTEGER}(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
SCALARS = {"string": STRING, "integer": INTEGER, "number": NUMBER,
           "boolean": "(?:true|false)", "null": "null"}  # fmt: skip
OWN = {
    "array": ("items", "minItems", "maxItems"),
    "object": ("properties", "required", "additionalProperties"),
}
NOTES = {"title", "description", "default", "examples", "deprecated", "readOnly",
         "writeOnly", "$comment", "$schema", "$id"}  # fmt: skip
TYPES = (*SCALARS, *OWN)
MAX_STATES = 20_000


def json_schema_to_regex(schema: Any) -> str:
    """Return the pattern of the compact JSON texts that a schema allows."""
    return _pattern(schema, "", 0)


def schema_to_dfa(schema: Any) -> Dfa:
    """Return the table of a schema."""
    dfa = regex_to_dfa(json_schema_to_regex(schema))
    if dfa.n_states > MAX_STATES:
        raise ConstrainError("size", "too many states")
    return dfa


def json_object_regex(depth: int) -> str:
    """Return the pattern of objects that hold `depth` levels, themselves the first."""
    value = "|".join(SCALARS.values())
    for level in range(depth):
        items = _listed(f"(?:{value})")
        members = _listed(f"(?:{STRING}:(?:{value}))")
        whole = rf"\{{{members}\}}"
        if level == depth - 1:
            return whole
        value = "|".join([*SCALARS.values(), rf"\[{items}\]", whole])
    raise ConstrainError("value", "a depth is at least 1")


def _listed(item: str) -> str:
    return f"(?:{item}(?:,{item})*)?"


def _refuse(kind: str, message: str, pointer: str, keyword: str = "") -> ConstrainError:
    where = f"{pointer}/{keyword}" if keyword else pointer
    name = keyword.partition("/")[0] or None
    return ConstrainError(kind, message, pointer=where, keyword=name)


def _pattern(schema: Any, pointer: str, depth: int) -> str:
    if depth > 256:
        raise _refuse("depth", "schemas nested too deep", pointer)
    if not isinstance(schema, dict):
        kind = "type" if isinstance(schema, bool) else "value"
        raise _refuse(kind, "a schema is an object", pointer)
    form = _form(schema, pointer)
    _check_keywords(schema, form, pointer)
    if form == "anyOf":
        options = schema["anyOf"]
        if not isinstance(options, list) or not options:
            raise _refuse("value", "anyOf is a list", pointer, "anyOf")
        parts = [
            _pattern(option, f"{pointer}/anyOf/{number}", depth + 1)
            for number, option in enumerate(options)
        ]
        return f"(?:{'|'.join(parts)})"
    if form in ("enum", "const"):
        return _fixed(schema, form, pointer)
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return f"(?:{'|'.join(_of_type(n, schema, pointer, depth) for n in names)})"


def _form(schema: Mapping[str, Any], pointer: str) -> str:
    """Return the keyword that says what kind of schema it is."""
    if "enum" in schema and "const" in schema:
        raise _refuse("keyword", "enum and const together", pointer)
    for form in ("anyOf", "enum", "const"):
        if form in schema:
            return form
    if "type" not in schema:
        known = {*NOTES, *(k for keys in OWN.values() for k in keys)}
        for keyword in schema:
            if keyword not in known:
                raise _refuse("keyword", f"{keyword} is unknown", pointer, keyword)
        raise _refuse("type", "the type is missing", pointer)
    return "type"


def _check_keywords(schema: Mapping[str, Any], form: str, pointer: str) -> None:
    allowed = {form, *NOTES}
    if form in ("enum", "const"):
        allowed.add("type")
    if "type" in schema and form != "anyOf":
        names = _type_names(schema["type"], pointer)
        if form == "type":
            allowed |= {key for name in names for key in OWN.get(name, ())}
    for keyword in schema:
        if keyword not in allowed:
            raise _refuse("keyword", f"{keyword} has no place", pointer, keyword)


def _type_names(value: Any, pointer: str) -> list[str]:
    names = value if isinstance(value, list) else [value]
    if isinstance(value, list) and (
        not value or len(set(map(str, value))) < len(value)
    ):
        raise _refuse("value", "a list of types", pointer, "type")
    for name in names:
        if not isinstance(name, str):
            raise _refuse("value", "a type is a name", pointer, "type")
        if name not in TYPES:
            raise _refuse("type", f"{name!r} is no type", pointer, "type")
    return names


def _fixed(schema: Mapping[str, Any], form: str, pointer: str) -> str:
    values = schema[form] if form == "enum" else [schema[form]]
    if not isinstance(values, list):
        raise _refuse("value", "enum is a list", pointer, "enum")
    if not values:
        raise _refuse("empty", "no value", pointer, "enum")
    if "type" in schema:
        names = _type_names(schema["type"], pointer)
        values = [v for v in values if any(KINDS[name](v) for name in names)]
        if not values:
            raise _refuse("empty", "no value of that type", pointer)
    return f"(?:{'|'.join(escape(json_dumps(value)) for value in values)})"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


KINDS: dict[str, Callable[[Any], bool]] = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: _is_number(v) and v == int(v),
    "number": _is_number,
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}


def _of_type(name: str, schema: Mapping[str, Any], pointer: str, depth: int) -> str:
    if name in SCALARS:
        return SCALARS[name]
    if name == "array":
        return _array(schema, pointer, depth)
    return _object(schema, pointer, depth)


def _count(schema: Mapping[str, Any], keyword: str, pointer: str) -> int | None:
    value = schema.get(keyword)
    if keyword not in schema:
        return None
    whole = isinstance(value, float) and value == int(value)
    if isinstance(value, bool) or not (isinstance(value, int) or whole) or value < 0:
        raise _refuse("value", "a count from 0 up", pointer, keyword)
    return int(value)


def _array(schema: Mapping[str, Any], pointer: str, depth: int) -> str:
    if "items" not in schema:
        raise _refuse("items", "items are missing", pointer)
    item = _pattern(schema["items"], f"{pointer}/items", depth + 1)
    least = _count(schema, "minItems", pointer) or 0
    most = _count(schema, "maxItems", pointer)
    if most is not None and least > most:
        raise _refuse("empty", "minItems is above maxItems", pointer)
    for keyword, count in (("minItems", least), ("maxItems", most or 0)):
        if count > 65_535:
            raise _refuse("size", "too many items", pointer, keyword)
    if most == 0:
        return r"\[\]"
    rest = "" if most is None else str(most - 1)
    inner = f"{item}(?:,{item}){{{max(least - 1, 0)},{rest}}}"
    return rf"\[{inner}\]" if least else rf"\[(?:{inner})?\]"


def _object(schema: Mapping[str, Any], pointer: str, depth: int) -> str:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict):
        raise _refuse("value", "properties are an object", pointer, "properties")
    if not isinstance(required, list) or not all(isinstance(n, str) for n in required):
        raise _refuse("value", "required is a list of names", pointer, "required")
    if not isinstance(schema.get("additionalProperties", False), bool):
        raise _refuse("value", "true or false", pointer, "additionalProperties")
    for number, name in enumerate(required):
        if name not in properties:
            raise _refuse("required", f"{name!r}", pointer, f"required/{number}")
    members = [
        (
            f"{escape(json_quote(name))}:"
            + _pattern(part, f"{pointer}/properties/{_token(name)}", depth + 1),
            name in required,
        )
        for name, part in properties.items()
    ]
    return rf"\{{{_first(members)}\}}"


def _token(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _first(members: list[tuple[str, bool]]) -> str:
    """Return the members from here on, where nothing has been written yet."""
    if not members:
        return ""
    (member, is_required), *rest = members
    here = member + "".join(
        f",{text}" if needed else f"(?:,{text})?" for text, needed in rest
    )
    return here if is_required else f"(?:{here}|{_first(rest)})"


__all__ = ["MAX_DIGITS", "json_object_regex", "json_schema_to_regex", "schema_to_dfa"]
