"""L1.5, the reference: text to token ids and back, by byte-pair encoding over bytes.

A vocabulary is kept as text, so every byte has a letter that stands for it (`byte_map`).
Encoding splits the text into words, spells each word in those letters and joins letters
in the order in which the merges were learnt; the package `tokenizers` does that. What a
token is worth for a mask is its bytes: `token_bytes`.

Sources: Sennrich, Haddow and Birch, "Neural machine translation of rare words with
subword units" (2016); Radford et al., GPT-2 (2019), for the bytes and the splitting.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tokenizers import Tokenizer as Encoder
from tokenizers import pre_tokenizers
from tokenizers.models import BPE

Merge = tuple[str, str]

NORMAL, CONTROL = 1, 3  # token types of a GGUF file
SPLITTERS = {  # by the name that a GGUF file gives it
    "gpt-2": [pre_tokenizers.ByteLevel(add_prefix_space=False)],
    "smollm": [
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False),
    ],
}


@functools.cache
def byte_map() -> dict[int, str]:
    """Return GPT-2's letter for each byte: itself where it can be seen, else U+0100 up.

    >>> byte_map()[ord("a")], byte_map()[ord(" ")], byte_map()[ord("\\n")]
    ('a', 'Ġ', 'Ċ')
    """
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in seen]
    letters = {byte: chr(byte) for byte in seen}
    return letters | {byte: chr(0x100 + i) for i, byte in enumerate(others)}


@functools.cache
def letter_map() -> dict[str, int]:
    """Return the byte that each of the 256 letters stands for."""
    return {letter: byte for byte, letter in byte_map().items()}


class Tokenizer:
    """A byte-level BPE tokenizer.

    `specials` maps the text of a special token to its id; `eos_id` is the one that ends a
    text. Ids are 0 .. `vocab_size` - 1.
    """

    def __init__(
        self,
        tokens: Sequence[str],
        merges: Iterable[Merge],
        specials: Iterable[int],
        eos_id: int,
        splitter: str = "gpt-2",
    ) -> None:
        """Take `tokens` by id: special ones as they are, all others in GPT-2's letters.

        ValueError for an unknown `splitter`, an `eos_id` that is not special, or a token
        with a letter that stands for no byte.
        """
        if splitter not in SPLITTERS:
            raise ValueError(
                f"no way to split text is called {splitter!r} here; "
                f"there are {', '.join(SPLITTERS)}"
            )
        self.vocab_size = len(tokens)
        self.specials = {tokens[token_id]: token_id for token_id in specials}
        self.eos_id = eos_id
        if eos_id not in self.specials.values():
            raise ValueError(f"the token that ends a text, {eos_id}, is not special")
        self._bytes = _bytes_of(tokens, {*self.specials.values()})
        vocabulary = {token: token_id for token_id, token in enumerate(tokens)}
        self._encoder = Encoder(BPE(vocabulary, [*merges]))
        self._encoder.pre_tokenizer = pre_tokenizers.Sequence(SPLITTERS[splitter])
        marks = sorted(self.specials, key=len, reverse=True)  # the longest first
        self._marks = re.compile(f"({'|'.join(map(re.escape, marks))})")

    @classmethod
    def from_gguf(cls, metadata: Mapping[str, Any]) -> Tokenizer:
        """Take the tokenizer that the metadata of a GGUF file describes.

        ValueError where it is not a byte-level BPE of a kind that is known here.
        """
        found = {
            key.removeprefix("tokenizer.ggml."): value
            for key, value in metadata.items()
        }
        if found.get("model") != "gpt2":
            raise ValueError(f"not a byte-level BPE: {found.get('model')!r}")
        types = found["token_type"]
        if unknown := {*types} - {NORMAL, CONTROL}:
            raise ValueError(f"tokens of a type that is not known here: {unknown}")
        merges = [_pair(merge) for merge in found["merges"]]
        specials = [i for i, kind in enumerate(types) if kind == CONTROL]
        return cls(
            found["tokens"], merges, specials, found["eos_token_id"], found["pre"]
        )

    @classmethod
    def trained(
        cls, text: str, n_merges: int, specials: Sequence[str], eos: str
    ) -> Tokenizer:
        """Learn merges from `text`; ids: the specials, the 256 bytes, the merges.

        >>> Tokenizer.trained("aaabdaaabac", 3, ["<eos>"], "<eos>").encode("aaab")
        [259]
        """
        merges = learn_merges(text, n_merges)
        letters = [byte_map()[byte] for byte in range(256)]
        joined = [left + right for left, right in merges]
        tokens = [*dict.fromkeys([*specials, *letters, *joined])]  # each once
        return cls(tokens, merges, range(len(specials)), specials.index(eos))

    def token_bytes(self, token_id: int) -> bytes | None:
        """Return what a token adds to the text; None for a special one.

        IndexError where there is no such id.
        """
        if not 0 <= token_id < self.vocab_size:
            raise IndexError(f"no token {token_id}: ids are 0 .. {self.vocab_size - 1}")
        return self._bytes[token_id]

    def encode(self, text: str, allow_special: bool = False) -> list[int]:
        """Return the ids of `text`.

        The text of a special token becomes that token with `allow_special` alone, which
        is for prompts that a template wrote; what a user wrote never does. A byte that is
        in no token is left out.
        """
        if not allow_special:
            return list(self._encoder.encode(text).ids)
        ids: list[int] = []
        for i, part in enumerate(self._marks.split(text)):
            ids += [self.specials[part]] if i % 2 else self.encode(part)
        return ids

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes of all tokens, one after the other; special ones add none."""
        return b"".join(self.token_bytes(token_id) or b"" for token_id in ids)

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of `ids`; bytes that are not UTF-8 stand as U+FFFD."""
        return self.decode_bytes(ids).decode("utf-8", errors="replace")


def _bytes_of(tokens: Sequence[str], specials: set[int]) -> list[bytes | None]:
    letters = letter_map()
    try:
        return [
            None if i in specials else bytes([letters[letter] for letter in token])
            for i, token in enumerate(tokens)
        ]
    except KeyError as error:
        raise ValueError(f"a letter that stands for no byte: {error}") from error


def _pair(merge: str) -> Merge:
    left, right = merge.split(" ")
    return left, right


def learn_merges(text: str, count: int) -> list[Merge]:
    """Return the first `count` merges that `text` teaches, fewer if it is too short.

    The pair that stands side by side most often is joined; of equal ones that which comes
    first in the order of the letters. It is slow and meant for small texts.

    >>> learn_merges("aaabdaaabac", 3)
    [('a', 'a'), ('a', 'b'), ('aa', 'ab')]
    """
    splitter = SPLITTERS["gpt-2"][0]
    counted = Counter(word for word, _ in splitter.pre_tokenize_str(text))
    words = [([*word], times) for word, times in counted.items()]
    merges: list[Merge] = []
    while len(merges) < count:
        pairs: Counter[Merge] = Counter()
        for letters, times in words:
            for pair in zip(letters, letters[1:], strict=False):
                pairs[pair] += times
        if not pairs or max(pairs.values()) < 2:
            break
        merges.append(min(pairs, key=lambda pair: (-pairs[pair], pair)))
        words = [(_joined(letters, merges[-1]), times) for letters, times in words]
    return merges


def _joined(letters: list[str], pair: Merge) -> list[str]:
    """Return `letters` with every occurrence of `pair`, from the left, as one."""
    joined: list[str] = []
    for letter in letters:
        if joined and (joined[-1], letter) == pair:
            joined[-1] += letter
        else:
            joined.append(letter)
    return joined


TINY_TEXT = """\
What is the weather in Paris? The weather in Paris is mild, and the sun is out.
What is the weather in Berlin, and what is the time there? It is late, and it rains.
<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}</tool_call>
<tool_call>{"name":"get_weather","arguments":{"city":"Berlin","unit":"celsius"}}</tool_call>
<tool_call>{"name":"get_time","arguments":{"city":"Berlin","days":[1,2,3]}}</tool_call>
{"city":"Paris","country":"France","sunny":true,"rain":false,"wind":null,"degrees":21.5}
{"city":"Berlin","country":"Germany","sunny":false,"rain":true,"wind":12,"degrees":-4}
A model writes one token after the other. The mask says which tokens may come next, and
the model says how likely each of them is. So whatever it says, the text is a call.
"""


@functools.cache
def tiny() -> Tokenizer:
    """Return a small tokenizer for tests and for the tiny random model: 367 entries.

    Its special tokens have the ids that they have in SmolLM2's tokenizer.
    """
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    return Tokenizer.trained(TINY_TEXT, 128, specials, "<|im_end|>")
