"""Tries: every node drawn, in words, and what a walk prunes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from typing import Any

import pytest

from drawing_samples import SVG, svg_of
from ol.dot.trie import prefixes
from ol.forms import dfa
from ol.hand import PETS
from ol.pictures import draw

CATS = dfa(PETS, {5, 6})


@dataclass
class TrieNode:
    """The notebook's class in small; the drawing looks at its fields only."""

    children: dict[int, Any] = field(default_factory=dict)
    ids: list[int] = field(default_factory=list)


def trie(*tokens: str) -> TrieNode:
    root = TrieNode()
    for number, token in enumerate(tokens):
        node = root
        for byte in token.encode():
            node = node.children.setdefault(byte, TrieNode())
        node.ids.append(number)
    return root


SMALL = trie("c", "cow", "ca", "dot", "c")


def titles(drawing: Any) -> dict[str | None, str | None]:
    root = ET.fromstring(svg_of(drawing))
    groups = (g for g in root.iter(f"{SVG}g") if g.get("class") in ("node", "edge"))
    return {group.get("id"): group.findtext(f"{SVG}title") for group in groups}


def test_nodes_are_in_level_order_with_all_their_tokens() -> None:
    found = prefixes(SMALL)
    assert [p.data for p in found] == [b"", b"c", b"d", b"ca", b"co", b"do", b"cow",
                                       b"dot"]  # fmt: skip
    assert [p.parent for p in found] == [-1, 0, 0, 1, 1, 2, 4, 5]
    assert found[1].ids == (0, 4)
    assert titles(draw(SMALL))["n1"] == '"c", token 0, 4'


def test_a_walk_shows_states_and_what_it_prunes() -> None:
    drawing = draw(SMALL, walk=(CATS, 0))
    told = titles(drawing)
    assert told["n3"] == '"ca", token 2, state 3'
    assert told["n4"] == '"co", dead: pruned'
    assert told["n6"] == '"cow", token 1, never looked at'
    assert told["n7"] == '"dot", token 3, dead: pruned'
    assert drawing.alt == (
        "Trie of 5 tokens with 8 nodes. Walk from state 0; pruned at "
        '"co", "dot"; never looked at: 1.'
    )
    assert drawing.dot.count('style="dashed"') == 3


def test_tokens_are_highlighted_in_words_too() -> None:
    told = titles(draw(SMALL, highlight=[2]))
    assert told["n3"] == '"ca", token 2, highlighted'
    assert told["n1"] == '"c", token 0, 4'


def test_without_a_picture_there_are_lines(no_dot: None) -> None:
    drawing = draw(SMALL, walk=(CATS, 1))
    assert "<pre>" in drawing.html
    assert drawing.text.splitlines()[:2] == [
        "root, state 1",
        '  "c", token 0, 4, dead: pruned',
    ]


@pytest.mark.parametrize("byte", [0, 34, 92, 38, 128, 255])
def test_every_byte_can_be_a_branch(byte: int) -> None:
    drawing = draw(TrieNode({byte: TrieNode(ids=[0])}))
    assert "e0_1" in titles(drawing)


def test_a_large_trie_is_cut_and_says_so() -> None:
    drawing = draw(trie(*(f"{n:03}" for n in range(500))))
    assert "more nodes" in drawing.dot and "more nodes" in drawing.text
    assert drawing.dot.count("tooltip=") < 120
