"""The parent: asks a child about one test at a time and outlives whatever happens."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from ol import paths, trace
from ol.codes import Code
from ol.course import Check, Module
from ol.failure import Failure
from ol.mutants import CATALOGUE
from ol.run import parcel, places, spare
from ol.verdict import Verdict, too_long

Idle = Callable[[], None]
_POLL_SECONDS = 0.1
_START_SECONDS = 60.0  # on a cold disk; no learner code runs before the first question
_GRACE_SECONDS = 2.0  # the child ends itself at the limit and says where it was
_LONGEST_ANSWER = 10_000_000


class Runner:
    """Judges checks in child processes; use as a context manager.

    A test that runs over its limit is `timeout`, one whose process ends is `error`, and
    the next question goes to a new child. A cell that did it while it was executed is
    left out from then on, so that the exercises of other cells get their verdicts.
    `idle` is called often while a child is waited for; what it raises ends the wait.
    """

    def __init__(
        self, module: Module, code: Code, *, strict: bool, memory_mb: int, idle: Idle
    ) -> None:
        self.broken: list[str] = []  # cells left out, by their names in tracebacks
        self._job = {
            "module": module.id,
            "code": parcel.pack(code),
            "strict": strict,
            "memory_mb": memory_mb,
            "broken": self.broken,
        }
        trace.LEARNER_FOLDERS.add(str(Path(code.folder).resolve()))
        self._module, self._code = module, code
        self._idle = idle
        self._child: _Child | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def run(self, check: Check) -> Verdict:
        """Judge one check; a ToolError if the judge itself fails."""
        if self._child is None:
            self._child = _Child(self._job, self._idle)
        answer = self._child.ask({"test": check.name}, check.seconds)
        if "tool" in answer:
            raise paths.ToolError(answer["tool"])
        if "verdict" in answer:
            return Verdict.unpack(check, answer["verdict"])
        dump = self._child.dump()
        self._end()
        why = answer.get("why") or too_long(check)
        failure = Failure(
            input=places.asked(dump),
            yours=why,
            cause=places.where(dump, check, self._code, self._module),
        )
        verdict = Verdict(check, answer["state"], answer["seconds"], why, failure)
        frames = trace.dumped_frames(dump)
        executed = [file for file, _, name in frames if name == "<module>"]
        if not executed or executed[0] in self.broken:
            return verdict
        self.broken.append(executed[0])
        without = self.run(check)
        return verdict if without.state == "error" else without

    def behaves_like(self, check: Check, seconds: float) -> list[str]:
        """Return the known mistakes that the code behaves like; none in doubt."""
        if self._child is None:
            self._child = _Child(self._job, self._idle)
        question = {"test": check.name, "diagnose": True}
        answer = self._child.ask(question, seconds)
        if "tool" in answer:
            raise paths.ToolError(answer["tool"])
        if "behaves_like" not in answer:
            self._end()
        known = answer.get("behaves_like", ())
        return [id for id in known if id in CATALOGUE]

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None


class _Child:
    """One child process with threads that read what it says."""

    def __init__(self, job: dict[str, Any], idle: Idle) -> None:
        self._idle = idle
        handle, name = tempfile.mkstemp(prefix="ol-", suffix=".trace")
        os.close(handle)
        self._dump = Path(name)
        self._process = spare.take()
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._open = True  # its output
        self._token = ""
        self._stderr = ""
        assert self._process.stdout is not None and self._process.stderr is not None
        for target, stream in (
            (self._read_answers, self._process.stdout),
            (self._read_stderr, self._process.stderr),
        ):
            threading.Thread(target=target, args=(stream,), daemon=True).start()
        self._send({**job, "dump": name})
        try:
            self._wait_until_ready()
        except BaseException:
            self.kill()
            raise

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return the answer, or {"state", "why", "seconds"} where none came."""
        started = time.monotonic()
        self._send({**question, "seconds": seconds})
        line, code = self._hear(seconds + _GRACE_SECONDS)
        took = time.monotonic() - started
        if line is not None:
            try:
                answer: dict[str, Any] = json.loads(line)
                return answer
            except ValueError:
                why = "its answer was overwritten by something that the code wrote"
                return {"state": "error", "why": why, "seconds": took}
        if code is None or took >= seconds:
            return {"state": "timeout", "seconds": took}
        return {"state": "error", "why": self._ended_text(code), "seconds": took}

    def _hear(self, seconds: float) -> tuple[str | None, int | None]:
        """Return an answer or the exit code, two None when time runs out."""
        deadline = time.monotonic() + seconds
        while (rest := deadline - time.monotonic()) > 0:
            self._idle()
            with contextlib.suppress(queue.Empty, subprocess.TimeoutExpired):
                if self._open:
                    line = self._answers.get(timeout=min(rest, _POLL_SECONDS))
                    if line is not None:
                        return line, None
                    self._open = False
                # The output is closed; the process may still run.
                return None, self._process.wait(min(rest, _POLL_SECONDS))
        return None, None

    def dump(self) -> str:
        """Return what faulthandler wrote of the end."""
        try:
            return self._dump.read_text("utf-8", errors="replace")
        except OSError:
            return ""

    def kill(self) -> None:
        """End the child and everything that it started."""
        spare.kill(self._process)
        self._dump.unlink(missing_ok=True)

    def _wait_until_ready(self) -> None:
        line, code = self._hear(_START_SECONDS)
        if line is not None:
            return
        if code is None:
            text = f"the child process did not start within {_START_SECONDS:g} s"
        else:
            text = f"the child process ended at start:\n{self._stderr}"
        raise paths.ToolError(text)

    def _ended_text(self, code: int) -> str:
        if code == -9:
            return "the process was ended by signal 9 (killed: out of memory?)"
        if code < 0:
            return f"the process was ended by signal {-code}"
        lines = self._stderr.strip().splitlines()
        tail = f": {lines[-1][:200]}" if code and lines else ""
        return f"the process ended itself with exit code {code} (os._exit?){tail}"

    def _send(self, message: dict[str, Any]) -> None:
        """Send a message; only what comes back with its token is the answer to it."""
        self._token = secrets.token_hex(8)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(
                json.dumps({**message, "token": self._token}) + "\n"
            )
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended; the reader says so

    def _read_answers(self, stream: IO[str]) -> None:
        while line := stream.readline(_LONGEST_ANSWER):
            token, _, answer = line.partition(" ")
            if token == self._token:
                self._answers.put(answer)
        self._answers.put(None)

    def _read_stderr(self, stream: IO[str]) -> None:
        while chunk := stream.read(4096):
            self._stderr = (self._stderr + chunk)[-4096:]
