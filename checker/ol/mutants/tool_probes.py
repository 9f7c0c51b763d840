"""Questions about requests, prompts and the wire; see `ol.mutants.probes`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from ol.mutants.machines import table
from ol.mutants.overlay import Interface
from ol.mutants.requests import answer_to, request_for
from ol.plain import plain

Probe = Callable[[Interface], object]
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
CITY = {"type": "object", "properties": {"city": {"const": "Oslo"}}}
PARAMETERS: tuple[Any, ...] = (
    NOTHING, CITY, {**CITY, "required": ["city"]}, {**CITY, "minProperties": 1}, 3,
    {"type": "object", "properties": {"n": {"type": "string", "minLength": 9}}},
    {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}},
    {"type": "string"}, {"type": "object", "properties": {"b": {}, "a": {}}},
)  # fmt: skip
CHOICES: tuple[Any, ...] = (
    "auto", "none", "required", "any", None, 3,
    {"type": "function", "function": {"name": "b"}},
    {"type": "function", "function": {"name": "c"}},
    {
        "type": "allowed_tools",
        "allowed_tools": {
            "mode": "required",
            "tools": [{"type": "function", "function": {"name": "a"}}],
        },
    },
)  # fmt: skip
GRAMMARS = (
    ("named", "a", True), ("named", "b", True), ("named", "b", False),
    ("required", None, True), ("required", None, False), ("auto", None, True),
    ("none", None, True),
)  # fmt: skip
USER = {"role": "user", "content": "hi"}
PAST = [
    {"id": "c1", "type": "function", "function": {"name": "a", "arguments": '{"é": 1}'}}
]
CONVERSATIONS: tuple[list[Any], ...] = (
    [USER], [{"role": "system", "content": "S"}, USER],
    [{"role": "developer", "content": "D"}, USER],
    [USER, {"role": "assistant", "content": None, "tool_calls": PAST}],
    [USER, {"role": "assistant", "content": "ok", "tool_calls": PAST}],
    [
        USER,
        {"role": "assistant", "tool_calls": PAST},
        {"role": "tool", "tool_call_id": "c1", "content": "21"},
    ],
    [USER, {"role": "tool", "tool_call_id": "c2", "content": "21"}],
    [USER, {"role": "robot", "content": "x"}],
    [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
)  # fmt: skip


class Words:
    """A tokenizer of four tokens; the last two may be special."""

    vocab_size = 4

    def token_bytes(self, token_id: int) -> bytes:
        return (b"a", "é".encode(), b"<|im_start|>", b"<|im_end|>")[token_id]


def chosen(choice: Any, **more: Any) -> str:
    """Return a request with the tools a and b and this choice."""
    tools = [{"type": "function", "function": {"name": name}} for name in "ab"]
    return json.dumps(
        {"messages": [USER], "tools": tools, "tool_choice": choice, **more}
    )


def choice_of(body: str) -> Probe:
    """Ask how a request is understood, or for the status and field of its refusal."""

    def ask(course: Interface) -> object:
        try:
            read = course["parse_tool_request"](body)
        except ValueError as error:
            return getattr(error, "status", None), getattr(error, "param", None)
        return plain(read.choice), bool(read.parallel)

    return ask


def table_of_choice(kind: str, name: str | None, parallel: bool) -> Probe:
    """Ask for the table of a grammar over the tools a and b, and for its trigger."""

    def ask(course: Interface) -> object:
        tools = [course["Tool"](name, None, NOTHING) for name in ("a", "b")]
        choice = course["ToolChoice"](kind, name)
        text = course["ResponseFormat"]("text")
        request = course["ToolRequest"](tools, choice, text, parallel)
        made = course["grammar"](request)
        if made is None:
            return None
        return made.trigger, table(course["regex_to_dfa"](made.pattern))

    return ask


def rendered(messages: list[Any], tools: int) -> Probe:
    """Ask for the turns; the words that tell of tools are everyone's own."""

    def ask(course: Interface) -> object:
        known = [course["Tool"]("a", "does a", CITY)][:tools]
        try:
            turns = [tuple(turn) for turn in course["render_messages"](messages, known)]
        except ValueError as error:
            return getattr(error, "status", None), getattr(error, "param", None)
        if not tools:
            return turns
        (role, told), *others = turns
        return role, told[:1] in "SD", '{"name":"a"' in told, others

    return ask


def unordered(text: str) -> str:
    """Return JSON with its keys sorted: their order on the wire is free."""
    return json.dumps(json.loads(text), sort_keys=True)


def message(content: str | None, calls: int) -> Probe:
    def ask(course: Interface) -> object:
        made = [course["ToolCall"](f"call_r_{n}", "f", '{"a":1}') for n in range(calls)]
        return unordered(course["message_json"](content, made))

    return ask


def delta(kind: str, *values: Any) -> Probe:
    return lambda course: unordered(course["delta_json"](course[kind](*values)))


def bytes_of(*specials: int) -> Probe:
    return lambda course: plain(course["vocab_bytes"](Words(), list(specials)))


def held(text: str) -> Probe:
    return lambda course: course["hold_back"](text, "<tool_call>")


def questions() -> Iterator[tuple[str, Probe]]:
    """Yield each question with a name of its own."""
    for schema in PARAMETERS:
        yield f"tool {json.dumps(schema)}", answer_to(request_for(schema))
    for choice in CHOICES:
        yield f"choice {json.dumps(choice)}", choice_of(chosen(choice))
    yield "not parallel", choice_of(chosen("auto", parallel_tool_calls=False))
    yield "duplicate", choice_of('{"messages":[],"messages":[]}')
    yield "unknown", choice_of(chosen("auto", tools_choice=1))
    for kind, name, parallel in GRAMMARS:
        label = f"grammar {kind} {name} {parallel}"
        yield label, table_of_choice(kind, name, parallel)
    for number, messages in enumerate(CONVERSATIONS):
        for tools in (0, 1):
            yield f"conversation {number} {tools}", rendered(messages, tools)
    for content in (None, "", "hi"):
        for calls in (0, 1, 2):
            yield f"message {content!r} {calls}", message(content, calls)
    yield "delta content", delta("Content", "é")
    yield "delta start", delta("CallStart", 1, "call_r_1", "f")
    yield "delta arguments", delta("Arguments", 1, '{"a"')
    for specials in ((), (3,), (2, 3)):
        yield f"bytes {specials}", bytes_of(*specials)
    for text in ("", "a<", "x<tool_", "<tool_call", "<tool_call>", "<tool_<to", "<<"):
        yield f"hold_back {text!r}", held(text)
