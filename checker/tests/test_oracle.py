"""The oracle against what is known without it: hand tables, `re`, counting, rulings."""

from __future__ import annotations

import itertools
import json
import re
import time
from typing import Any

import numpy as np
import pytest

from ol import forms, hand, oracle, paths

LINES = (paths.fixtures() / "cases" / "regex.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]

TAIL = "".join(map(chr, range(0x80, 0xC0)))


def span(first: int, last: int) -> str:
    return "".join(map(chr, range(first, last + 1)))


# Written by hand from the definition: minimal, breadth-first, bytes in order.
HAND_TABLES = [
    ("", forms.dfa({}, accept={0})),
    *hand.tables().items(),
    (r"b|a[^\s\S]", forms.dfa({0: {"b": 1}}, accept={1})),
    ("é*", forms.dfa({0: {"\xc3": 1}, 1: {"\xa9": 0}}, accept={0})),
    (r"[\xc3é]", forms.dfa({0: {"\xc3": 1}, 1: {"\xa9": 2}}, accept={1, 2})),
    (
        ".",  # RFC 3629, section 4, as a table
        forms.dfa(
            {
                0: {
                    span(0x00, 0x09) + span(0x0B, 0x7F): 1,
                    span(0xC2, 0xDF): 2,
                    "\xe0": 3,
                    span(0xE1, 0xEC) + "\xee\xef": 4,
                    "\xed": 5,
                    "\xf0": 6,
                    "\xf1\xf2\xf3": 7,
                    "\xf4": 8,
                },
                2: {TAIL: 1},
                3: {span(0xA0, 0xBF): 2},
                4: {TAIL: 2},
                5: {span(0x80, 0x9F): 2},
                6: {span(0x90, 0xBF): 4},
                7: {TAIL: 4},
                8: {span(0x80, 0x8F): 4},
            },
            accept={1},
        ),
    ),
]


@pytest.mark.parametrize(("pattern", "table"), HAND_TABLES)
def test_hand_tables(pattern: str, table: forms.Dfa) -> None:
    dfa = oracle.regex_to_dfa(pattern)
    assert dfa.n_states == table.n_states
    assert dfa.accept.tolist() == table.accept.tolist()
    assert dfa.trans.dtype == np.int32
    assert np.array_equal(dfa.trans, table.trans)


def run(dfa: forms.Dfa, data: bytes) -> bool:
    state = 0
    for byte in data:
        state = int(dfa.trans[state, byte])
        if state == forms.DEAD:
            return False
    return bool(dfa.accept[state])


@pytest.mark.parametrize(
    "pattern",
    [
        "(a|b)*abb",
        "(a|ab)(c|bcd)(d*)",
        "(a?b?)*c|a{0}b{2,}",
        "(|a)+b{1,2}|c(a|b)?",
        "((a|b)*a(a|b){2})*",
        "[^a]{2}|(ab|c){2,3}",
        "(a*b*|c)+",
        "a{2,3}(b|)c*",
    ],
)
def test_every_short_string(pattern: str) -> None:
    dfa = oracle.regex_to_dfa(pattern)
    for length in range(7):
        for letters in itertools.product("abc", repeat=length):
            text = "".join(letters)
            wanted = re.fullmatch(pattern, text) is not None
            assert run(dfa, text.encode()) is wanted, text
            if length < 5:
                assert oracle.accepts(pattern, text.encode()) is wanted, text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    pattern = case["pattern"]
    if "refuse" in case:
        with pytest.raises(oracle.OracleRefusal) as refused:
            oracle.regex_to_dfa(pattern)
        assert refused.value.kind == case["refuse"]
        return
    dfa = oracle.regex_to_dfa(pattern)
    for wanted, strings in ((True, case["accepts"]), (False, case["rejects"])):
        for string in strings:
            data = bytes.fromhex(string)
            assert run(dfa, data) is wanted, string
            assert oracle.accepts(pattern, data) is wanted, string


# What the rulings list and the cases leave out.
REFUSED = {
    "syntax": ["(", "(a", "a|b)", "[", "[]", "[^]", "[a", "[a-", "(|*)", "a?{2}", "(?"],
    "range": ["[b-a]", r"[a-\d]", r"[\d-a]", r"[a-\xff]", r"[\x80-é]", r"[\xff-\x80]"],
    "count": ["a{}", "a{,}", "a{1,2,3}", "a{ 1}", "a{65536,}", "a{3,2}", "a{²}"],
    "escape": [r"\0", r"\123", r"\q", "\\ ", "\\é", r"\>", r"\u12", r"\xg0", r"[\b]"],
    "unsupported": [r"\9", r"\A", r"\Z", r"\B", "(?i)a", "[a&&b]", "[a~~b]", "[a||b]"],
    "utf8": [r"\udfff", "\ud800", r"[\ud800]", r"[^\xff]", r"[a\udc00]"],
    "size": ["(" * 5001 + ")" * 5001, "(a{9}){60000}", "a" * 1_000_001],
    "empty": [r"[^\s\S]", r"a[^\s\S]b", r"([^\s\S]|a[^\s\S])+", r"[^\x00-\uffff\W]"],
}


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [(kind, pattern) for kind, patterns in REFUSED.items() for pattern in patterns],
    ids=lambda text: ascii(text)[:24],
)
def test_refusals(kind: str, pattern: str) -> None:
    with pytest.raises(oracle.OracleRefusal) as refused:
        oracle.regex_to_dfa(pattern)
    assert refused.value.kind == kind


def test_a_refusal_says_where() -> None:
    with pytest.raises(oracle.OracleRefusal, match="^range at position 2: b-a") as it:
        oracle.regex_to_dfa("x[b-a]")
    assert it.value.position == 2


@pytest.mark.parametrize("pattern", ["(a|b)*a(a|b){30}", "(a{1000}){1000}"])
def test_what_is_too_big_is_refused_at_once(pattern: str) -> None:
    started = time.perf_counter()
    with pytest.raises(oracle.OracleRefusal, match="^size"):
        oracle.regex_to_dfa(pattern)
    assert time.perf_counter() - started < 30  # a guard; it takes about two seconds


def test_nesting_needs_no_recursion() -> None:
    assert oracle.regex_to_dfa("(" * 5000 + "a" + ")" * 5000).n_states == 2
    assert oracle.regex_to_dfa("(" * 150 + "a" + ")b" * 150).n_states == 152
    assert oracle.accepts("(?:" * 100 + "a" + ")*b" * 100, b"ab" + b"b" * 99)


def strings_accepted(dfa: forms.Dfa) -> int:
    """Count the strings of an acyclic table, over all their lengths."""
    ways, total = {0: 1}, 0
    while ways:
        total += sum(number for state, number in ways.items() if dfa.accept[state])
        after: dict[int, int] = {}
        for state, number in ways.items():
            for target in dfa.trans[state].tolist():
                if target != forms.DEAD:
                    after[target] = after.get(target, 0) + number
        ways = after
    return total


CHARACTERS = 0x110000 - 0x800  # code points without surrogates


@pytest.mark.parametrize(
    ("pattern", "number"),
    [
        (".", CHARACTERS - 1),
        (r"[\s\S]", CHARACTERS),
        ("[^é日😀]", CHARACTERS - 3),
        (r"\W", CHARACTERS - 63),
        ("[à-ü]", 0xFC - 0xE0 + 1),
        (r"[\u07f0-\u0810]", 0x21),
        (r"[\ud7ff-\ue000]", 2),
        (r"[^\x00-\uffff]", 0x100000),
        ("[\u0400-\U0001f600]", 0x1F600 - 0x400 + 1 - 0x800),
        (r"[à-ü]{2}|\w", 29 * 29 + 63),
    ],
)
def test_as_many_strings_as_characters(pattern: str, number: int) -> None:
    """A set of characters has as many strings as characters: none twice, none over."""
    dfa = oracle.regex_to_dfa(pattern)
    assert strings_accepted(dfa) == number


def test_a_character_is_accepted_iff_it_is_in_the_class() -> None:
    dfa = oracle.regex_to_dfa("[ߐ-日😀-🙏]")
    for number in itertools.chain(range(0, 0xD800, 7), range(0xE000, 0x110000, 97)):
        wanted = 0x7D0 <= number <= 0x65E5 or 0x1F600 <= number <= 0x1F64F
        assert run(dfa, chr(number).encode()) is wanted, hex(number)


@pytest.mark.parametrize(
    "pattern", ["[ab]*a[ab]{4}", ".{2}", "(ab|c){2,3}d*", "é|[ê-ü]+"]
)
def test_tables_are_canonical(pattern: str) -> None:
    """Numbered as a walk meets the states; all live; any two told apart by a string."""
    dfa = oracle.regex_to_dfa(pattern)
    met = [0]
    for state in met:
        met += dict.fromkeys(
            t for t in dfa.trans[state].tolist() if t != forms.DEAD and t not in met
        )
    assert met == list(range(dfa.n_states))
    rows = np.vstack([dfa.trans, np.full(256, forms.DEAD)])  # the dead state, last
    accept = np.append(dfa.accept, False)
    apart = accept[:, None] != accept[None, :]
    for _ in range(dfa.n_states):
        for column in np.unique(rows, axis=1).T:
            apart |= apart[np.ix_(column, column)]
    assert (apart | np.eye(len(rows), dtype=bool)).all()
