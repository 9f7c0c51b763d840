"""What a notebook calls – check, hint, predict, plant – in a shell like a kernel's."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from mini_course import RIGHT, MiniCourse
from mini_shell import Shell, forget
from ol import mutants
from ol.kernel import CheckFailed
from ol.mutants import Mutant
from ol.paths import UsageError


@pytest.fixture
def shell(
    started: MiniCourse,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Shell]:
    forget()
    monkeypatch.chdir(started.work)
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    path, hook = list(sys.path), sys.excepthook
    yield Shell(started, capsys)
    InteractiveShell.clear_instance()
    sys.path[:], sys.excepthook = path, hook
    forget()


# --- check


def test_a_right_answer(shell: Shell) -> None:
    shell.run_all("01")
    shell.run(RIGHT["double"])
    assert shell.run("ol.check('double')") == "pass   double   2 of 2 points\n"
    assert shell.error is None


def test_a_failure_shows_its_message_and_no_traceback(shell: Shell) -> None:
    shell.run_all("01")
    shell.run("def double(number):\n    return number")
    shown = shell.run("ol.check('double')")
    assert isinstance(shell.error, CheckFailed)
    for text in ("wrong", "double(2)", "4", "It comes back as it was."):
        assert text in shown
    for text in ("Traceback", "kernel.py", "----", "CheckFailed"):
        assert text not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_an_exception_names_the_learners_line(shell: Shell) -> None:
    shell.run_all("01")
    shell.run("def double(number):\n    return number / 0")
    shown = shell.run("ol.check('double')")
    assert "ZeroDivisionError" in shown
    assert "line 2, in double" in shown


def test_not_written_and_not_defined(shell: Shell) -> None:
    shown = shell.run("import ol; ol.check('double')")
    assert "run the cell above first" in shown
    shell.run_all("01")
    shown = shell.run("ol.check('double')")
    assert shown.startswith("not_written")
    assert 'Stuck? ol.hint("double")' in shown


def test_the_live_function_is_judged_not_the_saved_one(shell: Shell) -> None:
    shell.mini.write("double", "def double(number):\n    return 0\n")
    shell.run_all("01")
    shell.run(RIGHT["double"])
    assert shell.verdict("double") == "pass"
    shell.mini.solve()
    shell.run("def double(number):\n    return 0")
    assert shell.verdict("double") == "wrong"


def test_helpers_are_found_and_recursion_stays_within(shell: Shell) -> None:
    shell.run_all("01")
    shell.run("TWO = 2\ndef times(n): return TWO * n\nfrom functools import reduce")
    shell.run("def double(n): return times(n)")
    shell.run("def total(ns): return double(ns[0]) + total(ns[1:]) if ns else 0")
    assert shell.verdict("double") == "pass"
    assert shell.verdict("total") == "pass"


def test_reference_steps_stand_in_for_what_comes_before(shell: Shell) -> None:
    shell.run_all("01")
    shell.run("def total(numbers): return sum(map(double, numbers))")
    assert shell.verdict("total") == "pass"
    assert shell.verdict("double") == "not_written"
    shell.run("total([1])")
    assert isinstance(shell.error, NotImplementedError)


def test_a_class_is_copied_only_where_its_methods_call_a_step(shell: Shell) -> None:
    shell.run_all("01")
    shell.run("SEEN = []")
    shell.run("def double(n):\n    SEEN.append(Pair)\n    return 2 * n")
    shell.run("def total(ns):\n    SEEN.append(Pair)\n    return 2 * sum(ns)")
    pair = shell.names["Pair"]
    assert shell.verdict("double") == "pass"
    assert all(seen is pair for seen in shell.names["SEEN"])
    shell.names["SEEN"].clear()
    assert shell.verdict("total") == "pass"
    assert all(seen is not pair for seen in shell.names["SEEN"])
    shell.run("del double\npair = Pair('a', 1)")
    shell.run("pair.doubled()")
    assert isinstance(shell.error, NameError)


@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        "while True:\n        try: 1 / 0\n        except Exception: pass",
    ],
)
def test_the_alarm_ends_an_endless_loop(shell: Shell, body: str) -> None:
    before = signal.getsignal(signal.SIGALRM)
    shell.run_all("01")
    shell.run(f"def double(n):\n    {body}")
    assert shell.verdict("double") == "timeout"
    told = " ".join(str(shell.error).split())
    assert "asked double(2)" in told
    assert "where your notebook, line " in told and ", in double: " in told
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


@pytest.mark.parametrize("body", ["raise SystemExit", "import sys; sys.exit(3)"])
def test_leaving_is_an_error(shell: Shell, body: str) -> None:
    shell.run_all("01")
    shell.run(f"def double(n):\n    {body}")
    assert shell.verdict("double") == "error"


def test_what_is_printed_is_captured(shell: Shell) -> None:
    shell.run_all("01")
    shell.run(
        "import sys\ndef double(n):\n    print('flood' * 10**6)\n    return 2 * n"
    )
    assert shell.run("ol.check('double')") == "pass   double   2 of 2 points\n"


# --- across notebooks


def test_earlier_notebooks_are_used_as_saved(shell: Shell) -> None:
    shell.mini.write("double", "def double(n): return 100 + n\n")
    shell.run_all("02")
    shell.run(RIGHT["shout"])
    shell.run(RIGHT["pair_of"])
    assert shell.names["double"](1) == 101
    assert shell.verdict("pair_of") == "pass"  # with the reference's double
    assert shell.verdict("whole_chain") == "wrong"  # with the learner's own
    assert shell.names["double"](1) == 101
    shell.mini.solve("double", "total")
    shell.run("1")  # says that 01 has changed
    assert shell.verdict("whole_chain") == "pass"


def test_a_changed_notebook_is_said_once(shell: Shell) -> None:
    shell.run_all("02")
    shell.mini.solve("double")
    assert "01_count.ipynb changed: restart the kernel" in shell.run("1")
    assert "changed" not in shell.run("1")


@pytest.mark.parametrize(
    ("break_it", "text"),
    [
        (lambda path: path.write_text("{"), "cannot be read as a notebook"),
        (lambda path: path.unlink(), "01_count.ipynb is not here"),
    ],
)
def test_the_reference_stands_in_for_an_unusable_notebook(
    shell: Shell, break_it: Any, text: str
) -> None:
    break_it(shell.mini.notebook("01").path)
    shown = shell.run("from ol.mine.count import double\ndouble(4)")
    assert text in shown
    assert "reference stands in" in shown
    assert shell.names["double"](4) == 8
    shell.run_all("02")
    shell.run(RIGHT["shout"])
    assert shell.verdict("shout") == "pass"


def test_a_skipped_notebook(shell: Shell) -> None:
    shell.mini.run("skip", "01")
    assert "01_count is skipped" in shell.run("from ol.mine.count import double")
    assert shell.names["double"](4) == 8


def test_imports_that_find_nothing(shell: Shell) -> None:
    assert "there are: look, count, words" in shell.run("import ol.mine.cuont")
    assert isinstance(shell.error, ModuleNotFoundError)


# --- hint, predict, plant


def test_hints_come_one_by_one(shell: Shell) -> None:
    shown = shell.displayed()
    shell.run("import ol")
    for _ in range(4):
        shell.run("ol.hint('double')")
    assert shown[0].startswith("**Hint 1 of 3** (2 more: call it again)")
    assert "itself" in shown[0]
    assert "multiply" in shown[1]
    assert "`return 2 * number`" in shown[2]
    assert shown[3] == shown[2]
    message = shell.run("ol.hint('duoble')")
    assert "Did you mean: double" in message
    assert "Traceback" not in message
    assert "named test" in shell.run("ol.hint('whole_chain')")


def test_predictions(shell: Shell) -> None:
    shown = shell.displayed()
    shell.run("import ol")
    assert "in place of the three dots" in shell.run("ol.predict('of_three', ...)")
    assert "in place of the three dots" in shell.run("ol.predict('of_three', {1, ...})")
    shell.run("ol.predict('of_three', {6, 4, 2})")
    shell.run("ol.predict('of_three', [2])")
    assert shown[0].startswith("**Yes. You said {2, 4, 6}")
    assert "Each is doubled." in shown[0]
    assert shown[1].startswith("**Not quite. You said [2]; the answer is {2, 4, 6}")


def test_plant_and_undo(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = Mutant(
        "x1", "not doubled", "", "", "double",
        make=lambda original, interface: lambda number: number,
        witness=lambda interface: interface["double"](2),
    )  # fmt: skip
    monkeypatch.setitem(mutants.CATALOGUE, "x1", mutant)
    shell.run("import ol\nwith ol.plant('x1'): pass")
    assert "write that function first" in str(shell.error)
    shell.mini.solve()
    shell.run_all("01")
    shell.run("with ol.plant('x1'):\n    inside = double(2), total([1, 2])")
    shell.run("outside = double(2), total([1, 2])")
    assert shell.names["inside"][0] == 2
    assert shell.names["outside"] == (4, 6)
    shell.run("with ol.plant('nonsense'): pass")
    assert isinstance(shell.error, UsageError)


def test_absent_and_unknown_names(shell: Shell) -> None:
    assert "not in the course yet" in shell.run("import ol; ol.check('later_test')")
    shell.run("ol.check('duoble')")
    assert isinstance(shell.error, UsageError)
    assert "double" in str(shell.error)
