"""The four functions that a notebook calls: draw, table, partition, compare."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ol.automata import (
    Difference,
    Malformed,
    explain_dfa,
    explain_language,
    kind_of,
    read,
)
from ol.dot.arrows import arrows_dot, read_arrows, state_names
from ol.dot.machines import dfa_dot, nfa_dot
from ol.dot.outline import outline_dot
from ol.dot.tree import NODE_NAMES, tree_dot
from ol.dot.trie import Walk, is_trie, trie_dot, trie_text, trie_words
from ol.forms import Dfa, Nfa
from ol.pictures.drawing import Comparison, Drawing
from ol.pictures.tables import FOLD, Table, dfa_table, nfa_table, tree_text
from ol.pictures.words import arrow_words, dfa_words, nfa_words, tree_words

STAGES = {
    "tree": "syntax tree",
    "nfa": "NFA",
    "dfa": "DFA, not minimized",
    "min": "smallest DFA",
}

PatternStages = Callable[[str, str], Any]
_reference: list[PatternStages] = []  # one or none: who turns a pattern into its stages


def set_reference(pattern_stages: PatternStages) -> None:
    """Say who turns a pattern into a tree or an automaton.

    `pattern_stages(pattern, stage)` returns the Node, Nfa or Dfa of a stage in "tree",
    "nfa", "dfa" and "min". A higher room calls this; drawing itself needs no reference.
    """
    _reference[:] = [pattern_stages]


def draw(
    x: Any,
    stage: str | None = None,
    highlight: Collection[Any] | None = None,
    title: str | None = None,
    *,
    outline: bool = False,
    walk: Walk | None = None,
) -> Drawing:
    """Draw a tree node, an Nfa, a Dfa, or a pattern (str) at a stage (default "min").

    `highlight`: numbers of states to point out. The object may come from any
    implementation; its class name and fields decide. A list of (from, label, to) is
    drawn as the machine that it tells, its states highlighted by name. So is a trie of
    tokens, its tokens highlighted by id; `walk`, a (dfa, state), goes over it.
    `outline`: a Dfa's runs of states without a choice become one arrow.

    Raises TypeError for what cannot be drawn, ValueError for an unknown stage, a stage
    without a pattern, or an automaton that is malformed (`ol.automata.Malformed`).
    """
    if isinstance(x, str):
        stage = stage or "min"
        machine = _from_pattern(x, stage)
        default = f"{x or '(empty pattern)'} – {STAGES[stage]}"
        title = default if title is None else title
        return draw(machine, None, highlight, title, outline=outline)
    if stage is not None:
        raise ValueError(f"a stage is for patterns (str); this is a {type(x).__name__}")
    if is_trie(x):
        dot = trie_dot(x, walk, {int(id) for id in highlight or ()})
        return Drawing(dot, trie_text(x, walk), trie_words(x, walk), title=title or "")
    if isinstance(x, list) and all(isinstance(arrow, tuple) for arrow in x):
        return _arrows(x, highlight or (), title or "")
    if type(x).__name__ in NODE_NAMES:
        if highlight:
            raise ValueError("highlight names states of automata; this is a tree")
        return Drawing(tree_dot(x), tree_text(x), tree_words(x), title=title or "")
    machine = _automaton(x)
    if outline and isinstance(machine, Dfa) and not highlight:
        return _drawing(machine, outline_dot(machine), title or "")
    marked = {int(state) for state in highlight or ()}
    build = nfa_dot if isinstance(machine, Nfa) else dfa_dot
    return _drawing(machine, build(machine, highlight=marked), title or "")


def _arrows(x: list[Any], highlight: Collection[str], title: str) -> Drawing:
    arrows = read_arrows(x)
    unknown = [name for name in highlight if name not in state_names(arrows)]
    if unknown:
        raise ValueError(f"no arrow leaves or reaches {unknown[0]!r}")
    rows = Table(("from", "by", "to"), arrows)
    dot, words = arrows_dot(arrows, highlight), arrow_words(arrows)
    return Drawing(dot, rows.text(), words, rows.html(0), title)


def table(dfa: Any) -> Drawing:
    """Show a Dfa's (or Nfa's) transition table alone, bytes in classes."""
    return _drawing(_automaton(_resolved(dfa)), "", "")


def partition(dfa: Any, blocks: Sequence[int], title: str | None = None) -> Drawing:
    """Draw a Dfa with the states of one block in one colour, line style and letter.

    `blocks` gives a block number, from 0, for every state. Raises ValueError otherwise.
    """
    machine = _automaton(dfa)
    if not isinstance(machine, Dfa):
        raise TypeError(
            f"a partition is of a Dfa's states; this is a {type(dfa).__name__}"
        )
    numbers = [int(block) for block in blocks]
    if len(numbers) != machine.n_states or min(numbers) < 0:
        raise ValueError(
            f"blocks must give a number from 0 for each of {machine.n_states} states, "
            f"not {len(numbers)} numbers from {min(numbers, default=0)}"
        )
    return _drawing(machine, dfa_dot(machine, blocks=numbers), title or "", numbers)


def compare(*, mine: Any, expected: Any) -> Comparison:
    """Show two automata side by side with the shortest string on which they differ.

    Two Dfas are compared table by table, anything else by language; a str is a pattern,
    its smallest DFA. Raises TypeError for what is no automaton.
    """
    yours, right = _automaton(_resolved(mine)), _automaton(_resolved(expected))
    tables = isinstance(yours, Dfa) and isinstance(right, Dfa)
    difference = (explain_dfa if tables else explain_language)(yours, right)
    if difference is None:
        verdict = "the same table" if tables else "the same language"
        dots = [_plain_dot(machine) for machine in (yours, right)]
    else:
        verdict = _verdict(difference)
        dots = [dot for _, dot in difference.pictures]
    drawings = (
        _drawing(yours, dots[0], "yours", fold=0),
        _drawing(right, dots[1], "expected", fold=0),
    )
    return Comparison(verdict, drawings, difference)


def _verdict(difference: Difference) -> str:
    lines = [
        f"yours     {difference.yours}",
        f"expected  {difference.expected}",
        difference.first_difference,
        difference.cause,
    ]
    return "\n".join(filter(None, lines))


def _plain_dot(machine: Nfa | Dfa) -> str:
    return nfa_dot(machine) if isinstance(machine, Nfa) else dfa_dot(machine)


def _drawing(
    machine: Nfa | Dfa,
    dot: str,
    title: str,
    blocks: Sequence[int] | None = None,
    fold: int = FOLD,
) -> Drawing:
    if isinstance(machine, Nfa):
        rows, words = nfa_table(machine), nfa_words(machine)
    else:
        rows, words = dfa_table(machine, blocks), dfa_words(machine)
    return Drawing(dot, rows.text(), words, rows.html(fold), title)


def _resolved(x: Any) -> Any:
    return _from_pattern(x, "min") if isinstance(x, str) else x


def _from_pattern(pattern: str, stage: str) -> Any:
    if stage not in STAGES:
        raise ValueError(f"stage must be one of {', '.join(STAGES)}, not {stage!r}")
    if not _reference:
        raise RuntimeError("drawing a pattern needs the reference; none is set")
    return _reference[0](pattern, stage)


def _automaton(x: Any) -> Nfa | Dfa:
    try:
        kind_of(x)
    except Malformed as error:
        raise TypeError(
            f"can draw a tree node ({', '.join(NODE_NAMES)}), an Nfa, a Dfa "
            f"or a pattern (str), not a {type(x).__name__}"
        ) from error
    return read(x)
