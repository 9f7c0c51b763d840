"""Judges notebook 03: walking a table, byte classes, the subset construction.

Input machines are written by hand where numbers matter, else built by the steps before.
A constructed DFA is judged by language and by its number of states, which is fixed
because the construction keeps whole closures; how its states are numbered is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import automata, forms
from ol.expect import accepts, equal, refuses, same_language
from ol.hand import ABB, FOUR, PETS, Edges

# a row of `b` and `c` behind the rest, so that trans[-1] leads somewhere
TRAP: Edges = {0: {"a": 1}, 1: {"b": 2}, 2: {"abc": 0}}
TRAP_WORDS = "0 a→1, 1 b→2, 2 [abc]→0; accepting: 2"


def trap(constrain: Any) -> Any:
    table = forms.dfa(TRAP, accept={2})
    return constrain.Dfa(table.n_states, table.accept, table.trans)


# --- dfa_step


def answer(call: Callable[[], Any]) -> Any:
    """Return what a call returns, or the refusal where none is due."""
    try:
        return call()
    except ValueError as error:
        if not hasattr(error, "kind"):
            raise
        return error


def judge_step(constrain: Any, state: int, data: bytes, expected: int) -> None:
    def cause(yours: Any) -> str:
        if isinstance(yours, ValueError):
            return "DEAD, which is -1, may be asked like any other state."
        if expected == forms.DEAD:
            return (
                "From DEAD there is nowhere to go. An index of -1 is numpy's last row, "
                "so ask before you look it up."
            )
        if yours == forms.DEAD:
            return "Without data the answer is the state that was given."
        return "One entry of the table per byte: row `state`, column `byte`."

    equal(
        answer(lambda: constrain.dfa_step(trap(constrain), state, data)),
        expected,
        input=f"dfa_step(dfa, {state}, {data!r}) with edges {TRAP_WORDS}",
        cause=cause,
    )


def test_dfa_step(constrain: Any) -> None:
    judge_step(constrain, 0, b"a", 1)
    judge_step(constrain, 0, b"ab", 2)
    judge_step(constrain, 1, b"bca", 1)
    judge_step(constrain, 2, b"", 2)


def test_dfa_step__dead(constrain: Any) -> None:
    judge_step(constrain, 0, b"x", forms.DEAD)
    judge_step(constrain, 0, b"xa", forms.DEAD)
    judge_step(constrain, 1, b"ac", forms.DEAD)
    judge_step(constrain, forms.DEAD, b"a", forms.DEAD)
    judge_step(constrain, forms.DEAD, b"", forms.DEAD)
    judge_step(constrain, 0, b"\xff", forms.DEAD)


def test_dfa_step__no_such_state(constrain: Any) -> None:
    dfa = trap(constrain)
    for state, data in ((-2, b"a"), (3, b""), (3, b"a"), (-2, b""), (256, b"ab")):
        refuses(
            lambda state=state, data=data: constrain.dfa_step(dfa, state, data),
            kind="state",
            input=f"dfa_step(dfa, {state}, {data!r}) of a dfa with 3 states",
            cause="Ask before the loop: states are -1 (DEAD) and 0 to n_states - 1.",
        )


def test_dfa_step__as_a_method(constrain: Any) -> None:
    equal(
        trap(constrain).step(0, b"abca"),
        1,
        input=f"dfa.step(0, b'abca') with edges {TRAP_WORDS}",
    )


# --- dfa_matches


def test_dfa_matches(constrain: Any) -> None:
    def cause(yours: Any) -> str:
        if yours is True:
            return "DEAD accepts nothing; an index of -1 is numpy's last entry."
        return "The state after the last byte decides."

    for data, expected in (
        (b"ab", True),
        (b"abaab", True),
        (b"", False),
        (b"a", False),
        (b"aba", False),
        (b"x", False),
        (b"abx", True),
        (b"aa", False),
    ):
        table = forms.dfa({0: {"a": 1}, 1: {"b": 2}, 2: {"a": 0, "x": 2}}, {2})
        equal(
            constrain.dfa_matches(
                constrain.Dfa(table.n_states, table.accept, table.trans), data
            ),
            expected,
            input=f"dfa_matches(dfa, {data!r}) with edges 0 a→1, 1 b→2, 2 a→0, 2 x→2; "
            "accepting: 2",
            cause=cause,
        )


def test_dfa_matches__the_empty_string(constrain: Any) -> None:
    table = forms.dfa({0: {"a": 0}}, {0})
    dfa = constrain.Dfa(table.n_states, table.accept, table.trans)
    equal(
        constrain.dfa_matches(dfa, b""),
        True,
        input="dfa_matches(dfa, b'') with the edge 0 a→0; accepting: 0",
        cause="The walk over nothing ends where it starts.",
    )


# --- byte_classes


def reading(constrain: Any, *rows: list[str]) -> Any:
    """Return an NFA in which state q has one edge to state q + 1 per text."""
    edges = tuple(
        tuple((frozenset(text.encode("latin-1")), q + 1) for text in row)
        for q, row in enumerate(rows)
    )
    count = len(rows) + 1
    return constrain.Nfa(0, count - 1, (*edges, ()), ((),) * count)


def classes_by_hand(groups: Mapping[str, int]) -> NDArray[np.uint8]:
    """Return the class of each byte; every byte that is not named is in class 0."""
    classes = np.zeros(256, dtype=np.uint8)
    for text, number in groups.items():
        classes[list(text.encode("latin-1"))] = number
    return classes


def judge_classes(
    constrain: Any, rows: list[list[str]], groups: Mapping[str, int], cause: str
) -> None:
    """Compare the bytes that are named first: short to read; then all 256."""
    yours = constrain.byte_classes(reading(constrain, *rows))
    right = classes_by_hand(groups)
    texts = [text for row in rows for text in row]
    sets = [repr(text if len(text) < 12 else f"{text[:3]}…") for text in texts]
    asked = f"byte_classes(nfa) whose edges read the sets {', '.join(sets) or 'none'}"

    def better_cause(_: Any) -> str:
        pairs = {*zip(yours.tolist(), right.tolist(), strict=True)}
        if len(pairs) == len({*right.tolist()}) == len({*yours.tolist()}):
            return "The groups are right. Number them by their first bytes, from 0."
        return cause

    if isinstance(yours, np.ndarray) and yours.shape == (256,):
        letters = "".join(text[:3] for text in groups)[:8]
        named = sorted({0, 255, *letters.encode("latin-1")})
        equal(
            {bytes([byte]): int(yours[byte]) for byte in named},
            {bytes([byte]): int(right[byte]) for byte in named},
            input=f"{asked}; the class of each of these bytes",
            cause=better_cause,
        )
    as_array = "Return an array: np.array(…, dtype=np.uint8)."
    equal(yours, right, input=asked, cause=as_array)


def test_byte_classes(constrain: Any) -> None:
    judge_classes(
        constrain,
        [["a"]],
        {"a": 1},
        "The edge takes `a` and no other byte: two classes.",
    )
    judge_classes(
        constrain,
        [["a"], ["b"]],
        {"a": 1, "b": 2},
        "One edge takes `a` and not `b`, so they differ. Compare which edges take a "
        "byte, not how many; and look at the edges of every state.",
    )
    judge_classes(
        constrain,
        [["abc"]],
        {"abc": 1},
        "No edge tells `a`, `b` and `c` apart, so they share a class.",
    )


def test_byte_classes__overlapping(constrain: Any) -> None:
    judge_classes(
        constrain,
        [["abc", "bcd"], ["cx"]],
        {"a": 1, "b": 2, "c": 3, "d": 4, "x": 5},
        "Sets that overlap split each other: `b` is taken by both of two edges, `a` by "
        "one of them. A byte's class depends on all edges that take it.",
    )
    judge_classes(
        constrain,
        [["abc"], ["a", "abc"], ["bc"]],
        {"a": 1, "bc": 2},
        "No edge takes `b` without `c`. The same set on two edges splits nothing.",
    )


def test_byte_classes__numbers(constrain: Any) -> None:
    rest = "".join(map(chr, range(256))).replace("z", "").replace("b", "")
    judge_classes(
        constrain,
        [["z"], ["b"]],
        {"b": 1, "z": 2},
        "Numbers go by first byte: `b` comes before `z`, wherever their edges are.",
    )
    judge_classes(
        constrain,
        [["\0"], ["a"]],
        {"\0": 0, "".join(map(chr, range(1, 256))).replace("a", ""): 1, "a": 2},
        "Class 0 is the class of byte 0, whether an edge takes it or not.",
    )
    judge_classes(
        constrain,
        [[rest], ["\x80\xff"]],
        {"bz": 1, "\x80\xff": 2},
        "All 256 bytes have a class, those from 128 up, too.",
    )


def test_byte_classes__extremes(constrain: Any) -> None:
    judge_classes(constrain, [[]], {}, "Without edges all bytes are alike: class 0.")
    judge_classes(constrain, [["", "a"]], {"a": 1}, "An empty set tells nothing apart.")
    singles = [[chr(byte) for byte in range(256)]]
    yours = constrain.byte_classes(reading(constrain, *singles))
    equal(
        np.asarray(yours).tolist(),
        list(range(256)),
        input="byte_classes(nfa) with one edge for each of the 256 bytes",
        cause="There may be 256 classes, 0 to 255; uint8 holds them all.",
    )
    equal(
        str(getattr(yours, "dtype", type(yours).__name__)),
        "uint8",
        input="byte_classes(nfa).dtype",
        cause="Return an array: np.array(…, dtype=np.uint8).",
    )


# --- subset_row


def crossing(constrain: Any) -> Any:
    """Return an NFA of two guesses with ε behind its byte edges; it accepts in 3."""
    a, b, ab = frozenset(b"a"), frozenset(b"b"), frozenset(b"ab")
    edges = (((a, 1), (ab, 2)), ((b, 3),), ((a, 2),), (), ())
    return constrain.Nfa(0, 3, edges, ((), (4,), (), (), (0,)))


CROSSING_WORDS = "0 a→1, 0 [ab]→2, 1 b→3, 2 a→2, 1 ε→4, 4 ε→0"


def judge_row(constrain: Any, states: set[int], expected: list[set[int]]) -> None:
    def cause(yours: Any) -> str:
        if not isinstance(yours, list) or len(yours) != len(expected):
            return "A list with one set per class: class 0, all other bytes, included."
        if any(got < right for got, right in zip(yours, expected, strict=True)):
            return "After the byte come free steps: take the closure of each move."
        return "Each entry starts from the same set, `states`."

    classes = classes_by_hand({"a": 1, "b": 2})
    equal(
        constrain.subset_row(crossing(constrain), frozenset(states), classes),
        [frozenset(target) for target in expected],
        input=f"subset_row(nfa, {states}, classes) with edges {CROSSING_WORDS}; "
        "classes: others 0, a 1, b 2",
        cause=cause,
    )


def test_subset_row(constrain: Any) -> None:
    judge_row(constrain, {0}, [set(), {0, 1, 2, 4}, {2}])
    judge_row(constrain, {2}, [set(), {2}, set()])
    judge_row(constrain, {0, 1, 4}, [set(), {0, 1, 2, 4}, {2, 3}])
    judge_row(constrain, {0, 1, 2, 4}, [set(), {0, 1, 2, 4}, {2, 3}])
    judge_row(constrain, {3}, [set(), set(), set()])


def test_subset_row__whatever_the_classes(constrain: Any) -> None:
    classes = np.arange(256, dtype=np.uint8)
    row = constrain.subset_row(crossing(constrain), frozenset({0}), classes)
    equal(
        [len(row), *(sorted(row[byte]) for byte in b"abc")],
        [256, [0, 1, 2, 4], [2], []],
        input=f"subset_row(nfa, {{0}}, np.arange(256)) with edges {CROSSING_WORDS}; "
        "its length and its sets for a, b, c",
        cause="The classes are given: one entry for each of them, in their order.",
    )
    nobody = np.zeros(256, dtype=np.uint8)
    row = constrain.subset_row(crossing(constrain), frozenset({0}), nobody)
    equal(
        row,
        [frozenset()],
        input=f"subset_row(nfa, {{0}}, np.zeros(256)) with edges {CROSSING_WORDS}",
        cause="A class is asked by its first byte, here byte 0.",
    )


# --- subset_construction

# pattern: (edges by hand, accepting, raw states with whole closures)
RAW: dict[str, tuple[Edges, set[int], int]] = {
    "ab?": ({0: {"a": 1}, 1: {"b": 2}}, {1, 2}, 3),
    "a{4}": (FOUR, {4}, 5),
    "(a|b)*abb": (ABB, {3}, 5),
    "(cat|car|dog)s?": (PETS, {5, 6}, 9),
    "a*": ({0: {"a": 0}}, {0}, 2),
    "": ({0: {}}, {0}, 1),
    "[a-c]x|[b-d]y": ({0: {"a": 1, "bc": 2, "d": 3}, 1: {"x": 4}, 2: {"xy": 4},
                       3: {"y": 4}}, {4}, 6),
}  # fmt: skip


def construct(constrain: Any, pattern: str, limit: int = 50_000) -> Any:
    nfa = constrain.thompson(constrain.parse(pattern))
    return constrain.subset_construction(nfa, constrain.byte_classes(nfa), limit)


def asked(pattern: str, limit: str = "50_000") -> str:
    return f"subset_construction(nfa of {pattern!r}, its byte classes, {limit})"


def usual_causes(yours: Any) -> str:
    """Say what mistakes are easy to see; else leave the cause to the comparison."""
    flags = np.asarray(yours.accept)
    if (np.asarray(yours.trans)[0] == forms.DEAD).all():
        return "State 0 is the closure of the NFA's start, not the start alone."
    if len(flags) > 1 and flags.all():
        return "A set accepts only if the NFA's accepting state is one of its members."
    return ""


def test_subset_construction(constrain: Any) -> None:
    for pattern, (edges, accept, _) in RAW.items():
        same_language(
            construct(constrain, pattern),
            forms.dfa(edges, accept),
            input=asked(pattern),
            cause=usual_causes,
        )


def test_subset_construction__sets(constrain: Any) -> None:
    for pattern, (_, _, n_states) in RAW.items():
        yours = construct(constrain, pattern)

        def cause(count: Any, yours: Any = yours, right: int = n_states) -> str:
            if count == right + 1 and len(automata.dead_states(yours)) == 1:
                return "The empty set has become a state; its number is DEAD."
            if count > right:
                return "The same set has several numbers: look it up before you add it."
            return "Two different sets share a state: keep whole closures as they are."

        equal(
            yours.n_states,
            n_states,
            input=f"{asked(pattern)}.n_states",
            cause=cause,
        )


def test_subset_construction__dead_ends(constrain: Any) -> None:
    pattern = r"b|a[^\s\S]"
    yours = construct(constrain, pattern)
    accepts(yours, yes=["b"], no=["", "a", "ab"], input=asked(pattern))
    equal(
        yours.n_states,
        3,
        input=f"{asked(pattern)}.n_states",
        cause="After `a` the set is not empty, so it is a state; that it leads nowhere "
        "is for notebook 04.",
    )


def test_subset_construction__arrays(constrain: Any) -> None:
    yours = construct(constrain, "ab?")
    equal(
        [str(np.asarray(yours.trans).dtype), str(np.asarray(yours.accept).dtype)],
        ["int32", "bool"],
        input=f"the number types of trans and accept of {asked('ab?')}",
        cause="`table_by_byte` makes the one, np.array of True and False the other.",
    )


def test_subset_construction__classes_are_given(constrain: Any) -> None:
    nfa = constrain.thompson(constrain.parse("(a|b)*abb"))
    yours = constrain.subset_construction(nfa, np.arange(256, dtype=np.uint8), 50_000)
    same_language(
        yours,
        forms.dfa(ABB, {3}),
        input="subset_construction(nfa of '(a|b)*abb', np.arange(256), 50_000)",
        cause="The classes are an argument: do not work them out anew.",
    )


def test_subset_construction__limit(constrain: Any) -> None:
    for pattern, n_states in (("(cat|car|dog)s?", 9), ("a{4}", 5), ("a", 2)):
        equal(
            answer(lambda p=pattern, n=n_states: construct(constrain, p, n).n_states),
            n_states,
            input=f"{asked(pattern, str(n_states))}.n_states",
            cause="Exactly `limit` states are allowed; the empty set is none of them.",
        )
        refuses(
            lambda pattern=pattern, n=n_states: construct(constrain, pattern, n - 1),
            kind="size",
            input=asked(pattern, str(n_states - 1)),
            cause=f"{n_states} states are more than {n_states - 1}.",
        )


def test_subset_construction__refuses_while_building(constrain: Any) -> None:
    pattern = "(a|b)*a(a|b){30}"
    refuses(
        lambda: construct(constrain, pattern, limit=100),
        kind="size",
        input=asked(pattern, "100"),
        cause="All its sets would take years: count the states as they come.",
    )
