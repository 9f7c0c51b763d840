"""Code that hangs, crashes, floods, cheats: the promised verdict, and only for its test.

Every text is written into the cell of `double`; `total`, below it, is right.
"""

from __future__ import annotations

import textwrap

import pytest
from mini_course import MiniCourse

from ol import checking
from ol.verdict import Verdict


def verdict_of_double(started: MiniCourse, source: str) -> Verdict:
    """Return the verdict on `double` after seeing that `total` still passes."""
    started.write("double", source)
    started.solve("total")
    verdicts = started.check("double", "total")
    assert verdicts["total"].state == "pass", verdicts["total"]
    return verdicts["double"]


def double(body: str) -> str:
    return "def double(number):\n" + textwrap.indent(textwrap.dedent(body), "    ")


def cell(started: MiniCourse) -> str:
    number = started.notebook("01").cell_number("double-solution")
    return f"01_count.ipynb [cell {number}]"


@pytest.mark.parametrize(
    "source",
    [
        double("while True: pass"),
        "class Forever:\n    while True: pass\ndef double(n): return 2 * n",
        double("while True: print('flood')"),
        double("import os\nwhile True: os.write(2, b'flood' * 1000)"),
        double(
            """
            import signal
            for number in range(1, 32):
                try: signal.signal(number, signal.SIG_IGN)
                except OSError: pass
            while True:
                try: pass
                except BaseException: pass
            """
        ),
    ],
    ids=["function", "class-body", "print-flood", "stderr-flood", "signals"],
)
def test_endless(started: MiniCourse, source: str) -> None:
    verdict = verdict_of_double(started, source)
    assert verdict.state == "timeout"
    assert "longer than 2 s" in verdict.why
    assert verdict.failure is not None
    assert f"{cell(started)}, line " in verdict.failure.cause


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (double("import os; os._exit(0)"), "exit code 0"),
        (double("import os; os._exit(7)"), "exit code 7"),
        ("import os\nclass Out:\n    os._exit(0)\ndef double(n): ...", "exit code 0"),
        (double("import ctypes; ctypes.string_at(0)"), "signal 11"),
        (double("import os; os.kill(os.getpid(), 9)"), "signal 9"),
        (double("import os; os.abort()"), "signal 6"),
    ],
)
def test_the_process_ends(started: MiniCourse, source: str, why: str) -> None:
    verdict = verdict_of_double(started, source)
    assert verdict.state == "error"
    assert why in verdict.why
    if "signal 9" not in why:
        assert verdict.failure is not None
        assert f"{cell(started)}, line " in verdict.failure.cause


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import sys; sys.exit(0)", "sys.exit"),
        ("raise SystemExit", "sys.exit"),
        ("exit()", "sys.exit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class Own(BaseException): pass\nraise Own('mine')", "Own: mine"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("return double(number)", "RecursionError"),
        ("return bytearray(10 * 1024**3)", "out of memory"),
        ("import numpy; return numpy.ones(10 * 1024**3)", "out of memory"),
        ("xs = []\nwhile True: xs.append(bytearray(10**8))", "out of memory"),
        ("assert number == 5, 'my own'", "AssertionError: my own"),
        ("raise ValueError('\\ud800\\n' + 'x' * 10**6)", "ValueError: "),
        ("raise ValueError(b'\\xff', object())", "ValueError: "),
        ("return input('number? ')", "EOFError"),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "network"),
        ("import urllib.request as u; u.urlopen('http://localhost')", "network"),
        ("class Bad(Exception):\n    def __str__(self): 1 / 0\nraise Bad", "Bad"),
        ("raise NotImplementedError('not yet', 1)", None),
        ("return undefined", "NameError: name 'undefined'"),
    ],
)
def test_exceptions(started: MiniCourse, body: str, why: str | None) -> None:
    verdict = verdict_of_double(started, double(body))
    if why is None:
        assert verdict.state == "not_written"
        return
    assert verdict.state == "error"
    assert why in verdict.why
    assert verdict.failure is not None
    assert f"{cell(started)}, line " in verdict.failure.cause
    assert len(verdict.why) < 400


@pytest.mark.parametrize(
    ("source", "line"),
    [("import math\ndef double(:\n", 2), ("def double(n):\nreturn 2 * n", 2)],
)
def test_syntax(started: MiniCourse, source: str, line: int) -> None:
    verdict = verdict_of_double(started, source)
    assert verdict.state == "error"
    assert f"{cell(started)}, line {line}: " in verdict.why
    assert any(f"line {line}: SyntaxError" in note for note in started.notes())


@pytest.mark.parametrize(
    "value",
    [
        "None",
        "(n for n in [4])",
        "4.0",
        "True",
        "'4'",
        "number",
        "Always()",
        "Always(4)",
        "type('int', (Always,), {})()",
        "Raises()",
        "[Always()]",
    ],
)
def test_wrong_values(started: MiniCourse, value: str) -> None:
    started.notebook("01").add(
        """
        class Always(int):
            def __eq__(self, other): return True
            def __ne__(self, other): return False
            def __hash__(self): return 0
            def __repr__(self): return "4"

        class Raises:
            def __getattribute__(self, name): raise KeyError(name)
            def __repr__(self): raise SystemError
            def __eq__(self, other): raise SystemError
        """,
        after="pair-class",
    )
    verdict = verdict_of_double(started, double(f"return {value}"))
    assert verdict.state == "wrong"
    assert verdict.failure is not None
    assert verdict.failure.input == "double(2)"
    assert verdict.failure.expected == "4"


def test_the_second_aspect_of_a_check_decides_too(started: MiniCourse) -> None:
    verdict = verdict_of_double(started, double("return abs(2 * number)"))
    assert verdict.state == "wrong"
    assert verdict.failure is not None
    assert verdict.failure.input == "double(-3)"


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("import builtins; builtins.isinstance = lambda *a: True", "isinstance"),
        ("import builtins; builtins.len = lambda x: 4", "builtins.len"),
        ("import builtins; builtins.AssertionError = int", "AssertionError"),
        ("import builtins; builtins.BaseException = int; 1 / 0", "BaseException"),
        ("import builtins; builtins.print = 1; builtins.vars = 1", "builtins."),
        ("import builtins; del builtins.repr", "builtins.repr"),
        ("import ol.expect; ol.expect.equal = lambda *a, **k: None", "ol.expect.equal"),
        ("import ol.expect as e; e.equal.__code__ = (lambda *a, **k: 0).__code__", "eq"),
        ("import ol.expect as e; e.plain = lambda value: 0", "ol.expect.plain"),
        ("import ol.plain as p; p.plain.__code__ = (lambda v, d=0: 0).__code__", "plain"),
        ("import ol.judge as j; j.judge_error = lambda c, e: 1", "ol.judge"),
        ("import json; json.dumps = lambda *a, **k: '{}'", "json.dumps"),
        ("import json; json.loads = None", "json.loads"),
        ("import time; time.perf_counter = lambda: 0", "time.perf_counter"),
        ("import dataclasses; dataclasses.fields = lambda v: []", "dataclasses.fields"),
    ],
)
def test_patches_of_the_judge(started: MiniCourse, body: str, named: str) -> None:
    verdict = verdict_of_double(started, double(f"{body}\nreturn 0"))
    assert verdict.state == "error"
    assert named in verdict.why


@pytest.mark.parametrize("name", ["pytest", "unittest"])
def test_patches_of_a_test_library_win_nothing(started: MiniCourse, name: str) -> None:
    body = f"import {name}; {name}.fail = {name}.TestCase = None; return 0"
    assert verdict_of_double(started, double(body)).state in ("wrong", "error")


PASS = '{"verdict": {"state": "pass"}}'


@pytest.mark.parametrize(
    "body",
    [
        f"import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'{PASS}\\n')\n"
        "    except OSError: pass\nreturn 0",
        "import os\nfor fd in range(3, 20):\n"
        "    try: os.write(fd, b'x' * 10**5 + b'\\n{')\n    except OSError: pass\n"
        "return 0",
        "import os\nif os.fork(): return 0\nreturn 4",
        "import os\nos.fork()\nreturn 0",
    ],
    ids=["forged", "garbage", "fork-right", "fork"],
)
def test_answers_cannot_be_forged_by_accident(started: MiniCourse, body: str) -> None:
    assert verdict_of_double(started, double(body)).state == "wrong"


def test_an_output_closed_by_the_code_costs_its_test_only(started: MiniCourse) -> None:
    body = "import os; os.closerange(3, 64)"
    assert verdict_of_double(started, double(f"{body}\nreturn 4")).state == "error"
    verdict = verdict_of_double(started, double(f"{body}\nwhile True: pass"))
    assert verdict.state == "timeout"


@pytest.mark.parametrize(
    "body",
    [
        "import atexit; atexit.register(print, 'bye'); return 2 * number",
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=[99]).start(); return 2 * number",
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)'])\n"
        "return 2 * number",
        "print('x' * 10**7); import os; os.write(1, b'y' * 10**6); return 2 * number",
        "import sys; sys.stdout = sys.stderr = None; return 2 * number",
        "import sys; sys.stdout.close(); return 2 * number",
        "import os, contextlib\nwith contextlib.suppress(OSError):\n"
        "    os.close(1); os.close(2)\nreturn 2 * number",
        "import os; os.chdir('/'); return 2 * number",
        "import sys; sys.setrecursionlimit(50); return 2 * number",
    ],
)
def test_right_answers_with_side_effects_pass(started: MiniCourse, body: str) -> None:
    verdict = verdict_of_double(started, double(body))
    assert verdict.state == "pass", verdict
    assert len(verdict.printed) < 3000


@pytest.mark.parametrize("body", ["while True: pass", "import os; os._exit(0)"])
def test_a_cell_that_hangs_or_leaves_when_it_is_executed_is_left_out(
    started: MiniCourse, body: str
) -> None:
    started.solve()
    started.notebook("01").add(f"class Trap:\n    {body}")
    for _ in range(2):  # the second time is no different: nothing of it is kept
        outcome = checking.check(started.module, "work")
        states = [verdict.state for verdict in outcome.verdicts]
        assert states == ["pass"] * 5 + ["absent"]
        [note] = outcome.notes
        assert "01_count.ipynb [cell 9] hangs or ends the process" in note


@pytest.mark.parametrize("body", ["while True: pass", "import os; os._exit(0)"])
def test_an_earlier_notebook_that_cannot_do_without_such_a_cell(
    started: MiniCourse, body: str
) -> None:
    started.solve()
    started.notebook("01").delete("pair-class")
    started.notebook("01").add(f"class Pair:\n    {body}", after="imports")
    verdicts = started.check()
    assert [v.state for v in verdicts.values()] == ["pass"] * 4 + ["error", "absent"]
    assert "01_count.ipynb [cell 2]" in verdicts["whole_chain"].why
