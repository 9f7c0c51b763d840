"""The 88 cases of fixtures/cases/regex.jsonl, on the reference.

Until 05 is in the course a pattern with characters above 7F, a `.` or a negation cannot
become an automaton: those cases are held to their tree's refusal, or to `unsupported`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ol import codes, course, paths
from ol.implementation import Implementation

MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain
LINES = (paths.fixtures() / "cases" / "regex.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
CHARACTERS_COME_LATER = not MODULE.is_present("05_characters")


def has_characters(node: Any) -> bool:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if type(node).__name__ == "Characters":
            return True
        waiting += getattr(node, "parts", ()) + getattr(node, "options", ())
        waiting += [node.part] if hasattr(node, "part") else []
    return False


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    pattern = case["pattern"]
    kind = case.get("refuse")
    if (
        kind is None
        and CHARACTERS_COME_LATER
        and has_characters(CONSTRAIN.parse(pattern))
    ):
        kind = "unsupported"
    if kind is not None:
        with pytest.raises(ValueError) as refused:
            CONSTRAIN.regex_to_dfa(pattern)
        assert refused.value.kind == kind  # type: ignore[attr-defined]
        return
    dfa = CONSTRAIN.regex_to_dfa(pattern)
    for wanted, strings in ((True, case["accepts"]), (False, case["rejects"])):
        for string in strings:
            assert dfa.matches(bytes.fromhex(string)) is wanted, string


def test_there_are_88() -> None:
    assert len({case["id"] for case in CASES}) == 88


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [("(a{1000}){1000}", "size"), ("(a|b)*a(a|b){30}", "size"), ("(" * 5001, "size")],
)
def test_what_is_too_big_is_refused_at_once(pattern: str, kind: str) -> None:
    import time

    started = time.perf_counter()
    with pytest.raises(ValueError) as refused:
        CONSTRAIN.regex_to_dfa(pattern)
    assert refused.value.kind == kind  # type: ignore[attr-defined]
    assert time.perf_counter() - started < 30  # a guard; it takes about two seconds
