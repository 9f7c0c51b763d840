"""`watch_subset`: the subset construction, one cell of the table at a time."""

from __future__ import annotations

from collections.abc import Collection

from ol.dot import byte_label
from ol.forms import Nfa
from ol.pictures import draw
from ol.steppers.scene import Json, Scene, dfa_figure, nfa_figure, state_set
from ol.steppers.traces import Cell, SubsetTrace

LEGEND = {
    "was": "the row's set, before the byte",
    "now": "the set after it",
    "both": "in both",
    "taken": "reads the byte",
    "free": "ε, for nothing",
    "ring": "accepts",
}
EMPTY = "⊥"


def subset_scene(trace: SubsetTrace, what: str) -> Scene:
    """Return the scene of a trace; `what` names the language in the title."""
    dfa = trace.dfa
    steps = [_start(trace), *(_cell(trace, cell) for cell in trace.cells), _end(trace)]
    spec = {
        "what": "subset",
        "title": f"{what}: sets of NFA states become the states of a DFA",
        "figures": [
            nfa_figure(trace.nfa, "NFA"),
            dfa_figure(dfa, "DFA so far"),
        ],
        "table": _table(trace),
        "steps": steps,
        "appears": _appears(trace),
        "legend": LEGEND,
    }
    reached = [0, *(cell.target for cell in trace.cells)]

    def state_at(step: int, text: str) -> int:
        return reached[min(step, len(reached) - 1)]

    still = (draw(trace.nfa, title=f"{what}: NFA"), draw(dfa, title=f"{what}: DFA"))
    return Scene(spec, still, state_at)


def _label(trace: SubsetTrace, column: int) -> str:
    return byte_label(trace.columns[column])


def _table(trace: SubsetTrace) -> Json:
    """Rows are states; the cells stay hidden until their step comes."""
    n_columns = len(trace.columns)
    targets = {(cell.row, cell.column): str(cell.target) for cell in trace.cells}
    return {
        "caption": f"table so far ({EMPTY} is the empty set, DEAD)",
        "head": ["state", "set", *(_label(trace, c) for c in range(n_columns))],
        "rows": [
            [
                _row_name(trace, row),
                state_set(states),
                *(targets.get((row, c), EMPTY) for c in range(n_columns)),
            ]
            for row, states in enumerate(trace.sets)
        ],
    }


def _row_name(trace: SubsetTrace, row: int) -> str:
    return f"{row} accepts" if trace.nfa.accept in trace.sets[row] else str(row)


def _start(trace: SubsetTrace) -> Json:
    nfa, first = trace.nfa, trace.sets[0]
    free = _free_edges(nfa, first)
    say = f"The NFA starts in {nfa.start}"
    if len(first) > 1:
        say += f", and ε leads on from there. All of {state_set(first)}"
    else:
        say += f". The set {state_set(first)}"
    say += f" is state 0 of the DFA.{_accepts(trace, 0)}"
    marks = {
        "nfa": {f"q{q}": "now" for q in first} | dict.fromkeys(free, "free"),
        "dfa": {"q0": "now"},
        "table": {"r0c0": "now", "r0c1": "now"},
    }
    return {"say": say, "marks": marks}


def _accepts(trace: SubsetTrace, state: int) -> str:
    if trace.nfa.accept not in trace.sets[state]:
        return ""
    return f" It holds {trace.nfa.accept}, where the NFA accepts: {state} accepts."


def _cell(trace: SubsetTrace, cell: Cell) -> Json:
    label = _label(trace, cell.column)
    closed = trace.sets[cell.target]
    say = f"From state {cell.row} by {label}: the byte leads to {state_set(cell.moved)}"
    if len(closed) > len(cell.moved):
        say += f", with ε to {state_set(closed)}"
    if cell.is_new:
        say += f". A new set: it becomes state {cell.target}."
        say += _accepts(trace, cell.target)
    else:
        say += f". That set is known: it is state {cell.target}."
    place = f"r{cell.row}c{cell.column + 2}"
    edge = f"e{cell.row}_{cell.target}"
    dfa = {f"q{cell.row}": "was", f"q{cell.target}": "now", edge: "taken"}
    if cell.row == cell.target:
        dfa[f"q{cell.row}"] = "both"
    table = {f"r{cell.row}c0": "was", f"r{cell.row}c1": "was"}
    table |= {f"r{cell.target}c0": "now", f"r{cell.target}c1": "now", place: "now"}
    return {
        "say": say,
        "marks": {"nfa": _nfa_marks(trace, cell), "dfa": dfa, "table": table},
    }


def _nfa_marks(trace: SubsetTrace, cell: Cell) -> dict[str, str]:
    before, after = set(trace.sets[cell.row]), set(trace.sets[cell.target])
    marks = {f"q{q}": "was" for q in before - after}
    marks |= {f"q{q}": "now" for q in after - before}
    marks |= {f"q{q}": "both" for q in after & before}
    byte = min(trace.columns[cell.column])
    for source in before:
        for values, target in trace.nfa.edges[source]:
            if byte in values:
                marks[f"e{source}_{target}"] = "taken"
    return marks | dict.fromkeys(_free_edges(trace.nfa, after), "free")


def _free_edges(nfa: Nfa, closed: Collection[int]) -> list[str]:
    """Return the ε-edges inside a closed set: none of them leads out of it."""
    return [
        f"e{source}_{target}_epsilon"
        for source in sorted(closed)
        for target in nfa.epsilon[source]
    ]


def _end(trace: SubsetTrace) -> Json:
    accepting = [q for q, s in enumerate(trace.sets) if trace.nfa.accept in s]
    n_states = len(trace.sets)
    say = f"Every set has its row, and nothing new turns up: {n_states} state"
    say += "s" * (n_states != 1)
    say += f", accepting {state_set(accepting)}. The DFA is complete."
    return {"say": say, "marks": {}}


def _appears(trace: SubsetTrace) -> Json:
    """Say until which step each part is hidden, or shown as not complete."""
    found = {0: 0} | {
        cell.target: step for step, cell in enumerate(trace.cells, 1) if cell.is_new
    }
    begun: dict[int, int] = {}
    dfa = {f"q{state}": [[step, "hidden"]] for state, step in found.items()}
    table = {f"r{state}": [[step, "hidden"]] for state, step in found.items()}
    edges: dict[str, list[int]] = {}
    for step, cell in enumerate(trace.cells, 1):
        begun.setdefault(cell.row, step)
        table[f"r{cell.row}c{cell.column + 2}"] = [[step, "hidden"]]
        edges.setdefault(f"e{cell.row}_{cell.target}", []).append(step)
    for name, steps in edges.items():
        dfa[name] = [[steps[0], "hidden"], [steps[-1], "partial"]]
    for row in range(len(trace.sets)):  # a row's empty cells come with its first cell
        shown = _turn_of(row, begun, len(trace.cells) + 1)
        for column in range(len(trace.columns)):
            table.setdefault(f"r{row}c{column + 2}", [[shown, "hidden"]])
    return {"dfa": dfa, "table": table}


def _turn_of(row: int, begun: dict[int, int], end: int) -> int:
    """Return the step at which a row's turn comes: a row of ⊥ only has none of its
    own, so it is filled with the next one's first cell.
    """
    return min((step for other, step in begun.items() if other >= row), default=end)
