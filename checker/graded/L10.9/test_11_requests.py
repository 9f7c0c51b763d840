"""Judges notebook 11: requests, the grammar of an answer, prompts, vocabularies.

Grammars are judged by what they accept, never by their text; refusals by status and
field. Expected values are written by hand from the chapter (sections 2.4, 3 and 4) and
from what OpenAI's clients send.
"""

from __future__ import annotations

import json
from typing import Any

from ol.expect import accepts, answers_error, equal, fail, same_dfa
from ol.failure import Failure

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
NOTHING = {"type": "object", "properties": {}}
USER = {"role": "user", "content": "hi"}
GET_WEATHER = '{"name":"get_weather","arguments":{"city":"Paris"}}'
PING = '{"name":"ping","arguments":{}}'


def entry(name: Any, **more: Any) -> dict[str, Any]:
    """Return an entry of `tools` as a client writes it."""
    return {"type": "function", "function": {"name": name, **more}}


WEATHER = entry("get_weather", description="now", parameters=CITY)


def body(**fields: Any) -> str:
    return json.dumps({"messages": [USER], **fields}, ensure_ascii=False)


def named(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


def fields_of(value: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return some fields of a learner's object, so that they compare as plain data."""
    return {name: getattr(value, name, "(there is none)") for name in names}


# --- read_tool


def if_not_refused(cause: str) -> Any:
    """Return a cause for an answer that should have been a refusal; another refusal
    than the expected one has another cause.
    """
    return lambda yours: "" if isinstance(yours, ValueError) else cause


def judge_tool(tools: Any, given: Any, expected: dict[str, Any]) -> None:
    yours = tools.read_tool(given, "tools[0]")
    input = f'read_tool({json.dumps(given)}, "tools[0]")'
    if yours is None:
        equal(yours, "a Tool", input=input)
    equal(
        fields_of(yours, ("name", "description", "parameters")), expected, input=input
    )


def test_read_tool(tools: Any) -> None:
    expected = {"name": "get_weather", "description": "now", "parameters": CITY}
    judge_tool(tools, WEATHER, expected)


def test_read_tool__absent(tools: Any) -> None:
    expected = {"name": "ping", "description": None, "parameters": NOTHING}
    judge_tool(tools, entry("ping"), expected)
    judge_tool(tools, entry("ping", description=None, parameters=None), expected)
    judge_tool(tools, entry("ping", strict=True), expected)
    judge_tool(tools, entry("ping", strict=None), expected)


def refused(tools: Any, given: Any, status: int, param: str, cause: Any = "") -> None:
    answers_error(
        lambda: tools.read_tool(given, "tools[2]"),
        status=status,
        param=param,
        input=f'read_tool({json.dumps(given)[:120]}, "tools[2]")',
        cause=cause,
    )


def test_read_tool__malformed(tools: Any) -> None:
    refused(tools, "ping", 400, "tools[2]")
    refused(tools, {"type": "tool", "function": {"name": "a"}}, 400, "tools[2].type")
    refused(tools, {"function": {"name": "a"}}, 400, "tools[2].type")
    refused(tools, {"type": "function"}, 400, "tools[2].function")
    refused(tools, entry(3), 400, "tools[2].function.name")
    nameless = {"type": "function", "function": {}}
    refused(tools, nameless, 400, "tools[2].function.name")
    refused(tools, entry("a", description=3), 400, "tools[2].function.description")
    refused(tools, entry("a", strict="yes"), 400, "tools[2].function.strict")
    refused(tools, entry("a", parameters=[]), 400, "tools[2].function.parameters")


def test_read_tool__names(tools: Any) -> None:
    whole = "The whole name has to match: `re.fullmatch`, not `match` or `search`."
    for name in ("", "get weather", "a.b", "é", "a" * 65, "a\n"):
        path = "tools[2].function.name"
        refused(tools, entry(name), 400, path, if_not_refused(whole))
    for name in ("a", "A-b_9", "a" * 64):
        judge_tool(
            tools,
            entry(name),
            {"name": name, "description": None, "parameters": NOTHING},
        )


def test_read_tool__unknown(tools: Any) -> None:
    refused(tools, {**WEATHER, "cache": 1}, 422, "tools[2].cache")
    refused(tools, entry("a", returns="text"), 422, "tools[2].function.returns")


def test_read_tool__schema(tools: Any) -> None:
    where = "tools[2].function.parameters"
    city = {
        "type": "object",
        "properties": {"city": {"type": "string", "pattern": "P"}},
    }
    cause = "Ask `check_parameters`; its `param` is the way to the parameters."
    refused(
        tools,
        entry("a", parameters=city),
        422,
        f"{where}.properties.city.pattern",
        cause,
    )
    refused(tools, entry("a", parameters={"type": "string"}), 400, where, cause)


# --- read_choice


def judge_choice(
    tools: Any,
    value: Any,
    names: tuple[str, ...],
    expected: tuple[Any, ...],
    why: str = "",
) -> None:
    given = [tools.Tool(name, None, NOTHING) for name in names]
    yours = tools.read_choice(value, given)
    input = f"read_choice({json.dumps(value)}, tools {', '.join(names) or '(none)'})"
    if yours is None:
        equal(yours, "a ToolChoice", input=input)
    kind, name, allowed = expected
    equal(
        fields_of(yours, ("kind", "name", "allowed")),
        {"kind": kind, "name": name, "allowed": allowed},
        input=input,
        cause=why,
    )


def filtered(mode: Any, *names: str) -> dict[str, Any]:
    chosen = {"mode": mode, "tools": [named(name) for name in names]}
    return {"type": "allowed_tools", "allowed_tools": chosen}


def test_read_choice(tools: Any) -> None:
    both = ("a", "b")
    judge_choice(tools, "auto", both, ("auto", None, None))
    judge_choice(tools, "none", both, ("none", None, None))
    judge_choice(tools, "required", both, ("required", None, None))
    judge_choice(tools, named("b"), both, ("named", "b", None))
    judge_choice(tools, filtered("auto", "b"), both, ("auto", None, ("b",)))
    judge_choice(
        tools, filtered("required", "b", "a"), both, ("required", None, ("b", "a"))
    )


def test_read_choice__default(tools: Any) -> None:
    judge_choice(tools, None, ("a",), ("auto", None, None))
    judge_choice(tools, None, (), ("none", None, None), "Without tools: none.")
    judge_choice(
        tools, "auto", (), ("none", None, None), "`auto` over nothing is none."
    )
    judge_choice(tools, "none", (), ("none", None, None))
    yours = tools.read_choice(filtered("auto"), [tools.Tool("a", None, NOTHING)])
    input = "read_choice(auto over an empty filter, tools a).kind"
    equal(yours.kind, "none", input=input, cause="The filter leaves nothing to call.")


def choice_refused(tools: Any, value: Any, names: tuple[str, ...], cause: str) -> None:
    given = [tools.Tool(name, None, NOTHING) for name in names]
    answers_error(
        lambda: tools.read_choice(value, given),
        status=400,
        param="tool_choice",
        input=f"read_choice({json.dumps(value)}, tools {', '.join(names) or '(none)'})",
        cause=if_not_refused(cause),
    )


def test_read_choice__refused(tools: Any) -> None:
    unknown = "A name that is no tool's is a mistake of the caller, not an `auto`."
    choice_refused(tools, named("c"), ("a", "b"), unknown)
    choice_refused(tools, filtered("auto", "a", "c"), ("a", "b"), unknown)
    choice_refused(tools, named("a"), (), unknown)
    nothing = "A call is required, and there is nothing to call."
    choice_refused(tools, "required", (), nothing)
    choice_refused(tools, filtered("required"), ("a",), nothing)
    for value in ("sometimes", "named", 3, True, [], {}, {"type": "function"}):
        choice_refused(tools, value, ("a",), "`choice_form` refuses what is no choice.")


# --- call_pattern


def call(text: str) -> str:
    return f"{text}</tool_call>"


def machine_of(constrain: Any, pattern: Any, input: str) -> Any:
    """Return the machine of a pattern that the code made."""
    if not isinstance(pattern, str):
        equal(pattern, "a pattern (str)", input=input)
    try:
        return constrain.regex_to_dfa(pattern)
    except ValueError as error:
        fail(
            Failure(
                input=f"regex_to_dfa({input})",
                yours=f"refused: {error}",
                expected="a machine",
                cause="Text that stands for itself goes through `escape` first.",
            )
        )


def test_call_pattern(tools: Any, constrain: Any) -> None:
    pattern = tools.call_pattern(tools.Tool("get_weather", None, CITY))
    missing = GET_WEATHER[:-1]
    accepts(
        machine_of(constrain, pattern, "call_pattern(get_weather)"),
        yes=[call(GET_WEATHER), call(GET_WEATHER.replace("Paris", ""))],
        no=[
            call(missing),
            GET_WEATHER,
            "<tool_call>" + call(GET_WEATHER),
            call(GET_WEATHER.replace("city", "town")),
            call(PING),
            "",
        ],
        input="call_pattern(get_weather)",
        cause="A call is {name, arguments} in compact JSON, name first, and the end "
        "marker; the start marker is not in it.",
    )


def test_call_pattern__escaped(tools: Any, constrain: Any) -> None:
    schema = {"type": "object", "properties": {"n": {"enum": [2.5]}}, "required": ["n"]}
    pattern = tools.call_pattern(tools.Tool("half", None, schema))
    accepts(
        machine_of(constrain, pattern, "call_pattern(half)"),
        yes=[call('{"name":"half","arguments":{"n":2.5}}')],
        no=[call('{"name":"half","arguments":{"n":2x5}}')],
        input="call_pattern(half)",
        cause="The schema's pattern is one already: `escape` is for the text around.",
    )


# --- grammar and its named test


def request(tools: Any, **fields: Any) -> Any:
    """Return a ToolRequest over get_weather and ping, written by hand."""
    both = [tools.Tool("get_weather", None, CITY), tools.Tool("ping", None, NOTHING)]
    given = {
        "tools": both,
        "choice": tools.ToolChoice("auto"),
        "response_format": tools.ResponseFormat("text"),
        "parallel": True,
    }
    return tools.ToolRequest(**{**given, **fields})


def whole(*calls: str) -> str:
    """Return an answer that is calls and nothing else."""
    return "\n".join(f"<tool_call>{text}</tool_call>" for text in calls)


NOT_FREE = {"none, json_object": "No call, but the text is to be a JSON object."}
SHAPES = {
    "named: ping": "One call of the named tool, both markers, and nothing beside it.",
    "required, parallel": "One to four calls with both markers, a newline between "
    "them, nothing before or behind.",
    "required, not parallel": "Exactly one call, of any tool, with both markers.",
    "auto": "Behind the trigger: one call, without the start marker, and no more.",
    "required, allowed: ping": "Only the tools of the filter may be called.",
}


def judge_grammar(
    tools: Any,
    constrain: Any,
    asked: Any,
    yes: list[str],
    no: list[str],
    name: str,
    trigger: str | None = None,
) -> None:
    yours = tools.grammar(asked)
    input = f"grammar({name})"
    if yours is None:
        equal(None, "a Grammar", input=input, cause=NOT_FREE.get(name, ""))
    free = "Only auto leaves the text free until <tool_call>; that is its trigger."
    equal(yours.trigger, trigger, input=f"{input}.trigger", cause=free)
    machine = machine_of(constrain, yours.pattern, input)
    accepts(machine, yes=yes, no=no, input=input, cause=SHAPES.get(name, ""))


def judge_named(tools: Any, constrain: Any) -> None:
    judge_grammar(
        tools,
        constrain,
        request(tools, choice=tools.ToolChoice("named", "ping")),
        yes=[whole(PING)],
        no=[whole(GET_WEATHER), whole(PING, PING), PING, "hello", ""],
        name="named: ping",
    )


def judge_required(tools: Any, constrain: Any) -> None:
    judge_grammar(
        tools,
        constrain,
        request(tools, choice=tools.ToolChoice("required")),
        yes=[
            whole(PING),
            whole(GET_WEATHER),
            whole(PING, GET_WEATHER),
            whole(GET_WEATHER, PING, PING, GET_WEATHER),
        ],
        no=[
            "",
            "hello",
            whole(*[PING] * 5),
            whole(PING) + whole(PING),
            whole(PING) + "\n",
            "\n" + whole(PING),
        ],
        name="required, parallel",
    )


def judge_one(tools: Any, constrain: Any) -> None:
    judge_grammar(
        tools,
        constrain,
        request(tools, choice=tools.ToolChoice("required"), parallel=False),
        yes=[whole(PING), whole(GET_WEATHER)],
        no=[whole(PING, PING), ""],
        name="required, not parallel",
    )


def judge_auto(tools: Any, constrain: Any) -> None:
    judge_grammar(
        tools,
        constrain,
        request(tools),
        yes=[call(PING), call(GET_WEATHER)],
        no=[whole(PING), call(PING) + "\n" + whole(PING), ""],
        name="auto",
        trigger="<tool_call>",
    )


def judge_none(tools: Any, constrain: Any) -> None:
    nothing = request(tools, choice=tools.ToolChoice("none"))
    equal(tools.grammar(nothing), None, input="grammar(none, text)")
    judge_grammar(
        tools,
        constrain,
        request(
            tools,
            choice=tools.ToolChoice("none"),
            response_format=tools.ResponseFormat("json_object"),
        ),
        yes=["{}", '{"a":{"b":[1]}}', '{"a":"x","b":null}'],
        no=["[]", "1", '{"a":{"b":[{}]}}', '{"a":1,}', ""],
        name="none, json_object",
    )


def judge_filter(tools: Any, constrain: Any) -> None:
    judge_grammar(
        tools,
        constrain,
        request(tools, choice=tools.ToolChoice("required", None, ("ping",))),
        yes=[whole(PING), whole(PING, PING)],
        no=[whole(GET_WEATHER), whole(PING, GET_WEATHER)],
        name="required, allowed: ping",
    )


def test_grammar(tools: Any, constrain: Any) -> None:
    judge_none(tools, constrain)
    judge_named(tools, constrain)


def test_grammar__auto(tools: Any, constrain: Any) -> None:
    judge_auto(tools, constrain)


def test_grammar__required(tools: Any, constrain: Any) -> None:
    judge_one(tools, constrain)
    judge_required(tools, constrain)
    judge_filter(tools, constrain)


def test_grammar_by_tool_choice(tools: Any, constrain: Any) -> None:
    judge_named(tools, constrain)
    judge_required(tools, constrain)
    judge_one(tools, constrain)
    judge_auto(tools, constrain)
    judge_none(tools, constrain)
    judge_filter(tools, constrain)


def test_grammar_by_tool_choice__one_machine(tools: Any, constrain: Any) -> None:
    for choice in (("named", "ping"), ("required",), ("auto",)):
        asked = request(tools, choice=tools.ToolChoice(*choice))
        by_text = constrain.regex_to_dfa(tools.grammar(asked).pattern)
        yours = tools.grammar_to_dfa(asked)
        same_dfa(yours, by_text, input=f"grammar_to_dfa({' '.join(choice)})")


# --- parse_tool_request_hand_example


def test_parse_tool_request_hand_example(tools: Any) -> None:
    yours = tools.parse_tool_request(body(tools=[WEATHER]))
    input = "parse_tool_request(get_weather, nothing else)"
    equal(yours.choice.kind, "auto", input=f"{input}.choice.kind")
    equal(str(yours.response_format), "text", input=f"{input}.response_format")
    equal(yours.parallel, True, input=f"{input}.parallel")
    [tool] = yours.tools
    expected = {"name": "get_weather", "description": "now", "parameters": CITY}
    equal(fields_of(tool, tuple(expected)), expected, input=f"{input}.tools[0]")


def test_parse_tool_request_hand_example__no_tools(tools: Any) -> None:
    yours = tools.parse_tool_request(body())
    equal(yours.choice.kind, "none", input="parse_tool_request(no tools).choice.kind")
    equal(list(yours.tools), [], input="parse_tool_request(no tools).tools")


def test_parse_tool_request_hand_example__named(tools: Any) -> None:
    text = body(
        tools=[WEATHER], tool_choice=named("get_weather"), parallel_tool_calls=False
    )
    yours = tools.parse_tool_request(text)
    input = "parse_tool_request(named, parallel off)"
    choice = fields_of(yours.choice, ("kind", "name"))
    equal(choice, {"kind": "named", "name": "get_weather"}, input=f"{input}.choice")
    equal(yours.parallel, False, input=f"{input}.parallel")


def test_parse_tool_request_hand_example__order(tools: Any) -> None:
    text = (
        '{"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function",'
        '"function":{"name":"f","parameters":{"type":"object","properties":'
        '{"zeta":{"type":"null"},"alpha":{"type":"null"}}}}}]}'
    )
    [tool] = tools.parse_tool_request(text).tools
    input = "parse_tool_request(properties zeta, alpha)"
    equal(list(tool.parameters["properties"]), ["zeta", "alpha"], input=input)


def error(
    tools: Any, text: str, status: int, param: str, code: str | None = None
) -> None:
    shown = text if len(text) < 120 else f"{text[:117]}..."
    answers_error(
        lambda: tools.parse_tool_request(text),
        status=status,
        param=param,
        code=code,
        input=f"parse_tool_request({shown!r})",
    )


def test_parse_tool_request_hand_example__malformed(tools: Any) -> None:
    error(tools, "{", 400, "body")
    error(tools, "[]", 400, "body")
    error(tools, '{"stream":true}', 400, "messages")
    error(tools, body(tools={}), 400, "tools")
    error(tools, body(tools=[WEATHER], tool_choice=named("ping")), 400, "tool_choice")
    error(tools, body(tool_choice="required"), 400, "tool_choice")
    error(tools, body(tools=[WEATHER, WEATHER]), 400, "tools[1].function.name")
    error(tools, body(response_format="json_object"), 400, "response_format")
    error(tools, body(temperature="hot"), 400, "temperature")
    both = body(tools=[WEATHER], response_format={"type": "json_object"})
    error(tools, both, 400, "response_format")
    twice = '{"messages":[{"role":"user","content":"hi"}],"tools":[],"tools":[]}'
    error(tools, twice, 400, "tools")


def test_parse_tool_request_hand_example__unsupported(tools: Any) -> None:
    code = "unsupported_parameter"
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "minLength": 1}},
    }
    where = "tools[0].function.parameters.properties.city.minLength"
    error(tools, body(tools=[entry("f", parameters=schema)]), 422, where, code)
    unused = body(tools=[entry("f", parameters=schema)], tool_choice="none")
    error(tools, unused, 422, where, code)
    error(
        tools,
        body(response_format={"type": "json_schema"}),
        422,
        "response_format",
        code,
    )
    error(tools, body(logprobs=True), 422, "logprobs", code)
    error(tools, body(n=2), 422, "n", code)


def test_parse_tool_request_hand_example__message(tools: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "minLength": 1}},
    }
    try:
        tools.parse_tool_request(body(tools=[entry("find", parameters=schema)]))
    except ValueError as caught:
        said = json.loads(caught.to_json())["error"]
        equal(
            sorted(said), ["code", "message", "param", "type"], input="error.to_json()"
        )
        words = [w for w in ("find", "minLength") if w not in said["message"]]
        equal(words, [], input="words that the message of the error lacks")


# --- render_assistant, render_messages and the named test


def past(tools: Any, *calls: tuple[str, str, str]) -> list[Any]:
    return [tools.PastCall(*one) for one in calls]


def test_render_assistant(tools: Any) -> None:
    one = past(tools, ("c1", "get_weather", '{"city":"Paris"}'))
    block = f"<tool_call>{GET_WEATHER}</tool_call>"
    equal(tools.render_assistant("", one), block, input='render_assistant("", [call])')
    input = 'render_assistant("Sure.", [call])'
    equal(tools.render_assistant("Sure.", one), f"Sure.{block}", input=input)
    equal(tools.render_assistant("Hi", []), "Hi", input='render_assistant("Hi", [])')


def test_render_assistant__several(tools: Any) -> None:
    calls = past(tools, ("c1", "ping", "{}"), ("c2", "ping", "{}"))
    input = 'render_assistant("", [ping, ping])'
    equal(tools.render_assistant("", calls), whole(PING, PING), input=input)


def test_render_assistant__bytes(tools: Any) -> None:
    raw = '{ "n":\t"日本", "x": 1.50 }'
    yours = tools.render_assistant("", past(tools, ("c1", "f", raw)))
    expected = f'<tool_call>{{"name":"f","arguments":{raw}}}</tool_call>'
    cause = "The arguments are text: they are not read and written again."
    equal(yours, expected, input=f"render_assistant('', [f with {raw!r}])", cause=cause)


def as_pairs(value: Any) -> Any:
    return [tuple(turn) for turn in value] if isinstance(value, list) else value


CALLED = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "get_weather", "arguments": '{"city":"Paris"}'},
        }
    ],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "clear"}


def test_render_messages(tools: Any) -> None:
    turns = [
        ("user", "hi"),
        ("assistant", whole(GET_WEATHER)),
        ("user", "<tool_response>\nclear\n</tool_response>"),
    ]
    yours = as_pairs(tools.render_messages([USER, CALLED, RESULT], []))
    equal(yours, turns, input="render_messages([user, call, result], [])")


def test_render_messages__tools(tools: Any) -> None:
    given = [tools.Tool("ping", "says pong", NOTHING)]
    system = {"role": "system", "content": "Be brief."}
    yours = as_pairs(tools.render_messages([USER], given))
    input = "render_messages([user], [ping])"
    equal([role for role, _ in yours], ["system", "user"], input=f"roles of {input}")
    described = yours[0][1]
    yours = as_pairs(tools.render_messages([system, USER], given))
    expected = [("system", f"Be brief.\n\n{described}"), ("user", "hi")]
    equal(yours, expected, input="render_messages([system, user], [ping])")
    later = {"role": "developer", "content": "And kind."}
    yours = as_pairs(tools.render_messages([USER, later, system], given))
    expected = [
        ("user", "hi"),
        ("system", f"And kind.\n\n{described}"),
        ("system", "Be brief."),
    ]
    cause = "The description belongs to the first system text, wherever it stands."
    equal(
        yours,
        expected,
        input="render_messages([user, developer, system], [ping])",
        cause=cause,
    )


def messages_refused(tools: Any, messages: list[Any], status: int, param: str) -> None:
    answers_error(
        lambda: tools.render_messages(messages, []),
        status=status,
        param=param,
        input=f"render_messages({json.dumps(messages)[:120]}, [])",
    )


def test_render_messages__refused(tools: Any) -> None:
    messages_refused(
        tools, [USER, {"role": "bot", "content": ""}], 400, "messages[1].role"
    )
    messages_refused(tools, [{"role": "user"}], 400, "messages[0].content")
    messages_refused(tools, [RESULT], 400, "messages[0].tool_call_id")
    messages_refused(tools, [RESULT, CALLED], 400, "messages[0].tool_call_id")


def test_render_messages_with_tools(tools: Any) -> None:
    given = [tools.Tool("get_weather", "The weather now.", CITY)]
    turns = as_pairs(tools.render_messages([USER, CALLED, RESULT], given))
    input = "render_messages([user, call, result], [get_weather])"
    roles = ["system", "user", "assistant", "user"]
    equal([role for role, _ in turns], roles, input=f"roles of {input}")
    told = turns[0][1]
    words = ["get_weather", "The weather now.", '"city"', "<tool_call>"]
    lacking = [word for word in words if word not in told]
    equal(lacking, [], input="words that the system message lacks")
    equal(turns[2][1], whole(GET_WEATHER), input=f"{input}[2]")


def test_render_messages_with_tools__template(tools: Any) -> None:
    from ol.needs.L10_5 import Template

    yours = tools.render_prompt(Template(), [USER, CALLED, RESULT], [], "", "")
    expected = (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by "
        "Hugging Face<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"
        "<|im_start|>assistant\n"
        f"{whole(GET_WEATHER)}<|im_end|>\n<|im_start|>user\n<tool_response>\nclear\n"
        "</tool_response><|im_end|>\n<|im_start|>assistant\n"
    )
    equal(yours, expected, input="render_prompt(ChatML, [user, call, result], [])")


def test_render_messages_with_tools__arguments(tools: Any) -> None:
    function = {"name": "mk", "arguments": '{"n": "日本"}'}
    past = {"id": "c1", "type": "function", "function": function}
    message = {"role": "assistant", "content": "", "tool_calls": [past]}
    [(_, text)] = as_pairs(tools.render_messages([message], []))
    expected = '<tool_call>{"name":"mk","arguments":{"n": "日本"}}</tool_call>'
    cause = "Arguments in the history stay byte for byte what the model wrote."
    equal(text, expected, input="render_messages([a call with 日本], [])", cause=cause)
    broken = {**past, "function": {**function, "arguments": '{"n":'}}
    where = "messages[0].tool_calls[0].function.arguments"
    messages_refused(tools, [{**message, "tool_calls": [broken]}], 400, where)


# --- vocab_bytes and its named test


class Tokenizer:
    """Four tokens; unless others are given, the last two are special."""

    vocab_size = 4

    def __init__(self, *tokens: bytes) -> None:
        self._tokens = tokens or (b"a", "é".encode(), b"<|im_end|>", b"</s>")

    def token_bytes(self, token_id: int) -> bytes:
        return self._tokens[token_id]


def test_vocab_bytes(tools: Any) -> None:
    yours = tools.vocab_bytes(Tokenizer(), [2, 3])
    expected = [b"a", "é".encode(), None, None]
    equal(
        yours, expected, input="vocab_bytes(a, é, <|im_end|>, </s>; specials 2 and 3)"
    )
    yours = tools.vocab_bytes(Tokenizer(b"<s>", b"a", b"b", b"c"), [0])
    expected = [None, b"a", b"b", b"c"]
    equal(yours, expected, input="vocab_bytes(<s>, a, b, c; special 0)")


def test_vocab_bytes_marks_specials(tools: Any) -> None:
    for specials in ([], [0], [3, 1], [0, 1, 2, 3]):
        yours = tools.vocab_bytes(Tokenizer(), specials)
        texts = [b"a", "é".encode(), b"<|im_end|>", b"</s>"]
        expected = [None if id in specials else text for id, text in enumerate(texts)]
        cause = "Chat markers must have no bytes, or a string could hold their text."
        equal(yours, expected, input=f"vocab_bytes(tokenizer, {specials})", cause=cause)


def test_vocab_bytes_marks_specials__half_a_character(tools: Any) -> None:
    halves = Tokenizer(b"\xc3", b"\xa9", b"a", b"b")
    yours = tools.vocab_bytes(halves, [])
    cause = "A token may hold half a character: its bytes are no text by themselves."
    input = "vocab_bytes(the two bytes of é as two tokens, a, b; no specials)"
    equal(yours, [b"\xc3", b"\xa9", b"a", b"b"], input=input, cause=cause)
