"""Transition tables and trees as text (80 columns) and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from ol.automata import byte_classes
from ol.dot.graph import block_letter
from ol.dot.labels import byte_label
from ol.dot.machines import LIMIT, SHOWN, breadth_first, dfa_edges, nfa_edges
from ol.dot.tree import describe, walk
from ol.forms import Dfa, Nfa

WIDTH = 80
FOLD = 12  # a table of more rows is folded in a notebook
MANY = 14  # a table of more byte classes lists its edges instead of a grid
NO_EDGE = "·"
GAP = "   "  # between the edges in one cell
CELL = "padding:1px 7px;text-align:left;font-family:monospace"


@dataclass(frozen=True)
class Table:
    """Rows under a head; `more` says what is left out, `note` explains signs."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    more: str = ""
    note: str = ""

    def text(self) -> str:
        """Return the table as lines of at most 80 columns, long cells wrapped."""
        columns = list(zip(self.head, *self.rows, strict=True))
        widths = [max(map(len, column)) for column in columns]
        room = WIDTH - sum(widths[:-1]) - 2 * (len(widths) - 1)
        lines = []
        for row in (self.head, *self.rows):
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            first, *rest = _wrap(row[-1], max(room, 20))
            lead = "  ".join([*cells[:-1], ""])
            lines.append((lead + first).rstrip())
            lines += [" " * len(lead) + line for line in rest]
        return "\n".join([*lines, *filter(None, (self.more, self.note))])

    def html(self, fold: int = FOLD) -> str:
        """Return the table, folded away when it has more than `fold` rows."""
        rows = [
            _html_row("th", self.head),
            *(_html_row("td", row) for row in self.rows),
        ]
        notes = "".join(
            f'<div style="font-size:90%">{escape(line)}</div>'
            for line in (self.more, self.note)
            if line
        )
        style = "border-collapse:collapse;margin:4px 0;font-size:90%"
        table = f'<table style="{style}">{"".join(rows)}</table>{notes}'
        if len(self.rows) <= fold:
            return table
        summary = f"<summary>table of {len(self.rows)} rows</summary>"
        return f"<details>{summary}{table}</details>"


def _html_row(tag: str, row: Sequence[str]) -> str:
    """Return a row whose first cell is its head; styles inline, as notebooks want."""
    first, *rest = (escape(cell).replace(GAP, "&nbsp;&nbsp; ") for cell in row)
    scope = ' scope="col"' if tag == "th" else ""
    cells = "".join(f'<{tag}{scope} style="{CELL}">{cell}</{tag}>' for cell in rest)
    return f'<tr><th scope="row" style="{CELL}">{first}</th>{cells}</tr>'


def _wrap(text: str, width: int) -> list[str]:
    """Break a cell between its items; an item is never broken."""
    lines = [""]
    for item in text.split(GAP):
        longer = f"{lines[-1]}{GAP}{item}" if lines[-1] else item
        if len(longer) > width and lines[-1]:
            lines.append(item)
        else:
            lines[-1] = longer
    return lines


def dfa_table(dfa: Dfa, blocks: Sequence[int] | None = None) -> Table:
    """Return a grid of states by byte classes, or a list of edges if that is wide."""
    order = _order(dfa.n_states, 0, lambda state: dfa_edges(dfa, state))
    names = [[_state_name(state, dfa, blocks)] for state in order]
    more = _more(dfa.n_states, len(order))
    columns = _columns(dfa)
    wide = max((len(row[0]) for row in names), default=5) + 2
    wide += sum(2 + max(len(label), len(str(dfa.n_states))) for label, _ in columns)
    if len(columns) > MANY or wide > WIDTH:
        rows = [
            [*name, _edge_list(dfa_edges(dfa, q))]
            for name, q in zip(names, order, strict=True)
        ]
        return Table(("state", "edges"), rows, more)
    rows = [
        [*name, *(_target(dfa.trans[q, byte]) for _, byte in columns)]
        for name, q in zip(names, order, strict=True)
    ]
    note = f"{NO_EDGE} no edge (DEAD)" if any(NO_EDGE in row for row in rows) else ""
    return Table(("state", *(label for label, _ in columns)), rows, more, note)


def _columns(dfa: Dfa) -> list[tuple[str, int]]:
    """Return label and least byte of every class of bytes that leads anywhere."""
    classes = byte_classes(dfa.trans)
    columns = []
    for number in range(int(classes.max()) + 1):
        values = np.flatnonzero(classes == number).tolist()
        if (dfa.trans[:, values[0]] >= 0).any():
            columns.append((byte_label(values, 40), values[0]))
    return columns


def _target(target: Any) -> str:
    return NO_EDGE if target < 0 else str(int(target))


def _state_name(state: int, dfa: Dfa, blocks: Sequence[int] | None) -> str:
    words = [str(state)]
    if state == 0:
        words.append("start")
    if dfa.accept[state]:
        words.append("accepting")
    if blocks is not None:
        words.append(f"block {block_letter(int(blocks[state]))}")
    return ", ".join(words)


def _edge_list(edges: Sequence[Any]) -> str:
    return GAP.join(f"{_full(edge)} → {edge.target}" for edge in edges) or NO_EDGE


def _full(edge: Any) -> str:
    return byte_label(edge.values, 60) if edge.values else "ε"


def nfa_table(nfa: Nfa) -> Table:
    """Return, per state, its edges and its ε-edges."""
    n_states = len(nfa.edges)
    order = _order(n_states, nfa.start, lambda state: nfa_edges(nfa, state))
    rows = []
    for state in order:
        words = [str(state), *["start"] * (state == nfa.start)]
        words += ["accepting"] * (state == nfa.accept)
        rows.append((", ".join(words), _edge_list(nfa_edges(nfa, state))))
    return Table(("state", "edges"), rows, _more(n_states, len(order)))


def _order(n_states: int, start: int, leaving: Any) -> list[int]:
    limit = n_states if n_states <= LIMIT else SHOWN
    return sorted(breadth_first(range(n_states), start, leaving, limit))


def _more(total: int, shown: int) -> str:
    return f"… and {total - shown:,} more states" if shown < total else ""


def tree_text(root: Any) -> str:
    """Return a tree as indented lines, at most 60 of them."""
    below: dict[int, list[Any]] = {}
    spots = walk(root)
    for spot in reversed(spots):
        below.setdefault(spot.parent, []).append(spot)
    lines: list[str] = []
    waiting = list(below[-1])
    while waiting and len(lines) < 60:
        spot = waiting.pop()
        lines.append(f"{'  ' * spot.depth}{describe(spot.node)}"[:WIDTH])
        waiting += below.get(spot.number, ())
    if len(lines) < len(spots):
        lines.append(f"… and {len(spots) - len(lines):,} more nodes")
    return "\n".join(lines)
