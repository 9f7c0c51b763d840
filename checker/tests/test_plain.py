"""Values as plain data: what is equal, how it is shown, where two part."""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from typing import Any

import numpy as np
import pytest

from ol import forms
from ol.plain import first_difference, plain, show

Mine = make_dataclass("Bytes", ["values"], frozen=True)  # as a learner's own class
Other = make_dataclass("Bites", ["values"])
More = make_dataclass("Bytes", ["values", "rest"])


class Liar(int):
    """Equal to everything, a 4 to look at."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 4

    def __repr__(self) -> str:
        return "4"


class Array(np.ndarray):
    """An array whose shape is what you like."""

    shape = property(lambda self: Liar())  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (1, 1),
        (float("nan"), float("nan")),
        (np.int32(3), 3),
        (np.bool_(True), True),
        (np.array([1, 2], np.int32), np.array([1, 2], np.int64)),
        ({1, 2}, {2, 1}),
        ({1, 2}, frozenset([1, 2])),
        (Mine(frozenset([97])), forms.Bytes(frozenset([97]))),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ([(1, "x"), None], [(1, "x"), None]),
    ],
)
def test_equal(one: object, two: object) -> None:
    assert plain(one) == plain(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (True, 1),
        (1, 1.0),
        (0.0, -0.0),
        ("a", b"a"),
        ([1], (1,)),
        ({1}, [1]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),  # JSON keeps the order
        (np.array([1, 2]), np.array([[1, 2]])),
        (np.array([1]), [1]),
        (Mine(1), Other(1)),
        (Mine(1), More(1, None)),
        (Mine([1]), Mine((1,))),
        (Liar(4), 4),
        ([Liar(4)], [4]),
        (Mine(Liar()), Mine(4)),
        (np.zeros(2).view(Array), np.zeros(3)),
        (object(), object()),
        (Mine, Mine(1)),
    ],
)
def test_different(one: object, two: object) -> None:
    assert plain(one) != plain(two)
    assert plain(two) != plain(one)


def test_what_is_too_deep_is_equal_to_nothing_else() -> None:
    def nest(leaf: int) -> list[Any]:
        value: list[Any] = [leaf]
        for _ in range(300):
            value = [value]
        return value

    loop: list[Any] = []
    loop.append(loop)
    assert plain(nest(1)) != plain(nest(2))
    assert plain(loop) == plain(loop)
    assert show(loop).startswith("[[[")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({10, 9, 2}, "{2, 9, 10}"),
        ({"b", "a"}, "{'a', 'b'}"),
        (frozenset(), "∅ (the empty set)"),
        (np.int32(3), "3"),
        ([np.int64(1), np.bool_(True)], "[1, True]"),
        ((1,), "(1,)"),
        ({"k": {3, 1}}, "{'k': {1, 3}}"),
        (np.array([1, 2]), "array([1, 2])"),
        (np.zeros((1000, 2)), "array(1000, 2)"),
        (forms.Bytes(frozenset([98, 97])), "Bytes(values={97, 98})"),
    ],
)
def test_show(value: object, text: str) -> None:
    assert show(value) == text


class Raises:
    """Cannot be shown."""

    def __repr__(self) -> str:
        raise ValueError

    def __hash__(self) -> int:
        return 0


def test_show_survives_any_repr() -> None:
    assert show(Raises()) == "<Raises>"
    assert "<Raises>" in show({Raises(), 1})
    assert show([Raises()]) == "[<Raises>]"


@dataclass(frozen=True)
class Node:
    """A tree."""

    parts: tuple[Any, ...]
    name: str = ""


@pytest.mark.parametrize(
    ("mine", "right", "text"),
    [
        (5, 4, "5 instead of 4"),
        (True, 1, "True instead of 1"),
        ([1, 2, 3], [1, 9, 3], "at [1]: 2 instead of 9"),
        ([1], [1, 2], "1 items instead of 2"),
        ([[1], [2]], [[1], [3]], "at [1][0]: 2 instead of 3"),
        ({1, 2}, {2, 3}, "missing: 3; too much: 1"),
        ({"a": 1}, {"a": 2}, "at ['a']: 1 instead of 2"),
        ({"a": 1}, {"b": 1}, "at the keys: 'a' instead of 'b'"),
        (np.array([1, 2]), np.array([1, 3]), "at [1]: 2 instead of 3"),
        (np.zeros(2), np.zeros((2, 1)), "shape (2,) instead of (2, 1)"),
        (Node((1,)), Node((2,)), "at parts[0]: 1 instead of 2"),
        (
            Node((Node((), "x"),)),
            Node((Node((), "y"),)),
            "at parts[0].name: 'x' instead of 'y'",
        ),
        (None, [1], "None instead of list of 1"),
        (Node(()), (), "Node(…) instead of tuple of 0"),
    ],
)
def test_first_difference(mine: object, right: object, text: str) -> None:
    assert first_difference(plain(mine), plain(right)) == text
