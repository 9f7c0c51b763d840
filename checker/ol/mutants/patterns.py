"""Changes to the functions of 01 and 05: patterns, trees, characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

from ol.mutants.overlay import Interface
from ol.plain import plain


def tree_of(pattern: str) -> Callable[[Interface], object]:
    """Ask for a tree, of the course's nodes: others are not to be compared."""
    return lambda course: course["Bytes"] and plain(course["parse"](pattern))


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return the tree with `change` made to every node, parts before their whole."""
    changes: dict[str, Any] = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in ("parts", "options"):
            changes[field.name] = tuple(rewritten(part, change) for part in value)
        elif field.name == "part":
            changes["part"] = rewritten(value, change)
    return change(replace(node, **changes) if changes else node)


# --- notebook 01: read_member, parse


def bind_too_much(original: Any, course: Interface) -> Any:
    """Let a quantifier at the end of a sequence repeat the whole sequence."""

    def parse(pattern: str) -> Any:
        node = original(pattern)
        parts = getattr(node, "parts", ())
        if not parts or type(parts[-1]).__name__ != "Repeat":
            return node
        last = parts[-1]
        return replace(last, part=replace(node, parts=(*parts[:-1], last.part)))

    return parse


def without_last(original: Any, course: Interface) -> Any:
    """Leave the last symbol of a range out, as Python's `range` does."""

    def read_member(reader: Any) -> Any:
        start = reader.at
        ranges = original(reader)
        if "-" not in reader.text[start + 1 : reader.at]:
            return ranges
        ((low, high),) = ranges
        return ((low, max(low, high - 1)),)

    return read_member


# --- notebook 05: full_tails, utf8_sequences, lower


def only_character(node: Any) -> str:
    """Return the character of a `Characters` leaf that holds just one, else ""."""
    spans: Sequence[tuple[int, int]] = getattr(node, "ranges", ())
    return chr(spans[0][0]) if len(spans) == 1 and len(set(spans[0])) == 1 else ""


def bind_last_byte(original: Any, course: Interface) -> Any:
    """Let a quantifier behind a character repeat the last of its bytes."""

    def change(node: Any) -> Any:
        character = only_character(getattr(node, "part", None))
        if not character:
            return node
        *before, last = [
            course["Bytes"](frozenset([byte])) for byte in character.encode()
        ]
        return course["Sequence"]((*before, replace(node, part=last)))

    return lambda root: original(rewritten(root, change))


def dot_matches_newline(original: Any, course: Interface) -> Any:
    def change(node: Any) -> Any:
        if getattr(node, "ranges", None) != ((0, 9), (11, 0x10FFFF)):
            return node
        return replace(node, ranges=((0, 0x10FFFF),))

    return lambda root: original(rewritten(root, change))


def negate_bytes(original: Any, course: Interface) -> Any:
    """Take what reaches up to the last character for a set of single bytes."""

    def change(node: Any) -> Any:
        spans: Sequence[tuple[int, int]] = getattr(node, "ranges", ())
        if not spans or spans[-1][1] != 0x10FFFF:
            return node
        values = (b for low, high in spans for b in range(low, min(high, 255) + 1))
        return course["Bytes"](frozenset(values))

    return lambda root: original(rewritten(root, change))


def with_surrogates(original: Any, course: Interface) -> Any:
    """Encode U+D800 to U+DFFF as if they were characters."""

    def utf8_sequences(low: int, high: int) -> list[Any]:
        sequences = list(original(low, high))
        if low < 0xD800 and high > 0xDFFF:
            sequences.append((range(0xED, 0xEE), range(0xA0, 0xC0), range(0x80, 0xC0)))
        return sorted(sequences, key=lambda sequence: [r[0] for r in sequence])

    return utf8_sequences


def no_cuts(original: Any, course: Interface) -> Any:
    return lambda low, high: [(low, high)]
