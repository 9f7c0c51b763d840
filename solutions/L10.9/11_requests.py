# %% [markdown] name="requests-title"
# # 11 · Tool requests, grammars, prompts   *(100 minutes)*
#
# A program asks your server: here is a conversation, here are functions you may call, answer. Before a single token
# is drawn, three questions are settled. What exactly was **asked**, and is it something this server can promise? Which
# **grammar** holds the answer? And what **text** does the model see? This notebook turns a request into the three.

# %% role="given" name="imports"
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

import ol
from ol.mine.characters import canonical_dfa, regex_to_dfa
from ol.mine.dfa import Dfa
from ol.mine.json import json_check, json_dumps, json_parse, json_quote
from ol.mine.nfa import Builder, Fragment, copies_of, sequence_fragment
from ol.mine.regex import ConstrainError
from ol.mine.schema import (
    MAX_STATES,
    check_schema,
    either_fragment,
    escape,
    json_object_regex,
    json_schema_to_regex,
    schema_fragment,
    text_fragment,
)
from ol.needs.L10_5 import ApiError, Template

# %%
BODY = """{
 "messages": [{"role": "user", "content": "What is the weather in Paris?"}],
 "tools": [{"type": "function", "function": {
   "name": "get_weather",
   "description": "The weather in a city now.",
   "parameters": {
     "type": "object",
     "properties": {"city": {"type": "string"}},
     "required": ["city"]}}}],
 "tool_choice": {"type": "function", "function": {"name": "get_weather"}}
}"""
steps = [
    ("request", "parse_tool_request", "what is asked"),
    ("what is asked", "grammar", "what may be written"),
    ("what is asked", "render_prompt", "what the model reads"),
]
ol.draw(steps, title="one request, three answers")

# %% [markdown] name="refusal-why"
# ## A refusal that a program can read
#
# A server that cannot do what was asked says so **before** it starts, in the shape that OpenAI's clients know: an HTTP
# status, the field at fault, a code, a sentence. Two statuses matter here.
#
# | status | means | example |
# |---|---|---|
# | 400 | the request is malformed: no server could do this | a choice that names no tool |
# | 422 | well formed, and outside of what *this* server does | `"pattern"` in a schema, an unknown field |
#
# What must never happen is a 200 with less than was asked: a keyword ignored, a choice dropped. The caller believes
# that the answer fits the schema, and finds out in production.

# %% role="given" name="tool-error"
class ToolError(ValueError):
    """A request that is refused: `param` names the field, `message` says why.

    status: 400 for what is malformed, 422 for what this server does not do; `code` is
    "unsupported_parameter" with 422, None with 400.
    """

    def __init__(
        self, status: int, param: str, code: str | None, message: str
    ) -> None:
        super().__init__(status, param, code, message)
        self.status = status
        self.param = param
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.status} {self.param}: {self.message}"

    def to_api_error(self) -> ApiError:
        """Return the error as module L10.5 answers with it."""
        kind = "invalid_request_error"
        return ApiError(self.status, self.message, kind, self.param, self.code)

    def to_json(self) -> str:
        """Return the body of the answer: `{"error": {…}}`."""
        return self.to_api_error().to_json()


def malformed(param: str, message: str) -> ToolError:
    """Return the 400 for a field that no server could read."""
    return ToolError(400, param, None, f"`{param}` {message}")


def unsupported(param: str, message: str) -> ToolError:
    """Return the 422 for a field that this server does not promise anything about."""
    return ToolError(422, param, "unsupported_parameter", f"`{param}` {message}")

# %%
print(malformed("tool_choice", "names no tool").to_json())

# %% [markdown] name="fields-given"
# Three helpers read a field and refuse what it must not be. They are small, and you will use them all the time:
# `typed` asks for a JSON type, `optional` allows absent and null as well, `only` refuses members that nobody knows.
# `param` is the way to the field as OpenAI writes it, `tools[0].function.name`.

# %% role="given" name="fields"
JSON_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "an integer",
    float: "a number",
    type(None): "null",
}


def typed(value: Any, wanted: type | tuple[type, ...], param: str) -> Any:
    """Return `value` if its JSON type is `wanted`; else raise the 400."""
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    if type(value) not in kinds:
        names = " or ".join(JSON_NAMES[kind] for kind in kinds)
        raise malformed(param, f"must be {names}, not {JSON_NAMES[type(value)]}")
    return value


def optional(table: dict, key: str, wanted: type, param: str) -> Any:
    """Return `table[key]`; None where it is absent or null. `param` is the table's."""
    value = table.get(key)
    return None if value is None else typed(value, wanted, f"{param}.{key}")


def only(table: dict, known: Sequence[str], param: str) -> None:
    """Raise the 422 for the first member that is not among the `known` ones."""
    for key in table:
        if key not in known:
            raise unsupported(f"{param}.{key}", "is not a field that this server knows")

# %% role="given" name="request-classes"
@dataclass(frozen=True)
class Tool:
    """A function that the model may call; `parameters` is the schema, keys in order."""

    name: str
    description: str | None
    parameters: Any


@dataclass(frozen=True)
class ToolChoice:
    """Who decides about calls: kind "auto", "none", "required" or "named".

    `name`: the function of a named choice. `allowed`: the names that may be called, in
    the order of the request; None is all of them.
    """

    kind: str
    name: str | None = None
    allowed: tuple[str, ...] | None = None


class ResponseFormat(StrEnum):
    """What a free answer looks like: any text, or a JSON object."""

    TEXT = "text"
    JSON_OBJECT = "json_object"


@dataclass(frozen=True)
class ToolRequest:
    """What a request says about tools; `parallel` allows several calls at once."""

    tools: list[Tool]
    choice: ToolChoice
    response_format: ResponseFormat
    parallel: bool

# %% [markdown] name="tool-why"
# ## 1 · One tool   *(15 minutes, about 15 lines)*
#
# An entry of `tools` looks like the one above. What has to hold:
#
# - it is an object with `type` and `function`, and `type` is `"function"`: another value is malformed;
# - `function` is an object with `name`, `description`, `parameters`, `strict`, and nothing else;
# - the name is a string that `NAME` matches as a whole: it will stand in the grammar and in the answer;
# - `description` is a string, `strict` is true or false; both may be absent or null;
# - `parameters` is a schema. Absent or null means a function without parameters, `NO_PARAMETERS`.
#
# The schema is judged at once, even if the request then forbids the tool: `check_parameters` asks notebook 07 and
# turns its refusal into a 422 that names the tool, the pointer and the keyword.

# %% role="given" name="check-parameters"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
NO_PARAMETERS = {"type": "object", "properties": {}}


def check_parameters(name: str, parameters: Any, param: str) -> None:
    """Raise the ToolError for a schema that is no object's or outside the subset."""
    typed(parameters, dict, param)
    try:
        check_schema(parameters)
    except ConstrainError as error:
        where = f" at {error.pointer}" if error.pointer else ""
        reason = f"of tool {name} is refused{where}: {error.message}"
        raise unsupported(param + dotted(error.pointer or ""), reason) from None
    if parameters.get("type") != "object":
        raise malformed(param, f'of tool {name} must have the type "object"')


def dotted(pointer: str) -> str:
    """Return a JSON pointer as a field's way: `/tools/0/name` → `.tools[0].name`."""
    steps = pointer.split("/")[1:]
    steps = [step.replace("~1", "/").replace("~0", "~") for step in steps]
    steps = [step if step else '""' for step in steps]
    return "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in steps)

# %%
try:
    city = {"type": "string", "pattern": "^P"}
    schema = {"type": "object", "properties": {"city": city}}
    check_parameters("get_weather", schema, "tools[0].function.parameters")
except ToolError as error:
    print(error)

# %% role="solution" name="read_tool"
def read_tool(entry: Any, param: str) -> Tool:
    """Return an entry of `tools`; `param` is the way to it, such as `tools[0]`.

    Raises ToolError: 400 where it is malformed, 422 for what is not supported.

    >>> read_tool({"type": "function", "function": {"name": "ping"}}, "tools[0]")
    Tool(name='ping', description=None, parameters={'type': 'object', 'properties': {}})
    """
    ### BEGIN SOLUTION
    only(typed(entry, dict, param), ("type", "function"), param)
    if entry.get("type") != "function":
        raise malformed(f"{param}.type", 'must be "function"')
    param = f"{param}.function"
    function = typed(entry.get("function"), dict, param)
    only(function, ("name", "description", "parameters", "strict"), param)
    name = typed(function.get("name"), str, f"{param}.name")
    if not NAME.fullmatch(name):
        raise malformed(f"{param}.name", f"must match {NAME.pattern}")
    description = optional(function, "description", str, param)
    optional(function, "strict", bool, param)
    parameters = function.get("parameters")
    parameters = NO_PARAMETERS if parameters is None else parameters
    check_parameters(name, parameters, f"{param}.parameters")
    return Tool(name, description, parameters)
    ### END SOLUTION

# %% [markdown] role="hint" name="read_tool" level=1
# Go down the list above, line by line; every line is one call of a helper, or one `if`.

# %% [markdown] role="hint" name="read_tool" level=2
# First the entry: `typed`, `only`, the `type`. Then `function = typed(entry.get("function"), dict, …)` and the same
# again one floor lower, with `param` one step longer. An absent name is `None`, which `typed` refuses as null.

# %% [markdown] role="hint" name="read_tool" level=3
# `only(typed(entry, dict, param), ("type", "function"), param)`; raise unless `type` is "function". `function = typed(…)`,
# `only(function, (four names), …)`. `name = typed(…, str, …)`; raise unless `NAME.fullmatch(name)`. `optional` for
# description and strict. `parameters` or `NO_PARAMETERS`, `check_parameters`, and the `Tool`.

# %% role="check" name="read_tool"
ol.check("read_tool")

# %% [markdown] name="choice-why"
# ## 2 · Who decides?   *(15 minutes, about 9 lines)*
#
# `tool_choice` says whether the model may call, must call, or must call *this one*:
#
# | in the request | kind | the answer |
# |---|---|---|
# | absent or null | `auto` with tools, `none` without | |
# | `"auto"` | `auto` | text, and a call if the model begins one |
# | `"none"` | `none` | text only |
# | `"required"` | `required` | one call or more, no text |
# | `{"type": "function", "function": {"name": "f"}}` | `named` | exactly one call of `f` |
# | `{"type": "allowed_tools", "allowed_tools": {"mode": …, "tools": […]}}` | its mode | only those tools |
#
# Reading the two object forms is given: both come down to a kind and to names. What is left is what can be *wrong*: a
# kind that is no kind, a name that is no tool's, a call that is required where there is nothing to call.

# %% role="given" name="choice-forms"
def mode(value: Any, modes: Sequence[str]) -> str:
    """Return a choice that is a word, if it is one of `modes`."""
    if typed(value, str, "tool_choice") not in modes:
        raise malformed("tool_choice", f"must be {', '.join(modes)} or name functions")
    return value


def named_tool(entry: Any) -> str:
    """Return f of `{"type": "function", "function": {"name": f}}`."""
    if typed(entry, dict, "tool_choice").get("type") != "function":
        raise malformed("tool_choice", "has an unknown type")
    function = typed(entry.get("function"), dict, "tool_choice")
    return typed(function.get("name"), str, "tool_choice")


def choice_form(value: Any) -> ToolChoice:
    """Return a `tool_choice` as it stands there; no name is looked up yet."""
    if not isinstance(typed(value, (str, dict), "tool_choice"), dict):
        return ToolChoice(mode(value, ("auto", "none", "required")))
    if value.get("type") != "allowed_tools":
        return ToolChoice("named", named_tool(value))
    filtered = typed(value.get("allowed_tools"), dict, "tool_choice")
    tools = typed(filtered.get("tools"), list, "tool_choice")
    kind = mode(filtered.get("mode"), ("auto", "required"))
    return ToolChoice(kind, None, tuple(map(named_tool, tools)))

# %% [markdown] name="choice-question"
# **Predict.** A client sends `"tool_choice": "required"` and, by a mistake in its own code, `"tools": []`. Which status
# should it get? Type a number.

# %% role="predict" name="empty_tools"
ol.predict("empty_tools", ...)

# %% [markdown] role="answer" name="empty_tools"
# `400`
# A call is required and there is nothing to call, so no server could do it. A server that answers 200 with plain text
# breaks the promise silently; the client waits for `tool_calls` that never come.

# %% [markdown] name="choice-rule"
# A filter may leave nothing, too: `allowed` can be the empty tuple. `auto` over nothing is `none`.

# %% role="solution" name="read_choice"
def read_choice(value: Any, tools: Sequence[Tool]) -> ToolChoice:
    """Return who decides about calls, from the value of `tool_choice`.

    Raises ToolError 400, param `tool_choice`, for a name that is no tool's and for a
    call that is required of nothing.

    >>> read_choice(None, [])
    ToolChoice(kind='none', name=None, allowed=None)
    """
    ### BEGIN SOLUTION
    choice = ToolChoice("auto") if value is None else choice_form(value)
    known = tuple(tool.name for tool in tools)
    allowed = known if choice.allowed is None else choice.allowed
    for name in allowed if choice.name is None else (choice.name,):
        if name not in known:
            raise malformed("tool_choice", f"names {name!r}, which is no tool here")
    if choice.kind == "required" and not allowed:
        raise malformed("tool_choice", "requires a call, and there is nothing to call")
    return ToolChoice("none") if choice.kind == "auto" and not allowed else choice
    ### END SOLUTION

# %% [markdown] role="hint" name="read_choice" level=1
# Sort the questions: what is the choice, which names does it speak of, is each of them a tool, is anything left?

# %% [markdown] role="hint" name="read_choice" level=2
# An absent choice is `auto`; the rule for `auto` over nothing then makes `none` of it where there are no tools. The
# names it speaks of are `choice.name`, or `choice.allowed`, or, where there is no filter, all tools.

# %% [markdown] role="hint" name="read_choice" level=3
# `choice = ToolChoice("auto") if value is None else choice_form(value)`. `allowed` is the filter or all names. Each
# name spoken of must be known, else `malformed("tool_choice", …)`. `required` with empty `allowed`: malformed. `auto`
# with empty `allowed`: `ToolChoice("none")`. Else the choice itself.

# %% role="check" name="read_choice"
ol.check("read_choice")

# %% [markdown] name="request-given"
# ### Given: the whole request
#
# The body is read by notebook 06, **before** any other parser has touched it: a dict of another library may have lost
# the order of the properties, or one of two equal keys. Every field that the server knows has a rule in `FIELDS`, so
# that a wrong type is a 400 with a name and never an exception deep inside the engine.

# %% role="given" name="field-rules"
Rule = Callable[[Any, str], Any]


def of_type(wanted: type) -> Rule:
    """Return the rule of a field that only has a type."""
    return lambda value, param: typed(value, wanted, param)


def between(low: float, high: float, kinds: tuple[type, ...] = (int, float)) -> Rule:
    """Return the rule of a number in a range, both ends included."""

    def check(value: Any, param: str) -> None:
        if not low <= typed(value, kinds, param) <= high:
            raise malformed(param, f"must be between {low} and {high}")

    return check


def one_answer(value: Any, param: str) -> None:
    """Refuse more than one answer at a time: this server gives one."""
    if typed(value, int, param) != 1:
        raise unsupported(param, "must be 1: this server gives one answer a request")


def stop_texts(value: Any, param: str) -> None:
    """Check one to four texts, or one alone."""
    texts = value if isinstance(value, list) else [value]
    if not 1 <= len(texts) <= 4 or "" in [typed(t, str, param) for t in texts]:
        raise malformed(param, "must be one to four texts, none of them empty")


def stream_options(value: Any, param: str) -> None:
    """Check the one option there is."""
    only(typed(value, dict, param), ("include_usage",), param)
    optional(value, "include_usage", bool, param)


def conversation(value: Any, param: str) -> None:
    """Check that there is a message; `render_messages` reads them."""
    if not typed(value, list, param):
        raise malformed(param, "must hold at least one message")

# %% role="given" name="read-body"
INTEGER = (int,)
FIELDS: dict[str, Rule] = {
    "model": of_type(str),
    "messages": conversation,
    "tools": of_type(list),
    "tool_choice": lambda value, param: None,  # read_choice judges these two
    "response_format": lambda value, param: None,
    "parallel_tool_calls": of_type(bool),
    "stream": of_type(bool),
    "stream_options": stream_options,
    "max_tokens": between(1, 1_000_000, INTEGER),
    "max_completion_tokens": between(1, 1_000_000, INTEGER),
    "temperature": between(0, 2),
    "top_p": between(0, 1),
    "top_k": between(0, 1_000_000, INTEGER),
    "repetition_penalty": between(0.01, 10),
    "presence_penalty": between(-2, 2),
    "frequency_penalty": between(-2, 2),
    "seed": between(-(2**63), 2**64 - 1, INTEGER),
    "stop": stop_texts,
    "n": one_answer,
    "user": of_type(str),
}


def read_body(body: str) -> dict:
    """Return the request as an object whose fields all have their types."""
    try:
        request = typed(json_parse(body, duplicates="refuse"), dict, "body")
    except ConstrainError as error:
        param = dotted(error.pointer or "").lstrip(".") or "body"
        twice = error.kind == "duplicate"
        reason = error.message if twice else f"is not JSON: {error}"
        raise malformed(param, reason) from None
    for name, value in request.items():
        if name not in FIELDS:
            raise unsupported(name or '""', "is not a field that this server knows")
        if value is not None:
            FIELDS[name](value, name)
    if request.get("messages") is None:
        raise malformed("messages", "must hold at least one message")
    return request

# %% role="given" name="parse-tool-request"
def read_tools(entries: list) -> list[Tool]:
    """Return the tools of a request; two of one name could not be told apart."""
    tools = [read_tool(entry, f"tools[{i}]") for i, entry in enumerate(entries)]
    names = [tool.name for tool in tools]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise malformed(f"tools[{index}].function.name", f"is there twice: {name}")
    return tools


def read_format(value: Any) -> ResponseFormat:
    """Return what a free answer looks like, from the value of `response_format`."""
    if value is None:
        return ResponseFormat.TEXT
    kind = typed(value, dict, "response_format").get("type")
    if kind == "json_schema":
        raise unsupported("response_format", "may be text or json_object here")
    if kind not in ("text", "json_object") or len(value) > 1:
        raise malformed("response_format", 'must be {"type": "text" or "json_object"}')
    return ResponseFormat(kind)


def parse_tool_request(body: str) -> ToolRequest:
    """Return what the raw body of a chat request says about tools.

    Raises ToolError: 400 for what is malformed, 422 for what this server does not do.
    """
    request = read_body(body)
    tools = read_tools(request.get("tools") or [])
    choice = read_choice(request.get("tool_choice"), tools)
    response_format = read_format(request.get("response_format"))
    if response_format is not ResponseFormat.TEXT and choice.kind != "none":
        raise malformed("response_format", "must be text where a tool may be called")
    parallel = request.get("parallel_tool_calls")
    return ToolRequest(tools, choice, response_format, parallel is not False)

# %%
request = parse_tool_request(BODY)
request

# %% role="check" name="parse_tool_request_hand_example"
ol.check("parse_tool_request_hand_example")

# %% [markdown] name="call-why"
# ## 3 · One call   *(8 minutes, about 2 lines)*
#
# The model writes a call in the format that small instruct models are trained on:
#
# `<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}</tool_call>`
#
# For one tool everything is fixed but the arguments, and those are the schema's language. So the pattern of a call is
# text, escaped, with `json_schema_to_regex` in the middle. The name stands there as a JSON string.
#
# The opener is left out here. Under `auto` the model has written it already when the grammar sets in.

# %% role="given" name="markers"
OPENER, CLOSER = "<tool_call>", "</tool_call>"

# %% role="solution" name="call_pattern"
def call_pattern(tool: Tool) -> str:
    """Return the pattern of one call of `tool`: all after the opener, closer included.

    >>> ping = call_pattern(Tool("ping", None, NO_PARAMETERS))
    >>> regex_to_dfa(ping).matches(b'{"name":"ping","arguments":{}}</tool_call>')
    True
    """
    ### BEGIN SOLUTION
    head = f'{{"name":{json_quote(tool.name)},"arguments":'
    return escape(head) + json_schema_to_regex(tool.parameters) + escape("}" + CLOSER)
    ### END SOLUTION

# %% [markdown] role="hint" name="call_pattern" level=1
# Three pieces: text before the arguments, the arguments, text after them. Which of them are patterns already?

# %% [markdown] role="hint" name="call_pattern" level=2
# `escape` makes a pattern of text; the schema's pattern must not be escaped again. Two braces close at the end: the
# arguments close their own, the call needs one more.

# %% [markdown] role="hint" name="call_pattern" level=3
# `escape('{"name":' + json_quote(tool.name) + ',"arguments":')`, then `json_schema_to_regex(tool.parameters)`, then
# `escape("}" + CLOSER)`.

# %% role="check" name="call_pattern"
ol.check("call_pattern")

# %%
tiny = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
count = call_pattern(Tool("count", None, tiny))
ol.draw(count, outline=True, title="the arguments are the only choice in a call")

# %% [markdown] name="grammar-why"
# ## 4 · The grammar of an answer   *(15 minutes, about 11 lines)*
#
# Now the whole answer. A call begins with its opener here, and may be of any tool that the choice allows:
#
# | choice | the language of the answer | trigger |
# |---|---|---|
# | named | one call, of that one tool | |
# | required | one call; with `parallel` up to four, a newline between them | |
# | auto | after the trigger: the rest of one call | `<tool_call>` |
# | none | anything: no grammar | |
# | none, `json_object` | a JSON object, at most three levels deep | |
#
# Under `auto` the model writes freely until its text contains the trigger. From there on the grammar holds, and one
# call later the answer ends.

# %%
CALL = OPENER + '{"name":"get_weather","arguments":…}' + CLOSER
REST = CALL.removeprefix(OPENER)
named = [("start", CALL, "end")]
required = [("start", "a call", "1 call"), ("1 call", "newline, a call", "2 calls")]
auto = [("free", "any text", "free"), ("free", OPENER, "call"), ("call", REST, "end")]
display(ol.draw(named, title="named: one call, from the first token"))
display(ol.draw(required, title="required, parallel: the first two calls of four"))
display(ol.draw(auto, title="auto: the grammar sets in at the trigger"))

# %% role="given" name="grammar-class"
MOST_CALLS = 4
OBJECT_DEPTH = 3


@dataclass(frozen=True)
class Grammar:
    """A pattern for the answer, or for what follows once `trigger` has been written."""

    pattern: str
    trigger: str | None = None


def callable_tools(request: ToolRequest) -> list[Tool]:
    """Return the tools that the answer may call, in the order of the request."""
    choice = request.choice
    names = choice.allowed if choice.name is None else (choice.name,)
    return [tool for tool in request.tools if names is None or tool.name in names]

# %% role="solution" name="grammar"
def grammar(request: ToolRequest) -> Grammar | None:
    """Return the grammar of the answer to `request`; None where any text will do.

    >>> grammar(ToolRequest([], ToolChoice("none"), ResponseFormat.TEXT, True)) is None
    True
    """
    ### BEGIN SOLUTION
    kind = request.choice.kind
    if kind == "none":
        free = request.response_format is ResponseFormat.TEXT
        return None if free else Grammar(json_object_regex(OBJECT_DEPTH))
    rest = f"(?:{'|'.join(call_pattern(t) for t in callable_tools(request))})"
    if kind == "auto":
        return Grammar(rest, OPENER)
    call = escape(OPENER) + rest
    if kind == "required" and request.parallel:
        return Grammar(f"{call}(?:\n{call}){{0,{MOST_CALLS - 1}}}")
    return Grammar(call)
    ### END SOLUTION

# %% [markdown] role="hint" name="grammar" level=1
# Begin with the two lines of the table that have no call in them. The other three share the calls.

# %% [markdown] role="hint" name="grammar" level=2
# Join the `call_pattern`s of `callable_tools(request)` by `|` and put the whole into `(?:…)`: what follows binds to all
# of them, not to the last. A newline may stand in a pattern as it is.

# %% [markdown] role="hint" name="grammar" level=3
# `none`: None, or `Grammar(json_object_regex(OBJECT_DEPTH))`. `rest = "(?:" + "|".join(…) + ")"`. `auto`: `Grammar(rest,
# OPENER)`. Else `call = escape(OPENER) + rest`; required and parallel: `call`, then `(?:`, a newline, `call`, `){0,3}`.

# %% role="check" name="grammar"
ol.check("grammar")

# %%
weather = regex_to_dfa(grammar(request).pattern)
for text in ['{"city":"Paris"}', '{"city":"Paris","day":1}', "{}"]:
    call = f'{OPENER}{{"name":"get_weather","arguments":{text}}}{CLOSER}'
    print(weather.matches(call.encode()), call)

# %% [markdown] name="grammar-break"
# **Break it.** Mutant s13 reads a named choice as "some call, of any tool". Two tools, a choice that names the second,
# and the model is free to call the first.

# %%
def of_two(function: Callable[[ToolRequest], Grammar | None]) -> Dfa:
    tools = [Tool("play", None, NO_PARAMETERS), Tool("stop", None, NO_PARAMETERS)]
    asked = ToolRequest(tools, ToolChoice("named", "stop"), ResponseFormat.TEXT, True)
    return regex_to_dfa(function(asked).pattern)


with ol.plant("s13"):
    planted = of_two(grammar)
display(ol.draw(of_two(grammar), outline=True, title="yours: stop, and nothing else"))
display(ol.draw(planted, outline=True, title="with s13: play slips through"))

# %% [markdown] name="dfa-given"
# ### Given: the whole grammar as one machine
#
# The pattern of four calls with a large schema is megabytes of text, most of it repeated. `grammar_to_dfa` builds the
# same language from fragments, as notebook 07's `schema_to_dfa` does for a schema: the calls are copies of one
# fragment, with a newline between them, and after each the answer may end. The tables are the same, number for number.

# %% role="given" name="grammar-to-dfa"
def call_fragment(builder: Builder, tool: Tool, opener: str) -> Fragment:
    """Build one call of `tool`, beginning with `opener` (empty where it is written)."""
    head = f'{opener}{{"name":{json_quote(tool.name)},"arguments":'
    parts = [
        text_fragment(builder, head),
        schema_fragment(builder, tool.parameters),
        text_fragment(builder, "}" + CLOSER),
    ]
    return sequence_fragment(builder, parts)


def calls_fragment(builder: Builder, call: Fragment, most: int) -> Fragment:
    """Build one to `most` calls with a newline between them."""
    whole = builder.fragment()
    copies = copies_of(builder, call, most)
    builder.glue(whole.start, copies[0].start)
    for copy in copies:
        builder.glue(copy.accept, whole.accept)
    for left, right in pairwise(copies):
        builder.read(left.accept, frozenset(b"\n"), right.start)
    return whole


def grammar_to_dfa(request: ToolRequest) -> Dfa | None:
    """Return the table of `grammar(request)`; None where any text will do.

    Raises ConstrainError, kind `size`, where it has more than 20,000 states.
    """
    kind = request.choice.kind
    if kind == "none":
        free = grammar(request)
        return None if free is None else regex_to_dfa(free.pattern)
    builder = Builder()
    opener = "" if kind == "auto" else OPENER
    tools = callable_tools(request)
    whole = either_fragment(builder, [call_fragment(builder, t, opener) for t in tools])
    if kind == "required" and request.parallel:
        whole = calls_fragment(builder, whole, MOST_CALLS)
    dfa = canonical_dfa(builder.nfa(whole))
    if dfa.n_states > MAX_STATES:
        raise ConstrainError("size", f"a grammar of more than {MAX_STATES:,} states")
    return dfa

# %%
tools = [Tool("play", None, NO_PARAMETERS), Tool("stop", None, NO_PARAMETERS)]
asked = ToolRequest(tools, ToolChoice("required"), ResponseFormat.TEXT, False)
ol.draw(grammar_to_dfa(asked), outline=True, title="one call, of play or of stop")

# %%
dfa = grammar_to_dfa(request)
print(dfa.n_states, "states; the pattern's table is the same:", end=" ")
print((dfa.trans == weather.trans).all())
ol.draw(dfa, outline=True, title="a call of get_weather: the string is the only choice")

# %% role="check" name="grammar_by_tool_choice"
ol.check("grammar_by_tool_choice")

# %% [markdown] name="messages-why"
# ## 5 · What the model reads   *(8 minutes, about 5 lines)*
#
# The grammar decides what the model *can* write; the prompt is what it *knows*. A conversation with tools goes round:
# the assistant calls, the program answers with a `tool` message, the assistant goes on. A chat template knows nothing
# of calls, so before it comes in, every message becomes a role and a text:
#
# | message | role | text |
# |---|---|---|
# | system, developer | system | as it is |
# | user | user | as it is |
# | assistant | assistant | its content, then its calls as the model writes them, a newline between them |
# | tool | user | `<tool_response>`, the content, `</tool_response>`, each on lines of its own |
#
# %%
rounds = [
    ("program", "user: the weather in Paris?", "model"),
    ("model", "calls get_weather(city: Paris)", "program"),
    ("program", "tool: clear", "model"),
    ("model", "It is clear in Paris.", "program"),
]
ol.draw(rounds, title="a conversation with one call")

# %% [markdown] name="bytes-why"
# A call in the history is written back **exactly as it was generated**. Its arguments are a string, and they are not
# read and written again: the model imitates what it sees, and it should see its own bytes.

# %% role="given" name="read-messages"
@dataclass(frozen=True)
class PastCall:
    """A call in the history; `arguments` is JSON text, byte for byte the model's."""

    id: str
    name: str
    arguments: str


def text_of(content: Any, param: str) -> str:
    """Return the content of a message: a text, or a list of text parts, joined."""
    if not isinstance(content, list):
        return typed(content, str, param)
    texts = []
    for index, part in enumerate(content):
        where = f"{param}[{index}]"
        if typed(part, dict, where).get("type") != "text":
            raise unsupported(f"{where}.type", "may only be text here")
        texts.append(typed(part.get("text"), str, f"{where}.text"))
    return "".join(texts)


def past_call(entry: Any, param: str) -> PastCall:
    """Return an entry of an assistant's `tool_calls`; its arguments have to be JSON."""
    only(typed(entry, dict, param), ("id", "type", "function"), param)
    if entry.get("type") != "function":
        raise malformed(f"{param}.type", 'must be "function"')
    function = typed(entry.get("function"), dict, f"{param}.function")
    name = typed(function.get("name"), str, f"{param}.function.name")
    where = f"{param}.function.arguments"
    arguments = typed(function.get("arguments"), str, where)
    try:
        json_check(arguments)
    except ConstrainError as error:
        raise malformed(where, f"must be JSON: {error}") from None
    return PastCall(typed(entry.get("id"), str, f"{param}.id"), name, arguments)


def past_calls(message: dict, param: str) -> list[PastCall]:
    """Return the calls of an assistant's message, none where there are none."""
    entries = optional(message, "tool_calls", list, param) or []
    where = f"{param}.tool_calls"
    return [past_call(entry, f"{where}[{i}]") for i, entry in enumerate(entries)]

# %% role="solution" name="render_assistant"
def render_assistant(content: str, calls: Sequence[PastCall]) -> str:
    """Return an assistant's turn as the model wrote it: its text, then its calls.

    >>> render_assistant("Sure.", [PastCall("c1", "ping", "{}")])
    'Sure.<tool_call>{"name":"ping","arguments":{}}</tool_call>'
    """
    ### BEGIN SOLUTION
    blocks = []
    for call in calls:
        head = f'{{"name":{json_quote(call.name)},"arguments":'
        blocks.append(f"{OPENER}{head}{call.arguments}}}{CLOSER}")
    return content + "\n".join(blocks)
    ### END SOLUTION

# %% [markdown] role="hint" name="render_assistant" level=1
# You have written this text before, as a pattern. Now it is only text, so nothing is escaped.

# %% [markdown] role="hint" name="render_assistant" level=2
# One block per call: opener, head with the quoted name, the arguments as they are, a brace, closer. The blocks are
# joined by a newline; between the content and the first block there is nothing.

# %% [markdown] role="hint" name="render_assistant" level=3
# `'{"name":' + json_quote(call.name) + ',"arguments":' + call.arguments + "}"` between `OPENER` and `CLOSER`; then
# `content + "\n".join(blocks)`.

# %% role="check" name="render_assistant"
ol.check("render_assistant")

# %% [markdown] name="render-why"
# ## 6 · The conversation   *(12 minutes, about 11 lines)*
#
# `render_message` does one message; it keeps the ids of all calls so far, because a `tool` message that answers no call
# is malformed. What is left is the loop, and the tools: they are described to the model in a system message. Where the
# conversation has one already, the description is appended to the **first**, after an empty line; where it has none,
# a new one comes first.

# %% role="given" name="render-message"
ROLES = {"system": "system", "developer": "system", "user": "user", "tool": "user"}
MEMBERS = ("role", "content", "name", "tool_calls", "tool_call_id")


def render_message(message: Any, param: str, call_ids: set[str]) -> tuple[str, str]:
    """Return a message as (role, text); its calls' ids are added to `call_ids`."""
    given = [key for key, value in typed(message, dict, param).items() if value]
    only(dict.fromkeys(given), MEMBERS, param)  # clients send null for what is absent
    role = typed(message.get("role"), str, f"{param}.role")
    content = message.get("content")
    if role == "assistant":
        calls = past_calls(message, param)
        call_ids.update(call.id for call in calls)
        content = "" if content is None and calls else content
        return role, render_assistant(text_of(content, f"{param}.content"), calls)
    if role not in ROLES:
        raise malformed(f"{param}.role", f"is unknown: {role[:40]!r}")
    text = text_of(content, f"{param}.content")
    if role == "tool":
        where = f"{param}.tool_call_id"
        if typed(message.get("tool_call_id"), str, where) not in call_ids:
            raise malformed(where, "answers no call before it")
        text = f"<tool_response>\n{text}\n</tool_response>"
    return ROLES[role], text


def tools_text(tools: Sequence[Tool]) -> str:
    """Return what the model is told about its tools."""
    told = [
        {"name": t.name, "description": t.description, "parameters": t.parameters}
        for t in tools
    ]
    return (
        "You may call these functions, described one in a line:\n<tools>\n"
        + "\n".join(map(json_dumps, told))
        + "\n</tools>\nTo call one, write its name and its arguments like this:\n"
        + OPENER + '{"name":"<name>","arguments":<object>}' + CLOSER
    )

# %%
print(tools_text(request.tools))

# %% [markdown] name="roles-question"
# **Predict.** A conversation of four messages: user, assistant (a call), tool, assistant (text). There is one tool.
# Type the list of roles that the template will see.

# %% role="predict" name="roles"
ol.predict("roles", ...)

# %% [markdown] role="answer" name="roles"
# `["system", "user", "assistant", "user", "assistant"]`
# The tools need a system message and there is none, so one comes first. What the program sends as `tool` the model
# reads as a turn of the user: it was trained on two sides.

# %% role="solution" name="render_messages"
def render_messages(messages: Any, tools: Sequence[Tool]) -> list[tuple[str, str]]:
    """Return a conversation as (role, text) pairs, the tools in its first system text.

    Raises ToolError 400, param `messages[i]…`, for what is malformed in it.

    >>> render_messages([{"role": "user", "content": "hi"}], [])
    [('user', 'hi')]
    """
    ### BEGIN SOLUTION
    turns: list[tuple[str, str]] = []
    call_ids: set[str] = set()
    for index, message in enumerate(messages):
        turns.append(render_message(message, f"messages[{index}]", call_ids))
    if not tools:
        return turns
    for index, (role, text) in enumerate(turns):
        if role == "system":
            turns[index] = (role, f"{text}\n\n{tools_text(tools)}")
            return turns
    return [("system", tools_text(tools)), *turns]
    ### END SOLUTION

# %% [markdown] role="hint" name="render_messages" level=1
# Two jobs, one after the other: make all the turns, then find the place for the tools.

# %% [markdown] role="hint" name="render_messages" level=2
# One set of ids for the whole conversation, handed to every `render_message`. Then look for the first turn whose role
# is system. A `developer` message has that role by now.

# %% [markdown] role="hint" name="render_messages" level=3
# `turns = []`, `call_ids = set()`; for each message append `render_message(message, f"messages[{index}]", call_ids)`.
# Without tools: done. Else the first system turn gets `"\n\n" + tools_text(tools)`; if there is none, put
# `("system", tools_text(tools))` in front.

# %% role="check" name="render_messages"
ol.check("render_messages")

# %% [markdown] name="prompt-given"
# ### Given: the prompt
#
# Module L10.5's `Template` writes the pairs as the model was trained to read them, and ends where the assistant has to
# go on.

# %% role="given" name="render-prompt"
def render_prompt(
    template: Template, messages: Any, tools: Sequence[Tool], bos: str, eos: str
) -> str:
    """Return the text that the model continues.

    Raises ToolError 400 for a conversation that is malformed or that the template
    refuses.
    """
    turns = render_messages(messages, tools)
    try:
        return template.render_messages(turns, bos, eos)
    except ValueError as error:
        raise malformed("messages", f"do not fit this model: {error}") from None

# %%
CONVERSATION = [
    {"role": "user", "content": "What is the weather in Paris?"},
    {"role": "assistant", "content": None, "tool_calls": [
        {"id": "call_1", "type": "function", "function": {
            "name": "get_weather", "arguments": '{"city":"Paris"}'}}]},
    {"role": "tool", "tool_call_id": "call_1", "content": '{"sky":"clear"}'},
]  # fmt: skip
print(render_prompt(Template(), CONVERSATION, request.tools, "", ""))

# %% role="check" name="render_messages_with_tools"
ol.check("render_messages_with_tools")

# %% [markdown] name="vocab-why"
# ## 7 · The vocabulary of a real tokenizer   *(5 minutes, about 3 lines)*
#
# Look at the prompt again. `<|im_end|>` is one token of the model, a **special** one: it ends a turn. It also has the
# bytes of a text that a JSON string may well contain. If the mask allowed it there, the model could end its turn in the
# middle of a string, and the grammar would not notice. So for the mask special tokens have no bytes: they are `None`.

# %% role="solution" name="vocab_bytes"
def vocab_bytes(tokenizer: Any, specials: Sequence[int]) -> list[bytes | None]:
    """Return the bytes of every token by id, None for the special ones.

    tokenizer: `vocab_size`, and `token_bytes(id)`, as in module L1.5.
    """
    ### BEGIN SOLUTION
    ids = range(tokenizer.vocab_size)
    marked = set(specials)
    return [None if id in marked else tokenizer.token_bytes(id) for id in ids]
    ### END SOLUTION

# %% [markdown] role="hint" name="vocab_bytes" level=1
# One entry per id from 0 on; the place in the list is the id.

# %% [markdown] role="hint" name="vocab_bytes" level=2
# `range(tokenizer.vocab_size)` gives the ids. `specials` may be long, so ask a set.

# %% [markdown] role="hint" name="vocab_bytes" level=3
# A list over the ids: `None` where the id is among the specials, else `tokenizer.token_bytes(id)`.

# %% role="check" name="vocab_bytes"
ol.check("vocab_bytes")

# %% role="check" name="vocab_bytes_marks_specials"
ol.check("vocab_bytes_marks_specials")

# %% [markdown] name="explain"
# **Explain** in two sentences, to somebody who calls OpenAI's API every day: why does a server that promises "the answer
# fits the schema" have to refuse some schemas?

# %% [markdown] name="where"
# ## Where this leads
#
# Notebook 12 takes the other direction: the model's text comes in pieces and becomes calls again. A server then joins
# the two.
#
# - OpenAI's *Function calling* guide: the request surface that you have read here, and `strict`, which is the mask.
# - vLLM and SGLang keep one parser per family of models, and many of their bugs are about the requests of this notebook:
#   a named choice read as `auto`, `parallel_tool_calls` ignored, history with its arguments written anew.
# - llama.cpp's grammar triggers are our `auto`: free text until a marker, grammar after it.
