"""The mistakes of notebook 05: full_tails, utf8_sequences, lower."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ol.mutants.overlay import Interface, Mutant
from ol.mutants.shared import rewritten, table_of


def _only_character(node: Any) -> str:
    """Return the character of a `Characters` leaf that holds just one, else ""."""
    spans = list(getattr(node, "ranges", ()))
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

    return lambda root: original(rewritten(root, change))


def _dot_matches_newline(original: Any, course: Interface) -> Any:
    def change(node: Any) -> Any:
        if getattr(node, "ranges", None) != ((0, 9), (11, 0x10FFFF)):
            return node
        return replace(node, ranges=((0, 0x10FFFF),))

    return lambda root: original(rewritten(root, change))


def _negate_bytes(original: Any, course: Interface) -> Any:
    """Take what reaches up to the last character for a set of single bytes."""

    def change(node: Any) -> Any:
        spans = list(getattr(node, "ranges", ()))
        if not spans or spans[-1][1] != 0x10FFFF:
            return node
        values = (b for low, high in spans for b in range(low, min(high, 255) + 1))
        return course["Bytes"](frozenset(values))

    return lambda root: original(rewritten(root, change))


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


CHARACTERS = (
    Mutant(
        id="u09",
        title="a quantifier binds only the last byte of a character",
        pitfall="The pattern is turned into bytes before its quantifiers are read.",
        symptom="é* accepts half an é and refuses éé.",
        target="lower",
        make=_bind_last_byte,
        witness=table_of("é*"),
    ),
    Mutant(
        id="u10",
        title="a dot matches the line feed",
        pitfall="`.` is every character but LF, not every character.",
        symptom="A value that has to stay on one line may run over several.",
        target="lower",
        make=_dot_matches_newline,
        witness=table_of("."),
    ),
    Mutant(
        id="u11",
        title="a negated class of bytes",
        pitfall="Everything but a quote is taken for every byte but the quote's.",
        symptom="Bytes that are no UTF-8 slip through; the answer cannot be decoded.",
        target="lower",
        make=_negate_bytes,
        witness=table_of('[^"]'),
    ),
    Mutant(
        id="u12",
        title="surrogates are let through",
        pitfall="U+D800 to U+DFFF are encoded as if they were characters.",
        symptom="ED A0 80 passes for a character, and no decoder reads it.",
        target="utf8_sequences",
        make=_with_surrogates,
        witness=table_of("."),
    ),
    Mutant(
        id="u13",
        title="the ends of a range are zipped without cutting it",
        pitfall="A byte is chosen freely although those behind it do not run through "
        "all their values.",
        symptom="[à-ž] is C3 to C5, then A0 to BE: Ā, C4 80, is lost.",
        target="full_tails",
        make=_no_cuts,
        witness=table_of("[à-ž]"),
    ),
)
