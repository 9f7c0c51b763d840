"""An implementation that is a Python package: constrain.py, tools.py, server.py."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

from ol import course
from ol.implementation import Missing
from ol.trace import LEARNER_FOLDERS

_loaded: dict[Path, dict[str, types.ModuleType]] = {}


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
        """Return the globals of the files that are there."""
        files = (_import(self.folder, name) for name in course.NAMESPACES)
        return [vars(module) for module in files if module is not None]


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
    modules = _loaded.setdefault(folder, {})
    if name not in modules:
        path = folder / f"{name}.py"
        if not path.exists():
            return None
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))  # for imports among its files
        LEARNER_FOLDERS.add(str(folder))
        full = f"_ol_package_{len(_loaded)}_{name}"
        spec = importlib.util.spec_from_file_location(full, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
        modules[name] = module
    return modules[name]
