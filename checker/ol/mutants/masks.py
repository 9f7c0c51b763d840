"""Changes to the masks of 08: which tokens may come, and until when."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol.forms import DEAD
from ol.mutants.overlay import Interface, Mutant

Mask = NDArray[np.bool_]


def read_only(mask: Mask) -> Mask:
    mask.flags.writeable = False
    return mask


def from_the_front(original: Any, course: Interface) -> Any:
    """Try every byte of a token from the state in front of the token."""

    def mask(index: Any, state: int) -> Mask:
        flags = np.array(original(index, state))
        steps = [target != DEAD for target in index.dfa.trans[state].tolist()]
        for token_id, data in enumerate(index.vocab):
            if data and token_id != index.eos_id:
                flags[token_id] = all(steps[byte] for byte in data)
        return read_only(flags)

    return mask


def end_anywhere(original: Any, course: Interface) -> Any:
    """Allow EOS in every state."""

    def mask(index: Any, state: int) -> Mask:
        flags = np.array(original(index, state))
        if index.eos_id is not None:
            flags[index.eos_id] = True
        return read_only(flags)

    return mask


def not_frozen(original: Any, course: Interface) -> Any:
    """Hand out an array that whoever gets it may write to."""
    return lambda index, state: np.array(original(index, state))


def whole_characters(original: Any, course: Interface) -> Any:
    """Refuse tokens that begin or end inside a character."""

    def is_text(data: bytes | None) -> bool:
        try:
            return data is None or bool(data.decode() or True)
        except UnicodeDecodeError:
            return False

    def mask(index: Any, state: int) -> Mask:
        flags = np.array(original(index, state))
        for token_id in np.flatnonzero(flags).tolist():
            flags[token_id] = is_text(index.vocab[token_id])
        return read_only(flags)

    return mask


def on_after_the_end(original: Any, course: Interface) -> Any:
    """Take the mask of the state, whether the output is done or not."""

    def mask(constraint: Any) -> Mask:
        if constraint.done:
            flags: Mask = constraint.index.mask(constraint.state)
            return flags
        unfinished: Mask = original(constraint)
        return unfinished

    return mask


VOCABULARY = [b"a", b"b", b"ab", b"ba", None]  # the last is EOS


def after(*tokens: int) -> Callable[[Interface], object]:
    """Return a witness: the mask of `ab?` when these tokens have come."""

    def witness(course: Interface) -> object:
        index = course["TokenIndex"](course["regex_to_dfa"]("ab?"), VOCABULARY, 4)
        constraint = course["Constraint"](index)
        for token_id in tokens:
            constraint.advance(token_id)
        return np.asarray(constraint.mask()).tolist()

    return witness


def half_a_character(course: Interface) -> object:
    """The mask of é where the vocabulary holds its two bytes apart."""
    vocabulary = [b"\xc3", b"\xa9", None]
    index = course["TokenIndex"](course["regex_to_dfa"]("é"), vocabulary, 2)
    return np.asarray(index.mask(0)).tolist()


def is_frozen(course: Interface) -> object:
    index = course["TokenIndex"](course["regex_to_dfa"]("ab?"), VOCABULARY, 4)
    return not index.mask(0).flags.writeable


ENTRIES = (
    Mutant(
        id="s06",
        title="a token's later bytes are walked from the wrong state",
        pitfall="Every byte of a token is tried from the state in front of the token.",
        symptom="Tokens of several bytes come that leave the language; single bytes "
        "are right.",
        shows="at the start of ab? the token ab is refused",
        target="TokenIndex.mask",
        make=from_the_front,
        witness=after(),
    ),
    Mutant(
        id="s07",
        title="EOS is allowed before a whole string",
        pitfall="EOS counts as a token that may always come.",
        symptom="Outputs end in the middle of an object.",
        shows="at the start of ab? the end is allowed",
        target="TokenIndex.mask",
        make=end_anywhere,
        witness=after(),
    ),
    Mutant(
        id="s10",
        title="tokens are still allowed after EOS",
        pitfall="EOS leaves the state as it is, and the state alone is asked.",
        symptom="The model goes on writing behind the end of its answer.",
        shows="after a and the end, ab? still allows b",
        target="Constraint.mask",
        make=on_after_the_end,
        witness=after(0, 4),
    ),
    Mutant(
        id="u21",
        title="the mask is an array that anybody may write to",
        pitfall="What is handed out is what is kept, and nothing protects it.",
        symptom="A sampler that works in place changes every later mask of the state.",
        shows="the mask can be written to",
        target="TokenIndex.mask",
        make=not_frozen,
        witness=is_frozen,
    ),
    Mutant(
        id="u22",
        title="tokens that cut a character are left out",
        pitfall="Tokens are taken for text, and half a character is none.",
        symptom="Characters that have no token of their own can never be written.",
        shows="of é, cut into two tokens, the first is refused",
        target="TokenIndex.mask",
        make=whole_characters,
        witness=half_a_character,
    ),
)
