"""Code that raises, lies, patches the judge: the promised verdict, for its test only.

Every text is written into the cell of `double`; `total`, below it, is right.
"""

from __future__ import annotations

import pytest

from mini_course import MiniCourse, cell_of_double, double, verdict_of_double


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
        (
            "import numpy\nxs = []\nwhile True: xs.append(numpy.empty(10**8))",
            "out of memory",
        ),
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
    assert f"{cell_of_double(started)}, line " in verdict.failure.cause
    assert len(verdict.why) < 400


@pytest.mark.parametrize(
    ("source", "line"),
    [("import math\ndef double(:\n", 2), ("def double(n):\nreturn 2 * n", 2)],
)
def test_syntax(started: MiniCourse, source: str, line: int) -> None:
    verdict = verdict_of_double(started, source)
    assert verdict.state == "error"
    assert f"{cell_of_double(started)}, line {line}: " in verdict.why
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
        (
            "import ol.expect as e; e.equal.__code__ = (lambda *a, **k: 0).__code__",
            "eq",
        ),
        ("import ol.expect as e; e.plain = lambda value: 0", "ol.expect.plain"),
        (
            "import ol.plain as p; p.plain.__code__ = (lambda v, d=0: 0).__code__",
            "plain",
        ),
        ("import ol.graded as g; g.judge_error = lambda c, e: 1", "ol.graded"),
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


@pytest.mark.parametrize(
    "source",
    [
        "def double(): return 4",
        "def double(number, more): return 4",
        "def double(*, number): return 4",
        "double = lambda: 4",
        "class double: pass",
    ],
)
def test_a_function_that_takes_other_arguments(
    started: MiniCourse, source: str
) -> None:
    verdict = verdict_of_double(started, source)
    assert verdict.state == "error" and verdict.failure is not None
    assert verdict.why.startswith("it cannot be called like that: TypeError: ")
    assert verdict.failure.input == "double(2)"


def test_what_comes_back_and_is_of_no_use_is_no_wrong_call(started: MiniCourse) -> None:
    started.solve("double")
    started.write("pair_of", "def pair_of(word):\n    return 3\n")
    started.solve("total", "shout")
    verdict = started.check("pair_of")["pair_of"]
    assert verdict.state == "wrong"
    started.write("pair_of", "class pair_of:\n    def __init__(self, word): ...\n")
    verdict = started.check("pair_of")["pair_of"]
    assert "cannot be called" not in verdict.why
