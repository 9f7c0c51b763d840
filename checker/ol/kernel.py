"""What a notebook calls: check, hint, predict, plant, load.

The functions judged are the live ones. They are rebound to a copy of the live namespace
in which reference steps stand for everything before the exercise; the learner's names
are never touched. There is no child process here: an alarm, captured output, and a
failure that raises (nbgrader needs the raise) with nothing but the message to see.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

from ol import codes, course, paths, words
from ol.alarm import alarm
from ol.course import Check
from ol.failure import OutOfTime
from ol.implementation import Implementation
from ol.live import LiveJudge
from ol.plain import plain, show
from ol.verdict import Verdict, too_long


class CheckFailed(AssertionError):
    """A check that did not pass; its traceback shows the message and nothing else."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def load(module: str = "L10.9", code: str = "work") -> Implementation:
    """Return an implementation: `.constrain`, `.tools`, `.server`."""
    found = course.load().module(module)
    if code == "ref":
        return Implementation(found, codes.reference(found))
    resolved = codes.resolve(found, code)
    if resolved.package is not None:
        from ol.package import PackageImplementation

        return PackageImplementation(resolved.package)  # type: ignore[return-value]
    return Implementation(found, resolved.chain)


def check(name: str) -> None:
    """Judge an exercise or a named test on the live functions of this notebook."""
    from ol.mine import module_here

    module = course.load().module(module_here())
    one = module.check(name)
    if not module.is_present(one.notebook):
        raise CheckFailed(f"absent   {name}: its notebook is not in the course yet")
    judge = LiveJudge(module, _live_namespace(), one)
    verdict = _with_alarm(judge, one)
    if verdict.state == "pass":
        print(verdict.pass_text)
        return
    from ol.report.terminal import failure_text  # brings rich

    _show_pictures(verdict)
    raise CheckFailed(failure_text(verdict))


def _live_namespace() -> dict[str, Any]:
    """Return the namespace of the running notebook (of __main__ outside a kernel)."""
    with contextlib.suppress(ImportError):
        from IPython import get_ipython

        shell = get_ipython()
        if shell is not None:
            return dict(shell.user_ns)
    return dict(vars(sys.modules["__main__"]))


def _with_alarm(judge: LiveJudge, one: Check) -> Verdict:
    """Judge under an alarm where there is one (not on Windows, not in a thread)."""
    try:
        with alarm(one.seconds):
            verdict = judge.run(one)
    except OutOfTime:
        return Verdict(one, "timeout", one.seconds, too_long(one))
    if verdict.state == "wrong":
        with contextlib.suppress(OutOfTime), alarm(one.seconds):
            verdict.behaves_like = judge.behaves_like(one)
    return verdict


def _show_pictures(verdict: Verdict) -> None:
    from ol.report.pictures import html_of

    if markup := html_of(verdict):
        _display_html(markup)


def _display_html(markup: str) -> None:
    _display({"text/html": markup, "text/plain": "(pictures)"})


def _display_markdown(text: str) -> None:
    _display({"text/markdown": text, "text/plain": text})


def _display(bundle: dict[str, str]) -> None:
    """Show a bundle in a notebook; print its text outside one."""
    from IPython import get_ipython

    if get_ipython() is None:
        print(bundle["text/plain"])
        return
    from IPython.display import display

    display(bundle, raw=True)


_hints_shown: dict[str, int] = {}


def hint(name: str) -> None:
    """Show the next hint for an exercise: first a nudge, then the idea, then more."""
    from ol.mine import module_here

    module = course.load().module(module_here())
    exercise = module.exercise(name)
    if exercise is None:
        module.check(name)
        raise paths.UsageError(f"`{name}` is a named test; exercises have hints")
    hints = words.hints(module, exercise)
    shown = min(_hints_shown.get(name, 0), len(hints) - 1)
    _hints_shown[name] = shown + 1
    rest = len(hints) - shown - 1
    more = f" ({rest} more: call it again)" if rest else ""
    _display_markdown(f"**Hint {shown + 1} of {len(hints)}**{more}\n\n{hints[shown]}")


def predict(name: str, my_answer: Any = ...) -> None:
    """Compare a guess with the answer; it is ungraded and never fails."""
    from ol.mine import module_here

    module = course.load().module(module_here())
    answer = words.answer(module, name)
    if _is_open(my_answer):
        print(
            "Type your prediction in place of the three dots, then run this cell again."
        )
        return
    right = plain(_loose(my_answer)) == plain(_loose(answer.value))
    first = "Yes" if right else "Not quite"
    line = f"{first}. You said {show(my_answer)}; the answer is {show(answer.value)}."
    _display_markdown(f"**{line}**\n\n{answer.reason}")


def _is_open(value: Any) -> bool:
    if value is ...:
        return True
    return isinstance(value, list | tuple | set | frozenset) and ... in value


def _loose(value: Any) -> Any:
    """Let a list pass for a tuple and a tuple for a list: a guess is not an
    interface.
    """
    if isinstance(value, list | tuple):
        return tuple(_loose(item) for item in value)
    return value.strip() if isinstance(value, str) else value


@contextlib.contextmanager
def plant(id: str) -> Iterator[None]:
    """Make a known mistake in your own live functions, inside the `with` block only."""
    from IPython import get_ipython

    from ol import mutants
    from ol.mine import implementation

    mutant = mutants.get(id)
    shell = get_ipython()
    live = shell.user_ns if shell is not None else vars(sys.modules["__main__"])
    mine = implementation()
    modules = [vars(mine.notebook(n)) for n in mine.loaded()]
    try:
        with mutants.plant_in([*modules, live], mutant):
            yield
    except mutants.CannotPlantError as error:
        raise paths.UsageError(f"{error}; write that function first") from None
