"""The learner's folder: whatever happens to it, nothing of theirs is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mini_course import FILES, MiniCourse
from ol import checking, codes, workspace
from ol.paths import ToolError, UsageError

ALL = list(FILES.values())


def release_again(mini: MiniCourse, file: str = "01_count.ipynb") -> bytes:
    """Let the course hand out another version of a notebook."""
    path = mini.released / file
    path.write_text(path.read_text("utf-8").replace("## 1 · Twice", "## 1 · Two times"))
    return path.read_bytes()


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


# --- start


def test_start_creates_what_is_not_there(mini: MiniCourse) -> None:
    started = mini.start()
    assert (started.created, started.kept) == (ALL, [])
    for file in ALL:
        assert (mini.work / file).read_bytes() == (mini.released / file).read_bytes()


def test_a_second_start_changes_nothing(started: MiniCourse) -> None:
    started.solve()
    before = everything(started.work)
    again = started.start()
    assert (again.kept, again.created, again.renewed, again.outdated) == (
        ALL,
        [],
        [],
        [],
    )
    assert everything(started.work) == before


def test_an_untouched_copy_is_renewed(started: MiniCourse) -> None:
    new = release_again(started)
    assert started.start().renewed == ["01_count.ipynb"]
    assert (started.work / "01_count.ipynb").read_bytes() == new
    assert (started.work / ".starter" / "01_count.ipynb").read_bytes() == new
    assert started.start().kept == ALL


def test_a_touched_copy_stays_and_is_reported(started: MiniCourse) -> None:
    started.solve("double")
    mine = started.notebook("01").path.read_bytes()
    release_again(started)
    for _ in range(2):
        assert started.start().outdated == ["01_count.ipynb"]
        assert started.notebook("01").path.read_bytes() == mine
    shown = started.run("start")
    assert "01_count.ipynb is yours and stays as it is" in " ".join(
        shown.stdout.split()
    )


def test_a_deleted_notebook_comes_back_and_the_others_stay(started: MiniCourse) -> None:
    started.solve("double")
    mine = started.notebook("01").path.read_bytes()
    started.notebook("02").path.unlink()
    again = started.start()
    assert (again.created, again.kept) == (["02_words.ipynb"], ALL[:2])
    assert started.notebook("01").path.read_bytes() == mine


@pytest.mark.parametrize("touched", [False, True])
def test_a_starter_that_is_gone_comes_back(started: MiniCourse, touched: bool) -> None:
    if touched:
        started.solve("double")
    mine = started.notebook("01").path.read_bytes()
    (started.work / ".starter" / "01_count.ipynb").unlink()
    again = started.start()
    assert again.renewed == []
    assert again.outdated == (["01_count.ipynb"] if touched else [])
    assert started.notebook("01").path.read_bytes() == mine
    assert (started.work / ".starter" / "01_count.ipynb").exists()


def test_a_file_in_the_way_is_named_and_stays(mini: MiniCourse) -> None:
    (mini.root / "work").write_text("mine")
    with pytest.raises(UsageError, match="OL_WORK"):
        mini.start()
    assert (mini.root / "work").read_text() == "mine"
    shown = mini.run("start")
    assert (shown.returncode, "Traceback" in shown.stderr) == (2, False)


def test_a_read_only_folder(
    started: MiniCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(started.work / "x"))

    started.notebook("02").path.unlink()
    started.solve("double")
    before = everything(started.work)
    monkeypatch.setattr(workspace.tempfile, "mkstemp", refuse)
    for act in (
        started.start,
        lambda: workspace.set_skipped(started.module, "01_count", True),
        lambda: workspace.reset(started.module, started.module.exercise("double")),
    ):
        with pytest.raises(UsageError, match="Permission denied"):
            act()
    assert everything(started.work) == before


def test_killed_in_the_middle_of_a_write(
    started: MiniCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def kill(*arguments: Any) -> None:
        raise Killed

    release_again(started)
    before = everything(started.work)
    monkeypatch.setattr(workspace.os, "replace", kill)
    with pytest.raises(Killed):
        started.start()
    assert everything(started.work) == before


def test_killed_between_notebook_and_starter(started: MiniCourse) -> None:
    new = release_again(started)
    started.notebook("01").path.write_bytes(new)  # the starter is still the old one
    assert started.start().outdated == []
    assert (started.work / ".starter" / "01_count.ipynb").read_bytes() == new


def test_work_may_stand_elsewhere(
    mini: MiniCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OL_WORK", str(tmp_path / "other"))
    assert mini.start().folder == tmp_path / "other" / "M1"
    assert not mini.work.exists()
    assert mini.states("double") == {"double": "not_written"}


def test_a_clone_without_notebooks_says_how_to_build_them(mini: MiniCourse) -> None:
    (mini.released / "01_count.ipynb").unlink()
    with pytest.raises(ToolError, match="dev build"):
        mini.start()


# --- reset


def reset(mini: MiniCourse, name: str) -> Path:
    exercise = mini.module.exercise(name)
    assert exercise is not None
    return workspace.reset(mini.module, exercise)[1]


def cells(path: Path) -> dict[str, str]:
    found = json.loads(path.read_text("utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in found}


def test_reset_puts_the_starter_back_and_keeps_mine(started: MiniCourse) -> None:
    started.solve("double", "total")
    started.notebook("01").add("helper = 1")
    mine = started.notebook("01").path.read_bytes()
    backup = reset(started, "double")
    assert backup.read_bytes() == mine
    now = cells(started.notebook("01").path)
    assert now["double-solution"] == cells(started.released / ALL[1])["double-solution"]
    assert "2 * sum(numbers)" in now["total-solution"]
    assert "helper = 1" in now.values()
    assert started.states("double", "total") == {
        "double": "not_written",
        "total": "pass",
    }


def test_reset_of_a_deleted_cell_puts_it_where_it_was(started: MiniCourse) -> None:
    order = list(cells(started.notebook("01").path))
    started.notebook("01").delete("total-solution")
    started.notebook("01").delete("double-check-then-1")
    reset(started, "total")
    order.remove("double-check-then-1")
    assert list(cells(started.notebook("01").path)) == order


def test_reset_removes_copies_of_the_exercise(started: MiniCourse) -> None:
    started.notebook("01").copy(
        "double-solution", "def double(n):\n    return 1", "copy"
    )
    backup = reset(started, "double")
    assert "copy" in cells(backup)
    assert "copy" not in cells(started.notebook("01").path)


def test_two_resets_in_one_second_make_two_backups(started: MiniCourse) -> None:
    backups = set()
    for _ in range(3):
        started.solve("double")
        backups.add(reset(started, "double"))
    assert len(backups) == 3


def test_an_untouched_exercise_is_not_reset(started: MiniCourse) -> None:
    before = everything(started.work)
    with pytest.raises(UsageError, match="as it was handed out"):
        reset(started, "double")
    assert everything(started.work) == before


def test_a_folder_in_a_notebooks_place_is_named(started: MiniCourse) -> None:
    started.notebook("01").path.unlink()
    started.notebook("01").path.mkdir()
    with pytest.raises(UsageError, match="is a folder, not a notebook"):
        started.start()


def test_a_lost_notebook_is_said_to_be_lost(started: MiniCourse) -> None:
    started.notebook("02").path.unlink()
    notes = checking.check(started.module, "work").notes
    assert any("02_words.ipynb is not in" in note for note in notes)


@pytest.mark.parametrize("data", [b"{", b"", b"\xff\xfe", b'{"cells": [3]}', b"[]"])
def test_reset_of_an_unreadable_notebook_touches_nothing(
    started: MiniCourse, data: bytes
) -> None:
    started.notebook("01").path.write_bytes(data)
    with pytest.raises(UsageError, match="cannot be read"):
        reset(started, "double")
    assert started.notebook("01").path.read_bytes() == data


# --- skip


def test_skip_and_undo(started: MiniCourse) -> None:
    assert "Skipped: 01_count" in started.run("skip", "01").stdout
    assert "Skipped: 01_count, 02_words" in started.run("skip", "words").stdout
    assert codes.skipped_notebooks(started.work) == ["01_count", "02_words"]
    assert "Skipped: 02_words" in started.run("skip", "01", "--undo").stdout
    assert "skipped" in started.run("status").stdout
    assert started.states("shout") == {"shout": "skipped"}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"skipped": 3}', '{"skipped": [3]}'])
def test_a_broken_state_file_skips_nothing(started: MiniCourse, text: str) -> None:
    codes.state_file(started.work).write_text(text)
    assert codes.skipped_notebooks(started.work) == []
    assert workspace.set_skipped(started.module, "01_count", True) == ["01_count"]


def test_skip_before_start(mini: MiniCourse) -> None:
    with pytest.raises(UsageError, match="start"):
        workspace.set_skipped(mini.module, "01_count", True)


def test_file_modes_stay(started: MiniCourse) -> None:
    path = started.notebook("01").path
    os.chmod(path, 0o600)
    workspace.write_atomically(path, b"{}")
    assert path.stat().st_mode & 0o777 == 0o600
