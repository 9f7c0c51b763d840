"""Run graded tests against code, in this process, and say what came of each.

The checker calls this in a child process (`ol.run`), a notebook in its kernel
(`ol.kernel`): the same test functions, the same verdicts.
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
from collections.abc import Callable, Collection, Iterator
from typing import Any

from ol import asked, codes, course, paths
from ol.assist import assisted
from ol.course import Check
from ol.failure import Failure, Mismatch, OutOfTime, shorten
from ol.guard import Guard
from ol.implementation import CellFailed, Implementation, Missing, Overlay
from ol.package import PackageImplementation
from ol.trace import learner_frames, where
from ol.verdict import Verdict, too_long

TestFunction = Callable[..., None]
Views = dict[str, Any]  # argument name of a graded test → namespace
_BAD_CALL = re.compile(r"[\w.<>]+\(\) (takes|missing|got) ")  # what Python says of it
_EXCEPTION = Exception  # the name in the builtins may be a changed one


class Judge:
    """Judges the checks of one module against one `Code`.

    A step check gets reference steps for everything before its exercise unless
    `strict`; a named test runs the code's own chain. `broken` cells are left out,
    `overlay` plants mutants (see `ol.implementation`).
    """

    def __init__(
        self,
        module: course.Module,
        code: codes.Code,
        *,
        strict: bool = False,
        broken: Collection[str] = (),
        overlay: Overlay | None = None,
    ) -> None:
        self.module = module
        self.code = code
        self.strict = strict
        self._broken = frozenset(broken)
        self._overlay = overlay
        self._reference = codes.reference(module)
        self._own: Implementation | None = None
        self._tests: dict[str, list[tuple[str, TestFunction]]] = {}
        self._guard = Guard()

    def run(self, check: Check) -> Verdict:
        """Judge one check; only a fault of the tool itself gets out as an exception."""
        functions = self.functions(check)
        verdict, fault = None, None
        try:
            verdict = self._judged(check, functions)
        except _EXCEPTION as error:  # with changed builtins the judge itself stumbles
            fault = error
        if changed := self._guard.mend():
            why = f"the code changes the checker or Python itself: {changed}"
            return Verdict(check, "error", why=why, failure=Failure(yours=why))
        if verdict is None:
            assert fault is not None
            raise fault
        return verdict

    def _judged(
        self, check: Check, functions: list[tuple[str, TestFunction]]
    ) -> Verdict:
        try:
            code = self._code_for(check)
        except Missing as error:
            return Verdict(check, error.state, why=str(error))
        views = dict(zip(course.NAMESPACES, code.view(check.notebook), strict=True))
        verdict = run_functions(check, functions, views)
        if isinstance(code, Implementation) and verdict.why.startswith("NameError"):
            for problem in code.problems.get(check.notebook, ())[:1]:
                verdict.why = f"{problem}. So then: {verdict.why}"
        return verdict

    def functions(self, check: Check) -> list[tuple[str, TestFunction]]:
        """Return the graded functions of a check, in file order."""
        if check.notebook not in self._tests:
            self._tests[check.notebook] = graded_functions(self.module, check.notebook)
        prefix = f"test_{check.name}"
        found = [
            (name, function)
            for name, function in self._tests[check.notebook]
            if name == prefix or name.startswith(f"{prefix}__")
        ]
        if not found:
            raise paths.ToolError(f"no graded test is called {prefix}")
        return found

    def _code_for(self, check: Check) -> Implementation | PackageImplementation:
        if self.code.package is not None:
            return self.own()
        return self.implementation(check)

    def own(self) -> Implementation | PackageImplementation:
        """Return the code itself, without reference steps in it."""
        if self.code.package is not None:
            return PackageImplementation(self.code.package)
        return self._chain()

    def implementation(self, check: Check) -> Implementation:
        """Return the instance that a check is judged on."""
        if check.kind == "step" and not self.strict and self.code.name != "ref":
            return self._assisted(check)
        return self._chain()

    def _implementation(self, chain: dict[str, codes.Labelled]) -> Implementation:
        return Implementation(self.module, chain, self._overlay, self._broken)

    def _chain(self) -> Implementation:
        """Return the code's own chain, the reference standing in for skipped
        notebooks.
        """
        if self._own is None:
            chain = dict(self.code.chain)
            for skipped in self.code.skipped:
                if skipped in self._reference:
                    chain[skipped] = self._reference[skipped]
            self._own = self._implementation(chain)
        return self._own

    def _assisted(self, check: Check) -> Implementation:
        chain: dict[str, codes.Labelled] = {}
        for notebook in self.module.present():
            mine = self.code.chain.get(notebook.id)
            reference = self._reference[notebook.id]
            names = [exercise.name for exercise in notebook.exercises]
            if notebook.id == check.notebook:
                if mine is None:
                    raise Missing(self.code.unreadable.get(notebook.id, "not started"))
                before = names[: names.index(check.name)]
                chain[notebook.id] = (assisted(mine[0], reference[0], before), mine[1])
                break
            chain[notebook.id] = reference
            if mine is not None and notebook.id not in self.code.skipped:
                chain[notebook.id] = (assisted(mine[0], reference[0], names), mine[1])
        return self._with_whole_notebooks(chain, check)

    def _with_whole_notebooks(
        self, chain: dict[str, codes.Labelled], check: Check
    ) -> Implementation:
        """Put the reference in place of an earlier notebook that does not execute."""
        while True:
            implementation = self._implementation(chain)
            for notebook_id in chain:
                if notebook_id == check.notebook:
                    return implementation
                names = course.public_names(self.module.notebook(notebook_id))
                reference = self._reference[notebook_id]
                if chain[notebook_id] is reference or not names:
                    continue
                loaded = implementation.notebook(notebook_id)
                if any(not hasattr(loaded, name) for name in names):
                    chain[notebook_id] = reference
                    implementation.close()
                    break
            else:
                return implementation


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
