"""What stands at the front of a GGUF file: its metadata, without the weights.

The package `gguf` reads it too, but takes three seconds and comes with torch. The
format: "GGUF", version (uint32), number of tensors and of entries (uint64 each), then
the entries; an entry is a key, a type and a value; a text is its length (uint64) and
its UTF-8 bytes; an array is the type of its members, their number (uint64), and they.
All numbers are little-endian.

Source: the GGUF specification, version 3 (github.com/ggml-org/ggml, docs/gguf.md).
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any

from ol.paths import UsageError

TEXT, ARRAY = 8, 9
NUMBERS = {  # by type, its form in the module struct
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?",
    10: "Q", 11: "q", 12: "d",
}  # fmt: skip


def metadata(path: Path) -> dict[str, Any]:
    """Return the metadata of a GGUF file: numbers, bool, str, and lists of them.

    UsageError where the file is not one, or ends too early.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            with data:
                return _Reader(data).entries()
    except (OSError, ValueError, struct.error, KeyError) as error:
        raise UsageError(f"{path} is not a whole GGUF file: {error}") from error


class _Reader:
    def __init__(self, data: mmap.mmap) -> None:
        self.data = data
        self.at = 0

    def entries(self) -> dict[str, Any]:
        if self.data[:4] != b"GGUF":
            raise ValueError("it does not begin with GGUF")
        self.at = 4
        version, _, count = self.number("I"), self.number("Q"), self.number("Q")
        if version not in (2, 3):
            raise ValueError(f"version {version} is not known here")
        return {self.text(): self.value(self.number("I")) for _ in range(count)}

    def number(self, form: str) -> Any:
        (found,) = struct.unpack_from(f"<{form}", self.data, self.at)
        self.at += struct.calcsize(f"<{form}")
        return found

    def text(self) -> str:
        length = self.number("Q")
        start, self.at = self.at, self.at + length
        if self.at > len(self.data):
            raise ValueError("it ends too early")
        return self.data[start : self.at].decode("utf-8")

    def value(self, kind: int) -> Any:
        if kind == TEXT:
            return self.text()
        if kind != ARRAY:
            return self.number(NUMBERS[kind])
        kind, count = self.number("I"), self.number("Q")
        if kind in NUMBERS:
            found = struct.unpack_from(f"<{count}{NUMBERS[kind]}", self.data, self.at)
            self.at += struct.calcsize(f"<{count}{NUMBERS[kind]}")
            return list(found)
        return [self.value(kind) for _ in range(count)]
