"""Schemas on the reference: 55 cases by both routes, places of refusals, budgets."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import Any

import numpy as np
import pytest

from ol import codes, course, expect, paths
from ol.failure import Mismatch
from ol.implementation import Implementation

MODULE = course.load().module()
CONSTRAIN = Implementation(MODULE, codes.reference(MODULE)).constrain


def lines(name: str) -> list[dict[str, Any]]:
    text = (paths.fixtures() / "cases" / name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


CASES = lines("schema.jsonl")
BENCH = [case for case in lines("bench.jsonl") if "schema" in case]


def by_text(schema: Any) -> Any:
    return CONSTRAIN.regex_to_dfa(CONSTRAIN.json_schema_to_regex(schema))


ROUTES = {"text": by_text, "states": CONSTRAIN.schema_to_dfa}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any], route: str) -> None:
    if "refuse" in case:
        with pytest.raises(ValueError) as refused:
            ROUTES[route](case["schema"])
        assert refused.value.kind == case["refuse"]  # type: ignore[attr-defined]
        if "pointer" in case:
            assert refused.value.pointer == case["pointer"]  # type: ignore[attr-defined]
        return
    dfa = ROUTES[route](case["schema"])
    for wanted, texts in ((True, case["accept"]), (False, case["reject"])):
        for text in texts:
            assert dfa.matches(text.encode()) is wanted, text


def test_there_are_55() -> None:
    assert len({case["id"] for case in CASES}) == 55


# Minimal states: 8 + 22 + 1 for the city; the others as two libraries count them.
STATES = {"s1_weather": 31, "s5_nested": 517, "s8_tool": 1_312}


@pytest.mark.parametrize("case", BENCH, ids=lambda case: case["id"])
def test_two_routes_one_table(case: dict[str, Any]) -> None:
    started = time.perf_counter()
    dfa = CONSTRAIN.schema_to_dfa(case["schema"])
    assert time.perf_counter() - started < 5  # a guard; the slowest takes 0.1 s
    assert dfa.n_states == STATES.get(case["id"], dfa.n_states)
    for text in case["texts"]:
        assert dfa.matches(text.encode())
    if case["id"] == "s9_sixteen_optional_three_deep":
        with pytest.raises(ValueError) as refused:
            CONSTRAIN.json_schema_to_regex(case["schema"])
        assert refused.value.kind == "size"  # type: ignore[attr-defined]
        return
    other = by_text(case["schema"])
    assert np.array_equal(dfa.trans, other.trans)
    assert np.array_equal(dfa.accept, other.accept)


ACCEPTED = [case for case in CASES if "refuse" not in case]


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["id"])
def test_a_case_has_one_table(case: dict[str, Any]) -> None:
    one, other = (route(case["schema"]) for route in ROUTES.values())
    assert np.array_equal(one.trans, other.trans)
    assert np.array_equal(one.accept, other.accept)


# --- refusals: kind, pointer, keyword


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


INTEGER = {"type": "integer"}
REFUSED = [
    (True, "type", "", None),
    (None, "value", "", None),
    (obj(a=False), "type", "/properties/a", None),
    (obj(a=3), "value", "/properties/a", None),
    ({"title": "t"}, "type", "", None),
    ({"properties": {}}, "type", "", None),
    ({"type": ["integer", "text"]}, "type", "/type", "type"),
    ({"type": [{"type": "null"}]}, "type", "/type", "type"),
    ({"type": None}, "type", "/type", "type"),
    ({"allOf": [INTEGER]}, "keyword", "/allOf", "allOf"),
    ({"type": "array", "items": INTEGER, "format": "x"}, "keyword", "/format", None),
    ({"type": "string", "minItems": 1}, "keyword", "/minItems", "minItems"),
    ({"enum": [1], "const": 1}, "keyword", "/const", "const"),
    ({"anyOf": [INTEGER], "type": "integer"}, "keyword", "/type", "type"),
    ({"anyOf": [INTEGER, {"type": "null", "x": 1}]}, "keyword", "/anyOf/1/x", "x"),
    ({"anyOf": []}, "value", "/anyOf", "anyOf"),
    ({"anyOf": {}}, "value", "/anyOf", "anyOf"),
    ({"type": "array", "items": [INTEGER]}, "value", "/items", "items"),
    ({"type": "array", "items": True}, "type", "/items", None),
    ({"type": ["array", "null"]}, "items", "", None),
    (obj(**{"a/b~c": {"type": "array"}}), "items", "/properties/a~1b~0c", None),
    ({"type": "object", "properties": []}, "value", "/properties", "properties"),
    ({"type": "object", "required": "a"}, "value", "/required", "required"),
    ({**obj(a=INTEGER), "required": ["a", "b"]}, "required", "/required/1", "required"),
    ({"type": "object", "additionalProperties": 1}, "value", "/additionalProperties",
     "additionalProperties"),
    ({"enum": {}}, "value", "/enum", "enum"),
    ({"enum": []}, "empty", "", None),
    ({"type": "number", "enum": [True]}, "empty", "", None),
    ({"type": "array", "items": INTEGER, "minItems": True}, "value", "/minItems", None),
    ({"type": "array", "items": INTEGER, "maxItems": "2"}, "value", "/maxItems", None),
    ({"type": "array", "items": INTEGER, "maxItems": 10**9}, "size", "/maxItems", None),
    ({"type": "array", "items": {"type": "array"}, "maxItems": 0}, "items", "/items",
     None),
    (obj(a=obj(b={"not": {}}), c={"if": {}}), "keyword",
     "/properties/a/properties/b/not", "not"),
    ({"const": "\ud800"}, "utf8", None, None),
    ({"const": float("nan")}, "number", None, None),
]  # fmt: skip


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(("schema", "kind", "pointer", "keyword"), REFUSED)
def test_refusals(
    schema: Any, kind: str, pointer: str | None, keyword: str | None, route: str
) -> None:
    with pytest.raises(ValueError) as caught:
        ROUTES[route](schema)
    refused: Any = caught.value
    assert refused.kind == kind
    assert pointer is None or refused.pointer == pointer
    assert keyword is None or refused.keyword == keyword


def test_a_judge_compares_the_place_as_well() -> None:
    schema = obj(a={"not": {}})

    def call() -> Any:
        return CONSTRAIN.schema_to_dfa(schema)

    right = {"kind": "keyword", "pointer": "/properties/a/not", "keyword": "not"}
    expect.refuses(call, input="", **right)
    for field, wrong in (("pointer", "/not"), ("keyword", "if"), ("kind", "type")):
        with pytest.raises(Mismatch) as told:
            expect.refuses(call, input="", **{**right, field: wrong})
        assert f"{field} {wrong!r}" in told.value.failure.expected
        assert f"{field} {right[field]!r}" in told.value.failure.yours


def test_the_pointer_stands_in_the_message() -> None:
    with pytest.raises(ValueError, match="keyword at /properties/a/not: 'not' "):
        CONSTRAIN.schema_to_dfa(obj(a={"not": {}}))


@pytest.mark.parametrize(
    ("schema", "accepted", "refused"),
    [
        ({"type": "integer", "enum": [1.0, 2, 2.5, True]}, ["1.0", "2"],
         ["2.5", "true"]),
        ({"type": "number", "const": 3}, ["3"], ["3.0"]),
        ({"type": ["null", "string"], "enum": [None, "a", 1]}, ["null", '"a"'], ["1"]),
        ({"type": ["array", "object"], "items": INTEGER, "properties": {"a": INTEGER}},
         ["[1]", "{}", '{"a":1}'], ["1", '[{"a":1}]']),
        ({"type": "array", "items": INTEGER, "minItems": 1.0, "maxItems": 2.0},
         ["[1]", "[1,2]"], ["[]", "[1,2,3]"]),
        ({"type": "object"}, ["{}"], ['{"a":1}']),
        ({"type": ["integer", "integer"]}, ["1"], ["null"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("route", ROUTES)
def test_what_is_easily_misread(
    schema: Any, accepted: list[str], refused: list[str], route: str
) -> None:
    dfa = ROUTES[route](schema)
    assert [text for text in accepted if not dfa.matches(text.encode())] == []
    assert [text for text in refused if dfa.matches(text.encode())] == []


# --- budgets


def nested(levels: int, wrap: Any) -> Any:
    schema: Any = INTEGER
    for _ in range(levels):
        schema = wrap(schema)
    return schema


def in_array(schema: Any, **bounds: int) -> dict[str, Any]:
    return {"type": "array", "items": schema, **bounds}


@pytest.mark.parametrize(
    "wrap", [in_array, lambda s: obj(a=s), lambda s: {"anyOf": [s]}]
)
def test_depth_is_no_danger(wrap: Any) -> None:
    schema = nested(250, wrap)
    text = "[" * 250 + "1" + "]" * 250 if wrap is in_array else "{}"
    text = "1" if "anyOf" in schema else text
    assert CONSTRAIN.schema_to_dfa(schema).matches(text.encode())


@pytest.mark.parametrize(
    "schema",
    [
        nested(4, partial(in_array, maxItems=100)),
        in_array({"type": "string"}, maxItems=3_000),
        in_array({"type": "boolean"}, minItems=20_000),
        obj(**{f"m{n}": in_array(INTEGER, maxItems=9_000) for n in range(9)}),
    ],
)
def test_what_is_too_big_is_refused_soon(schema: Any) -> None:
    started = time.perf_counter()
    with pytest.raises(ValueError) as refused:
        CONSTRAIN.schema_to_dfa(schema)
    assert refused.value.kind == "size"  # type: ignore[attr-defined]
    assert time.perf_counter() - started < 30  # a guard; it takes one to three seconds


@pytest.mark.parametrize("wrap", [in_array, lambda s: obj(a=INTEGER, b=s)])
def test_a_pattern_that_would_be_long_is_refused_at_once(wrap: Any) -> None:
    with pytest.raises(ValueError) as refused:
        CONSTRAIN.json_schema_to_regex(nested(100, wrap))
    assert refused.value.kind == "size"  # type: ignore[attr-defined]
