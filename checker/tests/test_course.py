"""The course as a product: every rule of the house is one test and one sentence."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ol import build, course, paths
from ol.codes import reference
from ol.source import read_notebook, solution_lines, stub

MODULE = course.load().module()
PRESENT = [notebook.id for notebook in MODULE.present()]
EXERCISES = [e for n in MODULE.present() for e in n.exercises]
REFERENCE = reference(MODULE)

# The chapter's twenty tests, and the notebook that completes each (issue A's table).
CHAPTER_TESTS = {
    "hand_example_dfa": "04_minimize",
    "dumps_matches_python": "06_json",
    "dfa_matches_python_l8_7": "07_schema",
    "subset_errors_are_refused": "07_schema",
    "json_object_grammar": "07_schema",
    "token_index_rules": "08_masks",
    "masks_match_python_l8_7": "08_masks",
    "constrained_sample_hand_example": "10_sampling",
    "constrained_output_always_parses": "10_sampling",
    "parse_tool_request_hand_example": "11_requests",
    "grammar_by_tool_choice": "11_requests",
    "render_messages_with_tools": "11_requests",
    "vocab_bytes_marks_specials": "11_requests",
    "parser_hand_example": "12_parser",
    "parser_holds_back_only_real_markup": "12_parser",
    "parser_parallel_calls": "12_parser",
    "parser_is_split_invariant": "12_parser",
    "message_and_delta_json_shapes": "12_parser",
    "forced_call_from_a_random_model_is_valid": "13_serve",
    "serve_loop_routes_tool_calls": "13_serve",
}


def test_the_chapters_twenty_tests_have_their_homes() -> None:
    named = {c.name: c.notebook for c in MODULE.checks() if c.kind == "named"}
    assert named == CHAPTER_TESTS


def test_built_notebooks_are_what_the_scripts_build() -> None:
    assert build.stale(build.build(MODULE), MODULE.id) == []


def test_two_builds_are_equal() -> None:
    assert build.build(MODULE) == build.build(MODULE)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_an_exercise_is_one_short_documented_function(
    exercise: course.Exercise,
) -> None:
    cell = next(
        c
        for c in REFERENCE[exercise.notebook][0]
        if c.role == "solution" and c.name == exercise.name
    )
    tree = ast.parse(cell.source)
    assert [type(s).__name__ for s in tree.body] == ["FunctionDef"]
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    assert function.name == exercise.name
    assert ast.get_docstring(function), "it has no docstring"
    assert function.returns is not None, "it has no return type"
    assert all(a.annotation for a in function.args.args), "an argument has no type"
    lines = len(solution_lines(cell.source))
    assert 2 <= lines <= 16, f"{lines} lines"
    assert abs(lines - exercise.lines) <= 3, (
        f"course.toml promises {exercise.lines} lines"
    )
    assert 5 <= exercise.minutes <= 25
    assert ast.parse(stub(cell.source))


@pytest.mark.parametrize("notebook", [n for n in PRESENT if n != "00_why"])
def test_headings_say_what_course_toml_says(notebook: str) -> None:
    cells = REFERENCE[notebook][0]
    minutes = MODULE.notebook(notebook).minutes
    exercises = {e.name: e for e in MODULE.notebook(notebook).exercises}
    assert f"*({minutes} minutes)*" in cells[0].source.split("\n")[0]
    below: list[tuple[str, list[course.Exercise]]] = []
    for cell in cells:
        if found := re.search(r"^##.*\*\((.*)\)\*$", cell.source, re.MULTILINE):
            below.append((found[1], []))
        if cell.role == "solution":
            below[-1][1].append(exercises[str(cell.name)])
    for told, asked in below:
        time, _, size = told.partition(", about ")
        assert time.split(",")[0] == f"{sum(e.minutes for e in asked)} minutes", told
        if size:
            assert size == f"{' and '.join(str(e.lines) for e in asked)} lines", told


@pytest.mark.parametrize("notebook", PRESENT)
def test_no_line_of_a_solution_is_released(notebook: str) -> None:
    cells = REFERENCE[notebook][0]
    free = "\n".join(c.source for c in cells if c.role not in ("solution", "answer"))
    path = paths.notebooks(MODULE.id) / f"{notebook}.ipynb"
    shown = "\n".join(cell.source for cell in read_notebook(path))
    for cell in cells:
        if cell.role != "solution":
            continue
        for line in map(str.strip, solution_lines(cell.source)):
            if len(line) > 20 and line not in free:
                assert line not in shown, f"{cell.name}: {line}"
    assert "BEGIN SOLUTION" not in shown


@pytest.mark.parametrize("notebook", PRESENT)
def test_an_exercise_is_followed_by_hints_and_its_check(notebook: str) -> None:
    cells = REFERENCE[notebook][0]
    for index, cell in enumerate(cells):
        if cell.role == "solution":
            following = [(c.role, c.name) for c in cells[index + 1 : index + 5]]
            assert following == [("hint", cell.name)] * 3 + [("check", cell.name)]


@pytest.mark.parametrize("notebook", PRESENT)
def test_questions_have_answers(notebook: str) -> None:
    cells = REFERENCE[notebook][0]
    asked = [c.name for c in cells if c.role == "predict"]
    answered = [c.name for c in cells if c.role == "answer"]
    assert sorted(map(str, asked)) == sorted(map(str, answered))
    for cell in cells:
        if cell.role == "predict":
            assert f'ol.predict("{cell.name}"' in cell.source and "..." in cell.source


@pytest.mark.parametrize("notebook", PRESENT)
def test_cells_are_short(notebook: str) -> None:
    for cell in REFERENCE[notebook][0]:
        if cell.kind == "code":
            lines = cell.source.split("\n")
            limit = 45 if cell.role == "given" else 30
            assert len(lines) <= limit, f"{cell.name}: {len(lines)} lines"
            assert max(map(len, lines)) <= 88, f"{cell.name}: a line over 88"


@pytest.mark.parametrize("notebook", [n for n in PRESENT if n != "00_why"])
def test_a_notebook_has_the_size_of_an_evening(notebook: str) -> None:
    cells = [c for c in REFERENCE[notebook][0] if c.role != "answer"]
    prose = [c for c in cells if c.kind == "markdown" and c.role != "hint"]
    words = sum(len(re.findall(r"\w+", c.source)) for c in prose)
    without_hints = [c for c in cells if c.role != "hint"]
    drawings = sum(len(DRAWS.findall(c.source)) for c in cells if c.kind == "code")
    exercises = sum(c.role == "solution" for c in cells)
    assert 35 <= len(without_hints) <= 75, f"{len(without_hints)} cells"
    assert 900 <= words <= 2_400, f"{words} words"
    assert 6 <= drawings <= 24, f"{drawings} drawings"
    assert 4 <= exercises <= 7


DRAWS = re.compile(r"\bol\.(?:draw|compare|partition|table|bars)\(")


def test_mutants_of_the_table_are_in_the_catalogue() -> None:
    from ol.mutants import CATALOGUE

    assert set(MODULE.mutants) == set(CATALOGUE)
    names = {check.name for check in MODULE.checks()}
    assert set(MODULE.mutants.values()) <= names


def test_readme_states_are_the_states_there_are() -> None:
    from ol.verdict import STATES

    text = (Path(paths.root()) / "README.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(STATES)
