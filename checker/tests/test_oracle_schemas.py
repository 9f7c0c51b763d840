"""The oracle's schemas and masks against cases by hand, `jsonschema` and CPython."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import pytest

from ol import fixtures, oracle, paths
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


def test_tables_are_tables() -> None:
    dfa = oracle.schema_to_dfa(schemas.SCHEMAS["city"][1])
    assert (dfa.n_states, int(dfa.accept.sum())) == (31, 1)
