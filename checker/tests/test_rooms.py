"""Lower rooms import no higher one; names, lengths, types and style hold everywhere."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "checker" / "ol"

# From the ground up. A room may import from its own line and from lines above it.
ROOMS = [
    ("paths", "failure", "forms"),
    ("plain", "course", "dot", "oracle", "hand", "modelfile", "tekken", "validity"),
    ("source", "automata", "fixtures", "bfcl", "needs", "model"),
    ("effects", "trace", "asked", "pictures", "expect", "vocabularies", "alarm"),
    ("extract", "imports", "mutants"),
    ("implementation", "guard"),
    ("rawcells",),
    ("assist", "codes", "package", "workspace", "build", "repair"),
    ("words", "verdict", "stages", "submit", "diagnose"),
    ("graded", "results", "steppers", "schemas"),
    ("judge",),
    ("run", "live", "mine"),
    ("walks", "mytests"),
    ("checking", "planting"),
    ("watching", "upcoming"),
    ("report",),
    ("kernel", "grading", "strength"),
    ("cli",),
]
RANK = {room: rank for rank, rooms in enumerate(ROOMS) for room in rooms}


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "ol":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ol."):
            found.add(str(node.module).split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {
                a.name.split(".")[1] for a in node.names if a.name.startswith("ol.")
            }
    return found


FILES = [
    p
    for p in sorted(PACKAGE.rglob("*.py"))
    if room_of(p) not in ("__init__", "__main__")
]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_down(path: Path) -> None:
    mine = RANK[room_of(path)]
    higher = {room for room in imported_rooms(path) if RANK[room] > mine}
    assert not higher, f"{path.name} imports from a higher room: {higher}"


def test_functions_and_files_are_short() -> None:
    long: list[str] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text("utf-8")
        if len(text.splitlines()) > 320:
            long.append(f"{path.relative_to(ROOT)}: {len(text.splitlines())} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                first = node.body[0]
                docstring = isinstance(first, ast.Expr) and isinstance(
                    first.value, ast.Constant
                )
                start = (first.end_lineno or 0) if docstring else first.lineno - 1
                length = (node.end_lineno or 0) - start
                if length > 28:
                    long.append(
                        f"{path.relative_to(ROOT)}:{node.lineno} {node.name} {length}"
                    )
    assert not long, "\n".join(long)


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["mypy", "--cache-dir", ".mypy_cache"],
    ],
    ids=["ruff", "mypy"],
)
def test_static(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_of_a_machine_is_in_the_project() -> None:
    files = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    machine = re.compile(r"(?<![\w.])/(?:root|work|home)/|index-" + "url")
    bad = [
        f"{name}: {found[0]}"
        for name in filter(None, files)
        if name != "LICENSE" and (ROOT / name).exists()
        if (found := machine.search((ROOT / name).read_text("utf-8", errors="ignore")))
    ]
    assert not bad, bad
