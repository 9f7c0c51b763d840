"""The course's one table, `course.toml`, read and checked.

Everything that needs a name, an order, a point or the home of a test asks here.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ol import paths

NAMESPACES = ("constrain", "tools", "server")


@dataclass(frozen=True)
class Check:
    """What one verdict is about: an exercise's step check or a named test."""

    name: str
    notebook: str
    kind: str  # "step", "named" or "regression"
    points: int
    seconds: float
    regression: str = ""  # why no mutant needs this test, where none does


@dataclass(frozen=True)
class Exercise:
    """A function that the learner writes."""

    name: str
    notebook: str
    minutes: int
    lines: int
    points: int


@dataclass(frozen=True)
class Notebook:
    """One notebook: what it asks, what it gives, which tests judge it."""

    id: str
    title: str
    minutes: int
    namespace: str | None
    exercises: tuple[Exercise, ...]
    checks: tuple[Check, ...]  # the step checks in order, then the named tests
    gives: tuple[str, ...]

    @property
    def alias(self) -> str:
        """Return the name behind `ol.mine.`: the id without its number."""
        return self.id.partition("_")[2]


@dataclass(frozen=True)
class Module:
    """A chapter of the course."""

    id: str
    title: str
    needs: tuple[str, ...]
    notebooks: tuple[Notebook, ...]
    mutants: dict[str, str] = field(default_factory=dict)  # mutant id → test

    def notebook(self, name: str) -> Notebook:
        """Find a notebook by id, alias, number or file name; UsageError if none
        fits.
        """
        stem = Path(name).name.removesuffix(".ipynb").removesuffix(".py")
        for notebook in self.notebooks:
            if stem in (notebook.id, notebook.alias, notebook.id.partition("_")[0]):
                return notebook
        known = ", ".join(notebook.id for notebook in self.notebooks)
        raise paths.UsageError(f"{self.id} has no notebook {name!r}. It has: {known}")

    def present(self) -> list[Notebook]:
        """Return the notebooks whose script stands in `solutions/`, in order."""
        folder = paths.solutions(self.id)
        return [n for n in self.notebooks if (folder / f"{n.id}.py").exists()]

    def is_present(self, notebook_id: str) -> bool:
        return any(notebook.id == notebook_id for notebook in self.present())

    def checks(self) -> list[Check]:
        return [check for notebook in self.notebooks for check in notebook.checks]

    def check(self, name: str) -> Check:
        for check in self.checks():
            if check.name == name:
                return check
        import difflib

        names = [check.name for check in self.checks()]
        near = difflib.get_close_matches(name, names, 3)
        hint = f"Did you mean: {', '.join(near)}?" if near else "`ol tests` lists them."
        raise paths.UsageError(f"{self.id} has no exercise or test {name!r}. {hint}")

    def exercise(self, name: str) -> Exercise | None:
        for notebook in self.notebooks:
            for exercise in notebook.exercises:
                if exercise.name == name:
                    return exercise
        return None

    def home(self, namespace: str, name: str, upto: str | None = None) -> str | None:
        """Return the id of the last present notebook (to `upto`) that gives a name."""
        home = None
        for notebook in self.present():
            if notebook.namespace == namespace and name in public_names(notebook):
                home = notebook.id
            if notebook.id == upto:
                break
        return home


@dataclass(frozen=True)
class Needed:
    """A module without notebooks here, which others build on: a plain file."""

    id: str
    title: str
    path: Path

    @property
    def alias(self) -> str:
        """Return the name behind `ol.needs.`: L10_1 for L10.1."""
        return self.id.replace(".", "_")


@dataclass(frozen=True)
class Course:
    """All of `course.toml`."""

    modules: dict[str, Module]
    needed: dict[str, Needed]
    seconds: float
    memory_mb: int

    def module(self, name: str | None = None) -> Module:
        """Return a module, the first one if none is named; UsageError if there is
        none.
        """
        try:
            return self.modules[name or next(iter(self.modules))]
        except KeyError:
            known = ", ".join(self.modules)
            raise paths.UsageError(
                f"there is no module {name!r}. The course has: {known}"
            ) from None


def public_names(notebook: Notebook) -> list[str]:
    """Return every public name of a notebook: what it gives, then its exercises."""
    return [*notebook.gives, *(exercise.name for exercise in notebook.exercises)]


def load() -> Course:
    """Read `course.toml`; a ToolError names the place where it cannot be read."""
    path = paths.course_file()
    try:
        return _parse(path.read_text("utf-8"))
    except FileNotFoundError:
        raise paths.ToolError(f"{path} is missing: is this a whole clone?") from None
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise paths.ToolError(f"{path} cannot be read: {error!r}") from error


@functools.lru_cache(maxsize=2)
def _parse(text: str) -> Course:
    table = tomllib.loads(text)
    seconds = float(table["limits"]["seconds"])
    modules = {id: _module(id, row, seconds) for id, row in table["modules"].items()}
    needed = {
        id: Needed(id, row["title"], paths.solutions(id) / row["file"])
        for id, row in table.get("needed", {}).items()
    }
    return Course(modules, needed, seconds, int(table["limits"]["memory_mb"]))


def _module(id: str, row: dict[str, Any], seconds: float) -> Module:
    notebooks = tuple(_notebook(entry, seconds) for entry in row["notebooks"])
    names = [check.name for notebook in notebooks for check in notebook.checks]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"names stand twice: {', '.join(sorted(twice))}")
    return Module(
        id=id,
        title=row["title"],
        needs=tuple(row.get("needs", ())),
        notebooks=notebooks,
        mutants=dict(row.get("mutants", {})),
    )


def _notebook(row: dict[str, Any], seconds: float) -> Notebook:
    exercises = tuple(
        Exercise(e["name"], row["id"], e["minutes"], e["lines"], e["points"])
        for e in row.get("exercises", ())
    )
    steps = [Check(e.name, e.notebook, "step", e.points, seconds) for e in exercises]
    named = [
        Check(
            name=test["name"],
            notebook=row["id"],
            kind=test.get("kind", "named"),
            points=test["points"],
            seconds=float(test.get("seconds", seconds)),
            regression=test.get("regression", ""),
        )
        for test in row.get("tests", ())
    ]
    return Notebook(
        id=row["id"],
        title=row["title"],
        minutes=row.get("minutes", 0),
        namespace=row.get("namespace"),
        exercises=exercises,
        checks=(*steps, *named),
        gives=tuple(row.get("gives", ())),
    )
