"""Changes to the parser and the wire format of 12, and their witnesses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from ol.mutants.overlay import Interface, Mutant

# The chapter's stream (section 3): an opener, a header and a string are cut in two.
PIECES = (
    "Sure.<tool_",
    'call>{"name":"get_weather","argu',
    'ments":{"city":"Pa',
    'ris"}}</tool_call>',
)


def kind(event: Any) -> str:
    return type(event).__name__


def only_with_the_start(original: Any, course: Interface) -> Any:
    """Keep argument fragments only of the piece that starts a call."""

    def push(parser: Any, piece: str | bytes) -> list[Any]:
        events = list(original(parser, piece))
        if any(kind(event) == "CallStart" for event in events):
            return events
        return [event for event in events if kind(event) != "Arguments"]

    return push


def hold_nothing(original: Any, course: Interface) -> Any:
    return lambda text, marker: 0


def piece_by_piece(original: Any, course: Interface) -> Any:
    """Decode every piece of bytes alone."""

    def push(parser: Any, piece: str | bytes) -> list[Any]:
        text = piece if isinstance(piece, str) else piece.decode(errors="replace")
        events: list[Any] = original(parser, text)
        return events

    return push


def empty_beside_calls(original: Any, course: Interface) -> Any:
    """Write the empty string for a content of None, beside calls, too."""

    def message_json(content: str | None, calls: Sequence[Any]) -> str:
        message = json.loads(original(content, calls))
        if message.get("content") is None:
            message["content"] = ""
        return json.dumps(message, ensure_ascii=False, separators=(",", ":"))

    return message_json


def folded(events: Sequence[Any]) -> list[list[Any]]:
    """Return events as plain data, texts that follow each other joined into one."""
    said: list[list[Any]] = []
    for event in events:
        entry = [kind(event), *vars(event).values()]
        if said and said[-1][:-1] == entry[:-1] and entry[0] != "CallStart":
            said[-1][-1] += entry[-1]
        else:
            said.append(entry)
    return said


def told(*pieces: str | bytes) -> Callable[[Interface], object]:
    """Return a witness: what the events of these pieces fold to."""

    def witness(course: Interface) -> object:
        parser = course["ToolParser"]("req7")
        events = [event for piece in pieces for event in parser.push(piece)]
        return folded([*events, *parser.finish()])

    return witness


def message_beside_a_call(course: Interface) -> object:
    call = course["ToolCall"]("call_req7_0", "get_weather", "{}")
    return json.loads(course["message_json"](None, [call]))["content"]


ENTRIES = (
    Mutant(
        id="s14",
        title="argument fragments are dropped",
        pitfall="Only what arrives together with the header is passed on.",
        symptom="Streamed arguments arrive incomplete; a whole answer hides it.",
        shows='of {"city":"Paris"} only {"city":"Pa arrives',
        target="ToolParser.push",
        make=only_with_the_start,
        witness=told(*PIECES),
    ),
    Mutant(
        id="s15",
        title="a partial <tool_call> is not held back",
        pitfall="A piece without a whole marker is taken for text to its last letter.",
        symptom="<tool_ shows up in the text that people read, and the call is missed.",
        shows="<tool_, the beginning of a call, comes out as text",
        target="hold_back",
        make=hold_nothing,
        witness=told(*PIECES),
    ),
    Mutant(
        id="s16",
        title='content "" next to tool_calls',
        pitfall="No content and an empty content are taken for the same.",
        symptom="Clients treat the turn as text and never run the call.",
        shows='beside a call the content is ""',
        target="message_json",
        make=empty_beside_calls,
        witness=message_beside_a_call,
    ),
    Mutant(
        id="u23",
        title="each piece of bytes is decoded alone",
        pitfall="A piece is taken for text, although a character may be cut in two.",
        symptom="Now and then a letter arrives as two question marks.",
        shows="é, cut in two, comes out as two replacement characters",
        target="ToolParser.push",
        make=piece_by_piece,
        witness=told(b"\xc3", b"\xa9"),
    ),
)
