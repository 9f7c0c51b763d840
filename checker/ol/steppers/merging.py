"""`watch_minimize`: Moore's rounds, then the merging and the numbering."""

from __future__ import annotations

from ol.dot import byte_label
from ol.dot.graph import block_letter
from ol.forms import DEAD
from ol.pictures import draw, partition
from ol.steppers.scene import Json, Scene, dfa_figure, state_set, states_text
from ol.steppers.traces import Blocks, Met, MooreTrace, Round, Split

LEGEND = {
    "blocks": "colour, line and letter: the block",
    "look": "looked at now",
    "taken": "edge or cell that tells states apart",
    "ring": "accepts",
}
NOWHERE = "⊥"


def minimize_scene(trace: MooreTrace, what: str) -> Scene:
    """Return the scene of a trace; `what` names the language in the title."""
    script = _Script(trace)
    spec = {
        "what": "minimize",
        "title": f"{what}: states that do the same become one",
        "figures": [
            dfa_figure(trace.dfa, "DFA, in blocks", blocks=[0] * trace.dfa.n_states),
            _smallest(trace),
        ],
        "table": _table(trace),
        "steps": script.steps,
        "blocks": script.blocks,
        "merged": [one.block for one in trace.met],
        "appears": _appears(trace, script),
        "legend": LEGEND,
    }

    def state_at(step: int, text: str) -> list[int]:
        step = min(step, len(script.steps) - 1)
        return list(script.blocks[script.steps[step]["blocks"]])

    shown = [max(block, 0) for block in trace.blocks]
    before = partition(trace.dfa, shown, title=f"{what}: blocks at the end")
    still = (before, draw(trace.smallest, title=f"{what}: the smallest DFA"))
    return Scene(spec, still, state_at)


def _smallest(trace: MooreTrace) -> Json:
    blocks = [0] * len(trace.met)
    figure = dfa_figure(trace.smallest, "the smallest DFA", "smallest", blocks)
    return figure | {"later": "comes after the last round"}


class _Script:
    """The steps in order; `blocks` are all partitions, a step names one by place."""

    def __init__(self, trace: MooreTrace) -> None:
        self.trace = trace
        self.steps: list[Json] = []
        self.blocks: list[Blocks] = [trace.rounds[0].before]
        self._begin()
        for number, one in enumerate(trace.rounds, 1):
            self._round(number, one)
        self.merge = len(self.steps)
        self._merge()
        for number, met in enumerate(trace.met):
            self._number(number, met)

    def say(self, text: str, **marks: dict[str, str]) -> None:
        """Add a step, shown with the newest blocks."""
        place = len(self.blocks) - 1
        self.steps.append({"say": text, "marks": marks, "blocks": place})

    def _begin(self) -> None:
        if self.trace.removed:
            reasons = "; ".join(
                f"state {state}: {why}" for state, why in self.trace.removed.items()
            )
            self.say(f"Useless states go first ({reasons}).")
        blocks = self.blocks[0]
        claim = "The boldest claim first: all accepting states do the same, and so do "
        claim += f"all others. {_listing(blocks)}"
        if max(blocks) == 0:
            claim = f"Every state accepts, so all are one block: {_listing(blocks)}"
        self.say(claim)

    def _round(self, number: int, one: Round) -> None:
        for split in one.splits:
            self._split(number, one, split)
        if not one.splits:
            text = f"Round {number} splits nothing: whatever byte comes, the states of "
            self.say(text + "a block lead to one block. They do the same.")
            return
        self.blocks.append(one.after)
        self.say(f"After round {number}: {_listing(one.after)}")

    def _split(self, number: int, one: Round, split: Split) -> None:
        members = sorted(state for part in split.parts for state in part)
        label = byte_label(self.trace.columns[split.column])
        text = f"Round {number}, block {block_letter(split.block)}: by {label}, "
        text += f"{self._disagreement(one.before, members, split.column)}."
        text += " They cannot do the same: the block falls into "
        text += f"{_and([state_set(part) for part in split.parts])}."
        if len(split.parts) > len(self._ways(one.before, members, split.column)):
            text += " (Other bytes tell the rest apart.)"
        self.say(text)
        self.steps[-1]["split"] = [split.block, split.column]

    def _ways(self, blocks: Blocks, members: list[int], column: int) -> Json:
        """Return, per block that `column` leads to (or ⊥), the states it leads from."""
        ways: dict[str, list[int]] = {}
        for state in members:
            target = self.trace.targets[state][column]
            name = NOWHERE if target == DEAD else block_letter(blocks[target])
            ways.setdefault(name, []).append(state)
        return ways

    def _disagreement(self, blocks: Blocks, members: list[int], column: int) -> str:
        phrases = []
        for name, states in self._ways(blocks, members, column).items():
            verb = "goes" if len(states) == 1 else "go"
            where = "nowhere" if name == NOWHERE else f"to {name}"
            phrases.append(f"{states_text(states)} {verb} {where}")
        return ", ".join(phrases)

    def _merge(self) -> None:
        kept = sum(block != DEAD for block in self.trace.blocks)
        n_states = len(self.trace.met)
        if kept == n_states:
            text = "Each block is one state already: nothing to merge"
        else:
            text = f"Each block becomes one state: {kept} states, now {n_states}"
        self.say(f"{text}. What is left is to number them, breadth-first.")

    def _number(self, number: int, one: Met) -> None:
        letter = block_letter(one.block)
        members = [q for q, block in enumerate(self.trace.blocks) if block == one.block]
        smallest = {f"q{number}": "look"}
        if one.source is None or one.column is None:
            text = f"The start, block {letter}, is 0. From here on: states in the "
            text += "order of their numbers, bytes from 0 to 255."
        else:
            label = byte_label(self.trace.columns[one.column])
            text = f"From {one.source} by {label}: block {letter} is met for the first "
            text += f"time, so it is {number}."
            smallest[f"e{one.source}_{number}"] = "taken"
        if number == len(self.trace.met) - 1:
            text += " All have a number: one language, one table."
        looked_at = {f"q{state}": "look" for state in members}
        self.say(text, smallest=smallest, dfa=looked_at)


def _listing(blocks: Blocks) -> str:
    """Return `A = {0, 1}, B = {2}.` or, of many blocks, their number."""
    members: dict[int, list[int]] = {}
    for state, block in enumerate(blocks):
        members.setdefault(block, []).append(state)
    members.pop(DEAD, None)
    if len(members) > 8:
        return f"{len(members)} blocks."
    parts = [f"{block_letter(b)} = {state_set(members[b])}" for b in sorted(members)]
    return f"{', '.join(parts)}."


def _and(parts: list[str]) -> str:
    if len(parts) > 8:
        return f"{len(parts)} blocks"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _table(trace: MooreTrace) -> Json:
    """Rows are states, cells are targets: the browser shows the letters of blocks."""
    names = [
        f"{state} accepts" if accepts else str(state)
        for state, accepts in enumerate(trace.dfa.accept.tolist())
    ]
    return {
        "caption": "the block that each byte leads to",
        "head": ["state", "block", *map(byte_label, trace.columns)],
        "rows": [
            [names[state], state, *row] for state, row in enumerate(trace.targets)
        ],
    }


def _appears(trace: MooreTrace, script: _Script) -> Json:
    """Say until which step each part is hidden or unnumbered; the removed stay so."""
    end = len(script.steps) + 1
    dfa = {f"q{state}": [[end, "removed"]] for state in trace.removed}
    for state, row in enumerate(trace.dfa.trans.tolist()):
        for target in set(row) - {DEAD}:
            if state in trace.removed or target in trace.removed:
                dfa[f"e{state}_{target}"] = [[end, "removed"]]
    numbered = {
        f"q{number}": [[script.merge + 1 + number, "unnumbered"]]
        for number in range(len(trace.met))
    }
    table = {f"r{state}": [[end, "removed"]] for state in trace.removed}
    figures = {"smallest": [[script.merge, "hidden"]]}
    return {"dfa": dfa, "smallest": numbered, "table": table, "figures": figures}
