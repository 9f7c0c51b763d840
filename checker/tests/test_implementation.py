"""Many implementations in one process, each a chain of executed notebooks."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mini_course import MiniCourse
from ol import codes, course
from ol.implementation import CellFailed, Implementation, Missing
from ol.paths import ToolError
from ol.source import Cell

Notebooks = dict[str, tuple[list[Cell], str]]

COUNT = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Pair:
    word: str
    number: int

LIMIT = [3]

def double(number): return 2 * number

def total(numbers): return sum(map(double, numbers))
"""


def chain(count: str | list[str] = COUNT, words: str | list[str] = "") -> Notebooks:
    """Return two notebooks of the mini course, a cell per text."""
    result: Notebooks = {}
    for id, texts in (("01_count", count), ("02_words", words)):
        sources = [texts] if isinstance(texts, str) else texts
        cells = [Cell("code", text, number=n) for n, text in enumerate(sources, 1)]
        result[id] = (cells, f"{id}.ipynb")
    return result


@pytest.fixture
def module(mini: MiniCourse) -> course.Module:
    return mini.module


@pytest.mark.parametrize(
    "words",
    [
        "from ol.mine.count import double\ndef shout(word): return double(word)",
        "from ol.mine.count import double as d\ndef shout(word): return d(word)",
        "import ol.mine.count as c\ndef shout(word): return c.double(word)",
        "import ol.mine.count\ndef shout(word): return ol.mine.count.double(word)",
        "from ol.mine import count\ndef shout(word): return count.double(word)",
        "from ol.mine import count as c\ndef shout(word): return c.double(word)",
        "from ol.mine.count import *\ndef shout(word): return double(word)",
        "def shout(w):\n    from ol.mine.count import double\n    return double(w)",
        "def shout(word):\n    import ol.mine.count as c\n    return c.double(word)",
    ],
)
def test_every_way_to_import_an_earlier_notebook(
    module: course.Module, words: str
) -> None:
    assert Implementation(module, chain(words=words)).constrain.shout("ab") == "abab"
    both = f"import ol\n{words}\nfrom ol.failure import shorten"
    assert Implementation(module, chain(words=both)).constrain.shout("a") == "aa"


@pytest.mark.parametrize(
    "words",
    [
        "from ol.mine.count import LIMIT\ndef shout(word): return LIMIT",
        "import ol.mine.count as c\ndef shout(word): return c.LIMIT",
        "from ol.mine.count import *\ndef shout(word): return LIMIT",
    ],
)
def test_data_that_a_later_notebook_imports_belongs_to_the_module(
    module: course.Module, words: str
) -> None:
    assert Implementation(module, chain(words=words)).constrain.shout("ab") == [3]


def test_instances_stand_side_by_side(module: course.Module) -> None:
    words = "from ol.mine.count import Pair, LIMIT, double\n"
    words += "def pair_of(word):\n    LIMIT.append(1)\n    return Pair(word, double(1))"
    broken = COUNT.replace("2 * number", "3 * number")
    one = Implementation(module, chain(COUNT, words))
    two = Implementation(module, chain(broken, words))
    assert (one.constrain.pair_of("a").number, two.constrain.pair_of("a").number) == (
        2,
        3,
    )
    assert one.constrain.Pair is not two.constrain.Pair
    assert type(one.constrain.pair_of("a")) is one.constrain.Pair
    assert one.notebook("01_count").LIMIT == [3, 1, 1]
    assert two.notebook("01_count").LIMIT == [3, 1]


@pytest.mark.parametrize("future", ["from __future__ import annotations\n", ""])
@pytest.mark.parametrize("options", ["", "(frozen=True)", "(slots=True)"])
def test_dataclasses(module: course.Module, future: str, options: str) -> None:
    count = f"""{future}
from dataclasses import dataclass, field, KW_ONLY
from typing import ClassVar

@dataclass{options}
class Pair:
    word: str
    number: int = 0
    _: KW_ONLY
    rest: list[int] = field(default_factory=list)
    most: ClassVar[int] = 9
"""
    pair = Implementation(module, chain(count)).constrain.Pair("a", rest=[1])
    assert (pair.word, pair.number, pair.rest, pair.most) == ("a", 0, [1], 9)
    assert repr(pair) == "Pair(word='a', number=0, rest=[1])"


def test_closing_forgets_the_modules(module: course.Module) -> None:
    before = set(sys.modules)
    implementation = Implementation(module, chain())
    double = implementation.constrain.double
    assert set(sys.modules) != before
    implementation.close()
    assert set(sys.modules) == before
    assert double(4) == 8


def test_an_overlay_comes_before_dependents_load(module: course.Module) -> None:
    def overlay(namespace: dict[str, Any], notebook_id: str) -> None:
        if notebook_id == "01_count":
            namespace["double"] = lambda number: -number

    words = (
        "from ol.mine.count import double\nTEN = double(5)\ndef shout(w): return TEN"
    )
    implementation = Implementation(module, chain(words=words), overlay)
    assert implementation.constrain.shout("") == -5
    assert implementation.constrain.total([1, 2]) == -3


# --- what fails


def solution(name: str, source: str) -> Cell:
    return Cell("code", source, name, "solution", number=2)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def double(:", "line 1: SyntaxError"),
        ("import no_such_module\ndef double(n): return n", "ModuleNotFoundError"),
        ("1 / 0  # ol: keep\ndef double(n): return n", "ZeroDivisionError"),
        ("raise SystemExit  # ol: keep\ndef double(n): return n", "SystemExit"),
    ],
)
def test_a_cell_that_fails_leaves_a_stub_and_the_others_alone(
    module: course.Module, source: str, reason: str
) -> None:
    notebooks = chain(COUNT.replace("def double", "def other"))
    notebooks["01_count"][0].append(solution("double", source))
    constrain = Implementation(module, notebooks).constrain
    assert constrain.Pair("a", 1).number == 1
    with pytest.raises(CellFailed, match=r"01_count\.ipynb \[cell 2\]") as caught:
        constrain.double(1)
    assert reason in str(caught.value)
    with pytest.raises(CellFailed):
        constrain.total([1])


def test_names_that_are_missing(module: course.Module) -> None:
    constrain = Implementation(module, chain("x = 1")).constrain
    with pytest.raises(Missing, match="does not define `double`") as caught:
        _ = constrain.double
    assert caught.value.state == "not_written"
    with pytest.raises(ToolError, match=r"gives constrain\.nonsense"):
        _ = constrain.nonsense
    constrain = Implementation(module, chain(["def double(:", "x = 1"])).constrain
    with pytest.raises(Missing, match=r"01_count\.ipynb \[cell 1\], line 1") as caught:
        _ = constrain.double
    assert caught.value.state == "error"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("from ol.mine.count import tripel", "01_count.ipynb does not define `tripel`"),
        (
            "from ol.mine.wrong import x",
            "no notebook for ol.mine.wrong (there: count, ",
        ),
        ("import ol.mine.wrong as w", "no notebook for ol.mine.wrong"),
    ],
)
def test_imports_that_find_nothing(
    module: course.Module, words: str, message: str
) -> None:
    implementation = Implementation(module, chain(words=words))
    implementation.notebook("02_words")
    [problem] = implementation.problems["02_words"]
    assert isinstance(problem.error, ImportError)
    assert message in str(problem)


def test_the_view_ends_at_a_notebook(module: course.Module) -> None:
    notebooks = chain(words="def shout(word): return word")
    constrain, _, _ = Implementation(module, notebooks).view("01_count")
    assert constrain.double(1) == 2
    with pytest.raises(ToolError):
        _ = constrain.shout
    assert "shout" in dir(Implementation(module, notebooks).constrain)


def test_what_a_cell_displays_or_asks_of_ipython_does_nothing(
    module: course.Module,
) -> None:
    source = "def double(n):\n    display(n)\n    return get_ipython()"
    assert Implementation(module, chain(source)).constrain.double(1) is None


def test_the_reference_of_the_mini_course_is_one_more_implementation(
    module: course.Module,
) -> None:
    constrain = Implementation(module, codes.reference(module)).constrain
    assert constrain.pair_of("abc").doubled().number == 12
