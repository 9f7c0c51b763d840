"""Requests with tools: read, checked field by field, turned into grammars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ol.needs.L10_5 import ApiError, Template

from .errors import ConstrainError
from .machines import Dfa, regex_to_dfa
from .schemas import json_object_regex, json_schema_to_regex, schema_to_dfa
from .texts import escape, json_check, json_dumps, json_parse, json_quote

OPENER, CLOSER = "<tool_call>", "</tool_call>"
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
IGNORED = ("model", "stream", "user", "parallel_tool_calls", "tool_choice", "messages",
           "tools", "response_format", "stop", "stream_options", "n")  # fmt: skip
TYPES = {"model": str, "stream": bool, "user": str, "parallel_tool_calls": bool,
         "messages": list, "tools": list}  # fmt: skip
RANGES: dict[str, tuple[float, float, bool]] = {  # low, high, whole numbers alone
    "max_tokens": (1, 1_000_000, True), "max_completion_tokens": (1, 1_000_000, True),
    "top_k": (0, 1_000_000, True), "seed": (-(2**63), 2**64 - 1, True),
    "temperature": (0, 2, False), "top_p": (0, 1, False),
    "repetition_penalty": (0.01, 10, False), "presence_penalty": (-2, 2, False),
    "frequency_penalty": (-2, 2, False),
}  # fmt: skip


class ToolError(ValueError):
    """A request that is refused, as the API says it."""

    def __init__(self, status: int, param: str, code: str | None, message: str) -> None:
        super().__init__(message)
        self.status, self.param, self.code, self.message = status, param, code, message

    def to_api_error(self) -> ApiError:
        kind = "invalid_request_error"
        return ApiError(self.status, self.message, kind, self.param, self.code)

    def to_json(self) -> str:
        return self.to_api_error().to_json()


def bad(param: str, why: str) -> ToolError:
    return ToolError(400, param, None, f"{param}: {why}")


def beyond(param: str, why: str) -> ToolError:
    return ToolError(422, param, "unsupported_parameter", f"{param}: {why}")


@dataclass(frozen=True)
class Tool:
    name: str
    description: str | None
    parameters: Any


@dataclass(frozen=True)
class ToolChoice:
    kind: str
    name: str | None = None
    allowed: tuple[str, ...] | None = None


class ResponseFormat(StrEnum):
    TEXT = "text"
    JSON_OBJECT = "json_object"


@dataclass(frozen=True)
class ToolRequest:
    tools: list[Tool]
    choice: ToolChoice
    response_format: ResponseFormat
    parallel: bool


@dataclass(frozen=True)
class Grammar:
    pattern: str
    trigger: str | None = None


def need(value: Any, kind: type, param: str) -> Any:
    """Return the value, whose JSON type has to be this one."""
    if type(value) is not kind:
        raise bad(param, f"has to be a {kind.__name__}")
    return value


def parse_tool_request(body: str) -> ToolRequest:
    """Return what a body says about tools; ToolError where it is refused."""
    try:
        request = json_parse(body, duplicates="refuse")
    except ConstrainError as error:
        raise bad(way(error.pointer).lstrip(".") or "body", error.message) from None
    for name, value in need(request, dict, "body").items():
        check_field(name, value)
    if not request.get("messages"):
        raise bad("messages", "there has to be one")
    tools = [
        tool_of(e, f"tools[{i}]") for i, e in enumerate(request.get("tools") or [])
    ]
    names = [tool.name for tool in tools]
    for place, name in enumerate(names):
        if names.index(name) < place:
            raise bad(f"tools[{place}].function.name", "twice")
    choice = choice_of(request.get("tool_choice"), names)
    answer = format_of(request.get("response_format"))
    if answer == "json_object" and choice.kind != "none":
        raise bad("response_format", "not beside calls")
    parallel = request.get("parallel_tool_calls") is not False
    return ToolRequest(tools, choice, answer, parallel)


def check_field(name: str, value: Any) -> None:
    if name not in IGNORED and name not in RANGES:
        raise beyond(name, "unknown")
    if value is None:
        return
    if name in TYPES:
        need(value, TYPES[name], name)
    if name in RANGES:
        low, high, whole = RANGES[name]
        if type(value) is not int and (whole or type(value) is not float):
            raise bad(name, "has to be a number")
        if not low <= value <= high:
            raise bad(name, f"has to be in {low} to {high}")
    if name == "n" and need(value, int, "n") != 1:
        raise beyond("n", "one answer a request")
    if name == "stop":
        texts = value if isinstance(value, list) else [value]
        if not 1 <= len(texts) <= 4 or "" in [need(t, str, "stop") for t in texts]:
            raise bad("stop", "one to four texts")
    if name == "stream_options":
        known_only(need(value, dict, name), ("include_usage",), name)
        if value.get("include_usage") is not None:
            need(value["include_usage"], bool, f"{name}.include_usage")


def known_only(table: dict[str, Any], names: Sequence[str], param: str) -> None:
    for name in table:
        if name not in names:
            raise beyond(f"{param}.{name}", "unknown")


def way(pointer: str | None) -> str:
    """Return a JSON pointer in the API's spelling."""
    steps = [
        s.replace("~1", "/").replace("~0", "~") for s in (pointer or "").split("/")
    ]
    return "".join(f"[{s}]" if s.isdigit() else f".{s}" for s in steps[1:])


def tool_of(entry: Any, param: str) -> Tool:
    known_only(need(entry, dict, param), ("type", "function"), param)
    if entry.get("type") != "function":
        raise bad(f"{param}.type", "has to be function")
    param += ".function"
    function = need(entry.get("function"), dict, param)
    known_only(function, ("name", "description", "parameters", "strict"), param)
    name = need(function.get("name"), str, f"{param}.name")
    if not re.fullmatch("[A-Za-z0-9_-]{1,64}", name):
        raise bad(f"{param}.name", "letters, digits, _ and -")
    for key, kind in (("description", str), ("strict", bool)):
        if function.get(key) is not None:
            need(function[key], kind, f"{param}.{key}")
    schema = function.get("parameters")
    schema = NOTHING if schema is None else need(schema, dict, f"{param}.parameters")
    check_schema(name, schema, f"{param}.parameters")
    return Tool(name, function.get("description"), schema)


def check_schema(name: str, schema: Any, param: str) -> None:
    try:
        json_schema_to_regex(schema)
    except ConstrainError as error:
        why = f"of {name}, at {error.pointer}: {error.message} ({error.keyword})"
        raise beyond(param + way(error.pointer), why) from None
    if schema.get("type") != "object":
        raise bad(param, f"of {name} has to be an object's schema")


def choice_of(value: Any, names: list[str]) -> ToolChoice:
    choice = ToolChoice("auto") if value is None else choice_as_written(value)
    allowed = names if choice.allowed is None else list(choice.allowed)
    for name in [choice.name] if choice.name is not None else allowed:
        if name not in names:
            raise bad("tool_choice", f"{name} is no tool")
    if not allowed and choice.kind == "required":
        raise bad("tool_choice", "there is nothing to call")
    if not allowed and choice.kind == "auto":
        return ToolChoice("none")
    return choice


def choice_as_written(value: Any) -> ToolChoice:
    if isinstance(value, str):
        if value not in ("auto", "none", "required"):
            raise bad("tool_choice", "auto, none, required, or a function")
        return ToolChoice(value)
    if need(value, dict, "tool_choice").get("type") != "allowed_tools":
        return ToolChoice("named", function_name(value))
    inner = need(value.get("allowed_tools"), dict, "tool_choice")
    if inner.get("mode") not in ("auto", "required"):
        raise bad("tool_choice", "the mode is auto or required")
    names = [function_name(e) for e in need(inner.get("tools"), list, "tool_choice")]
    return ToolChoice(inner["mode"], None, tuple(names))


def function_name(entry: Any) -> str:
    if need(entry, dict, "tool_choice").get("type") != "function":
        raise bad("tool_choice", "has another type than function")
    function = need(entry.get("function"), dict, "tool_choice")
    name: str = need(function.get("name"), str, "tool_choice")
    return name


def format_of(value: Any) -> ResponseFormat:
    if value is None:
        return ResponseFormat.TEXT
    kind = need(value, dict, "response_format").get("type")
    if kind == "json_schema":
        raise beyond("response_format", "text or json_object")
    if kind not in ("text", "json_object") or [*value] != ["type"]:
        raise bad("response_format", "text or json_object")
    return ResponseFormat(kind)


def grammar(request: ToolRequest) -> Grammar | None:
    """Return the pattern of the answer, None where it is free."""
    choice = request.choice
    if choice.kind == "none":
        as_object = request.response_format == "json_object"
        return Grammar(json_object_regex(3)) if as_object else None
    names = choice.allowed if choice.name is None else (choice.name,)
    tools = [t for t in request.tools if names is None or t.name in names]
    calls = "(?:" + "|".join(rest_of_call(tool) for tool in tools) + ")"
    if choice.kind == "auto":
        return Grammar(calls, OPENER)
    call = escape(OPENER) + calls
    if choice.kind == "required" and request.parallel:
        return Grammar(rf"{call}(?:\n{call}){{0,3}}")
    return Grammar(call)


def rest_of_call(tool: Tool) -> str:
    head = escape(f'{{"name":{json_quote(tool.name)},"arguments":')
    return head + json_schema_to_regex(tool.parameters) + escape("}" + CLOSER)


def grammar_to_dfa(request: ToolRequest) -> Dfa | None:
    """Return the table of the grammar, None where the answer is free."""
    made = grammar(request)
    return None if made is None else regex_to_dfa(made.pattern)


def vocab_bytes(tokenizer: Any, specials: Sequence[int]) -> list[bytes | None]:
    """Return the bytes of every token, None for the special ones."""
    found: list[bytes | None] = []
    for token_id in range(tokenizer.vocab_size):
        special = token_id in specials
        found.append(None if special else tokenizer.token_bytes(token_id))
    return found


__all__ = ["Template", "json_check", "json_dumps", "schema_to_dfa"]
