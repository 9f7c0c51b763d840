"""What a test was asking when the code did not come back: `ol.asked`."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from mini_course import MiniCourse
from ol import asked
from ol.graded import graded_functions

HEAD = """
from ol.expect import equal, refuses

def answers(call, right, *, input):
    try:
        yours = call()
    except KeyError:
        return
    equal(yours, right, input=input)

"""

CASES = {
    "in the call": ("equal(constrain.f(1), 1, input='f(1)')", "f(1)"),
    "in a loop": (
        "for n in (1, 2):\n    equal(constrain.f(n), n, input=f'f({n})')",
        "f(1)",
    ),
    "over lines": (
        "equal(\n    constrain.f(\n        1,\n    ),\n    1,\n    input='f(1)',\n)",
        "f(1)",
    ),
    "before it": (
        "mine = constrain.f(1)\nequal(mine, 1, input='f(1)')\n"
        "equal(constrain.f(2), 1, input='f(2)')",
        "f(1)",
    ),
    "of what it becomes": (
        "mine = constrain.f(1)\nother = 7\nequal(other, 7, input='seven')\n"
        "equal(mine.length, 1, input='f(1).length')",
        "f(1).length",
    ),
    "in a lambda": ("refuses(lambda: constrain.f(1), input='f(1)')", "f(1)"),
    "in a helper": ("answers(lambda: constrain.f(1), 1, input='f(1)')", "f(1)"),
    "nowhere": ("word = 'ab'\nconstrain.f(word, 3)", "f('ab', 3)"),
    "not known yet": (
        "mine = constrain.f(1)\nsize = constrain.f(3)\n"
        "equal(mine, 1, input=f'f to {size}')",
        "f(1)",
    ),
    "named below": (
        "mine = constrain.f(1)\ninput = f'f({1})'\nequal(mine, 1, input=input)",
        "f(1)",
    ),
    "of a pair, named below": (
        "end, place = constrain.f(1)\ninput = 'f(1).end'\nmine = (end, 2)\n"
        "equal(mine, 1, input=input)",
        "f(1).end",
    ),
    "named by what is not known": (
        "mine = constrain.f(1)\nleft, right = mine\ninput = f'f to {left}'\n"
        "equal(mine, 1, input=input)",
        "f(1)",
    ),
    "within another": (
        "equal(constrain.f(constrain.f(1)), 1, input='f(f(1))')",
        "f(f(1))",
    ),
    "of another test": ("mine = constrain.f(1)", "f(1)"),
}
AFTER = "\ndef test_later(constrain):\n    equal(mine, 1, input='wrong')\n"


class Hangs(Exception):
    """Stands for the place where the code does not come back."""


class Code:
    def __init__(self, look: Callable[[], None] = lambda: None) -> None:
        self._look = look

    def f(self, *arguments: Any) -> None:
        self._look()
        raise Hangs


def graded(mini: MiniCourse, body: str) -> Callable[[Any], None]:
    """Return a graded test of the mini course with this body."""
    path = mini.root / "checker/graded/M1/test_01_count.py"
    test = f"def test_double(constrain):\n{textwrap.indent(body, '    ')}\n"
    path.write_text(f"{HEAD}{test}{AFTER}", "utf-8")
    asked._statements.cache_clear()
    return dict(graded_functions(mini.module, "01_count"))["test_double"]


@pytest.mark.parametrize("name", CASES)
def test_of_an_exception_and_of_a_frame(mini: MiniCourse, name: str) -> None:
    body, right = CASES[name]
    seen: list[str] = []

    def look() -> None:
        import sys

        seen.append(asked.of_frame(sys._getframe()))

    with pytest.raises(Hangs) as caught:
        graded(mini, body)(Code(look))
    assert asked.of_traceback(caught.value.__traceback__) == right
    assert seen == [right]


def test_without_names_only_what_stands_there(mini: MiniCourse) -> None:
    body = "n = 1\nequal(constrain.f(n), n, input=f'f({n})')\nconstrain.g(2)"
    function = graded(mini, body)
    file = function.__code__.co_filename
    first = function.__code__.co_firstlineno
    answers = [asked.asked([(file, first + at, "test_double", {})]) for at in (2, 3)]
    assert answers == ["f(n)", "g(2)"]


def test_an_input_that_fails_or_is_long_does_no_harm(mini: MiniCourse) -> None:
    for body, right in (
        ("equal(constrain.f(1), 1, input=f'{1 / 0}')", "f(1)"),
        ("equal(constrain.f(1), 1, input='f' * 999)", "f" * 300 + "… (999 characters)"),
    ):
        with pytest.raises(Hangs) as caught:
            graded(mini, body)(Code())
        assert asked.of_traceback(caught.value.__traceback__) == right


def test_where_no_graded_test_runs_nothing_is_asked() -> None:
    try:
        next(itertools.repeat(1, 0))
    except StopIteration as error:
        assert asked.of_traceback(error.__traceback__) == ""
