"""The drawing of a machine whose states have names: (from, label, to), arrow by arrow.

For what is no automaton over bytes, such as the states of a parser. The first arrow
leaves the start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ol.dot.graph import CODE_FONT, HIGHLIGHT, attributes, digraph

Arrow = tuple[str, str, str]  # from, label, to


def read_arrows(x: Iterable[object]) -> list[Arrow]:
    """Return `x` as arrows; TypeError where an entry is no triple of strings."""
    arrows: list[Arrow] = []
    for entry in x:
        triple = tuple(entry) if isinstance(entry, tuple | list) else ()
        if len(triple) != 3 or not all(isinstance(text, str) for text in triple):
            raise TypeError(f"an arrow is (from, label, to), three str, not {entry!r}")
        arrows.append((triple[0], triple[1], triple[2]))
    if not arrows:
        raise TypeError("there is no arrow to draw")
    return arrows


def state_names(arrows: Sequence[Arrow]) -> list[str]:
    """Return the states in the order in which the arrows mention them."""
    return list(dict.fromkeys(end for arrow in arrows for end in (arrow[0], arrow[2])))


def arrows_dot(arrows: Sequence[Arrow], highlight: Collection[str] = ()) -> str:
    """Return DOT source; arrows between the same two states share one line."""
    names = state_names(arrows)
    number = {name: index for index, name in enumerate(names)}
    labels: dict[tuple[str, str], list[str]] = {}
    for source, label, target in arrows:
        labels.setdefault((source, target), []).append(label)
    lines = [
        "node [shape=box, height=0.3, margin=0.08];",
        'start [shape=none, label="", width=0, height=0, tooltip="start"];',
    ]
    lines += [_state(number[name], name, name in highlight) for name in names]
    lines.append('start -> q0 [id="start", tooltip="start"];')
    for (source, target), several in labels.items():
        a, b = number[source], number[target]
        text = "\n".join(f" {label} " for label in several)
        words = f"from {source} by {' or by '.join(several)} to {target}"
        look = attributes(
            label=text, id=f"e{a}_{b}", tooltip=words, fontname=CODE_FONT, fontsize=10
        )
        lines.append(f"q{a} -> q{b} {look};")
    return digraph(lines, gap=0.45, step=0.5)


def _state(number: int, name: str, highlighted: bool) -> str:
    look: dict[str, str | float] = {"id": f"q{number}", "label": name}
    look["style"] = "rounded,filled"
    words = f"state {name}"
    if highlighted:
        look |= {"fillcolor": HIGHLIGHT, "penwidth": 2.2}
        words += ", highlighted"
    return f"q{number} {attributes(**look, tooltip=words)};"
