"""The stream of an answer: at every piece the whole text is read anew.

Quadratic, and right: what is certain so far is found by `whole_call`, what may still
become markup is held back.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .whole import CLOSER, OPENER, WHITE, whole_call


@dataclass(frozen=True)
class Content:
    text: str


@dataclass(frozen=True)
class CallStart:
    index: int
    id: str
    name: str


@dataclass(frozen=True)
class Arguments:
    index: int
    fragment: str


@dataclass(frozen=True)
class ToolCall:
    id: str
    name: str
    arguments: str


def hold_back(text: str, marker: str) -> int:
    ends = (length for length in range(len(marker)) if text.endswith(marker[:length]))
    return max(ends, default=0)


def beginnings(*atoms: str) -> re.Pattern[str]:
    """Return a pattern of every beginning of what the atoms match in a row."""
    pattern = ""
    for atom in reversed(atoms):
        pattern = f"(?:{atom}{pattern})?"
    return re.compile(pattern)


SPACE = f"[{WHITE}]*"
NAME = "[A-Za-z0-9_-]{1,64}"
HEADER = beginnings(
    SPACE, "{", SPACE, *'"name"', SPACE, ":", SPACE, '"', NAME, '"', SPACE, ",",
    SPACE, *'"arguments"', SPACE, ":", SPACE,
)  # fmt: skip
TAIL = beginnings(SPACE, "}", SPACE, *CLOSER)


def certain(text: str, final: bool) -> list[list[str]]:
    """Return what a text says so far: [content] or [name, arguments], in order."""
    said: list[list[str]] = []
    white, at = "", 0
    end = len(text) if final else len(text) - hold_back(text, OPENER)
    while at < end:
        if text.startswith(OPENER, at):
            start = at + len(OPENER)
            call = whole_call(text, start)
            if call is not None:
                name, arguments, at = call
                said.append([name, arguments])
                white = ""
                if not final and TAIL.fullmatch(text, at):
                    break
                continue
            if not final and HEADER.fullmatch(text, start):
                break
        if said and len(said[-1]) == 2 and text[at] in WHITE:
            white += text[at]
        else:
            if not said or len(said[-1]) == 2:
                said.append([""])
            said[-1][0] += white + text[at]
            white = ""
        at += 1
    return said


class ToolParser:
    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.text = ""
        self.said: list[list[str]] = []

    def push(self, piece: str | bytes) -> list[Any]:
        self.text += piece if isinstance(piece, str) else self.decoder.decode(piece)
        return self.news(certain(self.text, final=False))

    def finish(self) -> list[Any]:
        self.text += self.decoder.decode(b"", True)
        return self.news(certain(self.text, final=True))

    def news(self, said: list[list[str]]) -> list[Any]:
        """Return as events what `said` has more than before."""
        events: list[Any] = []
        calls = 0
        for number, entry in enumerate(said):
            old = self.said[number] if number < len(self.said) else None
            more = entry[-1][len(old[-1]) if old else 0 :]
            if len(entry) == 1:
                events += [Content(more)] if more else []
                continue
            if old is None:
                call_id = f"call_{self.request_id}_{calls}"
                events.append(CallStart(calls, call_id, entry[0]))
            events += [Arguments(calls, more)] if more else []
            calls += 1
        self.said = said
        return events


def collect(events: Iterable[Any]) -> tuple[str | None, list[ToolCall]]:
    content, calls = "", dict[int, ToolCall]()
    for event in events:
        if isinstance(event, Content):
            content += event.text
        elif isinstance(event, CallStart):
            calls[event.index] = ToolCall(event.id, event.name, "")
        else:
            old = calls[event.index]
            arguments = old.arguments + event.fragment
            calls[event.index] = ToolCall(old.id, old.name, arguments)
    return content or None, list(calls.values())


def finish_reason(calls: int, engine: str) -> str:
    return engine if engine != "stop" or calls == 0 else "tool_calls"


def message_json(content: str | None, calls: Sequence[Any]) -> str:
    entries = [
        {"function": {"arguments": c.arguments, "name": c.name}, "type": "function",
         "id": c.id} for c in calls
    ]  # fmt: skip
    more = {"tool_calls": entries} if entries else {}
    content = (content or None) if calls else content
    return _compact({"content": content, "role": "assistant", **more})


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def delta_json(event: Any) -> str:
    if isinstance(event, Content):
        return _compact({"content": event.text})
    if isinstance(event, CallStart):
        function = {"name": event.name, "arguments": ""}
        entry = {"id": event.id, "type": "function", "function": function}
    else:
        entry = {"function": {"arguments": event.fragment}}
    return _compact({"tool_calls": [{"index": event.index, **entry}]})
