"""L8.7, the specification: what a language allows, without a table or a trie.

L10.9 builds tables and masks step by step and is held to what stands here. This is the
course's oracle under the chapter's names: Brzozowski's derivatives for the languages,
every token's bytes derived in turn for the masks, CPython's `json` for the values. It is
slow, and shares no code with what is built on it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol import oracle
from ol.forms import DEAD, Dfa
from ol.oracle import OracleRefusal as ConstrainError
from ol.oracle import object_to_dfa as json_object_dfa
from ol.oracle import regex_to_dfa, schema_to_dfa

__all__ = [
    "DEAD",
    "ConstrainError",
    "Constraint",
    "Dfa",
    "json_dumps",
    "json_object_dfa",
    "regex_to_dfa",
    "schema_to_dfa",
]


def json_dumps(value: Any) -> str:
    """Return `value` as compact JSON.

    >>> json_dumps({"é": [1.5e-05, None]})
    '{"é":[1.5e-05,null]}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Constraint:
    """One output in the making, under a pattern (str) or a JSON schema.

    vocab: the bytes of each token by id, None for a special one; eos_id: the token that
    ends, or None.

    >>> constraint = Constraint("ab?", [b"a", b"b", b"c", None], eos_id=3)
    >>> constraint.advance(0)
    >>> constraint.mask().tolist(), constraint.is_complete()
    ([False, True, False, True], True)
    """

    def __init__(
        self, source: Any, vocab: list[bytes | None], eos_id: int | None
    ) -> None:
        """Raise ConstrainError with `.kind` where `source` is refused."""
        self._walk = oracle.walk(source, vocab, eos_id)
        self._size = len(vocab)

    @property
    def done(self) -> bool:
        """Whether the token that ends has come."""
        return self._walk.done

    def mask(self) -> NDArray[np.bool_]:
        """Return for each token whether it may come next: bool[V]."""
        mask = np.zeros(self._size, dtype=np.bool_)
        mask[self._walk.allowed()] = True
        return mask

    def advance(self, token_id: int) -> None:
        """Go on by a token; ValueError for one that is not allowed."""
        self._walk.take(token_id)

    def is_complete(self) -> bool:
        """Whether the output may end here."""
        return self._walk.complete
