"""The steps of the algorithms, compared with what one works out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ol.automata import accepts, read_nfa
from ol.forms import DEAD, Dfa, Nfa, dfa
from ol.stages import pattern_stage
from ol.steppers.traces import (
    Cell,
    Met,
    MooreTrace,
    Split,
    TooLarge,
    example,
    moore_trace,
    subset_trace,
)

PATTERNS = ["ab?", "a{4}", "(a|b)*abb", "(cat|car|dog)s?", "(ab)*", "a*", "", "[ab]{9}"]


def nfa(pattern: str) -> Nfa:
    return read_nfa(pattern_stage(pattern, "nfa"))


def raw(pattern: str) -> Dfa:
    return subset_trace(nfa(pattern), 200).dfa


def moore(pattern: str) -> MooreTrace:
    return moore_trace(raw(pattern))


def letters(text: str) -> frozenset[int]:
    return frozenset(text.encode())


@pytest.mark.parametrize("pattern", PATTERNS)
def test_both_end_in_the_tables_of_the_reference(pattern: str) -> None:
    for mine, stage in ((raw(pattern), "dfa"), (moore(pattern).smallest, "min")):
        right = pattern_stage(pattern, stage)
        assert np.array_equal(mine.trans, right.trans)
        assert np.array_equal(mine.accept, right.accept)


def test_subsets_of_ab_by_hand() -> None:
    trace = subset_trace(nfa("ab?"), 200)
    assert trace.columns == (letters("a"), letters("b"))
    assert trace.sets == ((0,), (1, 2, 4, 5), (3, 5))
    assert trace.cells == (Cell(0, 0, (1,), 1, True), Cell(1, 1, (3,), 2, True))


def test_subsets_of_abb_by_hand() -> None:
    trace = subset_trace(nfa("(a|b)*abb"), 200)
    assert trace.sets[0] == (0, 2, 4, 6, 7, 8)
    assert trace.sets[1] == (0, 1, 2, 4, 5, 7, 8, 9, 10)
    targets = [(cell.row, cell.column, cell.target) for cell in trace.cells]
    by_row = [(1, 2), (1, 3), (1, 2), (1, 4), (1, 2)]
    assert targets == [(q, c, row[c]) for q, row in enumerate(by_row) for c in (0, 1)]
    assert [c.target for c in trace.cells if c.is_new] == [1, 2, 3, 4]


def test_subsets_of_cats_share_what_the_nfa_had_twice() -> None:
    trace = subset_trace(nfa("(cat|car|dog)s?"), 200)
    assert len(trace.sets) == 9
    assert len(trace.cells) == 10  # one per live edge and class
    assert trace.cells[0].moved == (1, 7)  # both guesses after c


def test_four_places_for_a_four() -> None:
    trace = subset_trace(nfa("a{4}"), 200)
    assert [(c.row, c.target) for c in trace.cells] == [(0, 1), (1, 2), (2, 3), (3, 4)]


def test_there_is_a_limit() -> None:
    with pytest.raises(TooLarge, match="more than 100"):
        subset_trace(nfa("(a|b)*a(a|b){12}"), 100)


def test_a_set_that_leads_nowhere_is_a_state_and_the_empty_one_is_not() -> None:
    trace = subset_trace(nfa(r"b|a[^\s\S]"), 200)
    assert [cell.target for cell in trace.cells] == [1, 2]
    assert len(trace.sets) == 3


def test_rounds_of_four_by_hand() -> None:
    rounds = moore("a{4}").rounds
    assert [one.before for one in rounds] == [
        (0, 0, 0, 0, 1), (0, 0, 0, 1, 2), (0, 0, 1, 2, 3), (0, 1, 2, 3, 4),
    ]  # fmt: skip
    assert rounds[0].splits == (Split(0, 0, ((0, 1, 2), (3,))),)
    assert rounds[2].splits == (Split(0, 0, ((0,), (1,))),)
    assert rounds[3].splits == ()


def test_rounds_of_abb_by_hand() -> None:
    trace = moore("(a|b)*abb")
    assert [one.splits for one in trace.rounds] == [
        (Split(0, 1, ((0, 1, 2), (3,))),),
        (Split(0, 1, ((0, 2), (1,))),),
        (),
    ]
    assert trace.blocks == (0, 1, 0, 2, 3)
    assert trace.met == (Met(0), Met(1, 0, 0), Met(2, 1, 1), Met(3, 2, 1))


def test_one_round_is_enough_for_cats() -> None:
    trace = moore("(cat|car|dog)s?")
    first, last = trace.rounds
    assert [(split.block, split.parts) for split in first.splits] == [
        (0, ((0,), (1,), (2,), (3,), (4,))),
        (1, ((5, 6, 7), (8,))),
    ]
    assert trace.columns[first.splits[1].column] == letters("s")
    assert last.splits == ()
    assert trace.blocks == (0, 1, 2, 3, 4, 5, 5, 5, 6)
    assert len(trace.met) == 7


def test_blocks_are_numbered_by_their_first_state_from_the_beginning() -> None:
    assert moore("(ab)*").rounds[0].before == (0, 1, 0)  # the start accepts: block 0


def test_what_is_useless_is_removed_and_stands_in_no_block() -> None:
    machine = dfa({0: {"a": 1, "b": 2, "c": 3}, 3: {"a": 3}, 4: {"a": 1}}, {1, 2})
    trace = moore_trace(machine)
    assert trace.removed == {
        3: "no string leads on to acceptance",
        4: "no string leads to it",
    }
    assert trace.columns == (letters("a"), letters("b"))  # c led to state 3 only
    assert trace.targets == ((1, 2), *[(DEAD, DEAD)] * 4)
    assert trace.blocks == (0, 1, 1, DEAD, DEAD)
    assert trace.smallest.n_states == 2


def test_a_dead_start_is_refused() -> None:
    with pytest.raises(ValueError, match="no string is accepted"):
        moore_trace(dfa({0: {"a": 0}}, accept=()))


@pytest.mark.parametrize(
    ("pattern", "string"),
    [("(cat|car|dog)s?", b"cars"), ("a{4}", b"aaaa"), ("ab?", b"ab"), ("", b"")],
)
def test_an_example_sees_many_states(pattern: str, string: bytes) -> None:
    assert example(raw(pattern)) == string


@pytest.mark.parametrize("pattern", [*PATTERNS, r"\x00[\x80-\xff]{3}", r"b|a[^\s\S]"])
def test_an_example_is_accepted_and_short(pattern: str) -> None:
    machine = raw(pattern)
    assert accepts(machine, example(machine))
    assert len(example(machine)) <= 24 + machine.n_states


def test_where_nothing_is_accepted_the_example_is_empty() -> None:
    assert example(dfa({0: {"a": 0}}, accept=())) == b""
