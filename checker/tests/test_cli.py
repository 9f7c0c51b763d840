"""The command line as a person, a pipe and a program see it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mini_course import MiniCourse
from ol import checking


def test_the_way_from_nothing_to_green(mini: MiniCourse) -> None:
    first = mini.run("check")
    assert first.returncode == 1
    assert "start" in first.stdout.strip().splitlines()[-1]
    assert mini.run("start").returncode == 0
    second = mini.run("check")
    assert second.returncode == 1
    assert "double" in second.stdout.strip().splitlines()[-1]
    mini.solve()
    last = mini.run("check", "M1")
    assert last.returncode == 0
    assert "all 5" in last.stdout.splitlines()[0]
    assert last.stderr == ""


def test_a_failure_is_told_with_place_and_values(started: MiniCourse) -> None:
    started.write("double", "def double(number):\n    return number\n")
    shown = started.run("check", "double")
    assert shown.returncode == 1
    for text in ("double(2)", "4", "It comes back as it was.", "01_count.ipynb"):
        assert text in shown.stdout
    started.write("double", "def double(number):\n\n    return number / 0\n")
    shown = started.run("check", "double")
    words = " ".join(shown.stdout.split())
    assert "01_count.ipynb [cell 3], line 3, in double" in words
    assert "ZeroDivisionError" in words


def test_output_stays_within_80_columns_without_colour(started: MiniCourse) -> None:
    started.write(
        "double",
        "def double(number):\n    print('x' * 500)\n    raise ValueError('y' * 500)\n",
    )
    started.solve("total")
    for command in ("check", "tests", "status", "--help"):
        shown = started.run(command, NO_COLOR="1", COLUMNS="300")
        assert max(len(line.rstrip()) for line in shown.stdout.splitlines()) <= 80
        assert "\x1b" not in shown.stdout + shown.stderr


def test_a_pipe_that_closes_is_no_error(started: MiniCourse) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ol", "tests"],
        env={**os.environ, "OL_ROOT": str(started.root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait()


def test_json_on_stdout_is_pure_and_has_the_shape(started: MiniCourse) -> None:
    started.write("double", "def double(number):\n    print('mine')\n    return 5\n")
    shown = started.run("check", "--json", "-")
    report = json.loads(shown.stdout)
    assert shown.returncode == report["exit"] == 1
    assert [*report] == ["version", "module", "code", "tests", "exit"]
    assert (report["version"], report["module"], report["code"]) == (1, "M1", "work")
    assert [test["name"] for test in report["tests"]] == [
        "double", "total", "shout", "pair_of", "whole_chain", "later_test",
    ]  # fmt: skip
    first = report["tests"][0]
    seconds = first.pop("seconds")
    assert isinstance(seconds, float)
    assert first == {
        "name": "double", "notebook": "01_count", "kind": "step", "state": "wrong",
        "points": [0, 2], "why": "5 instead of 4", "behaves_like": [],
        "failure": {
            "input": "double(2)", "yours": "5", "expected": "4",
            "first_difference": "5 instead of 4", "cause": "",
        },
    }  # fmt: skip
    assert report["tests"][-1]["state"] == "absent"
    assert report["tests"][-1]["failure"] is None


def test_json_into_a_file(started: MiniCourse, tmp_path: Path) -> None:
    shown = started.run("check", "--json", str(tmp_path / "report.json"))
    assert shown.stdout.strip()
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["exit"] == 1
    shown = started.run("check", "--json", str(tmp_path / "no" / "report.json"))
    assert (shown.returncode, "cannot write" in shown.stderr) == (2, True)


def words_of(started: MiniCourse, *arguments: str) -> str:
    return " ".join(started.run(*arguments).stdout.split())


SYNTAX = "cell 6], line 2: SyntaxError: '(' was never closed"
SYNTAX_IN_TABLE = "cannot be executed: cell 6, line 2: SyntaxError: '(' was never"


def test_a_syntax_error_is_told_once_and_where_it_matters(started: MiniCourse) -> None:
    started.write("total", "def total(numbers):\n    return (\n")
    text = words_of(started, "check")
    assert text.startswith(
        "Your code: 0 of 5 checks pass; first to mend: total (error)"
    )
    assert text.count("SyntaxError") == text.count(SYNTAX) == 1
    started.write("double", "def double(number):\n    return number\n")
    text = words_of(started, "check")  # another failure is told in full
    assert text.count("SyntaxError") == text.count(SYNTAX_IN_TABLE) == 1


def test_a_syntax_error_that_no_verdict_tells_is_a_note(started: MiniCourse) -> None:
    started.solve()
    started.notebook("01").add("print(")
    text = words_of(started, "check")
    assert text.count("SyntaxError") == 1
    assert "note work/M1/01_count.ipynb [cell 9], line 1: SyntaxError" in text
    assert "all 5 checks pass" in text


def test_an_unreadable_notebook_is_told_once(started: MiniCourse) -> None:
    started.notebook("01").path.write_text("{")
    text = words_of(started, "check")
    assert text.count("cannot be read") == text.count("JupyterLab") == 1
    assert "error double 0/2 see below error total 0/3 as above" in text
    assert text.endswith("Next: mend the file 01_count.ipynb, as is said above.")


@pytest.mark.parametrize(
    ("more", "note"),
    [
        ("while True:\n    pass", "line 3: `while True:` runs only in the notebook"),
        ("left = double(3)", "line 3: `left = double(3)` runs only in the notebook"),
        ("assert double(1) == 3", "line 3: `assert double(1) == 3` runs only"),
        ("for n in (1, 2):\n    double(n)", "line 3: `for n in (1, 2):` runs only"),
        ("x = 1\nwhile True: pass", "lines 3, 4: `x = 1` … run only in the notebook"),
        ("double(3)", "line 3: `double(3)` runs only in the notebook"),
        ("print(double(3))", ""),
        ("ol.check('double')", ""),
        ("'a comment'", ""),
        ("%time double(3)", ""),
        ("left = double(3)  # ol: skip", ""),
    ],
)
def test_what_an_exercise_s_cell_does_beside_is_left_out_and_noted(
    started: MiniCourse, more: str, note: str
) -> None:
    started.write("double", f"def double(number):\n    return 2 * number\n{more}")
    outcome = checking.check(started.module, names=["double"])
    assert [verdict.state for verdict in outcome.verdicts] == ["pass"]
    place = "work/M1/01_count.ipynb: cell 3, "
    assert [n.startswith(f"{place}{note}") for n in outcome.notes] == [True] * bool(
        note
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "duoble"], "double"),
        (["check", "--code", "nowhere"], "--code nowhere"),
        (["check", "--bogus"], "--bogus"),
        (["frobnicate"], "frobnicate"),
        (["hint", "doubel"], "double"),
        (["hint", "whole_chain"], "named test"),
        (["skip", "07"], "01_count"),
        (["skip", "03"], "not in the course yet"),
        (["reset", "duoble"], "double"),
        (["reset", "nonsense"], "`ol tests`"),
        (["diff", "nonsense"], "01_count"),
        (["start", "M9"], "M1"),
        (["status", "M9"], "M1"),
    ],
)
def test_wrong_use_is_2_and_says_what_there_is(
    started: MiniCourse, arguments: list[str], message: str
) -> None:
    shown = started.run(*arguments)
    assert shown.returncode == 2
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


def test_our_own_fault_is_3(started: MiniCourse) -> None:
    (started.root / "course.toml").write_text("nonsense")
    shown = started.run("check")
    assert (shown.returncode, "not your code" in shown.stderr) == (3, True)


CONFLICT = '{"cells": [\n<<<<<<< HEAD\n{}\n=======\n>>>>>>> theirs\n]}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "JupyterLab"),
        ("", "JupyterLab"),
        (CONFLICT, "merge conflict"),
        ('{"cells": 3}', "cells"),
        ('{"cells": [3]}', "cell"),
        ("[]", "cannot be read"),
    ],
)
def test_a_notebook_that_cannot_be_read(
    started: MiniCourse, text: str, message: str
) -> None:
    started.notebook("01").path.write_text(text)
    verdicts = started.check("double", "shout")
    assert verdicts["double"].state == "error"
    assert message in verdicts["double"].why
    assert verdicts["shout"].state == "not_written"
    if text == CONFLICT:
        shown = started.run("check")
        assert (shown.returncode, shown.stderr) == (1, "")
        assert message in shown.stdout
        assert "cannot be read" in started.run("status").stdout


def test_a_folder_where_a_notebook_should_be(started: MiniCourse) -> None:
    started.notebook("01").path.unlink()
    started.notebook("01").path.mkdir()
    for command in ("check", "status", "start"):
        shown = started.run(command)
        assert "Traceback" not in shown.stderr
        assert shown.returncode in (0, 1, 2)
    assert "01_count" in started.run("check").stdout


def test_hints_one_after_the_other(started: MiniCourse) -> None:
    first = started.run("hint", "double")
    assert "Add it to itself." in first.stdout
    assert "Or multiply." not in first.stdout
    assert first.stdout.strip().endswith("hint double 2")
    third = started.run("hint", "double", "3")
    assert "return 2 * number" in third.stdout
    assert "Next:" not in third.stdout


def test_diff_against_starter_and_solution(started: MiniCourse) -> None:
    assert "as in the starter" in started.run("diff", "double").stdout
    started.write("double", "def double(number):\n    return 0\n")
    shown = started.run("diff", "double")
    assert "+    return 0" in shown.stdout
    assert "-    raise NotImplementedError" in shown.stdout
    refused = started.run("diff", "double", "--solution")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "does not pass yet" in refused.stderr
    assert "reference's own line" in started.run("diff", "double", "--spoil").stdout
    started.solve("double")
    assert "own line" in started.run("diff", "double", "--solution").stdout
    assert "total: as in the starter" in started.run("diff", "01").stdout


def test_status_of_a_notebook_has_its_checks(started: MiniCourse) -> None:
    started.solve("double")
    started.write("total", "def total(numbers):\n    return 0\n")
    started.run("check", "double")
    lines = started.run("status", "01").stdout.splitlines()
    assert [line.split() for line in lines[3:5]] == [
        ["pass", "double", "2/2"],
        ["unknown", "total", "0/3", "ol", "check", "total"],
    ]
    assert "02_words" not in "\n".join(lines)


def test_status_knows_what_was_checked(started: MiniCourse) -> None:
    started.solve("double", "total", "shout")
    assert "to be checked" in started.run("status").stdout
    started.run("check")
    lines = {
        line.split()[0]: line
        for line in started.run("status").stdout.split("\n")
        if line
    }
    assert "2/2" in lines["01_count"] and "done" in lines["01_count"]
    assert "1/3" in lines["02_words"]
    assert "not in the course yet" in lines["03_later"]


def test_tests_lists_points_and_minutes(mini: MiniCourse) -> None:
    [line] = [x for x in mini.run("tests", "01").stdout.split("\n") if "double" in x]
    assert "2 points" in line
    assert "5 min" in line


def test_version() -> None:
    shown = subprocess.run(
        [sys.executable, "-P", "-m", "ol", "--version"], capture_output=True, text=True
    )
    assert shown.returncode == 0
    assert shown.stdout.startswith("ol")


COMMANDS = (
    ["check"], ["tests"], ["status"], ["next", "--no-open"], ["submit"],
    ["hint", "double"], ["diff", "double"], ["--help"], ["check", "--nonsense"],
    ["draw", "ab?"],
)  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_text_is_plain_where_it_is_asked_to_be(
    started: MiniCourse, arguments: list[str], environment: dict[str, str]
) -> None:
    from terminal import Terminal

    started.write("double", "def double(number):\n    return number\n")
    with Terminal(started.root, *arguments, **environment) as terminal:
        terminal.process.wait(60)
        terminal.settle()
        assert len(terminal.raw) > 40
        assert not re.search(r"\x1b\[[0-9;]*m", terminal.raw), terminal.raw
        if "TERM" in environment:
            assert "\x1b" not in terminal.raw
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", terminal.raw)
        assert max(map(len, re.split(r"[\r\n]+", text))) <= 80


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_otherwise_there_is_colour(started: MiniCourse) -> None:
    from terminal import Terminal

    with Terminal(started.root, "check", NO_COLOR="") as terminal:  # empty: not set
        terminal.process.wait(60)
        terminal.settle()
        assert "\x1b[33mnot_written" in terminal.raw


def test_a_pipe_gets_whole_lines_and_nothing_else(started: MiniCourse) -> None:
    started.write("double", "def double(number):\n    return number\n")
    done = started.run("check")
    assert (done.returncode, done.stderr) == (1, "")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]| $", done.stdout, re.MULTILINE)
    assert done.stdout.endswith("\n")
