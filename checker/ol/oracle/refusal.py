"""The one error of the oracle."""

from __future__ import annotations


class OracleRefusal(ValueError):
    """A pattern that is refused: `kind` (rulings, "Regex"), `message`, `position`.

    Kinds: `syntax range count escape unsupported utf8 size empty`.
    """

    def __init__(self, kind: str, message: str, position: int | None = None) -> None:
        where = "" if position is None else f" at position {position}"
        super().__init__(f"{kind}{where}: {message}")
        self.kind = kind
        self.message = message
        self.position = position
