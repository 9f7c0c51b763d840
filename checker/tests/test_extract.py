"""A notebook is a module: which statements are kept, and what is said of the others."""

from __future__ import annotations

import ast
import traceback
from typing import Any

import pytest

from ol import codes, course, paths
from ol.extract import Extraction, extract
from ol.source import Cell, read_notebook

MODULE = course.load().module()


def notebook(*sources: str, wanted: tuple[str, ...] = ("f",)) -> Extraction:
    cells = [Cell("code", text, number=n) for n, text in enumerate(sources, 1)]
    return extract(cells, "nb.ipynb", wanted)


def kept(*sources: str, wanted: tuple[str, ...] = ("f",)) -> list[str]:
    pieces = notebook(*sources, wanted=wanted).pieces
    return [ast.unparse(statement) for piece in pieces for statement in piece.kept]


def run(*sources: str, wanted: tuple[str, ...] = ("f",)) -> dict[str, Any]:
    extraction = notebook(*sources, wanted=wanted)
    assert not extraction.errors
    names: dict[str, Any] = {"__name__": "nb"}
    for piece in extraction.pieces:
        exec(extraction.code(piece), names)
    return names


F = "def f():\n    return TABLE"

# --- what is kept


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("TABLE = [1, 2]", [1, 2]),
        ("TABLE: list[int] = [1]", [1]),
        ("TABLE = {}\nfor n in range(2):\n    TABLE[n] = n * n", {0: 0, 1: 1}),
        ("TABLE = []\nfor n in range(2):\n    TABLE.append(n)", [0, 1]),
        ("TABLE = []\nwhile len(TABLE) < 2:\n    TABLE.append(7)", [7, 7]),
        ("TABLE = 1\nTABLE += 2", 3),
        ("TABLE = [0]\nTABLE[0] += 2", [2]),
        ("TABLE, rest = 1, 2", 1),
        ("if True:\n    TABLE = 1\nelse:\n    TABLE = 2", 1),
        ("try:\n    TABLE = int('x')\nexcept ValueError:\n    TABLE = 0", 0),
        ("TABLE = {1: 2, 3: 4}\ndel TABLE[1]", {3: 4}),
        ("if (TABLE := 5) > 4:\n    print('a trial, too')", 5),
        ("import contextlib\nwith contextlib.suppress(Exception):\n    TABLE = 1", 1),
        ("base = 2\nstep = base + 1\nTABLE = [step]", [3]),
        ("def fill():\n    global TABLE\n    TABLE = 4\nx = fill()  # ol: keep", 4),
        ("match 3:\n    case 3:\n        TABLE = 'three'", "three"),
    ],
)
def test_statements_that_bind_or_change_a_read_name_are_kept(
    source: str, value: object
) -> None:
    assert run(source, F)["f"]() == value


def test_a_table_may_be_filled_below_the_function_and_in_other_cells() -> None:
    assert run(F, "TABLE = []", "TABLE.append(1)", "TABLE += [2]")["f"]() == [1, 2]


def test_methods_put_on_a_class_from_outside() -> None:
    names = run(
        "class Dfa:\n    start = 0",
        "def size(self):\n    return 3",
        "Dfa.size = size",
        "setattr(Dfa, 'limit', 9)",
        "Dfa.start += 1",
        "def f():\n    dfa = Dfa()\n    return dfa.size(), dfa.limit, dfa.start",
    )
    assert names["f"]() == (3, 9, 1)


@pytest.mark.parametrize(
    "source",
    [
        "import math",
        "from math import pi",
        "def g():\n    pass",
        "async def g():\n    pass",
        "class G:\n    pass",
        "if True:\n\n    def g():\n        pass",
        "try:\n    import numba\nexcept ImportError:\n    numba = None",
        "try:\n    pass\nfinally:\n\n    class G:\n        pass",
    ],
)
def test_imports_and_definitions_are_kept_even_if_nobody_reads_them(
    source: str,
) -> None:
    assert kept(source) == [source]


@pytest.mark.parametrize(
    "definition",
    [
        "@NEEDED\ndef f(): ...",
        "def f(limit=NEEDED): ...",
        "def f(*, limit=NEEDED): ...",
        "class f(NEEDED): ...",
        "class f(metaclass=NEEDED): ...",
        "def f(x: NEEDED): ...",
        "def f() -> NEEDED: ...",
        "def f(x: 'NEEDED | None'): ...",
        "def f() -> 'list[NEEDED]': ...",
        "class f:\n    x: 'NEEDED'",
        "def f():\n    def inner():\n        return [NEEDED for _ in ()]",
        "f = lambda: NEEDED",
        "class f:\n    x = NEEDED",
    ],
)
def test_names_read_anywhere_in_a_definition_are_needed(definition: str) -> None:
    assert "NEEDED = 1" in kept("NEEDED = 1", definition)


# --- what is dropped


def test_trials_drawings_and_prints_are_dropped_without_a_word() -> None:
    extraction = notebook(
        "class Dfa: ...\ndef minimize(dfa):\n    return dfa",
        "EXAMPLE = Dfa()\ndef f():\n    return EXAMPLE",
        "dfa = minimize(Dfa())\nol.draw(dfa)",
        "print(EXAMPLE)",
        "EXAMPLE",
        "ol.draw(EXAMPLE)\ndisplay(ol.table(EXAMPLE))",
        "len(EXAMPLE.trans), repr(EXAMPLE)",
        "for n in range(3):\n    print(n, EXAMPLE)",
        "assert f() is EXAMPLE",
        "with ol.plant('s01a'):\n    ol.draw(minimize(EXAMPLE))",
        "ol.check('f')",
    )
    assert extraction.notes == []
    assert [len(piece.kept) for piece in extraction.pieces] == [2, 2, *[0] * 9]


def test_a_name_that_is_only_a_parameter_is_not_needed() -> None:
    assert kept("dfa = slow()", "def f(dfa):\n    return dfa") == [
        "def f(dfa):\n    return dfa"
    ]


def test_a_main_guard_is_a_trial() -> None:
    assert kept("if __name__ == '__main__':\n    import sys\n    f()") == []


@pytest.mark.parametrize(
    "trial",
    [
        "register(TABLE)",
        "TABLE.load('x')",
        "fill()",
        "for _ in 'ab':\n    register(TABLE)",
    ],
)
def test_a_dropped_statement_that_may_touch_a_kept_name_is_reported(trial: str) -> None:
    extraction = notebook(
        "TABLE = {}",
        F,
        "def register(table):\n    table[1] = 2\ndef fill():\n    TABLE[1] = 2",
        trial,
    )
    [note] = extraction.notes
    assert "runs only in the notebook" in note
    assert "TABLE" in note
    assert "# ol: keep" in note


def test_keep_and_skip_decide_by_hand() -> None:
    assert kept("x = 1  # ol: keep\ny = 2") == ["x = 1"]
    assert kept("# ol: keep\nx = 1\ny = 2") == ["x = 1", "y = 2"]
    assert kept("import torch  # ol: skip\nimport math") == ["import math"]
    assert kept("# ol: skip\nimport torch\ndef f(): ...") == []
    assert kept("register(\n    1,\n)  # ol: keep") == ["register(1)"]
    assert notebook("TABLE = {}", F, "register(TABLE)  # ol: skip").notes == []


def test_the_last_definition_wins_and_a_double_one_is_reported() -> None:
    sources = ("def f():\n    return 1", "def f():\n    return 2")
    assert run(*sources)["f"]() == 2
    [note] = notebook(*sources).notes
    assert "`f` is defined more than once (cell 1, cell 2)" in note


def test_variants_of_one_function_in_an_if_are_not_double() -> None:
    assert notebook("if True:\n    def f(): ...\nelse:\n    def f(): ...").notes == []


def test_future_imports_are_hoisted_over_all_cells() -> None:
    names = run(
        "def f(x: Later) -> Later: ...",
        "from __future__ import annotations\nimport math",
        "class Later: ...",
    )
    assert names["f"].__annotations__ == {"x": "Later", "return": "Later"}


def test_only_code_cells_count() -> None:
    cells = [
        Cell("markdown", "def f(: this is prose"),
        Cell("raw", "def f(: raw text"),
        Cell("code", "", number=1),
        Cell("code", "   \n# only a comment\n", number=2),
        Cell("code", "def f(): ...", number=3),
    ]
    extraction = extract(cells, "nb.ipynb")
    assert extraction.errors == []
    assert [piece.defines for piece in extraction.pieces] == [[], [], ["f"]]
    assert extract([], "nb.ipynb").pieces == []


# --- tracebacks


def test_a_traceback_names_cell_and_line() -> None:
    f = run("import math", "def f():\n\n    return 1 / 0")["f"]
    with pytest.raises(ZeroDivisionError) as caught:
        f()
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno) == ("nb.ipynb [cell 2]", 3)


@pytest.mark.parametrize("notebook_id", [n.id for n in MODULE.present()])
def test_there_is_nothing_to_note_of_the_notebooks_as_they_are_handed_out(
    notebook_id: str,
) -> None:
    released = read_notebook(paths.notebooks(MODULE.id) / f"{notebook_id}.ipynb")
    solved = codes.reference(MODULE)[notebook_id][0]
    assert extract(released, "nb.ipynb").notes == []
    assert extract(solved, "nb.ipynb").notes == []
