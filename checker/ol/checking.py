"""`ol check`: decide what to run, in which order, and what each result means for the
rest.

Step checks come first, notebook by notebook; a named test runs only when every exercise
of its chain passes, and otherwise is `waiting` for the first that does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ol import codes, course, paths
from ol.course import Check
from ol.results import Results
from ol.run.parent import Runner
from ol.source import Cell
from ol.verdict import Outcome, Verdict

_DIAGNOSIS_SECONDS = 5.0  # at most, for one wrong answer
_PATIENCE_SECONDS = 10.0  # for all of one call


class Progress:
    """Is told how a check gets on; what any of the methods raises ends the check."""

    def noted(self, notes: list[str]) -> None:
        """Hear what there is to say of the notebooks, before anything runs."""

    def begins(self, check: Check) -> None:
        """Hear that a test runs now (one whose result is known does not)."""

    def ends(self, verdict: Verdict) -> None:
        """Hear what came of a test."""

    def waits(self) -> None:
        """Be called about ten times a second while a test runs."""


def check(
    module: course.Module,
    code_name: str = "work",
    names: Sequence[str] = (),
    *,
    strict: bool = False,
    fresh: bool = False,
    first: Sequence[str] | None = None,
    code: codes.Code | None = None,
    progress: Progress | None = None,
    known: Mapping[str, Verdict] = MappingProxyType({}),
    stop: Callable[[Verdict], bool] = lambda verdict: False,
) -> Outcome:
    """Judge the named tests, exercises and notebooks of a module (all, if none is
    named), up to the first verdict at which to `stop`. With a list of checks that come
    `first`, what is known without running comes even before them. `known` holds
    verdicts on this very code, by name: those checks are not run.
    """
    code = codes.resolve(module, code_name)
    wanted = select(module, code, names)
    results = Results(module.id, code, strict=strict)
    progress = progress or Progress()
    notes = _notes(module, code, wanted)
    progress.noted(notes)
    session = _Session(module, code, results, progress, strict=strict, fresh=fresh)
    session.verdicts.update(known)
    try:
        with session.runner:
            for check in session.ordered(wanted, first):
                verdict = session.verdict(check)
                progress.ends(verdict)
                if stop(verdict):
                    break
    finally:  # an interrupted run is not lost
        results.save()
    found = session.verdicts
    verdicts = [found[check.name] for check in wanted if check.name in found]
    notes = untold(notes, verdicts) + [
        f"{cell} hangs or ends the process when it is executed: it was left out"
        for cell in session.runner.broken
    ]
    return Outcome(module.id, code_name, verdicts, notes, session.kept)


def select(
    module: course.Module, code: codes.Code, names: Sequence[str]
) -> list[Check]:
    """Return the checks that a list of test, exercise and notebook names means."""
    checks = [c for c in module.checks() if code.only in (None, c.notebook)]
    if not names:
        return checks
    wanted: set[str] = set()
    for name in names:
        if any(check.name == name for check in module.checks()):
            wanted.add(name)
            continue
        try:
            notebook = module.notebook(name)
        except paths.UsageError:
            module.check(name)  # raises, with the names that come near
            raise
        wanted |= {check.name for check in notebook.checks}
    return [check for check in checks if check.name in wanted]


class _Session:
    """The verdicts of one call, each found once."""

    def __init__(
        self,
        module: course.Module,
        code: codes.Code,
        results: Results,
        progress: Progress,
        *,
        strict: bool,
        fresh: bool,
    ) -> None:
        self.module = module
        self.code = code
        self.verdicts: dict[str, Verdict] = {}
        self.kept = 0
        self.runner = Runner(
            module,
            code,
            strict=strict,
            memory_mb=course.load().memory_mb,
            idle=progress.waits,
        )
        self._progress = progress
        self._results = results
        self._fresh = fresh
        self._patience = _PATIENCE_SECONDS

    def verdict(self, check: Check) -> Verdict:
        if check.name not in self.verdicts:
            self.verdicts[check.name] = self._without_running(check) or self._run(check)
        return self.verdicts[check.name]

    def ordered(
        self, checks: Sequence[Check], first: Sequence[str] | None
    ) -> Sequence[Check]:
        """Return the checks in the order in which they are judged."""
        if first is None:
            return checks
        known = [c.name for c in checks if not self._fresh and self._results.find(c)]
        order = [*known, *first]
        return sorted(
            checks,
            key=lambda c: order.index(c.name) if c.name in order else len(order),
        )

    def _run(self, check: Check) -> Verdict:
        if not self._fresh and (verdict := self._results.find(check)):
            self.kept += 1
            return verdict
        self._progress.begins(check)
        verdict = self.runner.run(check)
        if verdict.state == "wrong":
            verdict.behaves_like = self._diagnosed(check)
        if not self.runner.broken:  # what is left out is to be said every time
            self._results.keep(verdict)
        return verdict

    def _diagnosed(self, check: Check) -> list[str]:
        """Ask for the known mistake behind a wrong answer, while there is time."""
        if self._patience <= 0:
            return []
        started = time.monotonic()
        found = self.runner.behaves_like(check, min(self._patience, _DIAGNOSIS_SECONDS))
        self._patience -= time.monotonic() - started
        return found

    def _without_running(self, check: Check) -> Verdict | None:
        """Return the verdict of a test that there is no sense in running."""
        notebook, code = check.notebook, self.code
        if not self.module.is_present(notebook):
            return Verdict(check, "absent", why="its notebook is not in the course yet")
        if code.package is not None:
            return None
        if notebook in code.skipped:
            return Verdict(
                check, "skipped", why="the reference stands in for its notebook"
            )
        if notebook in code.unreadable:
            why, file = code.unreadable[notebook], f"{notebook}.ipynb"
            return Verdict(check, "error", why=why, file=file)
        if notebook not in code.chain:
            file = f"{notebook}.ipynb" if code.chain else ""  # before `start`: all
            why = f"{notebook}.ipynb is not there"
            return Verdict(check, "not_written", why=why, file=file)
        if check.kind != "step":
            return self._waiting(check)
        if code.name != "ref" and codes.is_untouched(self.module, code, check):
            return Verdict(
                check, "not_written", why=f"`{check.name}` is not written yet"
            )
        return None

    def _waiting(self, check: Check) -> Verdict | None:
        for notebook_id in codes.chain_of(self.module, check.notebook):
            for exercise in self.module.notebook(notebook_id).exercises:
                before = self.verdict(self.module.check(exercise.name))
                if before.state not in ("pass", "skipped"):
                    why = f"needs `{exercise.name}` of {notebook_id}, which is "
                    return Verdict(check, "waiting", why=why + words(before.state))
        return None


def words(state: str) -> str:
    """Return a state as words within a sentence."""
    return {
        "not_written": "not written yet",
        "wrong": "not right yet",
        "error": "failing with an error",
        "timeout": "too slow or endless",
        "pass": "passed",
    }.get(state, state)


def _missing(module: course.Module, code: codes.Code) -> list[str]:
    """Say which notebooks are gone, where some are there."""
    if code.name != "work" or not (code.chain or code.unreadable):
        return []
    return [
        f"{notebook.id}.ipynb is not in {paths.shown(code.folder)} (any more?): "
        f"{paths.command()} start brings the starter; older copies of yours may lie in "
        ".ipynb_checkpoints or .backup"
        for notebook in module.present()
        if notebook.id not in code.chain and notebook.id not in code.unreadable
    ]


def _notes(
    module: course.Module, code: codes.Code, wanted: Sequence[Check]
) -> list[str]:
    """Return what the extractor has to say about the notebooks up to the last that is
    wanted, one line each.
    """
    from ol.implementation import Implementation

    if code.package is not None or code.name == "ref":
        return []
    notes = _missing(module, code)
    implementation = Implementation(module, code.chain)
    last = max((check.notebook for check in wanted), default="")
    for notebook_id, (cells, label) in code.chain.items():
        if notebook_id > last:
            continue
        extraction = implementation.extraction(notebook_id)
        notes += [
            f"{extraction.filename(piece)}, line {error.lineno}: "
            f"SyntaxError: {error.msg}"
            for piece, error in extraction.errors
        ]
        notes += [f"{label}: {note}" for note in extraction.notes]
        notes += [f"{label}: {note}" for note in _copies(cells)]
    return notes


def _copies(cells: Sequence[Cell]) -> Iterator[str]:
    """Name the cells that were copied together with their nbgrader metadata."""
    ids = [(c.name, c.role) for c in cells if c.role in ("solution", "check")]
    for name, role in sorted({pair for pair in ids if ids.count(pair) > 1}):
        places = [c.place for c in cells if (c.name, c.role) == (name, role)]
        yield (
            f"{' and '.join(places)} are copies of one {role} cell, `{name}`: the last "
            "one counts here, nbgrader refuses such a notebook. Delete one."
        )


def untold(notes: list[str], verdicts: list[Verdict]) -> list[str]:
    """Leave out the notes that a verdict says already."""
    told = [verdict.why for verdict in verdicts]
    return [note for note in notes if not any(note in why for why in told)]
