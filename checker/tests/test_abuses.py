"""What GRADING.md promises is what nbgrader does: one student per row, graded once."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mini_course import MiniCourse, Notebook
from ol import build, submit

REPOSITORY = Path(__file__).resolve().parents[2]
POINTS = {  # of the mini course: double 2, total 3, shout 2, pair_of 2, whole_chain 10
    "full marks": 19,
    "without the exercise": 6,  # total, and whole_chain which needs it
    "without the notebook": 4,  # shout and pair_of are left
    "no grade": 0,
}


def table() -> dict[str, tuple[str, str]]:
    """Return the rows of GRADING.md: abuse → (raw, after `ol submit`)."""
    text = (REPOSITORY / "checker" / "GRADING.md").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in lines[1:]]
    return {row[0]: (row[1], row[2]) for row in rows}


def cell(data: dict[str, Any], id: str) -> dict[str, Any]:
    found: dict[str, Any] = next(c for c in data["cells"] if c["id"] == id)
    return found


def copied_solution(notebook: Notebook) -> None:
    source = cell(notebook.read(), "total-solution")["source"]
    notebook.write("total", "def total(numbers):\n    return 0\n")
    notebook.copy("total-solution", source, "copy")


def copied_check(notebook: Notebook) -> None:
    notebook.copy("total-check", 'ol.check("total")', "copy")


def converted(notebook: Notebook) -> None:
    data = notebook.read()
    solution = cell(data, "total-solution")
    solution["cell_type"] = "markdown"
    del solution["outputs"], solution["execution_count"]
    notebook.save(data)


def tampered(notebook: Notebook) -> None:
    notebook.write("total", "def total(numbers):\n    return 0\n")
    data = notebook.read()
    cell(data, "total-check")["source"] = 'print("pass   total   3 of 3 points")'
    notebook.save(data)


def stripped(notebook: Notebook, *, ids: bool = False) -> None:
    data = notebook.read()
    for number, one in enumerate(data["cells"]):
        one["metadata"] = {}
        one["id"] = f"cell-{number}" if ids else one["id"]
    notebook.save(data)


def points_and_locks(notebook: Notebook) -> None:
    data = notebook.read()
    check = cell(data, "total-check")["metadata"]["nbgrader"]
    check |= {"points": 300, "locked": False}
    cell(data, "double-solution")["metadata"]["nbgrader"]["locked"] = True
    notebook.save(data)


def edited_given(notebook: Notebook) -> None:
    data = notebook.read()
    cell(data, "pair-class")["source"] += "\n    def mine(self):\n        return 1\n"
    notebook.save(data)


def of_another_notebook(notebook: Notebook) -> None:
    data = notebook.read()
    other = json.loads((notebook.path.parent / "02_words.ipynb").read_text("utf-8"))
    data["cells"].append({**cell(other, "shout-solution"), "id": "from-there"})
    notebook.save(data)


def written(source: str) -> Callable[[Notebook], None]:
    return lambda notebook: notebook.write("total", source)


EXIT = "import os\n\ndef total(numbers):\n    os._exit(0)\n"
LOOP = "def total(numbers):\n    while True:\n        pass\n"
NOISE = (
    "import sys, warnings\n\ndef total(numbers):\n    warnings.warn('noise')\n"
    "    print('noise', file=sys.stderr)\n    return 2 * sum(numbers)\n"
)
ABUSES: dict[str, Callable[[Notebook], None]] = {
    "copied solution cell": copied_solution,
    "copied check cell": copied_check,
    "deleted check cell": lambda notebook: notebook.delete("total-check"),
    "deleted solution cell": lambda notebook: notebook.delete("total-solution"),
    "converted cell": converted,
    "syntax error": written("def total(numbers:\n    return 2 * sum(numbers)\n"),
    "endless loop": written(LOOP),
    "os._exit in a function": written(EXIT),
    "os._exit in a cell": lambda notebook: notebook.add("import os\nos._exit(0)"),
    "tampered check, wrong code": tampered,
    "stripped metadata": stripped,
    "stripped metadata and ids": lambda notebook: stripped(notebook, ids=True),
    "changed points and locks": points_and_locks,
    "edited given cell": edited_given,
    "cell of another notebook": of_another_notebook,
    "noise on stderr": written(NOISE),
    "deleted notebook": lambda notebook: notebook.path.unlink(),
    "unreadable notebook": lambda n: n.path.write_text("<<<<<<< mine", "utf-8"),
}


def student(abuse: str, kind: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in f"{abuse} {kind}")


def hand_in(mini: MiniCourse, abuse: str, submitted: Path) -> None:
    """Put one learner's notebooks there, raw and mended."""
    shutil.rmtree(mini.work, ignore_errors=True)
    mini.start()
    mini.solve()
    ABUSES[abuse](mini.notebook("01"))
    raw = submitted / student(abuse, "raw") / "M1"
    raw.mkdir(parents=True)
    for path in mini.work.glob("*.ipynb"):
        shutil.copy(path, raw)
    submit.submit(mini.module, submitted / student(abuse, "mended") / "M1")


def nbgrader(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": programs}
    environment["IPYTHONDIR"] = str(folder / "ipython")
    environment["JUPYTER_PREFER_ENV_PATH"] = "1"
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True,
    )  # fmt: skip


def graded(folder: Path) -> dict[str, tuple[float, float, bool]]:
    """Return points, possible points and the manual-grade flag of each student."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder / 'instructor' / 'gradebook.db'}") as gradebook:
        return {
            s.student.id: (s.score, s.max_score, s.needs_manual_grade)
            for s in gradebook.assignment_submissions("M1")
        }


@pytest.mark.xdist_group("abuses")
def test_each_abuse_gets_the_grade_that_the_table_promises(mini: MiniCourse) -> None:
    folder = mini.root
    shutil.copy(REPOSITORY / "nbgrader_config.py", folder)
    build.write(build.build(mini.module))
    for abuse in ABUSES:
        hand_in(mini, abuse, folder / "instructor" / "submitted")
    released = nbgrader(folder, "generate_assignment", "M1")
    assert released.returncode == 0, released.stderr
    done = nbgrader(folder, "autograde", "M1")
    lost = student("unreadable notebook", "raw")
    failed = re.findall(r"processing assignment 'M1' for student '(.+)'", done.stderr)
    assert failed == [lost], done.stderr
    grades = graded(folder)
    got = {
        abuse: tuple(grades[student(abuse, kind)][0] for kind in ("raw", "mended"))
        for abuse in ABUSES
    }
    promised = {
        abuse: tuple(POINTS[words] for words in row) for abuse, row in table().items()
    }
    assert got == promised
    by_hand = {name for name, grade in grades.items() if grade[2]}
    assert by_hand <= {lost}
    assert {grade[1] for name, grade in grades.items() if name != lost} == {19}
