"""`ol watch`, looked at in a terminal of 24 lines and 80 columns."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mini_course import RIGHT, MiniCourse
from ol import watching, workspace

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are of Unix", allow_module_level=True)

from terminal import Terminal

WRONG = "def double(number):\n    return number\n"
CHECKED = "Checked at"
CLEAN = ("\x1b[?1049l", "\x1b[?25h")  # the screen as before, the cursor visible


@pytest.fixture
def watched(started: MiniCourse) -> Iterator[tuple[MiniCourse, Terminal]]:
    started.write("double", WRONG)
    with Terminal(started.root, "watch") as terminal:
        terminal.wait_for("wrong", CHECKED, "Passing elsewhere: 02 0/3")
        yield started, terminal


def test_the_saved_notebook_is_shown_and_the_rest_in_a_line(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    lines = terminal.screen()
    assert lines[0] == "01_count  Numbers"
    assert any(line.startswith("because   It comes back as it was.") for line in lines)
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert re.fullmatch(
        r"Checked at \d\d:\d\d:\d\d\. Save a notebook to check it; Ctrl-C ends\.",
        lines[-1],
    )
    mini.solve("double", "total")
    terminal.wait_for("pass         double  2/2", "pass         total   3/3")
    mini.solve("shout", "pair_of")
    lines = terminal.wait_for("Passing elsewhere: 01 2/2", "pass         whole_chain")
    assert lines[0] == "02_words  Words"


def test_ctrl_c_ends_it_with_a_clean_terminal(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    terminal.press("\x03")
    assert terminal.process.wait(20) == 0
    time.sleep(0.2)
    after = terminal.raw.rpartition(CLEAN[0])[2]
    assert "Your code: 0 of 2 checks pass; first to mend: double" in after
    assert all(terminal.raw.count(code) == 1 for code in CLEAN)
    assert "Traceback" not in terminal.raw


def test_a_signal_from_outside_leaves_a_clean_terminal(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    _, terminal = watched
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.process.wait(20) == 0
    time.sleep(0.2)
    assert all(code in terminal.raw for code in CLEAN)


def test_ctrl_c_during_an_endless_loop(watched: tuple[MiniCourse, Terminal]) -> None:
    mini, terminal = watched
    mini.write("double", "def double(number):\n    while True: pass\n")
    terminal.wait_for("Checking double")
    terminal.press("\x03")
    assert terminal.process.wait(20) == 0


def test_an_endless_loop_is_a_timeout_and_watching_goes_on(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    mini.write("double", "def double(number):\n    while True: pass\n")
    terminal.wait_for("timeout      double", CHECKED)
    mini.solve("double")
    terminal.wait_for("pass         double", CHECKED)


def test_files_written_by_halves_renamed_and_deleted(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    mini.solve("double")
    terminal.wait_for("pass         double")
    path = mini.notebook("01").path
    text = path.read_text("utf-8")
    path.write_text(text[:200], "utf-8")
    terminal.wait_for("cannot be read as a notebook")  # after some patience
    new = path.with_name(".~01_count.ipynb")
    new.write_text(text.replace("number + number", "number"), "utf-8")
    os.replace(new, path)
    terminal.wait_for("wrong        double")
    path.unlink()
    terminal.wait_for("not_written  double", "ol start brings the notebooks")
    path.write_text(text, "utf-8")
    terminal.wait_for("pass         double")


def test_it_fits_into_a_low_terminal_and_follows_its_size(
    started: MiniCourse,
) -> None:
    started.write("double", WRONG)
    with Terminal(started.root, "watch", "count", lines=9) as terminal:
        lines = terminal.wait_for("… ol check 01_count shows the rest", CHECKED)
        assert len(lines) <= 9
        terminal.resize(24, 60)
        terminal.wait_for("because   It comes back as it was.")
        assert max(map(len, terminal.screen())) <= 60


def test_with_a_notebook_it_stays_with_that_one(started: MiniCourse) -> None:
    with Terminal(started.root, "watch", "01") as terminal:
        terminal.wait_for("01_count  Numbers", "Passing elsewhere: 02 0/3", CHECKED)
        started.solve("shout")
        lines = terminal.wait_for("Passing elsewhere: 02 1/3")
        assert lines[0] == "01_count  Numbers"


def listing(mini: MiniCourse, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "ol", "watch", *arguments],
        cwd=mini.root, env={**os.environ, "OL_ROOT": str(mini.root)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_without_a_terminal_each_change_is_one_report(started: MiniCourse) -> None:
    started.write("double", WRONG)
    process = listing(started)
    assert process.stdout is not None
    told = ""
    while "because" not in told:
        told += process.stdout.readline()
    started.write("double", RIGHT["double"])
    while "pass         double" not in told:
        told += process.stdout.readline()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert (told + rest).count("01_count  Numbers") == 2
    assert "\x1b" not in told


def test_a_skipped_notebook_is_named_so(started: MiniCourse) -> None:
    with Terminal(started.root, "watch", "02") as terminal:
        terminal.wait_for("Passing elsewhere: 01 0/2", CHECKED)
        workspace.set_skipped(started.module, "01_count", True)
        terminal.wait_for("Passing elsewhere: 01 skipped")


def test_before_start_there_is_nothing_to_watch(mini: MiniCourse) -> None:
    done = mini.run("watch")
    assert done.returncode == 2
    assert "nothing to watch yet: ol start" in done.stderr


def settle(folder: watching.Folder, looks: int = 3) -> list[list[str]]:
    return [folder.saved() for _ in range(looks)]


def test_a_change_counts_once_and_when_it_has_settled(started: MiniCourse) -> None:
    folder = watching.Folder(started.module)
    assert settle(folder) == [[], [], []]
    started.solve("double")
    assert settle(folder) == [[], ["01_count"], []]
    started.notebook("01").path.unlink()
    started.start()
    assert settle(folder) == [[], ["01_count"], []]


def test_a_half_written_file_is_waited_for(
    started: MiniCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = watching.Folder(started.module)
    path: Path = started.notebook("01").path
    path.write_text("{", "utf-8")
    assert settle(folder) == [[], [], []]
    monkeypatch.setattr(watching, "PATIENCE_SECONDS", 0)
    assert folder.saved() == ["01_count"]


def test_the_notebook_saved_last_comes_last(started: MiniCourse) -> None:
    folder = watching.Folder(started.module)
    assert folder.latest() == ""
    for number, seconds in (("02", 10), ("01", 20)):
        path = started.notebook(number).path
        os.utime(path, (time.time() + seconds, time.time() + seconds))
    assert settle(folder, 2) == [[], ["02_words", "01_count"]]
    assert folder.latest() == "01_count"
