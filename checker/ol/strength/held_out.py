"""Questions that the diagnosis never asks, to judge whether what it said is true.

They are the course's own cases: golden patterns and schemas, public bug reports, tool
schemas of the Berkeley leaderboard. A diagnosis is true when the code answers each of
them as the reference with the mistake planted does, or is right where that one is wrong
on some but not on most.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from typing import Any

from ol import diagnose, paths
from ol.mutants import CATALOGUE, plant_in
from ol.mutants.machines import table_of
from ol.mutants.masks import VOCABULARY
from ol.mutants.parsing import told
from ol.mutants.probes import dumped, read
from ol.mutants.requests import answer_to, request_for
from ol.mutants.schemas import table_of_schema

_TOOLS = 60


def agrees(
    code: diagnose.Spaces, reference: diagnose.Spaces, ids: Sequence[str]
) -> bool | None:
    """Say whether the code behaves like these mutants; None where no question tells."""
    asked = questions()
    right, mine = diagnose.answers(reference, asked), diagnose.answers(code, asked)
    with ExitStack() as stack:
        for id in ids:
            stack.enter_context(plant_in(reference, CATALOGUE[id]))
        theirs = diagnose.answers(reference, asked)
    changed = [name for name in asked if theirs[name] != right[name]]
    wrong = [name for name in asked if mine[name] != right[name]]
    if not changed:
        return None if not wrong else False
    same = all(mine[name] == theirs[name] for name in wrong)
    return same and 2 * len(wrong) >= len(changed)


@cache
def questions() -> dict[str, diagnose.Question]:
    """Return the questions by name."""
    found: dict[str, diagnose.Question] = {}
    for pattern in patterns():
        found[f"pattern {pattern}"] = table_of(pattern)
    for name, schema in schemas():
        found[f"schema {name}"] = table_of_schema(schema)
        found[f"tool {name}"] = answer_to(request_for(schema))
    for value in values():
        found[f"dumps {value!r}"] = dumped(value)
        found[f"read {value!r}"] = read(json.dumps([value, value]))
    for pieces in streams():
        found[f"stream {pieces}"] = told(*pieces)
    for pattern in ("a(ba)*", "(ab|ba)+", "b?a?"):
        for start in range(3):
            found[f"mask {pattern} {start}"] = masks_from(pattern, start)
    return found


def patterns() -> list[str]:
    cases = (paths.fixtures() / "cases" / "regex.jsonl").read_text("utf-8")
    golden = (paths.fixtures() / "L8.7" / "regex_golden.json").read_text("utf-8")
    named = [json.loads(line).get("pattern") for line in cases.splitlines()]
    named += [entry["pattern"] for entry in json.loads(golden)["patterns"]]
    return [p for p in dict.fromkeys(named) if isinstance(p, str) and len(p) < 60]


def schemas() -> Iterator[tuple[str, Any]]:
    folder = paths.fixtures()
    golden = json.loads((folder / "L10.9" / "constrain_golden.json").read_text("utf-8"))
    for entry in golden["schemas"]:
        yield entry["name"], entry["schema"]
    with gzip.open(folder / "bfcl" / "functions.jsonl.gz", "rt") as lines:
        for number, line in enumerate(lines):
            if number % 25 == 0 and number < 25 * _TOOLS:
                yield f"leaderboard {number}", json.loads(line)["parameters"]


def values() -> Iterator[Any]:
    for exponent in range(-12, 24):
        yield float(f"1.{exponent % 10}25e{exponent}")
    yield from ("ü", "\x01", 'q"', "\\", "日本", {"k": [True]}, {"é": {}}, -7)


def streams() -> Iterator[tuple[str, ...]]:
    calls = [
        '<tool_call>{"name":"add","arguments":{"a":1,"b":[2,{"c":"}"}]}}</tool_call>',
        r'<tool_call>{"name":"say","arguments":{"t":"</tool_call> \" {"}}</tool_call>',
    ]
    text = f"First <b>\n{calls[0]}\n{calls[1]}"
    for size in (1, 2, 3, 5, 8, 13, 400):
        yield tuple(text[at : at + size] for at in range(0, len(text), size))
    yield ("<", "tool", "s> and <tool_calls>")
    yield ('<tool_call>{"name": 3}',)


def masks_from(pattern: str, start: int) -> diagnose.Question:
    """Ask for the masks of three tokens from the `start`-th allowed one on."""

    def ask(course: Any) -> list[Any]:
        index = course["TokenIndex"](course["regex_to_dfa"](pattern), VOCABULARY, 4)
        constraint, seen = course["Constraint"](index), []
        for _ in range(3):
            mask = constraint.mask().tolist()
            seen.append(mask)
            allowed = [id for id, may in enumerate(mask) if may]
            if not allowed:
                break
            constraint.advance(allowed[start % len(allowed)])
        return [*seen, constraint.mask().tolist()]

    return ask
