"""A damaged notebook comes back to what it was, in the mini and in the real course."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import nbformat
import pytest

from mini_course import RIGHT, MiniCourse
from ol import build, course, paths
from ol.rawcells import grade_id, role
from ol.repair import Change, repair

Raw = dict[str, Any]
MODULE = course.load().module()
WITH_EXERCISES = [n for n in MODULE.present() if n.exercises]


def released_and_solved(notebook: course.Notebook) -> tuple[Raw, Raw]:
    """Return a notebook of the real course as handed out, and with the reference's
    solutions in it.
    """
    script = paths.solutions(MODULE.id) / f"{notebook.id}.py"
    source = build.source_notebook(script, notebook)
    released = build.release(source, notebook.id)
    solved = copy.deepcopy(released)
    for mine, theirs in zip(solved.cells, source.cells, strict=True):
        mine.source = theirs.source
    return (json.loads(nbformat.writes(one)) for one in (released, solved))  # type: ignore[return-value]


def of_role(data: Raw, wanted: str, number: int = 0) -> Raw:
    graded = [c for c in data["cells"] if grade_id(c)]
    found: Raw = [c for c in graded if role(c) == wanted][number]
    return found


def remove(data: Raw, wanted: str) -> None:
    data["cells"].remove(of_role(data, wanted))


def insert_copy(data: Raw, wanted: str, text: str, *, before: bool) -> None:
    original = of_role(data, wanted)
    at = data["cells"].index(original) + (not before)
    data["cells"].insert(at, {**copy.deepcopy(original), "id": "new", "source": text})


def turn(data: Raw, wanted: str, kind: str) -> None:
    cell = of_role(data, wanted)
    cell["cell_type"] = kind
    del cell["outputs"], cell["execution_count"]


def strip(data: Raw, *, ids: bool) -> None:
    for number, cell in enumerate(data["cells"]):
        cell["metadata"].pop("nbgrader", None)
        if ids and cell["cell_type"] == "code":
            cell["id"] = f"fresh-{number}"


def change(data: Raw, wanted: str, **metadata: Any) -> None:
    of_role(data, wanted)["metadata"]["nbgrader"] |= metadata


def write(data: Raw, wanted: str, text: str) -> None:
    of_role(data, wanted)["source"] = text


def double_ids(data: Raw) -> None:
    first = of_role(data, "solution")
    data["cells"].append(
        {"cell_type": "markdown", "id": first["id"], "metadata": {}, "source": "new"}
    )


def no_ids(data: Raw) -> None:
    for cell in data["cells"]:
        if "nbgrader" in cell["metadata"]:
            del cell["id"]
    data["nbformat_minor"] = 4


DAMAGES: dict[str, Callable[[Raw], None]] = {
    "copied solution": lambda d: insert_copy(d, "solution", "x = 1", before=True),
    "copied solution, emptied": lambda d: insert_copy(d, "solution", "", before=False),
    "copied check": lambda d: insert_copy(d, "check", "print(1)", before=False),
    "copied given": lambda d: insert_copy(d, "given", "# mine", before=False),
    "deleted check": lambda d: remove(d, "check"),
    "deleted given": lambda d: remove(d, "given"),
    "solution to markdown": lambda d: turn(d, "solution", "markdown"),
    "solution to raw": lambda d: turn(d, "solution", "raw"),
    "check to markdown": lambda d: turn(d, "check", "markdown"),
    "stripped": lambda d: strip(d, ids=False),
    "stripped, ids too": lambda d: strip(d, ids=True),
    "points": lambda d: change(d, "check", points=1_000),
    "locked": lambda d: change(d, "solution", locked=True, grade=True),
    "schema": lambda d: change(d, "given", schema_version=1, checksum="0"),
    "tampered check": lambda d: write(d, "check", "print('pass')"),
    "edited given": lambda d: write(d, "given", "import sys"),
    "double ids": double_ids,
    "no ids": no_ids,
}


def same_cells(repaired: Raw, wanted: Raw) -> bool:
    """Say whether, apart from cells that were added, everything is as it was. Free
    code cells that lost their id may have another.
    """

    def essence(cell: Raw) -> Raw:
        graded = "nbgrader" in cell["metadata"]
        return cell if graded else {k: v for k, v in cell.items() if k != "id"}

    added = ("x = 1", "", "print(1)", "# mine", "new")
    left = [c for c in repaired["cells"] if c["source"] not in added]
    return [essence(c) for c in left] == [essence(c) for c in wanted["cells"]]


@pytest.mark.parametrize("notebook", WITH_EXERCISES, ids=lambda n: n.id)
def test_every_damage_of_a_solved_notebook_is_mended(
    notebook: course.Notebook,
) -> None:
    released, solved = released_and_solved(notebook)
    assert repair(copy.deepcopy(solved), released) == []
    for name, damage in DAMAGES.items():
        broken = copy.deepcopy(solved)
        damage(broken)
        assert repair(broken, released) != [], name
        assert same_cells(broken, solved), name
        graded = [grade_id(c) for c in broken["cells"] if grade_id(c)]
        assert graded == [grade_id(c) for c in solved["cells"] if grade_id(c)], name
        ids = [c["id"] for c in broken["cells"]]
        assert len(ids) == len(set(ids)), name
        again = copy.deepcopy(broken)
        assert repair(again, released) == [] and again == broken, name
    nbformat.validate(nbformat.from_dict(broken))


@pytest.fixture
def solved(started: MiniCourse) -> tuple[MiniCourse, Raw, Raw]:
    """Notebook 01 of the mini course: the course, as released, and solved."""
    started.solve()
    released = json.loads((started.released / "01_count.ipynb").read_text("utf-8"))
    return started, released, started.notebook("01").read()


def text_of(data: Raw, id: str) -> str:
    source = next(c["source"] for c in data["cells"] if c["id"] == id)
    return source if isinstance(source, str) else "".join(source)


def test_of_copies_the_last_definition_is_kept(solved: Any) -> None:
    mini, released, _ = solved
    first, last = "def double(n):\n    return 0", RIGHT["double"]
    mini.notebook("01").write("double", first)
    mini.notebook("01").copy("double-solution", last, "two")
    mini.notebook("01").copy("two", "double(3)  # a trial", "three")
    data = mini.notebook("01").read()
    changes = repair(data, released)
    assert [c.place for c in changes] == ["cell 3", "cell 5"]
    assert "the one that counts is cell 4" in changes[0].text
    assert text_of(data, "double-solution") == last
    plain = [c for c in data["cells"] if c["source"] == first]
    assert [(c["metadata"], c["id"]) for c in plain] == [({}, "double-why-own-1")]


def test_two_exercises_merged_into_one_cell_are_parted(solved: Any) -> None:
    mini, released, _ = solved
    both = f"{RIGHT['double']}\n# mine\n@staticmethod\n{RIGHT['total']}"
    mini.notebook("01").write("double", both)
    mini.notebook("01").delete("total-solution")
    data = mini.notebook("01").read()
    (change,) = repair(data, released)
    assert change.text.endswith("put back, with the definition that stood in cell 3")
    assert text_of(data, "double-solution") == f"{RIGHT['double']}\n# mine"
    assert text_of(data, "total-solution") == f"@staticmethod\n{RIGHT['total'].strip()}"


def test_code_written_into_a_locked_cell_moves_to_the_deleted_exercise(
    solved: Any,
) -> None:
    mini, released, _ = solved
    mini.notebook("01").delete("double-solution")
    data = mini.notebook("01").read()
    check = next(c for c in data["cells"] if c["id"] == "double-check")
    check["source"] = [*RIGHT["double"].splitlines(True), 'ol.check("double")']
    repair(data, released)
    assert text_of(data, "double-solution") == RIGHT["double"].strip()
    assert text_of(data, "double-check") == 'ol.check("double")'


def test_a_deleted_exercise_that_nobody_wrote_is_the_starter_again(solved: Any) -> None:
    mini, released, _ = solved
    mini.notebook("01").delete("total-solution")
    data = mini.notebook("01").read()
    (change,) = repair(data, released)
    assert change == Change("after cell 5", "the cell of `total` was deleted: put back")
    assert "not written yet" in text_of(data, "total-solution")


def test_an_edited_given_cell_is_told_apart(solved: Any) -> None:
    _, released, data = solved
    cell = next(c for c in data["cells"] if c["id"] == "pair-class")
    cell["source"] = "class Pair: pass"
    (change,) = repair(data, released)
    assert (change.place, change.kind) == ("cell 2", "lost")
    assert "Move code of yours to a new cell below" in change.text


def test_a_syntax_error_is_named_and_left(solved: Any) -> None:
    mini, released, _ = solved
    mini.write("total", "def total(numbers):\n    return sum(numbers\n")
    data = mini.notebook("01").read()
    (change,) = repair(data, released)
    text = "line 2: SyntaxError: '(' was never closed"
    assert change == Change("cell 6", text, "open")


def test_foreign_metadata_go(solved: Any) -> None:
    _, released, data = solved
    extra = {"grade": True, "grade_id": "other", "points": 9}
    cell = {"cell_type": "code", "id": "x", "metadata": {"nbgrader": extra}}
    data["cells"].append({**cell, "source": "1", "outputs": []})
    (change,) = repair(data, released)
    assert change.text == "nbgrader metadata that are not of this notebook: removed"
    assert data["cells"][-1]["metadata"] == {}


@pytest.mark.parametrize(
    "cell",
    [{}, {"cell_type": "strange"}, {"metadata": None, "source": 3, "id": 7}],
)
def test_malformed_cells_become_plain_ones(solved: Any, cell: Raw) -> None:
    _, released, data = solved
    data["cells"].append(cell)
    repair(data, released)
    nbformat.validate(nbformat.from_dict(data))
