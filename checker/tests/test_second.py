"""The second implementation: right, caught with every mutant, and not the first again.

It proves that graded tests and mutants are about the interface. Its tables are compared
with the oracle's, which it shares no code with either.
"""

from __future__ import annotations

import ast
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ol
from ol import checking, course, fixtures, oracle, paths, planting
from ol.mutants import CATALOGUE
from pattern_trees import random_pattern, render
from schema_trees import random_schema

MODULE = course.load().module()
FOLDER = Path(__file__).parent / "second"
NAMED = [c.name for c in MODULE.checks() if c.kind == "named"]
PRESENT = [name for name in NAMED if MODULE.is_present(MODULE.check(name).notebook)]
CONSTRAIN = ol.load("L10.9", str(FOLDER)).constrain


def test_every_named_test_passes() -> None:
    outcome = checking.check(MODULE, str(FOLDER), PRESENT)
    states = {verdict.check.name: verdict.state for verdict in outcome.verdicts}
    assert states == dict.fromkeys(PRESENT, "pass")


# --- the same tables as the oracle's


def same(mine: Any, theirs: Any) -> bool:
    return (
        mine.n_states == theirs.n_states
        and mine.accept.tolist() == theirs.accept.tolist()
        and mine.trans.tolist() == theirs.trans.tolist()
    )


def golden(path: str, key: str) -> Any:
    return json.loads((paths.fixtures() / path).read_text("utf-8"))[key]


@pytest.mark.parametrize(
    "path", ["L8.7/regex_golden.json", "L10.9/constrain_golden.json"]
)
def test_golden_patterns(path: str) -> None:
    for entry in golden(path, "patterns"):
        table = fixtures.read_table(entry)
        assert same(CONSTRAIN.regex_to_dfa(entry["pattern"]), table), entry["pattern"]


def test_random_patterns() -> None:
    chooser = random.Random(14)
    compared = 0
    for number in range(400):
        pattern = render(random_pattern(chooser, number % 2 == 0), chooser)
        try:
            expected = oracle.regex_to_dfa(pattern)
        except ValueError as error:
            with pytest.raises(ValueError) as caught:
                CONSTRAIN.regex_to_dfa(pattern)
            assert caught.value.kind == error.kind, (number, pattern)  # type: ignore[attr-defined]
            continue
        assert same(CONSTRAIN.regex_to_dfa(pattern), expected), (number, pattern)
        compared += 1
    assert compared > 300


def test_random_schemas() -> None:
    chooser = random.Random(15)
    reference = ol.load("L10.9", "ref").constrain
    for number in range(150):
        schema = random_schema(chooser, chooser.randrange(3))
        said = f"number {number}: {json.dumps(schema)}"
        assert same(CONSTRAIN.schema_to_dfa(schema), reference.schema_to_dfa(schema)), (
            said
        )


# --- every mutant


@pytest.fixture(scope="module")
def planted() -> dict[str, planting.Planted]:
    if not hasattr(os, "fork"):
        pytest.skip("planting needs fork")
    return {one.id: one for one in planting.plant_all(MODULE, str(FOLDER))}


@pytest.mark.parametrize("id", [id for id in CATALOGUE if id.startswith("s")])
def test_the_chapters_mutants_are_caught(
    id: str, planted: dict[str, planting.Planted]
) -> None:
    assert planted[id].outcome == planting.CAUGHT, planted[id]


@pytest.mark.parametrize("id", [id for id in CATALOGUE if id.startswith("u")])
def test_the_others_are_caught_or_have_no_place(
    id: str, planted: dict[str, planting.Planted]
) -> None:
    assert planted[id].outcome in (planting.CAUGHT, planting.CANNOT), planted[id]


def test_a_path_from_the_clones_top_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """The child stands elsewhere: the folder has to reach it as a whole path."""
    monkeypatch.chdir(paths.root())
    [one] = planting.plant_all(MODULE, "checker/tests/second", ["s16"])
    assert one.outcome == planting.CAUGHT


# --- other insides


def functions(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (name, what it does) of every function of four statements or more."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                inside = [n for n in ast.walk(node) if isinstance(n, ast.stmt)]
                body = node.body[ast.get_docstring(node) is not None :]
                if len(inside) > 4:
                    yield node.name, "\n".join(map(ast.dump, body))


def test_it_shares_no_function_with_the_course_or_the_oracle() -> None:
    mine = dict(functions(FOLDER))
    assert len(mine) > 50
    others = {text for _, text in functions(paths.root() / "solutions")}
    others |= {text for _, text in functions(paths.root() / "checker/ol")}
    assert not {name for name, text in mine.items() if text in others}


def test_it_imports_nothing_of_the_course_but_the_needed_modules() -> None:
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level:
                name = node.module or ""
                assert not name.startswith("ol") or name.startswith("ol.needs."), path
