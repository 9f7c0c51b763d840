"""Pictures of trees, automata and numbers, of any implementation.

`draw`, `table`, `partition`, `compare` and `bars` are what notebooks use. The layers
under them: `ol.dot` writes DOT source, `layout` lays it out, `tables` and `words` say
it without a picture, `drawing` is what is shown.
"""

from ol.dot import dfa_dot, nfa_dot, tree_dot
from ol.pictures.bars import Bars, bars
from ol.pictures.drawing import Comparison, Drawing
from ol.pictures.layout import render
from ol.pictures.show import compare, draw, partition, set_reference, table

__all__ = [
    "Bars",
    "Comparison",
    "Drawing",
    "bars",
    "compare",
    "dfa_dot",
    "draw",
    "nfa_dot",
    "partition",
    "render",
    "set_reference",
    "table",
    "tree_dot",
]
