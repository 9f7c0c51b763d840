"""L8.7: the oracle under the chapter's names."""

from __future__ import annotations

import importlib
import json
import math
from typing import Any

import numpy as np
import pytest

from ol import paths
from ol.fixtures import read_table
from ol.vocabularies import vocab

needed: Any = importlib.import_module("ol.needs.L8_7")
GOLDEN = json.loads(
    (paths.fixtures() / "L10.9" / "constrain_golden.json").read_text("utf-8")
)


def test_tables_are_the_golden_ones() -> None:
    entry = next(e for e in GOLDEN["patterns"] if e["pattern"] == "(cat|car|dog)s?")
    table, golden = needed.regex_to_dfa(entry["pattern"]), read_table(entry)
    assert (table.n_states, golden.n_states) == (7, 7)
    assert np.array_equal(table.trans, golden.trans)
    city = {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}
    assert needed.schema_to_dfa(city).n_states == len('{"a":1}') + 1
    assert needed.json_object_dfa(1).n_states > 1


def test_the_hand_example_of_a_mask() -> None:
    # chapter, section 3: `ab?` over [a, b, c, EOS]
    constraint = needed.Constraint("ab?", [b"a", b"b", b"c", None], 3)
    assert constraint.mask().tolist() == [True, False, False, False]
    assert not constraint.is_complete()
    constraint.advance(0)
    assert constraint.mask().tolist() == [False, True, False, True]
    assert constraint.is_complete()
    with pytest.raises(ValueError, match="not allowed"):
        constraint.advance(2)
    constraint.advance(3)
    assert constraint.done
    assert constraint.mask().tolist() == [False, False, False, True]


def test_refusals_have_a_kind() -> None:
    for source, kind in (("a{2,1}", "count"), ({"type": "text"}, "type")):
        with pytest.raises(needed.ConstrainError) as caught:
            needed.Constraint(source, [b"a"], None)
        assert caught.value.kind == kind


def test_values_are_written_compactly() -> None:
    assert needed.json_dumps({"b": [1.0, True], "a": math.pi}) == (
        '{"b":[1.0,true],"a":3.141592653589793}'
    )


def test_the_toy_vocabulary_is_the_golden_files() -> None:
    toy = vocab("toy")
    assert len(toy) == 123
    assert toy.tokens[toy.eos_id] is None
    alone = {token for token in toy.tokens if token is not None and len(token) == 1}
    assert {bytes([byte]) for byte in range(0x20, 0x7F)} <= alone
