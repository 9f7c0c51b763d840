"""Notebook 05's compiler: as 04's on ASCII, and nothing is too deep or too slow."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import numpy as np
import pytest

from ol import codes, course
from ol.implementation import Implementation

MODULE = course.load().module()
REFERENCE = Implementation(MODULE, codes.reference(MODULE))
MINIMIZE = REFERENCE.notebook("04_minimize")
CHARACTERS = REFERENCE.notebook("05_characters")
REGEX = REFERENCE.notebook("01_regex")
JSON_STRING = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
UTF8_LEADS = r"[\xc2-\xdf]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef]T|\xed[\x80-\x9f]"
UTF8_LEADS += r"|\xf0[\x90-\xbf]T|[\xf1-\xf3]TT|\xf4[\x80-\x8f]T"
UTF8_TAIL = f"(?:{UTF8_LEADS})T".replace("T", r"[\x80-\xbf]")


def same(left: Any, right: Any) -> bool:
    return np.array_equal(left.trans, right.trans) and np.array_equal(
        left.accept, right.accept
    )


@pytest.mark.parametrize(
    "pattern",
    ["", "ab?", "a{4}", "(a|b)*abb", "(cat|car|dog)s?", r"\d+(\.\d+)?", r"[\x80-\xff]",
     *REFERENCE.constrain.everyday_patterns().values()],
)  # fmt: skip
def test_without_characters_the_table_is_that_of_04(pattern: str) -> None:
    earlier, later = MINIMIZE.regex_to_dfa, CHARACTERS.regex_to_dfa
    assert earlier is not later
    assert same(earlier(pattern), later(pattern))


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        ("é", r"\u00e9"),
        ("é*", r"(?:\xc3\xa9)*"),
        ("[à-ü]", r"\xc3[\xa0-\xbc]"),
        (r"[\xc3é]", r"\xc3\xa9|\xc3"),
        (r"[\s\S]", rf"[\x00-\x7f]|{UTF8_TAIL}"),
        (JSON_STRING, JSON_STRING.replace(
            r'[^"\\\x00-\x1f]', rf'[ !#-\[\]-\x7f]|{UTF8_TAIL}'
        )),
    ],
)  # fmt: skip
def test_one_language_has_one_table(pattern: str, other: str) -> None:
    assert same(CHARACTERS.regex_to_dfa(pattern), CHARACTERS.regex_to_dfa(other))


def test_what_does_not_change_is_shared_and_any_depth_will_do() -> None:
    deep = CHARACTERS.parse("(" * 5000 + "a" + ")?" * 5000)
    assert CHARACTERS.lower(deep) is deep
    CHARACTERS.lower(CHARACTERS.parse("(" * 5000 + "é" + "|b)?" * 5000))
    mixed = CHARACTERS.parse("(ab)*é")
    assert CHARACTERS.lower(mixed).parts[0] is mixed.parts[0]


@pytest.mark.parametrize(
    ("pattern", "states"),
    [(".{0,500}", 4001), (".{0,17}", 137), ('[^"]*', 8), (JSON_STRING, 15)],
)
def test_characters_compile_in_time(pattern: str, states: int) -> None:
    started = time.perf_counter()
    assert CHARACTERS.regex_to_dfa(pattern).n_states == states
    assert time.perf_counter() - started < 10  # a guard; the longest takes 0.6 s


def test_random_classes_are_those_of_re() -> None:
    """Every class against `re`, on strings of one character from near its ends."""
    draw = random.Random(10)
    ends = (0x61, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)
    for _ in range(200):
        points = sorted(near(draw.choice(ends), draw) for _ in range(4))
        inside = "-".join(map(escaped, points[:2])) + "-".join(map(escaped, points[2:]))
        pattern = f"[{'^' * draw.randint(0, 1)}{inside}]"
        dfa = CHARACTERS.regex_to_dfa(pattern)
        for point in {near(end, draw) for end in (*points, *ends) for _ in range(5)}:
            wanted = re.fullmatch(pattern, chr(point)) is not None
            assert dfa.matches(chr(point).encode()) is wanted, (pattern, hex(point))


def near(point: int, draw: random.Random) -> int:
    """Return a character at most 70 places away."""
    while True:
        other = min(max(point + draw.randint(-70, 70), 0), 0x10FFFF)
        if not 0xD800 <= other <= 0xDFFF:
            return other


def escaped(point: int) -> str:
    character = chr(point)
    return f"\\x{point:02x}" if point < 0x80 else character
