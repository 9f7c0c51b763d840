"""How DOT source is written: quoting, the house style, one palette.

Colours are Okabe and Ito's (colour-blind safe) and never stand alone: every difference
in colour is also one in line style, letter or word. The fonts are two whose widths
Graphviz knows; `ol.pictures.layout` replaces them by a list that every system has one
of.
"""

from __future__ import annotations

from collections.abc import Iterable

INK, QUIET, WRONG = "#262626", "#6b6b6b", "#c44601"
PAPER, HIGHLIGHT = "white", "#ffe9a8"
BLOCK_FILLS = (
    "#cfe8f7", "#fde3b8", "#c9ecdf", "#f6d5e6",
    "#f9f5c0", "#d9d9d9", "#d3dcf5", "#f8d0c0",
)  # fmt: skip
BLOCK_LINES = ("solid", "dashed", "dotted", "bold")
DOT_ESCAPES = (("\\", "\\\\"), ('"', '\\"'), ("&", "&amp;"), ("\n", "\\n"))
TEXT_FONT, CODE_FONT = "Helvetica", "Courier"

HEAD = f"""\
  rankdir={{direction}}; bgcolor="{PAPER}"; pad=0.08; nodesep={{gap}}; ranksep={{step}};
  node [fontname="{TEXT_FONT}", fontsize=11, color="{INK}", fontcolor="{INK}",
        style=filled, fillcolor="{PAPER}"];
  edge [fontname="{CODE_FONT}", fontsize=11, color="{INK}", fontcolor="{INK}",
        arrowsize=0.6];
"""


def quote(text: str) -> str:
    r"""Return a DOT string that shows exactly `text`.

    In DOT a backslash starts an escape (`\N` is the node's name) and `&` an entity.
    """
    for special, written in DOT_ESCAPES:
        text = text.replace(special, written)
    return f'"{text}"'


def attributes(**pairs: str | float) -> str:
    """Return `[key=value, …]` in the order given; text is quoted, numbers are not."""
    return f"[{', '.join(f'{key}={_value(value)}' for key, value in pairs.items())}]"


def _value(value: str | float) -> str:
    return quote(value) if isinstance(value, str) else f"{value:g}"


def digraph(
    lines: Iterable[str], *, direction: str = "LR", gap: float = 0.2, step: float = 0.32
) -> str:
    """Return a whole graph; `gap` and `step` (inches) part nodes across and along."""
    head = HEAD.format(direction=direction, gap=gap, step=step)
    return "digraph {\n" + head + "".join(f"  {line}\n" for line in lines) + "}\n"


def block_letter(block: int) -> str:
    """Return A, B, …, Z, AA, AB, … for 0, 1, …

    >>> [block_letter(number) for number in (0, 25, 26)]
    ['A', 'Z', 'AA']
    """
    letters = ""
    block += 1
    while block:
        block, digit = divmod(block - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters
