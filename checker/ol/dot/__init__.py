"""DOT source: the text that Graphviz turns into pictures (no picture is made here)."""

from ol.dot.labels import byte_label, character_label, show_bytes
from ol.dot.machines import dfa_dot, nfa_dot
from ol.dot.tree import tree_dot

__all__ = [
    "byte_label",
    "character_label",
    "dfa_dot",
    "nfa_dot",
    "show_bytes",
    "tree_dot",
]
