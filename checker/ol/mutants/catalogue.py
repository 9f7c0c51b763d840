"""The mistakes of the course. s-numbers are the chapter's (section 5), u-numbers ours.

Every mutant is written against the interface: it may use the replaced function, other
public names, and the data that they hand out. A class is taken from a value at hand
(`type(dfa)`), so the mistake speaks the implementation's own types.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import automata
from ol.forms import DEAD
from ol.mutants.characters import CHARACTERS
from ol.mutants.overlay import Interface, Mutant
from ol.mutants.shared import rewritten, table_of
from ol.paths import UsageError
from ol.plain import plain

# --- notebook 01: read_member, parse


def _bind_too_much(original: Any, course: Interface) -> Any:
    """Let a quantifier at the end of a sequence repeat the whole sequence."""

    def parse(pattern: str) -> Any:
        node = original(pattern)
        parts = getattr(node, "parts", ())
        if not parts or type(parts[-1]).__name__ != "Repeat":
            return node
        last = parts[-1]
        return replace(last, part=replace(node, parts=(*parts[:-1], last.part)))

    return parse


def _without_last(original: Any, course: Interface) -> Any:
    """Leave the last symbol of a range out, as Python's `range` does."""

    def read_member(reader: Any) -> Any:
        start = reader.at
        ranges = original(reader)
        if "-" not in reader.text[start + 1 : reader.at]:
            return ranges
        ((low, high),) = ranges
        return ((low, max(low, high - 1)),)

    return read_member


# --- notebook 02: epsilon_closure, thompson


def _one_step_closure(original: Any, course: Interface) -> Any:
    def epsilon_closure(nfa: Any, states: Iterable[int]) -> frozenset[int]:
        start = frozenset(states)
        return start.union(*(nfa.epsilon[state] for state in start))

    return epsilon_closure


def _closure_of_start(course: Interface) -> object:
    nfa = course["thompson"](course["parse"]("(ab?)*c"))
    return sorted(course["epsilon_closure"](nfa, {nfa.start}))


def _raise_most(node: Any) -> Any:
    """Return a node whose `most`, if it has a limit, is one higher."""
    most = getattr(node, "most", None)
    return node if most is None else replace(node, most=most + 1)


def _one_copy_more(original: Any, course: Interface) -> Any:
    return lambda root: original(rewritten(root, _raise_most))


def _bounds_of_repeat(course: Interface) -> object:
    dfa = automata.as_dfa(course["thompson"](course["parse"]("a{2,3}")))
    return [automata.accepts(dfa, b"a" * count) for count in range(6)]


# --- notebook 03: byte_classes


def _classes_by_count(original: Any, course: Interface) -> Any:
    def byte_classes(nfa: Any) -> NDArray[np.uint8]:
        counts = [0] * 256
        for row in nfa.edges:
            for values, _ in row:
                for byte in values:
                    counts[byte] += 1
        numbers = {count: number for number, count in enumerate(dict.fromkeys(counts))}
        return np.array([numbers[count] for count in counts], np.uint8)

    return byte_classes


def _classes_of_ab(course: Interface) -> object:
    nfa = course["thompson"](course["parse"]("ab"))
    return list(map(int, course["byte_classes"](nfa)))


# --- notebook 04: trim, minimize, number_breadth_first


def _keep_everything(original: Any, course: Interface) -> Any:
    return lambda dfa: dfa


def _one_refinement(original: Any, course: Interface) -> Any:
    def minimize(dfa: Any) -> Any:
        flags = [int(flag) for flag in dfa.accept]
        rows = np.append(flags, DEAD)[dfa.trans]
        keys = [(flag, row.tobytes()) for flag, row in zip(flags, rows, strict=True)]
        return _merged(dfa, keys)

    return minimize


def _merged(dfa: Any, keys: list[tuple[int, bytes]]) -> Any:
    """Return one state per distinct key; the last of its states speaks for a block."""
    number_of = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    blocks = [number_of[key] for key in keys]
    speakers = list({block: state for state, block in enumerate(blocks)}.values())
    trans = np.append(blocks, DEAD)[dfa.trans[speakers]].astype(np.int32)
    return type(dfa)(len(speakers), np.asarray(dfa.accept)[speakers], trans)


def _in_order(dfa: Any, order: list[int]) -> Any:
    """Return the DFA in which `order[0]`, `order[1]`, … are the states 0, 1, …"""
    numbers = np.full(dfa.n_states + 1, DEAD, np.int32)  # the last is DEAD's own
    numbers[order] = np.arange(len(order))
    accept = np.asarray(dfa.accept)[order]
    return type(dfa)(len(order), accept, numbers[dfa.trans[order]])


def _backwards(original: Any, course: Interface) -> Any:
    def number_breadth_first(dfa: Any) -> Any:
        numbered = original(dfa)
        return _in_order(numbered, [0, *range(numbered.n_states - 1, 0, -1)])

    return number_breadth_first


def _depth_first(original: Any, course: Interface) -> Any:
    def number_breadth_first(dfa: Any) -> Any:
        order: dict[int, None] = {}
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if state not in order:
                order[state] = None
                targets = dict.fromkeys(dfa.trans[state].tolist())
                waiting += [target for target in targets if target != DEAD][::-1]
        return _in_order(dfa, list(order))

    return number_breadth_first


_ALL = (
    Mutant(
        id="s01a",
        title="minimize stops after one refinement",
        pitfall="One round of splitting is taken for the whole of Moore's method.",
        symptom="States that differ only two or more bytes later are merged: the "
        "machine is too small and its language is another one.",
        target="minimize",
        make=_one_refinement,
        witness=table_of("a{4}"),
    ),
    Mutant(
        id="s01b",
        title="equal states are not merged",
        pitfall="The raw machine is numbered and handed out as it is.",
        symptom="The language is right and the table is not: two people who write one "
        "language differently no longer share their masks.",
        target="minimize",
        make=_keep_everything,
        witness=table_of("(cat|car|dog)s?"),
    ),
    Mutant(
        id="u01",
        title="one step of ε is not a closure",
        pitfall="The ε-edges of the given states are followed, those of the states "
        "found that way are not.",
        symptom="Strings that need two ε-edges in a row are refused.",
        target="epsilon_closure",
        make=_one_step_closure,
        witness=_closure_of_start,
    ),
    Mutant(
        id="u02",
        title="{m,n} allows one more than n",
        pitfall="The copies of a repeated part are counted from the wrong end.",
        symptom="a{2,3} accepts aaaa, and a? accepts aa.",
        target="thompson",
        make=_one_copy_more,
        witness=_bounds_of_repeat,
    ),
    Mutant(
        id="u03",
        title="byte classes that count edges",
        pitfall="Bytes go together when equally many edges read them, not the same.",
        symptom="In ab both letters are read by one edge each, so they fall into one "
        "class and the machine cannot tell them apart.",
        target="byte_classes",
        make=_classes_by_count,
        witness=_classes_of_ab,
    ),
    Mutant(
        id="u04",
        title="states numbered from the last to the first",
        pitfall="The states are found in the right order and numbered in reverse.",
        symptom="The machine is right and minimal, yet its table equals nobody else's.",
        target="number_breadth_first",
        make=_backwards,
        witness=table_of("(cat|car|dog)s?"),
    ),
    Mutant(
        id="u05",
        title="dead states are kept",
        pitfall="A state that cannot reach acceptance counts as a place to be.",
        symptom="The mask allows bytes after which no output can ever be finished.",
        target="trim",
        make=_keep_everything,
        witness=table_of(r"b|a[^\s\S]"),
    ),
    Mutant(
        id="u06",
        title="states numbered depth-first",
        pitfall="The list of waiting states is a stack where it should be a queue.",
        symptom="The machine is right and minimal, yet its table equals nobody else's.",
        target="number_breadth_first",
        make=_depth_first,
        witness=table_of("(cat|car|dog)s?"),
    ),
    Mutant(
        id="u07",
        title="a quantifier binds everything before it",
        pitfall="The parts so far are kept in one list, and the list is repeated.",
        symptom="ab? accepts the empty string and no longer accepts a.",
        target="parse",
        make=_bind_too_much,
        witness=lambda course: plain(course["parse"]("ab?")),
    ),
    Mutant(
        id="u08",
        title="a range without its last character",
        pitfall="Both ends of a-z belong to the range, not only the first.",
        symptom="[a-c] refuses c.",
        target="read_member",
        make=_without_last,
        witness=lambda course: plain(course["parse"]("[a-c]")),
    ),
    *CHARACTERS,
)
CATALOGUE: dict[str, Mutant] = {mutant.id: mutant for mutant in _ALL}


def get(id: str) -> Mutant:
    """Return the mutant of that id; UsageError lists the ids there are."""
    if id not in CATALOGUE:
        known = ", ".join(sorted(CATALOGUE))
        raise UsageError(f"there is no mutant {id!r}; there are {known}")
    return CATALOGUE[id]
