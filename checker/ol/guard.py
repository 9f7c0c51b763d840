"""Notice code that changes the judge or Python under it: accidents and casual tricks.

`builtins.len = …`, a patched `ol.expect`, a patched `pytest`: the names and functions
of a few modules are remembered before the code runs and compared after every test. This
is not a defence against an adversary in the same process; the README says what is.
"""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any

from ol import expect  # noqa: F401  (loaded, so that it is watched)

_WATCHED = (
    "ol.expect", "ol.plain", "ol.failure", "ol.graded", "ol.judge", "ol.trace",
    "ol.verdict", "ol.automata", "ol.hand", "dataclasses", "numpy", "unittest",
    "pytest", "re", "json", "time",
)  # fmt: skip
_LEFT_ALONE = {"_", "__builtins__", "__warningregistry__", "In", "Out"}


class Guard:
    """A snapshot of the watched modules' names, and of their functions' code."""

    def __init__(self) -> None:
        self._builtins = dict(vars(builtins))
        self._modules = {
            name: module
            for name, module in list(sys.modules.items())
            if name in _WATCHED or name.startswith("ol.automata")
        }
        self._names = {name: dict(vars(m)) for name, m in self._modules.items()}
        self._codes = {
            (name, key): value.__code__
            for name, names in self._names.items()
            for key, value in names.items()
            if isinstance(value, types.FunctionType)
        }

    def mend(self) -> str:
        """Put back what was changed, so that the next test has an honest judge.

        Return the first name that was not what it had been, or an empty string.
        """
        found = self._mend_builtins()
        for name, key, original in self._differences():
            found = found or f"{name}.{key}"
            if isinstance(original, types.FunctionType):
                original.__code__ = self._codes[name, key]
            setattr(self._modules[name], key, original)
        return found

    def _mend_builtins(self) -> str:
        """Mend with nothing but syntax: any function used here may be a changed one."""
        found = ""
        now = builtins.__dict__
        for key, original in self._builtins.items():
            if key not in _LEFT_ALONE and (key not in now or now[key] is not original):
                now[key] = original
                found = found or "builtins." + key
        return found

    def _differences(self) -> list[tuple[str, str, Any]]:
        return [
            (name, key, original)
            for name, names in self._names.items()
            for key, original in names.items()
            if key not in _LEFT_ALONE
            and (
                vars(self._modules[name]).get(key) is not original
                or (
                    isinstance(original, types.FunctionType)
                    and original.__code__ is not self._codes[name, key]
                )
            )
        ]
