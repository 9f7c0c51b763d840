"""Implementations: a chain of notebooks executed as modules, many in one process.

An `Implementation` holds one instance of every notebook of a module. Its code imports
the notebooks before it by `from ol.mine.nfa import thompson`; an import hook in the
builtins of each executed module answers from the same instance, so learner, reference
and mutants live side by side. A cell that fails does not stop the others: what it
should have defined is a stub that says which cell failed, and the cell is remembered in
`problems`.
"""

from __future__ import annotations

import builtins
import itertools
import linecache
import sys
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ol import course, needs
from ol.extract import Extraction, Piece, extract
from ol.failure import OutOfTime
from ol.imports import imported_names
from ol.paths import ToolError
from ol.source import Cell

_PREFIX = "ol.mine"
_counter = itertools.count(1)


class CellFailed(Exception):
    """A name is missing because the cell that defines it could not be executed."""


class Missing(AttributeError):
    """A public name that the implementation does not define.

    `state` is the verdict that this means: `error` where a failing cell is the reason.
    """

    def __init__(self, text: str, state: str = "not_written") -> None:
        super().__init__(text)
        self.state = state


class NeverEnds(Exception):
    """A cell hangs or ends the process when it is executed, so it is left out."""


class Problem:
    """A cell that could not be executed, and why."""

    def __init__(self, place: str, error: BaseException) -> None:
        self.place = place
        self.error = error

    def __str__(self) -> str:
        error = self.error
        line = (
            getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
        )
        where = f"{self.place}, line {line}" if line else self.place
        text = error.msg if isinstance(error, SyntaxError) else error
        return f"{where}: {type(error).__name__}: {text}"


Overlay = Callable[[dict[str, Any], str], None]


class Implementation:
    """One instance of a module's notebooks; `constrain`, `tools`, `server` on top.

    `chain` gives the cells of each notebook and the label it has in tracebacks;
    `broken` are cells to leave out, by the name they have there;
    `overlay` is called with every freshly executed namespace and the notebook's id,
    before any other notebook can import from it (that is where mutants go in).
    """

    def __init__(
        self,
        module: course.Module,
        chain: Mapping[str, tuple[Sequence[Cell], str]],
        overlay: Overlay | None = None,
        broken: Collection[str] = (),
    ) -> None:
        self.module = module
        self.problems: dict[str, list[Problem]] = {}
        self._chain = chain
        self._overlay = overlay
        self._broken = broken
        self._loaded: dict[str, types.ModuleType] = {}
        self._needed: dict[str, types.ModuleType] = {}
        self._extractions: dict[str, Extraction] = {}
        self._name = f"_ol_code_{next(_counter)}"
        self._aliases = {n.alias: n.id for n in module.notebooks if n.id in chain}
        self.constrain, self.tools, self.server = self.view()

    def view(self, upto: str | None = None) -> tuple[Namespace, Namespace, Namespace]:
        """Return the three namespaces as they are once notebook `upto` is done."""
        constrain, tools, server = (Namespace(self, n, upto) for n in course.NAMESPACES)
        return constrain, tools, server

    def extraction(self, notebook_id: str) -> Extraction:
        """Return what was kept of a notebook (nothing is executed for it)."""
        if notebook_id not in self._extractions:
            cells, label = self._chain[notebook_id]
            notebook = self.module.notebook(notebook_id)
            wanted = {*course.public_names(notebook)}
            wanted |= imported_names(self._chain, notebook.alias)
            self._extractions[notebook_id] = extract(cells, label, wanted)
        return self._extractions[notebook_id]

    def notebook(self, notebook_id: str) -> types.ModuleType:
        """Return the notebook as a module, executed at the first call."""
        if notebook_id not in self._loaded:
            extraction = self.extraction(notebook_id)
            alias = self.module.notebook(notebook_id).alias
            loaded = types.ModuleType(f"{self._name}.{alias}")
            loaded.__dict__["__builtins__"] = self._builtins()
            self._loaded[notebook_id] = loaded
            # dataclasses look their module up by name
            sys.modules[loaded.__name__] = loaded
            self.problems[notebook_id] = self._execute(extraction, loaded.__dict__)
            if self._overlay is not None:
                self._overlay(loaded.__dict__, notebook_id)
        return self._loaded[notebook_id]

    def _execute(
        self, extraction: Extraction, namespace: dict[str, Any]
    ) -> list[Problem]:
        """Execute the kept cells in order; return those that failed."""
        problems: list[Problem] = []
        for piece in extraction.pieces:
            _remember_source(extraction, piece)
            name = extraction.filename(piece)
            error: BaseException | None = piece.error
            if name in self._broken:
                error = NeverEnds("it hangs or ends the process when it is executed")
            error = error or _execute_piece(extraction, piece, namespace)
            if error is not None:
                problem = Problem(name, error)
                problems.append(problem)
                _leave_stub(piece, problem, namespace)
        return problems

    def adopt(self, notebook_id: str, module: types.ModuleType) -> None:
        """Take a module that is executed already (a kernel's) as one of the
        notebooks.
        """
        self._loaded[notebook_id] = module
        self.problems[notebook_id] = []

    def loaded(self) -> list[str]:
        """Return the notebooks executed so far."""
        return list(self._loaded)

    def namespaces(self) -> list[dict[str, Any]]:
        """Return the globals of every notebook in order, then of needed modules."""
        loaded = [vars(self.notebook(notebook_id)) for notebook_id in self._chain]
        return [*map(vars, self._needed.values()), *loaded]

    def __contains__(self, notebook_id: str) -> bool:
        return notebook_id in self._chain

    def close(self) -> None:
        """Forget the instance's modules; objects made from them live on."""
        for module in [*self._loaded.values(), *self._needed.values()]:
            sys.modules.pop(module.__name__, None)

    def _builtins(self) -> dict[str, Any]:
        own = dict(vars(builtins))
        own["__import__"] = self._import
        own["display"] = lambda *objects, **options: None
        own["get_ipython"] = lambda: None
        return own

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        for prefix, answer in ((_PREFIX, self._mine), (needs.PREFIX, self._need)):
            if not level and (name == prefix or name.startswith(f"{prefix}.")):
                alias = name.removeprefix(prefix).removeprefix(".")
                return self._answer(answer, alias, prefix, fromlist or ())
        return builtins.__import__(name, globals, locals, fromlist, level)

    def _answer(
        self,
        answer: Callable[[str], types.ModuleType],
        alias: str,
        prefix: str,
        fromlist: Sequence[str],
    ) -> Any:
        if not alias:  # from ol.mine import nfa
            return types.SimpleNamespace(**{a: answer(a) for a in fromlist})
        module = answer(alias)
        if not fromlist:  # import ol.mine.nfa as nfa
            below = types.SimpleNamespace(**{alias: module})
            return types.SimpleNamespace(**{prefix.removeprefix("ol."): below})
        for wanted in fromlist:
            if wanted != "*" and not hasattr(module, wanted):
                raise ImportError(self._missing(prefix, alias, wanted))
        return module

    def _missing(self, prefix: str, alias: str, name: str) -> str:
        if prefix == _PREFIX:
            return self.missing_text(self._aliases[alias], name)
        return f"{prefix}.{alias} has no {name!r}"

    def _need(self, alias: str) -> types.ModuleType:
        """Return this implementation's own instance of a needed module."""
        if alias not in self._needed:
            module = needs.instance(alias, f"{self._name}.needs.{alias}")
            self._needed[alias] = module
            if self._overlay is not None:
                self._overlay(module.__dict__, alias)
        return self._needed[alias]

    def _mine(self, alias: str) -> types.ModuleType:
        if alias not in self._aliases:
            known = ", ".join(self._aliases) or "none"
            raise ImportError(
                f"there is no notebook for ol.mine.{alias} (there: {known})"
            )
        return self.notebook(self._aliases[alias])

    def missing_text(self, notebook_id: str, name: str) -> str:
        """Say that a name is not defined, and which failing cell may be the reason."""
        _, label = self._chain[notebook_id]
        problems = self.problems.get(notebook_id) or []
        reason = f"; {problems[0]}" if problems else ""
        return f"{label} does not define `{name}`{reason}"


class Namespace:
    """`constrain`, `tools` or `server`: names resolve to their home notebook."""

    def __init__(
        self, implementation: Implementation, name: str, upto: str | None = None
    ) -> None:
        self._implementation = implementation
        self._name = name
        self._upto = upto
        self._homes: dict[str, str | None] = {}  # found once: it asks the file system

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        implementation = self._implementation
        if name not in self._homes:
            home = implementation.module.home(self._name, name, self._upto)
            self._homes[name] = home
        home = self._homes[name]
        if home is None:
            raise ToolError(f"no notebook of course.toml gives {self._name}.{name}")
        if home not in implementation:
            raise Missing(f"{self._name} has no `{name}`: {home} is not there")
        try:
            return getattr(implementation.notebook(home), name)
        except AttributeError:
            state = "error" if implementation.problems[home] else "not_written"
            raise Missing(implementation.missing_text(home, name), state) from None

    def __dir__(self) -> list[str]:
        module = self._implementation.module
        return sorted(
            name
            for notebook in module.present()
            if notebook.namespace == self._name
            for name in course.public_names(notebook)
        )


def _execute_piece(
    extraction: Extraction, piece: Piece, namespace: dict[str, Any]
) -> BaseException | None:
    if not piece.kept:
        return None
    try:
        exec(extraction.code(piece), namespace)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException as error:  # SystemExit too: it is the cell's, not ours
        return error
    return None


def _remember_source(extraction: Extraction, piece: Piece) -> None:
    lines = piece.cell.source.splitlines(keepends=True)
    name = extraction.filename(piece)
    linecache.cache[name] = (len(piece.cell.source), None, lines, name)


def _leave_stub(piece: Piece, problem: Problem, namespace: dict[str, Any]) -> None:
    """Bind an exercise whose cell failed to a function that says so when it is
    called.
    """
    if piece.cell.role != "solution" or piece.cell.name in (None, *namespace):
        return

    def stub(*arguments: Any, **options: Any) -> Any:
        raise CellFailed(str(problem)) from problem.error

    namespace[str(piece.cell.name)] = stub
