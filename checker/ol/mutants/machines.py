"""Changes to the functions of 02 to 04, and the witnesses of automata."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import automata
from ol.forms import DEAD
from ol.mutants.overlay import Interface
from ol.mutants.patterns import rewritten


def table(dfa: Any) -> tuple[list[bool], bytes]:
    """Return what makes two DFA tables equal, in a form that `==` compares."""
    return list(map(bool, dfa.accept)), np.asarray(dfa.trans, np.int32).tobytes()


def table_of(pattern: str) -> Callable[[Interface], object]:
    return lambda course: table(course["regex_to_dfa"](pattern))


# --- notebook 02: epsilon_closure, thompson


def one_step_closure(original: Any, course: Interface) -> Any:
    def epsilon_closure(nfa: Any, states: Iterable[int]) -> frozenset[int]:
        start = frozenset(states)
        return start.union(*(nfa.epsilon[state] for state in start))

    return epsilon_closure


def closure_of_start(course: Interface) -> object:
    nfa = course["thompson"](course["parse"]("(ab?)*c"))
    return sorted(course["epsilon_closure"](nfa, {nfa.start}))


def raise_most(node: Any) -> Any:
    """Return a node whose `most`, if it has a limit, is one higher."""
    most = getattr(node, "most", None)
    return node if most is None else replace(node, most=most + 1)


def one_copy_more(original: Any, course: Interface) -> Any:
    return lambda root: original(rewritten(root, raise_most))


def bounds_of_repeat(course: Interface) -> object:
    dfa = automata.as_dfa(course["thompson"](course["parse"]("a{2,3}")))
    return [automata.accepts(dfa, b"a" * count) for count in range(6)]


# --- notebook 03: byte_classes


def classes_by_count(original: Any, course: Interface) -> Any:
    def byte_classes(nfa: Any) -> NDArray[np.uint8]:
        counts = [0] * 256
        for row in nfa.edges:
            for values, _ in row:
                for byte in values:
                    counts[byte] += 1
        numbers = {count: number for number, count in enumerate(dict.fromkeys(counts))}
        return np.array([numbers[count] for count in counts], np.uint8)

    return byte_classes


def classes_by_sets(original: Any, course: Interface) -> Any:
    """Number bytes by how many different sets of edges they are in."""

    def byte_classes(nfa: Any) -> NDArray[np.uint8]:
        sets = {frozenset(values) for row in nfa.edges for values, _ in row}
        counts = [sum(byte in values for values in sets) for byte in range(256)]
        numbers = {count: number for number, count in enumerate(dict.fromkeys(counts))}
        return np.array([numbers[count] for count in counts], np.uint8)

    return byte_classes


def classes_of_ab(course: Interface) -> object:
    nfa = course["thompson"](course["parse"]("ab"))
    return list(map(int, course["byte_classes"](nfa)))


# --- notebook 04: trim, minimize, number_breadth_first


def keep_everything(original: Any, course: Interface) -> Any:
    return lambda dfa: dfa


def one_refinement(original: Any, course: Interface) -> Any:
    return lambda dfa: merged(dfa, after_one_round(dfa), dict)


def first_speaks(original: Any, course: Interface) -> Any:
    return lambda dfa: merged(dfa, after_one_round(dfa), first_of)


def after_one_round(dfa: Any) -> list[int]:
    """Return the block of each state, numbered by its first state."""
    flags = [int(flag) for flag in dfa.accept]
    rows = np.append(flags, DEAD)[dfa.trans]
    keys = [(flag, row.tobytes()) for flag, row in zip(flags, rows, strict=True)]
    number_of = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return [number_of[key] for key in keys]


def first_of(pairs: list[tuple[int, int]]) -> dict[int, int]:
    """Return a dict in which the first of equal keys has its value, not the last."""
    return dict(sorted(dict(reversed(pairs)).items()))


def merged(dfa: Any, blocks: list[int], choose: Callable[..., dict[int, int]]) -> Any:
    """Return one state per block, for which one of its states speaks: `choose` makes
    pairs of block and state a dict.
    """
    pairs = [(block, state) for state, block in enumerate(blocks)]
    speakers = list(choose(pairs).values())
    trans = np.append(blocks, DEAD)[dfa.trans[speakers]].astype(np.int32)
    return type(dfa)(len(speakers), np.asarray(dfa.accept)[speakers], trans)


def in_order(dfa: Any, order: list[int]) -> Any:
    """Return the DFA in which `order[0]`, `order[1]`, … are the states 0, 1, …"""
    numbers = np.full(dfa.n_states + 1, DEAD, np.int32)  # the last is DEAD's own
    numbers[order] = np.arange(len(order))
    accept = np.asarray(dfa.accept)[order]
    return type(dfa)(len(order), accept, numbers[dfa.trans[order]])


def backwards(original: Any, course: Interface) -> Any:
    def number_breadth_first(dfa: Any) -> Any:
        numbered = original(dfa)
        return in_order(numbered, [0, *range(numbered.n_states - 1, 0, -1)])

    return number_breadth_first


def depth_first(original: Any, course: Interface) -> Any:
    def number_breadth_first(dfa: Any) -> Any:
        order: dict[int, None] = {}
        waiting = [0]
        while waiting:
            state = waiting.pop()
            if state not in order:
                order[state] = None
                targets = dict.fromkeys(dfa.trans[state].tolist())
                waiting += [target for target in targets if target != DEAD][::-1]
        return in_order(dfa, list(order))

    return number_breadth_first
