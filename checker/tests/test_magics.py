"""What IPython allows beside Python, and what is no Python at all."""

from __future__ import annotations

import ast
import warnings

import pytest

from ol.extract import extract, strip_magics
from ol.source import Cell


def kept(source: str) -> list[str]:
    [piece] = extract([Cell("code", source, number=1)], "nb.ipynb", ["f", "x"]).pieces
    assert piece.error is None, piece.error
    return [ast.unparse(statement) for statement in piece.kept]


@pytest.mark.parametrize(
    "magic",
    [
        "%matplotlib inline",
        "%load_ext autoreload",
        "!pip install it's \"not python",
        "!ls (",
        "y = !ls -l",
        "y = %pwd",
        "?print",
        "print?",
        "print??",
        "ol.draw?",
        "for _ in range(3):\n    %time print('x')",
        "!echo one \\\n    two",
    ],
)
def test_a_magic_line_is_dropped_and_the_rest_of_the_cell_kept(magic: str) -> None:
    assert kept(f"{magic}\ndef f(): ...") == ["def f():\n    ..."]
    assert kept(f"import math\n{magic}\nx = 1") == ["import math", "x = 1"]


def test_every_line_keeps_its_number() -> None:
    source = "%time\n!ls \\\n  -l\n\ndef f():\n    return 1"
    assert strip_magics(source).count("\n") == source.count("\n")
    [piece] = extract([Cell("code", source, number=1)], "nb.ipynb").pieces
    assert piece.kept[0].lineno == 5


@pytest.mark.parametrize("magic", ["%%time", "%%capture out", "\n%%time"])
def test_cells_under_a_magic_that_runs_them_as_python_are_code(magic: str) -> None:
    assert kept(f"{magic}\nx = 1") == ["x = 1"]


@pytest.mark.parametrize(
    "magic", ["%%bash", "%%html", "%%writefile a.py", "%%timeit", "%%javascript"]
)
def test_cells_of_another_language_or_another_scope_are_dropped(magic: str) -> None:
    assert kept(f"{magic}\nx = 1\necho 'it") == []


def test_a_percent_sign_that_begins_a_line_of_valid_python_stays() -> None:
    text = "x = ('%d'\n% 3)"
    assert kept(text) == ["x = '%d' % 3"]
    assert kept(f"%matplotlib inline\n{text}\n!ls") == ["x = '%d' % 3"]
    assert kept(f'x = """\n%time\n!ls\n{"name?"}\n"""\n%pwd') == [
        "x = '\\n%time\\n!ls\\nname?\\n'"
    ]


# --- what is no Python


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("x = 1\ndef f(:\n    pass", 2),
        ("def f():\nreturn 1", 2),  # indentation
        ("def f():\n    x = 1\nreturn x", 3),  # parses, but does not compile
        ("x = 1\nbreak", 2),
        ("def f(a, a):\n    pass", 1),
        ("yield 1", 1),
        ("%time\nx = 1\nx = = 2", 3),
        ("print 'hello'", 1),
    ],
)
def test_a_syntax_error_is_known_before_anything_runs(source: str, line: int) -> None:
    cells = [Cell("code", "import math", number=1), Cell("code", source, number=2)]
    extraction = extract(cells, "nb.ipynb")
    [(piece, error)] = extraction.errors
    assert (piece.cell.number, error.lineno) == (2, line)
    assert error.filename == "nb.ipynb [cell 2]"
    assert piece.kept == []


@pytest.mark.parametrize(
    "source",
    ["x = 1\x00", "x = " + "(" * 10_000, "x = " + "-" * 50_000 + "1"],
)
def test_what_no_parser_can_read_is_a_syntax_error_too(source: str) -> None:
    [(_, error)] = extract([Cell("code", source, number=1)], "nb.ipynb").errors
    assert isinstance(error, SyntaxError)


def test_very_deep_nesting_that_python_can_read_is_kept() -> None:
    deep = "x = " + "[" * 90 + "1" + "]" * 90
    assert kept(deep) == [deep]
    long = "x = " + " + ".join(["1"] * 900)
    [piece] = extract([Cell("code", long, number=1)], "nb.ipynb", ["x"]).pieces
    assert (piece.error, len(piece.kept)) == (None, 1)


def test_await_at_top_level_is_fine_in_a_trial() -> None:
    assert kept("y = await g()\nasync with a as b:\n    pass\ndef f(): ...") == [
        "def f():\n    ..."
    ]


def test_await_that_kept_code_needs_is_an_error_at_its_line() -> None:
    cells = [
        Cell("code", "def f():\n    return x", number=1),
        Cell("code", "import asyncio\nx = await g()", number=2),
    ]
    extraction = extract(cells, "nb.ipynb", ["f"])
    [(piece, error)] = extraction.errors
    assert (piece.cell.number, error.lineno) == (2, 2)
    assert "await" in str(error)


def test_warnings_of_the_compiler_stay_away() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        extraction = extract(
            [Cell("code", "x = '\\d'\nassert (x, 'always true')\nx is 1", number=1)],
            "nb.ipynb",
        )
    assert extraction.errors == []
