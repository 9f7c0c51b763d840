"""The child of `ol mutants`: plants mistakes in one loaded implementation.

Started as `python -P -m ol.run.plants`; the job is one JSON line on stdin, what is
found are JSON lines on the original standard output. The code is loaded once. First
every test runs without a mistake, to see that it passes and which of the mutants'
targets it calls. Then every mutant gets a copy of this process, made by fork: what it
breaks, or keeps in a cache, is gone with it.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import selectors
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from ol import codes, course
from ol.course import Check
from ol.graded import Views, run_functions
from ol.judge import Judge
from ol.mutants import (
    CATALOGUE,
    CannotPlantError,
    Mutant,
    forget_caches,
    noting,
    plant_in,
    witness_changed,
)
from ol.run.child import limit

WORKERS = 2


class Stage:
    """An implementation to plant mistakes in, and the tests that look at it."""

    def __init__(self, judge: Judge, module: course.Module) -> None:
        self._judge = judge
        self._module = module
        self._code = judge.own()
        self.spaces = self._code.namespaces()

    def run(self, check: Check) -> str:
        """Return the state of one test on the code as it is now."""
        forget_caches(self.spaces)
        names = course.NAMESPACES
        views: Views = dict(zip(names, self._code.view(check.notebook), strict=True))
        return run_functions(check, self._judge.functions(check), views).state

    @contextlib.contextmanager
    def recorded(self, targets: Sequence[str]) -> Iterator[set[str]]:
        """Note which targets are called while the block runs."""
        called: set[str] = set()
        with contextlib.ExitStack() as planted:
            for target in targets:
                with contextlib.suppress(CannotPlantError):
                    planted.enter_context(plant_in(self.spaces, noting(target, called)))
            yield called

    def plant(
        self, mutant: Mutant, checks: Sequence[Check]
    ) -> Iterator[dict[str, Any]]:
        """Yield each test's state with the mistake in, or that it cannot be planted."""
        forget_caches(self.spaces)
        if not witness_changed(mutant, self.spaces):
            yield {"mutant": mutant.id, "planted": False}
            return
        with plant_in(self.spaces, mutant):
            for check in checks:
                yield {"mutant": mutant.id, "test": check.name, "started": True}
                state = self.run(check)
                yield {"mutant": mutant.id, "test": check.name, "state": state}


def baseline(
    stage: Stage, checks: Sequence[Check], targets: Sequence[str]
) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Return each test's state without a mistake, and the targets that it calls."""
    states, calls = {}, {}
    for check in checks:
        with stage.recorded(targets) as called:
            states[check.name] = stage.run(check)
        calls[check.name] = called
    return states, calls


def in_a_copy(work: Callable[[], Iterator[dict[str, Any]]]) -> tuple[int, IO[str]]:
    """Let a copy of this process do the work; return its id and what it says."""
    readable, writable = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writable)
        return pid, os.fdopen(readable, "r", encoding="utf-8")
    os.close(readable)
    try:
        with os.fdopen(writable, "w", encoding="utf-8") as out:
            for found in work():
                out.write(json.dumps(found) + "\n")
                out.flush()
    finally:
        os._exit(0)


class Workers:
    """At most `WORKERS` copies at a time; one that is silent too long is ended."""

    def __init__(self, emit: Callable[[dict[str, Any]], None], seconds: float) -> None:
        self._emit = emit
        self._seconds = seconds
        self._running: dict[IO[str], tuple[int, str, float]] = {}
        self._test: dict[str, str] = {}  # mutant → the test that was begun last
        self._waiting = selectors.DefaultSelector()

    def start(self, id: str, work: Callable[[], Iterator[dict[str, Any]]]) -> None:
        while len(self._running) >= WORKERS:
            self.listen()
        pid, words = in_a_copy(work)
        self._running[words] = (pid, id, time.monotonic() + self._seconds)
        self._waiting.register(words, selectors.EVENT_READ)

    def finish(self) -> None:
        while self._running:
            self.listen()

    def listen(self) -> None:
        """Pass on what the copies say; end those that are over their time."""
        for key, _ in self._waiting.select(timeout=0.2):
            words: Any = key.fileobj
            pid, id, _ = self._running[words]
            line = words.readline()
            if line:
                found = json.loads(line)
                self._test[id] = found.get("test", "")
                self._emit(found)
                deadline = time.monotonic() + self._seconds
                self._running[words] = (pid, id, deadline)
            else:
                self._end(words, {"mutant": id, "done": True})
        now = time.monotonic()
        for words, (_, id, deadline) in list(self._running.items()):
            if now > deadline:
                late = {"late": True, "running": self._test.get(id, "")}
                self._end(words, {"mutant": id, "done": True, **late})

    def _end(self, words: IO[str], last: dict[str, Any]) -> None:
        pid, _, _ = self._running.pop(words)
        self._waiting.unregister(words)
        words.close()
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        self._emit(last)


def _job() -> tuple[IO[str], dict[str, Any]]:
    """Return where to answer, and the job; the code's own words go nowhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="backslashreplace")
    job = json.loads(sys.stdin.readline())
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    return answers, job


def main() -> None:
    """Do one job and end."""
    answers, job = _job()
    limit(job["memory_mb"], job["folder"])

    def emit(found: dict[str, Any]) -> None:
        answers.write(json.dumps(found) + "\n")
        answers.flush()

    module = course.load().module(job["module"])
    stage = Stage(Judge(module, codes.resolve(module, job["code"])), module)
    checks = [module.check(name) for name in job["tests"]]
    mutants = [CATALOGUE[id] for id in job["mutants"]]
    targets = sorted({mutant.target for mutant in mutants})
    states, calls = baseline(stage, checks, targets)
    emit({"baseline": states})
    workers = Workers(emit, job["seconds"])
    for mutant in mutants:
        own = module.check(module.mutants[mutant.id])
        others = [check for check in checks if check != own and job["matrix"]]
        seen = [
            check
            for check in (own, *others)
            if states[check.name] == "pass" and mutant.target in calls[check.name]
        ]
        workers.start(mutant.id, functools.partial(stage.plant, mutant, seen))
    workers.finish()
    sys.exit(0)


if __name__ == "__main__":
    main()
