"""Conversations as the model reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ol.needs.L10_5 import Template

from .errors import ConstrainError
from .texts import json_check, json_dumps, json_quote
from .tool_requests import CLOSER, OPENER, Tool, bad, known_only, need

MEMBERS = ("role", "content", "name", "tool_calls", "tool_call_id", "refusal", "audio",
           "function_call", "annotations", "reasoning_content")  # fmt: skip
SPEAKERS = {"system": "system", "developer": "system", "user": "user", "tool": "user"}


@dataclass(frozen=True)
class PastCall:
    id: str
    name: str
    arguments: str


def render_assistant(content: str, calls: Sequence[PastCall]) -> str:
    """Return an assistant's turn: its text, then its calls as it wrote them."""
    blocks = [
        f'{OPENER}{{"name":{json_quote(c.name)},"arguments":{c.arguments}}}{CLOSER}'
        for c in calls
    ]
    return content + "\n".join(blocks)


def render_messages(messages: Any, tools: Sequence[Tool]) -> list[tuple[str, str]]:
    """Return (role, text) per message, the tools told in the first system text."""
    ids: set[str] = set()
    turns = [turn(m, f"messages[{i}]", ids) for i, m in enumerate(messages)]
    if not tools:
        return turns
    told = told_of(tools)
    places = [place for place, (role, _) in enumerate(turns) if role == "system"]
    if not places:
        return [("system", told), *turns]
    first = places[0]
    turns[first] = ("system", f"{turns[first][1]}\n\n{told}")
    return turns


def told_of(tools: Sequence[Tool]) -> str:
    lines = [
        json_dumps({"name": t.name, "description": t.description,
                    "parameters": t.parameters}) for t in tools
    ]  # fmt: skip
    how = f'Write {OPENER}{{"name":…,"arguments":…}}{CLOSER} to call one of these:'
    return "\n".join([how, *lines])


def turn(message: Any, param: str, ids: set[str]) -> tuple[str, str]:
    given = {k: v for k, v in need(message, dict, param).items() if v}
    known_only(given, MEMBERS, param)
    role = need(message.get("role"), str, f"{param}.role")
    content = message.get("content")
    if role == "assistant":
        entries = message.get("tool_calls") or []
        calls = [
            past_call(entry, f"{param}.tool_calls[{i}]")
            for i, entry in enumerate(need(entries, list, f"{param}.tool_calls"))
        ]
        ids |= {call.id for call in calls}
        said = "" if content is None and calls else text(content, f"{param}.content")
        return role, render_assistant(said, calls)
    if role not in SPEAKERS:
        raise bad(f"{param}.role", f"{role!r} is unknown")
    said = text(content, f"{param}.content")
    if role == "tool":
        where = f"{param}.tool_call_id"
        if need(message.get("tool_call_id"), str, where) not in ids:
            raise bad(where, "answers no call")
        said = f"<tool_response>\n{said}\n</tool_response>"
    return SPEAKERS[role], said


def text(content: Any, param: str) -> str:
    """Return a content: a text, or parts of type text, joined."""
    if not isinstance(content, list):
        said: str = need(content, str, param)
        return said
    said = ""
    for place, part in enumerate(content):
        if need(part, dict, f"{param}[{place}]").get("type") != "text":
            raise bad(f"{param}[{place}].type", "has to be text")
        said += need(part.get("text"), str, f"{param}[{place}].text")
    return said


def past_call(entry: Any, param: str) -> PastCall:
    call_id = need(need(entry, dict, param).get("id"), str, f"{param}.id")
    function = need(entry.get("function"), dict, f"{param}.function")
    name = need(function.get("name"), str, f"{param}.function.name")
    where = f"{param}.function.arguments"
    arguments = need(function.get("arguments"), str, where)
    try:
        json_check(arguments)
    except ConstrainError as error:
        raise bad(where, error.message) from None
    return PastCall(call_id, name, arguments)


def render_prompt(
    template: Template, messages: Any, tools: Sequence[Tool], bos: str, eos: str
) -> str:
    """Return the text that the model goes on with."""
    turns = render_messages(messages, tools)
    try:
        return template.render_messages(turns, bos, eos)
    except ValueError as error:
        raise bad("messages", str(error)) from None
