"""Graded functions: import them, call them, and say what came of it.

A test function that returns passes; a `Mismatch` is a wrong answer; anything else that
it raises is told as what it is, an exercise that is not written included.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import io
import re
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

from ol import asked, course, paths
from ol.course import Check
from ol.failure import Failure, Mismatch, OutOfTime, shorten
from ol.implementation import CellFailed, Missing
from ol.trace import learner_frames, where
from ol.verdict import Verdict, too_long

TestFunction = Callable[..., None]
Views = dict[str, Any]  # argument name of a graded test → namespace
_BAD_CALL = re.compile(r"[\w.<>]+\(\) (takes|missing|got) ")  # what Python says of it


def graded_functions(
    module: course.Module, notebook_id: str
) -> list[tuple[str, TestFunction]]:
    """Import a file of `checker/graded/`; a ToolError if it does not import."""
    path = paths.graded(module.id) / f"test_{notebook_id}.py"
    name = f"_ol_graded_{module.id.replace('.', '_')}_{notebook_id}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    try:
        spec.loader.exec_module(loaded)
    except Exception as error:
        raise paths.ToolError(
            f"{paths.shown(path)} does not load: {error!r}"
        ) from error
    return [
        (key, value)
        for key, value in vars(loaded).items()
        if key.startswith("test_") and isinstance(value, types.FunctionType)
    ]


def run_functions(
    check: Check, functions: list[tuple[str, TestFunction]], views: Views
) -> Verdict:
    """Call the functions of a check in order; the first that fails decides."""
    started = time.perf_counter()
    printed = BoundedText()
    with printed.captured():
        verdict = Verdict(check, "pass")
        for _, function in functions:
            arguments = {
                name: views[name] for name in inspect.signature(function).parameters
            }
            try:
                function(**arguments)
            except OutOfTime as error:  # a kernel's alarm
                verdict = _out_of_time(check, error)
                break
            except (KeyboardInterrupt, paths.ToolError):
                raise
            except BaseException as error:  # SystemExit of learner code included
                verdict = judge_error(check, error)
                break
    verdict.seconds = time.perf_counter() - started
    verdict.printed = printed.getvalue()
    return verdict


def judge_error(check: Check, error: BaseException) -> Verdict:
    """Turn what a graded function raised into a verdict."""
    if isinstance(error, Mismatch):
        why = error.failure.cause or error.failure.first_difference
        return Verdict(
            check, "wrong", why=why or "a wrong answer", failure=error.failure
        )
    frames = learner_frames(error)
    if isinstance(error, NotImplementedError):
        exercise = frames[-1].name if frames else check.name
        if exercise == check.name:
            return Verdict(check, "not_written", why=f"`{exercise}` is not written yet")
        return Verdict(
            check, "waiting", why=f"it calls `{exercise}`, which is not written yet"
        )
    if isinstance(error, Missing):
        return Verdict(check, error.state, why=str(error))
    if isinstance(error, CellFailed):
        return Verdict(check, "error", why=f"cannot be executed: {error}")
    return Verdict(
        check, "error", why=_error_text(error), failure=_error_failure(check, error)
    )


def _out_of_time(check: Check, error: OutOfTime) -> Verdict:
    why = too_long(check)
    failure = Failure(_asked(error), why, cause=where(error, check.name))
    return Verdict(check, "timeout", why=why, failure=failure)


def _asked(error: BaseException) -> str:
    try:
        return asked.of_traceback(error.__traceback__)
    except Exception:  # the code may have changed what that needs
        return ""


def _error_text(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "it ran out of memory"
    if isinstance(error, SystemExit):
        return "it called sys.exit()"
    text = f"{type(error).__name__}: {shorten(_text_of(error), 200)}"
    if not learner_frames(error):
        if isinstance(error, TypeError) and _BAD_CALL.match(_text_of(error)):
            return f"it cannot be called like that: {text}"
        return f"the test could not use what came back: {text}"
    return text


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # the code's own class of errors may be wrong, too
        return "(its text cannot be shown)"


def _error_failure(check: Check, error: BaseException) -> Failure:
    return Failure(_asked(error), _error_text(error), cause=where(error, check.name))


class BoundedText(io.TextIOBase):
    """A text stream that keeps the beginning and only counts the rest."""

    def __init__(self, limit: int = 2_000) -> None:
        self._parts: list[str] = []
        self._limit = limit
        self._length = 0

    def write(self, text: str) -> int:
        if self._length < self._limit:
            self._parts.append(text[: self._limit - self._length])
        self._length += len(text)
        return len(text)

    def writable(self) -> bool:
        return True

    def getvalue(self) -> str:
        text = "".join(self._parts)
        if self._length > self._limit:
            text += f"… ({self._length:,} characters printed)"
        return text

    @contextlib.contextmanager
    def captured(self) -> Iterator[None]:
        """Take what is printed, on both streams, while the block runs."""
        with contextlib.redirect_stdout(self), contextlib.redirect_stderr(self):
            yield
