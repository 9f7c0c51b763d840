"""The drawing of a trie of tokens, and of a walk over it (chapter L10.9, section 2.3).

A trie's node is whatever has `children`, from byte to node, and `ids`, the tokens that
end there. A walk is (dfa, state): it carries the automaton's state along the trie's
edges and goes no further where the automaton is dead; what it never looks at is dashed
and grey.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ol.dot.graph import HIGHLIGHT, PAPER, QUIET, WRONG, attributes, digraph
from ol.dot.labels import byte_label, show_bytes
from ol.forms import DEAD

LIMIT, SHOWN = 60, 45  # a larger trie is cut after so many nodes, nearest the root

Walk = tuple[Any, int]  # a Dfa and the state that the root stands for


@dataclass(frozen=True)
class Prefix:
    """A node of a trie: the bytes that lead there, the tokens that end there.

    `state` is where a walk is here: DEAD where it ends, None where there is no walk.
    `skipped`: the walk does not get here at all, it has ended above.
    """

    number: int
    parent: int
    data: bytes
    ids: tuple[int, ...]
    state: int | None = None
    skipped: bool = False


def is_trie(x: Any) -> bool:
    """Say whether `x` looks like the node of a trie."""
    return isinstance(getattr(x, "children", None), dict) and hasattr(x, "ids")


def prefixes(root: Any, walk: Walk | None = None) -> list[Prefix]:
    """Return all nodes in level order, children by byte; number 0 is the root."""
    start = None if walk is None else int(walk[1])
    found = [Prefix(0, -1, b"", tuple(root.ids), start)]
    waiting = deque([(root, found[0])])
    while waiting:
        node, above = waiting.popleft()
        for byte, child in sorted(node.children.items()):
            state = above.state
            if walk is not None and state is not None and state != DEAD:
                state = int(walk[0].trans[state, byte])
            place = len(found), above.number, above.data + bytes([byte])
            found.append(Prefix(*place, tuple(child.ids), state, above.state == DEAD))
            waiting.append((child, found[-1]))
    return found


def describe_prefix(prefix: Prefix) -> str:
    """Return a node in words: its bytes, its tokens, and what the walk finds there."""
    words = [show_bytes(prefix.data) if prefix.data else "root"]
    if prefix.ids:
        words.append(f"token {', '.join(map(str, prefix.ids))}")
    if prefix.skipped:
        words.append("never looked at")
    elif prefix.state is not None:
        dead = prefix.state == DEAD
        words.append("dead: pruned" if dead else f"state {prefix.state}")
    return ", ".join(words)


def trie_dot(
    root: Any, walk: Walk | None = None, highlight: Collection[int] = ()
) -> str:
    """Return DOT source of a trie, its root on the left.

    `highlight`: ids of tokens. Nodes are `n0`, `n1`, … in level order, edges `e0_1`. A
    node shows `#id` for each token that ends there and, on a walk, the state above it.
    """
    found = prefixes(root, walk)
    shown = found if len(found) <= LIMIT else found[:SHOWN]
    lines = ['node [height=0.3, width=0.3, margin="0.05,0.02"];']
    lines += [_node_line(prefix, highlight) for prefix in shown]
    lines += [_edge_line(prefix) for prefix in shown[1:]]
    if len(shown) < len(found):
        text = f"… and {len(found) - len(shown):,} more nodes"
        lines.append(f"more {attributes(shape='plaintext', label=text, tooltip=text)};")
    return digraph(lines, gap=0.12, step=0.4)


def _node_line(prefix: Prefix, highlight: Collection[int]) -> str:
    tokens = ", ".join(f"#{id}" for id in prefix.ids)
    look: dict[str, str | float] = {"id": f"n{prefix.number}", "label": tokens}
    look["shape"] = "box" if prefix.ids else "circle"
    look["style"], look["fillcolor"] = "filled,rounded", PAPER
    if prefix.state == DEAD:
        look |= {"style": "filled,rounded,dashed", "color": QUIET, "fontcolor": QUIET}
    elif prefix.state is not None:
        look["label"] = f"{prefix.state}\n{tokens}" if tokens else str(prefix.state)
    words = describe_prefix(prefix)
    if any(id in highlight for id in prefix.ids):
        look |= {"fillcolor": HIGHLIGHT, "penwidth": 2.2}
        words += ", highlighted"
    if not prefix.ids:
        look["style"] = str(look["style"]).replace(",rounded", "")
    return f"n{prefix.number} {attributes(**look, tooltip=words)};"


def _edge_line(prefix: Prefix) -> str:
    look: dict[str, str | float] = {"label": f" {byte_label({prefix.data[-1]})} "}
    look["id"] = f"e{prefix.parent}_{prefix.number}"
    if prefix.skipped:
        look |= {"style": "dashed", "color": QUIET, "fontcolor": QUIET}
    elif prefix.state == DEAD:
        look |= {"style": "dashed", "color": WRONG, "fontcolor": WRONG, "penwidth": 2}
    words = describe_prefix(prefix)
    return f"n{prefix.parent} -> n{prefix.number} {attributes(**look, tooltip=words)};"


def trie_words(root: Any, walk: Walk | None = None) -> str:
    """Return a trie in a few sentences: its size, and where a walk prunes it."""
    found = prefixes(root, walk)
    tokens = sum(len(prefix.ids) for prefix in found)
    head = f"Trie of {tokens:,} tokens with {len(found):,} nodes."
    if walk is None:
        return head
    pruned = [p for p in found if p.state == DEAD and not p.skipped]
    named = ", ".join(show_bytes(prefix.data) for prefix in pruned[:12]) or "nowhere"
    skipped = sum(prefix.skipped for prefix in found)
    tail = f"pruned at {named}; never looked at: {skipped}."
    return f"{head} Walk from state {walk[1]}; {tail}"


def trie_text(root: Any, walk: Walk | None = None) -> str:
    """Return a trie as indented lines, at most 60 of them."""
    found = prefixes(root, walk)
    ordered = sorted(found, key=lambda prefix: prefix.data)[:LIMIT]
    lines = [f"{'  ' * len(p.data)}{describe_prefix(p)}" for p in ordered]
    if len(found) > len(lines):
        lines.append(f"… and {len(found) - len(lines):,} more nodes")
    return "\n".join(lines)
