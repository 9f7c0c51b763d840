"""Where a learner's tests run: two correct implementations, and many wrong ones.

A test keeps its own source and its notebook's names; what the course's notebooks give
is swapped for what a world has under that name. So one test judges any implementation.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from _pytest.assertion.rewrite import rewrite_asserts

from ol import course
from ol.alarm import alarm
from ol.failure import OutOfTime, shorten
from ol.live import with_globals

SECONDS = 2.0  # for one test in one world


@dataclass(frozen=True)
class Test:
    """A test: its name, its source (a `def`, or one line), and where it stands."""

    name: str
    source: str
    names: dict[str, Any]  # the globals of its notebook

    @property
    def is_line(self) -> bool:
        return not self.source.startswith("def ")


@dataclass(frozen=True)
class Result:
    """What a test did in a world: `pass`, `fails`, `error`, `late` or `absent`."""

    state: str
    said: str = ""


class AbsentError(Exception):
    """A world has no such name."""


class _Absent:
    """Stands for a name that a world does not have, until it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise AbsentError(self._name)

    def __getattr__(self, name: str) -> Any:
        raise AbsentError(self._name)


def of_function(function: types.FunctionType) -> Test:
    """Return the test that a live function is."""
    source = textwrap.dedent(inspect.getsource(function)).strip()
    return Test(function.__name__, source, function.__globals__)


def run(test: Test, world: Mapping[str, Any]) -> Result:
    """Run a test with the names of a world."""
    names = in_world(test.names, world)
    try:
        code = rewritten(test)
        with alarm(SECONDS):
            exec(code, names)
            if not test.is_line:
                names[test.name]()
    except AssertionError as error:
        return Result("fails", shorten(str(error) or "the assert does not hold", 400))
    except OutOfTime:
        return Result("late", f"it runs longer than {SECONDS:g} s")
    except AbsentError as error:
        return Result("absent", str(error))
    except NotImplementedError:
        return Result("not_written")
    except (Exception, SystemExit) as error:
        return Result("error", f"{type(error).__name__}: {shorten(str(error), 300)}")
    return Result("pass")


@functools.lru_cache(maxsize=512)
def _compiled(source: str, name: str) -> types.CodeType:
    tree = ast.parse(source)
    rewrite_asserts(tree, source.encode())  # pytest's: an assert says what it saw
    return compile(tree, f"<{name}>", "exec", dont_inherit=True)


def rewritten(test: Test) -> types.CodeType:
    return _compiled(test.source, test.name)


def in_world(names: Mapping[str, Any], world: Mapping[str, Any]) -> dict[str, Any]:
    """Return a notebook's names with those of the course taken from a world."""
    swapped: dict[str, Any] = {}
    public = public_names()
    for name, value in names.items():
        home = _public_name(name, value, public)
        if home is not None:
            swapped[name] = world[home] if home in world else _Absent(home)
        else:
            swapped[name] = value
    for name, value in list(swapped.items()):
        if isinstance(value, types.FunctionType) and value.__globals__ is names:
            swapped[name] = with_globals(value, swapped)
    return swapped


def _public_name(name: str, value: Any, public: frozenset[str]) -> str | None:
    """Return the course's name of a value, which may be imported under another one."""
    own = getattr(value, "__name__", None)
    if isinstance(value, types.FunctionType | type) and own in public:
        module = getattr(value, "__module__", "") or ""
        if module.startswith(("ol.mine.", "_ol_")):
            return str(own)
    return name if name in public else None


@functools.cache
def public_names() -> frozenset[str]:
    """Return every name that the notebooks before this kind of test give."""
    module = course.load().module()
    return frozenset(
        name
        for notebook in module.notebooks
        if notebook.namespace in ("constrain", "tools", "server")
        for name in course.public_names(notebook)
    )
