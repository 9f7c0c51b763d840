"""Judges notebook 04: dead states, Moore's rounds, one numbering for all, the pipeline.

Input automata are tables written by hand and built with the implementation's own
`Dfa`; expected tables are written by hand, too. `trim` and `minimize` are judged by
language and number of states, since their numbering is free; `number_breadth_first`
and everything after it by the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ol import forms
from ol.expect import accepts, equal, refuses, same_dfa, same_language
from ol.hand import ABB, FOUR, PETS, Edges

# (cat|car|dog)s?: as notebook 03 leaves it; minimal, numbered otherwise; canonical
RAW_PETS: Edges = {
    0: {"c": 1, "d": 2},
    1: {"a": 3},
    2: {"o": 4},
    3: {"r": 5, "t": 6},
    4: {"g": 7},
    5: {"s": 8},
    6: {"s": 8},
    7: {"s": 8},
}
SHUFFLED_PETS: Edges = {
    0: {"c": 4, "d": 6},
    4: {"a": 1},
    6: {"o": 3},
    1: {"rt": 5},
    3: {"g": 5},
    5: {"s": 2},
}
# (a|b)*abb: five raw states, four that differ
RAW_ABB: Edges = {
    0: {"a": 1, "b": 2},
    1: {"a": 1, "b": 3},
    2: {"a": 1, "b": 2},
    3: {"a": 1, "b": 4},
    4: {"a": 1, "b": 2},
}


def machine(constrain: Any, edges: Edges, accept: Iterable[int]) -> Any:
    """Return a table written by hand as the implementation's own Dfa."""
    table = forms.dfa(edges, accept)
    return constrain.Dfa(table.n_states, table.accept, table.trans)


def call(name: str, edges: Edges, accept: Iterable[int], more: str = "") -> str:
    """Return the call in words: the automaton edge by edge."""
    arrows = [
        f"{state} {characters}→{target}"
        for state, row in edges.items()
        for characters, target in row.items()
    ]
    accepting = ", ".join(map(str, sorted(accept))) or "none"
    return f"{name}(dfa{more}) with edges {', '.join(arrows)}; accepting: {accepting}"


def as_list(values: Any) -> Any:
    """Return an array, or a list of numpy numbers, as a plain list."""
    return np.asarray(values).tolist()


def same_table(yours: Any, edges: Edges, accept: Iterable[int]) -> bool:
    wrong = forms.dfa(edges, accept)
    return bool(
        np.array_equal(yours.trans, wrong.trans)
        and np.array_equal(yours.accept, wrong.accept)
    )


# --- live_states


def judge_live(
    constrain: Any, edges: Edges, accept: set[int], expected: list[bool]
) -> None:
    def cause(yours: Any) -> str:
        flags = np.asarray(yours)
        if not all(flags[state] for state in accept):
            return "An accepting state is live: it accepts after reading nothing."
        if sum(flags) < sum(expected):
            return (
                "A state is live, too, if it takes several bytes to get to acceptance: "
                "go on from every state that turns out to be live."
            )
        return "Some state counts as live although no path leads on to acceptance."

    yours = as_list(constrain.live_states(machine(constrain, edges, accept)))
    input = call("live_states", edges, accept)
    equal(yours, expected, input=input, cause=cause)


def test_live_states(constrain: Any) -> None:
    judge_live(constrain, {0: {"a": 1, "b": 2}}, {2}, [True, False, True])


def test_live_states__several_bytes_away(constrain: Any) -> None:
    judge_live(constrain, FOUR, {4}, [True] * 5)


def test_live_states__a_loop_that_never_accepts(constrain: Any) -> None:
    edges = {0: {"a": 1, "b": 3}, 1: {"a": 2}, 2: {"a": 1}, 4: {"a": 3}}
    judge_live(constrain, edges, {3}, [True, False, False, True, True])


def test_live_states__none(constrain: Any) -> None:
    judge_live(constrain, {0: {"a": 1}, 1: {"a": 0}}, set(), [False, False])


# --- trim


def judge_trim(
    constrain: Any,
    edges: Edges,
    accept: set[int],
    expected: forms.Dfa,
    cause: str,
) -> None:
    yours = constrain.trim(machine(constrain, edges, accept))
    input = call("trim", edges, accept)
    same_language(yours, expected, input=input)
    count = as_list(yours.n_states)
    equal(count, expected.n_states, input=f"{input}: n_states", cause=cause)


def test_trim(constrain: Any) -> None:
    kept = "State 1 leads to no accepting state and is still there."
    edges = {0: {"a": 1, "b": 2}}
    judge_trim(constrain, edges, {2}, forms.dfa({0: {"b": 1}}, {1}), kept)


def test_trim__a_loop_that_never_accepts(constrain: Any) -> None:
    edges = {0: {"a": 1, "b": 3}, 1: {"a": 2}, 2: {"a": 1}}
    kept = "States 1 and 2 lead only to each other: they are dead and still there."
    judge_trim(constrain, edges, {3}, forms.dfa({0: {"b": 1}}, {1}), kept)


def test_trim__unreachable_states(constrain: Any) -> None:
    edges = {0: {"b": 3}, 1: {"a": 3}, 2: {"a": 1}}
    kept = "No string leads from state 0 to the states 1 and 2; they are still there."
    judge_trim(constrain, edges, {3}, forms.dfa({0: {"b": 1}}, {1}), kept)


def test_trim__nothing_to_remove(constrain: Any) -> None:
    removed = "Every state here is live and reachable, and some are gone."
    expected = forms.dfa(RAW_ABB, {4})
    judge_trim(constrain, RAW_ABB, {4}, expected, removed)


def test_trim__a_dead_start_is_refused(constrain: Any) -> None:
    for edges, accept in (
        ({0: {"a": 1}}, set[int]()),
        ({0: {"a": 1}, 2: {"b": 0}}, {2}),
    ):
        dfa = machine(constrain, edges, accept)
        refuses(
            lambda dfa=dfa: constrain.trim(dfa),
            kind="empty",
            input=call("trim", edges, accept),
            cause="No accepting state can be reached from state 0: no string matches.",
        )


# --- refine


def judge_refine(
    constrain: Any,
    edges: Edges,
    accept: set[int],
    blocks: list[int],
    expected: list[int],
    causes: Mapping[tuple[int, ...], str] | None = None,
) -> None:
    """Compare one round; `causes` says what a wrong answer that we know betrays."""

    def cause(yours: Any) -> str:
        known = (causes or {}).get(tuple(yours), "")
        if known:
            return known
        pairs = set(zip(yours, expected, strict=True))
        if len(pairs) == len(set(yours)) == len(set(expected)):
            return "The blocks are right; number them as their first states come."
        return ""

    dfa = machine(constrain, edges, accept)
    yours = as_list(constrain.refine(dfa, np.array(blocks)))
    input = call("refine", edges, accept, f", blocks={blocks}")
    equal(yours, expected, input=input, cause=cause)


ALL_ROUNDS = "This is the end of all rounds; refine does one of them."
NO_ROUND = "Nothing was split, although some byte leads two states to different blocks."


def test_refine(constrain: Any) -> None:
    causes = {(0, 1, 2, 3, 4): ALL_ROUNDS, (0, 0, 0, 0, 1): NO_ROUND}
    judge_refine(constrain, FOUR, {4}, [0, 0, 0, 0, 1], [0, 0, 0, 1, 2], causes)


def test_refine__what_was_apart_stays_apart(constrain: Any) -> None:
    edges = {0: {"a": 1}, 1: {"a": 1}}
    merged = "Both states have the same row, but they were in different blocks before."
    judge_refine(constrain, edges, {1}, [0, 1], [0, 1], {(0, 0): merged})


def test_refine__the_next_round(constrain: Any) -> None:
    causes = {(0, 1, 0, 2, 3): ALL_ROUNDS, (0, 0, 0, 0, 1): NO_ROUND}
    judge_refine(constrain, RAW_ABB, {4}, [0, 0, 0, 0, 1], [0, 0, 0, 1, 2], causes)
    judge_refine(constrain, RAW_ABB, {4}, [0, 0, 0, 1, 2], [0, 1, 0, 2, 3])
    judge_refine(constrain, RAW_ABB, {4}, [0, 1, 0, 2, 3], [0, 1, 0, 2, 3])


def test_refine__dead_is_a_block_of_its_own(constrain: Any) -> None:
    edges = {0: {"a": 1}, 1: {"a": 2}}
    index = (
        "States 1 and 2 differ: a leads from 1 on and from 2 nowhere. DEAD is -1, and "
        "blocks[-1] is the last state's block."
    )
    accept, blocks = {0, 1, 2}, [0, 0, 0]
    judge_refine(constrain, edges, accept, blocks, [0, 0, 1], {(0, 0, 0): index})


def test_refine__every_byte_counts(constrain: Any) -> None:
    edges = {0: {"\x00": 1, "\xff": 2}, 1: {"\x00": 3, "a": 3}, 2: {"a": 3, "\xff": 3}}
    blocks = [0, 0, 0, 1]
    judge_refine(constrain, edges, {3}, blocks, [0, 1, 2, 3])


def test_refine__numbers_follow_the_first_state(constrain: Any) -> None:
    edges = {0: {"a": 1}, 1: {"a": 2}, 2: {"b": 0}}
    judge_refine(constrain, edges, {0}, [1, 0, 0], [0, 1, 2])


# --- minimize


def judge_minimize(
    constrain: Any, edges: Edges, accept: set[int], expected: forms.Dfa, cause: Any = ""
) -> None:
    yours = constrain.minimize(machine(constrain, edges, accept))
    input = call("minimize", edges, accept)
    same_language(yours, expected, input=input, cause=cause)
    if int(yours.n_states) != expected.n_states:
        same_dfa(yours, expected, input=input)  # says which two states are alike


def stopped_early(expected: int) -> Any:
    def cause(yours: Any) -> str:
        if yours.n_states >= expected:
            return ""
        return (
            f"{yours.n_states} states are too few: a longer string tells some of the "
            "merged ones apart. Refine until a round splits nothing."
        )

    return cause


def test_minimize(constrain: Any) -> None:
    judge_minimize(constrain, FOUR, {4}, forms.dfa(FOUR, {4}), stopped_early(5))


def test_minimize__alike_states_become_one(constrain: Any) -> None:
    judge_minimize(constrain, RAW_ABB, {4}, forms.dfa(ABB, {3}), stopped_early(4))


def test_minimize__merged_states_still_accept(constrain: Any) -> None:
    def cause(yours: Any) -> str:
        if sum(map(bool, yours.accept)) < 2:
            return "A block of accepting states is an accepting state."
        return ""

    expected = forms.dfa(PETS, {5, 6})
    judge_minimize(constrain, RAW_PETS, {5, 6, 7, 8}, expected, cause)


def test_minimize__all_accept_and_differ(constrain: Any) -> None:
    edges = {0: {"a": 1}, 1: {"a": 2}}
    judge_minimize(constrain, edges, {0, 1, 2}, forms.dfa(edges, {0, 1, 2}))


def test_minimize__down_to_one_state(constrain: Any) -> None:
    edges = {0: {"ab": 1}, 1: {"ab": 2}, 2: {"ab": 0}}
    judge_minimize(constrain, edges, {0, 1, 2}, forms.dfa({0: {"ab": 0}}, {0}))


# --- number_breadth_first


def judge_numbers(
    constrain: Any,
    edges: Edges,
    accept: set[int],
    expected: forms.Dfa,
    cause: Any = "",
) -> None:
    yours = constrain.number_breadth_first(machine(constrain, edges, accept))
    input = call("number_breadth_first", edges, accept)
    same_dfa(yours, expected, input=input, cause=cause)


DEPTH_FIRST = "That is depth-first: go on with the state that has waited longest."
# What the start and the states after c, ca, d, do, dog, dogs are called instead of
# 0, 1, 3, 2, 4, 5, 6
WRONG_NUMBERS = {
    (0, 4, 1, 6, 3, 5, 2): "These are still the old numbers.",
    (0, 1, 2, 5, 6, 3, 4): DEPTH_FIRST,
    (0, 5, 6, 1, 2, 3, 4): DEPTH_FIRST,
    (0, 1, 6, 2, 3, 4, 5): DEPTH_FIRST,
    (0, 6, 4, 5, 3, 2, 1): "The order is right, but its last state has the number 1.",
    (6, 5, 3, 4, 2, 1, 0): "The order is right, but the start has to be state 0.",
    (
        0,
        2,
        4,
        1,
        3,
        5,
        6,
    ): "A state's bytes are looked at from 0 to 255, not downwards.",
}


def wrong_numbers(yours: Any) -> str:
    """Name the order in which the seven states of (cat|car|dog)s? were numbered."""
    for numbers, cause in WRONG_NUMBERS.items():
        start, c, a, d, o, word, plural = numbers
        edges = {
            start: {"c": c, "d": d},
            c: {"a": a},
            a: {"rt": word},
            d: {"o": o},
            o: {"g": word},
            word: {"s": plural},
        }
        if same_table(yours, edges, {word, plural}):
            return cause
    return ""


def test_number_breadth_first(constrain: Any) -> None:
    expected = forms.dfa(PETS, {5, 6})
    judge_numbers(constrain, SHUFFLED_PETS, {5, 2}, expected, wrong_numbers)


def test_number_breadth_first__bytes_in_order(constrain: Any) -> None:
    edges = {0: {"a": 2, "b": 1}, 1: {"\xff": 4, "\x00": 3}}
    expected = forms.dfa({0: {"a": 1, "b": 2}, 2: {"\x00": 3, "\xff": 4}}, {1, 3})
    judge_numbers(constrain, edges, {2, 3}, expected)


def test_number_breadth_first__a_loop_to_the_start(constrain: Any) -> None:
    edges = {0: {"a": 0, "b": 2}, 2: {"a": 1, "b": 2}, 1: {"a": 0}}
    expected = forms.dfa({0: {"a": 0, "b": 1}, 1: {"a": 2, "b": 1}, 2: {"a": 0}}, {2})
    judge_numbers(constrain, edges, {1}, expected)


def test_number_breadth_first__unreachable_states_get_none(constrain: Any) -> None:
    edges = {0: {"a": 2}, 1: {"a": 2}}
    judge_numbers(constrain, edges, {2}, forms.dfa({0: {"a": 1}}, {1}))


# --- regex_to_dfa


def judge_pattern(constrain: Any, pattern: str, edges: Edges, accept: set[int]) -> None:
    expected = forms.dfa(edges, accept)
    same_dfa(
        constrain.regex_to_dfa(pattern), expected, input=f"regex_to_dfa({pattern!r})"
    )


def test_regex_to_dfa(constrain: Any) -> None:
    judge_pattern(constrain, "ab?", {0: {"a": 1}, 1: {"b": 2}}, {1, 2})


def test_regex_to_dfa__small_machines(constrain: Any) -> None:
    judge_pattern(constrain, "", {}, {0})
    judge_pattern(constrain, "a{4}", FOUR, {4})
    judge_pattern(constrain, "(a|b)*abb", ABB, {3})
    judge_pattern(constrain, r"b|a[^\s\S]", {0: {"b": 1}}, {1})


def test_regex_to_dfa__one_language_one_table(constrain: Any) -> None:
    for patterns, edges, accept in (
        (("a|b", "[ab]"), {0: {"ab": 1}}, {1}),
        (("aa*", "a+"), {0: {"a": 1}, 1: {"a": 1}}, {1}),
        (("a?a?", "a{0,2}"), {0: {"a": 1}, 1: {"a": 2}}, {0, 1, 2}),
        (("(?:ab|ac)", "a[bc]"), {0: {"a": 1}, 1: {"bc": 2}}, {2}),
        (("(a*)*", "a*"), {0: {"a": 0}}, {0}),
    ):
        for pattern in patterns:
            judge_pattern(constrain, pattern, edges, accept)


def test_regex_to_dfa__refusals(constrain: Any) -> None:
    for pattern, kind in ((r"a[^\s\S]", "empty"), ("a{2,1}", "count")):
        refuses(
            lambda pattern=pattern: constrain.regex_to_dfa(pattern),
            kind=kind,
            input=f"regex_to_dfa({pattern!r})",
        )


# --- the chapter's worked example


def test_hand_example_dfa(constrain: Any) -> None:
    judge_pattern(constrain, "(cat|car|dog)s?", PETS, {5, 6})


def test_hand_example_dfa__step(constrain: Any) -> None:
    dfa = constrain.regex_to_dfa("(cat|car|dog)s?")
    for state, data, expected in (
        (0, b"", 0),
        (0, b"ca", 3),
        (0, b"dog", 5),
        (3, b"ts", 6),
        (0, b"cow", forms.DEAD),
        (6, b"s", forms.DEAD),
        (forms.DEAD, b"cat", forms.DEAD),
    ):
        after = int(dfa.step(state, data))
        equal(after, expected, input=f"dfa.step({state}, {data!r})")


def test_hand_example_dfa__matches(constrain: Any) -> None:
    dfa = constrain.regex_to_dfa("(cat|car|dog)s?")
    for data in (b"cat", b"car", b"dog", b"cats", b"cars", b"dogs"):
        equal(bool(dfa.matches(data)), True, input=f"dfa.matches({data!r})")
    for data in (b"", b"ca", b"cow", b"catss", b"scat", b"cat\xff"):
        equal(bool(dfa.matches(data)), False, input=f"dfa.matches({data!r})")


# --- everyday_patterns


def judge_everyday(
    constrain: Any, key: str, yes: Iterable[str], no: Iterable[str], rule: str
) -> None:
    pattern = constrain.everyday_patterns()[key]
    dfa = constrain.regex_to_dfa(pattern)
    accepts(dfa, yes=yes, no=no, input=f"everyday_patterns()[{key!r}]", cause=rule)


def test_everyday_patterns(constrain: Any) -> None:
    keys = sorted(constrain.everyday_patterns())
    expected = ["date", "email", "ipv4", "uuid"]
    equal(keys, expected, input="sorted(everyday_patterns())")


def test_everyday_patterns__date(constrain: Any) -> None:
    judge_everyday(
        constrain,
        "date",
        yes=("2024-02-29", "2023-02-31", "0000-01-01", "9999-12-31", "1999-11-20"),
        no=(
            "", "2024", "2024-2-9", "24-02-29", "12024-02-29", "2024-00-10",
            "2024-13-01", "2024-19-01", "2024-01-00", "2024-01-32", "2024-01-40",
            "2024/01/01", "20240101", "2024-01-01 ", "2024-01-011",
        ),
        rule="Four digits, a month 01 to 12, a day 01 to 31, joined by '-'.",
    )  # fmt: skip


def test_everyday_patterns__ipv4(constrain: Any) -> None:
    numbers = [f"10.0.{number}.1" for number in range(256)]
    last = [f"10.0.0.{number}" for number in range(256)]
    judge_everyday(
        constrain,
        "ipv4",
        yes=("0.0.0.0", "255.255.255.255", "192.168.1.10", *numbers, *last),
        no=(
            "", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1",
            "1.1.1.256", "1.1.1.260", "1.1.300.1", "1.1.1.999", "1.1.1.1000",
            "01.1.1.1", "1.1.1.00", "1.1.1.001", "1a2b3c4", "1,2,3,4", "1.2.3.-4",
        ),
        rule="Four numbers 0 to 255 without leading zeros, joined by '.'.",
    )  # fmt: skip


def test_everyday_patterns__uuid(constrain: Any) -> None:
    right = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"
    judge_everyday(
        constrain,
        "uuid",
        yes=(right, right.upper(), "0" * 8 + "-0000" * 3 + "-" + "F" * 12),
        no=(
            "", right[:-1], right + "0", right.replace("-", ""), "{" + right + "}",
            right.replace("3f", "3g"), right.replace("-", " "), "-" + right[1:],
            right[:8] + right[9:12] + "-" + right[12:],
        ),
        rule="Hexadecimal digits of either case in groups of 8, 4, 4, 4, 12.",
    )  # fmt: skip


def test_everyday_patterns__email(constrain: Any) -> None:
    judge_everyday(
        constrain,
        "email",
        yes=(
            "a@b.io", "jean.dupont+news@mail.example.org", "x_1%y-z@a-b.c-d.museum",
            "A.B.C@EXAMPLE.COM", "1@2.3.de", "-@x--y.fr", "a@b.c.d.ef", "%@a.bc",
        ),
        no=(
            "", "a", "@b.io", "a@", "a@b", "a@b.i", "a@.io", "a@b..io", "a@b.io.",
            ".a@b.io", "a.@b.io", "a..b@b.io", "a b@c.io", "a@b@c.io", "a@-b.io",
            "a@b-.io", "a@b.i1", "a@b.c-d", "a@b_c.io", "a@b.io ", "a(b)@c.io",
            "axb.io", "a@bxio", "a@b.-c.io", "a@b+c.io",
        ),
        rule="Atoms joined by single dots, '@', labels that each end in a dot, then "
        "two or more letters.",
    )  # fmt: skip
