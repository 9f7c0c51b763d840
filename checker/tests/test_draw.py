"""Drawings: labels, DOT source, SVG, tables, and what happens without Graphviz."""

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

from ol import automata
from ol.dot.graph import block_letter, quote
from ol.dot.labels import byte_label, character_label, ranges
from ol.forms import (
    DEAD,
    Bytes,
    Characters,
    Choice,
    Dfa,
    Nfa,
    Node,
    Repeat,
    Sequence,
    dfa,
)
from ol.pictures import (
    Drawing,
    compare,
    dfa_dot,
    draw,
    layout,
    nfa_dot,
    partition,
    render,
    set_reference,
    table,
    tree_dot,
)

ABSENT = "no Graphviz here"
SVG = "{http://www.w3.org/2000/svg}"

CATS = dfa(
    {0: {"c": 1, "d": 2}, 1: {"a": 3}, 2: {"o": 4}, 3: {"rt": 5}, 4: {"g": 5},
     5: {"s": 6}},
    accept={5, 6},
)  # fmt: skip
AB = Nfa(
    start=0,
    accept=5,
    edges=(((frozenset(b"a"), 1),), (), ((frozenset(b"b"), 3),), (), (), ()),
    epsilon=((), (2, 4), (), (5,), (5,), ()),
)


def letter(character: str) -> Bytes:
    return Bytes(frozenset(character.encode()))


def word(text: str) -> Sequence:
    return Sequence(tuple(map(letter, text)))


TREE = Sequence(
    (Choice((word("cat"), word("car"), word("dog"))), Repeat(letter("s"), 0, 1))
)


def chain(n_states: int) -> Dfa:
    """a{n-1}, and from every state but the last a way back to the start by `b`."""
    return dfa({q: {"a": q + 1, "b": 0} for q in range(n_states - 1)}, {n_states - 1})


@pytest.fixture
def no_dot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OL_NO_DOT", "1")


def svg_of(drawing: Drawing) -> str:
    if drawing.svg is None:
        pytest.skip(ABSENT)
    return drawing.svg


# ---- labels --------------------------------------------------------------------------


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


# ---- DOT source ----------------------------------------------------------------------


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


# ---- SVG -----------------------------------------------------------------------------


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


# ---- without Graphviz ----------------------------------------------------------------


def test_no_dot_leaves_the_table(no_dot: None) -> None:
    drawing = draw(CATS)
    assert drawing.svg is None
    assert "<img" not in drawing.html
    assert "<table" in drawing.html
    assert "table instead of a picture" in drawing.html
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


# ---- what a notebook shows -----------------------------------------------------------


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


# ---- draw, partition, compare --------------------------------------------------------


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
