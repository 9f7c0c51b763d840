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
)
