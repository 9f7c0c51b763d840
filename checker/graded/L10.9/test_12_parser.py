"""Judges notebook 12: holding back, the header, the end of the arguments, the events.

Expected values are written by hand (chapter L10.9, sections 2.5 and 3). The parser is
judged by what it says, not by how often: fragments that follow each other are joined.
After every piece the content and the arguments so far have to be beginnings of the
right ones, so a failure names the piece at which the stream went wrong.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ol.expect import accepts, equal, fail
from ol.failure import Failure

OPENER = "<tool_call>"


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


# --- hold_back


def judge_held(tools: Any, text: str, marker: str, expected: int) -> None:
    def cause(yours: Any) -> str:
        if type(yours) is not int:
            return ""
        if yours == len(marker) and text.endswith(marker):
            return "That is the whole marker; asked for is less: what may begin one."
        if yours and text[-yours:] == marker[:yours]:
            held = text[-expected:]
            return f"{held!r} may begin {marker!r}, too, and is longer: the longest."
        if yours < expected:
            return f"{text!r} ends with {marker[:expected]!r}, which begins {marker!r}."
        return f"{text!r} does not end with the first {yours} characters of {marker!r}."

    input = f"hold_back({text!r}, {marker!r})"
    equal(tools.hold_back(text, marker), expected, input=input, cause=cause)


def test_hold_back(tools: Any) -> None:
    judge_held(tools, "Sure.<tool_", OPENER, 6)


def test_hold_back__nothing(tools: Any) -> None:
    for text in ("", "Sure.", "a<b", "<tool_box", "tool_call>", "<tool_ "):
        judge_held(tools, text, OPENER, 0)


def test_hold_back__from_one_character_to_all_but_one(tools: Any) -> None:
    judge_held(tools, "a<", OPENER, 1)
    judge_held(tools, "<tool_call", OPENER, 10)
    judge_held(tools, "<tool_<to", OPENER, 3)
    judge_held(tools, "<", "<<call>>", 1)


def test_hold_back__the_longest(tools: Any) -> None:
    judge_held(tools, "aaa", "aab", 2)
    judge_held(tools, "a<<", "<<call>>", 2)
    judge_held(tools, "ababa", "ababb", 3)


def test_hold_back__less_than_the_marker(tools: Any) -> None:
    judge_held(tools, "aaaa", "aa", 1)


# --- header_pattern


def judge_header(constrain: Any, tools: Any, rule: str, **lists: list[str]) -> None:
    pattern = tools.header_pattern()
    dfa = constrain.regex_to_dfa(pattern)
    accepts(dfa, **lists, input="regex_to_dfa(header_pattern())", cause=rule)


def test_header_pattern(constrain: Any, tools: Any) -> None:
    rule = "The keys, colons and the comma are as in JSON; the last `{` belongs to it."
    yes = ['{"name":"get_weather","arguments":{', '{"name":"f","arguments":{']
    no = [
        "",
        '{"name":"f","arguments":',
        '{"name":"f","arguments":{}',
        '{"name":"f","arguments":[',
        '{"arguments":{',
        '{"name":"f""arguments":{',
        '{"name" "f","arguments":{',
        'x{"name":"f","arguments":{',
    ]
    judge_header(constrain, tools, rule, yes=yes, no=no)


def test_header_pattern__names(constrain: Any, tools: Any) -> None:
    def header(name: str) -> str:
        return f'{{"name":"{name}","arguments":{{'

    rule = "A name is 1 to 64 letters, digits, `_` and `-`."
    yes = [header(name) for name in ("a", "Z9", "_", "-", "get-user_2", "x" * 64)]
    bad = ("", "x" * 65, "a b", "a.b", "é", " a", "a ", r"a\u0062", "a^b", "a[b")
    judge_header(constrain, tools, rule, yes=yes, no=[header(name) for name in bad])


def test_header_pattern__white_space(constrain: Any, tools: Any) -> None:
    rule = "White space (blank, tab, LF, CR) may stand before each part, never in one."
    yes = [
        '\n{\n  "name" : "f" ,\n  "arguments" : {',
        '\t\r\n {"name":"f",   "arguments":\n\n{',
        '{ "name":"f","arguments":{',
        '{"name":"f" ,"arguments":{',
    ]
    no = [
        '{"na me":"f","arguments":{',
        '{"name":"f","arguments ":{',
        '{"name":"f","arguments":{ ',
        '\v{"name":"f","arguments":{',
        '\u00a0{"name":"f","arguments":{',
    ]
    judge_header(constrain, tools, rule, yes=yes, no=no)


# --- follow


AB_STAR_C: list[dict[str, int]] = [{"a": 1}, {"b": 1, "c": 2}, {}]  # ab*c


def judge_follow(
    tools: Any, state: int, text: str, start: int, expected: tuple[int, int]
) -> None:
    def cause(yours: Any) -> str:
        mine_state, mine_at = yours
        if (mine_state, mine_at) == (expected[0], expected[1] - 1):
            return "The position is behind the last character that was read."
        if mine_state == expected[0]:
            return "The state is right, the position is not where it stops."
        if expected[0] == 2:
            return "It accepts at `c`: stop there, whatever follows."
        if expected[0] == -1:
            return "No edge: the state is DEAD, and nothing leads back from it."
        return "It walks from the given state, and from the given position, on."

    machine = tools.Machine([dict(row) for row in AB_STAR_C], [False, False, True])
    yours = tools.follow(machine, state, text, start)
    input = f"follow(machine_of('ab*c'), {state}, {text!r}, {start})"
    equal(yours, expected, input=input, cause=cause)


def test_follow(tools: Any) -> None:
    judge_follow(tools, 0, "abbc", 0, (2, 4))


def test_follow__the_text_ends(tools: Any) -> None:
    judge_follow(tools, 0, "abb", 0, (1, 3))
    judge_follow(tools, 0, "", 0, (0, 0))


def test_follow__no_edge(tools: Any) -> None:
    moves = [{"a": 1, "b": 2}, {}, {"c": 1}]  # a|bc; its last state does not accept
    for text, stop in (("xa", 1), ("bab", 2), ("bb", 2)):
        machine = tools.Machine([dict(row) for row in moves], [False, True, False])
        yours = tools.follow(machine, 0, text, 0)
        cause = "No edge: the state is DEAD (-1), and the walk stops there."
        input = f"follow(machine_of('a|bc'), 0, {text!r}, 0)"
        equal(yours, (-1, stop), input=input, cause=cause)


def test_follow__goes_on_from_a_state(tools: Any) -> None:
    judge_follow(tools, 1, "bbc", 0, (2, 3))
    judge_follow(tools, 1, "xxbb", 2, (1, 4))
    judge_follow(tools, 1, "xx", 2, (1, 2))


def test_follow__stops_when_it_accepts(tools: Any) -> None:
    judge_follow(tools, 0, "abcabc", 0, (2, 3))
    judge_follow(tools, 0, "abcabc", 3, (2, 6))


def test_follow__stops_when_it_dies(tools: Any) -> None:
    judge_follow(tools, 0, "abxbc", 0, (-1, 3))
    judge_follow(tools, 0, "xabc", 0, (-1, 1))
    judge_follow(tools, 0, "é", 0, (-1, 1))


# --- argument_end


def judge_end(
    tools: Any,
    text: str,
    expected: tuple[int, tuple[Any, ...]],
    start: int = 0,
    place: tuple[Any, ...] = (0, False, False),
    cause: str = "",
) -> None:
    end, after = tools.argument_end(text, start, tools.Place(*place))
    input = f"argument_end({text!r}, {start}, Place{place!r})"
    mine = (end, (after.depth, bool(after.in_string), bool(after.escaped)))
    if after.depth == 0:  # the arguments are over: the flags say nothing any more
        mine = (end, (0, False, False))
    equal(mine, expected, input=input, cause=cause)


OVER = (0, False, False)


def test_argument_end(tools: Any) -> None:
    judge_end(tools, "{}", (2, OVER))
    judge_end(tools, '{"a":1}', (7, OVER))
    behind = "The position is behind the brace; what follows is none of its business."
    judge_end(tools, "{}}</tool_call>", (2, OVER), cause=behind)


def test_argument_end__nested(tools: Any) -> None:
    first = "The first closing brace closes the inner object: count them."
    judge_end(tools, '{"a":{"b":{}}}}', (14, OVER), cause=first)
    square = "Square brackets are not counted, only braces."
    judge_end(tools, '{"a":[[}', (8, OVER), cause=square)


def test_argument_end__braces_in_strings(tools: Any) -> None:
    text = "A brace inside a string is text; it does not count."
    judge_end(tools, '{"t":"a}b{"}', (12, OVER), cause=text)
    judge_end(tools, '{"}":{}}', (8, OVER), cause=text)
    judge_end(tools, '{"t":"}}}</tool_call>"}', (23, OVER), cause=text)


def test_argument_end__escapes(tools: Any) -> None:
    quote = "The quote behind a backslash does not end the string."
    judge_end(tools, r'{"s":"\"}"}', (11, OVER), cause=quote)
    slash = "The second backslash is escaped by the first: the quote ends the string."
    judge_end(tools, r'{"s":"\\"}x"}', (10, OVER), cause=slash)


def test_argument_end__the_text_ends(tools: Any) -> None:
    judge_end(tools, '{"a":{', (6, (2, False, False)))
    judge_end(tools, '{"a":"Pa', (8, (1, True, False)))
    last = "A backslash is the last character: the next one, in the next piece, counts "
    last += "no more. `escaped` says so."
    judge_end(tools, '{"a":"\\', (7, (1, True, True)), cause=last)
    pair = "The last backslash is escaped by the one before: nothing is pending."
    judge_end(tools, '{"a":"\\\\', (8, (1, True, False)), cause=pair)


def test_argument_end__goes_on(tools: Any) -> None:
    judge_end(tools, 'ris"}}', (5, OVER), place=(1, True, False))
    judge_end(tools, "}}", (2, OVER), place=(2, False, False))
    pending = "The place says `escaped`: the first character here does not count."
    judge_end(tools, '"}"}', (4, OVER), place=(1, True, True), cause=pending)
    judge_end(tools, "\\", (1, (1, True, False)), place=(1, True, True), cause=pending)
    judge_end(tools, '"', (1, (1, True, False)), place=(1, True, True), cause=pending)


def test_argument_end__from_a_position(tools: Any) -> None:
    before = "What stands before the start has been read already."
    judge_end(tools, '{{"{}', (5, OVER), start=3, cause=before)
    judge_end(tools, '"{"a"}', (6, OVER), start=1, cause=before)


# --- collect


def own(tools: Any, events: Sequence[Any]) -> list[Any]:
    """Return events written by hand as the implementation's own."""
    return [getattr(tools, type(event).__name__)(*fields(event)) for event in events]


def fields(event: Any) -> list[Any]:
    return list(vars(event).values())


def judge_collect(
    tools: Any,
    events: list[Any],
    content: str | None,
    calls: list[ToolCall],
    cause: Any = "",
) -> None:
    yours = tools.collect(own(tools, events))
    equal(yours, (content, calls), input=f"collect({events})", cause=cause)


def test_collect(tools: Any) -> None:
    events = [CallStart(0, "c", "f"), Arguments(0, "{}")]
    judge_collect(tools, events, None, [ToolCall("c", "f", "{}")], empty_content)


def empty_content(yours: Any) -> str:
    if yours[0] == "":
        return "No content is None, not the empty string."
    return ""


def test_collect__content(tools: Any) -> None:
    events = [Content("Sure"), Content(".")]
    judge_collect(tools, events, "Sure.", [])
    judge_collect(tools, [], None, [], empty_content)


def test_collect__fragments_are_joined(tools: Any) -> None:
    def cause(yours: Any) -> str:
        mine = yours[1][0].arguments
        if mine in ('{"city":"Pa', 'ris"}'):
            return "Only one of the two fragments is there: add each to what came."
        return ""

    start = CallStart(0, "c", "f")
    events = [Content("A"), start, Arguments(0, '{"city":"Pa')]
    events += [Arguments(0, 'ris"}'), Content("B")]
    calls = [ToolCall("c", "f", '{"city":"Paris"}')]
    judge_collect(tools, events, "AB", calls, cause)


def test_collect__two_calls(tools: Any) -> None:
    events = [
        CallStart(0, "c0", "f"),
        Arguments(0, '{"a":'),
        Arguments(0, "1}"),
        CallStart(1, "c1", "f"),
        Arguments(1, "{}"),
    ]
    calls = [ToolCall("c0", "f", '{"a":1}'), ToolCall("c1", "f", "{}")]
    judge_collect(tools, events, None, calls)


def test_collect__fragments_go_by_index(tools: Any) -> None:
    events = [
        CallStart(0, "c0", "f"),
        CallStart(1, "c1", "g"),
        Arguments(0, "{"),
        Arguments(1, '{"b"'),
        Arguments(0, "}"),
        Arguments(1, ":2}"),
    ]
    calls = [ToolCall("c0", "f", "{}"), ToolCall("c1", "g", '{"b":2}')]
    index = "A fragment belongs to the call of its index, wherever it stands."
    judge_collect(tools, events, None, calls, index)


def test_collect__arguments_stay_text(tools: Any) -> None:
    events = [CallStart(0, "c", "f"), Arguments(0, '{ "a": 1.0,')]
    stays = "Arguments are the model's text as it came, cut or not: never parsed."
    judge_collect(tools, events, None, [ToolCall("c", "f", '{ "a": 1.0,')], stays)


# --- message_json and delta_json


def parsed(text: Any, input: str) -> Any:
    """Return the JSON text of an answer as data; what is none is a failure."""
    if not isinstance(text, str):
        fail(
            Failure(
                input=input,
                yours=f"a {type(text).__name__}",
                expected="JSON text (str)",
                cause="The function returns text, not the object behind it.",
            )
        )
    try:
        return json.loads(text)
    except ValueError as error:
        fail(
            Failure(
                input=input,
                yours=text[:300],
                expected="JSON text",
                cause=f"json.loads cannot read it: {error}.",
            )
        )


def in_order(value: Any) -> Any:
    """Sort the keys of all objects: their order is free."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(item) for item in value] if isinstance(value, list) else value


def judge_json(text: Any, expected: Any, *, input: str, cause: Any = "") -> None:
    mine = parsed(text, input)
    wanted = in_order(expected)
    equal(in_order(mine), wanted, input=f"json.loads({input})", cause=cause)
    compact = json.dumps(mine, ensure_ascii=False, separators=(",", ":"))
    loose = "It is to be compact JSON, as json_dumps writes it: no spaces, é as é."
    equal(text, compact, input=input, cause=loose)


def call_object(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def judge_message(tools: Any, content: str | None, calls: list[ToolCall]) -> None:
    expected: dict[str, Any] = {"role": "assistant", "content": content}
    if calls:
        expected["tool_calls"] = [call_object(call) for call in calls]

    def cause(yours: Any) -> str:
        if calls and content is None and yours.get("content") == "":
            return (
                'content is "" beside tool_calls: clients take the turn for text. '
                "It has to be null."
            )
        if not calls and content == "" and yours.get("content") is None:
            return "An empty text becomes null only beside calls."
        if not calls and "tool_calls" in yours:
            return "An answer without calls has no tool_calls, not even an empty list."
        for mine in yours.get("tool_calls", ()):
            if not isinstance(mine.get("function", {}).get("arguments"), str):
                return "arguments is a string that holds JSON, not the object."
            if "index" in mine:
                return "index belongs to the deltas of a stream, not to a message."
            if mine.get("type") != "function":
                return 'Each call has "type": "function".'
        return ""

    own_calls = [tools.ToolCall(*fields(call)) for call in calls]
    input = f"message_json({content!r}, {calls})"
    text = tools.message_json(content, own_calls)
    judge_json(text, expected, input=input, cause=cause)


PARIS = ToolCall("call_req7_0", "get_weather", '{"city":"Paris"}')


def test_message_json(tools: Any) -> None:
    judge_message(tools, "Hi", [])
    judge_message(tools, "", [])


def test_message_json__a_call(tools: Any) -> None:
    judge_message(tools, "Sure.", [PARIS])


def test_message_json__null_beside_calls(tools: Any) -> None:
    judge_message(tools, None, [PARIS])
    input = f"message_json('', [{PARIS}])"
    mine = parsed(tools.message_json("", [tools.ToolCall(*fields(PARIS))]), input)
    null = "An empty content beside calls is null, too."
    equal(mine.get("content"), None, input=f"{input}: content", cause=null)


def test_message_json__several_calls(tools: Any) -> None:
    second = ToolCall("call_req7_1", "get_time", "{}")
    judge_message(tools, None, [PARIS, second])


def test_message_json__text_of_all_kinds(tools: Any) -> None:
    odd = ToolCall("c", "f", '{ "q": "\\"é\\u4e2d\\"",\n"n": 1.0')
    judge_message(tools, 'He said "no"\\\n\t\u2028 Łódź', [odd])


def judge_delta(tools: Any, event: Any, expected: Any) -> None:
    def cause(yours: Any) -> str:
        calls = yours.get("tool_calls")
        if isinstance(event, Content):
            return "" if calls is None else "Content is no call: {'content': …} alone."
        if not isinstance(calls, list):
            return "tool_calls is a list, here of one."
        function = calls[0].get("function", {})
        if "index" not in calls[0]:
            return "Every entry has the index of its call: clients put them together."
        if "id" in function:
            return "id stands beside function, not in it."
        if isinstance(event, Arguments) and ("id" in calls[0] or "name" in function):
            return (
                "id, type and name come once per call: clients join repeated strings."
            )
        if isinstance(event, CallStart) and function.get("arguments") != "":
            return 'A start has "arguments": "", to which fragments are added.'
        if "content" in yours:
            return "What an event does not say is left out, not null."
        return ""

    input = f"delta_json({event})"
    (mine,) = own(tools, [event])
    text = tools.delta_json(mine)
    judge_json(text, expected, input=input, cause=cause)


def judge_start(tools: Any) -> None:
    function = {"name": "get_weather", "arguments": ""}
    call = {"index": 1, "id": "call_req7_1", "type": "function", "function": function}
    start = CallStart(1, "call_req7_1", "get_weather")
    judge_delta(tools, start, {"tool_calls": [call]})


def judge_fragment(tools: Any) -> None:
    for fragment in ('{"city":"Pa', '\\"é\n'):
        call = {"index": 2, "function": {"arguments": fragment}}
        judge_delta(tools, Arguments(2, fragment), {"tool_calls": [call]})


def test_delta_json(tools: Any) -> None:
    judge_delta(tools, Content('Sure. "é"\n'), {"content": 'Sure. "é"\n'})


def test_delta_json__start(tools: Any) -> None:
    judge_start(tools)


def test_delta_json__fragment(tools: Any) -> None:
    judge_fragment(tools)


# --- the stream, piece by piece


Wanted = tuple[str, list[tuple[str, str]]]  # content, and (name, arguments) per call


def joined(events: Sequence[Any]) -> list[Any]:
    """Return events with neighbours of one kind and index joined, none empty."""
    result: list[Any] = []
    for event in events:
        kind = type(event).__name__
        if kind == "Content" and event.text:
            if result and isinstance(result[-1], Content):
                result[-1] = Content(result[-1].text + event.text)
            else:
                result.append(Content(event.text))
        elif kind == "Arguments" and event.fragment:
            last = result[-1] if result else None
            if isinstance(last, Arguments) and last.index == event.index:
                fragment = last.fragment + event.fragment
                result[-1] = Arguments(event.index, fragment)
            else:
                result.append(Arguments(event.index, event.fragment))
        elif kind not in ("Content", "Arguments"):
            result.append(event)
    return result


def shown(pieces: Sequence[str | bytes], number: int) -> str:
    """Return the call that went wrong, and what was pushed before it."""
    call = "finish()" if number > len(pieces) else f"push({pieces[number - 1]!r})"
    before = [repr(piece) for piece in pieces[: number - 1]]
    if len(before) > 6:
        before = [*before[:2], f"… {len(before) - 5} more …", *before[-3:]]
    after = f" after {', '.join(before)}" if before else ""
    return f"ToolParser('req7'), piece {number}: {call}{after}"


def judge_stream(tools: Any, pieces: Sequence[str | bytes], wanted: Wanted) -> None:
    """Push the pieces; at the first that says something wrong, fail and say which."""
    content, calls = wanted
    parser = tools.ToolParser("req7")
    said, starts, arguments = "", list[Any](), dict[int, str]()
    everything: list[Any] = []
    for number, piece in enumerate([*pieces, None], 1):
        events = list(parser.finish() if piece is None else parser.push(piece))
        everything += events
        for event in events:
            match type(event).__name__:
                case "Content":
                    said += event.text
                case "CallStart":
                    starts.append(event)
                case "Arguments":
                    more = arguments.get(event.index, "") + event.fragment
                    arguments[event.index] = more
        input = shown(pieces, number)
        check_content(said, wanted, arguments, input, last=piece is None)
        check_starts(starts, calls, input, last=piece is None)
        check_arguments(arguments, calls, input, last=piece is None)
    ids = [f"call_req7_{index}" for index in range(len(calls))]
    folded = [ToolCall(id, *call) for id, call in zip(ids, calls, strict=True)]
    input = f"collect(all events of {list(pieces)!r})"
    equal(tools.collect(everything), (content or None, folded), input=input)


def check_content(
    said: str, wanted: Wanted, arguments: dict[int, str], input: str, *, last: bool
) -> None:
    content, calls = wanted
    if said == content if last else content.startswith(said):
        return
    rests = [
        (arguments.get(index, ""), right[len(arguments.get(index, "")) :])
        for index, (_, right) in enumerate(calls)
    ]
    so_far = "" if last else ", or a beginning of it"
    fail(
        Failure(
            input=input,
            yours=f"content so far {said!r}",
            expected=f"{content!r}{so_far}",
            cause=content_cause(said, content, rests),
        )
    )


def content_cause(said: str, content: str, rests: list[tuple[str, str]]) -> str:
    """Say what went wrong; `rests` are arguments so far and what they still lack."""
    surplus = said[common(said, content) :]
    if not surplus:
        return (
            f"{content[len(said) :]!r} is missing: what was held back and never became "
            "a call is content, and finish() has to say it."
        )
    for mine, rest in rests:
        if mine and rest and surplus.startswith(rest[:8]):
            if '"' in re.sub(r'"(?:[^"\\]|\\.)*"', "", mine):
                return "The arguments ended inside a string: quoted text ends nothing."
            return "The arguments ended before the brace that closes them."
    if OPENER in surplus:
        return "An opener is taken for text; it may have come in several pieces."
    if surplus.startswith("<") and OPENER.startswith(surplus):
        return (
            f"{surplus!r} is shown, but it may begin {OPENER}: hold it back until the "
            "next piece decides."
        )
    if surplus.lstrip(" \t\n\r}").startswith("</tool_call>") or surplus == "}":
        return "The tail of a call, `}</tool_call>`, is markup, not content."
    if not surplus.strip():
        return "White space between two calls, or behind the last, is markup."
    if "\ufffd" in surplus and "\ufffd" not in content:
        return "A character was cut in two and its halves were decoded alone."
    return ""


def check_starts(starts: list[Any], calls: Any, input: str, *, last: bool) -> None:
    expected = [
        CallStart(index, f"call_req7_{index}", name)
        for index, (name, _) in enumerate(calls)
    ]
    cause = ""
    if len(starts) < len(calls):
        cause = "A call has not started although its header was complete."
    elif len(starts) > len(calls):
        cause = "This text holds fewer calls: a header has to be whole and right."
    upto = expected if last else expected[: len(starts)]
    equal(starts, upto, input=f"{input}: the calls that have started", cause=cause)


def check_arguments(
    arguments: dict[int, str], calls: Any, input: str, *, last: bool
) -> None:
    for index, (_, right) in enumerate(calls):
        mine = arguments.get(index, "")
        if mine == right if last else right.startswith(mine):
            continue
        at = common(mine, right)
        if mine.startswith(right):
            cause = "The arguments go on behind the brace that closes them."
        elif at == len(mine):
            cause = (
                f"The arguments are incomplete: {right[at:]!r} is missing. Each piece "
                "inside the arguments is passed on, not only the first."
            )
        elif "\ufffd" in mine and "\ufffd" not in right:
            cause = "A character was cut in two and its halves were decoded alone."
        elif mine[at:] and mine[at:] in right[at:]:
            lost = right[at : right.index(mine[at:], at)]
            cause = f"A fragment was dropped: {lost!r} is missing before {mine[at:]!r}."
        else:
            cause = "Arguments are the model's text as it came, not written anew."
        so_far = "" if last else ", or a beginning of it"
        fail(
            Failure(
                input=input,
                yours=f"arguments of call {index} so far: {mine!r}",
                expected=f"{right!r}{so_far}",
                cause=cause,
            )
        )


def common(mine: str, right: str) -> int:
    """Return how many characters two texts begin with in common."""
    for at, (a, b) in enumerate(zip(mine, right, strict=False)):
        if a != b:
            return at
    return min(len(mine), len(right))


# --- the chapter's worked example


HAND = [
    "Sure.<tool_",
    'call>{"name":"get_weather","argu',
    'ments":{"city":"Pa',
    'ris"}}</tool_call>',
]
HAND_EVENTS: list[list[Any]] = [
    [Content("Sure.")],
    [],
    [CallStart(0, "call_req7_0", "get_weather"), Arguments(0, '{"city":"Pa')],
    [Arguments(0, 'ris"}')],
    [],
]


def test_parser_hand_example(tools: Any) -> None:
    judge_stream(tools, HAND, ("Sure.", [("get_weather", '{"city":"Paris"}')]))


def test_parser_hand_example__fragment_by_fragment(tools: Any) -> None:
    parser = tools.ToolParser("req7")
    for number, expected in enumerate(HAND_EVENTS, 1):
        last = number > len(HAND)
        yours = parser.finish() if last else parser.push(HAND[number - 1])
        late = "What is certain is said at once, not with a later piece."
        equal(joined(yours), expected, input=shown(HAND, number), cause=late)


def call(name: str = "f", arguments: str = "{}") -> str:
    return f'<tool_call>{{"name":"{name}","arguments":{arguments}}}</tool_call>'


def test_parser_holds_back_only_real_markup(tools: Any) -> None:
    for pieces in (["a<b"], ["a<", "b"], ["1 < 2 <", "t 3"], ["<tool_", "box>"]):
        judge_stream(tools, pieces, ("".join(pieces), []))


def test_parser_holds_back_only_real_markup__cut_openers(tools: Any) -> None:
    start = OPENER
    for at in range(1, len(start)):
        pieces = [f"Hm.{start[:at]}", f"{start[at:]}{call()[len(start) :]}"]
        judge_stream(tools, pieces, ("Hm.", [("f", "{}")]))
    pieces = ["Hm.<<tool_", "<to", "ol_call>" + call()[len(start) :]]
    judge_stream(tools, pieces, ("Hm.<<tool_", [("f", "{}")]))


def test_parser_holds_back_only_real_markup__said_at_once(tools: Any) -> None:
    parser = tools.ToolParser("req7")
    equal(
        joined(parser.push("Sure: <tool_box> a<b ")),
        [Content("Sure: <tool_box> a<b ")],
        input="ToolParser('req7').push('Sure: <tool_box> a<b ')",
        cause="Nothing here can become markup any more, so nothing waits.",
    )


def test_parser_holds_back_only_real_markup__at_the_end(tools: Any) -> None:
    for text in ("done <tool", "<", "<tool_call"):
        judge_stream(tools, [text], (text, []))


def test_parser_holds_back_only_real_markup__an_opener_without_a_header(
    tools: Any,
) -> None:
    for text in (
        "<tool_call>",
        "<tool_call>hello</tool_call>",
        '<tool_call>{"x":[1,2]}</tool_call>',
        '<tool_call>{"name":"f"}</tool_call>',
        '<tool_call>{"name":"f","argum',
        '<tool_call>{"name":"f","arguments":"{}"}</tool_call>',
        '<tool_call>{"name":"f","arguments":[]}</tool_call>',
        '<tool_call>{"name":"a b","arguments":{}}</tool_call>',
        '<tool_call>{"arguments":{},"name":"f"}</tool_call>',
    ):
        judge_stream(tools, [text], (text, []))
        judge_stream(tools, [text[:15], text[15:]], (text, []))


def test_parser_holds_back_only_real_markup__goes_on_behind_it(tools: Any) -> None:
    text = f"<tool_call>no<tool_call>{call()} and {call('g')}"
    wanted = ("<tool_call>no<tool_call> and ", [("f", "{}"), ("g", "{}")])
    judge_stream(tools, [text], wanted)
    judge_stream(tools, list(text), wanted)


def test_parser_parallel_calls(tools: Any) -> None:
    pieces = [call("a", '{"x":1}'), "\n", call("b", '{"y":2}')]
    wanted = ("", [("a", '{"x":1}'), ("b", '{"y":2}')])
    judge_stream(tools, pieces, wanted)
    judge_stream(tools, ["".join(pieces)], wanted)


def test_parser_parallel_calls__the_same_name_twice(tools: Any) -> None:
    text = f"Both.{call('f')}\n{call('f')}\n{call('f')}"
    judge_stream(tools, [text], ("Both.", [("f", "{}")] * 3))


def test_parser_parallel_calls__white_space(tools: Any) -> None:
    two = [("a", "{}"), ("b", "{}")]
    judge_stream(tools, [f"{call('a')}{call('b')}"], ("", two))
    judge_stream(tools, [f"{call('a')} \n\t\r\n {call('b')} \n"], ("", two))
    judge_stream(tools, [f"One \n{call('a')}\nand {call('b')}"], ("One \n\nand ", two))
    judge_stream(tools, [call("a"), "\n", "<tool_", "x"], ("\n<tool_x", two[:1]))


def test_parser_parallel_calls__behind_the_arguments(tools: Any) -> None:
    text = '<tool_call>{"name":"a","arguments":{}\n} \n</tool_call>'
    judge_stream(tools, [text], ("", [("a", "{}")]))
    keeps = '<tool_call>{"name":"a","arguments":{}}, "x":1}</tool_call>'
    wanted = ('}, "x":1}</tool_call>', [("a", "{}")])
    judge_stream(tools, [keeps], wanted)
    judge_stream(tools, list(keeps), wanted)


# --- wherever the text is cut


TRICKY = '{"t":"</tool_call> }{ \\" <tool_call> \\\\","ł":{"n":[{}]}}'
LODZ = '{"city":"Łódź"}'
PRETTY = '<tool_call>\n{\n  "name" : "note" ,\n  "arguments" : {\n  }\n}\n</tool_call>'
CUT = '<tool_call>{"name":"f","arguments":{"a":"<tool_call>'
TEXTS: list[tuple[str, Wanted]] = [
    ("".join(HAND), ("Sure.", [("get_weather", '{"city":"Paris"}')])),
    (f"é{call('say', TRICKY)}", ("é", [("say", TRICKY)])),
    (
        f"{call('a', LODZ)}\n{call('b')} \n",
        ("", [("a", LODZ), ("b", "{}")]),
    ),
    (f"{PRETTY} ok <tool_", (" ok <tool_", [("note", "{\n  }")])),
    ('a<b <tool_call>{"x":1}', ('a<b <tool_call>{"x":1}', [])),
    (f"𝄞{CUT}", ("𝄞", [("f", '{"a":"<tool_call>')])),
]


def random_cuts(text: str | bytes, rng: random.Random) -> Iterator[str | bytes]:
    at = 0
    longest = rng.choice((1, 3, 12, 40))
    while at < len(text):
        end = at + rng.randint(1, longest)
        yield text[at:end]
        at = end


def test_parser_is_split_invariant(tools: Any) -> None:
    for text, wanted in TEXTS:
        judge_stream(tools, [text], wanted)


def test_parser_is_split_invariant__every_cut_in_two(tools: Any) -> None:
    for text, wanted in TEXTS:
        for at in range(len(text) + 1):
            judge_stream(tools, [text[:at], text[at:]], wanted)


def test_parser_is_split_invariant__one_by_one(tools: Any) -> None:
    for text, wanted in TEXTS:
        judge_stream(tools, list(text), wanted)


def test_parser_is_split_invariant__inside_a_character(tools: Any) -> None:
    for text, wanted in TEXTS:
        data = text.encode()
        for at in range(len(data) + 1):
            judge_stream(tools, [data[:at], data[at:]], wanted)


def test_parser_is_split_invariant__at_random(tools: Any) -> None:
    for seed in range(200):
        rng = random.Random(seed)
        text, wanted = TEXTS[seed % len(TEXTS)]
        source = text.encode() if rng.random() < 0.5 else text
        judge_stream(tools, list(random_cuts(source, rng)), wanted)


def test_parser_is_split_invariant__bytes_that_are_no_utf8(tools: Any) -> None:
    judge_stream(tools, [b"a\xff", b"b\xc3"], ("a\ufffdb\ufffd", []))
    judge_stream(tools, [b"\xe2", b"\x82", b"\xac<", b"\xe2"], ("€<\ufffd", []))


# --- what goes over the wire


def test_message_and_delta_json_shapes(tools: Any) -> None:
    judge_message(tools, None, [PARIS])
    judge_message(tools, "Sure.", [PARIS])


def test_message_and_delta_json_shapes__without_calls(tools: Any) -> None:
    judge_message(tools, "Hi", [])


def test_message_and_delta_json_shapes__deltas(tools: Any) -> None:
    judge_delta(tools, Content("Sure."), {"content": "Sure."})
    judge_start(tools)
    judge_fragment(tools)


def test_message_and_delta_json_shapes__finish_reason(tools: Any) -> None:
    for calls, engine, expected in (
        (0, "stop", "stop"),
        (1, "stop", "tool_calls"),
        (2, "stop", "tool_calls"),
        (0, "length", "length"),
        (1, "length", "length"),
    ):
        input = f"finish_reason({calls}, {engine!r})"
        equal(tools.finish_reason(calls, engine), expected, input=input)


def test_message_and_delta_json_shapes__the_worked_example(tools: Any) -> None:
    parser = tools.ToolParser("req7")
    events = [event for piece in HAND for event in parser.push(piece)]
    content, calls = tools.collect(events + parser.finish())
    input = "message_json(*collect(the events of the worked example))"
    calls_expected = [call_object(PARIS)]
    expected = {"role": "assistant", "content": "Sure.", "tool_calls": calls_expected}
    judge_json(tools.message_json(content, calls), expected, input=input)
    reason = tools.finish_reason(len(calls), "stop")
    equal(reason, "tool_calls", input="finish_reason(1, 'stop')")
