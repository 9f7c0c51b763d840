"""The parent: asks a child about one test at a time and outlives whatever happens to
it.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from typing import IO, Any

from ol import paths
from ol.course import Check
from ol.verdict import Verdict

_START_SECONDS = (
    60.0  # a cold disk; learner code does not run before the first question
)


class Runner:
    """Judges checks in child processes; use as a context manager.

    A test that runs over its limit is `timeout`, one whose process ends is `error`, and
    the next question goes to a new child.
    """

    def __init__(
        self, module: str, code: str, folder: str, *, strict: bool, memory_mb: int
    ) -> None:
        self._job = {
            "module": module,
            "code": code,
            "folder": folder,
            "strict": strict,
            "memory_mb": memory_mb,
        }
        self._child: _Child | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def run(self, check: Check) -> Verdict:
        """Judge one check; a ToolError if the judge itself fails."""
        if self._child is None:
            self._child = _Child(self._job)
        answer = self._child.ask({"test": check.name}, check.seconds)
        if answer is None:
            self._end()
            why = f"it ran longer than {check.seconds:g} s: an endless loop?"
            return Verdict(check, "timeout", check.seconds, why)
        if "ended" in answer:
            stderr = self._child.stderr_tail()
            self._end()
            return Verdict(check, "error", why=_ended_text(answer["ended"], stderr))
        if "tool" in answer:
            raise paths.ToolError(answer["tool"])
        return Verdict.unpack(check, answer["verdict"])

    def _end(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None


def _ended_text(code: int, stderr: str) -> str:
    if code < 0:
        text = f"the process was ended by signal {-code}"
        if code == -9:
            text += " (killed: out of memory?)"
        return text
    tail = f": {stderr.strip().splitlines()[-1]}" if code and stderr.strip() else ""
    return f"the process ended itself with exit code {code} (os._exit, exit?){tail}"


class _Child:
    """One child process with a thread that reads its answers."""

    def __init__(self, job: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "ol.run.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=_environment(),
            start_new_session=os.name != "nt",  # so that grandchildren end with it
        )
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._stderr = ""
        assert self._process.stdout is not None and self._process.stderr is not None
        for target, stream in (
            (self._read_answers, self._process.stdout),
            (self._read_stderr, self._process.stderr),
        ):
            threading.Thread(target=target, args=(stream,), daemon=True).start()
        self._send(job)
        self._wait_until_ready()

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any] | None:
        """Return the answer, {"ended": exit code}, or None when time runs out."""
        self._send(question)
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            return {"ended": self._process.wait()}
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def kill(self) -> None:
        """End the child and everything that it started."""
        try:
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, 9)
        except (OSError, ProcessLookupError):
            pass
        self._process.wait()

    def _wait_until_ready(self) -> None:
        try:
            line = self._answers.get(timeout=_START_SECONDS)
        except queue.Empty:
            self.kill()
            raise paths.ToolError(
                f"the child process did not start within {_START_SECONDS:g} s"
            ) from None
        if line is None:
            self.kill()
            raise paths.ToolError(f"the child process ended at start:\n{self._stderr}")

    def stderr_tail(self) -> str:
        return self._stderr

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has ended; the reader says so

    def _read_answers(self, stream: IO[str]) -> None:
        for line in stream:
            self._answers.put(line)
        self._answers.put(None)

    def _read_stderr(self, stream: IO[str]) -> None:
        while chunk := stream.read(4096):
            self._stderr = (self._stderr + chunk)[-4096:]


def _environment() -> dict[str, str]:
    """Threads that spin cost more than they give on a few cores; hashes stay equal."""
    return {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
    }
