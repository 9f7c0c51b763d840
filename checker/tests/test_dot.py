"""Labels and DOT source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from drawing_samples import AB, CATS, TREE, chain, letter, svg_of
from ol.dot.graph import block_letter, quote
from ol.dot.labels import byte_label, character_label, ranges
from ol.forms import (
    Choice,
    Nfa,
    Node,
    Repeat,
    Sequence,
    dfa,
)
from ol.pictures import (
    dfa_dot,
    draw,
    nfa_dot,
    partition,
    tree_dot,
)


@pytest.mark.parametrize(
    ("values", "label"),
    [
        (b"a", "a"),
        (b" ", "␣"),
        (b"\n", "\\n"),
        (b"\\", "\\\\"),
        (b'"', '"'),
        (b"]", "]"),
        (b"\x00", "\\x00"),
        (b"\x7f", "\\x7f"),
        (b"\xc3", "\\xc3"),
        (b"rt", "[rt]"),
        (b"abc", "[a-c]"),
        (range(97, 123), "[a-z]"),
        (b"0123456789abcdefABCDEF", "[0-9A-Fa-f]"),
        (b" \t\n\r", "[\\t\\n\\r␣]"),
        (b"]-^\\a", "[\\-\\\\-\\^a]"),
        (range(0x80, 0xC0), "[\\x80-\\xbf]"),
        (set(range(256)) - {34}, '[^"]'),
        (set(range(256)) - {10}, "[^\\n]"),
        (set(range(256)) - {34, 92}, '[^"\\\\]'),
        (range(256), "any byte"),
        (b"", "no byte"),
    ],
)
def test_byte_label(values: Any, label: str) -> None:
    assert byte_label(frozenset(values)) == label


def test_labels_read_back_as_the_same_set() -> None:
    rng = np.random.default_rng(7)
    for _ in range(300):
        values = frozenset(rng.integers(0, 256, rng.integers(2, 200)).tolist())
        if len(values) < 2:
            continue
        pattern = byte_label(values, None).replace("␣", " ").replace("[^", "[^", 1)
        matcher = re.compile(_escaped_brackets(pattern).encode("latin-1"))
        read = {value for value in range(256) if matcher.fullmatch(bytes([value]))}
        assert read == values, pattern


def _escaped_brackets(pattern: str) -> str:
    """Python warns of a `[` inside a set; nothing else differs from its notation."""
    opener = "[^" if pattern.startswith("[^") else "["
    return opener + pattern[len(opener) :].replace("[", "\\[")


def test_long_labels_are_cut() -> None:
    label = byte_label(frozenset(range(0, 256, 5)), 20)
    assert label.endswith("…]")
    assert len(label) <= 22


def test_character_label() -> None:
    assert character_label(((0xE0, 0xFC),)) == "[à-ü]"
    assert character_label(((233, 233),)) == "é"
    everything_but_newline = ((0, 9), (11, 0xD7FF), (0xE000, 0x10FFFF))
    assert character_label(everything_but_newline) == "[^\\n]"
    assert character_label(((0x2028, 0x2028),)) == "\\u2028"


def test_ranges() -> None:
    assert ranges([]) == []
    assert ranges({1, 2, 3, 9, 11, 10}) == [(1, 3), (9, 11)]


def test_quote_and_block_letter() -> None:
    assert quote('a"\\N&') == '"a\\"\\\\N&amp;"'
    letters = [block_letter(n) for n in (0, 25, 26, 51, 52, 701, 702)]
    assert letters == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def node_lines(dot: str) -> list[str]:
    return re.findall(r"^  (q\d+) \[", dot, re.MULTILINE)


def edge_lines(dot: str) -> list[tuple[str, str]]:
    return re.findall(r'^  (q\d+ -> q\d+) \[label=" (.*?) "', dot, re.MULTILINE)


def test_dfa_has_seven_arrows() -> None:
    dot = dfa_dot(CATS)
    assert node_lines(dot) == ["q0", "q1", "q2", "q3", "q4", "q5", "q6"]
    assert edge_lines(dot) == [
        ("q0 -> q1", "c"), ("q0 -> q2", "d"), ("q1 -> q3", "a"), ("q2 -> q4", "o"),
        ("q3 -> q5", "[rt]"), ("q4 -> q5", "g"), ("q5 -> q6", "s"),
    ]  # fmt: skip
    assert dot.count('shape="doublecircle"') == 2
    assert 'tooltip="state 5, accepting"' in dot
    assert "start -> q0" in dot


def test_states_come_breadth_first() -> None:
    renamed = dfa({0: {"a": 3, "b": 1}, 3: {"a": 2}}, accept={1, 2})
    assert node_lines(dfa_dot(renamed)) == ["q0", "q3", "q1", "q2"]


def test_nfa_edges_and_epsilon() -> None:
    dot = nfa_dot(AB, highlight={1})
    assert edge_lines(dot) == [
        ("q0 -> q1", "a"), ("q1 -> q2", "ε"), ("q1 -> q4", "ε"), ("q2 -> q3", "b"),
        ("q4 -> q5", "ε"), ("q3 -> q5", "ε"),
    ]  # fmt: skip
    assert dot.count('style="dotted"') == 4
    assert 'tooltip="state 1, highlighted"' in dot
    assert 'id="e1_2_epsilon"' in dot


def test_fragment_with_an_unreachable_accept() -> None:
    loose = Nfa(2, 3, ((), (), ((frozenset(b"a"), 1),), ()), ((), (), (), ()))
    assert node_lines(nfa_dot(loose)) == ["q2", "q1", "q0", "q3"]
    assert svg_of(draw(loose)).count("<ellipse") == 5


def test_parallel_edges_of_an_nfa_are_one_arrow() -> None:
    edges = (((frozenset(b"a"), 1), (frozenset(b"b"), 1)), ())
    assert edge_lines(nfa_dot(Nfa(0, 1, edges, ((1,), ())))) == [
        ("q0 -> q1", "[ab]"),
        ("q0 -> q1", "ε"),
    ]


def test_dashed_bytes_are_an_arrow_of_their_own() -> None:
    dot = dfa_dot(CATS, dashed_edges={(3, ord("t"))}, dashed_states={4})
    assert ("q3 -> q5", "r") in edge_lines(dot)
    assert ("q3 -> q5", "t") in edge_lines(dot)
    assert 'id="e3_5_wrong", style="dashed"' in dot
    assert 'tooltip="state 4, the difference"' in dot


def test_blocks_have_letter_colour_and_line() -> None:
    dot = partition(CATS, [0, 1, 1, 2, 2, 3, 3]).dot
    assert 'label="2\\nB"' in dot
    assert 'tooltip="state 5, accepting, block D"' in dot
    looks = re.findall(r'fillcolor="(#\w+)", style="filled,(\w+)"', dot)
    assert len(set(looks)) == 4


def test_large_automata_show_a_neighbourhood() -> None:
    assert len(node_lines(dfa_dot(chain(40)))) == 40
    dot = dfa_dot(chain(1_230))
    assert node_lines(dot) == [f"q{state}" for state in range(30)]
    assert 'label="… and 1,200 more states"' in dot
    assert "q29 -> more" in dot
    far = dfa_dot(chain(100), highlight={70}, dashed_edges={(70, ord("a"))})
    assert node_lines(far)[-2:] == ["q70", "q71"]
    assert ("q70 -> q71", "a") in edge_lines(far)


def test_tree_dot() -> None:
    dot = tree_dot(TREE)
    labels = re.findall(r'^  n\d+ \[id="n\d+", label="(.*?)"', dot, re.MULTILINE)
    assert labels == [
        "sequence", "choice", "repeat ?", "sequence", "sequence", "sequence", "s",
        *"catcardog",
    ]  # fmt: skip
    assert dot.count("arrowhead") == 15


@pytest.mark.parametrize(
    ("least", "most", "text"),
    [(0, 1, "?"), (0, None, "*"), (1, None, "+"), (4, 4, "{4}"), (2, 5, "{2,5}"),
     (2, None, "{2,}"), (0, 3, "{0,3}")],
)  # fmt: skip
def test_repeat_is_shown_as_written(least: int, most: int | None, text: str) -> None:
    dot = tree_dot(Repeat(letter("a"), least, most))
    assert f'label="repeat {text}"' in dot


def test_deep_and_large_trees() -> None:
    deep: Node = letter("a")
    for _ in range(5_000):
        deep = Repeat(deep, 0, None)
    drawing = draw(deep)
    assert 'label="… and 4,956 more nodes"' in drawing.dot
    assert drawing.alt == "Syntax tree of 5,001 nodes."
    assert drawing.text.endswith("… and 4,941 more nodes")


def test_half_written_trees_are_drawn() -> None:
    @dataclass
    class Bytes:
        value: int  # the wrong field name

    broken = Sequence(("a", Bytes(97), Choice(None)))  # type: ignore[arg-type]
    text = draw(broken).text
    assert text.splitlines() == [
        "sequence",
        "  not a node: a",
        "  broken Bytes",
        "  choice",
        "    not a node: None",
    ]
