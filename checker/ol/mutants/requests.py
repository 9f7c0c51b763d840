"""Changes to the functions of 11: requests, grammars, prompts, vocabularies."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from ol.mutants.machines import table
from ol.mutants.overlay import Interface, Mutant
from ol.mutants.schemas import changed
from ol.plain import plain

KNOWN = {
    *("type", "enum", "const", "anyOf", "items", "minItems", "maxItems"),
    *("properties", "required", "additionalProperties"),
    *("title", "description", "default", "examples", "$comment", "$schema", "$id"),
}
LONG_NAME = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 9}},
}


def request_for(schema: Any) -> str:
    """Return the body of a request with one tool of these parameters."""
    function = {"name": "f", "parameters": schema}
    tools = [{"type": "function", "function": function}]
    user = {"role": "user", "content": "hi"}
    return json.dumps({"messages": [user], "tools": tools})


def answer_to(body: str) -> Any:
    """Return a witness: the status that a body is refused with, or its tools."""

    def ask(course: Interface) -> Any:
        try:
            return plain(course["parse_tool_request"](body).tools)
        except ValueError as error:
            return getattr(error, "status", None)

    return ask


def known_only(schema: Any) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key in KNOWN}


def drop_unknown(original: Any, course: Interface) -> Any:
    """Read the request as if its schemas had no keyword outside of the subset."""

    def parse_tool_request(body: str) -> Any:
        try:
            request = json.loads(body)
            for entry in request["tools"]:
                function = entry["function"]
                function["parameters"] = changed(function["parameters"], known_only)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return original(body)
        return original(json.dumps(request, ensure_ascii=False))

    return parse_tool_request


def any_tool(original: Any, course: Interface) -> Any:
    """Take the choice of one function for a call of some function."""

    def grammar(request: Any) -> Any:
        if request.choice.kind == "named":
            some = course["ToolChoice"]("required")
            request = dataclasses.replace(request, choice=some, parallel=False)
        return original(request)

    return grammar


def named_of_two(course: Interface) -> object:
    """The table of the grammar of a choice between two tools, the second named."""
    schema = {"type": "object", "properties": {}}
    tools = [course["Tool"](name, None, schema) for name in ("a", "b")]
    choice = course["ToolChoice"]("named", "b")
    text = course["ResponseFormat"]("text")
    request = course["ToolRequest"](tools, choice, text, True)
    return table(course["regex_to_dfa"](course["grammar"](request).pattern))


def written_anew(original: Any, course: Interface) -> Any:
    """Read the arguments of the history and write them again, as ASCII."""

    def render_assistant(content: str, calls: Any) -> Any:
        anew = [
            dataclasses.replace(call, arguments=json.dumps(json.loads(call.arguments)))
            for call in calls
        ]
        return original(content, anew)

    return render_assistant


def one_past_call(course: Interface) -> object:
    call = course["PastCall"]("c", "f", '{"n":"日"}')
    return plain(course["render_assistant"]("", [call]))


def by_way_of_text(original: Any, course: Interface) -> Any:
    """Decode the bytes of every token and encode the text."""

    def vocab_bytes(tokenizer: Any, specials: Any) -> Any:
        found = original(tokenizer, specials)
        return [data and data.decode(errors="replace").encode() for data in found]

    return vocab_bytes


def ends_with_the_history(original: Any, course: Interface) -> Any:
    """Leave out the turn that the assistant is to write."""

    def render_prompt(*arguments: Any, **options: Any) -> Any:
        text: str = original(*arguments, **options)
        return text.removesuffix("<|im_start|>assistant\n")

    return render_prompt


def short_prompt(course: Interface) -> object:
    user = [{"role": "user", "content": "hi"}]
    return course["render_prompt"](course["Template"](), user, [], "", "")


def bytes_for_all(original: Any, course: Interface) -> Any:
    """Give special tokens the bytes of their text."""
    return lambda tokenizer, specials: original(tokenizer, [])


class _Tokenizer:
    vocab_size = 2

    def token_bytes(self, token_id: int) -> bytes:
        return (b"a", b"<|im_end|>")[token_id]


class _Halves:
    vocab_size = 2

    def token_bytes(self, token_id: int) -> bytes:
        return (b"\xc3", b"\xa9")[token_id]


ENTRIES = (
    Mutant(
        id="s12",
        title="parameters outside the subset accepted",
        pitfall="A keyword that the grammar cannot express is ignored.",
        symptom="The schema is weakened without a word: the caller believes in a "
        "minLength that nothing enforces.",
        shows="minLength is passed over",
        target="parse_tool_request",
        make=drop_unknown,
        witness=answer_to(request_for(LONG_NAME)),
    ),
    Mutant(
        id="s13",
        title="a named tool_choice allows every tool",
        pitfall="The object form of tool_choice is read as: some call is required.",
        symptom="The model calls another function than the one that was asked for.",
        shows="where b is named, a call of a is allowed",
        target="grammar",
        make=any_tool,
        witness=named_of_two,
    ),
    Mutant(
        id="u19",
        title="arguments of the history are written anew",
        pitfall="They are parsed and dumped, with ASCII escapes and new spaces.",
        symptom="The model sees other bytes than it wrote, and imitates them.",
        shows=r'the past arguments {"n":"日"} come out as {"n": "\u65e5"}',
        target="render_assistant",
        make=written_anew,
        witness=one_past_call,
    ),
    Mutant(
        id="u20",
        title="special tokens have bytes",
        pitfall="Every id is asked for its text, chat markers too.",
        symptom="A JSON string may hold the token that ends the turn.",
        shows="<|im_end|> has bytes",
        target="vocab_bytes",
        make=bytes_for_all,
        witness=lambda course: plain(course["vocab_bytes"](_Tokenizer(), [1])),
    ),
    Mutant(
        id="u25",
        title="the bytes of a token by way of its text",
        pitfall="Every token is decoded and encoded again, as if it were text.",
        symptom="Tokens that hold half a character get bytes that they do not have.",
        shows="the token C3, half of é, has the bytes EF BF BD",
        target="vocab_bytes",
        make=by_way_of_text,
        witness=lambda course: plain(course["vocab_bytes"](_Halves(), [])),
    ),
    Mutant(
        id="u26",
        title="the prompt ends with the last message",
        pitfall="The turn that is to be written next is not begun.",
        symptom="The model goes on in the role of whoever spoke last.",
        shows="the assistant's turn is not begun",
        target="render_prompt",
        make=ends_with_the_history,
        witness=short_prompt,
    ),
)
