"""Changes to the functions of 07: what a schema's pattern lets through."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ol.forms import DEAD
from ol.mutants.machines import table, table_of
from ol.mutants.overlay import Interface, Mutant

Change = Callable[[Mapping[str, Any]], dict[str, Any]]
YX = {"type": "object", "properties": {"y": {"const": 1}, "x": {"const": 2}}}
UP_TO_TWO = {"type": "array", "items": {"const": 1}, "maxItems": 2}


def table_of_schema(schema: Any) -> Callable[[Interface], object]:
    """Return a witness: the table of a schema, by way of its pattern."""
    return lambda course: table(
        course["regex_to_dfa"](course["json_schema_to_regex"](schema))
    )


def changed(schema: Any, change: Change) -> Any:
    """Return a schema with `change` made to it and to every schema inside it."""
    if not isinstance(schema, dict):
        return schema
    schema = dict(schema)
    if isinstance(schema.get("properties"), dict):
        members = schema["properties"].items()
        schema["properties"] = {key: changed(part, change) for key, part in members}
    if "items" in schema:
        schema["items"] = changed(schema["items"], change)
    if isinstance(schema.get("anyOf"), list):
        schema["anyOf"] = [changed(part, change) for part in schema["anyOf"]]
    return change(schema)


def of_changed(change: Change) -> Callable[[Any, Interface], Any]:
    """Return a `make`: the original, asked about another schema."""
    return lambda original, course: lambda schema: original(changed(schema, change))


def sort_properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return dict(schema)
    return {**schema, "properties": dict(sorted(properties.items()))}


def one_item_more(schema: Mapping[str, Any]) -> dict[str, Any]:
    most = schema.get("maxItems")
    return dict(schema) if type(most) is not int else {**schema, "maxItems": most + 1}


def collected(schema: Any, take: Callable[[Mapping[str, Any]], list[Any]]) -> list[Any]:
    """Return what `take` finds in a schema and in every schema inside it."""
    found: list[Any] = []

    def look(part: Mapping[str, Any]) -> dict[str, Any]:
        found.extend(take(part))
        return dict(part)

    changed(schema, look)
    return found


def optional_names(schema: Mapping[str, Any]) -> list[str]:
    properties, required = schema.get("properties"), schema.get("required")
    names = properties if isinstance(properties, dict) else {}
    return [n for n in names if not isinstance(required, list) or n not in required]


def without_comma(original: Any, course: Interface) -> Any:
    """Take away each comma that stands right before the key of an optional member."""

    def json_schema_to_regex(schema: Any) -> str:
        pattern: str = original(schema)
        for name in collected(schema, optional_names):
            quoted = course["json_quote"](name)
            for key in {course["escape"](quoted), quoted}:
                pattern = re.sub(f",(?={re.escape(key)}:)", "", pattern)
        return pattern

    return json_schema_to_regex


def fixed_values(schema: Mapping[str, Any]) -> list[Any]:
    members = schema.get("enum", [])
    constant = [schema["const"]] if "const" in schema else []
    return [*(members if isinstance(members, list) else []), *constant]


def unescaped_values(original: Any, course: Interface) -> Any:
    """Put the values of `enum` and `const` into the pattern as they are."""

    def json_schema_to_regex(schema: Any) -> str:
        pattern: str = original(schema)
        for value in collected(schema, fixed_values):
            text = course["json_dumps"](value)
            pattern = pattern.replace(course["escape"](text), text)
        return pattern

    return json_schema_to_regex


def accept_nothing(original: Any, course: Interface) -> Any:
    """Hand out a machine without an accepting state where no string matches."""

    def regex_to_dfa(pattern: str) -> Any:
        try:
            return original(pattern)
        except ValueError as error:
            if getattr(error, "kind", None) != "empty":
                raise
        trans = np.full((1, 256), DEAD, np.int32)
        return course["Dfa"](1, np.zeros(1, np.bool_), trans)

    return regex_to_dfa


ENTRIES = (
    Mutant(
        id="s02",
        title="properties sorted by name",
        pitfall="The order of the schema's text is taken for the alphabet's.",
        symptom="The model has to write keys in an order that its schema did not ask "
        "for, and that no validator notices.",
        shows='of {"y": …, "x": …} the key "x" has to come first',
        target="json_schema_to_regex",
        make=of_changed(sort_properties),
        witness=table_of_schema(YX),
    ),
    Mutant(
        id="s03",
        title="no comma before a later optional member",
        pitfall="An optional member is added as if it were always the first.",
        symptom='{"x":1"y":2} passes for JSON and does not parse.',
        shows='{"y":1"x":2} is accepted',
        target="json_schema_to_regex",
        make=without_comma,
        witness=table_of_schema(YX),
    ),
    Mutant(
        id="s04",
        title="enum values inserted unescaped",
        pitfall="A value is put into the pattern as the JSON that it is.",
        symptom="2.5 matches 2x5, and brackets break the pattern.",
        shows="the value 2.5 accepts 2x5",
        target="json_schema_to_regex",
        make=unescaped_values,
        witness=table_of_schema({"enum": [2.5]}),
    ),
    Mutant(
        id="s05",
        title="maxItems off by one",
        pitfall="The item in front of those with a comma is not counted.",
        symptom="One item too many passes the grammar and breaks the schema.",
        shows="[1,1,1] is accepted, at most 2 are allowed",
        target="json_schema_to_regex",
        make=of_changed(one_item_more),
        witness=table_of_schema(UP_TO_TWO),
    ),
    Mutant(
        id="s08",
        title="an empty language is not refused",
        pitfall="A pattern that no string matches gets a machine like any other.",
        symptom="The request can never finish: no byte leads to an accepting state.",
        shows=r"[^\s\S], which no string matches, gets a machine",
        target="regex_to_dfa",
        make=accept_nothing,
        witness=table_of(r"[^\s\S]"),
    ),
)
