"""Notebooks that are checked again whenever they are saved.

Times and sizes of the files are polled. A change counts once it has settled: two looks
in a row see the same, and the file can be read. So a half-written file, and one that is
gone for the moment in which an editor puts the new one in its place, are waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ol import checking, codes, course, paths
from ol.course import Check
from ol.source import read_notebook
from ol.verdict import Outcome

POLL_SECONDS = 0.2
PATIENCE_SECONDS = 2.0  # then a file that cannot be read is reported as it is

Stamp = tuple[int, int, int] | None


class Saved(Exception):
    """A notebook was saved while another check was running."""


class Folder:
    """The learner's notebooks, and which of them were saved since the last look."""

    def __init__(self, module: course.Module) -> None:
        folder = paths.work(module.id)
        self._files = {n.id: folder / f"{n.id}.ipynb" for n in module.present()}
        self._state = codes.state_file(folder)
        self._last = self._look()
        self._known = dict(self._last)
        self._since: dict[str, float] = {}

    def saved(self) -> list[str]:
        """Return the notebooks whose change has settled, the last saved one last."""
        now = self._look()
        moving = {id for id, stamp in now.items() if stamp != self._last[id]}
        self._last = now
        settled: list[str] = []
        for id, stamp in now.items():
            if stamp == self._known[id]:
                self._since.pop(id, None)
                continue
            began = self._since.setdefault(id, time.monotonic())
            if id not in moving and (_readable(self._files.get(id)) or _is_old(began)):
                self._known[id] = stamp
                self._since.pop(id, None)
                settled.append(id)
        return sorted(settled, key=lambda id: now[id] or (0, 0, 0))

    def latest(self) -> str:
        """Return the notebook that was saved last; nothing if none was since `start`,
        which writes the starter after the learner's copy.
        """
        times: dict[str, int] = {}
        for id, path in self._files.items():
            mine, starter = _stamp(path), _stamp(path.parent / ".starter" / path.name)
            if mine and starter and mine[0] > starter[0]:
                times[id] = mine[0]
        return max(times, key=lambda id: times[id], default="")

    def _look(self) -> dict[str, Stamp]:
        return {
            **{id: _stamp(path) for id, path in self._files.items()},
            "": _stamp(self._state),  # which notebooks are skipped
        }


def _stamp(path: Path) -> Stamp:
    try:
        stat = path.stat()
    except OSError:
        return None
    return (stat.st_mtime_ns, stat.st_size, stat.st_ino)


def _readable(path: Path | None) -> bool:
    if path is None:
        return True
    try:
        read_notebook(path)
    except paths.UsageError:
        return False
    return True


def _is_old(began: float) -> bool:
    return time.monotonic() - began > PATIENCE_SECONDS


@dataclass
class View:
    """What there is to see: one notebook in full, the others as numbers."""

    notebook: str = ""  # what the outcome is about
    outcome: Outcome | None = None  # None before the first check
    rest: dict[str, str] = field(default_factory=dict)  # notebook → "3/7"
    busy: str = ""  # what is being checked just now
    at: str = ""  # the time of the last check


class Watch:
    """One run of `ol watch`: `show` is called whenever there is something new."""

    def __init__(
        self,
        module: course.Module,
        only: course.Notebook | None,
        show: Callable[[View], None],
    ) -> None:
        self._module = module
        self._folder = Folder(module)
        self._only = only.id if only else ""
        self._show = show
        self._slow: set[str] = set()  # notebooks with an endless loop, until saved
        self._counts: dict[str, str] = {}
        self._current = self._only or self._folder.latest() or self._first()
        self.view = View()

    def _first(self) -> str:
        present = self._module.present()
        return next((n.id for n in present if n.checks), present[0].id)

    def run(self) -> None:
        """Check, wait for a save, and so on until Ctrl-C."""
        while True:
            try:
                self._check()
                self._check_rest()
                while not self._look():
                    time.sleep(POLL_SECONDS)
                    self._show(self.view)
            except Saved:
                continue

    def _look(self) -> bool:
        """Say whether something was saved; turn to the notebook that was."""
        saved = self._folder.saved()
        self._slow -= {*saved}
        if last := next((id for id in reversed(saved) if id), ""):
            self._current = self._only or last
        return bool(saved)

    def _progress(self, check: Check) -> None:
        """Tell what comes; a save in the meantime makes it pointless."""
        if self._look():
            raise Saved
        self.view.busy = check.name
        self._show(self.view)

    def _check(self) -> None:
        id = self._current
        outcome = checking.check(self._module, names=[id], progress=self._progress)
        self.view.notebook, self.view.outcome = id, outcome
        self._done(outcome)
        self.view.at = time.strftime("%H:%M:%S")
        self._show(self.view)

    def _check_rest(self) -> None:
        """Find out about the other notebooks, as far as it is not known."""
        left_out = {self.view.notebook, *self._slow}
        names = [n.id for n in self._module.present() if n.id not in left_out]
        if names:
            outcome = checking.check(self._module, names=names, progress=self._progress)
            self._done(outcome)
        self._show(self.view)

    def _done(self, outcome: Outcome) -> None:
        """Count what passes, notebook by notebook; what is not known anew stays."""
        for notebook in self._module.present():
            states = [
                v.state for v in outcome.verdicts if v.check.notebook == notebook.id
            ]
            if "timeout" in states:
                self._slow.add(notebook.id)
            if states:
                count = f"{states.count('pass')}/{len(states)}"
                skipped = {*states} == {"skipped"}
                self._counts[notebook.id] = "skipped" if skipped else count
        self.view.busy = ""
        self.view.rest = {
            notebook.id: self._counts.get(notebook.id, "…")
            for notebook in self._module.present()
            if notebook.checks and notebook.id != self.view.notebook
        }
