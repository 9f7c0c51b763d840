"""Random patterns against `re.fullmatch`: the reference, and the oracle beside it.

Each pattern follows from the seed and its number. `OL_SEED=7 ./ol dev test -k
differential` tries others. Two things are not compared with `re`, because it has no
words for them: raw bytes from 80 up, and refusals.
"""

from __future__ import annotations

import os
import re
from random import Random
from typing import Any

import numpy as np
import pytest

from ol import codes, course, oracle
from ol.implementation import Implementation
from pattern_trees import random_pattern, random_strings, render

SEED = os.environ.get("OL_SEED", "1964")
PATTERNS, BATCHES = 2_400, 12
MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain
HAS_CHARACTERS = MODULE.is_present("05_characters")


def numbered_pattern(number: int) -> tuple[str, list[str]]:
    """Return a pattern and strings to try; every other one is over ASCII bytes only."""
    rng = Random(f"{SEED}/{number}")
    ascii_only = number % 2 == 0
    tree = random_pattern(rng, ascii_only)
    return render(tree, rng), random_strings(tree, rng, ascii_only)


def reference_dfa(pattern: str) -> Any:
    """Return the reference's table, or the kind of its refusal."""
    try:
        return CONSTRAIN.regex_to_dfa(pattern)
    except ValueError as refused:
        return refused.kind  # type: ignore[attr-defined]


def oracle_dfa(pattern: str) -> Any:
    try:
        return oracle.regex_to_dfa(pattern)
    except oracle.OracleRefusal as refused:
        return refused.kind


def same(mine: Any, other: Any) -> bool:
    """Whether two tables are equal, or two refusals."""
    if isinstance(mine, str) or isinstance(other, str):
        return type(mine) is type(other) and bool(mine == other)
    return np.array_equal(mine.trans, other.trans) and np.array_equal(
        mine.accept, other.accept
    )


@pytest.mark.parametrize("batch", range(BATCHES))
def test_differential(batch: int) -> None:
    print(f"OL_SEED={SEED}")
    matched = 0
    for number in range(batch, PATTERNS, BATCHES):
        pattern, strings = numbered_pattern(number)
        place = f"OL_SEED={SEED}, number {number}, {pattern!r}"
        judge = re.compile(pattern, re.ASCII)
        wanted = [judge.fullmatch(text) is not None for text in strings]
        matched += sum(wanted)
        dfa = reference_dfa(pattern)
        if dfa == "unsupported" and number % 2 and not HAS_CHARACTERS:
            dfa = None  # its characters come in 05; the oracle has them already
        if dfa is None or number % 5 == 0:
            other = oracle_dfa(pattern)
            assert dfa is None or same(dfa, other), f"{place}: tables differ"
            check_strings(other, strings, wanted, f"{place}, oracle")
        if dfa is not None:
            check_strings(dfa, strings, wanted, f"{place}, reference")
    assert matched > PATTERNS // BATCHES  # the strings are not all of one kind


def check_strings(
    answer: Any, strings: list[str], wanted: list[bool], place: str
) -> None:
    """Compare a table's answers, or `empty`, with those of `re`."""
    if isinstance(answer, str):
        assert answer == "empty" and not any(wanted), f"{place}: {answer}"
        return
    for text, expected in zip(strings, wanted, strict=True):
        data = text.encode()
        assert run(answer, data) is expected, f"{place} on {text!r}"


def run(dfa: Any, data: bytes) -> bool:
    state = 0
    for byte in data:
        state = int(dfa.trans[state, byte])
        if state < 0:
            return False
    return bool(dfa.accept[state])


def test_deriving_alone_answers_as_re_does() -> None:
    for number in range(1, 600, 6):
        pattern, strings = numbered_pattern(number)
        for text in strings:
            wanted = re.fullmatch(pattern, text, re.ASCII) is not None
            place = f"OL_SEED={SEED}, number {number}, {pattern!r} on {text!r}"
            assert oracle.accepts(pattern, text.encode()) is wanted, place


PIECES = [
    *"ab()|*+?{}[]^-$.\\,:&~1é日", "{2}", "{1,2}", "{,", "65536", "[^", "[a-",
    "[:alpha:]", "&&", "--", "(?:", "(?", r"\x", r"\u", r"\d", r"\W", r"\b", r"\1",
    r"\101", r"\xc3", r"\x41", "\ud800", r"\ud800",
]  # fmt: skip


@pytest.mark.parametrize("batch", range(4))
def test_what_is_no_pattern_is_refused_alike(batch: int) -> None:
    """Pieces thrown together: the same kind of refusal, or the same table."""
    rng = Random(f"{SEED}/pieces/{batch}")
    for _ in range(1_000):
        pattern = "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 7)))
        mine, other = reference_dfa(pattern), oracle_dfa(pattern)
        if mine == "unsupported" and other != mine and not HAS_CHARACTERS:
            continue  # its characters come in 05
        assert same(mine, other), f"OL_SEED={SEED}, {pattern!r}: {mine}, {other}"


BYTES_OF_A_GRAVE = r"\xc3[\xa0-\xbc]"  # [à-ü]
JSON_BY_CHARACTERS = r'"[^"\\\x00-\x1f]*"'
JSON_BY_BYTES = (
    r'"([\x20\x21\x23-\x5b\x5d-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]'
    r"|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    r"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}"
    r'|\xf4[\x80-\x8f][\x80-\xbf]{2})*"'
)
SAME_LANGUAGE = [
    ("a|b", "[ab]"),
    ("aa*", "a+"),
    ("a?a?", "a{0,2}"),
    ("(?:ab|ac)", "a[bc]"),
    ("é", r"\u00e9"),
    ("é", r"\xc3\xa9"),
    ("[à-ü]", BYTES_OF_A_GRAVE),
    ("(a*)*", "a*"),
    (JSON_BY_CHARACTERS, JSON_BY_BYTES),
]


@pytest.mark.parametrize(("left", "right"), SAME_LANGUAGE)
@pytest.mark.parametrize("whose", [oracle_dfa, reference_dfa])
def test_one_language_has_one_table(whose: Any, left: str, right: str) -> None:
    one, other = whose(left), whose(right)
    if "unsupported" in (one, other) and not HAS_CHARACTERS:
        pytest.skip("the reference has no characters yet: 05_characters is to come")
    assert not isinstance(one, str)
    assert same(one, other)
