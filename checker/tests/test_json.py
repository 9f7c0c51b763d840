"""Notebook 06 on the reference, against CPython's own `json`, `repr` and `float`.

The oracle spells out where the course differs from `json.loads`: str or strict
UTF-8, no NaN, no number that overflows or has over 4,300 digits, no half of a pair, 256
levels, duplicates by rule.
"""

from __future__ import annotations

import json
import math
import random
import re
import struct
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest

from ol import codes, course
from ol.implementation import Implementation

MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain
SEED = 826_509
TEXTS = 24_000


class OracleRefusal(Exception):
    """What the oracle refuses; `args[0]` is the kind."""


def python_dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# --- the oracle: CPython's json, and the differences


def levels(text: str) -> int:
    """Return the deepest nesting of brackets outside strings."""
    depth = deepest = 0
    inside = escaped = False
    for character in text:
        if inside:
            if escaped or character == "\\":
                escaped = not escaped
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def no_constant(word: str) -> Any:
    raise OracleRefusal("syntax")


def number(word: str) -> float | int:
    if len(re.findall("[0-9]", word)) > 4_300:
        raise OracleRefusal("number")
    value = float(word) if set(word) & set(".eE") else int(word)
    if value in (math.inf, -math.inf):
        raise OracleRefusal("number")
    return value


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise OracleRefusal("duplicate")
    return dict(pairs)


def strings_of(value: Any) -> Iterator[str]:
    """Yield every string and key of pairs and lists, dropped ones included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from strings_of(part)


def oracle(text: str, duplicates: str) -> tuple[str, str]:
    """Return ("value", what CPython writes) or ("refused", the kind)."""
    try:
        if levels(text) > 256:
            raise OracleRefusal("depth")
        json.loads(text, parse_int=str, parse_float=str, parse_constant=no_constant)
        pairs = json.loads(
            text, parse_int=number, parse_float=number, object_pairs_hook=list
        )
        if any("\ud800" <= c <= "\udfff" for s in strings_of(pairs) for c in s):
            raise OracleRefusal("surrogate")
        hook = unique if duplicates == "refuse" else dict
        return "value", python_dumps(json.loads(text, object_pairs_hook=hook))
    except json.JSONDecodeError:
        return "refused", "syntax"
    except OracleRefusal as refusal:
        return "refused", str(refusal)


def course_answer(text: str, duplicates: str) -> tuple[str, str]:
    try:
        value = CONSTRAIN.json_parse(text, duplicates=duplicates)
    except ValueError as error:
        return "refused", getattr(error, "kind", repr(error))
    return "value", CONSTRAIN.json_dumps(value)


# --- texts, valid and broken

SPACES = ("", "", "", "", " ", "\n", "\t\r ")
NUMBERS = (
    "0", "-0", "7", "-12", "0.0", "-0.0", "1E+2", "1e16", "0.00001", "1.5e-05", "1e400",
    "123456789012345678901", "5e-324", "1e-400", "9999999999999998.0", "12345678.9",
)  # fmt: skip
STRING_UNITS = (
    "a", "b", "é", "日", "😀", "\x7f", "\u2028", "[", "}", "/", r"\"", r"\\", r"\/",
    r"\n", r"\b", r"\u0041", r"\u00E9", r"\ud83d\ude00", r"\ud800", r"\udc00",
    r"\u0000",
)  # fmt: skip
FRAGMENTS = (
    *'[]{}",:\\-+.eE01 \n\x00', "NaN", "-Infinity", "null", r"\ud83d", "\ud800",
    "1e999", "\ufeff", "\x0b", "١", "//", "'", '"a":1,', '"a":2,',
)  # fmt: skip


def string_text(chance: random.Random) -> str:
    weights = [4] * 18 + [1, 1, 4]
    units = chance.choices(STRING_UNITS, weights, k=chance.randrange(4))
    return f'"{"".join(units)}"'


def value_text(chance: random.Random, depth: int) -> str:
    kind = chance.randrange(6 if depth else 4)
    space = chance.choice(SPACES)
    if kind == 0:
        return space + chance.choice(("null", "true", "false"))
    if kind == 1:
        return chance.choice(NUMBERS) + space
    if kind < 4:
        return string_text(chance)
    parts = [value_text(chance, depth - 1) for _ in range(chance.randrange(4))]
    if kind == 4:
        return f"[{space}{','.join(parts)}]"
    members = (f"{string_text(chance)}{space}:{part}" for part in parts)
    return f"{{{','.join(members)}{space}}}"


def broken(chance: random.Random, text: str) -> str:
    """Return `text` with a piece cut out, put in, doubled or replaced."""
    at = chance.randint(0, len(text))
    end = min(len(text), at + chance.randrange(3))
    piece = chance.choice((chance.choice(FRAGMENTS), text[at:end] * 2, ""))
    return text[:at] + piece + text[end:]


def texts(chance: random.Random, count: int) -> Iterator[str]:
    for index in range(count):
        text = value_text(chance, 3)
        for _ in range(index % 3):
            text = broken(chance, text)
        if index % 500 == 0:
            opening = chance.randint(250, 262)
            text = "[" * opening + text + "]" * opening
        yield text


def test_the_reader_and_the_writer_answer_as_the_oracle_does() -> None:
    print(f"seed {SEED}")
    outcomes: dict[tuple[str, str], int] = {}
    for index, text in enumerate(texts(random.Random(SEED), TEXTS)):
        duplicates = ("last", "refuse")[index % 2]
        expected = oracle(text, duplicates)
        assert course_answer(text, duplicates) == expected, (text, duplicates)
        kind = expected[1] if expected[0] == "refused" else ""
        key = (expected[0], kind)
        outcomes[key] = outcomes.get(key, 0) + 1
    kinds = ("syntax", "number", "surrogate", "depth", "duplicate")
    assert all(outcomes[("refused", kind)] >= 10 for kind in kinds), outcomes
    assert outcomes[("value", "")] > TEXTS / 5


def test_json_check_asks_for_syntax_and_depth_alone() -> None:
    print(f"seed {SEED + 1}")
    passed = 0
    for text in texts(random.Random(SEED + 1), 6_000):
        kind = None
        if levels(text) > 256:
            kind = "depth"
        else:
            try:
                json.loads(
                    text, parse_int=str, parse_float=str, parse_constant=no_constant
                )
            except (json.JSONDecodeError, OracleRefusal):
                kind = "syntax"
        try:
            CONSTRAIN.json_check(text)
        except ValueError as error:
            assert getattr(error, "kind", None) == kind, text
        else:
            assert kind is None, text
            passed += 1
    assert 1_000 < passed < 5_900


# --- refusals, one by one


@pytest.mark.parametrize(
    ("text", "kind", "position"),
    [
        ("", "syntax", 0),
        ("[1 2]", "syntax", 3),
        ("\ufeff1", "syntax", 0),
        ("[NaN]", "syntax", 1),
        ('["NaN", -Infinity]', "syntax", 8),
        ("[1, 1e999]", "number", 4),
        ('["1e999", -1e999]', "number", 10),
        ("[1, " + "9" * 4_301 + "]", "number", 4),
        ("0." + "9" * 4_300, "number", 0),
        ('["a", "\\ud83d"]', "surrogate", 6),
        ('{"\\udc00": 1}', "surrogate", 1),
        ('["\\ude00\\ud83d"]', "surrogate", 1),
        ('"\ud83d\ude00"', "surrogate", 0),  # two halves, written raw
        ("[" * 257 + "]" * 257, "depth", 256),
        ("[" * 200_000, "depth", 256),
        (b'{"\xff": 1}', "syntax", 2),
        (b"\xef\xbb\xbf1", "syntax", 0),
        (b"\xed\xa0\x80", "syntax", 0),
    ],
)
def test_a_refusal_has_a_kind_and_a_position(
    text: str | bytes, kind: str, position: int
) -> None:
    with pytest.raises(ValueError) as refused:
        CONSTRAIN.json_parse(text)
    error: Any = refused.value
    assert (error.kind, error.position) == (kind, position)


def test_limits_themselves_are_allowed() -> None:
    digits = "9" * 4_300
    assert CONSTRAIN.json_parse(digits) == int(digits)
    deep = "[" * 256 + "]" * 256
    assert CONSTRAIN.json_dumps(CONSTRAIN.json_parse(deep)) == deep
    objects = '{"a":' * 256 + "1" + "}" * 256
    assert CONSTRAIN.json_dumps(CONSTRAIN.json_parse(objects)) == objects


def test_a_million_digits_in_json_check_and_a_broken_string_take_no_time() -> None:
    CONSTRAIN.json_check("9" * 1_000_000)
    for text in ('"' + '\\"' * 200_000, '"a' * 100_001, '{"a":' * 50_000):
        with pytest.raises(ValueError):
            CONSTRAIN.json_check(text)


def test_bytes_are_read_as_utf8() -> None:
    assert CONSTRAIN.json_parse('{"é": "😀"}'.encode()) == {"é": "😀"}


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ('{"a": 1, "a": 2}', "/a"),
        (r'{"a": 1, "\u0061": 2}', "/a"),
        ('[0, {"x": [{"b": 1, "c": 2, "b": 1}]}]', "/1/x/0/b"),
        ('{"a/b": {"~": 1, "~": 2}}', "/a~1b/~0"),
        ('{"": 1, "": 2}', "/"),
    ],
)
def test_a_duplicate_has_a_pointer(text: str, pointer: str) -> None:
    with pytest.raises(ValueError) as refused:
        CONSTRAIN.json_parse(text, duplicates="refuse")
    error: Any = refused.value
    assert (error.kind, error.pointer) == ("duplicate", pointer)
    CONSTRAIN.json_parse(text)


def test_a_third_rule_for_duplicates_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="'last' or 'refuse'"):
        CONSTRAIN.json_parse("1", duplicates="first")


# --- floats


def doubles(chance: random.Random, count: int) -> Iterator[float]:
    """Yield finite doubles, every exponent as likely as any other, all signs."""
    for _ in range(count):
        x = struct.unpack("<d", chance.randbytes(8))[0]
        if math.isfinite(x):
            yield x


def borders() -> Iterator[float]:
    """Yield the powers of ten of all sizes, and the doubles next to each."""
    for exponent in range(-324, 309):
        power = float(f"1e{exponent}")
        for x in (power, math.nextafter(power, 0), math.nextafter(power, math.inf)):
            yield from (x, -x, x / 3)


def test_floats_are_written_as_repr_writes_them() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    short = (chance.randrange(10**6) / 10 ** chance.randrange(12) for _ in range(5_000))
    subnormal = (chance.randrange(1, 2**52) * 5e-324 for _ in range(1_000))
    whole = (
        float(chance.randrange(10 ** chance.randrange(1, 25))) for _ in range(5_000)
    )
    samples = [*doubles(chance, 20_000), *short, *subnormal, *whole, *borders(), -0.0]
    for x in [*samples, sys.float_info.max, sys.float_info.min]:
        assert CONSTRAIN.python_float(x) == repr(x)


def test_the_digits_are_the_number() -> None:
    chance = random.Random(SEED)
    for x in [*doubles(chance, 3_000), *borders()]:
        sign, digits, point = CONSTRAIN.shortest_digits(x)
        assert float(f"{sign}0.{digits}e{point}") == x
        assert digits == digits.strip("0") or (x == 0 and digits == "0")


# --- strings


def test_strings_of_every_plane_are_quoted_as_python_does() -> None:
    chance = random.Random(SEED)
    for start in range(0, 0x10000, 0x100):
        if not 0xD800 <= start <= 0xDFFF:
            text = "".join(map(chr, range(start, start + 0x100)))
            assert CONSTRAIN.json_quote(text) == python_dumps(text)
    for plane in range(1, 17):
        text = "".join(chr(plane << 16 | chance.randrange(0x10000)) for _ in range(500))
        assert CONSTRAIN.json_quote(text) == python_dumps(text)


# --- what the lesson says


def test_a_quoted_string_is_a_string_of_notebook_05() -> None:
    machine = CONSTRAIN.regex_to_dfa(CONSTRAIN.json_string_pattern())
    text = "".join(map(chr, [*range(0x100), 0x2028, 0xFFFF, 0x10000, 0x10FFFF]))
    assert machine.matches(CONSTRAIN.json_quote(text).encode())


def test_members_in_any_order_need_a_state_for_every_set_of_them() -> None:
    for count in range(1, 6):
        orders = map("".join, permutations("abcde"[:count]))
        assert CONSTRAIN.regex_to_dfa("|".join(orders)).n_states == 2**count
