"""The drawing of a pattern's syntax tree (chapter L10.9, section 2.1, step 1)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from ol.dot.graph import CODE_FONT, QUIET, WRONG, attributes, digraph
from ol.dot.labels import byte_label, character_label
from ol.failure import shorten

NODE_NAMES = ("Bytes", "Characters", "Sequence", "Choice", "Repeat")
LIMIT, SHOWN = (
    60,
    45,
)  # a larger tree is cut after so many nodes, nearest the root first

LOOKS = {
    "Bytes": {"fontname": CODE_FONT, "shape": "box", "style": "filled"},
    "Characters": {"fontname": CODE_FONT, "shape": "box", "style": "filled"},
    "Sequence": {"style": "rounded,filled", "shape": "box", "fillcolor": "#cfe8f7"},
    "Choice": {"style": "rounded,filled", "shape": "box", "fillcolor": "#fde3b8"},
    "Repeat": {"style": "rounded,filled", "shape": "box", "fillcolor": "#c9ecdf"},
}
STRANGER = {"style": "dashed", "shape": "box", "color": WRONG}


@dataclass(frozen=True)
class Spot:
    """One node of a tree, by its number in level order, its parent's and its depth."""

    number: int
    parent: int
    depth: int
    node: Any


def walk(root: Any) -> list[Spot]:
    """Return every node in level order; without recursion, as patterns nest deeply."""
    spots = [Spot(0, -1, 0, root)]
    waiting = deque(spots)
    while waiting:
        spot = waiting.popleft()
        for child in children(spot.node):
            spots.append(Spot(len(spots), spot.number, spot.depth + 1, child))
            waiting.append(spots[-1])
    return spots


def children(node: Any) -> tuple[Any, ...]:
    """Return a node's children; whatever is no node, or a broken one, has none."""
    names = {"Sequence": "parts", "Choice": "options", "Repeat": "part"}
    name = names.get(type(node).__name__)
    if name is None or not hasattr(node, name):
        return ()
    below = getattr(node, name)
    if name == "part":
        return (below,)
    return tuple(below) if isinstance(below, list | tuple) else (below,)


def count_text(least: Any, most: Any) -> str:
    """Return a Repeat's bounds as the pattern writes them: `?`, `*`, `+`, `{2,5}`."""
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}
    if (least, most) in short:
        return short[least, most]
    if least == most:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"


def describe(node: Any) -> str:
    """Return one node in words, without its children: `choice`, `repeat ?`, `[rt]`.

    A tree under construction may hold anything; what is no node says so.
    """
    kind = type(node).__name__
    try:
        if kind == "Bytes":
            return byte_label(node.values)
        if kind == "Characters":
            return character_label(node.ranges)
        if kind == "Repeat":
            return f"repeat {count_text(node.least, node.most)}"
        if kind == "Sequence":
            return "sequence" if node.parts else "empty sequence"
        if kind == "Choice":
            return "choice"
        return f"not a node: {shorten(node, 24)}"
    except Exception:  # a learner's half-written class: the picture is how they see it
        return f"broken {kind}"


def tree_dot(root: Any) -> str:
    """Return DOT source of a tree of nodes of any implementation, root on top.

    Node ids are `n0`, `n1`, … in level order, edge ids `e0_1`. A tree of more than 60
    nodes is cut after the 45 nearest the root, and says how many are left out.
    """
    spots = walk(root)
    shown = spots if len(spots) <= LIMIT else spots[:SHOWN]
    lines = ['node [height=0.28, width=0.28, margin="0.07,0.03"]; ordering=out;']
    lines += [_node_line(spot) for spot in shown]
    lines += [_edge_line(spot) for spot in shown[1:]]
    if len(shown) < len(spots):
        text = f"… and {len(spots) - len(shown):,} more nodes"
        lines.append(f"more {attributes(shape='plaintext', label=text, tooltip=text)};")
    return digraph(lines, direction="TB", gap=0.14, step=0.24)


def _node_line(spot: Spot) -> str:
    text = describe(spot.node)
    look = LOOKS.get(type(spot.node).__name__, STRANGER)
    name = f"n{spot.number}"
    return f"{name} {attributes(id=name, label=text, tooltip=text, **look)};"


def _edge_line(spot: Spot) -> str:
    name = f"e{spot.parent}_{spot.number}"
    look = attributes(id=name, tooltip="child", color=QUIET, arrowhead="none")
    return f"n{spot.parent} -> n{spot.number} {look};"
