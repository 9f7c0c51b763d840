# %% [markdown] name="title"
# # 07 · A schema becomes a pattern   *(120 minutes)*

# %% role="given" name="imports"
from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import ol
from ol.mine.characters import canonical_dfa, regex_to_dfa
from ol.mine.dfa import DEAD, Dfa
from ol.mine.nfa import (
    MAX_NFA_STATES,
    Builder,
    Fragment,
    choice_fragment,
    copies_of,
    reachable,
    take,
)
from ol.mine.regex import MOST_PATTERN_BYTES, ConstrainError


# %% role="given" name="json-stand-in"
def json_dumps(value: Any) -> str:
    """Stand-in until notebook 06 is here."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_quote(text: str) -> str:
    """Stand-in until notebook 06 is here."""
    return json.dumps(text, ensure_ascii=False)


# %% role="given" name="schema-type"
Schema = dict[str, Any]  # a JSON object as Python reads it, its keys in the text's order
MAX_STATES = 20_000  # of a grammar's smallest DFA

# %% role="solution" name="escape"
def escape(text: str) -> str:
    """Return the pattern that matches `text` and nothing else.

    >>> print(escape("2.5"))
    2\\.5
    """
    ### BEGIN SOLUTION
    special = set(r'\^$.|?*+()[]{}"')
    return "".join("\\" + c if c in special else c for c in text)
    ### END SOLUTION


# %% role="given" name="scalar-patterns"
PLAIN = r'[^"\\\x00-\x1f]'
PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
NOT_HALF = r"(?:[0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})"
STRING = rf'"(?:{PLAIN}|\\["\\/bfnrt]|\\u{NOT_HALF}|{PAIR})*"'
INTEGER = "-?(?:0|[1-9][0-9]*)"
NUMBER = INTEGER + r"(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
SCALARS = {
    "string": STRING,
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": "(?:true|false)",
    "null": "null",
}

# %% role="given" name="either"
def either(options: list[str]) -> str:
    """Return the pattern of a choice, grouped so that it stays one unit."""
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"

# %% role="solution" name="enum_pattern"
def enum_pattern(values: list[Any]) -> str:
    """Return the pattern of exactly these JSON values, each as `json_dumps` writes it.

    >>> print(enum_pattern([2.5, "a"]))
    (?:2\\.5|\\"a\\")
    """
    ### BEGIN SOLUTION
    return either([escape(json_dumps(value)) for value in values])
    ### END SOLUTION

# %% role="solution" name="array_pattern"
def array_pattern(item: str, least: int, most: int | None) -> str:
    """Return the pattern of an array of `least` to `most` items.

    item: the pattern of one item. most: None where there is no limit.

    >>> print(array_pattern("I", 1, 2))
    \\[I(?:,I){0,1}\\]
    """
    ### BEGIN SOLUTION
    if most == 0:
        return r"\[\]"
    fewest, largest = max(least, 1) - 1, "" if most is None else most - 1
    items = f"{item}(?:,{item}){{{fewest},{largest}}}"
    return rf"\[(?:{items})?\]" if least == 0 else rf"\[{items}\]"
    ### END SOLUTION

# %% role="solution" name="object_pattern"
def object_pattern(members: list[tuple[str, bool]]) -> str:
    """Return the pattern of an object with these members, in this order.

    members: (pattern of `"key":value`, whether it is required).

    >>> print(object_pattern([("X", False), ("Y", False)]))
    \\{(?:X(?:,Y)?|(?:Y|))\\}
    """
    ### BEGIN SOLUTION
    nothing_yet, comma_due = "", ""
    for member, is_required in reversed(members):
        first = member + comma_due
        nothing_yet = first if is_required else f"(?:{first}|{nothing_yet})"
        later = f",{member}" if is_required else f"(?:,{member})?"
        comma_due = later + comma_due
    return r"\{" + nothing_yet + r"\}"
    ### END SOLUTION

# %% role="given" name="tables"
ANNOTATIONS = set(
    "title description default examples deprecated readOnly writeOnly "
    "$comment $schema $id".split()
)
OF_TYPE: dict[str, set[str]] = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    **{name: set() for name in SCALARS},
}
KNOWN = {"type", "enum", "const", "anyOf"}.union(ANNOTATIONS, *OF_TYPE.values())

# %% role="given" name="subschemas"
def type_names(schema: Schema) -> list[str]:
    """Return the names under `type`, each once; none where there is no `type`."""
    names = schema.get("type", [])
    return list(dict.fromkeys(names if isinstance(names, list) else [names]))


def pointer_to(pointer: str, *steps: str | int) -> str:
    """Return the JSON pointer that goes `steps` on from `pointer` (RFC 6901)."""
    for step in steps:
        pointer += "/" + str(step).replace("~", "~0").replace("/", "~1")
    return pointer


def subschemas(schema: Schema, pointer: str = "") -> list[tuple[str, Schema]]:
    """Return the schemas one level below, each with its pointer."""
    below = [
        (pointer_to(pointer, "properties", key), part)
        for key, part in schema.get("properties", {}).items()
    ]
    if "items" in schema:
        below.append((pointer_to(pointer, "items"), schema["items"]))
    for number, part in enumerate(schema.get("anyOf", [])):
        below.append((pointer_to(pointer, "anyOf", number), part))
    return below

# %% role="solution" name="check_keywords"
def check_keywords(schema: Schema, pointer: str) -> None:
    """Refuse the first keyword that has no place in this schema.

    >>> check_keywords({"type": "string", "title": "any text will do"}, "")
    """
    ### BEGIN SOLUTION
    allowed = ANNOTATIONS | {"type"}
    if "anyOf" in schema:
        allowed = ANNOTATIONS | {"anyOf"}
    elif "enum" in schema:
        allowed |= {"enum"}
    elif "const" in schema:
        allowed |= {"const"}
    else:
        allowed = allowed.union(*(OF_TYPE[name] for name in type_names(schema)))
    for keyword in schema:
        if keyword not in allowed:
            where = pointer_to(pointer, keyword)
            message = f"{keyword!r} is not supported here"
            raise ConstrainError("keyword", message, pointer=where, keyword=keyword)
    ### END SOLUTION

# %% role="given" name="refuse"
def refuse(kind: str, message: str, pointer: str, keyword: str, *more: str) -> None:
    """Raise the ConstrainError of a keyword of the schema at `pointer`."""
    where = pointer_to(pointer, keyword, *more)
    raise ConstrainError(kind, message, pointer=where, keyword=keyword)


def has_type(value: Any, name: str) -> bool:
    """Say whether a JSON value is of a schema's type; 1.0 is an integer, True is not."""
    if isinstance(value, bool) or value is None:
        return name == ("null" if value is None else "boolean")
    if isinstance(value, int | float):
        whole = isinstance(value, int) or value.is_integer()
        return name == "number" or (name == "integer" and whole)
    return name == {str: "string", list: "array", dict: "object"}[type(value)]


def enum_members(schema: Schema) -> list[Any]:
    """Return the members of `enum`, or `const` alone, that are of the schema's type."""
    values = schema["enum"] if "enum" in schema else [schema["const"]]
    if "type" not in schema:
        return values
    names = type_names(schema)
    return [value for value in values if any(has_type(value, n) for n in names)]

# %% role="given" name="check-values"
def is_count(value: Any) -> bool:
    """Say whether a value is a whole number from 0 up."""
    return has_type(value, "integer") and value >= 0


def is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


WELL_FORMED = {
    "properties": lambda value: isinstance(value, dict),
    "required": is_names,
    "additionalProperties": lambda value: isinstance(value, bool),
    "items": is_schema,
    "minItems": is_count,
    "maxItems": is_count,
    "enum": lambda value: isinstance(value, list),
    "anyOf": lambda value: isinstance(value, list) and value != [],
}


def check_values(schema: Schema, pointer: str) -> None:
    """Refuse the first keyword whose value is not of the right form."""
    for keyword, value in schema.items():
        if not WELL_FORMED.get(keyword, lambda value: True)(value):
            if keyword == "additionalProperties" and isinstance(value, dict):
                refuse("keyword", "additionalProperties: true or false", pointer, keyword)
            refuse("value", f"{keyword} cannot be {value!r:.40}", pointer, keyword)
        if keyword in ("minItems", "maxItems") and value > MAX_STATES:
            refuse("size", f"more than {MAX_STATES:,} items", pointer, keyword)


# %% role="given" name="check-types"
def check_types(schema: Schema, pointer: str) -> None:
    """Refuse a schema without a type, or with one that there is not."""
    names = type_names(schema)
    if not names and not {"anyOf", "enum", "const"} & schema.keys():
        raise ConstrainError("type", "a schema needs a type", pointer=pointer)
    for name in names:
        if not isinstance(name, str) or name not in OF_TYPE:
            refuse("type", f"there is no type {name!r:.40}", pointer, "type")


def check_sense(schema: Schema, pointer: str) -> None:
    """Refuse what is well formed and cannot be fulfilled."""
    for number, name in enumerate(schema.get("required", [])):
        if name not in schema.get("properties", {}):
            refuse("required", f"no property {name!r}", pointer, "required", number)
    if "array" in type_names(schema) and not {"items", "enum", "const"} & schema.keys():
        raise ConstrainError("items", "an array needs items", pointer=pointer)
    if {"enum", "const"} & schema.keys() and not enum_members(schema):
        raise ConstrainError("empty", "no value is left", pointer=pointer)
    least, most = item_bounds(schema)
    if most is not None and least > most:
        raise ConstrainError("empty", "minItems is over maxItems", pointer=pointer)


def item_bounds(schema: Schema) -> tuple[int, int | None]:
    """Return minItems and maxItems, 0 and None where they are not given."""
    most = schema.get("maxItems")
    return int(schema.get("minItems", 0)), None if most is None else int(most)

# %% role="given" name="schemas-of"
def schemas_of(schema: Any) -> list[Schema]:
    """Check a schema and all below it; return them, parts before their whole.

    Raises ConstrainError with `pointer` and `keyword`.
    """
    order, waiting = [], [("", schema)]
    while waiting:
        pointer, part = waiting.pop()
        if not isinstance(part, dict):
            kind = "type" if isinstance(part, bool) else "value"
            raise ConstrainError(kind, "a schema is an object", pointer=pointer)
        for keyword in part:
            if keyword not in KNOWN:
                refuse("keyword", f"{keyword!r} is not supported", pointer, keyword)
        check_types(part, pointer)
        check_keywords(part, pointer)
        check_values(part, pointer)
        check_sense(part, pointer)
        order.append(part)
        waiting += subschemas(part, pointer)
    return order[::-1]

# %% role="given" name="schema-pattern"
def schema_pattern(schema: Schema, parts: list[str]) -> str:
    """Return the pattern of one schema from the patterns of those below it."""
    if "anyOf" in schema:
        return either(parts)
    if "enum" in schema or "const" in schema:
        return enum_pattern(enum_members(schema))
    return either([type_pattern(schema, name, parts) for name in type_names(schema)])


def type_pattern(schema: Schema, name: str, parts: list[str]) -> str:
    """Return the pattern of a schema's values of one type."""
    if name == "array":
        return array_pattern(parts[-1], *item_bounds(schema))
    if name != "object":
        return SCALARS[name]
    keys = [escape(json_quote(key)) for key in schema.get("properties", {})]
    members = [f"{key}:{part}" for key, part in zip(keys, parts, strict=False)]
    refuse_long(members, required_flags(schema))
    return object_pattern(list(zip(members, required_flags(schema), strict=True)))


def required_flags(schema: Schema) -> list[bool]:
    """Return, for every property, whether it is required."""
    return [key in schema.get("required", []) for key in schema.get("properties", {})]


def refuse_long(members: list[str], flags: list[bool]) -> None:
    """Refuse an object whose pattern is too long, before it is built.

    A member is written once for every member that may be the first one before it.
    """
    first_required = flags.index(True) if True in flags else len(flags)
    length = 0
    for number, member in enumerate(members):
        length += (min(number, first_required) + 1) * len(member)
    if length > MOST_PATTERN_BYTES:
        raise ConstrainError("size", f"a pattern over {MOST_PATTERN_BYTES:,} bytes")

# %% role="given" name="json-schema-to-regex"
def json_schema_to_regex(schema: Any) -> str:
    """Return the pattern of all compact JSON texts that a schema allows."""
    patterns: list[str] = []
    length = 0
    for part in schemas_of(schema):
        below = take(patterns, len(subschemas(part)))
        patterns.append(schema_pattern(part, below))
        length += len(patterns[-1]) - sum(map(len, below))
        if length > MOST_PATTERN_BYTES:
            raise ConstrainError("size", f"a pattern over {MOST_PATTERN_BYTES:,} bytes")
    return patterns.pop()

# %% role="solution" name="json_object_regex"
def json_object_regex(depth: int) -> str:
    """Return the pattern of a JSON object whose values are nested at most that deep.

    Objects and arrays count alike; depth 1 is an object of scalars.

    >>> regex_to_dfa(json_object_regex(1)).matches(b'{"a":1,"b":null}')
    True
    """
    ### BEGIN SOLUTION
    value = scalar = either(list(SCALARS.values()))
    for _ in range(depth):
        member = f"{STRING}:{value}"
        whole = rf"\{{(?:{member}(?:,{member})*)?\}}"
        value = either([scalar, whole, array_pattern(value, 0, None)])
    return whole
    ### END SOLUTION

# %% role="given" name="places"
def places(builder: Builder, count: int) -> list[int]:
    """Add `count` states that nothing joins yet, and return them."""
    first = len(builder.edges)
    if first + count > MAX_NFA_STATES:
        raise ConstrainError("size", f"more than {MAX_NFA_STATES:,} NFA states")
    for _ in range(0, count, 2):
        builder.fragment()
    return list(range(first, first + count))


def text_fragment(builder: Builder, text: str) -> Fragment:
    """Build the fragment that reads exactly `text`, in UTF-8."""
    data = text.encode()
    row = places(builder, len(data) + 1)
    for byte, (source, target) in zip(data, pairwise(row), strict=True):
        builder.read(source, frozenset([byte]), target)
    return Fragment(row[0], row[-1])

# %% role="given" name="pattern-fragment"
def stretches(dfa: Dfa) -> Iterator[tuple[int, frozenset[int], int]]:
    """Yield the edges of a DFA: (source, all bytes that lead to target, target)."""
    for source, row in enumerate(dfa.trans):
        for target in np.unique(row[row != DEAD]).tolist():
            yield source, frozenset(np.flatnonzero(row == target).tolist()), target


@lru_cache(maxsize=64)
def parts_of_pattern(pattern: str) -> tuple[list, list[int]]:
    """Return the edges and the accepting states of a pattern's smallest DFA."""
    dfa = regex_to_dfa(pattern)
    return list(stretches(dfa)), np.flatnonzero(dfa.accept).tolist()


def pattern_fragment(builder: Builder, pattern: str) -> Fragment:
    """Build the fragment of a pattern, from the states of its smallest DFA."""
    edges, accepting = parts_of_pattern(pattern)
    most = max([target for *_, target in edges], default=0)
    start, end, *row = places(builder, most + 3)
    for source, values, target in edges:
        builder.read(row[source], values, row[target])
    builder.glue(start, row[0])
    for state in accepting:
        builder.glue(row[state], end)
    return Fragment(start, end)

# %% role="given" name="array-fragment"
COMMA = frozenset(b",")


def item_copies(
    builder: Builder, item: Fragment, least: int, most: int | None
) -> list[Fragment]:
    """Return as many copies of an item as an array needs; refuse too many."""
    count = max(least, 1) if most is None else most
    if count > 1:
        needed = len(builder.edges) + count * len(reachable(builder, item))
        if needed > MAX_NFA_STATES:
            raise ConstrainError("size", f"more than {MAX_NFA_STATES:,} NFA states")
    return copies_of(builder, item, count)


def array_fragment(
    builder: Builder, item: Fragment, least: int, most: int | None
) -> Fragment:
    """Build the fragment of an array of `least` to `most` items."""
    start, inside, before_end, end = places(builder, 4)
    builder.read(start, frozenset(b"["), inside)
    builder.read(before_end, frozenset(b"]"), end)
    if least == 0:
        builder.glue(inside, before_end)
    copies = item_copies(builder, item, least, most)
    for number, copy in enumerate(copies, start=1):
        if number >= least:
            builder.glue(copy.accept, before_end)
    for left, right in pairwise(copies):
        builder.read(left.accept, COMMA, right.start)
    if copies:
        builder.glue(inside, copies[0].start)
    if most is None:
        builder.read(copies[-1].accept, COMMA, copies[-1].start)
    return Fragment(start, end)

# %% role="solution" name="object_fragment"
def object_fragment(builder: Builder, members: list[tuple[Fragment, bool]]) -> Fragment:
    """Build the fragment of an object with these members, in this order.

    members: (fragment of `"key":value`, whether it is required).
    """
    ### BEGIN SOLUTION
    start, nothing_yet, comma_due, end = places(builder, 4)
    builder.read(start, frozenset(b"{"), nothing_yet)
    for member, is_required in members:
        builder.glue(nothing_yet, member.start)
        builder.read(comma_due, COMMA, member.start)
        before = nothing_yet, comma_due
        nothing_yet, comma_due = places(builder, 2)
        builder.glue(member.accept, comma_due)
        if not is_required:
            builder.glue(before[0], nothing_yet)
            builder.glue(before[1], comma_due)
    for last in (nothing_yet, comma_due):
        builder.read(last, frozenset(b"}"), end)
    return Fragment(start, end)
    ### END SOLUTION

# %% role="given" name="schema-fragment"
def either_fragment(builder: Builder, options: list[Fragment]) -> Fragment:
    """Build the fragment of a choice; a single option stands for itself."""
    return options[0] if len(options) == 1 else choice_fragment(builder, options)


def piece(builder: Builder, schema: Schema, parts: list[Fragment]) -> Fragment:
    """Build the fragment of one schema from those of the schemas below it."""
    if "anyOf" in schema:
        return either_fragment(builder, parts)
    if "enum" in schema or "const" in schema:
        texts = map(json_dumps, enum_members(schema))
        return either_fragment(builder, [text_fragment(builder, t) for t in texts])
    names = type_names(schema)
    options = [type_fragment(builder, schema, name, parts) for name in names]
    return either_fragment(builder, options)


def type_fragment(
    builder: Builder, schema: Schema, name: str, parts: list[Fragment]
) -> Fragment:
    """Build the fragment of a schema's values of one type."""
    if name == "array":
        return array_fragment(builder, parts[-1], *item_bounds(schema))
    if name != "object":
        return pattern_fragment(builder, SCALARS[name])
    members = []
    for key, value in zip(schema.get("properties", {}), parts, strict=False):
        member = text_fragment(builder, json_quote(key) + ":")
        builder.glue(member.accept, value.start)
        members.append(Fragment(member.start, value.accept))
    return object_fragment(
        builder, list(zip(members, required_flags(schema), strict=True))
    )


def schema_fragment(builder: Builder, schema: Any) -> Fragment:
    """Build the fragment of all compact JSON texts that a schema allows."""
    fragments: list[Fragment] = []
    for part in schemas_of(schema):
        below = take(fragments, len(subschemas(part)))
        fragments.append(piece(builder, part, below))
    return fragments.pop()


def schema_to_dfa(schema: Any) -> Dfa:
    """Return the canonical DFA of all compact JSON texts that a schema allows."""
    builder = Builder()
    dfa = canonical_dfa(builder.nfa(schema_fragment(builder, schema)))
    if dfa.n_states > MAX_STATES:
        raise ConstrainError("size", f"more than {MAX_STATES:,} states")
    return dfa
