"""The command line as a person, a pipe and a program see it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mini_course import MiniCourse


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
        "points": [0, 2], "why": "5 instead of 4",
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


def test_a_syntax_error_comes_before_the_results(started: MiniCourse) -> None:
    started.write("total", "def total(numbers):\n    return (\n")
    shown = started.run("check")
    text = " ".join(shown.stdout.split())
    assert "01_count.ipynb [cell 6], line 2: SyntaxError" in text
    assert text.index("SyntaxError") < text.index("not_written")


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
