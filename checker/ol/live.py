"""Judge the functions that live in a kernel, without touching the learner's names.

The live namespace is copied; functions are rebound to the copy, so that the reference
steps put there for everything before the exercise are what they call. Names imported
from `ol.mine` are taken from a fresh instance of the notebooks as saved, with the same
steps standing in. A class is copied only where its methods call one of those steps.
"""

from __future__ import annotations
import __future__

import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ol import codes, course
from ol.course import Check
from ol.graded import run_functions
from ol.implementation import Implementation
from ol.imports import imports_of
from ol.judge import Judge
from ol.source import Cell
from ol.verdict import Verdict

_ANNOTATIONS = __future__.annotations.compiler_flag


class LiveJudge:
    """Judges one check against a live namespace and the notebooks in this folder."""

    def __init__(
        self, module: course.Module, live: Mapping[str, Any], check: Check
    ) -> None:
        self._module = module
        self._live = live
        self._check = check
        self._reference = codes.reference(module)
        self._cells = self._reference[check.notebook][0]

    def run(self, check: Check) -> Verdict:
        """Judge; a name that no cell has defined yet is `not_written` and says so."""
        if check.kind == "step" and check.name not in self._live:
            why = f"`{check.name}` is not defined here: run the cell above first"
            return Verdict(check, "not_written", why=why)
        code = codes.resolve_folder(self._module, Path.cwd())
        for missing in self._reference.keys() - code.chain.keys():
            code.chain[missing] = self._reference[missing]
        # The live notebook is judged as it lives, whatever is saved of it.
        code.chain[check.notebook] = self._reference[check.notebook]
        code.unreadable.pop(check.notebook, None)
        judge = Judge(self._module, code)
        implementation = judge.implementation(check)
        implementation.adopt(check.notebook, self._rebound(implementation))
        views = implementation.view(check.notebook)
        named = dict(zip(course.NAMESPACES, views, strict=True))
        return run_functions(check, judge.functions(check), named)

    def behaves_like(self, check: Check) -> list[str]:
        """Return the known mistakes that explain what the live exercise answers."""
        code = codes.Code("live", Path.cwd(), dict(self._reference))
        judge = Judge(self._module, code)
        implementation = Implementation(self._module, self._reference)
        live = self._rebound(implementation, alone=check.kind == "step")
        implementation.adopt(check.notebook, live)
        return judge.explained(implementation)

    def _rebound(
        self, implementation: Implementation, *, alone: bool = False
    ) -> types.ModuleType:
        """Return the live namespace as a module of `implementation`, steps put in;
        with the exercise `alone`, also those behind it.
        """
        module = types.ModuleType(f"live_{self._check.notebook}")
        names = module.__dict__
        names.update({k: v for k, v in self._live.items() if not k.startswith("__")})
        self._take_imports(implementation, names)
        steps = self._steps(alone)
        _rebind(names, self._live, steps)
        for name, cell in steps.items():
            code = compile(
                cell.source,
                f"[the course's own `{name}`]",
                "exec",
                flags=_ANNOTATIONS,
                dont_inherit=True,
            )
            exec(code, names)
        return module

    def _steps(self, alone: bool) -> dict[str, Cell]:
        """Return the reference's solution cells before the exercise (none if named)."""
        if self._check.kind != "step":
            return {}
        steps: dict[str, Cell] = {}
        for cell in self._cells:
            if cell.role == "solution":
                if cell.name == self._check.name and alone:
                    continue
                if cell.name == self._check.name:
                    break
                steps[str(cell.name)] = cell
        return steps

    def _take_imports(
        self, implementation: Implementation, names: dict[str, Any]
    ) -> None:
        """Take what comes from other notebooks from `implementation`, whole."""
        fresh: dict[int, Any] = {}
        for notebook, alias, wanted in self._imports():
            loaded = implementation.notebook(notebook)
            for name in wanted - {"*"}:
                names.setdefault(name, getattr(loaded, name, None))
            for name, value in vars(_kernel_module(alias)).items():
                if isinstance(value, types.FunctionType | type) and hasattr(
                    loaded, name
                ):
                    fresh[id(value)] = getattr(loaded, name)
        for name, value in list(names.items()):
            if id(value) in fresh:
                names[name] = fresh[id(value)]

    def _imports(self) -> list[tuple[str, str, set[str]]]:
        aliases = {n.alias: n.id for n in self._module.present()}
        found = imports_of(self._cells)
        return [(aliases[a], a, names) for a, names in found.items() if a in aliases]


def _kernel_module(alias: str) -> types.ModuleType:
    """Return the `ol.mine` module that this kernel imported, or an empty one."""
    return sys.modules.get(f"ol.mine.{alias}", types.ModuleType(alias))


def _rebind(
    names: dict[str, Any], live: Mapping[str, Any], steps: Mapping[str, Any]
) -> None:
    """Point the live functions, and the classes that need it, at `names`."""
    for name, value in list(names.items()):
        if isinstance(value, types.FunctionType) and _lives_in(value, live):
            names[name] = with_globals(value, names)
        elif isinstance(value, type) and _calls(value, live, steps):
            names[name] = _classwith_globals(value, live, names)


def _lives_in(function: types.FunctionType, live: Mapping[str, Any]) -> bool:
    """Say whether a function was defined in the notebook: its globals hold itself."""
    return function.__module__ == live.get("__name__") and (
        function.__globals__.get("__name__") == live.get("__name__")
    )


def with_globals(
    function: types.FunctionType,
    names: dict[str, Any],
    cells: Mapping[int, types.CellType] | None = None,
) -> types.FunctionType:
    """Return the function as it is, with other globals."""
    closure = function.__closure__
    if closure and cells:
        closure = tuple(cells.get(id(cell), cell) for cell in closure)
    new = types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, closure
    )
    new.__kwdefaults__ = function.__kwdefaults__
    new.__dict__.update(function.__dict__)
    new.__qualname__, new.__doc__ = function.__qualname__, function.__doc__
    return new


def _calls(cls: type, live: Mapping[str, Any], steps: Mapping[str, Any]) -> bool:
    return any(
        isinstance(method, types.FunctionType)
        and _lives_in(method, live)
        and not {*method.__code__.co_names}.isdisjoint(steps)
        for method in vars(cls).values()
    )


def _classwith_globals(
    cls: type, live: Mapping[str, Any], names: dict[str, Any]
) -> type:
    """Copy a class with its methods rebound; `super()` finds the copy."""
    cell = types.CellType()
    cells = {
        id(own): cell
        for method in vars(cls).values()
        for own in getattr(method, "__closure__", None) or ()
        if _content(own) is cls
    }
    body = {
        key: with_globals(value, names, cells)
        if isinstance(value, types.FunctionType) and _lives_in(value, live)
        else value
        for key, value in vars(cls).items()
        if key not in ("__dict__", "__weakref__")
    }
    new: type = type(cls)(cls.__name__, cls.__bases__, body)
    cell.cell_contents = new
    return new


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # empty
        return None
