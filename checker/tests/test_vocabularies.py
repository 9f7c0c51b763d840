"""The vocabularies: what is in them, where they come from, how fast they are there."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import pytest

from ol import model, paths, tekken
from ol.vocabularies import Vocab, vocab

# Given by mistral-common 1.13.1's own Tekkenizer: one line for every id, "special" or
# the token's bytes in hexadecimal.
TEKKEN_SHA256 = "83a7825bb908c9cb645ea6833cefcab3062da76921fa4652ce0e02b52c2a3e10"


def content_hash(found: Vocab) -> str:
    lines = ["special" if token is None else token.hex() for token in found.tokens]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_tekken_is_mistral_commons() -> None:
    found = vocab("tekken")
    assert content_hash(found) == TEKKEN_SHA256
    assert (found.name, len(found), found.eos_id) == ("tekken", 131_072, 2)
    assert found.tokens[:1000] == [None] * 1000
    assert found.tokens[1000:1256] == [bytes([byte]) for byte in range(256)]
    assert found.tokens[1256:1260] == [b"  ", b" t", b"er", b"in"]
    assert found.tokens[-1] == "后汉书".encode()
    assert len({*found.tokens[1000:]}) == 130_072


def test_a_vocabulary_is_read_once_and_quickly() -> None:
    vocab.cache_clear()
    start = time.perf_counter()
    first = vocab("tekken")
    assert time.perf_counter() - start < 1  # 0.05 s on an idle machine
    assert vocab("tekken") is first


def test_it_does_not_print_itself() -> None:
    assert len(repr(vocab("tekken"))) < 80


def test_an_unknown_name_is_told_the_known_ones() -> None:
    with pytest.raises(paths.UsageError, match=r"'tekkn'.* toy, tekken, smollm2"):
        vocab("tekkn")


def test_the_file_is_what_the_wheel_makes() -> None:
    wheel = os.environ.get("OL_TEKKEN_WHEEL")
    if not wheel:
        pytest.skip(f"OL_TEKKEN_WHEEL does not name the wheel of {tekken.REQUIREMENT}")
    assert tekken.npz(Path(wheel)) == tekken.fixture().read_bytes()


def test_packing_leaves_no_date(monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = {"eos_id": 2, "special": [True, False]}
    first = tekken.packed(arrays)
    monkeypatch.setattr(time, "time", lambda: 2e9)
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(2e9))
    assert tekken.packed(arrays) == first


def test_what_is_no_wheel_is_refused(tmp_path: Path) -> None:
    with pytest.raises(paths.UsageError, match="pip download --no-deps mistral-common"):
        tekken.npz(tmp_path / "nothing.whl")
    (tmp_path / "text.whl").write_text("text")
    with pytest.raises(paths.UsageError, match="not a zip file"):
        tekken.npz(tmp_path / "text.whl")


def test_smollm2_says_what_to_run_where_it_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OL_MODELS", str(tmp_path))
    with pytest.raises(paths.UsageError, match=r"ol model fetch` .*93 MB"):
        model.require()
