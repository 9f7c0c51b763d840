"""Judges notebook 02: fragments, their gluing, the closure, and running an NFA.

Machines are judged by language alone, since the numbers of their states are free. The
closure and the move are judged on machines written by hand, where the numbers are ours.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from itertools import product
from typing import Any

from ol import automata, forms, hand
from ol.expect import accepts, equal, refuses, same_language

A, B = frozenset(b"a"), frozenset(b"b")


def leaf(constrain: Any, builder: Any, letters: str) -> Any:
    return constrain.bytes_fragment(builder, frozenset(letters.encode()))


def says(machine: Any, *strings: str) -> bool:
    """Say whether a machine accepts all of these strings."""
    dfa = automata.as_dfa(machine)
    return all(automata.accepts(dfa, string.encode()) for string in strings)


# --- sequence_fragment


def sequence_of(constrain: Any, letters: str) -> Any:
    builder = constrain.Builder()
    parts = [leaf(constrain, builder, letter) for letter in letters]
    return builder.nfa(constrain.sequence_fragment(builder, parts))


def test_sequence_fragment(constrain: Any) -> None:
    def cause(yours: Any) -> str:
        if says(yours, "ba"):
            return "The parts are glued from right to left."
        if says(yours, "a") or says(yours, "b"):
            return "It accepts after one part: the whole ends where the last part ends."
        return "Glue the accept of the left part to the start of the right one."

    accepts(
        sequence_of(constrain, "ab"),
        yes=["ab"],
        no=["", "a", "b", "ba", "abb", "aab"],
        input="the machine of sequence_fragment(builder, [a, b])",
        cause=cause,
    )


def test_sequence_fragment__one_and_many(constrain: Any) -> None:
    accepts(
        sequence_of(constrain, "a"),
        yes=["a"],
        no=["", "aa"],
        input="the machine of sequence_fragment(builder, [a])",
        cause="A single part stands for itself: it starts and accepts as that part.",
    )
    accepts(
        sequence_of(constrain, "abcd"),
        yes=["abcd"],
        no=["", "ab", "ad", "abc", "acd", "abd", "bcd"],
        input="the machine of sequence_fragment(builder, [a, b, c, d])",
        cause="Every neighbouring pair needs its ε: a to b, b to c, c to d.",
    )


def test_sequence_fragment__none(constrain: Any) -> None:
    accepts(
        sequence_of(constrain, ""),
        yes=[""],
        no=["a", "\0"],
        input="the machine of sequence_fragment(builder, [])",
        cause="No parts: a fragment of two new states with an ε from start to accept.",
    )


# --- choice_fragment


def choice_of(constrain: Any, options: Iterable[str]) -> Any:
    builder = constrain.Builder()
    parts = []
    for word in options:
        letters = [leaf(constrain, builder, letter) for letter in word]
        parts.append(constrain.sequence_fragment(builder, letters))
    return builder.nfa(constrain.choice_fragment(builder, parts))


def test_choice_fragment(constrain: Any) -> None:
    def cause(yours: Any) -> str:
        if says(yours, "ab"):
            return "It goes through both options, one after the other."
        if not (says(yours, "a") and says(yours, "b")):
            return "Every option needs two ε-edges, one in and one out; one has not."
        if says(yours, ""):
            return "No edge leads from the new start straight to the new accept."
        return ""

    accepts(
        choice_of(constrain, ["a", "b"]),
        yes=["a", "b"],
        no=["", "ab", "ba", "aa"],
        input="the machine of choice_fragment(builder, [a, b])",
        cause=cause,
    )


def test_choice_fragment__many(constrain: Any) -> None:
    accepts(
        choice_of(constrain, ["cat", "car", "dog"]),
        yes=["cat", "car", "dog"],
        no=["", "ca", "cardog", "cag", "catcat"],
        input="the machine of choice_fragment(builder, [cat, car, dog])",
        cause="Each of the options is one way through; none leads into another.",
    )


def test_choice_fragment__empty_option(constrain: Any) -> None:
    for options in (["a", ""], ["", "a"]):
        names = ", ".join(option or "empty" for option in options)
        accepts(
            choice_of(constrain, options),
            yes=["", "a"],
            no=["aa"],
            input=f"the machine of choice_fragment(builder, [{names}])",
            cause="The empty string is an option like any other: glue its fragment in.",
        )


# --- repeat_fragment


def repeated(constrain: Any, options: list[str], least: int, most: int | None) -> Any:
    builder = constrain.Builder()
    words = []
    for word in options:
        letters = [leaf(constrain, builder, letter) for letter in word]
        words.append(constrain.sequence_fragment(builder, letters))
    part = words[0] if len(words) == 1 else constrain.choice_fragment(builder, words)
    return builder.nfa(constrain.repeat_fragment(builder, part, least, most))


def judge_counts(constrain: Any, least: int, most: int | None) -> None:
    """Judge `a`, repeated: which numbers of `a` are accepted?"""
    expected = {n for n in range(9) if n >= least and (most is None or n <= most)}

    def cause(yours: Any) -> str:
        got = {n for n in range(9) if says(yours, "a" * n)}
        if most is None and max(got, default=0) < 8:
            return "Without a limit, an ε leads back from the end of the last copy."
        if most is not None and any(n > most + 1 for n in got):
            return "Something leads back: with a limit, no edge does."
        if most is not None and most + 1 in got:
            return f"It goes through the part {most + 1} times; `most` is {most}."
        if most is not None and most not in got:
            return f"It never goes through the part {most} times; `most` is included."
        if least - 1 in got:
            return f"It may leave after {least - 1}: allow that from {least} on only."
        if least not in got:
            return f"After {least} times one may leave; `least` is included."
        if most is None:
            return "The loop goes round the last copy alone, not round all of them."
        return f"Accepted are {sorted(got)} times, not {sorted(expected)}."

    limit = "None" if most is None else most
    accepts(
        repeated(constrain, ["a"], least, most),
        yes=["a" * n for n in sorted(expected)],
        no=["a" * n for n in range(9) if n not in expected],
        input=f"the machine of repeat_fragment(builder, a, {least}, {limit})",
        cause=cause,
    )


def test_repeat_fragment(constrain: Any) -> None:
    for least, most in ((0, 1), (4, 4), (2, 3), (0, None), (1, None), (2, None)):
        judge_counts(constrain, least, most)


def test_repeat_fragment__corners(constrain: Any) -> None:
    for least, most in ((0, 0), (1, 1), (0, 3), (1, 4)):
        judge_counts(constrain, least, most)


def test_repeat_fragment__long_part(constrain: Any) -> None:
    accepts(
        repeated(constrain, ["ab"], 2, 3),
        yes=["abab", "ababab"],
        no=["", "ab", "abb", "abbb", "aab", "abababab"],
        input="the machine of repeat_fragment(builder, ab, 2, 3)",
        cause="The whole part is repeated, from its start to its accept.",
    )
    accepts(
        repeated(constrain, ["ab"], 0, None),
        yes=["", "ab", "abababab"],
        no=["a", "abb", "aab", "aba"],
        input="the machine of repeat_fragment(builder, ab, 0, None)",
        cause="The loop leads from the part's accept back to the part's start.",
    )


def test_repeat_fragment__choices_are_made_anew(constrain: Any) -> None:
    accepts(
        repeated(constrain, ["a", "b"], 2, 2),
        yes=["aa", "ab", "ba", "bb"],
        no=["", "a", "b", "aba", "bbb"],
        input="the machine of repeat_fragment(builder, a|b, 2, 2)",
        cause="Each time round has states of its own: `copies_of` makes them.",
    )


def test_repeat_fragment__loops_stay_inside(constrain: Any) -> None:
    for word, yes, no in (
        ("a*b", ["", "b", "ab", "aab"], ["a", "aa", "ba"]),
        ("ba*", ["", "b", "ba", "baa"], ["a", "aa", "ab"]),
    ):
        builder = constrain.Builder()
        letter = leaf(constrain, builder, "a")
        star = constrain.repeat_fragment(builder, letter, 0, None)
        other = leaf(constrain, builder, "b")
        parts = [star, other] if word == "a*b" else [other, star]
        part = constrain.sequence_fragment(builder, parts)
        accepts(
            builder.nfa(constrain.repeat_fragment(builder, part, 0, 1)),
            yes=yes,
            no=no,
            input=f"the machine of repeat_fragment(builder, {word}, 0, 1)",
            cause="The whole needs a start and an accept of its own: with the part's, "
            "the loop of a* leads to an edge that is not inside it.",
        )


# --- thompson

LANGUAGES = {
    "a": forms.dfa({0: {"a": 1}}, {1}),
    "ab?": forms.dfa({0: {"a": 1}, 1: {"b": 2}}, {1, 2}),
    "(cat|car|dog)s?": hand.tables()["(cat|car|dog)s?"],
    "a{4}": forms.dfa({0: {"a": 1}, 1: {"a": 2}, 2: {"a": 3}, 3: {"a": 4}}, {4}),
    "(a|b)*abb": forms.dfa(
        {
            0: {"a": 1, "b": 0},
            1: {"a": 1, "b": 2},
            2: {"a": 1, "b": 3},
            3: {"a": 1, "b": 0},
        },
        {3},
    ),
    "": forms.dfa({0: {}}, {0}),
    "a|": forms.dfa({0: {"a": 1}}, {0, 1}),
    "(ab?)*c": forms.dfa({0: {"a": 1, "c": 2}, 1: {"a": 1, "b": 0, "c": 2}}, {2}),
    "((a|bc){2}d)+": forms.dfa(
        {
            0: {"a": 2, "b": 1},
            1: {"c": 2},
            2: {"a": 4, "b": 3},
            3: {"c": 4},
            4: {"d": 5},
            5: {"a": 2, "b": 1},
        },
        {5},
    ),
    r"\xff[\x80-\x82]": forms.dfa({0: {"\xff": 1}, 1: {"\x80\x81\x82": 2}}, {2}),
}


def test_thompson(constrain: Any) -> None:
    for pattern, expected in LANGUAGES.items():
        same_language(
            constrain.thompson(constrain.parse(pattern)),
            expected,
            input=f"thompson(parse({pattern!r}))",
        )


def test_thompson__no_string_at_all(constrain: Any) -> None:
    accepts(
        constrain.thompson(constrain.parse(r"b|a[^\s\S]")),
        yes=["b"],
        no=["", "a", "ab", "ac"],
        input=r"thompson(parse(r'b|a[^\s\S]'))",
        cause="An empty byte set is an edge that no byte can take.",
    )


def test_thompson__nested(constrain: Any) -> None:
    pattern = "(" * 50 + "a" + ")?" * 50
    accepts(
        constrain.thompson(constrain.parse(pattern)),
        yes=["", "a"],
        no=["aa"],
        input="thompson(parse('(' * 50 + 'a' + ')?' * 50))",
    )


def random_pattern(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(["a", "b", "[ab]", "c", ""])
    kind = rng.random()
    first = random_pattern(rng, depth - 1)
    if kind < 0.35:
        return first + random_pattern(rng, depth - 1)
    if kind < 0.6:
        return f"(?:{first}|{random_pattern(rng, depth - 1)})"
    return f"(?:{first})" + rng.choice(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{0}"])


def test_thompson__as_python_matches(constrain: Any) -> None:
    rng = random.Random(10902)
    texts = ["".join(t) for n in range(5) for t in product("abc", repeat=n)]
    for _ in range(40):
        pattern = random_pattern(rng, 4)
        python = re.compile(pattern, re.ASCII)
        accepts(
            constrain.thompson(constrain.parse(pattern)),
            yes=[text for text in texts if python.fullmatch(text)],
            no=[text for text in texts if not python.fullmatch(text)],
            input=f"thompson(parse({pattern!r}))",
        )


def test_thompson__budget(constrain: Any) -> None:
    for pattern in ("(abcd){65000}", "(a{1000}){1000}", "((a{65535}){65535}){65535}"):
        tree = constrain.parse(pattern)
        refuses(
            lambda tree=tree: len(constrain.thompson(tree).edges),
            kind="size",
            input=f"len(thompson(parse({pattern!r})).edges)",
            cause="Count first and refuse: `refuse_large(root)` does both.",
        )


def test_thompson__characters(constrain: Any) -> None:
    refuses(
        lambda: constrain.thompson(constrain.parse("é")),
        kind="unsupported",
        input="thompson(parse('é'))",
    )


# --- epsilon_closure

Row = tuple[int, ...]


def passing(constrain: Any, *epsilon: Row) -> Any:
    """Return an NFA of ε-edges, and one byte edge from each state to the next."""
    last = len(epsilon) - 1
    edges = tuple(((A, min(state + 1, last)),) for state in range(len(epsilon)))
    return constrain.Nfa(0, last, edges, epsilon)


CHAIN: tuple[Row, ...] = ((2,), (), (4,), (), (1,), ())
FORK: tuple[Row, ...] = ((1, 2), (3,), (5,), (), (), (), ())
LOOP: tuple[Row, ...] = ((2,), (0,), (1, 3), (), (3,))


def judge_closure(
    constrain: Any, epsilon: tuple[Row, ...], states: set[int], expected: set[int]
) -> None:
    def cause(yours: Any) -> str:
        got = set(yours)
        if not states <= got:
            return "The states you start from belong to their closure."
        steps = {target for state in states for target in epsilon[state]}
        if got == states | steps:
            return (
                "It stops after one ε-edge; what is found has ε-edges of its own. "
                "Go on until nothing new turns up."
            )
        if got - expected:
            return "Only ε-edges are free: an edge that reads a byte is none of them."
        return "Something that several ε-edges in a row lead to is missing."

    arrows = [f"{s}→{t}" for s, row in enumerate(epsilon) for t in row]
    equal(
        constrain.epsilon_closure(passing(constrain, *epsilon), states),
        frozenset(expected),
        input=f"epsilon_closure(nfa, {states or 'set()'}) with ε {', '.join(arrows)}",
        cause=cause,
    )


def test_epsilon_closure(constrain: Any) -> None:
    judge_closure(constrain, CHAIN, {2}, {1, 2, 4})
    judge_closure(constrain, CHAIN, {0}, {0, 1, 2, 4})
    judge_closure(constrain, CHAIN, {5}, {5})
    judge_closure(constrain, FORK, {0}, {0, 1, 2, 3, 5})


def test_epsilon_closure__sets_and_loops(constrain: Any) -> None:
    judge_closure(constrain, FORK, {1, 4}, {1, 3, 4})
    judge_closure(constrain, FORK, {1, 2}, {1, 2, 3, 5})
    judge_closure(constrain, LOOP, {0}, {0, 1, 2, 3})
    judge_closure(constrain, LOOP, {4, 1}, {0, 1, 2, 3, 4})
    judge_closure(constrain, CHAIN, set(), set())


def test_epsilon_closure__what_goes_in_and_comes_out(constrain: Any) -> None:
    nfa = passing(constrain, *CHAIN)
    given = {0}
    yours = constrain.epsilon_closure(nfa, given)
    equal(
        type(yours).__name__,
        "frozenset",
        input="type(epsilon_closure(nfa, {0}))",
        cause="Return a frozenset: notebook 03 uses these sets as keys.",
    )
    equal(
        given,
        {0},
        input="states, after epsilon_closure(nfa, states) with states = {0}",
        cause="The caller's set has changed: work on a copy of it.",
    )
    for name, states in (("[2]", [2]), ("iter([2])", iter([2]))):
        equal(
            constrain.epsilon_closure(nfa, states),
            frozenset({1, 2, 4}),
            input=f"epsilon_closure(nfa, {name}) with ε 0→2, 2→4, 4→1",
            cause="`states` may be anything to loop over, also a generator.",
        )


def test_epsilon_closure__long_chain(constrain: Any) -> None:
    chain = [(state + 1,) for state in range(5_000)]
    yours = constrain.epsilon_closure(passing(constrain, *chain, ()), {0})
    equal(
        len(yours),
        5_001,
        input="len(epsilon_closure(nfa, {0})) with ε 0→1, 1→2, …, 4999→5000",
    )


# --- move


def moving(constrain: Any) -> Any:
    """Return an NFA with overlapping byte sets, a loop, and ε-edges in between."""
    edges = (
        ((A, 1), (A | B, 2)),
        ((B, 1),),
        (),
        ((frozenset({0, 255}), 0), (A, 3)),
        ((frozenset(), 0),),
    )
    return constrain.Nfa(0, 2, edges, ((3,), (2,), (0,), (), ()))


def test_move(constrain: Any) -> None:
    nfa = moving(constrain)

    def cause(yours: Any) -> str:
        got = set(yours)
        if expected < got == expected | states:
            return "Only states reached by the byte; those it started from are not."
        if expected < got:
            return "`move` takes no ε-edge, and only edges whose set holds the byte."
        if got < expected:
            return "Every edge of every state counts, not the first that fits."
        return ""

    edges = "0 a→1, 0 [ab]→2, 1 b→1, 3 [0x00 0xff]→0, 3 a→3, 4 nothing→0"
    for states, byte, expected in (
        ({0}, ord("a"), {1, 2}),
        ({0}, ord("b"), {2}),
        ({1}, ord("b"), {1}),
        ({0, 1, 3}, ord("b"), {1, 2}),
        ({0, 3}, ord("a"), {1, 2, 3}),
        ({0, 1, 2, 3}, 255, {0}),
        ({3}, 0, {0}),
        ({2}, ord("a"), set()),
        ({0, 1, 2, 3, 4}, ord("x"), set()),
        (set(), ord("a"), set()),
    ):
        equal(
            constrain.move(nfa, states, byte),
            frozenset(expected),
            input=f"move(nfa, {states or 'set()'}, {byte}) with edges {edges}",
            cause=cause,
        )


def test_move__type(constrain: Any) -> None:
    equal(
        type(constrain.move(moving(constrain), {0}, ord("a"))).__name__,
        "frozenset",
        input="type(move(nfa, {0}, 97))",
        cause="Return a frozenset.",
    )


# --- nfa_matches


def judge_match(
    constrain: Any, pattern: str, data: bytes, expected: bool, cause: str
) -> None:
    equal(
        constrain.nfa_matches(constrain.thompson(constrain.parse(pattern)), data),
        expected,
        input=f"nfa_matches(thompson(parse({pattern!r})), {data!r})",
        cause=cause,
    )


def test_nfa_matches(constrain: Any) -> None:
    for data, expected in ((b"ab", True), (b"a", True), (b"", False), (b"b", False)):
        cause = "After every byte comes the closure, after the last one, too."
        judge_match(constrain, "ab?", data, expected, cause if expected else "")


def test_nfa_matches__by_hand(constrain: Any) -> None:
    nfa = constrain.Nfa(2, 0, ((), ((A, 0),), ((B, 1),)), ((), (), ()))
    for data, expected in ((b"ba", True), (b"", False), (b"a", False), (b"b", False)):
        equal(
            constrain.nfa_matches(nfa, data),
            expected,
            input=f"nfa_matches(nfa, {data!r}) with start 2, accept 0, 2 b→1, 1 a→0",
            cause="The numbers of states mean nothing: ask nfa.start and nfa.accept.",
        )


def test_nfa_matches__before_the_first_byte(constrain: Any) -> None:
    cause = "Close the start before the first byte: ε may lead on to acceptance."
    judge_match(constrain, "a*", b"", True, cause)
    judge_match(constrain, "", b"", True, cause)
    judge_match(constrain, "a*b", b"b", True, cause)


def test_nfa_matches__after_the_last_byte(constrain: Any) -> None:
    cause = "After every byte comes the closure, after the last one, too."
    judge_match(constrain, "(cat|car|dog)s?", b"cat", True, cause)
    judge_match(constrain, "(ab?)*c", b"ababc", True, cause)


def test_nfa_matches__the_whole_string(constrain: Any) -> None:
    cause = "The set after the last byte decides, not the sets on the way."
    judge_match(constrain, "(cat|car|dog)s?", b"catss", False, cause)
    judge_match(constrain, "ab?", b"abb", False, cause)
    judge_match(constrain, "(a|b)*abb", b"abba", False, cause)
    judge_match(constrain, "(a|b)*abb", b"abbabb", True, cause)
    judge_match(constrain, "(a|b)*abb", b"xabb", False, "Such a byte ends it.")
    judge_match(constrain, r"[\x80-\xff]", b"\xc3", True, "Any of 256 bytes may come.")


def test_nfa_matches__many_guesses(constrain: Any) -> None:
    pattern = "a?" * 30 + "a" * 30
    equal(
        constrain.nfa_matches(constrain.thompson(constrain.parse(pattern)), b"a" * 30),
        True,
        input="nfa_matches(thompson(parse('a?' * 30 + 'a' * 30)), b'a' * 30)",
    )
