"""Questions to an implementation, beside the mutants' own, that tell mistakes apart.

Each is small, so that one mistake changes few answers: a bug that resembles a mutant on
its witness and differs anywhere else is another bug. Answers are plain data, compared
only with those of another implementation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ol.mutants import tool_probes
from ol.mutants.machines import table_of
from ol.mutants.masks import after
from ol.mutants.parsing import PIECES, told
from ol.mutants.patterns import tree_of
from ol.mutants.sampling import after_a
from ol.mutants.schemas import table_of_schema
from ol.mutants.tool_probes import Probe
from ol.plain import plain

PATTERNS = (
    "", "ab", "a|b", "a|", "|a", "(ab)*c", "(a|ab)*", "(a|b)*abb", "a+b*", "(a?b?)*",
    "a{0}", "a{2}", "a{2,}", "a{0,2}", "a{2,3}", "a{4}", "(a{2}){2}", "a{1,2}b?",
    "[a-c]x", "[abc-e]", "[^a]", "[a^]", r"\d", r"\w", r"\s", r"\.", "ab?",
    "é", "é*", "[à-ü]", "[à-ž]", ".", "日|本", "😀+", r"\u00e9", "[^\"]",
    "(cat|car|dog)s?", r"b|a[^\s\S]", "abcd|abce", "a(b|c)d|e(b|c)d", "(ab|cb)*",
)  # fmt: skip
BAD_PATTERNS = (
    "(", ")", "a{3,2}", "*a", "a**", "[b-a]", "[a", r"\b", r"[^\s\S]",
    "a(?=b)",
)  # fmt: skip
TREES = ("ab?", "a|bc", "(ab)*", "a{2,3}", "[a-c]", "[^a]", "")
INTEGER = {"type": "integer"}
ONE, TWO = {"const": 1}, {"const": 2}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties and required keys."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": list(required)} if required else schema


def items(**bounds: int) -> dict[str, Any]:
    return {"type": "array", "items": ONE, **bounds}


SCHEMAS: tuple[Any, ...] = (
    {"type": "boolean"}, {"type": "null"}, INTEGER, {"type": "number"},
    {"type": "string"}, {"type": ["integer", "null"]},
    {"enum": ["a", "b"]}, {"enum": [2.5]}, {"enum": ["a.b"]}, {"enum": ["(x)", "[y]"]},
    {"const": "é"}, {"const": 'a"b'}, {"const": [1, 2]}, {"const": {"b": 1, "a": 2}},
    {"enum": [1.5e-05, 1e16]}, {"anyOf": [ONE, {"const": "x"}]},
    items(), items(minItems=1), items(minItems=2), items(maxItems=0), items(maxItems=1),
    items(maxItems=2), items(maxItems=3), items(minItems=1, maxItems=1),
    items(minItems=1, maxItems=2), items(minItems=2, maxItems=2),
    items(minItems=2, maxItems=3), {"type": "array", "items": items(maxItems=1)},
    record(), record(x=ONE), record("x", x=ONE), record(x=ONE, y=TWO),
    record("x", x=ONE, y=TWO), record("y", x=ONE, y=TWO),
    record("x", "y", x=ONE, y=TWO), record("x", "y", y=ONE, x=TWO),
    record(y=ONE, x=TWO), record(b=ONE, c=TWO, a=ONE),
    record("a", b=ONE, c=TWO, a=ONE), record("o", o=record(y=ONE, x=TWO)),
    record("a", a=items(maxItems=2)), {"type": "object"},
)  # fmt: skip
BAD_SCHEMAS: tuple[Any, ...] = (
    {"type": "text"}, {"enum": []}, {"type": "string", "minLength": 2},
    {"type": "object", "properties": {}, "required": ["a"]}, {"enum": [1, 1]},
    items(minItems=3, maxItems=2), items(maxItems=-1), {"$ref": "#"}, 3,
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    0.1, 1.5e-05, 0.0001, 1e16, 1e15, 1e22, 100.0, -0.0, 1.25e-7, 123456789012345680.0,
    10**20, -1, True, None, "", "é", "😀", "\u2028", "a\"b\\c", "\n\t\x00\x1f\x7f",
    "/", [], {}, [1, [2.5, None]], {"b": 1, "a": [{}]},
)  # fmt: skip
TEXTS = (
    '{"a":1,"a":2}', '{"a":1,"b":2,"a":3}', '{"a":{"b":1,"b":2}}', '[{"a":1,"a":1}]',
    '{"a":1}', "[1,]", "01", "1e5", "-0.0", '"\\u00e9"', '"\\ud83d\\ude00"', "nul", "",
    "[" * 3 + "]" * 3, '"\\ud800"', "NaN",
)  # fmt: skip
WALKS = ((), (0,), (2,), (0, 1), (0, 4), (2, 4))
SETTINGS: tuple[dict[str, float], ...] = (
    {"temperature": 0}, {}, {"top_p": 0.9}, {"top_p": 0.5}, {"top_k": 1},
    {"temperature": 0.2, "top_k": 1}, {"temperature": 3.0}, {"temperature": 0.2},
)  # fmt: skip
CALL = '<tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
STREAMS: tuple[tuple[str, ...], ...] = (
    PIECES, ("".join(PIECES),), tuple("".join(PIECES)), ("Hi.",), ("a <", "b"),
    ("x<tool_", "box"),
    ("<tool_call>", '{"name": "f", "arg', 'uments": {}}</tool_call>'),
    (CALL, CALL), (f"one {CALL} two {CALL} three",), (f"{CALL}\n{CALL}",),
    ('<tool_call>{"name":"f","arguments":{"t":"</tool_', 'call>"}}</tool_call>'),
    ('<tool_call>{"name":"f","arguments":{"t":"\\', '"}"}}</tool_call>'),
    ('<tool_call>{"name":"f","arguments":{"t":[', '{"}":1}]}}</tool_call>!'),
    ("<tool_call>nothing", " of it</tool_call>"), ("ends <tool_c",), (CALL[:30],),
    ('<tool_call>{"name":"f","arguments":{"a":', "1,", '"b":2', "}}</tool_call>"),
)  # fmt: skip


def regex_of(schema: Any) -> Probe:
    """Ask for a schema that is to be refused: its pattern, were there one."""
    return lambda course: course["json_schema_to_regex"](schema)


def dumped(value: Any) -> Probe:
    return lambda course: course["json_dumps"](value)


def read(text: str, **options: str) -> Probe:
    return lambda course: plain(course["json_parse"](text, **options))


def questions() -> Iterator[tuple[str, Probe]]:
    """Yield each question with a name of its own."""
    for pattern in (*PATTERNS, *BAD_PATTERNS):
        yield f"pattern {pattern}", table_of(pattern)
    for pattern in TREES:
        yield f"tree {pattern}", tree_of(pattern)
    for value in VALUES:
        yield f"dumps {value!r}", dumped(value)
    for text in TEXTS:
        yield f"read {text}", read(text)
        yield f"strictly {text}", read(text, duplicates="refuse")
    for schema in SCHEMAS:
        yield f"schema {json.dumps(schema)}", table_of_schema(schema)
    for schema in BAD_SCHEMAS:
        yield f"refused {json.dumps(schema)}", regex_of(schema)
    for walk in WALKS:
        yield f"mask {walk}", after(*walk)
    for setting in SETTINGS:
        yield f"sample {setting}", after_a(**setting)
    for pieces in STREAMS:
        yield f"stream {pieces}", told(*pieces)


PROBES: dict[str, Probe] = {**dict(questions()), **dict(tool_probes.questions())}
