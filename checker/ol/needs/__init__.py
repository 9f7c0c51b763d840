"""`from ol.needs.L10_1 import sample`: a module that this one builds on.

The course has no notebooks for these modules (`[needed]` in course.toml names them), so
their reference stands in, a plain file in `solutions/`. In a kernel the import hook
below answers; in the checker `ol.implementation` does, with an instance of its own for
every implementation, so that a mutant planted in one is in no other.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Sequence

from ol import course

PREFIX = "ol.needs"


def spec_of(alias: str, name: str) -> importlib.machinery.ModuleSpec:
    """Return how to load the module of an alias (`L10_1`) under the name `name`.

    Raises ModuleNotFoundError where course.toml names no such module.
    """
    needed = {module.alias: module for module in course.load().needed.values()}
    if alias not in needed:
        known = ", ".join(needed) or "none"
        raise ModuleNotFoundError(
            f"there is no module {PREFIX}.{alias} (there: {known})", name=name
        )
    spec = importlib.util.spec_from_file_location(name, needed[alias].path)
    assert spec is not None  # the suffix is .py
    return spec


def instance(alias: str, name: str) -> types.ModuleType:
    """Return a fresh instance of a needed module, executed under the name `name`."""
    spec = spec_of(alias, name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up by name
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module


class _Finder(importlib.abc.MetaPathFinder):
    """Answers imports of `ol.needs.<alias>` with the file in `solutions/`."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(f"{PREFIX}."):
            return None
        return spec_of(fullname.removeprefix(f"{PREFIX}."), fullname)


sys.meta_path.insert(0, _Finder())
