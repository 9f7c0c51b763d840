"""Graded tests of the mini course's notebook 02."""

from dataclasses import dataclass
from typing import Any

from ol.expect import equal


@dataclass
class Pair:
    """The judge's own form of a Pair."""

    word: str
    number: int


def test_shout(constrain: Any) -> None:
    equal(constrain.shout("ab"), "AB", input="shout('ab')")


def test_pair_of(constrain: Any) -> None:
    equal(constrain.pair_of("ab"), Pair("AB", 4), input="pair_of('ab')")


def test_whole_chain(constrain: Any) -> None:
    doubled = constrain.pair_of("abc").doubled()
    equal(doubled, Pair("ABC", 12), input="pair_of('abc').doubled()")
    equal(constrain.total([1]), 2, input="total([1])")
