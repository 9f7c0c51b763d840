"""Requests that clients really send, and requests that nobody should send.

Whatever the body, `parse_tool_request` and then `render_messages` answer with a value
or with a ToolError 4xx that names the field, never with another exception.
"""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

import ol
from ol import fixtures, paths

REFERENCE = ol.load("L10.9", "ref")
TOOLS, CONSTRAIN = REFERENCE.tools, REFERENCE.constrain
CASES = {
    case["id"]: case
    for case in map(
        json.loads,
        (paths.fixtures() / "cases" / "bug_reports.jsonl").read_text().splitlines(),
    )
}
CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "get_weather", "arguments": '{"city":"Paris"}'},
}
WHOLE: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "hi"}], "name": "ann"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "clear"},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "now",
                "parameters": CITY,
                "strict": True,
            },
        }
    ],
    "tool_choice": {"type": "function", "function": {"name": "get_weather"}},
    "parallel_tool_calls": False,
    "response_format": {"type": "text"},
    "stream": True,
    "stream_options": {"include_usage": True},
    "max_tokens": 20,
    "max_completion_tokens": 20,
    "temperature": 0.5,
    "top_p": 0.9,
    "top_k": 40,
    "repetition_penalty": 1.1,
    "presence_penalty": 0,
    "frequency_penalty": 0.0,
    "seed": 7,
    "stop": ["x"],
    "n": 1,
    "user": "u",
}


def answer(body: Any) -> Any:
    """Return the error that a body is answered with, None for none."""
    try:
        request = TOOLS.parse_tool_request(body)
        messages = CONSTRAIN.json_parse(body)["messages"]
        turns = TOOLS.render_messages(messages, request.tools)
    except TOOLS.ToolError as error:
        assert error.status in (400, 422)
        assert error.param and error.message
        shape = json.loads(error.to_json())["error"]
        assert shape["param"] == error.param
        return error
    assert all(isinstance(part, str) for turn in turns for part in turn)
    return None


def test_the_whole_request_is_taken() -> None:
    assert answer(json.dumps(WHOLE)) is None


def test_every_known_field_is_in_it() -> None:
    assert {*WHOLE} == {*REFERENCE.notebook("11_requests").FIELDS}


# --- one thing wrong at a time

WRONG: list[Any] = [
    *(None, True, False, 0, -1, 1.5, 10**400, -0.0, "", "x" * 10_000, "\x00", "é"),
    *([], [[]], [None], [1, "a"], {}, {"": None}, {"type": "x"}, {"type": None}),
    {"type": "function", "function": {}},
    {"type": ["function"]},
    [{"type": "image_url", "image_url": {"url": "x"}}],
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every value inside a value."""
    if path:
        yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, part in items:
        yield from places(part, (*path, key))


def changed(path: tuple[Any, ...], new: Any) -> Any:
    """Return WHOLE with another value at one place."""
    body = copy.deepcopy(WHOLE)
    spot = body
    for step in path[:-1]:
        spot = spot[step]
    spot[path[-1]] = new
    return body


def text_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("field", WHOLE)
def test_every_value_wrong_in_every_way(field: str) -> None:
    for path in places(WHOLE):
        if path[0] != field:
            continue
        for new in WRONG:
            error = answer(text_of(changed(path, new)))
            if error is not None and field != "tools":
                # a change of the tools may show at the choice that names one
                assert error.param.startswith((field, "messages", "body")), path
            elif error is not None:
                assert error.param.startswith(
                    ("tools", "tool_choice", "messages", "body")
                )


@pytest.mark.parametrize("field", WHOLE)
def test_every_value_missing_and_every_key_unknown(field: str) -> None:
    for path in places(WHOLE):
        if path[0] != field:
            continue
        body = copy.deepcopy(WHOLE)
        spot = body
        for step in path[:-1]:
            spot = spot[step]
        del spot[path[-1]]
        answer(text_of(body))
        if isinstance(spot, dict):
            spot["unheard_of"] = 1
            unknown = answer(text_of(body))
            assert unknown is not None or "tool_choice" in path or "function" in path


@pytest.mark.parametrize("seed", range(5))
def test_random_bodies(seed: int) -> None:
    """Several wrong things at once, cut texts, repeated keys: 5 × 1,200 bodies."""
    chooser = random.Random(seed)
    ways = list(places(WHOLE))
    refused = 0
    for number in range(1_200):
        body = copy.deepcopy(WHOLE)
        for _ in range(chooser.randrange(1, 4)):
            path = chooser.choice(ways)
            spot: Any = body
            try:
                for step in path[:-1]:
                    spot = spot[step]
                spot[path[-1]] = copy.deepcopy(chooser.choice(WRONG))
            except (TypeError, KeyError, IndexError):
                continue
        text = text_of(body)
        kind = chooser.randrange(6)
        if kind == 0:
            text = text[: chooser.randrange(len(text))]
        elif kind == 1:
            spot_at = chooser.randrange(len(text))
            text = text[:spot_at] + chooser.choice('{}[]",:0\\\x01') + text[spot_at:]
        elif kind == 2:
            text = text.replace('"type"', '"role"', chooser.randrange(3))
        try:
            refused += answer(text) is not None
        except Exception as error:
            raise AssertionError(f"seed {seed}, body {number}: {text[:300]}") from error
    assert refused > 600


# --- bodies that are no JSON, or too much of it

DEEP = "[" * 1_000 + "]" * 1_000


@pytest.mark.parametrize(
    ("body", "param"),
    [
        ("", "body"),
        ("null", "body"),
        ('"text"', "body"),
        (b"\xff\xfe{}", "body"),
        (b'{"messages":"\xc3"}', "body"),
        ('{"messages":NaN}', "body"),
        ('{"temperature":1e999,"messages":[]}', "body"),
        ('{"seed":' + "9" * 5_000 + "}", "body"),
        ('{"messages":[{"role":"user","content":"\\ud800"}]}', "body"),
        ('{"messages":' + DEEP + "}", "body"),
        ('{"messages":[{"role":"user","content":"a","content":"b"}]}', "messages[0]"),
        ('{"messages":[{"role":"user","content":"a"}],"stream":1}', "stream"),
        ('{"messages":[{"role":"user","content":"a"}],"logprobs":true}', "logprobs"),
    ],
)
def test_bodies_that_are_no_requests(body: Any, param: str) -> None:
    error = answer(body)
    assert error is not None
    assert error.param.startswith(param), str(error)[:200]


def test_a_schema_nested_a_thousand_deep_is_refused() -> None:
    schema = '{"type":"array","items":' * 1_000 + '{"type":"null"}' + "}" * 1_000
    body = text_of(WHOLE).replace(text_of(CITY), schema)
    error = answer(body)
    assert error is not None
    assert error.status == 400


def test_a_huge_request_is_read_in_time() -> None:
    """A megabyte of text, a thousand tools: seconds, not minutes."""
    tool = WHOLE["tools"][0]
    tools = [
        {**tool, "function": {**tool["function"], "name": f"f{n}"}}
        for n in range(1_000)
    ]
    words = {"role": "user", "content": "word " * 200_000}
    body = text_of({"messages": [words], "tools": tools, "tool_choice": "auto"})
    started = time.perf_counter()
    assert answer(body) is None
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    ("messages", "param"),
    [
        ([{"role": "robot", "content": "x"}], "messages[0].role"),
        ([{"role": "function", "name": "f", "content": "x"}], "messages[0].role"),
        ([{"role": "assistant", "content": None}], "messages[0].content"),
        ([{"role": "assistant"}], "messages[0].content"),
        ([{"role": "user", "content": None}], "messages[0].content"),
        ([{"role": "tool", "content": "x"}], "messages[0].tool_call_id"),
        (
            [{"role": "tool", "tool_call_id": [], "content": "x"}],
            "messages[0].tool_call_id",
        ),
        ([{"role": "user", "content": "x", "refusal": "no"}], "messages[0].refusal"),
        (["hi"], "messages[0]"),
    ],
)
def test_messages_that_are_malformed(messages: list[Any], param: str) -> None:
    error = answer(text_of({"messages": messages}))
    assert error is not None
    assert error.param == param


def test_what_the_client_sends_back_is_taken() -> None:
    """The openai client dumps a message with null for whatever is absent."""
    echoed = {
        "role": "assistant",
        "content": None,
        "refusal": None,
        "annotations": [],
        "audio": None,
        "function_call": None,
        "tool_calls": [CALL],
    }
    result = {"role": "tool", "tool_call_id": "c1", "content": "clear"}
    user = {"role": "user", "content": "hi"}
    assert answer(text_of({"messages": [user, echoed, result]})) is None


# --- cases behind public bug reports


def requests_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    given = case["input"]
    return given["bodies"] if "bodies" in given else [given["body"]]


def test_b32_a_choice_among_no_tools() -> None:
    case = CASES["B32"]
    error = answer(text_of(case["input"]["body"]))
    assert (error.status, error.param) == (400, "tool_choice")
    assert error.to_api_error().type == case["expected"]["type"]


@pytest.mark.parametrize("id", ["B33", "B35"])
def test_grammars(id: str) -> None:
    case = CASES[id]
    asked = TOOLS.parse_tool_request(text_of(case["input"]["body"]))
    for dfa in (
        TOOLS.grammar_to_dfa(asked),
        CONSTRAIN.regex_to_dfa(TOOLS.grammar(asked).pattern),
    ):
        for text in case["expected"]["accept"]:
            assert dfa.matches(text.encode()), text
        for text in case["expected"]["reject"]:
            assert not dfa.matches(text.encode()), text


def test_b35_also() -> None:
    body = {**CASES["B35"]["input"]["body"], "parallel_tool_calls": True}
    dfa = TOOLS.grammar_to_dfa(TOOLS.parse_tool_request(text_of(body)))
    [one] = CASES["B35"]["expected"]["accept"]
    accepted = [dfa.matches("\n".join([one] * n).encode()) for n in range(7)]
    assert accepted == [False, True, True, True, True, False, False]


def test_b36_formats() -> None:
    errors = [answer(text_of(body)) for body in requests_of(CASES["B36"])]
    assert errors[-1] is None
    assert [error.param for error in errors[:-1]] == ["response_format"] * 3


def test_b38_objects_without_properties() -> None:
    for case in CASES["B38"]["input"]["cases"]:
        dfa = CONSTRAIN.schema_to_dfa(case["schema"])
        assert all(dfa.matches(text.encode()) for text in case["accept"])
        assert not any(dfa.matches(text.encode()) for text in case["reject"])


def test_b40_history_is_not_written_anew() -> None:
    case = CASES["B40"]
    from ol.needs.L10_5 import Template

    prompt = TOOLS.render_prompt(Template(), case["input"]["messages"], [], "", "")
    assert all(text in prompt for text in case["expected"]["prompt_contains"])
    assert not any(text in prompt for text in case["expected"]["prompt_lacks"])


# --- grammars: one machine by two routes

BENCH = {
    entry["id"]: entry
    for entry in map(
        json.loads,
        (paths.fixtures() / "cases" / "bench.jsonl").read_text().splitlines(),
    )
}
CHOICES: list[dict[str, Any]] = [
    {"tool_choice": "auto"},
    {"tool_choice": "required"},
    {"tool_choice": "required", "parallel_tool_calls": False},
    {"tool_choice": {"type": "function", "function": {"name": "f1"}}},
    {"tool_choice": "none", "response_format": {"type": "json_object"}},
]


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: text_of(choice)[:60])
@pytest.mark.parametrize("id", [i for i, e in BENCH.items() if "schema" in e])
def test_grammar_to_dfa_is_the_table_of_the_pattern(
    id: str, choice: dict[str, Any]
) -> None:
    schemas = [BENCH[id]["schema"], CITY, {"type": "object", "properties": {}}]
    tools = [
        {"type": "function", "function": {"name": f"f{n}", "parameters": schema}}
        for n, schema in enumerate(schemas)
        if schema.get("type") == "object"
    ]
    user = {"role": "user", "content": "hi"}
    body = text_of({"messages": [user], "tools": tools, **choice})
    asked = TOOLS.parse_tool_request(body)
    try:
        pattern = TOOLS.grammar(asked).pattern
        by_text = CONSTRAIN.regex_to_dfa(pattern)
    except CONSTRAIN.ConstrainError as error:
        assert error.kind == "size"
        return
    yours = TOOLS.grammar_to_dfa(asked)
    assert fixtures.table_entry(yours) == fixtures.table_entry(by_text)


def test_four_calls_of_a_large_tool_in_time() -> None:
    function = {"name": "search", "parameters": BENCH["s8_tool"]["schema"]}
    tools = [{"type": "function", "function": function}]
    user = {"role": "user", "content": "hi"}
    body = text_of({"messages": [user], "tools": tools, "tool_choice": "required"})
    started = time.perf_counter()
    dfa = TOOLS.grammar_to_dfa(TOOLS.parse_tool_request(body))
    assert time.perf_counter() - started < 10  # 0.4 s on a quiet machine
    assert dfa.n_states > 5_000
