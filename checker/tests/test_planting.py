"""`ol mutants`: the catalogue planted in somebody's code, and what catches it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ol import course, paths, planting
from ol.mutants import CATALOGUE

MODULE = course.load().module()
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def ol(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "ol", "mutants", *arguments],
        cwd=paths.root(),
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def whole() -> list[planting.Planted]:
    """The whole catalogue, planted in the reference."""
    return planting.plant_all(MODULE, "ref")


@pytest.mark.parametrize("id", CATALOGUE)
def test_every_mutant_is_caught_in_the_reference(
    id: str, whole: list[planting.Planted]
) -> None:
    [planted] = [one for one in whole if one.id == id]
    assert planted.outcome == planting.CAUGHT, planted.why


def test_all_seventeen_of_the_chapter_are_there() -> None:
    chapters = [id for id in CATALOGUE if id.startswith("s")]
    assert len(chapters) == 17  # s01 has two variants
    assert {id[:3] for id in chapters} == {f"s{n:02}" for n in range(1, 17)}


def test_the_matrix_says_which_other_tests_notice() -> None:
    [planted] = planting.plant_all(MODULE, "ref", ["s11"], matrix=True)
    assert planted.outcome == planting.CAUGHT
    assert planted.noticed == {
        "constrained_sample": "wrong",
        "constrained_output_always_parses": "wrong",
    }


def test_the_report(tmp_path: Path) -> None:
    done = ol("--code", "ref", "s16", "u20", "--json", str(tmp_path / "m.json"))
    assert done.returncode == 0, done.stderr
    assert "2 of 2 caught" in done.stdout
    report = json.loads((tmp_path / "m.json").read_text())
    assert [m["id"] for m in report["mutants"]] == ["s16", "u20"]
    only_json = ol("L10.9", "s16", "--code", "ref", "--json", "-")
    assert json.loads(only_json.stdout)["exit"] == 0


def package(folder: Path, text: str) -> str:
    """Write a package that takes most from the reference and some from `text`."""
    head = "import ol\n_ref = ol.load('L10.9', 'ref')\n"
    for name in ("constrain", "tools"):
        body = f"def __getattr__(name): return getattr(_ref.{name}, name)\n"
        (folder / f"{name}.py").write_text(head + body + text)
    return str(folder)


def outcomes(code: str, *ids: str) -> dict[str, Any]:
    return {p.id: p.outcome for p in planting.plant_all(MODULE, code, ids)}


def test_what_is_not_used_cannot_be_planted(tmp_path: Path) -> None:
    code = package(tmp_path, "")
    assert outcomes(code, "s16") == {"s16": planting.CANNOT}


def test_a_test_that_fails_anyway_judges_nothing(tmp_path: Path) -> None:
    code = package(tmp_path, "def message_json(content, calls): return 'no'\n")
    [planted] = planting.plant_all(MODULE, code, ["s16"])
    assert planted.outcome in (planting.UNJUDGED, planting.CANNOT)
    done = ol("--code", code, "s16")
    assert done.returncode == 1
    assert "0 of 0 caught" in done.stdout


def test_an_unknown_id_is_told() -> None:
    done = ol("s99", "--code", "ref")
    assert done.returncode == 2
    assert "s99" in done.stderr
