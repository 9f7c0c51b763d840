"""Graded tests of the mini course's notebook 01."""

from typing import Any

from ol.expect import equal


def test_double(constrain: Any) -> None:
    equal(constrain.double(2), 4, input="double(2)", cause=_unchanged)


def test_double__of_a_negative(constrain: Any) -> None:
    equal(constrain.double(-3), -6, input="double(-3)")


def _unchanged(yours: Any) -> str:
    return "It comes back as it was." if yours == 2 else ""


def test_total(constrain: Any) -> None:
    equal(constrain.total([1, 2]), 6, input="total([1, 2])")
    equal(constrain.total([]), 0, input="total([])")
