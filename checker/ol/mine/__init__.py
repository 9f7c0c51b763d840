"""`from ol.mine.nfa import thompson`: what you wrote in the notebook beside this one.

In a kernel the modules come from the notebooks in the working directory, as saved; a
skipped or missing one from the reference. In the checker the same import is answered by
`ol.implementation`, and this package is not used.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Sequence
from pathlib import Path

from ol import codes, course, paths
from ol.implementation import Implementation
from ol.source import read_notebook

_seen: dict[Path, int] = {}  # imported notebook → its time of change


@functools.cache
def implementation() -> Implementation:
    """Return the instance that this kernel's imports share: notebooks as saved."""
    module = course.load().module(module_here())
    chain = dict(codes.reference(module))
    skipped = codes.skipped_notebooks(Path.cwd())
    for notebook in module.present():
        path = Path.cwd() / f"{notebook.id}.ipynb"
        if notebook.id in skipped:
            print(f"{notebook.id} is skipped: the reference stands in for it.")
        elif not path.exists():
            print(f"{path.name} is not here: the reference stands in for it.")
        else:
            try:
                chain[notebook.id] = (read_notebook(path), paths.shown(path))
            except paths.UsageError as error:
                print(f"{error}\nThe reference stands in for it.")
            _seen[path] = path.stat().st_mtime_ns
    return Implementation(module, chain)


def module_here() -> str:
    """Return the module that this folder is about: the one whose notebooks are here."""
    modules = course.load().modules
    for name, module in modules.items():
        if any((Path.cwd() / f"{n.id}.ipynb").exists() for n in module.notebooks):
            return name
    return next(iter(modules))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers imports of `ol.mine.<alias>` with the executed notebook."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith("ol.mine."):
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        alias = spec.name.removeprefix("ol.mine.")
        mine = implementation()
        for notebook in mine.module.present():
            if notebook.alias == alias:
                loaded = mine.notebook(notebook.id)
                for problem in mine.problems[notebook.id]:
                    print(f"left out: {problem}")
                return loaded
        known = ", ".join(n.alias for n in mine.module.present())
        raise ModuleNotFoundError(
            f"no notebook is called {alias!r}; there are: {known}", name=spec.name
        )

    def exec_module(self, module: types.ModuleType) -> None:
        """Do nothing: the notebook was executed when it was found."""


def changed() -> list[str]:
    """Return the imported notebooks that were saved since, once each."""
    names = []
    for path, time in _seen.items():
        try:
            now = path.stat().st_mtime_ns
        except OSError:
            continue
        if now != time:
            _seen[path] = now
            alias = path.stem.partition("_")[2]
            if f"ol.mine.{alias}" in sys.modules:
                names.append(path.name)
    return names


def watch() -> None:
    """Say before a cell runs that a notebook it imports from has changed."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is not None and not getattr(shell, "_ol_watches", False):
        shell._ol_watches = True
        shell.events.register("pre_run_cell", _before_cell)


def _before_cell(info: object) -> None:
    for name in changed():
        print(f"{name} changed: restart the kernel to use what it says now.")


sys.meta_path.insert(0, _Finder())
