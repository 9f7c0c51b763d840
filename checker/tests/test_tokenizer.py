"""L1.5's tokenizer, held to GPT-2's bytes, to BPE by hand and to published ids."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest
from tokenizers import decoders, pre_tokenizers

from ol import model

needed: Any = importlib.import_module("ol.needs.L1_5")
MARKS = ["<eos>", "<eos>2"]  # one begins the other


def test_the_byte_map_is_gpt_2s() -> None:
    letters = needed.byte_map()
    assert sorted(letters) == [*range(256)]
    assert {*letters.values()} == {*pre_tokenizers.ByteLevel.alphabet()}
    # from the table printed by OpenAI's bytes_to_unicode
    known = {0x00: "Ā", 0x0A: "Ċ", 0x20: "Ġ", 0x7F: "ġ", 0xA0: "ł", 0xAD: "Ń"}
    assert {byte: letters[byte] for byte in known} == known
    for code in range(0x800):  # every byte of two-byte characters, by the library
        spelt = "".join(letters[byte] for byte in chr(code).encode())
        assert decoders.ByteLevel().decode([spelt]) == chr(code)


def test_merges_of_the_textbook_example() -> None:
    # Gage (1994) on `aaabdaaabac`: aa becomes Z, ab becomes Y, ZY becomes X
    expected = [("a", "a"), ("a", "b"), ("aa", "ab")]
    assert needed.learn_merges("aaabdaaabac", 3) == expected
    assert needed.learn_merges("aaabdaaabac", 99) == expected
    tokenizer = needed.Tokenizer.trained("aaabdaaabac", 3, ["<eos>"], "<eos>")
    ids = tokenizer.encode("aaabdaaabac")
    tokens = [tokenizer.token_bytes(i) for i in ids]
    assert tokens == [b"aaab", b"d", b"aaab", b"a", b"c"]
    assert ids == [259, 1 + ord("d"), 259, 1 + ord("a"), 1 + ord("c")]


def test_merges_stay_inside_words() -> None:
    merges = needed.learn_merges("a b a b a b", 9)
    assert merges == [("Ġ", "b"), ("Ġ", "a")] or merges == [("Ġ", "a"), ("Ġ", "b")]


def small() -> Any:
    return needed.Tokenizer.trained("abab abab", 2, MARKS, "<eos>")


def test_ids_and_specials() -> None:
    tokenizer = small()
    assert tokenizer.vocab_size == 2 + 256 + 2
    assert tokenizer.specials == {"<eos>": 0, "<eos>2": 1}
    assert tokenizer.eos_id == 0
    assert tokenizer.token_bytes(0) is None
    assert tokenizer.token_bytes(2) == b"\x00"
    assert tokenizer.token_bytes(257) == b"\xff"
    assert tokenizer.token_bytes(258) == b"ab"
    for wrong in (-1, 260):
        with pytest.raises(IndexError, match=r"0 \.\. 259"):
            tokenizer.token_bytes(wrong)


def test_markers_in_a_users_text_stay_text() -> None:
    tokenizer = small()
    ids = tokenizer.encode("a<eos>b<eos>2")
    assert not {0, 1} & {*ids}
    assert tokenizer.decode(ids) == "a<eos>b<eos>2"
    a, b = 2 + ord("a"), 2 + ord("b")
    assert tokenizer.encode("a<eos>b<eos>2", allow_special=True) == [a, 0, b, 1]
    assert tokenizer.encode("<eos><eos>", allow_special=True) == [0, 0]
    assert tokenizer.encode("", allow_special=True) == tokenizer.encode("") == []
    assert tokenizer.decode([a, 0, b]) == "ab"  # special tokens add no text


def test_text_that_is_cut_inside_a_character() -> None:
    tokenizer = small()
    assert tokenizer.decode_bytes([2 + 0xC3]) == b"\xc3"
    assert tokenizer.decode([2 + 0xC3]) == "\ufffd"
    assert tokenizer.decode([2 + 0xC3, 2 + 0xA9]) == "é"


def by_hand(tokenizer: Any, merges: list[tuple[str, str]], word: str) -> list[bytes]:
    """Join the pair that was learnt first, wherever it is, until none is left."""
    letters = [needed.byte_map()[byte] for byte in word.encode()]
    while True:
        pairs = {*zip(letters, letters[1:], strict=False)}
        known = [merge for merge in merges if merge in pairs]
        if not known:
            lookup = needed.letter_map()
            return [bytes(lookup[letter] for letter in token) for token in letters]
        i = 0
        while i < len(letters) - 1:
            if (letters[i], letters[i + 1]) == known[0]:
                letters[i : i + 2] = [letters[i] + letters[i + 1]]
            i += 1


def test_encoding_is_bpe_as_the_paper_says() -> None:
    seed = 20250101
    print("seed", seed)
    draw = random.Random(seed)
    tokenizer = needed.tiny()
    merges = needed.learn_merges(needed.TINY_TEXT, 128)
    for _ in range(200):
        word = "".join(draw.choices("weathrountcyp", k=draw.randint(1, 12)))
        tokens = [tokenizer.token_bytes(i) for i in tokenizer.encode(word)]
        assert tokens == by_hand(tokenizer, merges, word), word


def test_every_text_comes_back() -> None:
    seed = 20250102
    print("seed", seed)
    draw = random.Random(seed)
    tokenizer = needed.tiny()
    alphabet = 'abc 012\n\t{}":,<|>_é日本\U0001f600\x00\x7f\u2028'
    for _ in range(300):
        text = "".join(draw.choices(alphabet, k=draw.randint(0, 40)))
        assert tokenizer.decode(tokenizer.encode(text)) == text
        assert tokenizer.decode_bytes(tokenizer.encode(text)) == text.encode()


def test_the_tiny_tokenizer_is_the_same_everywhere() -> None:
    tokenizer = needed.tiny()
    assert tokenizer.vocab_size == 367
    assert [*tokenizer.specials.values()] == [0, 1, 2]
    assert tokenizer.eos_id == tokenizer.specials["<|im_end|>"] == 2
    tokens = [tokenizer.token_bytes(i) for i in range(259, 367)]
    assert len({*tokens}) == len(tokens)
    assert {b'":"', b'"}}</', b"arguments", b" Paris"} <= {*tokens}


def metadata(**changes: Any) -> dict[str, Any]:
    found = {
        "model": "gpt2", "pre": "smollm", "tokens": ["<e>", "a", "b", "1", "ab", "11"],
        "merges": ["a b", "1 1"], "token_type": [3, 1, 1, 1, 1, 1], "eos_token_id": 0,
    }  # fmt: skip
    return {f"tokenizer.ggml.{k}": v for k, v in (found | changes).items()}


def test_from_the_metadata_of_a_gguf_file() -> None:
    tokenizer = needed.Tokenizer.from_gguf(metadata())
    assert tokenizer.specials == {"<e>": 0}
    assert [tokenizer.token_bytes(i) for i in range(6)] == [
        None, b"a", b"b", b"1", b"ab", b"11",
    ]  # fmt: skip
    assert tokenizer.encode("ab11") == [4, 3, 3]  # smollm splits digits
    other = needed.Tokenizer.from_gguf(metadata(pre="gpt-2"))
    assert other.encode("ab11") == [4, 5]
    assert tokenizer.encode("axb") == [4]  # a letter in no token is left out


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "llama"}, "not a byte-level BPE: 'llama'"),
        ({"pre": "qwen2"}, "'qwen2'.* gpt-2, smollm"),
        ({"token_type": [3, 1, 1, 1, 1, 6]}, "type that is not known"),
        ({"tokens": ["<e>", "a", "b", "1", "ab", "日"]}, "stands for no byte"),
        ({"eos_token_id": 1}, "1, is not special"),
    ],
)
def test_what_is_not_known_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        needed.Tokenizer.from_gguf(metadata(**changes))


def test_smollm2_gives_the_published_ids() -> None:
    if not model.is_there():
        pytest.skip("the model was not fetched: ./ol model fetch")
    tokenizer = needed.Tokenizer.from_gguf(model.metadata(model.path()))
    # what the model itself answers to "What is the capital of France?"
    answer = [504, 3575, 282, 4649, 314, 7042, 30, 2]
    assert tokenizer.decode(answer) == "The capital of France is Paris."
    text = "The capital of France is Paris.<|im_end|>"
    assert tokenizer.encode(text, allow_special=True) == answer
    assert 2 not in tokenizer.encode(text)
    assert (tokenizer.vocab_size, tokenizer.eos_id) == (49_152, 2)
    assert [*tokenizer.specials.values()] == [*range(17)]
    assert len(tokenizer.encode("<tool_call>")) == 5
    alone = {tokenizer.token_bytes(i) for i in range(tokenizer.vocab_size)}
    missing = bytes(b for b in range(256) if bytes([b]) not in alone)
    assert missing.hex(" ") == (
        "04 06 13 14 16 1d c0 c1 f1 f2 f5 f6 f7 f8 f9 fa fb fc fd fe ff"
    )
