"""Nobody is stuck: reference steps stand in for what comes before an exercise."""

from __future__ import annotations

from mini_course import RIGHT, MiniCourse


def test_the_starter_asks_for_every_exercise(started: MiniCourse) -> None:
    assert started.states() == {
        "double": "not_written",
        "total": "not_written",
        "shout": "not_written",
        "pair_of": "not_written",
        "whole_chain": "waiting",
        "later_test": "absent",
    }


def test_each_exercise_turns_green_with_all_others_unwritten(
    started: MiniCourse,
) -> None:
    for exercise in RIGHT:
        started.notebook("01").path.unlink()
        started.notebook("02").path.unlink()
        started.start()
        started.solve_from_reference(exercise)
        states = started.states(*RIGHT)
        assert states == {e: "pass" if e == exercise else "not_written" for e in RIGHT}


def test_strict_lends_nothing(started: MiniCourse) -> None:
    started.solve("total", "shout", "pair_of")
    verdicts = started.check("total", "shout", "pair_of", strict=True)
    assert verdicts["shout"].state == "pass"
    assert verdicts["pair_of"].state == "waiting"
    assert "`double`" in verdicts["pair_of"].why
    started.solve_from_reference("total")  # calls double
    assert started.states("total", strict=True) == {"total": "waiting"}


def test_wrong_earlier_steps_do_not_spoil_later_ones(started: MiniCourse) -> None:
    started.write("double", "def double(number):\n    return 0\n")
    started.solve_from_reference("total")
    started.solve("shout", "pair_of")
    verdicts = started.check()
    assert [v.state for v in verdicts.values()] == [
        "wrong", "pass", "pass", "pass", "waiting", "absent",
    ]  # fmt: skip
    assert "`double` of 01_count" in verdicts["whole_chain"].why


def test_a_named_test_runs_the_learners_own_chain(started: MiniCourse) -> None:
    started.solve()
    assert started.states("whole_chain") == {"whole_chain": "pass"}


def test_helpers_beside_an_earlier_exercise_survive(started: MiniCourse) -> None:
    started.write(
        "double",
        "TWO = 2\ndef times(a, b):\n    return a * b\ndef double(n):\n    return 0\n",
    )
    started.write("total", "def total(ns):\n    return times(TWO, sum(ns))\n")
    assert started.states("double", "total") == {"double": "wrong", "total": "pass"}


def test_helper_cells_anywhere(started: MiniCourse) -> None:
    started.write("total", "def total(ns):\n    return sum(SUMS[n] for n in ns)\n")
    started.notebook("01").add("SUMS = {}", after="pair-class")
    started.notebook("01").add("for n in range(9):\n    SUMS[n] = double(n)")
    assert started.states("total") == {"total": "pass"}
    assert started.notes() == []


def test_deleted_given_cells_come_back(started: MiniCourse) -> None:
    started.solve()
    for given in ("imports", "pair-class"):
        started.notebook("01").delete(given)
    started.notebook("02").delete("imports")
    assert set(started.states(*RIGHT).values()) == {"pass"}


def test_an_exercise_that_moved_to_another_cell(started: MiniCourse) -> None:
    started.solve()
    notebook = started.notebook("01")
    notebook.delete("double-solution")
    notebook.add("def double(number):\n    return 0\n")
    assert started.states("double", "total", "pair_of") == {
        "double": "wrong", "total": "pass", "pair_of": "pass",
    }  # fmt: skip
    notebook.add("if True:\n    def double(number):\n        return number * 2\n")
    assert started.states("double") == {"double": "pass"}


def test_an_exercise_that_is_gone(started: MiniCourse) -> None:
    started.solve()
    started.notebook("01").delete("double-solution")
    verdicts = started.check("double", "total")
    assert [v.state for v in verdicts.values()] == ["not_written", "pass"]
    assert "does not define `double`" in verdicts["double"].why


def test_a_copied_cell_counts_last_and_is_reported(started: MiniCourse) -> None:
    started.solve()
    notebook = started.notebook("01")
    notebook.copy("double-solution", "def double(number):\n    return 0\n", "copy")
    assert started.states("double", "total") == {"double": "wrong", "total": "pass"}
    assert any("copies of one solution cell, `double`" in n for n in started.notes())
    assert any("`double` is defined more than once" in n for n in started.notes())


def test_an_earlier_notebook_that_does_not_execute(started: MiniCourse) -> None:
    started.solve()
    started.notebook("01").add("1 / 0  # ol: keep\nclass Pair(:", after="pair-class")
    started.notebook("01").delete("pair-class")
    started.notebook("01").add("class Pair(Nowhere):\n    pass")
    states = started.states(*RIGHT)
    assert (states["shout"], states["pair_of"]) == ("pass", "pass")


def test_an_earlier_notebook_that_cannot_be_read(started: MiniCourse) -> None:
    started.solve()
    started.notebook("01").path.write_text("{")
    verdicts = started.check(*RIGHT)
    assert [v.state for v in verdicts.values()] == ["error", "error", "pass", "pass"]
    assert "cannot be read as a notebook" in verdicts["double"].why


def test_an_earlier_notebook_that_is_not_there(started: MiniCourse) -> None:
    started.solve()
    started.notebook("01").path.unlink()
    verdicts = started.check()
    assert [v.state for v in verdicts.values()] == [
        "not_written", "not_written", "pass", "pass", "waiting", "absent",
    ]  # fmt: skip
    assert "01_count.ipynb is not there" in verdicts["double"].why


def test_a_name_the_course_promises_but_does_not_give_is_no_endless_loop(
    started: MiniCourse,
) -> None:
    started.solve()
    path = started.root / "course.toml"
    path.write_text(path.read_text().replace('["Pair"]', '["Pair", "Triple"]'))
    assert started.states("shout") == {"shout": "pass"}
