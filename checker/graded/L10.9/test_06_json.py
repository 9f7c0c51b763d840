"""Judges notebook 06: strings, floats and values as Python writes them, the reader.

Expected values are written by hand or come from CPython: `repr` of a float, compact
`json.dumps`, the position of a `json.JSONDecodeError`, and the golden file.
"""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Callable, Mapping
from typing import Any

from ol import paths
from ol.expect import equal, refuses

SEED = 20_109


def as_python(value: Any, **options: Any) -> str:
    """Return what CPython writes, compactly."""
    given = {"ensure_ascii": False, "separators": (",", ":"), **options}
    return json.dumps(value, **given)


def call(name: str, *arguments: Any) -> str:
    return f"{name}({', '.join(map(repr, arguments))})"


def short(text: str | bytes) -> str:
    """Return a text as typed, or how to make it where it is long."""
    if len(text) <= 60:
        return repr(text)
    return f"{text[:12]!r}… ({len(text):,} characters)"


def judge(
    yours: Any, expected: Any, input: str, causes: Mapping[str, str] | None = None
) -> None:
    """Compare; `causes` says what a wrong text that we know betrays."""

    def cause(wrong: Any) -> str:
        if not isinstance(wrong, type(expected)):
            return f"It has to be of type {type(expected).__name__}."
        return (causes or {}).get(wrong, "")

    equal(yours, expected, input=input, cause=cause)


# --- json_quote


def judge_quote(constrain: Any, text: str, expected: str, **causes: str) -> None:
    """Compare one string; every cause is named after a wrong way to write it."""
    wrong_ways = {
        "ascii": lambda: json.dumps(text),
        "by_repr": lambda: repr(text),
        "no_quotes": lambda: expected[1:-1],
        "upper": lambda: upper_digits(expected),
        "twice": lambda: '"' + json.dumps(expected[1:-1])[1:-1] + '"',
        "raw": lambda: f'"{text}"',
        "in_turn": lambda: '"' + text.replace('"', r"\"").replace("\\", r"\\") + '"',
    }
    known = {wrong_ways[name](): cause for name, cause in causes.items()}
    known.pop(expected, None)
    yours = constrain.json_quote(text)
    judge(yours, expected, call("json_quote", text), known)


def upper_digits(text: str) -> str:
    """Return every \\u escape of `text` with its digits in upper case."""
    before, *escapes = text.split("\\u")
    return before + "".join(f"\\u{e[:4].upper()}{e[4:]}" for e in escapes)


NO_QUOTES = "The quotes around the string belong to it."
BY_REPR = "That is how Python's source spells it (repr); JSON has its own rules."
RAW = "That is the text as it is. Some characters may not stand in a string like that."
ASCII = "Only what is below U+0020 is written as a number; é stays é."
UPPER = "Python writes the hexadecimal digits in lower case."
IN_TURN = "The backslash of an escape was escaped again: go character by character."
TWICE = "A backslash that you wrote yourself must not be escaped again."


def test_json_quote(constrain: Any) -> None:
    judge_quote(constrain, "Paris", '"Paris"', no_quotes=NO_QUOTES, by_repr=BY_REPR)
    judge_quote(constrain, "", '""', no_quotes=NO_QUOTES, by_repr=BY_REPR)


def test_json_quote__quote_and_backslash(constrain: Any) -> None:
    judge_quote(constrain, 'say "a"', r'"say \"a\""', raw=RAW, in_turn=IN_TURN)
    judge_quote(constrain, "a\\b", r'"a\\b"', raw=RAW, twice=TWICE, by_repr=BY_REPR)
    judge_quote(constrain, '\\"', r'"\\\""', raw=RAW, twice=TWICE)


def test_json_quote__short_escapes(constrain: Any) -> None:
    for character, escape in zip("\n\t\r\b\f", "ntrbf", strict=True):
        judge_quote(constrain, character, f'"\\{escape}"', raw=RAW, twice=TWICE)
    judge_quote(constrain, "\\n", r'"\\n"', raw=RAW)  # two characters, no line feed


def test_json_quote__other_control_characters(constrain: Any) -> None:
    judge_quote(constrain, "\x07", r'"\u0007"', raw=RAW, by_repr=BY_REPR)
    judge_quote(constrain, "\x1f", r'"\u001f"', raw=RAW, upper=UPPER, by_repr=BY_REPR)
    judge_quote(constrain, "\x00\x0b", r'"\u0000\u000b"', raw=RAW, upper=UPPER)


def test_json_quote__everything_else_as_it_is(constrain: Any) -> None:
    for text in ("é", "日本", "😀", "\x7f", "\x80", "\u2028\u2029", "/", "'", "\ufeff"):
        judge_quote(constrain, text, f'"{text}"', ascii=ASCII, by_repr=BY_REPR)
    judge_quote(constrain, "\U0010ffff", '"\U0010ffff"', ascii=ASCII)


def test_json_quote__any_text(constrain: Any) -> None:
    chance = random.Random(SEED)
    alphabet = [*map(chr, range(0x20)), *'"\\/ab\x7fé\u2028\uffff😀']
    for _ in range(300):
        text = "".join(chance.choices(alphabet, k=chance.randint(1, 8)))
        judge(constrain.json_quote(text), as_python(text), call("json_quote", text))


# --- plain_notation


def judge_plain(
    constrain: Any, digits: str, point: int, expected: str, **causes: str
) -> None:
    known = {text: cause for cause, text in causes.items()}
    known = {wrong: POINT_CAUSES[name] for wrong, name in known.items()}
    yours = constrain.plain_notation(digits, point)
    judge(yours, expected, call("plain_notation", digits, point), known)


POINT_CAUSES = {
    "whole": "A float shows that it is one: a point, and at least one digit behind it.",
    "bare": "At least one digit stands before the point.",
    "no_fraction": "At least one digit stands behind the point.",
    "no_zeros": "The digits end before the point does: fill up with zeros.",
    "one_more": "That is one zero too many: point 0 has none behind the point, −1 one.",
    "one_less": "That is one zero too few: point −1 has one zero behind the point.",
    "from_the_end": "`point` counts from the left; this is cut from the right end.",
}


def test_plain_notation(constrain: Any) -> None:
    judge_plain(
        constrain, "12345", 4, "1234.5", from_the_end="1.2345", no_zeros="12345"
    )
    judge_plain(constrain, "12345", 1, "1.2345", from_the_end="1234.5")


def test_plain_notation__the_point_is_behind_all_digits(constrain: Any) -> None:
    judge_plain(constrain, "15", 2, "15.0", whole="15", no_fraction="15.")
    judge_plain(constrain, "1", 3, "100.0", whole="100", no_zeros="1.0")
    judge_plain(constrain, "12", 16, "12" + "0" * 14 + ".0", whole="12" + "0" * 14)


def test_plain_notation__the_point_is_before_all_digits(constrain: Any) -> None:
    judge_plain(constrain, "5", 0, "0.5", bare=".5", one_more="0.05")
    judge_plain(constrain, "5", -1, "0.05", one_more="0.005", one_less="0.5")
    judge_plain(constrain, "125", -3, "0.000125", one_less="0.00125")


def test_plain_notation__zero(constrain: Any) -> None:
    judge_plain(constrain, "0", 1, "0.0", whole="0")


# --- python_float


def float_cause(x: float) -> Callable[[Any], str]:
    """Say what a wrong text of `x` betrays."""
    right = repr(x)

    def cause(yours: Any) -> str:
        if not isinstance(yours, str):
            return "It has to be a str."
        if "e" in right and "e" not in yours:
            return "From 1e16 up, and below 0.0001, Python writes an exponent."
        if "e" not in right and "e" in yours:
            return "From 0.0001 up to 1e16 Python writes no exponent."
        if yours.removeprefix("-") == right.removeprefix("-"):
            return "The sign is wrong; −0.0 has one, too."
        if "e" not in right:
            return ""
        mantissa, _, exponent = yours.partition("e")
        right_mantissa, _, right_exponent = right.partition("e")
        single = mantissa.removesuffix(".0").removesuffix(".")
        if single != mantissa and single == right_mantissa:
            return "A single digit has no point behind it: 1e+16."
        if exponent.lstrip("+-0") == right_exponent.lstrip("+-0"):
            return "The exponent has a sign and at least two figures: e-05, e+16."
        if mantissa == right_mantissa and "e" in yours:
            return "One digit stays before the point: the exponent is point − 1."
        return ""

    return cause


def judge_float(constrain: Any, x: float) -> None:
    equal(
        constrain.python_float(x),
        repr(x),
        input=call("python_float", x),
        cause=float_cause(x),
    )


def test_python_float(constrain: Any) -> None:
    for x in (1.5, 100.0, 0.05, 123456.789):
        judge_float(constrain, x)


def test_python_float__with_an_exponent(constrain: Any) -> None:
    for x in (1.5e-05, 1e16, 1.25e20, 1e-05, 6.02e23, 1e100, 2.5e-300):
        judge_float(constrain, x)


def test_python_float__where_the_exponent_comes(constrain: Any) -> None:
    for x in (1e15, 9999999999999998.0, 1e16, 1e17, 0.001, 0.0001, 0.00012, 0.00001):
        judge_float(constrain, x)
    for x in (1234567890123456.0, 12345678901234567.0, 0.00009999, 1e22, 1e23):
        judge_float(constrain, x)


def test_python_float__sign_and_zero(constrain: Any) -> None:
    for x in (0.0, -0.0, -1.5, -1e-07, -2e30):
        judge_float(constrain, x)


def test_python_float__extremes(constrain: Any) -> None:
    for x in (5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1 + 0.2):
        judge_float(constrain, x)
    chance = random.Random(SEED)
    for _ in range(1_000):
        x = struct.unpack("<d", chance.randbytes(8))[0]
        if x - x == 0:  # finite
            judge_float(constrain, x)


def test_python_float__what_no_text_stands_for(constrain: Any) -> None:
    for text in ("inf", "-inf", "nan"):
        refuses(
            lambda text=text: constrain.python_float(float(text)),
            kind="number",
            input=f"python_float(float({text!r}))",
            cause="JSON has no text for this number: math.isfinite tells.",
        )


# --- json_dumps


def dumps_cause(value: Any) -> Callable[[Any], str]:
    """Name the option of `json.dumps` that a wrong text was written with."""

    def cause(yours: Any) -> str:
        if not isinstance(yours, str):
            return "It has to be a str."
        if yours == as_python(value, separators=None):
            return "No space follows a comma or a colon."
        if yours == as_python(value, ensure_ascii=True):
            return ASCII
        if yours == as_python(value, sort_keys=True):
            return "The keys keep their order; they are not sorted."
        if yours == repr(value):
            return "That is Python's own notation (repr), not JSON."
        if yours == as_python(bools_as_ints(value)):
            return "True is an int to isinstance: ask for bool first."
        return ""

    return cause


def bools_as_ints(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: bools_as_ints(member) for key, member in value.items()}
    if isinstance(value, list):
        return list(map(bools_as_ints, value))
    return int(value) if isinstance(value, bool) else value


def judge_dumps(constrain: Any, value: Any, expected: str) -> None:
    yours = constrain.json_dumps(value)
    equal(yours, expected, input=call("json_dumps", value), cause=dumps_cause(value))


def test_json_dumps(constrain: Any) -> None:
    judge_dumps(constrain, None, "null")
    judge_dumps(constrain, True, "true")
    judge_dumps(constrain, False, "false")


def test_json_dumps__numbers(constrain: Any) -> None:
    judge_dumps(constrain, 0, "0")
    judge_dumps(constrain, -7, "-7")
    judge_dumps(constrain, 15.0, "15.0")
    judge_dumps(constrain, -0.0, "-0.0")
    judge_dumps(constrain, 1e-05, "1e-05")
    judge_dumps(constrain, 2**70 + 1, "1180591620717411303425")


def test_json_dumps__strings(constrain: Any) -> None:
    judge_dumps(constrain, "", '""')
    judge_dumps(constrain, 'é"\n', r'"é\"\n"')


def test_json_dumps__lists(constrain: Any) -> None:
    judge_dumps(constrain, [], "[]")
    judge_dumps(constrain, [1, 2.0, "x"], '[1,2.0,"x"]')
    judge_dumps(constrain, [[], [[None]], [True, False]], "[[],[[null]],[true,false]]")


def test_json_dumps__dicts(constrain: Any) -> None:
    judge_dumps(constrain, {}, "{}")
    judge_dumps(constrain, {"b": 1, "a": 2}, '{"b":1,"a":2}')
    judge_dumps(constrain, {'k"é': {"": [{}]}}, r'{"k\"é":{"":[{}]}}')


def test_json_dumps__what_no_text_stands_for(constrain: Any) -> None:
    refuses(
        lambda: constrain.json_dumps({"a": [1.0, float("inf")]}),
        kind="number",
        input="json_dumps({'a': [1.0, float('inf')]})",
    )


def test_json_dumps__deep(constrain: Any) -> None:
    value: Any = []
    for _ in range(127):
        value = [{"a": value}]
    expected = '[{"a":' * 127 + "[]" + "}]" * 127
    yours = constrain.json_dumps(value)
    equal(yours, expected, input="json_dumps(a value of 255 levels)")


# --- too_deep_at


def judge_depth(constrain: Any, text: str, most: int, expected: int | None) -> None:
    def cause(yours: Any) -> str:
        if expected is None and '"' in text:
            return "Brackets inside a string do not count."
        if expected is None:
            return f"At most {most} brackets are open at once."
        if yours is None:
            return f"The bracket at index {expected} opens level {most + 1}."
        if yours > expected:
            return "Return the index of the first bracket that is too deep."
        return ""

    yours = constrain.too_deep_at(text, most)
    equal(yours, expected, input=f"too_deep_at({short(text)}, {most})", cause=cause)


def test_too_deep_at(constrain: Any) -> None:
    judge_depth(constrain, "[[[]]]", 2, 2)
    judge_depth(constrain, "[[[]]]", 3, None)
    judge_depth(constrain, "[]", 0, 0)
    judge_depth(constrain, '"a"', 0, None)


def test_too_deep_at__objects_count_like_arrays(constrain: Any) -> None:
    judge_depth(constrain, '{"a":[{"b":1}]}', 2, 6)
    judge_depth(constrain, '{"a":[{"b":1}]}', 3, None)


def test_too_deep_at__closed_brackets_are_closed(constrain: Any) -> None:
    judge_depth(constrain, "[[],[],[],[]]", 2, None)
    judge_depth(constrain, '[{},{"a":[]}]', 2, 9)


def test_too_deep_at__strings(constrain: Any) -> None:
    judge_depth(constrain, '["[[[[", "{"]', 1, None)
    judge_depth(constrain, r'["\"[[", []]', 1, 9)
    judge_depth(constrain, r'["\\", [[]]]', 2, 8)
    judge_depth(constrain, '["]]]", [[]]]', 2, 9)


def test_too_deep_at__what_is_not_json(constrain: Any) -> None:
    judge_depth(constrain, "[" * 10, 9, 9)
    judge_depth(constrain, '["[[[', 1, None)
    judge_depth(constrain, "[x[y[z", 2, 4)


# --- json_check


def judge_good(constrain: Any, data: str | bytes, cause: str) -> None:
    """Require that `json_check` lets a text pass; what it returns does not matter."""
    yours = "no error"
    try:
        constrain.json_check(data)
    except ValueError as error:
        yours = f"{type(error).__name__}: {str(error)[:120]}"
    equal(yours, "no error", input=f"json_check({short(data)})", cause=cause)


def judge_bad(
    constrain: Any, data: str | bytes, kind: str, position: int, cause: str = ""
) -> None:
    def known(error: Any) -> str:
        if isinstance(error, json.JSONDecodeError):
            return "json.loads raised this; turn it into a ConstrainError."
        return cause

    refuses(
        lambda: constrain.json_check(data),
        kind=kind,
        position=position,
        input=f"json_check({short(data)})",
        cause=known,
    )


def position_in_python(text: str) -> int:
    """Return where CPython's own reader stops."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos
    raise ValueError(f"{text!r} is JSON")


def test_json_check(constrain: Any) -> None:
    for text in ('{"x": [1, 2.5e3, true, null]}', '"é"', "0", " [ ] ", '{"":{}}'):
        judge_good(constrain, text, "This is JSON.")


def test_json_check__broken_syntax(constrain: Any) -> None:
    for text in (
        "", "[1,", '{"x":1"y":2}', "[1 2]", "{x:1}", "01", "1.", ".5", "+1", "'a'",
        '"a', '"\\x"', '"\n"', "[]]", "nul", "True", "[1,]", '{"a":1,}', "\ufeff1",
    ):  # fmt: skip
        judge_bad(constrain, text, "syntax", position_in_python(text))


def test_json_check__depth(constrain: Any) -> None:
    judge_good(constrain, "[" * 256 + "]" * 256, "256 levels are allowed.")
    judge_good(constrain, '"' + "[" * 300 + '"', "These brackets are in a string.")
    judge_bad(constrain, "[" * 257 + "]" * 257, "depth", 256, "257 levels are not.")
    judge_bad(constrain, '{"a":' * 257 + "1" + "}" * 257, "depth", 1280)


def test_json_check__depth_comes_first(constrain: Any) -> None:
    before = "Count the levels before json.loads reads."
    judge_bad(constrain, "[x" + "[" * 300, "depth", 257, before)
    judge_bad(constrain, "[" * 100_000, "depth", 256, before)


def test_json_check__no_limit_on_numbers(constrain: Any) -> None:
    cause = "RFC 8259 sets no limit; parse_int=str and parse_float=str read them all."
    judge_good(constrain, "[1e999, -1e999, 1e-999]", cause)
    judge_good(constrain, "9" * 5_000, cause)
    judge_good(constrain, "0." + "3" * 5_000, cause)


def test_json_check__not_a_number(constrain: Any) -> None:
    hook = "Without parse_constant, json.loads reads this as a number."
    judge_bad(constrain, "NaN", "syntax", 0, hook)
    judge_bad(constrain, '["NaN", -Infinity]', "syntax", 8, hook)
    judge_bad(constrain, '{"a": Infinity}', "syntax", 6, hook)


def test_json_check__what_is_judged_elsewhere(constrain: Any) -> None:
    judge_good(constrain, '{"a": 1, "a": 2}', "Duplicate keys are no syntax error.")
    judge_good(constrain, r'"\ud800"', "Half of a pair is no syntax error.")


def test_json_check__bytes(constrain: Any) -> None:
    judge_good(constrain, '"é"'.encode(), "These bytes are UTF-8.")
    judge_bad(constrain, b'"\xe9"', "syntax", 1, "These bytes are not UTF-8.")
    bom = "json.loads guesses at bytes; as_text does not."
    judge_bad(constrain, b"\xef\xbb\xbf1", "syntax", 0, bom)
    judge_bad(constrain, "12".encode("utf-16-le"), "syntax", 1, bom)


# --- without_duplicates


def in_words(value: Any) -> str:
    """Return pairs (here: tuples) as the call that makes them."""
    if isinstance(value, tuple):
        inner = ", ".join(f"({key!r}, {in_words(member)})" for key, member in value)
        return f"Pairs([{inner}])"
    if isinstance(value, list):
        return f"[{', '.join(map(in_words, value))}]"
    return repr(value)


def with_pairs(constrain: Any, value: Any) -> Any:
    """Return tuples of (key, value) as the implementation's own Pairs."""
    if isinstance(value, tuple):
        members = ((key, with_pairs(constrain, member)) for key, member in value)
        return constrain.Pairs(members)
    if isinstance(value, list):
        return [with_pairs(constrain, item) for item in value]
    return value


def judge_last(constrain: Any, value: Any, expected: Any) -> None:
    def cause(yours: Any) -> str:
        if "Pairs" in type(yours).__name__:
            return "Pairs is a list, too: ask for Pairs first, and make a dict of it."
        if type(yours) is list and isinstance(value, tuple):
            return "Pairs is a list, too: ask for Pairs first, and make a dict of it."
        if yours == expected:  # equal but for the order of the keys
            return "A key stays where it came first, whatever its last value is."
        if isinstance(yours, dict) and list(yours) == list(expected):
            return "The last value of a key counts, and a value may hold Pairs itself."
        return ""

    yours = constrain.without_duplicates(with_pairs(constrain, value), "last")
    input = f'without_duplicates({in_words(value)}, "last")'
    equal(yours, expected, input=input, cause=cause)


def judge_refused(constrain: Any, value: Any, pointer: str) -> None:
    """Require kind `duplicate` and this pointer."""
    pairs = with_pairs(constrain, value)
    input = f'without_duplicates({in_words(value)}, "refuse")'
    pointers: list[Any] = []

    def ask() -> Any:
        try:
            return constrain.without_duplicates(pairs, "refuse")
        except ValueError as error:
            pointers.append(getattr(error, "pointer", None))
            raise

    refuses(ask, kind="duplicate", input=input)
    cause = "The path leads from the root to the key: keys and indices, in order."
    equal(pointers[0], pointer, input=f"{input}: the error's pointer", cause=cause)


def test_without_duplicates(constrain: Any) -> None:
    judge_last(constrain, (("a", 1), ("b", 2)), {"a": 1, "b": 2})
    judge_last(constrain, (), {})
    for value in (None, True, 1, 1.5, "a", []):
        judge_last(constrain, value, value)


def test_without_duplicates__the_last_value_at_the_first_place(constrain: Any) -> None:
    judge_last(constrain, (("a", 1), ("b", 2), ("a", 3)), {"a": 3, "b": 2})
    judge_last(constrain, (("a", 1), ("a", None)), {"a": None})


def test_without_duplicates__inside(constrain: Any) -> None:
    twice = (("x", 1), ("x", 2))
    judge_last(constrain, (("a", twice),), {"a": {"x": 2}})
    judge_last(constrain, [twice, [twice]], [{"x": 2}, [{"x": 2}]])
    judge_last(constrain, (("a", [(("b", ()),)]),), {"a": [{"b": {}}]})
    judge_last(constrain, (("a", ()), ("a", twice)), {"a": {"x": 2}})


def test_without_duplicates__refused(constrain: Any) -> None:
    judge_refused(constrain, (("a", 1), ("a", 2)), "/a")
    judge_refused(constrain, (("a", 1), ("b", 2), ("b", 2), ("c", 3)), "/b")
    judge_refused(constrain, (("", 1), ("", 2)), "/")


def test_without_duplicates__refused_inside(constrain: Any) -> None:
    twice = (("x", 1), ("x", 2))
    judge_refused(constrain, (("v", [(), twice]),), "/v/1/x")
    judge_refused(constrain, [[(("a", twice),)]], "/0/0/a/x")
    judge_refused(constrain, (("a/b", (("m~n", 1), ("m~n", 2))),), "/a~1b/m~0n")


def test_without_duplicates__nothing_to_refuse(constrain: Any) -> None:
    value = (("a", [(("a", 1),), (("a", 2),)]), ("A", (("a", 3),)))
    yours = constrain.without_duplicates(with_pairs(constrain, value), "refuse")
    cause = "Keys of different objects are no duplicates."
    input = f'without_duplicates({in_words(value)}, "refuse")'
    equal(yours, {"a": [{"a": 1}, {"a": 2}], "A": {"a": 3}}, input=input, cause=cause)


# --- the chapter's test


def golden() -> list[dict[str, str]]:
    """Return the recorded texts: "text", what CPython writes ("dumps"), and "why"."""
    path = paths.fixtures() / "L10.9" / "constrain_golden.json"
    entries: list[dict[str, str]] = json.loads(path.read_text("utf-8"))["dumps"]
    return entries


def judge_text(constrain: Any, text: str, expected: str, why: str = "") -> None:
    yours = constrain.json_dumps(constrain.json_parse(text))
    value = json.loads(text)

    def cause(wrong: Any) -> str:
        return dumps_cause(value)(wrong) or why

    input = f"json_dumps(json_parse({short(text)}))"
    equal(yours, expected, input=input, cause=cause)


def test_dumps_matches_python(constrain: Any) -> None:
    for entry in golden():
        judge_text(constrain, entry["text"], entry["dumps"], entry["why"])


def test_dumps_matches_python__every_window(constrain: Any) -> None:
    for exponent in range(-8, 20):
        for digits in ("1", "-1.5", "9.999999999999999"):
            text = f"{digits}e{exponent}"
            judge_text(constrain, text, as_python(json.loads(text)))


def test_dumps_matches_python__refusals(constrain: Any) -> None:
    for text, kind in (
        ("[1,]", "syntax"),
        ("[NaN]", "syntax"),
        ("[1e999]", "number"),
        ("9" * 4_301, "number"),
        (r'["\ud800"]', "surrogate"),
        ("[" * 257 + "]" * 257, "depth"),
    ):
        refuses(
            lambda text=text: constrain.json_parse(text),
            kind=kind,
            input=f"json_parse({short(text)})",
        )
    refuses(
        lambda: constrain.json_parse('{"a": 1, "a": 2}', duplicates="refuse"),
        kind="duplicate",
        input="""json_parse('{"a": 1, "a": 2}', duplicates="refuse")""",
    )
