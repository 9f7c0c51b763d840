"""What was measured of the tests' strength, kept in fixtures/strength, and in words.

    kill_matrix.json     per mutant a sign per test, as `ol mutants --matrix` has them
    source_mutants.json  what became of each sampled change of the reference
    hand_bugs.json       what the diagnosis said of each bug written by hand

The README's paragraph is made of them; a test compares.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ol import course, paths
from ol.planting import Planted
from ol.report import matrix
from ol.strength.killing import Finding

BEGIN = "<!-- written by ./ol dev strength -->\n"
END = "<!-- end -->\n"


def folder() -> Path:
    return paths.fixtures() / "strength"


def matrix_text(module: course.Module, found: Sequence[Planted]) -> str:
    """Return the kill matrix as JSON: the tests, then a line of signs per mutant."""
    tests = matrix.columns(module, found)
    rows = {
        planted.id: "".join(matrix.CELLS[matrix.cell(planted, t)][0] for t in tests)
        for planted in found
    }
    return json.dumps({"tests": tests, "mutants": rows}, indent=1) + "\n"


def findings_text(findings: Sequence[Finding]) -> str:
    """Return findings as JSON, one a line, so that a diff shows what changed."""
    lines = [json.dumps(f.to_json(), ensure_ascii=False) for f in findings]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def read(name: str) -> Any:
    return json.loads((folder() / name).read_text("utf-8"))


def write(name: str, text: str) -> Path:
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def figures() -> str:
    """Return the README's paragraph about what is kept in the folder."""
    changes, bugs = read("source_mutants.json"), read("hand_bugs.json")
    killed = [f for f in changes if f["killer"]]
    false = [f for f in changes if f["behaves_like"] and f["true"] is False]
    named = [f for f in changes if f["behaves_like"]]
    verdicts = [verdict_of(bug) for bug in bugs]
    right, wrong, silent = (verdicts.count(v) for v in ("right", "wrong", "silent"))
    percent = 100 * len(false) / len(changes)
    none = sum(not bug["catalogue"] for bug in bugs)
    return textwrap.fill(
        f"Of {len(changes)} random changes to the solutions, one place each, "
        f"{len(killed)} fail a graded test; the others change nothing that a caller "
        f"could see (`checker/tests/test_strength.py` argues each). `ol check` names a "
        f"known mistake for {len(named)} of them, {len(false)} times wrongly "
        f"({percent:.1f} %). Of {len(bugs)} bugs written by hand, {none} of which no "
        f"mutant stands for, it names {right} rightly, {wrong} wrongly, and is silent "
        f"about {silent}.",
        width=92,
        break_long_words=False,
        break_on_hyphens=False,
    )


def verdict_of(bug: dict[str, Any]) -> str:
    """Say whether a diagnosis of a hand-written bug is `right`, `wrong` or `silent`.

    Silence about a bug that no mutant stands for is right, too, and counts as silent;
    of two mistakes in one bug, naming one is right.
    """
    named = set(bug["behaves_like"])
    if not named:
        return "silent"
    return "right" if named <= set(bug["catalogue"].split()) else "wrong"


def put_into_readme() -> bool:
    """Write the paragraph between its marks; return whether anything changed."""
    path = paths.root() / "README.md"
    text = path.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    new = f"{before}{BEGIN}{figures()}\n{END}{after}"
    path.write_text(new, encoding="utf-8")
    return new != text
