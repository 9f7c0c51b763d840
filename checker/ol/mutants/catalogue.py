"""The mistakes of the course. s-numbers are the chapter's (section 5), u-numbers ours.

Every mutant is written against the interface: it may use the replaced function, other
public names, and the data that they hand out. A class is taken from a value at hand
(`type(dfa)`), so the mistake speaks the implementation's own types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import automata
from ol.forms import DEAD
from ol.mutants.overlay import Interface, Mutant
from ol.paths import UsageError
from ol.plain import plain


def table(dfa: Any) -> tuple[list[bool], bytes]:
    """Return what makes two DFA tables equal, in a form that `==` compares."""
    return list(map(bool, dfa.accept)), np.asarray(dfa.trans, np.int32).tobytes()


def _table_of(pattern: str) -> Callable[[Interface], object]:
    return lambda course: table(course["regex_to_dfa"](pattern))


def _rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with `change` made to every node, parts before their whole."""
    changes: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in ("parts", "options"):
            changes[field.name] = tuple(_rewritten(part, change) for part in value)
        elif field.name == "part":
            changes["part"] = _rewritten(value, change)
    return change(replace(node, **changes) if changes else node)


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
    return lambda root: original(_rewritten(root, _raise_most))


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


# --- notebook 05: full_tails, utf8_sequences, lower


def _only_character(node: Any) -> str:
    """Return the character of a `Characters` leaf that holds just one, else ""."""
    spans = getattr(node, "ranges", ())
    return chr(spans[0][0]) if len(spans) == 1 and len(set(spans[0])) == 1 else ""


def _bind_last_byte(original: Any, course: Interface) -> Any:
    """Let a quantifier behind a character repeat the last of its bytes."""

    def change(node: Any) -> Any:
        character = _only_character(getattr(node, "part", None))
        if not character:
            return node
        *before, last = [
            course["Bytes"](frozenset([byte])) for byte in character.encode()
        ]
        return course["Sequence"]((*before, replace(node, part=last)))

    return lambda root: original(_rewritten(root, change))


def _dot_matches_newline(original: Any, course: Interface) -> Any:
    def change(node: Any) -> Any:
        if getattr(node, "ranges", None) != ((0, 9), (11, 0x10FFFF)):
            return node
        return replace(node, ranges=((0, 0x10FFFF),))

    return lambda root: original(_rewritten(root, change))


def _negate_bytes(original: Any, course: Interface) -> Any:
    """Take what reaches up to the last character for a set of single bytes."""

    def change(node: Any) -> Any:
        spans = getattr(node, "ranges", ())
        if not spans or spans[-1][1] != 0x10FFFF:
            return node
        values = (b for low, high in spans for b in range(low, min(high, 255) + 1))
        return course["Bytes"](frozenset(values))

    return lambda root: original(_rewritten(root, change))


def _with_surrogates(original: Any, course: Interface) -> Any:
    """Encode U+D800 to U+DFFF as if they were characters."""

    def utf8_sequences(low: int, high: int) -> list[Any]:
        sequences = list(original(low, high))
        if low < 0xD800 and high > 0xDFFF:
            sequences.append((range(0xED, 0xEE), range(0xA0, 0xC0), range(0x80, 0xC0)))
        return sorted(sequences, key=lambda sequence: [r[0] for r in sequence])

    return utf8_sequences


def _no_cuts(original: Any, course: Interface) -> Any:
    return lambda low, high: [(low, high)]


_ALL = (
    Mutant(
        id="s01a",
        title="minimize stops after one refinement",
        pitfall="One round of splitting is taken for the whole of Moore's method.",
        symptom="States that differ only two or more bytes later are merged: the "
        "machine is too small and its language is another one.",
        target="minimize",
        make=_one_refinement,
        witness=_table_of("a{4}"),
    ),
    Mutant(
        id="s01b",
        title="equal states are not merged",
        pitfall="The raw machine is numbered and handed out as it is.",
        symptom="The language is right and the table is not: two people who write one "
        "language differently no longer share their masks.",
        target="minimize",
        make=_keep_everything,
        witness=_table_of("(cat|car|dog)s?"),
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
        witness=_table_of("(cat|car|dog)s?"),
    ),
    Mutant(
        id="u05",
        title="dead states are kept",
        pitfall="A state that cannot reach acceptance counts as a place to be.",
        symptom="The mask allows bytes after which no output can ever be finished.",
        target="trim",
        make=_keep_everything,
        witness=_table_of(r"b|a[^\s\S]"),
    ),
    Mutant(
        id="u06",
        title="states numbered depth-first",
        pitfall="The list of waiting states is a stack where it should be a queue.",
        symptom="The machine is right and minimal, yet its table equals nobody else's.",
        target="number_breadth_first",
        make=_depth_first,
        witness=_table_of("(cat|car|dog)s?"),
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
    Mutant(
        id="u09",
        title="a quantifier binds only the last byte of a character",
        pitfall="The pattern is turned into bytes before its quantifiers are read.",
        symptom="é* accepts half an é and refuses éé.",
        target="lower",
        make=_bind_last_byte,
        witness=_table_of("é*"),
    ),
    Mutant(
        id="u10",
        title="a dot matches the line feed",
        pitfall="`.` is every character but LF, not every character.",
        symptom="A value that has to stay on one line may run over several.",
        target="lower",
        make=_dot_matches_newline,
        witness=_table_of("."),
    ),
    Mutant(
        id="u11",
        title="a negated class of bytes",
        pitfall="Everything but a quote is taken for every byte but the quote's.",
        symptom="Bytes that are no UTF-8 slip through; the answer cannot be decoded.",
        target="lower",
        make=_negate_bytes,
        witness=_table_of('[^"]'),
    ),
    Mutant(
        id="u12",
        title="surrogates are let through",
        pitfall="U+D800 to U+DFFF are encoded as if they were characters.",
        symptom="ED A0 80 passes for a character, and no decoder reads it.",
        target="utf8_sequences",
        make=_with_surrogates,
        witness=_table_of("."),
    ),
    Mutant(
        id="u13",
        title="the ends of a range are zipped without cutting it",
        pitfall="A byte is chosen freely although those behind it do not run through "
        "all their values.",
        symptom="[à-ž] is C3 to C5, then A0 to BE: Ā, C4 80, is lost.",
        target="full_tails",
        make=_no_cuts,
        witness=_table_of("[à-ž]"),
    ),
)
CATALOGUE: dict[str, Mutant] = {mutant.id: mutant for mutant in _ALL}


def get(id: str) -> Mutant:
    """Return the mutant of that id; UsageError lists the ids there are."""
    if id not in CATALOGUE:
        known = ", ".join(sorted(CATALOGUE))
        raise UsageError(f"there is no mutant {id!r}; there are {known}")
    return CATALOGUE[id]
