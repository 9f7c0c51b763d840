"""Scripts and notebooks as cells: our small readers against jupytext and nbgrader."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr
from pathlib import Path

import jupytext
import nbformat
import pytest

from mini_course import MINI, MiniCourse
from ol import build, paths
from ol.source import (
    STUB,
    Cell,
    cell_id,
    read_notebook,
    read_script,
    solution_lines,
    stub,
)

REAL = sorted((Path(__file__).parents[2] / "solutions").glob("*/[0-9]*.py"))
SCRIPTS = [*REAL, *sorted(MINI.glob("solutions/*/*.py"))]

NASTY = '''# A note to authors; no cell.

# %% [markdown] name="title"
#
# # A heading
#
#   indented, with a #hash and `code`
#
# ```python
# x = 1
# ```
#no space after the sign

# %%

# %%@@@
x = 1


def f():
    """Has

    # a comment in a string

    """
    return "\u2028" + "\x0c"  # separators that are not lines


# %% role="given" name="a.b-c_d"
# only a comment
# %% role="solution" name="f"
    # indented at the start

	# a tab
# %% [markdown] role="hint" name="f" level=2
# - one
# - two
#
# %% role="check" name="f"
ol.check("f")
# %% [markdown]
# the end, without a newline'''.replace("@", " ")  # blanks behind a header


def by_jupytext(text: str) -> list[tuple[object, ...]]:
    cells = jupytext.reads(text, fmt="py:percent").cells
    wanted = ("name", "role", "level")
    return [
        (c.cell_type, c.source, *(c.metadata.get(key) for key in wanted)) for c in cells
    ]


def by_us(path: Path) -> list[tuple[object, ...]]:
    return [(c.kind, c.source, c.name, c.role, c.level) for c in read_script(path)]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_we_read_scripts_as_jupytext_does(path: Path) -> None:
    assert by_us(path) == by_jupytext(path.read_text("utf-8"))


def test_we_read_a_nasty_script_as_jupytext_does(tmp_path: Path) -> None:
    path = tmp_path / "nasty.py"
    path.write_text(NASTY, "utf-8")
    theirs = by_jupytext(NASTY)
    assert theirs[0][1] == "# A note to authors; no cell."  # for us, a note is no cell
    assert by_us(path) == theirs[1:]
    assert [cell.number for cell in read_script(path) if cell.kind == "code"] == [
        1, 2, 3, 4, 5,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "header", ["# %% [raw]", "# %%name", '# %% role=given name="x"y', "# %% a title"]
)
def test_another_header_is_refused_with_its_line(tmp_path: Path, header: str) -> None:
    path = tmp_path / "bad.py"
    path.write_text(f"# %%\nx = 1\n{header}\n")
    with pytest.raises(ValueError, match=r"bad\.py:3: "):
        read_script(path)


def test_ids_come_from_names(mini: MiniCourse) -> None:
    built = nbformat.read(mini.released / "01_count.ipynb", as_version=4)
    assert [cell.id for cell in built.cells] == [
        "title", "imports", "pair-class", "double-why",
        "double-solution", "double-hint-1", "double-hint-2", "double-hint-3",
        "double-check", "double-check-then-1",
        "total-solution", "total-hint-1", "total-hint-2", "total-hint-3",
        "total-check", "of_three-predict",
    ]  # fmt: skip
    nbformat.validate(built)
    graded = {cell.id: cell.metadata.nbgrader for cell in built.cells if cell.metadata}
    assert all(entry.grade_id == id for id, entry in graded.items())
    assert graded["double-check"].points == 2
    assert {id for id, entry in graded.items() if not entry.locked} == {
        "double-solution", "total-solution",
    }  # fmt: skip


def test_two_builds_are_equal_and_a_change_is_seen(mini: MiniCourse) -> None:
    files = build.build(mini.module)
    assert build.write(files) == []
    assert build.stale(files, "M1") == []
    (mini.released / "01_count.ipynb").write_text("{}")
    (mini.released / "extra.ipynb").write_text("{}")
    problems = build.stale(files, "M1")
    assert [problem.split(" ")[0] for problem in problems] == [
        "notebooks/M1/01_count.ipynb", "notebooks/M1/extra.ipynb",
    ]  # fmt: skip


def test_the_release_holds_no_solution_and_no_answer(mini: MiniCourse) -> None:
    text = "".join(path.read_text("utf-8") for path in mini.released.iterdir())
    assert "own line" not in text
    assert "the reference" not in text
    assert "Each is doubled" not in text
    assert text.count("not written yet") == 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('role="check" name="total"', 'role="check" name="totl"', "check cells"),
        ('role="solution" name="total"', 'role="given" name="total"', "exercises"),
        ('name="double" level=2', 'name="double" level=3', "double: hints"),
        ('name="pair-class"', 'name="imports"', "two cells are called imports"),
    ],
)
def test_a_script_that_breaks_the_rules_is_not_built(
    mini: MiniCourse, old: str, new: str, message: str
) -> None:
    path = mini.root / "solutions" / "M1" / "01_count.py"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(paths.ToolError, match=message):
        build.build(mini.module)


SOLUTIONS = [
    "def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION",
    "def f():\n    '''Doc.'''\n    ### BEGIN SOLUTION\n\n    x = 1\n\n    return x\n"
    "    ### END SOLUTION\n\n\nprint(f())",
    "### BEGIN SOLUTION\nx = 1\n### END SOLUTION",
    "def f():\n\t### BEGIN SOLUTION\n\treturn 1\n\t### END SOLUTION\n"
    "def g():\n    if f:\n        ### BEGIN SOLUTION\n        pass\n"
    "        ### END SOLUTION\n    return 2",
]
SOLUTIONS += [c.source for p in SCRIPTS for c in read_script(p) if c.role == "solution"]


def test_our_stub_is_what_nbgrader_leaves() -> None:
    from nbgrader.preprocessors import ClearSolutions
    from traitlets.config import Config

    config = Config()
    config.ClearSolutions.code_stub = {"python": STUB}
    clear = ClearSolutions(config=config)
    for source in SOLUTIONS:
        cell = nbformat.v4.new_code_cell(source)
        cell.metadata["nbgrader"] = {"solution": True, "grade": False}
        with redirect_stderr(io.StringIO()):
            cleared, _ = clear.preprocess_cell(cell, {"language": "python"}, 0)
        assert stub(source) == cleared.source


def test_solution_lines() -> None:
    assert solution_lines(SOLUTIONS[1]) == ["    x = 1", "    return x"]
    assert solution_lines("def f(): ...") == []


# --- notebooks of learners


def read(tmp_path: Path, cells: list[object]) -> list[Cell]:
    path = tmp_path / "n.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    return read_notebook(path)


def test_names_and_roles_survive_without_metadata(started: MiniCourse) -> None:
    path = started.notebook("01").path
    before = [(c.name, c.role) for c in read_notebook(path)]
    assert ("double", "solution") in before
    data = started.notebook("01").read()
    for cell in data["cells"]:
        cell["metadata"] = {}
    started.notebook("01").save(data)
    assert [(c.name, c.role) for c in read_notebook(path)] == before


def test_ids_survive_when_only_the_metadata_is_left(started: MiniCourse) -> None:
    data = started.notebook("01").read()
    for cell in data["cells"]:
        del cell["id"]
    started.notebook("01").save(data)
    found = {(c.name, c.role) for c in read_notebook(started.notebook("01").path)}
    assert {("double", "solution"), ("total", "check")} <= found


def test_cells_of_any_shape(tmp_path: Path) -> None:
    cells = read(
        tmp_path,
        [
            {"cell_type": "markdown", "source": ["# a\n", "b"]},
            {"cell_type": "raw", "source": "raw"},
            {"cell_type": "code", "source": ["x = 1\n", "y = 2"], "metadata": None},
            {"cell_type": "code", "id": 3, "metadata": {"nbgrader": "no"}},
            {"cell_type": "code", "source": "", "id": "double-solution"},
        ],
    )
    assert [(c.kind, c.source, c.number) for c in cells] == [
        ("markdown", "# a\nb", None), ("raw", "raw", None),
        ("code", "x = 1\ny = 2", 1), ("code", "", 2), ("code", "", 3),
    ]  # fmt: skip
    assert (cells[4].name, cells[4].role) == ("double", "solution")


def test_cell_ids() -> None:
    assert cell_id(Cell("code", "", "nfa-class", "given")) == "nfa-class"
    assert cell_id(Cell("markdown", "", "why")) == "why"
    assert cell_id(Cell("code", "", "f", "solution")) == "f-solution"
    assert cell_id(Cell("markdown", "", "f", "hint", 2)) == "f-hint-2"
