"""What notebook 12's checks say to code that is wrong: the piece, and the right cause.

Each mistake is planted in the reference, under the name of the exercise or the given
function that it replaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ol import codes, course, mutants
from ol.judge import Judge
from ol.mutants import Mutant

MODULE = course.load().module()


def planted(target: str, make: Callable[..., Any]) -> Mutant:
    return Mutant("x", "", "", "", target, make, lambda interface: None)


def told(mutant: Mutant, check: str) -> dict[str, str]:
    """Return what the check says of the mutant: the five texts of its failure."""
    code = codes.resolve(MODULE, "ref")
    verdict = Judge(MODULE, code, overlay=mutants.overlay(mutant)).run(
        MODULE.check(check)
    )
    assert verdict.state == "wrong", verdict.why
    assert verdict.failure is not None
    return verdict.failure.to_json()


# --- the chapter's three


def test_s14_names_the_piece_whose_fragment_is_missing() -> None:
    text = told(mutants.get("s14"), "parser_hand_example")
    assert "finish()" in text["input"]
    assert "'ris\"}' is missing" in text["cause"]
    text = told(mutants.get("s14"), "parser_is_split_invariant")
    assert "is missing" in text["cause"]


def test_s15_names_the_piece_that_leaks() -> None:
    text = told(mutants.get("s15"), "parser_hand_example")
    assert "piece 1: push('Sure.<tool_')" in text["input"]
    assert "'<tool_' is shown" in text["cause"] and "hold it back" in text["cause"]
    text = told(mutants.get("s15"), "parser_holds_back_only_real_markup")
    assert "'<' is shown" in text["cause"]


def test_s16_says_null() -> None:
    text = told(mutants.get("s16"), "message_and_delta_json_shapes")
    assert 'content is "" beside tool_calls' in text["cause"]


# --- other mistakes


def shortest(original: Any, interface: Any) -> Any:
    def hold_back(text: str, marker: str) -> int:
        lengths = range(1, len(marker))
        return next((n for n in lengths if text.endswith(marker[:n])), 0)

    return hold_back


def ends_at_the_closer(original: Any, interface: Any) -> Any:
    """Let the arguments end where the marker stands, in a string or not."""

    def argument_end(text: str, start: int, place: Any) -> tuple[int, Any]:
        end, after = original(text, start, place)
        found = text.find("</tool_call>", start, end)
        return (end, after) if found < 0 else (found, type(place)())

    return argument_end


def blind_to_strings(original: Any, interface: Any) -> Any:
    def argument_end(text: str, start: int, place: Any) -> tuple[int, Any]:
        depth = place.depth
        for brace in re.compile("[{}]").finditer(text, start):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                return brace.end(), type(place)()
        return len(text), replace_depth(place, depth)

    return argument_end


def replace_depth(place: Any, depth: int) -> Any:
    return place._replace(depth=depth)


def forgets_the_escape(original: Any, interface: Any) -> Any:
    """Forget a backslash at the end of a piece."""

    def argument_end(text: str, start: int, place: Any) -> tuple[int, Any]:
        end, after = original(text, start, place)
        return end, after._replace(escaped=False)

    return argument_end


def swallows_the_rest(original: Any, interface: Any) -> Any:
    return lambda parser: [original(parser), []][1]


def written_anew(original: Any, interface: Any) -> Any:
    def push(parser: Any, piece: str | bytes) -> list[Any]:
        return [
            replace(event, fragment=event.fragment.replace(":", ": "))
            if hasattr(event, "fragment")
            else event
            for event in original(parser, piece)
        ]

    return push


def one_index(original: Any, interface: Any) -> Any:
    def push(parser: Any, piece: str | bytes) -> list[Any]:
        return [
            replace(event, index=0) if hasattr(event, "index") else event
            for event in original(parser, piece)
        ]

    return push


def decodes_alone(original: Any, interface: Any) -> Any:
    def push(parser: Any, piece: str | bytes) -> list[Any]:
        if isinstance(piece, bytes):
            piece = piece.decode(errors="replace")
        return list(original(parser, piece))

    return push


WRONG = [
    ("hold_back", shortest, "hold_back", "the longest"),
    ("hold_back", lambda o, i: lambda text, marker: len(text), "hold_back", "not end"),
    ("argument_end", ends_at_the_closer, "parser_is_split_invariant", "quoted text"),
    ("argument_end", ends_at_the_closer, "argument_end", "does not count"),
    ("argument_end", blind_to_strings, "argument_end", "inside a string is text"),
    ("argument_end", blind_to_strings, "parser_is_split_invariant", "quoted text"),
    ("argument_end", forgets_the_escape, "argument_end", "in the next piece"),
    ("ToolParser.finish", swallows_the_rest, "parser_holds_back_only_real_markup",
     "is missing"),
    ("ToolParser.push", written_anew, "parser_hand_example", "not written anew"),
    ("ToolParser.push", decodes_alone, "parser_is_split_invariant", "decoded alone"),
    ("collect", lambda o, i: lambda e: (o(e)[0] or "", o(e)[1]), "collect",
     "None, not the empty"),
    ("message_json", lambda o, i: lambda content, calls: i["json_dumps"](
        {"role": "assistant", "content": content, "tool_calls": []}),
     "message_json", "no tool_calls"),
    ("follow", lambda o, i: lambda *a: (o(*a)[0], max(o(*a)[1] - 1, 0)), "follow",
     "behind the last character"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "make", "check", "cause"), WRONG)
def test_a_mistake_gets_its_cause(
    target: str, make: Callable[..., Any], check: str, cause: str
) -> None:
    text = told(planted(target, make), check)
    assert cause in text["cause"], text
    if check.startswith("parser"):
        assert re.search(r"piece \d+: (push|finish)\(", text["input"]), text


def test_one_index_for_all_calls_is_seen() -> None:
    text = told(planted("ToolParser.push", one_index), "parser_parallel_calls")
    assert "index" in text["first_difference"]
