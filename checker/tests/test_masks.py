"""Notebook 08 at large: both tries against the definition, budgets, caches, speed.

Each case follows from the seed and its number; `OL_SEED=7 ./ol dev test -k masks` tries
others.
"""

from __future__ import annotations

import gc
import json
import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest

from mask_samples import (
    FAR,
    allowed,
    distances,
    in_time,
    random_dfa,
    random_eos,
    random_tokens,
    step,
)
from ol import codes, course, fixtures, paths, vocabularies
from ol.forms import DEAD
from ol.implementation import Implementation

SEED = os.environ.get("OL_SEED", "1960")
MODULE = course.load().module()
REFERENCE = Implementation(MODULE, codes.reference(MODULE))
CONSTRAIN = REFERENCE.constrain
MASKS = vars(REFERENCE.notebook("08_masks"))


@contextmanager
def array_trie(wanted: bool) -> Iterator[None]:
    """Let vocabularies of any size take the array trie, or none."""
    before = MASKS["FEW_TOKENS"]
    MASKS["FEW_TOKENS"] = -1 if wanted else 10**9
    try:
        yield
    finally:
        MASKS["FEW_TOKENS"] = before


def cases(count: int, name: str) -> Iterator[tuple[str, Random, Any, Any, Any]]:
    """Yield (place, generator, dfa, tokens, eos_id) of random cases."""
    print(f"OL_SEED={SEED}")
    for number in range(count):
        rng = Random(f"{SEED}/{name}/{number}")
        table, tokens = random_dfa(rng), random_tokens(rng)
        dfa = CONSTRAIN.Dfa(table.n_states, table.accept, table.trans)
        place = f"OL_SEED={SEED}, {name} {number}"
        yield place, rng, dfa, tokens, random_eos(rng, tokens)


# --- both tries


@pytest.mark.parametrize("arrays", [True, False], ids=["arrays", "dictionaries"])
def test_random_masks_are_what_the_rule_says(arrays: bool) -> None:
    found = 0
    for place, _, dfa, tokens, eos_id in cases(150, "mask"):
        with array_trie(arrays):
            index = CONSTRAIN.TokenIndex(dfa, tokens, eos_id)
            for state in range(dfa.n_states):
                expected = allowed(dfa, tokens, eos_id, state)
                found += len(expected)
                assert np.flatnonzero(index.mask(state)).tolist() == expected, place
                assert index.allowed_ids(state).tolist() == expected, place
    assert found > 3_000


@pytest.mark.parametrize("arrays", [True, False], ids=["arrays", "dictionaries"])
def test_random_targets_are_those_of_every_byte(arrays: bool) -> None:
    for place, _, dfa, tokens, eos_id in cases(60, "target"):
        expected = [
            [step(dfa, state, data) if data else DEAD for data in tokens]
            for state in range(dfa.n_states)
        ]
        with array_trie(arrays):
            index = CONSTRAIN.TokenIndex(dfa, tokens, eos_id)
            yours = [
                CONSTRAIN.token_targets(index, state).tolist()
                for state in range(dfa.n_states)
            ]
        assert yours == expected, place


@pytest.mark.parametrize("sparse", [0, 1, 8, 10**9], ids=str)
def test_when_to_follow_live_nodes_alone_changes_nothing(
    sparse: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MASKS, "SPARSE", sparse)
    for place, _, dfa, tokens, _ in cases(40, "sparse"):
        with array_trie(True):
            index = CONSTRAIN.TokenIndex(dfa, tokens, None)
            for state in range(dfa.n_states):
                expected = allowed(dfa, tokens, None, state)
                assert index.allowed_ids(state).tolist() == expected, place


def golden() -> Any:
    path = paths.fixtures() / "L10.9" / "constrain_golden.json"
    return json.loads(path.read_text("utf-8"))


def test_recorded_paths_by_the_array_trie() -> None:
    content = golden()
    tokens, eos_id = fixtures.read_vocabulary(content["masks"])
    tables = {e["pattern"]: e for e in content["patterns"]}
    tables |= {e["name"]: e for e in content["schemas"]}
    words, steps = CONSTRAIN.Vocabulary(tokens), 0
    with array_trie(True):
        for entry in content["masks"]["paths"]:
            table = fixtures.read_table(tables[entry["of"]])
            dfa = CONSTRAIN.Dfa(table.n_states, table.accept, table.trans)
            constraint = CONSTRAIN.Constraint(CONSTRAIN.TokenIndex(dfa, words, eos_id))
            for recorded in fixtures.read_steps(entry):
                ids = np.flatnonzero(constraint.mask()).tolist()
                assert ids == recorded.allowed, entry["of"]
                assert constraint.is_complete() == recorded.complete
                if recorded.token is not None:
                    constraint.advance(recorded.token)
                steps += 1
    assert steps > 300


# --- the real vocabulary

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}


@pytest.fixture(scope="module")
def large() -> Any:
    """The city over 131,072 tokens."""
    tekken = vocabularies.vocab("tekken")
    words = CONSTRAIN.Vocabulary(tekken.tokens)
    return CONSTRAIN.TokenIndex(CONSTRAIN.schema_to_dfa(CITY), words, tekken.eos_id)


def test_a_real_vocabulary_byte_by_byte(large: Any) -> None:
    for text in (b"", b'{"city":', b'{"city":"', b'{"city":"\xe6'):
        state = large.dfa.step(0, text)
        expected = allowed(large.dfa, large.vocab, large.eos_id, state)
        assert large.allowed_ids(state).tolist() == expected


def test_a_mask_of_a_real_vocabulary_is_quick(large: Any) -> None:
    """Generous: 5 ms and 0.5 µs on one quiet core (checker/bench/masks.py)."""
    large.mask(0)
    state = large.dfa.step(0, b'{"city":"\\')
    inside = large.dfa.step(0, b'{"city":"')
    started = time.perf_counter()
    large.mask(state), CONSTRAIN.token_targets(large, inside)
    assert time.perf_counter() - started < 0.5
    started = time.perf_counter()
    for _ in range(1_000):
        large.mask(state)
    assert time.perf_counter() - started < 0.1


# --- ending in time


def test_random_budgets_are_what_the_rule_says() -> None:
    narrower = 0
    for place, rng, dfa, tokens, eos_id in cases(150, "budget"):
        index = CONSTRAIN.TokenIndex(dfa, tokens, eos_id)
        for state in range(dfa.n_states):
            for left in (0, 1, 2, 3, 4, 6, rng.randint(5, 30), 10**8):
                expected = in_time(dfa, tokens, eos_id, state, left)
                mask = index.closing.mask(state, left)
                assert np.flatnonzero(mask).tolist() == expected, f"{place}: {left}"
                assert not mask.flags.writeable
                narrower += len(expected) < len(allowed(dfa, tokens, eos_id, state))
    assert narrower > 300


def test_shortest_completions_are_what_single_bytes_need() -> None:
    for place, _, dfa, tokens, eos_id in cases(100, "distance"):
        index = CONSTRAIN.TokenIndex(dfa, tokens, eos_id)
        expected = distances(dfa, tokens, eos_id)
        yours = [index.shortest_completion(state) for state in range(dfa.n_states)]
        assert yours == [-1 if d >= FAR else d for d in expected], place
        if expected[0] >= FAR:
            with pytest.raises(ValueError) as refused:
                index.require_completable()
            assert refused.value.kind == "vocabulary"  # type: ignore[attr-defined]
        else:
            index.require_completable()


def test_every_walk_that_can_end_in_time_does() -> None:
    ended = 0
    for place, rng, dfa, tokens, eos_id in cases(300, "walk"):
        end = 0 if eos_id is None else 1
        shortest = distances(dfa, tokens, eos_id)[0] + end
        if shortest >= FAR:
            continue
        index = CONSTRAIN.TokenIndex(dfa, tokens, eos_id)
        for budget in (shortest, shortest + 1, shortest + rng.randint(2, 9)):
            constraint = CONSTRAIN.Constraint(index, budget)
            for _ in range(budget):
                ids = np.flatnonzero(constraint.mask()).tolist()
                if not ids or constraint.done:
                    break
                constraint.advance(rng.choice(ids))
            assert constraint.is_complete(), f"{place}, budget {budget}"
            assert constraint.done or eos_id is None, f"{place}, budget {budget}"
            ended += 1
    assert ended > 300


def test_a_walk_refuses_exactly_what_its_mask_does() -> None:
    for place, rng, dfa, tokens, eos_id in cases(80, "advance"):
        index = CONSTRAIN.TokenIndex(dfa, tokens, eos_id)
        budget = rng.randint(1, 6)
        for token_id in range(-1, len(tokens) + 1):
            constraint = CONSTRAIN.Constraint(index, budget)
            ids = np.flatnonzero(constraint.mask()).tolist()
            try:
                constraint.advance(token_id)
            except ValueError as error:
                assert error.kind == "token", place  # type: ignore[attr-defined]
                assert token_id not in ids, f"{place}: {token_id}"
                assert (constraint.state, constraint.left) == (0, budget)
            else:
                assert token_id in ids, f"{place}: {token_id}"
                assert constraint.left == budget - 1


def ab(tokens: list[bytes | None], eos_id: int | None, pattern: str = "ab?") -> Any:
    return CONSTRAIN.TokenIndex(CONSTRAIN.regex_to_dfa(pattern), tokens, eos_id)


def test_with_enough_left_the_mask_is_the_shared_one() -> None:
    index = ab([b"a", b"b", None], 2, "(ab)*c?")
    constraint = CONSTRAIN.Constraint(index, 50)
    assert constraint.mask() is index.mask(0)
    constraint.advance(0)
    assert constraint.mask() is index.mask(constraint.state)


def test_one_token_left_where_the_output_may_end_is_eos_alone() -> None:
    index = ab([b"a", b"b", None], 2)
    constraint = CONSTRAIN.Constraint(index, 2)
    assert constraint.mask().tolist() == [True, False, False]
    constraint.advance(0)
    assert constraint.mask().tolist() == [False, False, True]
    constraint.advance(2)
    assert (constraint.done, constraint.left) == (True, 0)
    assert constraint.mask().tolist() == [False, False, True]  # and for ever after


def test_without_eos_the_last_token_is_one_of_the_text() -> None:
    constraint = CONSTRAIN.Constraint(ab([b"a", b"b", b"c"], None, "ab?|cb"), 1)
    assert constraint.mask().tolist() == [True, False, False]


def test_what_cannot_end_in_time_is_masked_as_without_a_budget() -> None:
    index = ab([b"a", b"b", None], 2, "aaa|b{9}")
    assert CONSTRAIN.Constraint(index, 3).mask() is index.mask(0)
    assert CONSTRAIN.Constraint(index, 4).mask().tolist() == [True, False, False]


def test_a_state_without_an_end_in_this_vocabulary_is_not_entered() -> None:
    index = ab([b"a", b"c"], None, "ab|c")
    assert CONSTRAIN.Constraint(index).mask().tolist() == [True, True]
    assert CONSTRAIN.Constraint(index, 100).mask().tolist() == [False, True]
    index.require_completable()
    with pytest.raises(ValueError, match="no output"):
        ab([b"a", b"c"], None, "ab").require_completable()


# --- what is shared, and how much of it


def test_a_vocabulary_has_one_trie_for_all_grammars() -> None:
    words = CONSTRAIN.Vocabulary([b"a", b"ab"])
    first, second = ab(words, None), ab(words, None, "a*")
    assert first.vocabulary is second.vocabulary is words
    assert words.trie is words.trie and words.levels is words.levels
    assert first.mask(0).tolist() == [True, True]
    assert second.mask(0).tolist() == [True, False]  # each grammar has its own masks


def test_the_store_is_bounded_and_the_least_recently_used_goes() -> None:
    kept = MASKS["Kept"](100)
    for key in "abc":
        kept.put(key, np.zeros(30, np.int8))
    kept.get("a")
    kept.put("d", np.zeros(30, np.int8))
    assert [key for key in "abcd" if kept.get(key) is not None] == ["a", "c", "d"]
    assert kept.nbytes == 90
    kept.put("large", np.zeros(500, np.int8))  # the newest stays, whatever its size
    assert [key for key in "acd" if kept.get(key) is not None] == []
    assert kept.get("large") is not None


def test_masks_of_all_grammars_together_stay_within_the_store() -> None:
    words = CONSTRAIN.Vocabulary([b"a"] * 1_000, most_bytes=20_000)
    for number in range(1, 30):
        index = ab(words, None, f"a{{{number}}}")
        for state in range(number + 1):
            assert index.mask(state).all() == (state < number)
    assert words.kept.nbytes <= 20_000


def test_a_dropped_index_is_gone() -> None:
    words = CONSTRAIN.Vocabulary([b"a"])
    index = ab(words, None)
    index.mask(0), index.allowed_ids(0), CONSTRAIN.Constraint(index, 5).mask()
    gone = weakref.ref(index)
    del index
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("tokens", [["a"], [1], [b"a", bytearray(b"b")], [b"a", ()]])
def test_a_malformed_vocabulary_is_refused(tokens: Any) -> None:
    with pytest.raises(ValueError, match="neither bytes nor None") as refused:
        CONSTRAIN.Vocabulary(tokens)
    assert refused.value.kind == "vocabulary"  # type: ignore[attr-defined]


def test_bugs_that_others_had_with_the_end() -> None:
    """After 7 in [0-9]([0-9]|) both a digit and EOS; `</s>` is no text for an EOS."""
    index = ab([b"7", b"</s>", None, b"<"], 2, "[0-9]([0-9]|)")
    constraint = CONSTRAIN.Constraint(index)
    constraint.advance(0)
    assert constraint.mask().tolist() == [True, False, True, False]
    markup = ab([b"<", b"</s>", None], 1, "<+(/s>)?")
    assert markup.mask(0).tolist() == [True, False, False]
    assert markup.mask(markup.next_state(0, 0)).tolist() == [True, True, False]
