"""The streaming parser of notebook 12: reported bugs, every cut, a slow second parser.

The cases are fixtures/cases/bug_reports.jsonl, each a bug that was reported against a
server in use. `OL_SEED=7 ./ol dev test -k parser` tries other random texts and cuts.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from ol import codes, course, paths
from ol.implementation import Implementation
from second import whole as slow_parser

SEED = os.environ.get("OL_SEED", "1977")
MODULE = course.load().module()
TOOLS = Implementation(MODULE, codes.reference(MODULE)).tools
LINES = (paths.fixtures() / "cases" / "bug_reports.jsonl").read_text("utf-8")
CASES = {case["id"]: case for case in map(json.loads, LINES.splitlines())}
PARSER_CASES = [case for case in CASES.values() if case["input"]["kind"] == "parser"]
STREAM_CASES = [case for case in CASES.values() if case["input"]["kind"] == "sse"]

# What is not a matter of the parser, and what judges it instead.
ELSEWHERE = {
    "B23": "a list of calls without markup: another system's format",
    "B25": "a forced choice with nothing parsed: another system's field",
    "B26": "finish_reason by choice and stream: needs a live server",
    "B32": "a choice that names no tool: the request is read in notebook 11",
    "B33": "a named choice: the grammar of notebook 11",
    "B35": "parallel_tool_calls: the grammar of notebook 11",
    "B36": "a malformed response_format: the request is read in notebook 11",
    "B38": "an object without properties: the schemas of notebook 07",
    "B40": "arguments in the history: rendered in notebook 11",
}
# Of these the deltas are judged here; the rest of the case needs a live server.
PARTLY = {"B27": "", "B28": "", "B30": "one id, [DONE]", "B31": "the role"}

Folded = tuple[str | None, list[tuple[str, str]]]


def stream(pieces: Iterable[str | bytes]) -> list[Any]:
    """Return all events of an answer that comes in these pieces."""
    parser = TOOLS.ToolParser("req7")
    events = [event for piece in pieces for event in parser.push(piece)]
    return [*events, *parser.finish()]


def fold(pieces: Iterable[str | bytes]) -> Folded:
    """Return content and (name, arguments) per call; ids are checked on the way."""
    content, calls = TOOLS.collect(stream(pieces))
    assert [call.id for call in calls] == [f"call_req7_{i}" for i in range(len(calls))]
    return content, [(call.name, call.arguments) for call in calls]


def cuts(text: str | bytes, rng: Random) -> Iterator[str | bytes]:
    at, longest = 0, rng.choice((1, 4, 15))
    while at < len(text):
        length = rng.randint(1, longest)
        yield text[at : at + length]
        at += length


def test_every_case_is_run_or_said_to_be_elsewhere() -> None:
    here = {case["id"] for case in PARSER_CASES} | set(PARTLY)
    assert here | set(ELSEWHERE) == set(CASES)
    assert not here & set(ELSEWHERE)
    assert {case["id"] for case in STREAM_CASES} == set(PARTLY)


# --- the reported bugs


def expected_of(case: dict[str, Any]) -> Folded:
    wanted = case["expected"]
    calls = [(call["name"], call["arguments"]) for call in wanted["calls"]]
    return wanted["content"], calls


@pytest.mark.parametrize("case", PARSER_CASES, ids=lambda case: case["id"])
def test_case_as_reported(case: dict[str, Any]) -> None:
    wanted = expected_of(case)
    chunks = case["input"]["chunks"]
    assert fold(chunks) == wanted
    assert fold(["".join(chunks)]) == wanted
    fragments = [e for e in stream(chunks) if type(e).__name__ == "Arguments"]
    assert len({event.index for event in fragments}) == len(wanted[1])  # at least one
    reason = TOOLS.finish_reason(len(wanted[1]), "stop")
    assert reason == ("tool_calls" if wanted[1] else "stop")
    assert case["expected"].get("finish_reason", reason) == reason


@pytest.mark.parametrize("case", PARSER_CASES, ids=lambda case: case["id"])
def test_case_wherever_it_is_cut(case: dict[str, Any]) -> None:
    wanted = expected_of(case)
    text = "".join(case["input"]["chunks"])
    for whole in (text, text.encode()):
        assert fold(whole[at : at + 1] for at in range(len(whole))) == wanted
        for at in range(len(whole) + 1):
            assert fold([whole[:at], whole[at:]]) == wanted, at


@pytest.mark.parametrize("case", PARSER_CASES, ids=lambda case: case["id"])
def test_case_cut_at_random(case: dict[str, Any]) -> None:
    wanted = expected_of(case)
    text = "".join(case["input"]["chunks"])
    for number in range(200):
        rng = Random(f"{SEED}/{case['id']}/{number}")
        pieces = list(cuts(text.encode() if number % 2 else text, rng))
        assert fold(pieces) == wanted, f"OL_SEED={SEED}: {pieces}"


# --- the rules, by hand

CALL = '<tool_call>{"name":"f","arguments":{}}</tool_call>'
HEAD = '<tool_call>{"name":"f","arguments":'
RULES = [
    # the end of a text that may begin a marker
    ("a<b", ("a<b", [])),
    ("done <tool", ("done <tool", [])),
    ("<<tool_call", ("<<tool_call", [])),
    ("<tool_<tool_call>x", ("<tool_<tool_call>x", [])),
    (f"<tool_{CALL}", ("<tool_", [("f", "{}")])),
    # an opener without a header
    ("<tool_call>", ("<tool_call>", [])),
    (f"<tool_call>{CALL}", ("<tool_call>", [("f", "{}")])),
    (f'<tool_call>{{"name":"f",{CALL}', ('<tool_call>{"name":"f",', [("f", "{}")])),
    (HEAD, (HEAD, [])),
    (f"{HEAD}[]}}</tool_call>", (f"{HEAD}[]}}</tool_call>", [])),
    (f'{HEAD}"{{}}"}}</tool_call>', (f'{HEAD}"{{}}"}}</tool_call>', [])),
    (CALL.replace('"f"', f'"{"x" * 64}"'), (None, [("x" * 64, "{}")])),
    (CALL.replace('"f"', f'"{"x" * 65}"'), (CALL.replace("f", "x" * 65, 1), [])),
    (CALL.replace('"f"', r'"\u0066"'), (CALL.replace('"f"', r'"\u0066"'), [])),
    (CALL.replace("{}", '{},"x":1'), (',"x":1}</tool_call>', [("f", "{}")])),
    # arguments: braces, strings, escapes, cut
    (f'{HEAD}{{"a":"\\\\"}}}}</tool_call>', (None, [("f", '{"a":"\\\\"}')])),
    (f'{HEAD}{{"</tool_call>":1}}}}', ("}", [("f", '{"</tool_call>":1}')])),
    (f"{HEAD}{{[[[}}}}</tool_call>", (None, [("f", "{[[[}")])),
    (f'{HEAD}{{"a":"<tool_call>', (None, [("f", '{"a":"<tool_call>')])),
    (f"{HEAD}{{<tool_call>", (None, [("f", "{<tool_call>")])),
    # behind the arguments
    (f"{HEAD}{{}}", (None, [("f", "{}")])),
    (f"{HEAD}{{}} \n", (None, [("f", "{}")])),
    (f"{HEAD}{{}} x", (" x", [("f", "{}")])),
    (f"{HEAD}{{}}}}", ("}", [("f", "{}")])),
    (f"{HEAD}{{}}}}</tool_", ("}</tool_", [("f", "{}")])),
    (f"{HEAD}{{}}}}<", ("}<", [("f", "{}")])),
    (f"{HEAD}{{}}}}{CALL}", ("}", [("f", "{}")] * 2)),
    (f"{HEAD}{{}}}}</{CALL}", ("}</", [("f", "{}")] * 2)),
    (f"{HEAD}{{}}\n{CALL}", (None, [("f", "{}")] * 2)),
    (f"{HEAD}{{}}\t}}\r\n</tool_call>", (None, [("f", "{}")])),
    # white space
    (f" {CALL}", (" ", [("f", "{}")])),
    (f"{CALL}\n", (None, [("f", "{}")])),
    (f"{CALL}\nx", ("\nx", [("f", "{}")])),
    (f"{CALL} \n{CALL}\n\n{CALL}", (None, [("f", "{}")] * 3)),
    (f"{CALL}\u00a0{CALL}", ("\u00a0", [("f", "{}")] * 2)),
    (f"{CALL}\n<tool_", ("\n<tool_", [("f", "{}")])),
    (f"{CALL}\n<tool_call>{{", ("\n<tool_call>{", [("f", "{}")])),
    (f"{CALL}\n<tool_call>\n{CALL}", ("\n<tool_call>\n", [("f", "{}")] * 2)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), RULES)
def test_rule(text: str, wanted: Folded) -> None:
    for at in range(len(text) + 1):
        assert fold([text[:at], text[at:]]) == wanted, at
    assert fold(text) == wanted
    assert slow_parser.parse(text) == wanted  # so the other one is held to it, too


def test_bytes_that_are_no_utf8_are_replaced_as_decode_does() -> None:
    broken = b"\xc3(\xe2\x82 \xf0\x9f\xff<tool_call>\xed\xa0\x80" + CALL.encode()
    text = broken.decode(errors="replace")
    for at in range(len(broken) + 1):
        assert fold([broken[:at], broken[at:]]) == slow_parser.parse(text)
    assert fold([b"\xe2\x82"]) == ("\ufffd", [])


def test_an_empty_answer_says_nothing() -> None:
    for pieces in ([], [""], [b""], ["", ""]):
        assert stream(pieces) == []


def test_what_is_certain_is_said_at_once() -> None:
    parser = TOOLS.ToolParser("req7")
    assert parser.push("Hm <") == [TOOLS.Content("Hm ")]
    assert parser.push("b") == [TOOLS.Content("<b")]
    assert parser.push(HEAD) == []
    start = [TOOLS.CallStart(0, "call_req7_0", "f"), TOOLS.Arguments(0, "{")]
    assert parser.push("{") == start
    assert parser.push('"a":-') == [TOOLS.Arguments(0, '"a":-')]
    assert parser.push("1}") == [TOOLS.Arguments(0, "1}")]
    assert parser.push("}</tool_call>") == parser.finish() == []


# --- a second parser

MARKUP = (
    "<tool_call>", "</tool_call>", "<tool_", "call>", "<", "/", ">", CALL, HEAD,
    '{"name":"f",', '"arguments":', '"name"', '"', ":", ",", "{", "}", "{}", "[", "]",
    '{"a":"', '"}', "\\", '\\"', "\n", " ", "\t", "x", "é", "𝄞", "}</tool_call>",
    '{"t":"</tool_call>"}', "}}</tool_call>", "name", "-", "\u00a0",
)  # fmt: skip
TEXTS, BATCHES = 4_000, 8


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_markup_against_the_slow_parser(batch: int) -> None:
    print(f"OL_SEED={SEED}")
    with_calls = with_content = 0
    for number in range(batch, TEXTS, BATCHES):
        rng = Random(f"{SEED}/{number}")
        text = "".join(rng.choices(MARKUP, k=rng.randint(1, 14)))
        wanted = slow_parser.parse(text)
        with_content += wanted[0] is not None
        with_calls += bool(wanted[1])
        for source in (text, text.encode()):
            for pieces in ([source], list(cuts(source, rng)), list(cuts(source, rng))):
                assert fold(pieces) == wanted, f"OL_SEED={SEED}, {number}: {pieces}"
    assert with_calls > TEXTS // BATCHES // 8 < with_content


# --- what a client makes of it


def accumulate(whole: dict[str, Any], delta: dict[str, Any]) -> dict[str, Any]:
    """Add a delta to what came before, as the openai client documents it.

    Strings are joined, numbers added, objects merged, lists merged by their entries'
    `index`; `index` and `type` are taken over as they are.
    """
    for key, value in delta.items():
        before = whole.get(key)
        if before is None or key in ("index", "type"):
            whole[key] = value
        elif isinstance(before, dict):
            whole[key] = accumulate(before, value)
        elif isinstance(before, list):
            for entry in value:
                index = entry["index"]
                if index == len(before):
                    before.append(entry)
                else:
                    before[index] = accumulate(before[index], entry)
        else:
            whole[key] = before + value
    return whole


def deltas(pieces: Iterable[str]) -> list[dict[str, Any]]:
    return [json.loads(TOOLS.delta_json(event)) for event in stream(pieces)]


def client_message(pieces: Sequence[str]) -> dict[str, Any]:
    whole: dict[str, Any] = {"role": "assistant", "content": None}
    for delta in deltas(pieces):
        for entry in delta.get("tool_calls", ()):  # the first may bring a list of one
            whole.setdefault("tool_calls", [])
            assert entry["index"] <= len(whole["tool_calls"])
        whole = accumulate(whole, delta)
    for call in whole.get("tool_calls", ()):
        del call["index"]
    return whole


@pytest.mark.parametrize("case", PARSER_CASES + STREAM_CASES, ids=lambda c: c["id"])
def test_a_client_folds_the_deltas_to_the_message(case: dict[str, Any]) -> None:
    chunks = case["input"]["chunks"]
    message = json.loads(TOOLS.message_json(*TOOLS.collect(stream(["".join(chunks)]))))
    assert client_message(chunks) == message
    assert client_message(list("".join(chunks))) == message


def test_deltas_of_b27() -> None:
    case = CASES["B27"]
    first, *then = deltas(case["input"]["chunks"])
    wanted = case["expected"]["first"] | {"id": "call_req7_0"}
    assert first == {"tool_calls": [wanted]}
    fragments = [delta["tool_calls"][0]["function"]["arguments"] for delta in then]
    assert "".join(fragments) == '{"city":"A"}'
    for delta, fragment in zip(then, fragments, strict=True):
        entry = {"index": 0, "function": {"arguments": fragment}}
        assert delta == {"tool_calls": [entry]}


def test_deltas_of_b28() -> None:
    case = CASES["B28"]
    message = client_message(case["input"]["chunks"])
    starts = [delta["tool_calls"][0] for delta in deltas(case["input"]["chunks"])]
    assert [entry["index"] for entry in starts if "id" in entry] == [0, 1]
    calls = message["tool_calls"]
    assert len({call["id"] for call in calls}) == 2
    arguments = [call["function"]["arguments"] for call in calls]
    assert arguments == case["expected"]["arguments"]


@pytest.mark.parametrize("id", ["B30", "B31"])
def test_deltas_of_b30_and_b31(id: str) -> None:
    for delta in deltas(CASES[id]["input"]["chunks"]):
        assert list(delta) == ["tool_calls"] and isinstance(delta["tool_calls"], list)
        assert isinstance(delta["tool_calls"][0]["function"]["arguments"], str)
        assert "null" not in json.dumps(delta)


def test_json_is_compact_and_leaves_text_alone() -> None:
    call = TOOLS.ToolCall("c", "f", '{ "a": "\\u4e2d é"')
    assert TOOLS.message_json(None, [call]) == (
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",'
        '"function":{"name":"f","arguments":"{ \\"a\\": \\"\\\\u4e2d é\\""}}]}'
    )
    assert TOOLS.message_json("é", []) == '{"role":"assistant","content":"é"}'
    assert TOOLS.delta_json(TOOLS.Content('"')) == '{"content":"\\""}'


# --- time


def seconds(text: str, size: int) -> float:
    """Return the shortest of three times for a text in pieces of `size` characters."""
    best = float("inf")
    for _ in range(3):
        parser, started = TOOLS.ToolParser("t"), time.perf_counter()
        for at in range(0, len(text), size):
            parser.push(text[at : at + size])
        parser.finish()
        best = min(best, time.perf_counter() - started)
    return best


def long_texts(length: int) -> dict[str, str]:
    """Return texts of about `length` characters on which a careless parser is slow."""
    return {
        "one string": HEAD + '{"t":"' + "x" * length,
        "small numbers": HEAD + '{"t":[' + "1," * (length // 2),
        "small members": HEAD + "{" + '"a":1,' * (length // 6),
        "escapes": HEAD + '{"t":"' + "\\n" * (length // 2),
        "a header without end": "<tool_call>" + " " * length,
        "nothing but <": "<" * length,
        "openers": "<tool_call>" * (length // 11),
        "headers that fail": '<tool_call>{"name":"f",' * (length // 23),
        "white space behind a call": CALL + " " * length,
        "a tail without end": HEAD + "{}" + " " * length,
        "many calls": (CALL + "\n") * (length // 51),
    }


@pytest.mark.parametrize("size", [16, 4096, 10**9])
@pytest.mark.parametrize("name", long_texts(100))
def test_twice_the_text_takes_about_twice_the_time(name: str, size: int) -> None:
    """A generous guard: a quadratic parser takes 16 times as long for 4 times."""
    short, long = (long_texts(length)[name] for length in (100_000, 400_000))
    assert seconds(long, size) < 10 * seconds(short, size) + 0.05
