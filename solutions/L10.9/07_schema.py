# %% [markdown] name="title"
# # 07 · A schema becomes a pattern   *(110 minutes)*
#
# A tool says in a JSON schema which arguments it takes. Your compiler reads patterns. This notebook translates, and half
# of the work is saying no: a schema that the compiler cannot keep must be refused, by name, before the model writes its
# first byte. In the end you leave patterns behind and build the machine straight from the schema.

# %% role="given" name="imports"
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

import ol
from ol.mine.characters import canonical_dfa, regex_to_dfa
from ol.mine.dfa import DEAD, Dfa
from ol.mine.json import json_dumps, json_pointer, json_quote
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

# %%
XY = {
    "type": "object",
    "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
}
reference = ol.load("L10.9", "ref").constrain
ol.draw(reference.schema_to_dfa(XY))  # the reference draws; in section 10, you do

# %% [markdown] name="reading"
# An object with two integers, both optional, and this is everything that a model may write for it. Follow `{"y":0}` with a
# finger, then `{}`.
#
# ## 1 · One spelling
#
# A schema speaks about *values*, a model writes *text*, and one value has many spellings: blanks, the order of the keys.
# We fix one. No blanks; keys in the order of `properties`; no key that is not there; required members always, the others
# perhaps. Then every text of the language fits the schema. The reverse does not hold, and need not: what a mask lets
# through has to be right, not everything that is right has to get through.

# %%
TEXTS = {
    "a": '{"x":1,"y":2}',
    "b": '{"y":2,"x":1}',
    "c": '{"x":1, "y":2}',
    "d": '{"x":1,"y":2,"z":3}',
    "e": '{"y":2}',
    "f": "{}",
}

# %% [markdown] name="spelling-question"
# **Predict.** All six fit `XY` as a validator reads it. Which of them are in our language? Type their letters as a set.

# %% role="predict" name="spelling"
ol.predict("spelling", ...)  # for example {"a", "b"}

# %% [markdown] role="answer" name="spelling"
# `{"a", "e", "f"}`
# `b` has the keys the other way round, `c` has a blank, `d` a key that `properties` does not name. Neither member is
# required, so one of them, or none, will do.

# %%
{
    letter: reference.schema_to_dfa(XY).matches(TEXTS[letter].encode())
    for letter in TEXTS
}

# %% [markdown] name="escape-why"
# ## 2 · Text that stands for itself   *(5 minutes, about 2 lines)*
#
# Keys and fixed values go into the pattern letter by letter, and to a pattern some letters mean something else: `2.5`
# would match `2x5`. A backslash in front makes such a character stand for itself. These need one:
#
# `\ ^ $ . | ? * + ( ) [ ] { } "`
#
# The quote means nothing in a pattern. It gets a backslash all the same, and `\"` is how it will look in every pattern
# below. Letters must not get any: `\d` is a digit.


# %% role="solution" name="escape"
def escape(text: str) -> str:
    """Return the pattern that matches `text` and nothing else.

    >>> print(escape('"2.5"'))
    \\"2\\.5\\"
    """
    ### BEGIN SOLUTION
    special = set(r'\^$.|?*+()[]{}"')
    return "".join("\\" + c if c in special else c for c in text)
    ### END SOLUTION


# %% [markdown] role="hint" name="escape" level=1
# One character at a time; each becomes itself, or two characters.

# %% [markdown] role="hint" name="escape" level=2
# Put the special characters into a set. In Python one backslash is written `"\\"`. Replacing them one after the other with
# `str.replace` goes wrong if the backslash is not the first of them.

# %% [markdown] role="hint" name="escape" level=3
# special ← the set of `r'\^$.|?*+()[]{}"'` · join, for every character of the text: a backslash and the character if it is
# special, else the character

# %% role="check" name="escape"
ol.check("escape")

# %% [markdown] name="enum-why"
# ## 3 · One of these values   *(5 minutes, about 3 lines)*
#
# `enum` lists the values that are allowed. A value may be anything in JSON, so write it with `json_dumps` of notebook 06,
# **then** escape it. `[2.5, "a"]` becomes `(?:2\.5|\"a\")`.
#
# `either` puts the bars, and the group around them. The group is a rule for everything that follows: **a pattern is a unit**,
# no bar of its own stands open, so it can be put in front of a comma or behind a colon as it is.


# %% role="given" name="either"
def either(options: list[str]) -> str:
    """Return the pattern of a choice as one unit; a single option stands for itself."""
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"


# %% role="solution" name="enum_pattern"
def enum_pattern(values: list[Any]) -> str:
    """Return the pattern of exactly these JSON values, each as `json_dumps` writes it.

    >>> print(enum_pattern([2.5, "a"]))
    (?:2\\.5|\\"a\\")
    """
    ### BEGIN SOLUTION
    options = [escape(json_dumps(value)) for value in values]
    return either(options)
    ### END SOLUTION


# %% [markdown] role="hint" name="enum_pattern" level=1
# A value becomes JSON, JSON becomes a pattern, patterns become a choice. You have a function for each step.

# %% [markdown] role="hint" name="enum_pattern" level=2
# `json_dumps` first, or the backslashes of `escape` would be taken for part of the value.

# %% [markdown] role="hint" name="enum_pattern" level=3
# options ← for each value, `escape(json_dumps(value))` · return `either` of them

# %% role="check" name="enum_pattern"
ol.check("enum_pattern")

# %%
ol.draw(regex_to_dfa(enum_pattern([1, 12, 1.5])), title="your enum of 1, 12, 1.5")

# %% [markdown] name="scalars-why"
# ## 4 · Strings, numbers, true, null
#
# These patterns are given. The one to look at is the string. Notebook 05 left a gap: `"\ud83d"` passed, half of a character.
# `\u` escapes count in UTF-16, where what lies above U+FFFF takes two of them: first a **high** surrogate, D800 to DBFF, then
# a **low** one, DC00 to DFFF. 😀 is `\ud83d\ude00`. A half without its other half is no text.

# %% role="given" name="scalars"
PLAIN = r'[^"\\\x00-\x1f]'
NO_HALF = r"\\u(?:[0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})"
PAIR = r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
STRING = rf'"(?:{PLAIN}|\\["\\/bfnrt]|{NO_HALF}|{PAIR})*"'
INTEGER = "-?(?:0|[1-9][0-9]*)"
NUMBER = INTEGER + r"(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
SCALARS = {
    "string": STRING,
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": "(?:true|false)",
    "null": "null",
}

# %% [markdown] name="pair-question"
# **Predict.** A model has written `"\ud83d`. Which byte has to come next? Type it as a string of one character.

# %% role="predict" name="after_half"
ol.predict("after_half", ...)

# %% [markdown] role="answer" name="after_half"
# `"\\"`
# A high surrogate has to be followed by a low one, so by `\`, then `u`, `d`, and one of `c` to `f`. Not even the closing
# quote is allowed before that. (In Python one backslash is `"\\"`.)

# %%
ol.draw(regex_to_dfa(STRING), title="a JSON string: UTF-8, escapes, pairs")

# %% [markdown] name="string-note"
# Twenty-two states instead of fifteen: the seven new ones remember which half is due. The fan of continuation bytes is
# the one you know from 05.
#
# ## 5 · Arrays   *(12 minutes, about 5 lines)*
#
# Let `I` be the pattern of an item. The first item has no comma in front of it, every other one has. So
# count the ones *with* a comma:
#
# | items | pattern |
# |---|---|
# | 1 to 2 | `\[I(?:,I){0,1}\]` |
# | 3 or more | `\[I(?:,I){2,}\]` |
# | 0 to 2 | `\[(?:I(?:,I){0,1})?\]` |
# | 0 | `\[\]` |
#
# One less than `minItems`, one less than `maxItems`, for one item is always in front. And if there may be none at all, all of
# it is optional, the first item included.


# %% role="solution" name="array_pattern"
def array_pattern(item: str, least: int, most: int | None) -> str:
    """Return the pattern of an array of `least` to `most` items.

    item: the pattern of one item, a unit. most: None where there is no limit.

    >>> print(array_pattern("I", 1, 2))
    \\[I(?:,I){0,1}\\]
    """
    ### BEGIN SOLUTION
    if most == 0:
        return r"\[\]"
    more = f"{max(least, 1) - 1},{'' if most is None else most - 1}"
    items = f"{item}(?:,{item}){{{more}}}"
    return rf"\[(?:{items})?\]" if least == 0 else rf"\[{items}\]"
    ### END SOLUTION


# %% [markdown] role="hint" name="array_pattern" level=1
# Write down the count of the last table row but one: what are its two numbers for `least` 0 and `most` 2? And without a limit?

# %% [markdown] role="hint" name="array_pattern" level=2
# `most` 0 is a case of its own. Otherwise the items with a comma are at least `max(least, 1) - 1` and at most `most - 1`, or
# nothing after the comma of the count if there is no limit. In an f-string `{{` is one brace.

# %% [markdown] role="hint" name="array_pattern" level=3
# `most` is 0: return `\[\]` · items ← the item, then `(?:,item)` with the count behind it · if `least` is 0, put `(?:` and `)?`
# around the items · return them between `\[` and `\]`

# %% role="check" name="array_pattern"
ol.check("array_pattern")

# %%
ol.draw(regex_to_dfa(array_pattern("1", 0, 2)), title="your array of none to two 1s")

# %% [markdown] name="object-why"
# ## 6 · Objects   *(25 minutes, about 7 lines)*
#
# Members come in a fixed order, and an optional one may be missing. The trouble is the comma: it stands *between* members, so
# whether one is due depends on whether **anything was written before**. That one bit is all there is to remember. So every place
# between two members has two patterns for what is still to come:
#
# - `nothing_yet`: no member was written so far;
# - `comma_due`: one was, and the next one needs a comma.
#
# Work from the last member to the first. By hand, for `X` and `Y`, both optional:
#
# ```
# still to come    nothing_yet             comma_due
# -------------    --------------------    ------------
# nothing          (empty)                 (empty)
# Y                (?:Y|)                  (?:,Y)?
# X, then Y        (?:X(?:,Y)?|(?:Y|))     (not needed)
# ```
#
# The last line reads: either `X` comes first, and a comma is due from then on; or it does not, and still nothing is written. A
# *required* member is simpler, for there is no "or".


# %% role="solution" name="object_pattern"
def object_pattern(members: list[tuple[str, bool]]) -> str:
    """Return the pattern of an object with these members, in this order.

    members: pairs of the pattern of `"key":value` and whether it is required.

    >>> print(object_pattern([("X", False), ("Y", False)]))
    \\{(?:X(?:,Y)?|(?:Y|))\\}
    """
    ### BEGIN SOLUTION
    nothing_yet = comma_due = ""
    for member, is_required in reversed(members):
        as_first = member + comma_due
        nothing_yet = as_first if is_required else f"(?:{as_first}|{nothing_yet})"
        as_later = f",{member}" if is_required else f"(?:,{member})?"
        comma_due = as_later + comma_due
    return r"\{" + nothing_yet + r"\}"
    ### END SOLUTION


# %% [markdown] role="hint" name="object_pattern" level=1
# The three lines above are the loop: two strings, and every member makes two new ones out of them. Which old one does each new one need?

# %% [markdown] role="hint" name="object_pattern" level=2
# If the member is written first, what follows it is the old `comma_due`. If it is left out, what follows is the old
# `nothing_yet`. If it is written later, a comma stands before it, and the old `comma_due` behind it.

# %% [markdown] role="hint" name="object_pattern" level=3
# both ← "" · for each member from the last: first ← member + comma_due; nothing_yet ← first, or if it is optional
# `(?:first|nothing_yet)`; comma_due ← `,member`, or if it is optional `(?:,member)?`, before the old comma_due · return
# nothing_yet between `\{` and `\}`

# %% role="check" name="object_pattern"
ol.check("object_pattern")

# %%
x, y = (rf"\"{key}\":{INTEGER}" for key in "xy")
ol.draw(regex_to_dfa(object_pattern([(x, False), (y, False)])), title="yours: x?, y?")

# %% [markdown] name="object-look"
# One bit, and you can see it. Behind the brace, in state 1, come `"` or `}`: nothing is written yet. Behind the digits of
# `x`, in 11 and 12, come `,` or `}`.
#
# ## 7 · Saying no   *(15 minutes, about 9 lines)*
#
# `{"type": "string", "pattern": "^P"}`: whoever skips `pattern` gives out answers that the tool will reject, and nobody sees
# why. So **whatever is not understood is refused**, with its name and its place. The place is a *JSON pointer* (RFC 6901), the
# keys on the way, each behind a slash. If that was the member `city` of an object, `/properties/city/pattern`.
#
# Which keywords are understood depends on their neighbours:
#
# | in a schema with | may stand |
# |---|---|
# | `anyOf` | `anyOf` |
# | `enum`, or else `const` | that one, and `type` |
# | otherwise | `type`, and the keywords of the types that it names (`OF_TYPE`) |
# | always | annotations: they assert nothing |
#
# So `minItems` beside `"type": "string"` is refused, although it would do no harm: it betrays a mistake.

# %% role="given" name="keywords"
# a JSON object as Python reads it, its keys in the order of the text
Schema = dict[str, Any]
ANNOTATIONS = set(
    "title description default examples deprecated readOnly writeOnly "
    "$comment $schema $id".split()
)
OF_TYPE: dict[str, set[str]] = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    **{name: set() for name in SCALARS},
}


def type_names(schema: Schema) -> list[str]:
    """Return the names under `type`, each once; `type` may be one name or a list."""
    names = schema.get("type", [])
    return list(dict.fromkeys(names if isinstance(names, list) else [names]))


def refuse(
    kind: str, message: str, pointer: str, keyword: str, *steps: str | int
) -> NoReturn:
    """Refuse a keyword of the schema at `pointer`, or what is `steps` below it."""
    pointer += json_pointer((keyword, *steps))
    raise ConstrainError(kind, message, pointer=pointer, keyword=keyword)


# %% role="solution" name="check_keywords"
def check_keywords(schema: Schema, pointer: str) -> None:
    """Refuse the first keyword that may not stand in this schema: kind `keyword`.

    schema: its `type`, if there is one, names types that exist.
    pointer: where the schema stands, "" for the outermost; `refuse` adds the keyword.

    >>> check_keywords({"type": "string", "title": "any text will do"}, "")
    """
    ### BEGIN SOLUTION
    if "anyOf" in schema:
        allowed = {"anyOf"}
    elif "enum" in schema or "const" in schema:
        allowed = {"type", "enum" if "enum" in schema else "const"}
    else:
        allowed = {"type"}.union(*(OF_TYPE[name] for name in type_names(schema)))
    for keyword in schema:
        if keyword not in allowed | ANNOTATIONS:
            refuse("keyword", f"{keyword!r} has no place here", pointer, keyword)
    ### END SOLUTION


# %% [markdown] role="hint" name="check_keywords" level=1
# Two steps: which keywords may stand here (the table, row by row), and is there one that may not?

# %% [markdown] role="hint" name="check_keywords" level=2
# Make a set `allowed`. For the third row it is `{"type"}` and the union of `OF_TYPE[name]` over `type_names(schema)`. A dict
# is walked through in the order of its text.

# %% [markdown] role="hint" name="check_keywords" level=3
# `anyOf` in the schema: only that is allowed · or `enum`: that and `type` · or `const`: likewise · else: `type` and the
# keywords of its types · for each keyword of the schema that is neither allowed nor an annotation:
# `refuse("keyword", some words, pointer, keyword)`

# %% role="check" name="check_keywords"
ol.check("check_keywords")

# %% [markdown] name="checks-why"
# The other checks are of the same kind, and given: values of the wrong form, a type that does not exist, a required name that
# has no property, and schemas that allow *no value at all*, such as an empty `enum`. A model under an empty language could
# not write a single byte.


# %% role="given" name="has-type"
def has_type(value: Any, name: str) -> bool:
    """Say whether a JSON value is of a type; 1.0 is an integer, True is no number."""
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, int | float):
        whole = isinstance(value, int) or value.is_integer()
        return name == "number" or (name == "integer" and whole)
    names = {str: "string", list: "array", dict: "object", type(None): "null"}
    return names.get(type(value)) == name


def enum_members(schema: Schema) -> list[Any]:
    """Return the members of `enum`, or `const`, that are of the schema's type."""
    values = schema["enum"] if "enum" in schema else [schema["const"]]
    if "type" not in schema:
        return values
    names = type_names(schema)
    return [v for v in values if any(has_type(v, name) for name in names)]


def item_bounds(schema: Schema) -> tuple[int, int | None]:
    """Return minItems and maxItems: 0 and None where they are not given."""
    most = schema.get("maxItems")
    return int(schema.get("minItems", 0)), None if most is None else int(most)


# %% role="given" name="check-types"
KNOWN = {"type", "enum", "const", "anyOf"}.union(ANNOTATIONS, *OF_TYPE.values())


def check_types(schema: Schema, pointer: str) -> None:
    """Refuse a schema without a type, and types that there are not."""
    names = schema.get("type", [])
    for name in names if isinstance(names, list) else [names]:
        if not isinstance(name, str) or name not in OF_TYPE:
            refuse("type", f"there is no type {name!r:.40}", pointer, "type")
    if names == [] and not schema.keys() & {"anyOf", "enum", "const"}:
        for keyword in schema:
            if keyword not in KNOWN:
                refuse("keyword", f"{keyword!r} is not supported", pointer, keyword)
        raise ConstrainError("type", "a schema needs a type", pointer=pointer)


# %% role="given" name="check-values"
MAX_STATES = 20_000  # of the smallest machine of a grammar


def is_count(value: Any) -> bool:
    """Say whether a value is a whole number, 0 or more."""
    return has_type(value, "integer") and value >= 0


WELL_FORMED = {
    "properties": lambda value: isinstance(value, dict),
    "required": lambda value: (
        isinstance(value, list) and set(map(type, value)) <= {str}
    ),
    "additionalProperties": lambda value: isinstance(value, bool),
    "items": lambda value: isinstance(value, dict | bool),
    "minItems": is_count,
    "maxItems": is_count,
    "enum": lambda value: isinstance(value, list),
    "anyOf": lambda value: isinstance(value, list) and value != [],
}


def check_values(schema: Schema, pointer: str) -> None:
    """Refuse a keyword whose value has the wrong form, and counts without measure."""
    for keyword, value in schema.items():
        if keyword == "additionalProperties" and isinstance(value, dict):
            refuse("keyword", "objects are closed here", pointer, keyword)
        if not WELL_FORMED.get(keyword, lambda value: True)(value):
            refuse("value", f"{keyword!r} cannot be {value!r:.40}", pointer, keyword)
        if keyword in ("minItems", "maxItems") and value > MAX_STATES:
            refuse("size", f"more than {MAX_STATES:,} items", pointer, keyword)


# %% role="given" name="check-sense"
def check_sense(schema: Schema, pointer: str) -> None:
    """Refuse what is well formed and cannot be kept."""
    for number, name in enumerate(schema.get("required", [])):
        if name not in schema.get("properties", {}):
            refuse("required", f"no property {name!r}", pointer, "required", number)
    if {"enum", "const"} & schema.keys():
        if not enum_members(schema):
            raise ConstrainError("empty", "no value is left", pointer=pointer)
        return
    if "array" in type_names(schema) and "items" not in schema:
        raise ConstrainError("items", "items of which kind?", pointer=pointer)
    least, most = item_bounds(schema)
    if most is not None and least > most:
        raise ConstrainError("empty", "minItems is over maxItems", pointer=pointer)


def check_one(schema: Any, pointer: str) -> None:
    """Refuse a schema that is outside the subset; what is below it comes later."""
    if not isinstance(schema, dict):
        kind = "type" if isinstance(schema, bool) else "value"
        raise ConstrainError(kind, "a schema is a JSON object", pointer=pointer)
    for check in (check_types, check_keywords, check_values, check_sense):
        check(schema, pointer)


# %% [markdown] name="walk-why"
# Schemas hold schemas. The walk is that of `thompson`: first the outside, to check; then **parts before their whole**, to
# build. `subschemas` says what is one level below. No function calls itself, so deep schemas are no danger.


# %% role="given" name="walk"
def subschemas(schema: Schema, pointer: str = "") -> list[tuple[str, Schema]]:
    """Return the schemas one level below, each behind its pointer."""
    below = [
        (pointer + json_pointer(("properties", key)), part)
        for key, part in schema.get("properties", {}).items()
    ]
    if "items" in schema:
        below.append((f"{pointer}/items", schema["items"]))
    for number, part in enumerate(schema.get("anyOf", [])):
        below.append((f"{pointer}/anyOf/{number}", part))
    return below


def check_schema(schema: Any) -> None:
    """Refuse a schema with anything outside the subset, wherever it stands.

    Raises ConstrainError: `kind`, `pointer`, and the `keyword` where one is to blame.
    """
    waiting = [("", schema)]
    while waiting:
        pointer, part = waiting.pop()
        check_one(part, pointer)
        waiting += reversed(subschemas(part, pointer))


def parts_first(schema: Schema) -> list[Schema]:
    """Return a schema and all below it, parts before their whole, left to right."""
    order, waiting = [], [schema]
    while waiting:
        order.append(waiting.pop())
        waiting += [part for _, part in subschemas(order[-1])]
    return order[::-1]


# %%
for bad in [
    {"type": "array", "items": {"type": "string", "minLength": 1}},
    {"enum": []},
]:
    try:
        check_schema(bad)
    except ConstrainError as error:
        print(f"{error.kind} at {error.pointer!r}: {error.message}")


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
    flags = required_flags(schema)
    refuse_long(members, flags)
    return object_pattern(list(zip(members, flags, strict=True)))


def required_flags(schema: Schema) -> list[bool]:
    """Return, for every property, whether it is required."""
    required = set(schema.get("required", []))
    return [key in required for key in schema.get("properties", {})]


# %% [markdown] name="copies-question"
# One more thing before it all comes together. In the last line of section 6, `Y` stands twice: once as the first member, and
# once behind `X`.
#
# **Predict.** An object has 16 optional members. How often does its pattern hold the last of them?

# %% role="predict" name="copies"
ol.predict("copies", ...)

# %% [markdown] role="answer" name="copies"
# `16`
# Once behind every other member that may come first, and once as the first itself. The member before it stands there 15
# times, and so on: 136 copies in all. If each of them is such an object, too, it is 136 times 136.


# %% role="given" name="json-schema-to-regex"
def refuse_long(members: list[str], flags: list[bool]) -> None:
    """Refuse an object whose pattern would be too long, before it is built.

    A member stands there once for every member before it that may be the first, and
    once as the first itself; after a required one none can be the first.
    """
    last = flags.index(True) if True in flags else len(flags)
    copies = [min(number, last) + 1 for number in range(len(members))]
    length = sum(n * len(member) for n, member in zip(copies, members, strict=True))
    if length > MOST_PATTERN_BYTES:
        raise ConstrainError("size", f"a pattern over {MOST_PATTERN_BYTES:,} bytes")


def json_schema_to_regex(schema: Any) -> str:
    """Return the pattern of the compact JSON texts that a schema allows.

    Raises ConstrainError for what is outside the subset, with `pointer` and `keyword`;
    kind `size` where the pattern would be too long.
    """
    check_schema(schema)
    patterns: list[str] = []
    length = 0
    for part in parts_first(schema):
        below = take(patterns, len(subschemas(part)))
        patterns.append(schema_pattern(part, below))
        length += len(patterns[-1]) - sum(map(len, below))
        if length > MOST_PATTERN_BYTES:
            raise ConstrainError("size", f"a pattern over {MOST_PATTERN_BYTES:,} bytes")
    return patterns.pop()


# %%
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
print(json_schema_to_regex(CITY))
ol.draw(regex_to_dfa(json_schema_to_regex(CITY)), title="your city: 31 states")

# %% [markdown] name="any-object-why"
# Along the first row, `{"city":"` leaves the model no choice at all. Then comes the string, where it may write what it likes,
# and behind the closing quote nothing but `}`.
#
# ## 8 · Any JSON object   *(12 minutes, about 6 lines)*
#
# `response_format: json_object` asks for *some* object, without a schema. An object may hold an object that holds an object,
# and to close as many braces as were opened a machine would have to count without end. A finite one cannot. With a limit on
# the depth it can: objects and arrays count alike, and **depth 1 is an object of scalars**.
#
# Build it from the inside. At depth 0 a value is a scalar. One level up, a value is a scalar, an object of such values, or an
# array of them; and an object's keys are any strings.


# %% role="solution" name="json_object_regex"
def json_object_regex(depth: int) -> str:
    """Return the pattern of any JSON object with at most `depth` levels, 1 or more.

    >>> regex_to_dfa(json_object_regex(1)).matches(b'{"a":1,"b":null}')
    True
    """
    ### BEGIN SOLUTION
    scalar = value = either(list(SCALARS.values()))
    for _ in range(depth):
        member = f"{STRING}:{value}"
        whole = rf"\{{(?:{member}(?:,{member})*)?\}}"
        value = either([scalar, whole, array_pattern(value, 0, None)])
    return whole
    ### END SOLUTION


# %% [markdown] role="hint" name="json_object_regex" level=1
# An object with any keys looks like an array, with other brackets: none, or one member and then more of them, each behind a
# comma.

# %% [markdown] role="hint" name="json_object_regex" level=2
# Keep the pattern of a `value`, at first that of a scalar (`either` of the `SCALARS`). Each level makes an object out of it
# and, from the object, the next value. `array_pattern` is yours already.

# %% [markdown] role="hint" name="json_object_regex" level=3
# value ← scalar · depth times: member ← string, colon, value; whole ← `\{`, a member and any number of `,member`, all of it
# optional, `\}`; value ← either scalar, whole, or an array of the old value · return the last whole

# %% role="check" name="json_object_regex"
ol.check("json_object_regex")

# %% role="check" name="json_object_grammar"
ol.check("json_object_grammar")

# %%
for depth in (1, 2, 3):
    pattern = json_object_regex(depth)
    print(f"{depth}: {len(pattern):6,} bytes, {regex_to_dfa(pattern).n_states} states")

# %% [markdown] name="tracks-why"
# ## 9 · Two tracks   *(25 minutes, about 14 lines)*
#
# The machines are small, the patterns are not. Sixteen optional members, three levels deep, are over a megabyte of text, for
# a machine of 451 states. The copies come from writing: text has no way to say "and from here on as over there". An NFA has. So
# leave the text out and build the machine.
#
# Draw the one bit as **two tracks**. Above, nothing is written yet; below, a comma is due. Members lie between the tracks:
# each can be entered from above as it is, from below behind a comma, and always ends below. So **each member is there
# once**, however many ways lead to it. Here x and y stand for whole members, both optional, and the lower track is marked:


# %% role="given" name="places"
OPEN, COMMA, CLOSE = frozenset(b"{"), frozenset(b","), frozenset(b"}")


def places(builder: Builder, count: int) -> list[int]:
    """Add `count` states that nothing joins yet, and return them."""
    first = len(builder.edges)
    if first + count > MAX_NFA_STATES:
        raise ConstrainError("size", f"more than {MAX_NFA_STATES:,} NFA states")
    for _ in range(0, count, 2):
        builder.fragment()  # two at a time
    return list(range(first, first + count))


def text_fragment(builder: Builder, text: str) -> Fragment:
    """Build the fragment that reads exactly `text`, in UTF-8.

    Raises ConstrainError, kind `utf8`, for half of a surrogate pair.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise ConstrainError("utf8", "half of a surrogate pair") from None
    row = places(builder, len(data) + 1)
    for byte, (source, target) in zip(data, pairwise(row), strict=True):
        builder.read(source, frozenset([byte]), target)
    return Fragment(row[0], row[-1])


# %%
builder = reference.Builder()
x, y = (reference.text_fragment(builder, letter) for letter in "xy")
tracks = reference.object_fragment(builder, [(x, False), (y, False)])
ol.draw(builder.nfa(tracks), highlight={6, 9, 11}, title="{x?, y?} on two tracks")

# %% [markdown] name="tracks-rule"
# Follow `{y}` with a finger, then `{x,y}`: in front of the `y` they take different tracks, and behind it they are in one state.
#
# Walk through the members and keep the two places where you stand. In front of every member, add the two places behind it; an
# optional one may be passed by, and each track passes it on its own. `}` leads out from the end of both.


# %% role="solution" name="object_fragment"
def object_fragment(builder: Builder, members: list[tuple[Fragment, bool]]) -> Fragment:
    """Build the fragment of an object with these members, in this order.

    members: pairs of the fragment of `"key":value` and whether it is required.

    >>> builder = Builder()
    >>> whole = object_fragment(builder, [(text_fragment(builder, "x"), False)])
    >>> canonical_dfa(builder.nfa(whole)).n_states  # {} and {x}
    4
    """
    ### BEGIN SOLUTION
    start, nothing_yet, comma_due, end = places(builder, 4)
    builder.read(start, OPEN, nothing_yet)
    for member, is_required in members:
        first_behind, later_behind = places(builder, 2)
        builder.glue(nothing_yet, member.start)
        builder.read(comma_due, COMMA, member.start)
        builder.glue(member.accept, later_behind)
        if not is_required:
            builder.glue(nothing_yet, first_behind)
            builder.glue(comma_due, later_behind)
        nothing_yet, comma_due = first_behind, later_behind
    builder.read(nothing_yet, CLOSE, end)
    builder.read(comma_due, CLOSE, end)
    return Fragment(start, end)
    ### END SOLUTION


# %% [markdown] role="hint" name="object_fragment" level=1
# How many edges lead into a member's start, how many out of its end? The picture has two members; which states belong to
# neither?

# %% [markdown] role="hint" name="object_fragment" level=2
# Keep `nothing_yet` and `comma_due`, the states where you stand. A member: ε from the first into it, `,` from the second into
# it, ε from its end to the *lower* of the two new places. Is it optional: ε from each old place to its new one.

# %% [markdown] role="hint" name="object_fragment" level=3
# four places: start, nothing_yet, comma_due, end · `{` from start to nothing_yet · for each member: two places behind it; glue
# nothing_yet to its start; read `,` from comma_due to its start; glue its accept to the lower place; if it is optional, glue
# both old places to the new ones; the new ones become the old · `}` from both to end · return start and end

# %% role="check" name="object_fragment"
ol.check("object_fragment")

# %%
builder = Builder()
members = [(text_fragment(builder, letter), letter == "y") for letter in "xyz"]
tracks = object_fragment(builder, members)
ol.draw(builder.nfa(tracks), title="yours: {x?, y, z?}")

# %% [markdown] name="required-note"
# The required `y` cannot be passed by: the upper track ends in front of it, and what lies behind on that track cannot be
# reached.
#
# ## 10 · From a schema to a table
#
# The rest is given and holds no surprise. A scalar is taken from its smallest DFA, worked out once. An array is a row of
# copies, as in notebook 02, with commas between them. Then the walk, as for patterns.


# %% role="given" name="pattern-fragment"
def stretches(dfa: Dfa) -> Iterator[tuple[int, frozenset[int], int]]:
    """Yield the edges of a DFA: (source, all bytes that lead to target, target)."""
    for source, row in enumerate(dfa.trans):
        for target in np.unique(row[row != DEAD]).tolist():
            yield source, frozenset(np.flatnonzero(row == target).tolist()), target


@lru_cache(maxsize=64)
def smallest_of(
    pattern: str,
) -> tuple[list[tuple[int, frozenset[int], int]], list[int]]:
    """Return the edges and the accepting states of a pattern's canonical DFA."""
    dfa = regex_to_dfa(pattern)
    return list(stretches(dfa)), np.flatnonzero(dfa.accept).tolist()


def pattern_fragment(builder: Builder, pattern: str) -> Fragment:
    """Build the fragment of a pattern, from the states of its smallest DFA."""
    edges, accepting = smallest_of(pattern)
    last = max((target for *_, target in edges), default=0)
    start, end, *row = places(builder, last + 3)
    for source, values, target in edges:
        builder.read(row[source], values, row[target])
    builder.glue(start, row[0])
    for state in accepting:
        builder.glue(row[state], end)
    return Fragment(start, end)


# %% role="given" name="array-fragment"
def item_copies(
    builder: Builder, item: Fragment, least: int, most: int | None
) -> list[Fragment]:
    """Return as many copies of an item as an array needs; refuse too many."""
    count = max(least, 1) if most is None else most
    size = len(reachable(builder, item)) if count > 1 else 0
    if len(builder.edges) + count * size > MAX_NFA_STATES:
        raise ConstrainError("size", f"more than {MAX_NFA_STATES:,} NFA states")
    return copies_of(builder, item, count)


def array_fragment(
    builder: Builder, item: Fragment, least: int, most: int | None
) -> Fragment:
    """Build the fragment of an array of `least` to `most` items, None is no limit."""
    start, inside, before_end, end = places(builder, 4)
    builder.read(start, frozenset(b"["), inside)
    builder.read(before_end, frozenset(b"]"), end)
    copies = item_copies(builder, item, least, most)
    behind = [inside, *(copy.accept for copy in copies)]
    for place in behind[least:]:
        builder.glue(place, before_end)
    for copy in copies[:1]:
        builder.glue(inside, copy.start)
    for left, right in pairwise(copies):
        builder.read(left.accept, COMMA, right.start)
    if most is None:
        builder.read(copies[-1].accept, COMMA, copies[-1].start)
    return Fragment(start, end)


# %% role="given" name="one-schema"
def either_fragment(builder: Builder, options: list[Fragment]) -> Fragment:
    """Build the fragment of a choice; a single option stands for itself."""
    return options[0] if len(options) == 1 else choice_fragment(builder, options)


def one_schema(builder: Builder, schema: Schema, parts: list[Fragment]) -> Fragment:
    """Build the fragment of one schema from those of the schemas below it."""
    if "anyOf" in schema:
        return either_fragment(builder, parts)
    if "enum" in schema or "const" in schema:
        texts = map(json_dumps, enum_members(schema))
        return either_fragment(builder, [text_fragment(builder, t) for t in texts])
    names = type_names(schema)
    options = [one_type(builder, schema, name, parts) for name in names]
    return either_fragment(builder, options)


def one_type(
    builder: Builder, schema: Schema, name: str, parts: list[Fragment]
) -> Fragment:
    """Build the fragment of a schema's values of one type."""
    if name == "array":
        return array_fragment(builder, parts[-1], *item_bounds(schema))
    if name != "object":
        return pattern_fragment(builder, SCALARS[name])
    members = []
    for key, value in zip(schema.get("properties", {}), parts, strict=False):
        opening = text_fragment(builder, json_quote(key) + ":")
        builder.glue(opening.accept, value.start)
        members.append(Fragment(opening.start, value.accept))
    flags = required_flags(schema)
    return object_fragment(builder, list(zip(members, flags, strict=True)))


# %% role="given" name="schema-to-dfa"
def schema_fragment(builder: Builder, schema: Any) -> Fragment:
    """Build the fragment of the compact JSON texts that a schema allows.

    Raises ConstrainError for what is outside the subset, with `pointer` and `keyword`;
    kind `size` where too many states would be needed.
    """
    check_schema(schema)
    fragments: list[Fragment] = []
    for part in parts_first(schema):
        below = take(fragments, len(subschemas(part)))
        fragments.append(one_schema(builder, part, below))
    return fragments.pop()


def schema_to_dfa(schema: Any) -> Dfa:
    """Return the canonical DFA of the compact JSON texts that a schema allows.

    Raises as `schema_fragment`; kind `size` also over MAX_STATES states.
    """
    builder = Builder()
    whole = schema_fragment(builder, schema)
    dfa = canonical_dfa(builder.nfa(whole))
    if dfa.n_states > MAX_STATES:
        raise ConstrainError("size", f"more than {MAX_STATES:,} states")
    return dfa


# %%
by_text = regex_to_dfa(json_schema_to_regex(XY))
ol.compare(mine=schema_to_dfa(XY), expected=by_text)

# %% [markdown] name="same-table"
# Two ways that share hardly a line, one table. Whenever you doubt one of them, ask the other. And the sixteen members:

# %%
deep: dict[str, Any] = {"type": "integer"}
for depth in (1, 2, 3):
    names = [f"m{number}" for number in range(15)]
    others = {name: {"type": "integer"} for name in names}
    deep = {"type": "object", "properties": {**others, "deep": deep}}
    try:
        text = f"{len(json_schema_to_regex(deep)):,} bytes of pattern"
    except ConstrainError as error:
        text = error.message
    print(f"{depth} deep: {schema_to_dfa(deep).n_states} states, {text}")

# %% role="check" name="dfa_matches_python_l8_7"
ol.check("dfa_matches_python_l8_7")

# %% role="check" name="subset_errors_are_refused"
ol.check("subset_errors_are_refused")

# %% [markdown] name="break-why"
# ## 11 · Break it
#
# *Mutant s03: no comma before a later optional member.* Planted in your pattern; your two tracks are the judge.

# %%
with ol.plant("s03"):
    without_comma = regex_to_dfa(json_schema_to_regex(XY))
ol.compare(mine=without_comma, expected=schema_to_dfa(XY))

# %% [markdown] name="break-more"
# Three more. Before you run the cell: which of them does a *validator* notice, when it is given the texts that slip through?

# %%
SCHEMAS = {
    "s02": {"type": "object", "properties": {"b": {"const": 1}, "a": {"const": 2}}},
    "s04": {"enum": [2.5, 10]},
    "s05": {"type": "array", "items": {"const": 1}, "maxItems": 2},
}
for mutant, schema in SCHEMAS.items():
    with ol.plant(mutant):
        broken = regex_to_dfa(json_schema_to_regex(schema))
    print(mutant, json_schema_to_regex(schema))
    display(ol.compare(mine=broken, expected=schema_to_dfa(schema)))

# %% [markdown] name="break-answer"
# `{"a":2,"b":1}` fits its schema as well as the other order does: s02 is invisible to a validator. It shows in the table, and
# in a model that was told one order in its prompt and is forced into another. The array of three is valid JSON and breaks the
# schema; `2x5` is not even JSON.

# %% [markdown] name="explain"
# **Explain**, in one sentence each, to somebody who has not read this: why does one bit suffice for the commas, however many
# members there are? And why is a keyword that is skipped worse than a request that is refused?

# %% [markdown] name="outlook"
# ## Where this leads
#
# - **Next**, in 08, a vocabulary walks this table: which tokens may come now? From 11 on, whole requests become machines, with
#   your `schema_fragment` as a part.
# - **In production.** Outlines writes schemas as patterns, as you did first. XGrammar keeps a stack beside the machine and
#   llguidance a parser, so recursive schemas work there, where yours end at a fixed depth. They understand more keywords, too.
#   Ask any such system what it does with those it does *not* understand. OpenAI's structured outputs demand that every member
#   is required, which makes the commas easy.
# - **To read.** *JSON Schema: A Media Type for Describing JSON Documents* (2020-12), and the guide *Understanding JSON Schema*.
#   RFC 8259 for JSON, RFC 6901 for pointers. Geng and others, *JSONSchemaBench* (2025), compares engines keyword by keyword.
