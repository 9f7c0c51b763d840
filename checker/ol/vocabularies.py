"""Vocabularies by name: what a model can write, token by token, as bytes.

| name | entries | what |
|---|---|---|
| `toy` | 123 | printable characters, JSON's own pieces, UTF-8 in parts, one special |
| `tekken` | 131,072 | a real one, of the size that today's models have |
| `smollm2` | 49,152 | that of SmolLM2-135M-Instruct; needs `ol model fetch` |

A special token has no bytes: it stands as None. An empty token is `b""`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ol import model, needs, paths, tekken


@dataclass(frozen=True)
class Vocab:
    """A vocabulary: `tokens[id]` is the bytes of a token, None for a special one.

    `eos_id` is the special token that ends a text.
    """

    name: str
    tokens: list[bytes | None] = field(repr=False)
    eos_id: int

    def __len__(self) -> int:
        return len(self.tokens)


@functools.cache
def vocab(name: str) -> Vocab:
    """Return a vocabulary by name, read once per process.

    UsageError for a name that there is not, or a model that was not fetched yet.

    >>> len(vocab("tekken")), vocab("tekken").tokens[2]
    (131072, None)
    """
    if name not in LOADERS:
        raise paths.UsageError(
            f"no vocabulary is called {name!r}; there are {', '.join(LOADERS)}"
        )
    tokens, eos_id = LOADERS[name]()
    return Vocab(name, tokens, eos_id)


Loaded = tuple[list[bytes | None], int]


def _toy() -> Loaded:
    golden = paths.fixtures() / "L10.9" / "constrain_golden.json"
    masks = json.loads(golden.read_text("utf-8"))["masks"]
    tokens = [None if h is None else bytes.fromhex(h) for h in masks["vocabulary"]]
    return tokens, masks["eos_id"]


def _tekken() -> Loaded:
    with np.load(tekken.fixture()) as file:
        data, special = file["data"].tobytes(), file["special"].tolist()
        ends = np.cumsum(file["lengths"], dtype=np.int64).tolist()
        eos_id = int(file["eos_id"])
    starts = [0, *ends[:-1]]
    spans = zip(special, starts, ends, strict=True)
    return [None if s else data[start:end] for s, start, end in spans], eos_id


def _smollm2() -> Loaded:
    metadata = model.metadata(model.require())
    needed = needs.instance("L1_5", "_ol_vocabulary_tokenizer")
    tokenizer = needed.Tokenizer.from_gguf(metadata)
    tokens = [tokenizer.token_bytes(i) for i in range(tokenizer.vocab_size)]
    return tokens, tokenizer.eos_id


LOADERS: dict[str, Callable[[], Loaded]] = {
    "toy": _toy,
    "tekken": _tekken,
    "smollm2": _smollm2,
}
