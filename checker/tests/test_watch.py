"""`ol watch`, looked at in a terminal of 24 lines and 80 columns."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mini_course import FILES, RIGHT, MiniCourse, is_gone
from ol import course, watching, workspace
from ol.report.screen import footer
from ol.verdict import Verdict

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are of Unix", allow_module_level=True)

from terminal import Terminal

WRONG = "def double(number):\n    return number\n"
CHECKED = "Checked at"
ALL = [file.removesuffix(".ipynb") for file in FILES.values()]
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
    lines = terminal.wait_for("Save a notebook to check it")
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


LOOP = "def double(number):\n    while True: pass\n"


def test_a_newer_save_ends_the_running_check_at_once(started: MiniCourse) -> None:
    table = started.root / "course.toml"
    table.write_text(table.read_text("utf-8").replace("seconds = 2", "seconds = 600"))
    started.write("double", LOOP)
    with Terminal(started.root, "watch") as terminal:
        _newer_save(started, terminal)


def _newer_save(mini: MiniCourse, terminal: Terminal) -> None:
    terminal.wait_for("checking …   double")
    ran = children(terminal.process.pid)
    mini.solve("double")
    terminal.wait_for("pass         double", CHECKED)
    assert all(is_gone(child) for child in ran) and ran
    terminal.press("\x03")
    assert terminal.process.wait(20) == 0
    assert all(is_gone(child) for child in children(terminal.process.pid))
    kept = json.loads(next(mini.root.glob(".ol-cache/results/*.json")).read_text())
    states = {verdict["state"] for verdict in kept.values()}
    assert "pass" in states and states <= {"pass", "not_written"}
    assert not [*mini.root.glob(".ol-cache/results/*.part")]


def test_saved_outputs_do_not_end_a_check(started: MiniCourse) -> None:
    watch = watching.Watch(started.module, None, lambda view: None)
    watch._code = watch._folder.code()
    watch._seen = {
        id: watching._sources(cells) for id, (cells, _) in watch._code.chain.items()
    }
    path = started.notebook("01").path
    path.write_text(path.read_text("utf-8").replace('"outputs": []', '"outputs":  []'))
    for _ in range(3):
        watch.waits()
    started.notebook("01").add("helper = 1")
    with pytest.raises(watching.Saved):
        for _ in range(3):
            watch.waits()


def test_rows_say_what_they_are_worth_until_they_are_judged_anew(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    mini.write("double", LOOP)
    lines = terminal.wait_for("checking …   double")
    assert lines[1:3] == [
        "  checking …   double  …/2  before: wrong",
        "  …            total   …/3  before: not_written",
    ]
    assert "Before this save:" in lines
    assert any(line.startswith("Checking double …") for line in lines)
    lines = terminal.wait_for("timeout      double  0/2  see below", CHECKED)
    assert "asked     double(2)" in lines
    assert "Before this save:" not in lines


def test_the_first_screen_has_all_rows(started: MiniCourse) -> None:
    started.write("double", LOOP)
    with Terminal(started.root, "watch") as terminal:
        lines = terminal.wait_for("checking …   double")
        assert lines[1:3] == [
            "  checking …   double  …/2",
            "  …            total   …/3",
        ]


def test_the_exercise_that_was_changed_is_judged_first(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    mini.solve("double")
    terminal.wait_for("pass         double", CHECKED)
    mini.write("double", WRONG)
    terminal.wait_for("wrong        double", CHECKED)
    mini.write("total", "def total(numbers):\n    while True: pass\n")
    lines = terminal.wait_for("checking …   total")
    assert lines[1] == "  …            double  …/2  before: wrong"
    terminal.wait_for("wrong        double", "timeout      total   0/3  see below")


def test_a_syntax_error_and_an_unreadable_file_are_told_once(
    watched: tuple[MiniCourse, Terminal],
) -> None:
    mini, terminal = watched
    mini.write("double", "def double(number):\n    return (\n")
    lines = terminal.wait_for("SyntaxError", CHECKED)
    assert "\n".join(lines).count("SyntaxError") == 1
    mini.notebook("01").path.write_text("{")
    terminal.wait_for("01_count.ipynb was saved and cannot be read yet; waiting")
    lines = terminal.wait_for("cannot be read as a notebook", CHECKED)
    assert "\n".join(lines).count("cannot be read") == 1
    assert "error     01_count.ipynb" in lines  # the file, and no exercise of it


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
    gone = "not_written  double  0/2  01_count.ipynb is not there"
    terminal.wait_for(gone, "ol start brings the notebooks")
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


def test_the_next_step_is_in_view_in_a_low_terminal(started: MiniCourse) -> None:
    with Terminal(started.root, "watch", "count", lines=5) as terminal:
        terminal.wait_for("… ol check 01_count shows the rest", "Next: write `double`")


def test_an_endless_loop_costs_its_seconds_once(started: MiniCourse) -> None:
    ran: list[str] = []
    watch = watching.Watch(started.module, None, lambda view: ran.append(view.busy))
    started.write("double", LOOP)
    watch._look()
    watch._check()
    watch._check_rest()
    started.solve("shout")
    for _ in range(3):
        watch._look()
    watch._check()
    watch._check_rest()
    begun = [name for at, name in enumerate(ran) if name != ran[at - 1]]
    assert begun.count("double") == 1
    assert watch.view.known["double"].state == "timeout"
    assert watch.view.known["whole_chain"].state == "waiting"
    started.notebook("01").add("helper = 1")
    for _ in range(3):
        watch._look()
    assert not watch._late


def test_with_a_notebook_it_stays_with_that_one(started: MiniCourse) -> None:
    with Terminal(started.root, "watch", "01") as terminal:
        terminal.wait_for("01_count  Numbers", "Passing elsewhere: 02 0/3", CHECKED)
        started.solve("shout")
        lines = terminal.wait_for("Passing elsewhere: 02 1/3")
        assert lines[0] == "01_count  Numbers"


def children(process: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True)
    return [int(line) for line in found.stdout.split()]


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


def test_on_a_dumb_terminal_reports_stand_one_below_the_other(
    started: MiniCourse,
) -> None:
    with Terminal(started.root, "watch", "01", TERM="dumb") as terminal:
        terminal.wait_for("Next: write `double`")
        started.solve("double")
        terminal.wait_for("Next: write `total`")
        assert "\x1b" not in terminal.raw


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


def test_what_is_judged_is_no_half_of_a_file(started: MiniCourse) -> None:
    """A file that is being written just when a check begins is waited for, too."""
    path = started.notebook("01").path
    text = path.read_text("utf-8")
    path.write_text(text[:200], "utf-8")
    threading.Timer(0.5, path.write_text, (text, "utf-8")).start()
    code = watching.Folder(started.module).code()
    assert ({*code.chain}, code.unreadable) == ({*ALL}, {})
    path.write_text(text[:200], "utf-8")
    os.utime(path, (time.time() - 10, time.time() - 10))
    assert {*watching.Folder(started.module).code().unreadable} == {"01_count"}


def test_the_notebook_saved_last_comes_last(started: MiniCourse) -> None:
    folder = watching.Folder(started.module)
    assert folder.latest() == ""
    for number, seconds in (("02", 10), ("01", 20)):
        path = started.notebook(number).path
        os.utime(path, (time.time() + seconds, time.time() + seconds))
    assert settle(folder, 2) == [[], ["02_words", "01_count"]]
    assert folder.latest() == "01_count"


@pytest.mark.parametrize("width", [40, 60, 79, 80, 81])
def test_the_line_of_the_others_breaks_between_them(width: int) -> None:
    module = course.load().module()
    for counted in (0, 1, 99):
        view = watching.View(module.present()[1].id)
        for notebook in module.present()[:counted]:
            for check in notebook.checks:
                view.known[check.name] = Verdict(check, "pass")
        lines = footer(view, module, width).plain.split("\n")[:-1]
        assert all(len(line) <= width for line in lines)
        assert all(line.startswith("   ") for line in lines[1:])
        assert all(line.endswith(" ·") for line in lines[:-1])
