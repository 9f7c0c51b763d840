"""Real tools: the functions of the Berkeley Function Calling Leaderboard."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest

import ol
from ol import bfcl, fixtures, oracle, paths

REFERENCE = ol.load("L10.9", "ref")
TOOLS, CONSTRAIN = REFERENCE.tools, REFERENCE.constrain
FUNCTIONS = bfcl.functions()
QUESTIONS = bfcl.questions()


def body(*functions: dict[str, Any], **fields: Any) -> str:
    tools = [{"type": "function", "function": function} for function in functions]
    user = {"role": "user", "content": "hi"}
    return json.dumps({"messages": [user], "tools": tools, **fields})


def without_origin(function: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in function.items() if key != "of"}


def documented() -> dict[str, int]:
    """Return the table of refusals in the fixture's README."""
    text = (bfcl.folder() / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+?) \| (\d+) \|$", text, re.MULTILINE)
    return {reason: int(count) for reason, count in rows}


def reason(error: Any) -> str:
    keyword = error.param.rsplit(".", 1)[-1]
    return {
        "optional": "`optional`, which is no keyword of JSON Schema",
        "type": "the type `any`",
        "required[0]": "a required name without a property",
    }.get(keyword, f"`{keyword}`")


def test_what_is_refused_is_what_the_table_says() -> None:
    refused: Counter[str] = Counter()
    for function in FUNCTIONS:
        try:
            TOOLS.parse_tool_request(body(without_origin(function)))
        except TOOLS.ToolError as error:
            assert error.status == 422
            refused[reason(error)] += 1
    assert len(FUNCTIONS) == 1_677
    assert refused == documented()
    assert refused.total() <= 0.05 * len(FUNCTIONS)


@pytest.mark.parametrize("part", range(8))
def test_every_grammar_is_built(part: int) -> None:
    for function in FUNCTIONS[part::8]:
        try:
            asked = TOOLS.parse_tool_request(
                body(without_origin(function), tool_choice="required")
            )
        except TOOLS.ToolError:
            continue
        asked = type(asked)(asked.tools, asked.choice, asked.response_format, False)
        assert TOOLS.grammar_to_dfa(asked).n_states <= 20_000


@pytest.mark.parametrize("entry", QUESTIONS[::4], ids=lambda entry: entry["id"])
def test_both_routes_and_the_oracle_agree(entry: dict[str, Any]) -> None:
    asked = TOOLS.parse_tool_request(
        body(*entry["tools"], tool_choice="required", parallel_tool_calls=False)
    )
    try:
        by_text = CONSTRAIN.regex_to_dfa(TOOLS.grammar(asked).pattern)
    except CONSTRAIN.ConstrainError as error:
        assert error.kind == "size"  # the text route has its budget
        return
    assert fixtures.table_entry(TOOLS.grammar_to_dfa(asked)) == fixtures.table_entry(
        by_text
    )


@pytest.mark.parametrize("entry", QUESTIONS, ids=lambda entry: entry["id"])
def test_the_right_call_is_in_the_language(entry: dict[str, Any]) -> None:
    answer = entry["answer"]
    named = {"type": "function", "function": {"name": answer["name"]}}
    asked = TOOLS.parse_tool_request(body(*entry["tools"], tool_choice=named))
    call = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    text = f"<tool_call>{call}</tool_call>"
    assert TOOLS.grammar_to_dfa(asked).matches(text.encode())
    [schema] = [
        tool["parameters"] for tool in entry["tools"] if tool["name"] == answer["name"]
    ]
    values = json.dumps(answer["arguments"], ensure_ascii=False, separators=(",", ":"))
    assert oracle.schema_accepts(schema, values.encode())


def test_the_slice_is_large_enough() -> None:
    assert len(QUESTIONS) == 80
    assert (paths.fixtures() / "bfcl" / "README.md").exists()
