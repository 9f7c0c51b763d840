"""`ol submit`: the folder to hand in, and what it leaves alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mini_course import MiniCourse
from ol import checking, course, submit, workspace
from ol.words import solution

MODULE = course.load().module()


def handed_in(mini: MiniCourse) -> dict[str, bytes]:
    folder = mini.root / "submission" / "M1"
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def damage(mini: MiniCourse) -> None:
    mini.solve()
    mini.notebook("01").copy("double-solution", "double(1)", "copy")
    mini.notebook("01").delete("total-check")


def test_an_untouched_solution_is_handed_in_byte_for_byte(started: MiniCourse) -> None:
    started.solve()
    done = started.run("submit")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "submission/M1: 3 notebooks to hand in.\n"
        "Nothing had to be mended.\n"
        "\n"
        "19 of 19 points, as ol check --code submission/M1 says.\n"
        "Next: hand in the whole folder submission/M1.\n"
    )
    files = handed_in(started)
    for path in started.work.glob("*.ipynb"):
        assert files.pop(path.name) == path.read_bytes()
    assert list(files) == [submit.MARKER]


def test_repairs_are_said_and_work_stays_as_it_was(started: MiniCourse) -> None:
    damage(started)
    before = {p: p.read_bytes() for p in started.work.rglob("*") if p.is_file()}
    done = started.run("submit")
    assert done.returncode == 0
    assert "cell 4        a copy of the cell of `double`" in done.stdout
    assert "after cell 7  the check of `total` was deleted: put back" in done.stdout
    assert "19 of 19 points" in done.stdout
    assert {p: p.read_bytes() for p in before} == before


def test_two_submits_write_the_same_bytes(started: MiniCourse) -> None:
    damage(started)
    first = (started.run("submit").stdout, handed_in(started))
    assert (started.run("submit").stdout, handed_in(started)) == first


def test_what_only_the_learner_can_mend(started: MiniCourse) -> None:
    started.solve("total")
    started.write("double", "def double(number):\n    return (2 * number\n")
    started.notebook("02").path.write_text('{"cells": [', "utf-8")
    done = started.run("submit")
    assert done.returncode == 1
    told = " ".join(done.stdout.split())
    assert "01_count.ipynb, cell 3, line 2: SyntaxError: '(' was never closed" in told
    assert "work/M1/02_words.ipynb cannot be read as a notebook" in told
    assert "3 of 19 points" in told
    files = handed_in(started)
    assert files["02_words.ipynb.unreadable"] == b'{"cells": ['
    assert "02_words.ipynb" not in files


def test_a_notebook_that_is_not_there_is_handed_in_as_the_starter(
    started: MiniCourse,
) -> None:
    started.solve()
    started.notebook("02").path.unlink()
    done = started.run("submit")
    assert done.returncode == 0
    assert "the starter stands in for it (0 points)" in done.stdout
    assert "5 of 19 points" in done.stdout


def test_skipped_notebooks_stay_skipped(started: MiniCourse) -> None:
    started.solve()
    workspace.set_skipped(started.module, "01_count", True)
    told = started.run("submit").stdout
    assert "14 of 19 points" in told
    assert "Skipped: 01_count." in told


def test_other_notebooks_are_named_and_left_out(started: MiniCourse) -> None:
    (started.work / "scratch.ipynb").write_text("{}", "utf-8")
    assert "Not of this module: scratch.ipynb" in started.run("submit").stdout
    assert "scratch.ipynb" not in handed_in(started)


def test_before_start_there_is_nothing_to_submit(mini: MiniCourse) -> None:
    done = mini.run("submit")
    assert done.returncode == 2
    assert "holds no notebooks: ol start" in done.stderr


@pytest.mark.parametrize("place", ["work", "work/M1", "theirs", "file", "link", "."])
def test_only_its_own_folder_is_replaced(started: MiniCourse, place: str) -> None:
    theirs = started.root / "theirs"
    theirs.mkdir()
    (theirs / "thesis.txt").write_text("mine", "utf-8")
    (started.root / "file").write_text("mine", "utf-8")
    (started.root / "link").symlink_to(theirs)
    before = snapshot(started.root)
    done = started.run("submit", "-o", place)
    assert done.returncode == 2
    told = " ".join(done.stderr.split())
    assert "Nothing was written." in told or "is where you work" in told
    assert snapshot(started.root) == before


def test_nothing_is_written_into_the_folder_of_work(started: MiniCourse) -> None:
    done = started.run("submit", "-o", "work/M1/hand-in")
    assert done.returncode == 2
    assert "work/M1/hand-in is where you work" in done.stderr
    assert not (started.work / "hand-in").exists()


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".ol-cache" not in path.parts
    }


@pytest.mark.parametrize("name", ["01_count.ipynb", "notes.txt"])
def test_a_folder_that_was_changed_since_is_not_replaced(
    started: MiniCourse, name: str
) -> None:
    submit.submit(started.module, submit.default_folder(started.module))
    path = started.root / "submission" / "M1" / name
    path.write_text("mine", "utf-8")
    with pytest.raises(submit.UsageError, match="Nothing was written"):
        submit.submit(started.module, submit.default_folder(started.module))
    assert path.read_text("utf-8") == "mine"


def test_an_empty_folder_and_traces_of_other_programs_do_not_matter(
    started: MiniCourse,
) -> None:
    folder = started.root / "hand-in"
    folder.mkdir()
    submit.submit(started.module, folder)
    (folder / ".ipynb_checkpoints").mkdir()
    submit.submit(started.module, folder)
    assert [p.name for p in folder.parent.glob(".hand-in*")] == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written(started: MiniCourse) -> None:
    (started.root / "closed").mkdir(mode=0o555)
    done = started.run("submit", "-o", "closed/M1")
    assert done.returncode == 2
    assert "cannot write" in done.stderr


def put(work: Path, exercise: course.Exercise, source: str) -> None:
    path = work / f"{exercise.notebook}.ipynb"
    data = json.loads(path.read_text("utf-8"))
    cell = next(c for c in data["cells"] if c["id"] == f"{exercise.name}-solution")
    cell["source"] = source
    path.write_text(json.dumps(data), "utf-8")


def ruin(cells: list[Any], name: str) -> None:
    """Do to one exercise of a notebook what can be mended, all at once."""
    at = next(i for i, cell in enumerate(cells) if cell["id"] == f"{name}-solution")
    cells.insert(at, {**cells[at], "id": "earlier", "source": f"{name} = None"})
    cells[at + 1]["cell_type"] = "markdown"
    cells[:] = [cell for cell in cells if cell["id"] != f"{name}-check"]
    for cell in cells[at + 2 :]:
        cell["metadata"].pop("nbgrader", None)


def test_the_ruined_reference_gets_full_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real course: every notebook solved, ruined, handed in and judged."""
    monkeypatch.setenv("OL_WORK", str(tmp_path))
    workspace.start(MODULE)
    for notebook in MODULE.present():
        for exercise in notebook.exercises:
            put(tmp_path / MODULE.id, exercise, solution(MODULE, exercise))
        path = tmp_path / MODULE.id / f"{notebook.id}.ipynb"
        data = json.loads(path.read_text("utf-8"))
        if notebook.exercises:
            ruin(data["cells"], notebook.exercises[0].name)
        path.write_text(json.dumps(data), "utf-8")
    folder = tmp_path / "hand-in"
    assert submit.submit(MODULE, folder).problems == []
    got, possible = checking.check(MODULE, str(folder)).points
    assert got == possible > 0
