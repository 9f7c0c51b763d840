"""The oracle's schemas and masks against cases by hand, `jsonschema` and CPython."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import numpy as np
import pytest

from ol import fixtures, forms, oracle, paths
from ol.fixtures import refused, schemas, vocabulary, walks
from ol.forms import DEAD, Dfa

CASES = [
    json.loads(line)
    for line in (paths.fixtures() / "cases" / "schema.jsonl").read_text().splitlines()
    if line.startswith("{")
]
TOKENS, EOS = vocabulary.tokens(), vocabulary.EOS


def accepts(dfa: Dfa, text: str) -> bool:
    state = 0
    for byte in text.encode("utf-8", "surrogatepass"):
        state = int(dfa.trans[state, byte]) if state != DEAD else DEAD
    return state != DEAD and bool(dfa.accept[state])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_cases(case: dict[str, Any]) -> None:
    if "refuse" in case:
        with pytest.raises(oracle.OracleRefusal) as caught:
            oracle.schema_to_dfa(case["schema"])
        assert caught.value.kind == case["refuse"]
        assert caught.value.pointer == case.get("pointer", caught.value.pointer)
        return
    dfa = oracle.schema_to_dfa(case["schema"])
    for text in case["accept"]:
        assert accepts(dfa, text), text
        assert oracle.schema_accepts(case["schema"], text.encode())
    for text in case["reject"]:
        assert not accepts(dfa, text), text


def test_there_are_enough_cases() -> None:
    assert len(CASES) == 55


@pytest.mark.parametrize(("pattern", "kind", "why"), refused.PATTERNS)
def test_bad_patterns(pattern: str, kind: str, why: str) -> None:
    with pytest.raises(oracle.OracleRefusal) as caught:
        oracle.regex_to_dfa(pattern)
    assert caught.value.kind == kind, why


@pytest.mark.parametrize("entry", refused.bad_schemas(), ids=lambda e: e["why"])
def test_bad_schemas(entry: dict[str, Any]) -> None:
    with pytest.raises(oracle.OracleRefusal) as caught:
        oracle.schema_to_dfa(entry["schema"])
    found = caught.value
    expected = (entry["kind"], entry["pointer"], entry["keyword"])
    assert (found.kind, found.pointer, found.keyword) == expected


@pytest.mark.parametrize("name", schemas.SCHEMAS)
def test_every_path_ends_in_a_text_that_the_schema_allows(name: str) -> None:
    _, schema = schemas.SCHEMAS[name]
    for seed in (*walks.SEEDS, *range(100, 110)):
        steps = walks.path(schema, seed)
        tokens = [s.token for s in steps if s.token not in (None, EOS)]
        text = b"".join(TOKENS[t] or b"" for t in tokens if t is not None).decode()
        value = json.loads(text)
        jsonschema.validate(value, schema)
        assert len(steps) < 80, f"seed {seed}"
        assert steps[-1] == walks.Step([EOS], True, None)


@pytest.mark.parametrize("name", [*fixtures.L10_9, *schemas.SCHEMAS])
def test_no_state_is_dead_for_the_vocabulary(name: str) -> None:
    source = schemas.SCHEMAS[name][1] if name in schemas.SCHEMAS else name
    graph = oracle.walk(source, TOKENS, EOS).reachable()
    ends = {term for term in graph if term.nullable}
    while True:
        more = {t for t, after in graph.items() if t not in ends and ends & {*after}}
        if not more:
            break
        ends |= more
    assert ends == {*graph}


def test_the_vocabulary_is_what_its_docstring_says() -> None:
    assert len(TOKENS) == 123
    assert TOKENS[:95] == [bytes([b]) for b in range(32, 127)]
    assert TOKENS[vocabulary.SPECIAL] is None
    assert TOKENS[vocabulary.EMPTY] == b""
    assert TOKENS[EOS] is None
    golden = json.loads(
        (paths.fixtures() / "L10.9" / "constrain_golden.json").read_text()
    )
    assert fixtures.read_vocabulary(golden["masks"]) == (TOKENS, EOS)


def test_the_hand_example_of_a_mask() -> None:
    walk = oracle.walk("ab?", [b"a", b"b", b"c", None], 3)
    assert (walk.allowed(), walk.complete) == ([0], False)
    walk.take(0)
    assert (walk.allowed(), walk.complete) == ([1, 3], True)
    walk.take(3)
    assert (walk.allowed(), walk.complete) == ([3], True)
    with pytest.raises(ValueError, match="not allowed"):
        walk.take(1)


def test_the_end_of_a_language() -> None:
    """Both a digit and EOS after "7"; a special token never, whatever its text."""
    walk = oracle.walk("[0-9]([0-9]|)", [b"7", b"77", b"777", b"", None, None], 5)
    assert walk.allowed() == [0, 1]
    walk.take(0)
    assert walk.allowed() == [0, 5]
    walk.take(0)
    assert walk.allowed() == [5]


def test_two_optional_members_by_hand() -> None:
    _, schema = schemas.SCHEMAS["x_y"]
    accepted = ["{}", '{"x":1}', '{"y":-2}', '{"x":1,"y":2}', '{"x":0,"y":10}']
    for text in accepted:
        assert oracle.schema_accepts(schema, text.encode())
    for text in ['{"y":2,"x":1}', '{"x":1"y":2}', '{,"y":2}', '{"x":1,}', '{"x":01}']:
        assert not oracle.schema_accepts(schema, text.encode())


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_objects_by_depth(depth: int) -> None:
    dfa = oracle.object_to_dfa(depth)
    chooser = random.Random(depth)
    for _ in range(300):
        value = random_value(chooser, 4)
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        fits = isinstance(value, dict) and deep(value) <= depth
        assert accepts(dfa, text) == fits, text


def random_value(chooser: random.Random, most: int) -> Any:
    kind = chooser.randrange(6 if most else 4)
    if kind == 4:
        return [random_value(chooser, most - 1) for _ in range(chooser.randrange(3))]
    if kind == 5:
        keys = chooser.sample(["a", "é", '"', ""], chooser.randrange(3))
        return {key: random_value(chooser, most - 1) for key in keys}
    return chooser.choice([None, True, -0.5, 12, "x\n😀", 1e-7, ""])


def deep(value: Any) -> int:
    if not isinstance(value, list | dict):
        return 0
    parts = list(value.values()) if isinstance(value, dict) else value
    return 1 + max(map(deep, parts), default=0)


@pytest.mark.parametrize("seed", range(3))
def test_ranges_are_read_as_they_are_written(seed: int) -> None:
    chooser = random.Random(seed)
    for _ in range(100):
        ids = sorted(chooser.sample(range(123), chooser.randrange(1, 60)))
        step = walks.Step(ids, chooser.random() < 0.5, chooser.choice([None, 5]))
        assert walks.read_step(walks.written(step)) == step


DIGITS, HEX = "0123456789", "0123456789ABCDEFabcdef"
PLAIN = "".join(chr(byte) for byte in range(0x20, 0x80) if chr(byte) not in '"\\')


def span(first: int, last: int) -> str:
    """Return the bytes from first to last, each as the character of its number."""
    return "".join(map(chr, range(first, last + 1)))


def the_city_by_hand() -> Dfa:
    """Return 9 states of the key, 20 of the string, `}` and the end: 31 in all.

    12 to 18 are the rest of a character, 20 to 30 those of an escape in hexadecimal.
    """
    lead = {state: {char: state + 1} for state, char in enumerate('{"city":"')}
    inside = {span(0xC2, 0xDF): 12, "\xe0": 13, span(0xE1, 0xEC) + "\xee\xef": 14}
    inside |= {"\xed": 15, "\xf0": 16, span(0xF1, 0xF3): 17, "\xf4": 18}
    characters = {
        9: {PLAIN: 9, '"': 10, "\\": 11, **inside},
        12: {span(0x80, 0xBF): 9},
        13: {span(0xA0, 0xBF): 12},  # none that two bytes would do for
        14: {span(0x80, 0xBF): 12},
        15: {span(0x80, 0x9F): 12},  # no surrogates
        16: {span(0x90, 0xBF): 14},  # none that three bytes would do for
        17: {span(0x80, 0xBF): 14},
        18: {span(0x80, 0x8F): 14},  # nothing over U+10FFFF
    }
    escapes = {
        11: {'"\\/bfnrt': 9, "u": 20},
        20: {HEX.replace("D", "").replace("d", ""): 21, "Dd": 22},
        21: {HEX: 23},
        22: {"01234567": 23, "89ABab": 24},
        23: {HEX: 25},
        24: {HEX: 26},
        25: {HEX: 9},
        26: {HEX: 27},
        27: {"\\": 28},
        28: {"u": 29},
        29: {"Dd": 30},
        30: {"CDEFcdef": 23},
    }
    return forms.dfa({**lead, **characters, **escapes, 10: {"}": 19}}, accept={19})


def two_optional_integers_by_hand() -> Dfa:
    """Return 18 states: x's digits may go on to a comma, y's may not."""
    edges = {
        0: {"{": 1},
        1: {'"': 2, "}": 3},
        2: {"x": 4, "y": 5},
        4: {'"': 6},
        5: {'"': 7},
        6: {":": 8},
        7: {":": 9},
        8: {"-": 10, "0": 11, DIGITS[1:]: 12},
        9: {"-": 13, "0": 14, DIGITS[1:]: 15},
        10: {"0": 11, DIGITS[1:]: 12},
        11: {",": 16, "}": 3},
        12: {",": 16, "}": 3, DIGITS: 12},
        13: {"0": 14, DIGITS[1:]: 15},
        14: {"}": 3},
        15: {"}": 3, DIGITS: 15},
        16: {'"': 17},
        17: {"y": 5},
    }
    return forms.dfa(edges, accept={3})


@pytest.mark.parametrize(
    ("name", "by_hand", "n_states"),
    [("city", the_city_by_hand(), 31), ("x_y", two_optional_integers_by_hand(), 18)],
)
def test_tables_by_hand(name: str, by_hand: Dfa, n_states: int) -> None:
    dfa = oracle.schema_to_dfa(schemas.SCHEMAS[name][1])
    assert dfa.n_states == by_hand.n_states == n_states
    assert np.array_equal(dfa.accept, by_hand.accept)
    assert np.argwhere(dfa.trans != by_hand.trans).tolist() == []


@pytest.mark.parametrize(
    ("schema", "kind", "pointer", "keyword"),
    [
        ({"type": []}, "type", "", None),
        ({"type": [], "enum": [1]}, "empty", "", None),  # every type but none
        ({"type": [], "const": 1}, "empty", "", None),
        ({"type": [], "format": "x"}, "keyword", "/format", "format"),
        ({"type": "array", "items": "x"}, "value", "/items", "items"),
        ({"type": "array", "items": True}, "type", "/items", None),
    ],
)
def test_refusals_by_hand(
    schema: Any, kind: str, pointer: str, keyword: str | None
) -> None:
    with pytest.raises(oracle.OracleRefusal) as caught:
        oracle.schema_to_dfa(schema)
    found = caught.value
    assert (found.kind, found.pointer, found.keyword) == (kind, pointer, keyword)
