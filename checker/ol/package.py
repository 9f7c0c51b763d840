"""An implementation that is a Python package: constrain.py, tools.py, server.py."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

from ol import course
from ol.implementation import Missing
from ol.trace import LEARNER_FOLDERS

_packages: dict[Path, types.ModuleType] = {}


class PackageImplementation:
    """The three namespaces of a folder; a name that it does not have is `Missing`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.constrain, self.tools, self.server = self.view()

    def view(self, upto: str | None = None) -> tuple[Any, Any, Any]:
        constrain, tools, server = (
            PackageNamespace(self.folder, name) for name in course.NAMESPACES
        )
        return constrain, tools, server

    def namespaces(self) -> list[dict[str, Any]]:
        """Return the globals of the three files and of those that they import, those
        of the three last: what they define is public.
        """
        public = [m for n in course.NAMESPACES if (m := _import(self.folder, n))]
        prefix = f"{_packages[self.folder].__name__}."
        inner = [m for name, m in sys.modules.items() if name.startswith(prefix)]
        return [vars(m) for m in (*(m for m in inner if m not in public), *public)]


class PackageNamespace:
    """One file of the package, imported at its first use."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        module = _import(self._folder, self._name)
        if module is None or not hasattr(module, name):
            raise Missing(f"{self._name}.py has no `{name}`", "absent")
        return getattr(module, name)


def _import(folder: Path, name: str) -> types.ModuleType | None:
    """Return a file of the folder as a module of a package of its own.

    Its files may import each other with or without the dot.
    """
    if not (folder / f"{name}.py").exists():
        return None
    if folder not in _packages:
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        LEARNER_FOLDERS.add(str(folder))
        package = types.ModuleType(f"_ol_package_{len(_packages)}")
        package.__path__ = [str(folder)]
        sys.modules[package.__name__] = package
        _packages[folder] = package
    return importlib.import_module(f"{_packages[folder].__name__}.{name}")
