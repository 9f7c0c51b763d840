"""Verdicts kept from earlier runs, by a key of everything that they depend on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ol import codes, paths
from ol.course import Check
from ol.verdict import REPEATABLE, Verdict


class Results:
    """A file of verdicts per (module, code); one that cannot be read or written is
    none.
    """

    def __init__(self, module: str, code: codes.Code, *, strict: bool) -> None:
        self._code = code
        self._base = _digest([module, code.name, str(strict), *_surroundings()])
        name = _digest([module, str(Path(code.name).resolve()), str(strict)])[:16]
        self._path = paths.cache() / "results" / f"{name}.json"
        self._kept: dict[str, dict[str, Any]] = {}
        with contextlib.suppress(OSError, ValueError):
            loaded = json.loads(self._path.read_text("utf-8"))
            if isinstance(loaded, dict):
                self._kept = loaded
        self._new: dict[str, dict[str, Any]] = {}

    def find(self, check: Check) -> Verdict | None:
        """Return what the same code got before, or None."""
        key = self._key(check)
        packed = self._kept.get(key)
        if packed is None:
            return None
        try:
            verdict = Verdict.unpack(check, packed)
        except (TypeError, AttributeError):  # by another version, or by hand
            return None
        if verdict.state not in REPEATABLE:
            return None
        self._new[key] = packed
        return verdict

    def keep(self, verdict: Verdict) -> None:
        """Remember a verdict that the same code would get again."""
        if verdict.state in REPEATABLE and self._code.package is None:
            self._new[self._key(verdict.check)] = verdict.pack()

    def save(self) -> None:
        """Write what was found or kept in this run, all at once."""
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({**self._others(), **self._new}, file)
            os.replace(name, self._path)

    def _others(self) -> dict[str, Any]:
        """Return kept verdicts of tests that this run did not ask about, some of
        them.
        """
        return dict(list(self._kept.items())[-200:])

    def _key(self, check: Check) -> str:
        parts = [self._base, check.name]
        for notebook_id, (cells, label) in self._code.chain.items():
            if notebook_id <= check.notebook:
                parts.append(label)
                parts += [cell.source for cell in cells if cell.kind == "code"]
        return _digest([*parts, *self._code.skipped])


def _digest(parts: Iterable[str]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(part.encode("utf-8", "surrogatepass"))
        total.update(b"\0")
    return total.hexdigest()


def _surroundings() -> Iterator[str]:
    """Name Python and every file of the checker, fixtures, course table and scripts."""
    yield sys.version
    top = paths.root()
    yield (top / "course.toml").read_text("utf-8")
    for folder in ("checker/ol", "checker/graded", "fixtures", "solutions"):
        for path in sorted((top / folder).rglob("*")):
            if path.suffix != ".pyc" and path.is_file():
                stat = path.stat()
                yield f"{path.relative_to(top)} {stat.st_size} {stat.st_mtime_ns}"
