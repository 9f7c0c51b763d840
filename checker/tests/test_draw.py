"""SVG, fallbacks, and what a notebook shows."""

from __future__ import annotations

import base64
import re
import stat
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drawing_samples import AB, CATS, SVG, TREE, chain, svg_of, word
from ol import automata
from ol.dot.labels import byte_label
from ol.forms import (
    DEAD,
    Characters,
    Dfa,
    Repeat,
    dfa,
)
from ol.pictures import (
    compare,
    draw,
    layout,
    partition,
    render,
    set_reference,
    table,
)


def test_svg_is_well_formed_and_titled() -> None:
    root = ET.fromstring(svg_of(draw(CATS)))
    titles = {
        group.get("id"): group.findtext(f"{SVG}title")
        for group in root.iter(f"{SVG}g")
        if group.get("class") in ("node", "edge")
    }
    assert titles["q5"] == "state 5, accepting"
    assert titles["q0"] == "state 0, start"
    assert titles["e3_5"] == "from 3 by [rt] to 5"
    assert not list(root.iter(f"{SVG}a"))
    assert "<!--" not in svg_of(draw(CATS))


@pytest.mark.parametrize("character", list('"\\&<>;[]{}|\n\t é') + ["\x00"])
def test_every_label_survives(character: str) -> None:
    value = character.encode("latin-1")[0]
    root = ET.fromstring(svg_of(draw(dfa({0: {character: 1}}, {1}))))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert f" {byte_label({value})} " in texts


def test_entities_are_no_entities() -> None:
    machine = dfa({0: {"&": 1}, 1: {"lt;": 1}}, {1})
    texts = [t.text for t in ET.fromstring(svg_of(draw(machine))).iter(f"{SVG}text")]
    assert {" & ", " [;lt] "} <= set(texts)


def test_drawings_are_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    for thing in (TREE, AB, CATS):
        first, second = draw(thing), draw(thing)
        assert first.dot == second.dot
        before = svg_of(first)
        layout._run.cache_clear()
        assert second.svg == before
        assert first.html == second.html


def test_small_pictures_are_not_blown_up_and_large_ones_shrink() -> None:
    svg_of(draw(CATS))
    widths = [
        int(re.search(r'style="width:(\d+)px', draw(machine).html)[1])  # type: ignore
        for machine in (CATS, chain(30))
    ]
    assert widths[0] < 600
    assert widths[1] == 900


def test_no_dot_leaves_the_table(no_dot: None) -> None:
    drawing = draw(CATS)
    assert drawing.svg is None
    assert "<img" not in drawing.html
    assert "<table" in drawing.html
    assert "No Graphviz here" in drawing.html
    assert "<pre>" in draw(TREE).html  # a tree has no table: its text
    assert render("digraph {}") is None
    with pytest.raises(ValueError, match="no Graphviz"):
        drawing.save("x.svg")
    assert "<details open>" in draw(chain(20)).html


def program(folder: Path, text: str) -> str:
    path = folder / "dot"
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(folder)


@pytest.mark.parametrize(
    "text",
    [
        "raise SystemExit(1)",
        "print('not svg')",
        "import sys; sys.stdout.buffer.write(b'\\xff<svg></svg>')",
        "import time; time.sleep(60)",
        "import os; os.abort()",
    ],
)
def test_a_broken_program_is_no_error(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OL_NO_DOT", raising=False)
    monkeypatch.setattr(layout, "_wheel_program", lambda: None)
    monkeypatch.setattr(layout, "SECONDS", 0.5)
    monkeypatch.setenv("PATH", program(tmp_path, text))
    assert render("digraph { a }") is None


def test_a_dot_on_the_path_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OL_NO_DOT", raising=False)
    monkeypatch.setattr(layout, "_wheel_program", lambda: "/nowhere/at/all")
    monkeypatch.setenv("PATH", program(tmp_path, "print('<svg width=\"9pt\"></svg>')"))
    assert render("digraph { b }") == '<svg width="9pt"></svg>\n'


def test_mime_bundle() -> None:
    drawing = draw(CATS, title="a <title>")
    bundle = drawing._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/html"] == drawing._repr_html_()
    assert "a &lt;title&gt;" in bundle["text/html"]
    svg = svg_of(drawing)
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', drawing.html)
    assert data is not None
    assert base64.b64decode(data[1]).decode() == svg


def test_alt_text_tells_the_automaton() -> None:
    assert draw(CATS).alt == (
        "Deterministic automaton with 7 states; start 0; accepting 5, 6. "
        "From 0: c to 1, d to 2. From 1: a to 3. From 2: o to 4. From 3: [rt] to 5. "
        "From 4: g to 5. From 5: s to 6."
    )
    assert draw(AB).alt.startswith(
        "Nondeterministic automaton with 6 states; start 0; accepting 5. "
        "From 0: a to 1. From 1: ε to 2, ε to 4."
    )
    assert draw(Repeat(word("ab"), 0, 1)).alt == (
        "Syntax tree of 4 nodes: repeat ? (sequence (a, b))."
    )


def test_text_table() -> None:
    assert table(CATS).text.splitlines() == [
        "state         a  c  d  g  o  [rt]  s",
        "0, start      ·  1  2  ·  ·  ·     ·",
        "1             3  ·  ·  ·  ·  ·     ·",
        "2             ·  ·  ·  ·  4  ·     ·",
        "3             ·  ·  ·  ·  ·  5     ·",
        "4             ·  ·  ·  5  ·  ·     ·",
        "5, accepting  ·  ·  ·  ·  ·  ·     6",
        "6, accepting  ·  ·  ·  ·  ·  ·     ·",
        "· no edge (DEAD)",
    ]
    assert table(CATS).dot == ""
    assert "<img" not in table(CATS).html


def test_wide_tables_list_their_edges_in_80_columns() -> None:
    edges = {0: {chr(97 + n): n + 1 for n in range(26)}}
    lines = draw(dfa(edges, {26})).text.splitlines()
    assert lines[0].split() == ["state", "edges"]
    assert lines[1].startswith("0, start       a → 1   b → 2   c → 3")
    assert max(map(len, lines)) <= 80
    assert "z → 26" in "\n".join(lines)


def test_long_tables_are_folded_and_cut() -> None:
    assert "<details" not in table(chain(12)).html
    assert "<details open><summary>table of 13 rows" in table(chain(13)).html
    drawing = draw(chain(13))
    if drawing.svg is not None:
        assert "<details><summary>table of 13 rows" in drawing.html
    lines = table(chain(1_230)).text.splitlines()
    assert (len(lines), lines[-1]) == (32, "… and 1,200 more states")


def test_save(tmp_path: Path) -> None:
    drawing = draw(CATS, title="cats")
    for suffix in (".dot", ".txt", ".html"):
        drawing.save(tmp_path / f"x{suffix}")
    assert (tmp_path / "x.dot").read_text() == drawing.dot
    assert (tmp_path / "x.txt").read_text() == drawing.text
    assert "<title>cats</title>" in (tmp_path / "x.html").read_text()
    svg_of(drawing)
    drawing.save(tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    with pytest.raises(ValueError, match=r"must end in \.svg, \.html, \.dot, \.txt"):
        drawing.save(tmp_path / "x.png")


@dataclass
class Machine:
    """Some implementation's Dfa under another name."""

    n_states: int
    accept: Any
    trans: Any


def test_any_implementation_is_drawn() -> None:
    other = Machine(7, CATS.accept.tolist(), CATS.trans.astype(np.int64).tolist())
    assert draw(other).dot == draw(CATS).dot
    assert draw(Characters(((233, 233),))).text == "é"


@pytest.mark.parametrize("thing", [3, None, [1], {"a": 1}, b"ab"])
def test_other_things_are_a_type_error(thing: Any) -> None:
    with pytest.raises(TypeError, match=r"can draw a tree node .*, an Nfa, a Dfa"):
        draw(thing)
    with pytest.raises(TypeError):
        table(thing)


def test_malformed_automata_are_named() -> None:
    trans = CATS.trans.copy()
    trans[3, 103] = 9
    with pytest.raises(automata.Malformed, match=r"trans\[3, 103\] \(byte g\) is 9"):
        draw(Dfa(7, CATS.accept, trans))


def test_patterns_go_to_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def pattern_stages(pattern: str, stage: str) -> Any:
        asked.append((pattern, stage))
        return {"tree": TREE, "nfa": AB}.get(stage, CATS)

    monkeypatch.setattr("ol.pictures.show._reference", [])
    with pytest.raises(RuntimeError, match="needs the reference"):
        draw("ab?")
    set_reference(pattern_stages)
    assert draw("ab?", stage="tree").text.startswith("sequence")
    assert draw("ab?", "nfa", highlight={1}).title == "ab? – NFA"
    assert draw("ab?", title="mine").title == "mine"
    assert compare(mine="ab?", expected=CATS).same
    assert asked == [(("ab?"), stage) for stage in ("tree", "nfa", "min", "min")]
    with pytest.raises(ValueError, match="stage must be one of tree, nfa, dfa, min"):
        draw("ab?", stage="minimal")


def test_a_stage_needs_a_pattern_and_a_highlight_an_automaton() -> None:
    with pytest.raises(ValueError, match="a stage is for patterns"):
        draw(CATS, stage="min")
    with pytest.raises(ValueError, match="highlight names states"):
        draw(TREE, highlight={1})


def test_partition_checks_its_blocks() -> None:
    with pytest.raises(ValueError, match="for each of 7 states, not 2 numbers"):
        partition(CATS, [0, 1])
    with pytest.raises(ValueError, match="from 0"):
        partition(CATS, [0, 1, 2, 3, 4, 5, -1])
    with pytest.raises(TypeError, match="a Dfa's states"):
        partition(AB, [0] * 6)
    blocks = np.array([0, 1, 1, 2, 2, 3, 3])
    assert "6, accepting, block D" in partition(CATS, blocks).text  # type: ignore


def test_compare() -> None:
    same = compare(mine=CATS, expected=CATS)
    assert same.same
    assert same.verdict == "the same table"
    assert compare(mine=AB, expected=AB).verdict == "the same language"
    trans = CATS.trans.copy()
    trans[3, ord("t")] = DEAD
    found = compare(mine=Dfa(7, CATS.accept, trans), expected=CATS)
    assert not found.same
    assert found.text.startswith('yours     refuses "cat"\nexpected  accepts "cat"\n')
    assert "e3_5_wrong" in found.drawings[1].dot
    assert found.html.count("<details") == 2
    assert "text/html" in found._repr_mimebundle_()


def test_compare_saves(tmp_path: Path) -> None:
    both = compare(mine=AB, expected=dfa({0: {"a": 1}}, {1}))
    both.save(tmp_path / "x.html")
    assert "refuses &quot;ab&quot;" in (tmp_path / "x.html").read_text()
    with pytest.raises(ValueError, match=r"must end in \.html, \.txt"):
        both.save(tmp_path / "x.svg")
