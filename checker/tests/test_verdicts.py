"""What each verdict means for the others, and which are kept for the next run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from mini_course import RIGHT, MiniCourse
from ol import checking, codes, workspace
from ol.course import Check
from ol.failure import Failure
from ol.paths import ToolError, UsageError
from ol.verdict import Verdict, exit_code


def outcome(mini: MiniCourse, *names: str, **options: Any) -> Any:
    return checking.check(mini.module, options.pop("code", "work"), names, **options)


# --- states


def test_before_start_everything_is_not_written(mini: MiniCourse) -> None:
    result = outcome(mini)
    states = {verdict.check.name: verdict.state for verdict in result.verdicts}
    assert states.pop("later_test") == "absent"
    assert set(states.values()) == {"not_written"}
    assert result.exit == 1


def test_the_reference_passes(mini: MiniCourse) -> None:
    result = outcome(mini, code="ref")
    assert [v.state for v in result.verdicts] == ["pass"] * 5 + ["absent"]
    assert sum(v.points[0] for v in result.verdicts) == 19
    assert result.exit == 0


def test_waiting_names_the_first_that_is_missing(started: MiniCourse) -> None:
    started.solve("double", "shout")
    started.write("pair_of", "def pair_of(word):\n    return None\n")
    why = started.check("whole_chain")["whole_chain"].why
    assert why == "needs `total` of 01_count, which is not written yet"
    started.solve("total")
    why = started.check("whole_chain")["whole_chain"].why
    assert why == "needs `pair_of` of 02_words, which is not right yet"


def test_a_skipped_notebook_counts_nothing_and_stands_in(started: MiniCourse) -> None:
    started.solve("shout", "pair_of")
    started.write("double", "def double(number):\n    return 0\n")
    workspace.set_skipped(started.module, "01_count", True)
    result = outcome(started)
    assert [v.state for v in result.verdicts] == [
        "skipped", "skipped", "pass", "pass", "pass", "absent",
    ]  # fmt: skip
    assert result.exit == 0
    assert sum(v.points[0] for v in result.verdicts) == 14
    workspace.set_skipped(started.module, "01_count", False)
    assert outcome(started).exit == 1


@pytest.mark.parametrize(
    ("states", "code"),
    [
        ([], 1),
        (["absent"], 1),
        (["skipped", "absent"], 1),
        (["pass"], 0),
        (["pass", "skipped", "absent"], 0),
        *((["pass", s], 1) for s in ("wrong", "error", "timeout", "not_written")),
        (["pass", "waiting"], 1),
    ],
)
def test_exit_code(states: list[str], code: int) -> None:
    check = Check("x", "01_count", "step", 1, 1.0)
    assert exit_code([Verdict(check, state) for state in states]) == code


def test_a_verdict_survives_packing() -> None:
    check = Check("x", "01_count", "step", 2, 1.0)
    failure = Failure("in", "mine", "right", "here", "why", [("yours", "digraph {}")])
    verdict = Verdict(check, "wrong", 0.5, "because", failure, "printed")
    again = Verdict.unpack(check, json.loads(json.dumps(verdict.pack())))
    assert again.failure is not None
    assert again.failure.pictures == [["yours", "digraph {}"]]  # JSON has no tuples
    again.failure.pictures = failure.pictures
    assert again == verdict


def test_names_select_tests_exercises_and_notebooks(started: MiniCourse) -> None:
    assert list(started.check("total")) == ["total"]
    for name in ("01_count", "01", "count", "01_count.ipynb", "work/M1/01_count.ipynb"):
        assert list(started.check(name)) == ["double", "total"]
    assert list(started.check("02", "double")) == [
        "double", "shout", "pair_of", "whole_chain",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "message"),
    [("duoble", "double"), ("whole_chian", "whole_chain"), ("zzz", "`ol tests`")],
)
def test_a_wrong_name_is_answered_with_near_ones(
    started: MiniCourse, name: str, message: str
) -> None:
    with pytest.raises(UsageError, match=name) as caught:
        started.check(name)
    assert message in str(caught.value)


# --- whose code


def test_a_folder_of_notebooks(started: MiniCourse, tmp_path: Path) -> None:
    started.solve()
    folder = tmp_path / "handed in"
    shutil.copytree(started.work, folder)
    started.write("double", "def double(number):\n    return 0\n")
    states = started.states(code=str(folder))
    assert [*states.values()] == ["pass"] * 5 + ["absent"]


def test_one_notebook_builds_on_the_reference(started: MiniCourse) -> None:
    started.solve("shout", "pair_of")
    path = started.notebook("02").path
    assert started.states(code=str(path)) == {
        "shout": "pass", "pair_of": "pass", "whole_chain": "pass",
    }  # fmt: skip


def test_a_package(mini: MiniCourse, tmp_path: Path) -> None:
    package = tmp_path / "mine"
    package.mkdir()
    (package / "helper.py").write_text("def twice(n):\n    return n + n\n")
    (package / "constrain.py").write_text(
        "from helper import twice\n"
        "def double(n):\n    return twice(n)\n"
        "def total(ns):\n    return [][0]\n"
        "def shout(w):\n    raise NotImplementedError\n"
    )
    verdicts = mini.check(code=str(package))
    assert {name: v.state for name, v in verdicts.items()} == {
        "double": "pass", "total": "error", "shout": "not_written",
        "pair_of": "absent", "whole_chain": "absent", "later_test": "absent",
    }  # fmt: skip
    failure = verdicts["total"].failure
    assert failure is not None
    assert "constrain.py, line 5, in total" in failure.cause


def test_a_package_that_does_not_import(mini: MiniCourse, tmp_path: Path) -> None:
    (tmp_path / "constrain.py").write_text("import no_such_module\n")
    assert mini.states("double", code=str(tmp_path)) == {"double": "error"}
    (tmp_path / "constrain.py").write_text("while True: pass\n")
    assert mini.states("double", code=str(tmp_path)) == {"double": "timeout"}


@pytest.mark.parametrize("name", ["nowhere", "course.toml", "fixtures"])
def test_a_path_without_code(mini: MiniCourse, name: str) -> None:
    with pytest.raises(UsageError, match=f"--code {name}"):
        mini.check(code=name)


# --- kept results


def kept(mini: MiniCourse, **options: Any) -> int:
    return int(outcome(mini, **options).kept)


def test_results_of_the_same_code_are_kept(started: MiniCourse) -> None:
    started.solve("double")
    assert kept(started) == 0
    assert kept(started) == 1  # what waits, is absent or untouched is not run anyway
    assert kept(started, fresh=True) == 0
    assert kept(started, strict=True) == 0
    assert started.states()["double"] == "pass"


def test_a_change_of_code_invalidates_what_builds_on_it(started: MiniCourse) -> None:
    started.solve()
    outcome(started)
    started.write("pair_of", RIGHT["pair_of"] + "# changed\n")
    assert kept(started) == 2  # those of 01_count
    started.notebook("01").add("a trial", kind="markdown")
    assert kept(started) == 5
    started.notebook("01").add("1 + 1")
    assert kept(started) == 0


def test_a_change_of_the_tests_invalidates_everything(started: MiniCourse) -> None:
    started.solve()
    outcome(started)
    path = started.root / "checker" / "graded" / "M1" / "test_01_count.py"
    path.write_text(path.read_text().replace("6, input", "7, input"))
    result = outcome(started)
    assert (result.kept, result.exit) == (0, 1)


def test_timeouts_and_crashes_are_not_kept(started: MiniCourse) -> None:
    started.write("double", "def double(n):\n    import os\n    os._exit(0)\n")
    outcome(started, "double")
    assert outcome(started, "double").kept == 0


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "7", "VALUES null", "VALUES 3", 'VALUES {"state": "great"}',
     'VALUES {"state": "wrong", "failure": 3}', 'VALUES {"state": "pass", "x": 1}'],
)  # fmt: skip
def test_a_corrupt_file_of_results_is_none(started: MiniCourse, text: str) -> None:
    started.solve()
    outcome(started)
    [path] = (started.root / ".ol-cache" / "results").glob("*.json")
    if text.startswith("VALUES"):
        value = json.loads(text.removeprefix("VALUES"))
        text = json.dumps(dict.fromkeys(json.loads(path.read_text()), value))
    path.write_text(text)
    result = outcome(started)
    assert (result.kept, result.exit) == (0, 0)


def test_results_that_cannot_be_written_are_no_trouble(started: MiniCourse) -> None:
    (started.root / ".ol-cache").write_text("a file is in the way")
    assert [v.state for v in outcome(started, "double").verdicts] == ["not_written"]


# --- the tool's own faults


def test_a_graded_test_that_does_not_load_is_the_tools_fault(
    started: MiniCourse,
) -> None:
    path = started.root / "checker" / "graded" / "M1" / "test_01_count.py"
    path.write_text("import no_such_module")
    started.solve("double")
    with pytest.raises(ToolError, match=r"test_01_count\.py does not load"):
        started.check("double", fresh=True)


def test_an_untouched_exercise_needs_no_run(started: MiniCourse) -> None:
    """But one whose function stands in another cell does."""
    path = started.root / "checker" / "graded" / "M1" / "test_01_count.py"
    path.write_text("import no_such_module")  # whoever runs something trips over it
    assert started.states()["double"] == "not_written"
    started.notebook("01").add(RIGHT["double"])
    with pytest.raises(ToolError):
        started.check("double", fresh=True)


def test_a_broken_course_table_is_the_tools_fault(mini: MiniCourse) -> None:
    (mini.root / "course.toml").write_text("version = ")
    with pytest.raises(ToolError, match=r"course\.toml cannot be read"):
        mini.check()


def test_what_a_notebook_builds_on(mini: MiniCourse) -> None:
    assert codes.chain_of(mini.module, "02_words") == ["01_count", "02_words"]
    assert codes.chain_of(mini.module, "01_count") == ["01_count"]
