"""What comes in by standard input, what goes out on a terminal."""

from __future__ import annotations

import sys
import unicodedata
from typing import IO, Any

import click

_CLOSED = "standard input is closed: pipe a text in, or name a file"


class Readable(click.File):
    """A file to read bytes from; `-` is standard input, and may be closed."""

    def __init__(self) -> None:
        super().__init__("rb")

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> IO[Any]:
        if value == "-" and sys.stdin is None:
            self.fail(_CLOSED, param, ctx)
        return super().convert(value, param, ctx)


def standard_input() -> bytes:
    """Return all bytes of standard input; OSError where it is closed."""
    if sys.stdin is None:
        raise OSError(0, _CLOSED)
    return sys.stdin.buffer.read()


def printable(text: str) -> str:
    r"""Return text that leaves a terminal as it is: control characters as `\x1b`."""
    return "".join(
        repr(c)[1:-1] if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c
        for c in text
    )
