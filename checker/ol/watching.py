"""Notebooks that are checked again whenever they are saved.

A newer save ends the check that runs: nobody waits for a verdict on code that is gone.

Times and sizes of the files are polled. A change counts once it has settled: two looks
in a row see the same, and the file can be read. So a half-written file, and one that is
gone for the moment in which an editor puts the new one in its place, are waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ol import checking, codes, course, paths
from ol.course import Check
from ol.run import spare
from ol.source import Cell, read_notebook
from ol.verdict import Outcome, Verdict

POLL_SECONDS = 0.1
PATIENCE_SECONDS = 2.0  # then a file that cannot be read is reported as it is

Stamp = tuple[int, int, int] | None
Sources = tuple[tuple[str, str], ...] | None  # (exercise or "", its code) per cell


class Saved(Exception):
    """A notebook was saved while another check was running."""


class Folder:
    """The learner's notebooks, and which of them were saved since the last look."""

    def __init__(self, module: course.Module) -> None:
        folder = paths.work(module.id)
        self._module = module
        self._files = {n.id: folder / f"{n.id}.ipynb" for n in module.present()}
        self._state = codes.state_file(folder)
        self._last = self._look()
        self._known = dict(self._last)
        self._since: dict[str, float] = {}
        self.waiting_for = ""  # the file whose change does not settle

    def saved(self) -> list[str]:
        """Return the notebooks whose change has settled, the last saved one last."""
        now = self._look()
        self.waiting_for = ""
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
            elif time.monotonic() - began > 3 * POLL_SECONDS:
                self.waiting_for = f"{id}.ipynb"
        return sorted(settled, key=lambda id: now[id] or (0, 0, 0))

    def code(self) -> codes.Code:
        """Return the code as it is saved now, or soon: while a file that cannot be
        read is new, it may be one that is just being written.
        """
        while True:
            code = codes.resolve(self._module, "work")
            times = [_stamp(self._files[id]) for id in code.unreadable]
            newest = max((stamp[0] for stamp in times if stamp), default=0)
            if time.time() - newest / 1e9 > PATIENCE_SECONDS:
                return code
            time.sleep(POLL_SECONDS)

    def sources(self, id: str) -> Sources:
        """Return the cells of a notebook as it is saved now; None: it cannot be
        read.
        """
        try:
            return _sources(read_notebook(self._files[id]))
        except paths.UsageError:
            return None

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


def _sources(cells: Iterable[Cell]) -> Sources:
    return tuple(
        (str(cell.name) if cell.role == "solution" else "", cell.source)
        for cell in cells
        if cell.kind == "code"
    )


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
    """What there is to see, of one notebook in full, of the others in numbers."""

    notebook: str  # what is judged, or was last
    known: dict[str, Verdict] = field(default_factory=dict)  # the newest of each check
    fresh: set[str] = field(default_factory=set)  # checks judged since the last save
    changed: list[str] = field(default_factory=list)  # exercises that save changed
    notes: list[str] = field(default_factory=list)
    outcome: Outcome | None = None  # of the notebook, once all of it is judged anew
    busy: str = ""  # what is being checked just now
    others: bool = False  # whether the other notebooks still are
    at: str = ""  # the time of the last check
    waiting_for: str = ""  # a saved file that cannot be read, or not yet


class Watch(checking.Progress):
    """One run of `ol watch`: `show` is called whenever there may be something new."""

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
        self._late: dict[str, Verdict] = {}  # checks with an endless loop, until a save
        self._code: codes.Code | None = None  # that is judged
        self._seen: dict[str, Sources] = {}  # its cells, by notebook
        self._judged: dict[str, str] = {}  # exercise → its cell when it was judged
        self.view = View(self._only or self._folder.latest() or self._first())

    def _first(self) -> str:
        present = self._module.present()
        return next((n.id for n in present if n.checks), present[0].id)

    def run(self) -> None:
        """Check, wait for a save, and so on until Ctrl-C."""
        while True:
            try:
                self._check()
                self._check_rest()
                spare.prepare()
                while not self._look():
                    time.sleep(POLL_SECONDS)
                    self._show(self.view)
            except Saved:
                continue

    def _look(self) -> list[str]:
        """Return what was saved; turn to the notebook that was."""
        saved = self._folder.saved()
        self.view.waiting_for = self._folder.waiting_for
        self._forget_late(saved)
        if last := next((id for id in reversed(saved) if id), ""):
            self.view.notebook = self._only or last
        return saved

    def _forget_late(self, saved: list[str]) -> None:
        """Drop what a save may have mended: what is in that notebook or behind it."""
        first = min(saved, default=None)
        for name, verdict in [*self._late.items()]:
            if first is not None and first <= verdict.check.notebook:
                del self._late[name]

    def waits(self) -> None:
        """End the check of code that is no more; saved outputs alone do not matter."""
        notebook = self.view.notebook
        for id in self._look():
            if not id or self._folder.sources(id) != self._seen.get(id):
                raise Saved
        if self.view.notebook != notebook:
            raise Saved
        if self.view.outcome is not None:  # what comes next is what is waited for
            spare.prepare()
        self._show(self.view)

    def noted(self, notes: list[str]) -> None:
        if self.view.outcome is None:
            self.view.notes = notes

    def begins(self, check: Check) -> None:
        self.view.busy = check.name
        self._show(self.view)

    def ends(self, verdict: Verdict) -> None:
        check = verdict.check
        self.view.busy = ""
        self.view.known[check.name] = verdict
        self.view.fresh.add(check.name)
        self._judged[check.name] = self._cell(check)
        if verdict.state == "timeout":
            self._late[check.name] = verdict
        self._show(self.view)

    def _check(self) -> None:
        """Judge the notebook that is shown; first what the last save changed."""
        view = self.view
        code = self._code = self._folder.code()
        self._seen = {id: _sources(cells) for id, (cells, _) in code.chain.items()}
        checks = [c for n in self._module.present() for c in n.checks]
        judged = [check for check in checks if check.name in self._judged]
        view.changed = [c.name for c in judged if self._judged[c.name] != self._cell(c)]
        view.outcome, view.busy, view.fresh = None, "", set()
        view.others = False
        self._show(view)
        outcome = self._judge([view.notebook])
        view.outcome, view.notes = outcome, outcome.notes
        view.at = time.strftime("%H:%M:%S")
        self._show(view)

    def _judge(self, names: list[str]) -> Outcome:
        return checking.check(
            self._module,
            names=names,
            first=self.view.changed,
            code=self._code,
            progress=self,
            known=self._late,  # or each would cost its seconds again and again
        )

    def _cell(self, check: Check) -> str:
        """Return the cell of an exercise, as it is judged."""
        cells = self._seen.get(check.notebook) or ()
        return next((text for name, text in cells if name == check.name), "")

    def _check_rest(self) -> None:
        """Find out about the other notebooks, as far as it is not known."""
        names = [n.id for n in self._module.present() if n.id != self.view.notebook]
        self.view.others = bool(names)
        if names:
            self._judge(names)
        self.view.others = False
        self.view.fresh |= {*self.view.known}
        self.view.at = time.strftime("%H:%M:%S")
        self._show(self.view)
