"""`ol next`: what to do now, and where it is open."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from mini_course import MiniCourse


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def test_at_the_very_beginning_it_is_the_first_exercise(started: MiniCourse) -> None:
    done = started.run("next")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "Next: write `double` in work/M1/01_count.ipynb, cell 3.\n"
        "  1 · Twice  (5 minutes)\n"
        "  Not written yet.\n"
        "  Before it, to read and run: 00_look.ipynb, 5 minutes.\n"
        "\n"
        "  ol hint double    a nudge\n"
        "  ol check double   how it stands\n"
        "  ol watch          how it stands, at every save\n"
        "\n"
        "ol lab opens the notebooks.\n"
    )


def test_it_goes_by_the_course_and_tells_the_failure_in_a_line(
    started: MiniCourse,
) -> None:
    started.solve("double", "shout")
    started.write("total", "def total(numbers):\n    return 0\n")
    told = lines(started.run("next").stdout)
    assert told[0] == "Next: mend `total` in work/M1/01_count.ipynb, cell 6."
    assert told[2] == "wrong: total([1, 2]): 0 instead of 6"


def test_after_the_exercises_come_the_named_tests(started: MiniCourse) -> None:
    started.solve("double", "total", "pair_of")
    started.write("shout", "def shout(word):\n    return 'AB'\n")
    told = lines(started.run("next").stdout)
    assert told[0] == "Next: mend `whole_chain` in work/M1/02_words.ipynb, cell 6."
    assert "hint" not in " ".join(told)


def test_when_all_passes_it_says_so(started: MiniCourse) -> None:
    started.solve()
    assert "all that is in M1 passes" in started.run("next").stdout


def test_a_skipped_notebook_is_passed_over(started: MiniCourse) -> None:
    started.run("skip", "01_count")
    assert "write `shout`" in started.run("next").stdout


def test_before_start_it_is_the_lab(mini: MiniCourse) -> None:
    told = mini.run("next").stdout
    assert told == "Next: ol lab brings the notebooks and opens 00_look.ipynb.\n"


def server(folder: Path, root: Path) -> str:
    """Leave the traces of a running JupyterLab (this process); return the folder."""
    folder.mkdir()
    about = {
        "pid": os.getpid(), "url": "http://localhost:8899/base/", "token": "a b",
        "root_dir": str(root), "base_url": "/base/", "port": 8899,
    }  # fmt: skip
    (folder / "jpserver-1.json").write_text(json.dumps(about), "utf-8")
    return str(folder)


LAB = "http://localhost:8899/base/lab/tree"
URL = "/".join([LAB, "work", "M1", "01_count.ipynb"])


def test_a_running_jupyterlab_is_named(started: MiniCourse, tmp_path: Path) -> None:
    runtime = server(tmp_path / "runtime", started.root)
    done = started.run("next", JUPYTER_RUNTIME_DIR=runtime)
    assert done.stdout.endswith(f"JupyterLab has it at {URL}\n")


def test_that_of_another_folder_is_not(started: MiniCourse, tmp_path: Path) -> None:
    runtime = server(tmp_path / "runtime", tmp_path)
    done = started.run("next", JUPYTER_RUNTIME_DIR=runtime)
    assert done.stdout.endswith("ol lab opens the notebooks.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
@pytest.mark.parametrize("option", [[], ["--no-open"]])
def test_on_a_terminal_it_is_opened(
    started: MiniCourse, tmp_path: Path, option: list[str]
) -> None:
    from terminal import Terminal

    runtime = server(tmp_path / "runtime", started.root)
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" >"{opened}"\n', "utf-8")
    browser.chmod(0o755)
    with Terminal(
        started.root, "next", *option,
        JUPYTER_RUNTIME_DIR=runtime, BROWSER=str(browser),
    ) as terminal:  # fmt: skip
        assert terminal.process.wait(60) == 0
        terminal.wait_for(URL)
    if option:
        assert not opened.exists()
    else:
        assert opened.read_text("utf-8") == f"{URL}?token=a+b"


def test_a_check_of_a_part_does_not_speak_for_the_course(started: MiniCourse) -> None:
    started.solve("double", "total")
    told = lines(started.run("check", "01").stdout)
    assert told[-1] == "Next: nothing is left to do here; ol next tells what comes now."
    started.solve()
    told = lines(started.run("check").stdout)
    assert told[-1] == "Next: all that is in the course passes. Well done."
