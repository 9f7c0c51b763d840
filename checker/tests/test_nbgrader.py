"""nbgrader's own commands on the module: release, autograde, feedback, validate."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ol import build, course, paths

MODULE = course.load().module()
BIN = Path(sys.executable).parent


def nbgrader(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    environment["IPYTHONDIR"] = str(folder / "ipython")
    environment["JUPYTER_PREFER_ENV_PATH"] = "1"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, f"nbgrader {arguments}\n{done.stdout}{done.stderr}"
    return done


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course folder in which two students were graded: one solved all, one
    nothing.
    """
    folder = tmp_path_factory.mktemp("nbgrader")
    shutil.copy(paths.root() / "nbgrader_config.py", folder)
    files = build.build(MODULE)
    source = folder / "instructor" / "source" / MODULE.id
    solved = folder / "instructor" / "submitted" / "solved" / MODULE.id
    for target in (source, solved):
        target.mkdir(parents=True)
        for path, text in files.items():
            if path.parent == build.source_folder(MODULE.id):
                (target / path.name).write_text(text, "utf-8")
    nbgrader(folder, "generate_assignment", MODULE.id)
    release = folder / "instructor" / "release" / MODULE.id
    shutil.copytree(
        release, folder / "instructor" / "submitted" / "unsolved" / MODULE.id
    )
    nbgrader(folder, "autograde", MODULE.id)
    nbgrader(folder, "generate_feedback", MODULE.id)
    return folder


def scores(folder: Path) -> dict[str, tuple[float, float]]:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'instructor' / 'gradebook.db'}") as gradebook:
        return {
            s.student.id: (s.score, s.max_score)
            for s in gradebook.assignment_submissions(MODULE.id)
        }


@pytest.mark.xdist_group("nbgrader")
def test_release_is_what_we_commit(graded: Path) -> None:
    release = graded / "instructor" / "release" / MODULE.id
    mine = paths.notebooks(MODULE.id)
    names = sorted(path.name for path in mine.iterdir())
    assert sorted(path.name for path in release.iterdir()) == names
    for name in names:
        assert (release / name).read_bytes() == (mine / name).read_bytes(), name


@pytest.mark.xdist_group("nbgrader")
def test_full_marks_and_none(graded: Path) -> None:
    possible = sum(c.points for n in MODULE.present() for c in n.checks)
    assert scores(graded) == {"solved": (possible, possible), "unsolved": (0, possible)}


@pytest.mark.xdist_group("nbgrader")
def test_feedback_says_what_is_missing(graded: Path) -> None:
    page = graded / "instructor" / "feedback" / "unsolved" / MODULE.id / "02_nfa.html"
    assert "not_written" in page.read_text("utf-8")


@pytest.mark.xdist_group("nbgrader")
def test_validate_tells_a_solved_notebook_from_a_fresh_one(graded: Path) -> None:
    solved = graded / "instructor" / "submitted" / "solved" / MODULE.id
    told = nbgrader(solved, "validate", "02_nfa.ipynb").stdout
    assert "Success" in told, told
    fresh = graded / "instructor" / "release" / MODULE.id
    assert "failed" in nbgrader(fresh, "validate", "02_nfa.ipynb").stdout


@pytest.mark.xdist_group("nbgrader")
def test_points_are_those_of_the_table(graded: Path) -> None:
    for notebook in MODULE.present():
        path = graded / "instructor" / "release" / MODULE.id / f"{notebook.id}.ipynb"
        cells = json.loads(path.read_text("utf-8"))["cells"]
        points = {
            cell["metadata"]["nbgrader"]["grade_id"]: cell["metadata"]["nbgrader"][
                "points"
            ]
            for cell in cells
            if cell["metadata"].get("nbgrader", {}).get("grade")
        }
        assert points == {f"{c.name}-check": c.points for c in notebook.checks}
