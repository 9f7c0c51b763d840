"""Code that hangs, crashes, leaves, forks: the promised verdict, for its test only.

Every text is written into the cell of `double`; `total`, below it, is right.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from mini_course import MiniCourse, cell_of_double, double, is_gone, verdict_of_double
from ol import checking, trace
from ol.course import Check
from ol.run import spare


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
    assert f"{cell_of_double(started)}, line " in verdict.failure.cause


HELPER = "def helper(n):\n    while True:\n        n"
OWN = "line 2, in double: return "
LOOPS = {
    "own": (double("while True: pass"), "line 2, in double: while True: pass"),
    "helper": (
        double("return helper(number)"),
        f"{OWN}helper(number)\nand from there ",
    ),
    "given": (double("return Pair('a', 1).doubled()"), f"{OWN}Pair('a', 1).doubled()"),
    "C": (double("return max(iter(int, 1))"), f"{OWN}max(iter(int, 1))"),
}


@pytest.mark.parametrize("kind", LOOPS)
def test_an_endless_loop_names_the_exercise_s_own_line_and_what_was_asked(
    started: MiniCourse, kind: str
) -> None:
    notebook = started.notebook("01")
    notebook.add(HELPER, after="double-why")
    given = (
        "class Pair:\n    def __init__(self, word, number): ...\n"
        "    def doubled(self):\n        while True:\n            pass"
    )
    data = notebook.read()
    data["cells"][notebook.index("pair-class")]["source"] = given
    notebook.save(data)
    source, where = LOOPS[kind]
    started.write("double", source)
    failure = started.check("double")["double"].failure
    assert failure is not None
    first = f"work/M1/{cell_of_double(started)}, {where}"
    helper = "work/M1/01_count.ipynb [cell 3], line "
    lines = failure.cause.splitlines()
    assert failure.cause.startswith(first)
    assert [helper in line for line in lines[1:]] == [True] * (kind == "helper")
    assert failure.input == "double(2)"


def test_an_endless_loop_in_a_named_test_names_the_learner_s_line(
    started: MiniCourse,
) -> None:
    started.solve()
    # `pair_of` is asked for ("ab", …) before; only the named test asks for "abc".
    started.write(
        "pair_of",
        "def pair_of(word):\n    while word == 'abc':\n        pass\n"
        "    return Pair(shout(word), double(len(word)))\n",
    )
    verdict = started.check("whole_chain")["whole_chain"]
    assert verdict.state == "timeout" and verdict.failure is not None
    assert "02_words.ipynb" in verdict.failure.cause
    assert ", in pair_of: " in verdict.failure.cause
    assert verdict.failure.input == "pair_of('abc').doubled()"


def test_an_error_says_what_was_asked(started: MiniCourse) -> None:
    verdict = verdict_of_double(started, double("return 1 / (number + 3)"))
    assert verdict.state == "wrong"
    body = "return 2 * number if number > 0 else 1 / 0"
    verdict = verdict_of_double(started, double(body))
    assert verdict.state == "error" and verdict.failure is not None
    assert verdict.failure.input == "double(-3)"


def test_what_is_judged_is_what_the_parent_has_read(started: MiniCourse) -> None:
    """A save between reading and judging: no verdict under the key of other code."""

    class Saves(checking.Progress):
        def begins(self, check: Check) -> None:
            started.write("double", double("return number"))

    started.solve("double")
    outcome = checking.check(started.module, names=["double"], progress=Saves())
    assert [verdict.state for verdict in outcome.verdicts] == ["pass"]
    assert started.states("double") == {"double": "wrong"}
    started.solve("double")
    outcome = checking.check(started.module, names=["double"])
    assert ([v.state for v in outcome.verdicts], outcome.kept) == (["pass"], 1)


class Impatient(checking.Progress):
    def waits(self) -> None:
        if (self.file).exists() and self.file.read_text():
            raise TimeoutError

    def __init__(self, file: Path) -> None:
        self.file = file


def test_a_check_that_is_ended_leaves_no_process_and_keeps_what_it_found(
    started: MiniCourse,
) -> None:
    file = started.work / "child"
    body = "import os\nopen('child', 'w').write(str(os.getpid()))\nwhile True: pass"
    started.solve("double")
    started.write("total", f"def total(numbers):\n{textwrap.indent(body, '    ')}")
    with pytest.raises(TimeoutError):
        checking.check(started.module, names=["01"], progress=Impatient(file))
    assert is_gone(int(file.read_text()))
    assert checking.check(started.module, names=["double"]).kept == 1
    left = (started.root / ".ol-cache" / "results").iterdir()
    assert [p.suffix for p in left] == [".json"]


def test_a_child_that_waits_is_taken_and_ends_with_this_process() -> None:
    spare.prepare()
    [waiting] = spare._waiting
    assert spare.take() is waiting and not spare._waiting
    spare.kill(waiting)
    code = (
        "import os\nfrom ol.run import spare\nspare.prepare()\n"
        "print(spare._waiting[0].pid, flush=True)\n"
    )
    for end in ("", "os.kill(os.getpid(), 9)"):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code + end], capture_output=True, text=True
        )
        assert is_gone(int(done.stdout)), end


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
        assert f"{cell_of_double(started)}, line " in verdict.failure.cause


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


def test_processes_that_the_code_leaves_behind_end(started: MiniCourse) -> None:
    body = (
        "import subprocess\n"
        "left = subprocess.Popen(['sleep', '99'])\n"
        "with open('left', 'w') as file: file.write(str(left.pid))\n"
        "return 2 * number"
    )
    assert verdict_of_double(started, double(body)).state == "pass"
    assert is_gone(int((started.work / "left").read_text()))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (9, -9)])
def test_no_child_outlives_an_interrupted_check(
    started: MiniCourse, number: int, code: int
) -> None:
    file = started.work / "child"
    body = "import os\nopen('child', 'w').write(str(os.getpid()))\nwhile True: pass"
    started.write("double", double(body))
    check = subprocess.Popen(
        [sys.executable, "-P", "-m", "ol", "check", "double"], stderr=subprocess.PIPE
    )
    while not (file.exists() and file.read_text()):
        time.sleep(0.05)
    check.send_signal(number)
    _, said = check.communicate(timeout=30)
    assert check.returncode == code
    assert b"Traceback" not in said
    assert is_gone(int(file.read_text()))


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
    assert "01_count.ipynb [cell 2]: NeverEnds" in verdicts["whole_chain"].why


OWN_STACK = 'Stack (most recent call first):\n  File "a [cell 3]", line 2 in double\n'
CURRENT = (
    'Current thread 0x1 (most recent call first):\n  File "b [cell 4]", line 1 in f\n'
)
CUT = "Timeout (0:00:02)!\nThread 0x1 (most recent call first):\n  File "


@pytest.mark.parametrize(
    ("dump", "functions"),
    [
        (OWN_STACK + '\nasked "double(2)"\n' + CUT, ["double"]),
        (
            OWN_STACK + CUT + "\nCurrent thread 0x2 (most recent call first):\n",
            ["double"],
        ),
        (OWN_STACK + "Fatal Python error: Aborted\n\n" + CURRENT, ["f"]),
        (CUT + '"c [cell 5]", line 7 in g\n', ["g"]),
        (CUT, []),
        ("", []),
    ],
)
def test_a_dump_that_was_cut_off(dump: str, functions: list[str]) -> None:
    assert [name for _, _, name in trace.dumped_frames(dump)] == functions
