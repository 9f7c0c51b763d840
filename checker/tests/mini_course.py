"""The mini course (`tests/mini/`), and hands to write into its notebooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

from ol import checking, codes, course, workspace
from ol.source import solution_lines
from ol.verdict import Verdict

MINI = Path(__file__).parent / "mini"

# What a learner may write: right, in other words than the reference.
RIGHT = {
    "double": "def double(number):\n    return number + number\n",
    "total": "def total(numbers):\n    return 2 * sum(numbers)\n",
    "shout": "def shout(word):\n    return str.upper(word)\n",
    "pair_of": "def pair_of(word):\n    return Pair(shout(word), double(len(word)))\n",
}
HOME = {"double": "01", "total": "01", "shout": "02", "pair_of": "02"}
FILES = {"00": "00_look.ipynb", "01": "01_count.ipynb", "02": "02_words.ipynb"}


class Notebook:
    """One of the learner's notebooks; every change is saved at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.path.read_text("utf-8"))
        return data

    def save(self, data: dict[str, Any]) -> None:
        self.path.write_text(json.dumps(data, indent=1) + "\n", "utf-8")

    def index(self, id: str) -> int:
        return [cell["id"] for cell in self.read()["cells"]].index(id)

    def cell_number(self, id: str) -> int:
        """Return the number of a code cell as `[7]` counts them."""
        cells = self.read()["cells"][: self.index(id) + 1]
        return sum(cell["cell_type"] == "code" for cell in cells)

    def write(self, exercise: str, source: str) -> None:
        """Put source into an exercise's cell."""
        data = self.read()
        cell = data["cells"][self.index(f"{exercise}-solution")]
        cell["source"] = textwrap.dedent(source)
        self.save(data)

    def add(self, source: str, *, after: str = "", kind: str = "code") -> None:
        """Add a cell behind the one with this id, or at the end."""
        data = self.read()
        cell = {
            "cell_type": kind,
            "id": f"new-{len(data['cells'])}",
            "metadata": {},
            "source": textwrap.dedent(source),
        }
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        at = self.index(after) + 1 if after else len(data["cells"])
        data["cells"].insert(at, cell)
        self.save(data)

    def copy(self, id: str, source: str, new_id: str) -> None:
        """Copy a cell as JupyterLab does: the metadata stays, the id is new."""
        data = self.read()
        at = self.index(id)
        twin = {**data["cells"][at], "id": new_id, "source": textwrap.dedent(source)}
        data["cells"].insert(at + 1, twin)
        self.save(data)

    def delete(self, id: str) -> None:
        data = self.read()
        del data["cells"][self.index(id)]
        self.save(data)


class MiniCourse:
    """A clone of the mini course."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.work = root / "work" / "M1"
        self.released = root / "notebooks" / "M1"

    @property
    def module(self) -> course.Module:
        return course.load().module("M1")

    def start(self) -> workspace.Started:
        return workspace.start(self.module)

    def notebook(self, number: str) -> Notebook:
        return Notebook(self.work / FILES[number])

    def write(self, exercise: str, source: str) -> None:
        self.notebook(HOME[exercise]).write(exercise, source)

    def solve(self, *exercises: str) -> None:
        """Write right answers into the cells (of all exercises, if none is named)."""
        for name in exercises or RIGHT:
            self.write(name, RIGHT[name])

    def solve_from_reference(self, exercise: str) -> None:
        """Put the reference's own cell there, as `diff --spoil` shows it."""
        cells = codes.reference(self.module)[FILES[HOME[exercise]][:-6]][0]
        source = next(
            c.source for c in cells if (c.role, c.name) == ("solution", exercise)
        )
        assert solution_lines(source)
        self.write(exercise, source)

    def check(
        self, *names: str, code: str = "work", **options: Any
    ) -> dict[str, Verdict]:
        """Return the verdicts by name."""
        outcome = checking.check(self.module, code, names, **options)
        return {verdict.check.name: verdict for verdict in outcome.verdicts}

    def states(self, *names: str, **options: Any) -> dict[str, str]:
        return {name: v.state for name, v in self.check(*names, **options).items()}

    def notes(self) -> list[str]:
        return checking.check(self.module, "work", ["later_test"]).notes

    def run(
        self, *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command line as a person would, in the clone's top folder."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "ol", *arguments],
            cwd=self.root,
            env={**os.environ, "OL_ROOT": str(self.root), **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )


def verdict_of_double(started: MiniCourse, source: str) -> Verdict:
    """Return the verdict on `double` after seeing that `total` still passes."""
    started.write("double", source)
    started.solve("total")
    verdicts = started.check("double", "total")
    assert verdicts["total"].state == "pass", verdicts["total"]
    return verdicts["double"]


def double(body: str) -> str:
    return "def double(number):\n" + textwrap.indent(textwrap.dedent(body), "    ")


def cell_of_double(started: MiniCourse) -> str:
    number = started.notebook("01").cell_number("double-solution")
    return f"01_count.ipynb [cell {number}]"


def is_gone(process: int) -> bool:
    """Wait for the end of a process; a zombie has ended, too."""
    for _ in range(60):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return True
        if state[0] == "Z":
            return True
        time.sleep(0.1)
    return False
