"""Machines whose states have names: drawn, told in words, and as a table."""

from __future__ import annotations

import pytest

from ol.dot.arrows import arrows_dot, read_arrows
from ol.pictures import draw

ARROWS = [
    ("text", "<tool_call>", "header"),
    ("header", '"arguments":{', "arguments"),
    ("header", "no \\ & call", "text"),
    ("header", "cut", "text"),
]


def test_a_drawing_has_every_state_and_arrow() -> None:
    drawing = draw(ARROWS, highlight={"header"}, title="states")
    assert drawing.svg is None or "header" in drawing.svg
    for word in ("text", "header", "arguments", "<tool_call>", "no \\ & call"):
        assert word in drawing.text and word in drawing.alt
    assert drawing.alt.startswith("Machine that starts in text")


def test_arrows_between_the_same_states_share_a_line() -> None:
    dot = arrows_dot(ARROWS)
    assert dot.count("q1 -> q0") == 1
    assert "by no \\\\ &amp; call or by cut to text" in dot
    assert dot == arrows_dot(list(ARROWS))


def test_a_highlighted_state_is_one_in_words_too() -> None:
    assert "state header, highlighted" in arrows_dot(ARROWS, {"header"})
    assert "highlighted" not in arrows_dot(ARROWS)
    with pytest.raises(ValueError, match="no arrow leaves or reaches 'tail'"):
        draw(ARROWS, highlight={"tail"})


@pytest.mark.parametrize("wrong", [[], [("a", "b")], ["abc"], [("a", 1, "b")]])
def test_what_is_no_list_of_arrows_is_refused(wrong: list[object]) -> None:
    with pytest.raises(TypeError, match="arrow"):
        read_arrows(wrong)
