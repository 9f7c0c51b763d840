"""Judges notebook 07: from schemas to patterns, and to machines without patterns.

A pattern may be written in many ways, so its machine is judged, never its text. What is
expected is a list of words, written by hand or counted out from the definition, a table
of a golden file, or a refusal by kind, pointer and keyword.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ol import fixtures, forms, paths
from ol.expect import accepts, equal, refuses, same_dfa, same_language


def table_of(words: Iterable[str]) -> forms.Dfa:
    """Return a machine of finitely many words: a state for every beginning of one."""
    texts = [word.encode().decode("latin-1") for word in words]
    beginnings = sorted({text[:n] for text in texts for n in range(len(text) + 1)})
    number = {beginning: state for state, beginning in enumerate(beginnings)}
    edges: dict[int, dict[str, int]] = {state: {} for state in number.values()}
    for beginning in beginnings[1:]:
        edges[number[beginning[:-1]]][beginning[-1]] = number[beginning]
    return forms.dfa(edges, {number[text] for text in texts})


def machine(constrain: Any, pattern: Any, input: str) -> Any:
    """Return the machine of a pattern that an exercise returned."""
    if not isinstance(pattern, str):
        equal(pattern, "a pattern, as a str", input=input)
    try:
        return constrain.regex_to_dfa(pattern)
    except ValueError as error:
        equal(
            f"{pattern}, which does not compile: {error}",
            "a pattern",
            input=input,
            cause="A backslash belongs in front of the special characters alone."
            if "escape" in input
            else "",
        )


def judge_words(
    constrain: Any, pattern: Any, words: Iterable[str], input: str, cause: Any = ""
) -> None:
    yours = machine(constrain, pattern, input)
    same_language(yours, table_of(words), input=f"regex_to_dfa({input})", cause=cause)


def lets_through(*texts: str) -> Callable[[Any], bool]:
    """Return a question to a machine: does it accept one of these?"""
    return lambda yours: any(yours.matches(text.encode()) for text in texts)


def first_of(*causes: tuple[Callable[[Any], bool], str]) -> Callable[[Any], str]:
    """Return a cause: the words of the first question that is answered with yes."""
    return lambda yours: next((words for asks, words in causes if asks(yours)), "")


# --- escape


def judge_escape(constrain: Any, text: str, cause: Any = "") -> None:
    pattern = constrain.escape(text)
    judge_words(constrain, pattern, [text], f"escape({text!r})", cause)


def test_escape(constrain: Any) -> None:
    dot = "An unescaped `.` matches any character."
    again = (
        "The backslash that you add is escaped once more, and the dot is free again."
    )
    cause = first_of((lets_through("2x5"), dot), (lets_through(r"2\x5"), again))
    judge_escape(constrain, "2.5", cause)


def test_escape__every_special_character(constrain: Any) -> None:
    for character in r"\^$.|?*+()[]{}":
        judge_escape(constrain, f"a{character}b")


def test_escape__all_of_them_at_once(constrain: Any) -> None:
    twice = "Are the backslashes that you add escaped once more? One look per character"
    judge_escape(constrain, r'\^$.|?*+()[]{}"', f"{twice} is enough.")


def test_escape__letters_stay_letters(constrain: Any) -> None:
    judge_escape(constrain, "dwsntxu019")
    judge_escape(constrain, "&-~/<> é日😀")
    judge_escape(constrain, "")


def test_escape__the_quote_too(constrain: Any) -> None:
    equal(constrain.escape('"'), '\\"', input="escape('\"')")


# --- enum_pattern


def judge_enum(constrain: Any, values: list[Any], words: list[str]) -> None:
    pattern = constrain.enum_pattern(values)
    unescaped = "Escape what `json_dumps` gives: 2.5 is not any 2, character, 5."
    split = "A bar inside a string splits it: escape it."
    raw = "First `json_dumps`, then `escape`: a line feed inside quotes is no JSON."
    cause = first_of(
        (lets_through("2x5"), unescaped),
        (lets_through('"\n"', '"""'), raw),
        (lets_through('"a', 'b"'), split),
        (lets_through("True", "'a'", "None"), "Write the values with `json_dumps`."),
    )
    judge_words(constrain, pattern, words, f"enum_pattern({values!r})", cause)


def test_enum_pattern(constrain: Any) -> None:
    judge_enum(constrain, ["a"], ['"a"'])
    judge_enum(constrain, [2.5, "a"], ["2.5", '"a"'])


def test_enum_pattern__one_begins_another(constrain: Any) -> None:
    judge_enum(constrain, [1, 12, 123], ["1", "12", "123"])


def test_enum_pattern__values_of_every_kind(constrain: Any) -> None:
    judge_enum(constrain, [True, False, None], ["true", "false", "null"])
    judge_enum(constrain, [[1, {"a": "b"}], {}], ['[1,{"a":"b"}]', "{}"])
    judge_enum(constrain, [1.5e-05, 1e16, 1.0, 10**20], ["1.5e-05", "1e+16", "1.0",
                                                         "1" + "0" * 20])  # fmt: skip


def test_enum_pattern__strings_are_escaped_twice(constrain: Any) -> None:
    judge_enum(constrain, ['"', "\\", "\n"], [r'"\""', r'"\\"', r'"\n"'])
    judge_enum(constrain, ["a|b", "é"], ['"a|b"', '"é"'])


def test_enum_pattern__is_a_unit(constrain: Any) -> None:
    pattern = constrain.enum_pattern([1, 2])
    open_bar = "A bar stands open: put the group of `either` around the choice."
    cause = first_of((lets_through("[1", "2]"), open_bar))
    input = r"'\[' + enum_pattern([1, 2]) + '\]'"
    judge_words(constrain, rf"\[{pattern}\]", ["[1]", "[2]"], input, cause)


# --- array_pattern


def judge_array(
    constrain: Any, least: int, most: int | None, expected: forms.Dfa
) -> None:
    def array(count: int) -> str:
        return "[" + ",".join(["1"] * count) + "]"

    cause = first_of(
        (lets_through("[1,]", "[,]"), "A comma stands with no item behind it."),
        (lets_through("[,1]"), "No comma stands before the first item."),
        (lets_through("[11]"), "Between two items there has to be a comma."),
        (lets_through(*map(array, range(least))), "Too few items get through."),
        (
            lambda yours: least == 0 and not yours.matches(b"[]"),
            "If there may be no item at all, the first one is optional as well.",
        ),
        (
            lambda yours: most is not None and lets_through(array(most + 1))(yours),
            "One item too many gets through: the first one counts as well.",
        ),
    )
    pattern = constrain.array_pattern("1", least, most)
    input = f"array_pattern('1', {least}, {most})"
    yours = machine(constrain, pattern, input)
    same_language(yours, expected, input=f"regex_to_dfa({input})", cause=cause)


def arrays(least: int, most: int) -> forms.Dfa:
    counts = range(least, most + 1)
    return table_of("[" + ",".join(["1"] * count) + "]" for count in counts)


def test_array_pattern(constrain: Any) -> None:
    judge_array(constrain, 1, 2, arrays(1, 2))


def test_array_pattern__exactly(constrain: Any) -> None:
    judge_array(constrain, 1, 1, arrays(1, 1))
    judge_array(constrain, 3, 3, arrays(3, 3))


def test_array_pattern__perhaps_none(constrain: Any) -> None:
    judge_array(constrain, 0, 2, arrays(0, 2))
    judge_array(constrain, 0, 1, arrays(0, 1))
    judge_array(constrain, 0, 0, arrays(0, 0))


def test_array_pattern__without_a_limit(constrain: Any) -> None:
    one = {0: {"[": 1}, 1: {"1": 2}, 2: {",": 1, "]": 3}}
    judge_array(constrain, 1, None, forms.dfa(one, {3}))
    none = {0: {"[": 1}, 1: {"1": 2, "]": 3}, 2: {",": 4, "]": 3}, 4: {"1": 2}}
    judge_array(constrain, 0, None, forms.dfa(none, {3}))
    two = {0: {"[": 1}, 1: {"1": 2}, 2: {",": 3}, 3: {"1": 4}, 4: {",": 3, "]": 5}}
    judge_array(constrain, 2, None, forms.dfa(two, {5}))


def test_array_pattern__of_longer_items(constrain: Any) -> None:
    pattern = constrain.array_pattern("(?:ab|c)", 1, 2)
    words = ["[ab]", "[c]", "[ab,ab]", "[ab,c]", "[c,ab]", "[c,c]"]
    judge_words(constrain, pattern, words, "array_pattern('(?:ab|c)', 1, 2)")


# --- object_pattern, object_fragment

MISTAKES = first_of(
    (
        lets_through('{"x":1"y":1}', '{"x":1"z":1}', '{"y":1"z":1}'),
        "A member behind another one needs a comma in front of it.",
    ),
    (
        lets_through('{,"x":1}', '{,"y":1}', '{,"z":1}'),
        "No comma stands before the first member that is written, whichever it is.",
    ),
    (
        lets_through("{,}", '{"x":1,}', '{"y":1,}', '{"z":1,}'),
        "A comma stands with no member behind it.",
    ),
    (
        lets_through('{"y":1,"x":1}', '{"z":1,"y":1}', '{"z":1,"x":1}'),
        "The members come in the order given.",
    ),
    (
        lambda yours: not yours.matches(b'{"x":1,"y":1}'),
        "x and y together do not get through.",
    ),
)


def objects(names: str, required: str) -> list[str]:
    """Return all objects of these members, from the definition: choose, then join."""
    chosen = itertools.chain.from_iterable(
        itertools.combinations(names, count) for count in range(len(names) + 1)
    )
    return [
        "{" + ",".join(f'"{name}":1' for name in some) + "}"
        for some in chosen
        if set(required) <= set(some)
    ]


def flags(names: str, required: str) -> str:
    """Return the members of a call in words: `x?, y`."""
    return ", ".join(name + "?" * (name not in required) for name in names)


def judge_object(constrain: Any, names: str, required: str) -> None:
    members = [(rf"\"{name}\":1", name in required) for name in names]
    input = f"object_pattern({members})"
    pattern = constrain.object_pattern(members)
    cause = MISTAKES if names.startswith("xy") else ""
    judge_words(constrain, pattern, objects(names, required), input, cause)


def test_object_pattern(constrain: Any) -> None:
    judge_object(constrain, "x", "x")
    judge_object(constrain, "xy", "xy")


def test_object_pattern__none_and_one(constrain: Any) -> None:
    judge_object(constrain, "", "")
    judge_object(constrain, "x", "")


def test_object_pattern__both_optional(constrain: Any) -> None:
    judge_object(constrain, "xy", "")


def test_object_pattern__required_and_optional(constrain: Any) -> None:
    for required in ("x", "y"):
        judge_object(constrain, "xy", required)


def test_object_pattern__three_of_all_kinds(constrain: Any) -> None:
    for required in ("", "x", "y", "z", "xy", "xz", "yz", "xyz"):
        judge_object(constrain, "xyz", required)


def test_object_pattern__six(constrain: Any) -> None:
    judge_object(constrain, "uvwxyz", "")
    judge_object(constrain, "uvwxyz", "wy")


def tracks(constrain: Any, names: str, required: str) -> Any:
    """Return the NFA of `object_fragment` for members such as `"x":1`."""
    builder = constrain.Builder()
    members = [
        (constrain.text_fragment(builder, f'"{name}":1'), name in required)
        for name in names
    ]
    whole = constrain.object_fragment(builder, members)
    if not (hasattr(whole, "start") and hasattr(whole, "accept")):
        equal(whole, "a Fragment", input=f"object_fragment of {flags(names, required)}")
    return builder.nfa(whole)


def judge_tracks(constrain: Any, names: str, required: str) -> None:
    yours = tracks(constrain, names, required)
    expected = table_of(objects(names, required))
    input = f"object_fragment of {flags(names, required) or 'no members'}"

    def cause(nfa: Any) -> str:
        return MISTAKES(constrain.canonical_dfa(nfa)) if names[:2] == "xy" else ""

    same_language(yours, expected, input=input, cause=cause)


def test_object_fragment(constrain: Any) -> None:
    judge_tracks(constrain, "x", "x")
    judge_tracks(constrain, "xy", "xy")


def test_object_fragment__none_and_one(constrain: Any) -> None:
    judge_tracks(constrain, "", "")
    judge_tracks(constrain, "x", "")


def test_object_fragment__two(constrain: Any) -> None:
    for required in ("", "x", "y"):
        judge_tracks(constrain, "xy", required)


def test_object_fragment__three(constrain: Any) -> None:
    for required in ("", "x", "y", "z", "xy", "xz", "yz"):
        judge_tracks(constrain, "xyz", required)


def test_object_fragment__no_copies(constrain: Any) -> None:
    """Twice every member and the tracks are allowed, a copy per place is not."""
    names = "abcdefghijklmnopqrst"
    count = len(tracks(constrain, names, "").edges)
    limit = 20 * (2 * 6 + 6) + 10
    cause = f"{count} states: each member is there once, however many ways lead to it."
    input = "object_fragment of twenty optional members: not over 370 states"
    equal(count <= limit, True, input=input, cause=cause)


def test_object_fragment__inside_another(constrain: Any) -> None:
    builder = constrain.Builder()
    inner = constrain.object_fragment(
        builder, [(constrain.text_fragment(builder, "x"), False)]
    )
    twice = constrain.repeat_fragment(builder, inner, 2, 2)
    whole = constrain.object_fragment(builder, [(twice, False)])
    words = ["{}", *(f"{{{a}{b}}}" for a in ("{}", "{x}") for b in ("{}", "{x}"))]
    input = "object_fragment of one member, itself two objects {x?} in a row"
    promise = (
        "A fragment can be used as a part if no edge leads back into its start and "
        "none leaves its accept."
    )
    same_language(builder.nfa(whole), table_of(words), input=input, cause=promise)


# --- check_keywords


def judge_keyword(
    constrain: Any, schema: dict[str, Any], pointer: str, keyword: str, cause: str = ""
) -> None:
    base = pointer[: pointer.rindex("/")]
    refuses(
        lambda: constrain.check_keywords(schema, base),
        kind="keyword",
        pointer=pointer,
        keyword=keyword,
        input=f"check_keywords({schema!r}, {base!r})",
        cause=cause,
    )


def test_check_keywords(constrain: Any) -> None:
    unknown = "No type has this keyword; it is refused by name, at its own place."
    schema = {"type": "string", "pattern": "^a"}
    judge_keyword(constrain, schema, "/pattern", "pattern", unknown)


def test_check_keywords__what_may_stand(constrain: Any) -> None:
    for schema in (
        {"type": "string"},
        {"type": "object", "properties": {}, "required": []},
        {"additionalProperties": False, "type": "object"},
        {"type": "array", "items": {}, "minItems": 1, "maxItems": 2},
        {"type": ["array", "object"], "items": {}, "properties": {}},
        {"enum": [1]},
        {"type": "integer", "enum": [1]},
        {"type": "integer", "const": 1},
        {"anyOf": [{"type": "null"}]},
        {"type": "null", "title": "", "description": "", "default": 1, "examples": []},
        {"anyOf": [], "deprecated": True, "readOnly": True, "writeOnly": False},
        {"const": 1, "$comment": "", "$schema": "", "$id": ""},
    ):
        input = f"check_keywords({schema!r}, '')"
        try:
            answer = constrain.check_keywords(schema, "")
        except ValueError as error:
            answer = f"refused at {getattr(error, 'pointer', None)}"
        equal(answer, None, input=input)


def test_check_keywords__of_another_type(constrain: Any) -> None:
    other = "It belongs to another type."
    for schema, keyword in (
        ({"type": "string", "minItems": 1}, "minItems"),
        ({"items": {"type": "null"}, "type": "object"}, "items"),
        ({"type": ["string", "array"], "items": {}, "required": []}, "required"),
    ):
        judge_keyword(constrain, schema, f"/{keyword}", keyword, other)


def test_check_keywords__beside_others(constrain: Any) -> None:
    for schema, keyword in (
        ({"anyOf": [{"type": "null"}], "type": "null"}, "type"),
        ({"properties": {}, "anyOf": []}, "properties"),
        ({"enum": [[1]], "type": "array", "minItems": 1}, "minItems"),
        ({"const": {}, "type": "object", "properties": {}}, "properties"),
        ({"enum": [1], "const": 1}, "const"),
    ):
        judge_keyword(constrain, schema, f"/{keyword}", keyword)


def test_check_keywords__the_first_and_its_place(constrain: Any) -> None:
    schema = {"type": "integer", "minimum": 1, "maximum": 2}
    judge_keyword(constrain, schema, "/properties/a/minimum", "minimum")
    schema = {"type": "integer", "x/y~z": 1}
    pointer = "A `/` in a key is `~1` in a pointer, a `~` is `~0`."
    judge_keyword(constrain, schema, "/items/x~1y~0z", "x/y~z", pointer)


# --- json_object_regex and the chapter's test of it

SCALARS = ['"a"', "1", "-1.5e3", "true", "false", "null"]
FLAT = ["{}", '{"":0}', '{"a":1,"b":null}', *(f'{{"a":{s}}}' for s in SCALARS)]
NOT_FLAT = ['{"a":{}}', '{"a":[]}', '{"a":[1]}', '{"a":1,"b":{}}']
BROKEN = [
    "", "{", "}", "{,}", '{"a"}', '{"a":}', '{"a":1,}', '{,"a":1}', '{"a":1"b":2}',
    "{a:1}", '{"a":01}', '{"a": 1}', '{"a":1} ', '{"a":1}}', '{"a":True}', "{}{}",
]  # fmt: skip
NOT_OBJECTS = ["[]", "[{}]", "1", "null", '"{}"', "true"]


def object_machine(constrain: Any, depth: int) -> Any:
    pattern = constrain.json_object_regex(depth)
    return machine(constrain, pattern, f"json_object_regex({depth})")


def test_json_object_regex(constrain: Any) -> None:
    dfa = object_machine(constrain, 1)
    input = "regex_to_dfa(json_object_regex(1))"
    accepts(dfa, yes=FLAT, input=input)
    accepts(dfa, no=[*BROKEN, *NOT_OBJECTS], input=input)


def test_json_object_regex__depth_one_holds_scalars(constrain: Any) -> None:
    deep = "Depth 1 is an object of scalars: no arrays and no objects in it."
    dfa = object_machine(constrain, 1)
    input = "regex_to_dfa(json_object_regex(1))"
    accepts(dfa, no=NOT_FLAT, input=input, cause=deep)


def test_json_object_regex__depth_two(constrain: Any) -> None:
    dfa = object_machine(constrain, 2)
    input = "regex_to_dfa(json_object_regex(2))"
    inner = ['{"a":[1,"b"],"c":2}', '{"a":{"b":1},"c":[null]}']
    nested = "A value inside may be an object or an array of scalars, too."
    accepts(dfa, yes=[*FLAT, *NOT_FLAT, *inner], input=input, cause=nested)
    alike = "Objects and arrays count alike: each is one level."
    deep = ['{"a":[[]]}', '{"a":[{}]}', '{"a":{"b":{}}}', '{"a":{"b":[]}}']
    accepts(dfa, no=deep, input=input, cause=alike)
    accepts(dfa, no=['{"a":[1,]}', '{"a":[,1]}', '{"a":{,}}'], input=input)


def test_json_object_grammar(constrain: Any) -> None:
    """In one function: the machine takes a third of a second to build."""
    dfa = object_machine(constrain, 3)
    input = "regex_to_dfa(json_object_regex(3))"
    three = [
        '{"a":{"b":{"c":1}}}', '{"a":[[1],[2,3]]}', '{"a":[{"b":2},null]}',
        '{"a":{"b":[1,2.5,"x"],"c":{}},"d":[]}', '{"é":"日本","\\ud83d\\ude00":"😀"}',
    ]  # fmt: skip
    accepts(dfa, yes=[*FLAT, *NOT_FLAT, *three], input=input)
    accepts(dfa, no=[*BROKEN, *NOT_OBJECTS], input=input)
    deep = [
        '{"a":{"b":{"c":{}}}}', '{"a":{"b":{"c":[]}}}', '{"a":[[[]]]}',
        '{"a":[[{}]]}', '{"a":[{"b":[]}]}',
    ]  # fmt: skip
    four = "These have four levels; the outermost object is the first."
    accepts(dfa, no=deep, input=input, cause=four)
    accepts(
        dfa,
        yes=['{"}":"{"}', r'{"\"":"\\"}', '{"[":["]"]}'],
        no=['{"a":[1}', '{"a":{"b":1]}', r'{"a":"\"}', r'{"\ud800":1}', b'{"\xff":1}',
            '{"a":"\n"}', '{"a":{"b":1}', '{"a":1]'],
        input=input,
    )  # fmt: skip


# --- the chapter's tests of the whole


def golden(path: str, key: str) -> list[dict[str, Any]]:
    """Return the entries under `key` of a golden file, or none without that key."""
    text = (paths.fixtures() / path).read_text("utf-8")
    entries: list[dict[str, Any]] = json.loads(text).get(key, [])
    return entries


def schema_of(entry: dict[str, Any]) -> Any:
    """Return an entry's schema, which may stand there as text."""
    schema = entry["schema"]
    return json.loads(schema) if isinstance(schema, str) else schema


def both_routes(constrain: Any, schema: Any, expected: forms.Dfa, name: str) -> None:
    by_text = constrain.regex_to_dfa(constrain.json_schema_to_regex(schema))
    text = json.dumps(schema, ensure_ascii=False)
    input = f"regex_to_dfa(json_schema_to_regex({text})), {name}"
    same_dfa(by_text, expected, input=input)
    directly = constrain.schema_to_dfa(schema)
    same_dfa(directly, expected, input=f"schema_to_dfa({text}), {name}")


def test_dfa_matches_python_l8_7(constrain: Any) -> None:
    for path in ("L8.7/regex_golden.json", "L10.9/constrain_golden.json"):
        for entry in golden(path, "patterns"):
            pattern = entry["pattern"]
            yours = constrain.regex_to_dfa(pattern)
            expected = fixtures.read_table(entry)
            same_dfa(yours, expected, input=f"regex_to_dfa({pattern!r})")


def test_dfa_matches_python_l8_7__schemas(constrain: Any) -> None:
    for entry in golden("L10.9/constrain_golden.json", "schemas"):
        expected = fixtures.read_table(entry)
        both_routes(constrain, schema_of(entry), expected, entry["name"])


ONE = {"const": 1}
# Two properties whose order is not the alphabet's, minimal and numbered by hand
ORDERED = {
    0: {"{": 1}, 1: {'"': 2}, 2: {"b": 3}, 3: {'"': 4}, 4: {":": 5}, 5: {"1": 6},
    6: {",": 7}, 7: {'"': 8}, 8: {"a": 9}, 9: {'"': 10}, 10: {":": 11}, 11: {"1": 12},
    12: {"}": 13},
}  # fmt: skip
# The same, both optional: after the opening brace, b or a or the end; after b, a comma
OPTIONAL = {
    0: {"{": 1}, 1: {'"': 2, "}": 3}, 2: {"a": 4, "b": 5}, 4: {'"': 6}, 5: {'"': 7},
    6: {":": 8}, 7: {":": 9}, 8: {"1": 10}, 9: {"1": 11}, 10: {"}": 3},
    11: {",": 12, "}": 3}, 12: {'"': 13}, 13: {"a": 4},
}  # fmt: skip


def test_dfa_matches_python_l8_7__order_and_commas(constrain: Any) -> None:
    schema = {"type": "object", "properties": {"b": ONE, "a": ONE}}
    both_routes(constrain, schema, forms.dfa(OPTIONAL, {3}), "optional members")
    schema = {**schema, "required": ["a", "b"]}
    both_routes(constrain, schema, forms.dfa(ORDERED, {13}), "required members")


def test_dfa_matches_python_l8_7__fixed_values(constrain: Any) -> None:
    for value, word in ((2.5, "2.5"), ("(a|b)", '"(a|b)"'), ([1], "[1]")):
        edges = {state: {byte: state + 1} for state, byte in enumerate(word)}
        expected = forms.dfa(edges, {len(word)})
        both_routes(constrain, {"enum": [value]}, expected, "enum")
        both_routes(constrain, {"const": value}, expected, "const")


def judge_refusal(
    constrain: Any, schema: Any, kind: str, pointer: str | None, keyword: str | None
) -> None:
    text = json.dumps(schema, ensure_ascii=False)
    for name in ("json_schema_to_regex", "schema_to_dfa"):
        function = getattr(constrain, name)
        refuses(
            functools.partial(function, schema),
            kind=kind,
            pointer=pointer,
            keyword=keyword,
            input=f"{name}({text})",
        )


def test_subset_errors_are_refused(constrain: Any) -> None:
    bad: Sequence[tuple[str, str]] = (
        ("(", "syntax"), ("*a", "syntax"), ("a{2,1}", "count"), ("[b-a]", "range"),
        (r"\q", "escape"), (r"(a)\1", "unsupported"), ("^a", "unsupported"),
        ("(?=a)", "unsupported"), (r"[^\s\S]", "empty"), (r"a[^\s\S]b", "empty"),
        ("(a{1000}){1000}", "size"),
    )  # fmt: skip
    for pattern, kind in bad:
        refuses(
            lambda pattern=pattern: constrain.regex_to_dfa(pattern),
            kind=kind,
            input=f"regex_to_dfa({pattern!r})",
        )


def test_subset_errors_are_refused__golden_patterns(constrain: Any) -> None:
    for entry in golden("L10.9/constrain_golden.json", "bad_patterns"):
        refuses(
            lambda entry=entry: constrain.regex_to_dfa(entry["pattern"]),
            kind=entry["kind"],
            position=entry.get("position"),
            input=f"regex_to_dfa({entry['pattern']!r})",
        )


def test_subset_errors_are_refused__schemas(constrain: Any) -> None:
    inside = {"type": "object", "properties": {"a": {"type": "string", "pattern": "b"}}}
    for schema, kind, pointer, keyword in (
        (inside, "keyword", "/properties/a/pattern", "pattern"),
        ({}, "type", "", None),
        ({"type": "text"}, "type", "/type", "type"),
        ({"type": "array"}, "items", "", None),
        ({"type": "object", "required": ["a"]}, "required", "/required/0", "required"),
        ({"enum": []}, "empty", None, None),
        ({"type": "integer", "enum": [True, "x"]}, "empty", "", None),
    ):
        judge_refusal(constrain, schema, kind, pointer, keyword)


def test_subset_errors_are_refused__golden_schemas(constrain: Any) -> None:
    for entry in golden("L10.9/constrain_golden.json", "bad_schemas"):
        judge_refusal(
            constrain,
            schema_of(entry),
            entry["kind"],
            entry.get("pointer"),
            entry.get("keyword"),
        )
