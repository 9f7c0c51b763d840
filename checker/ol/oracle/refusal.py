"""The one error of the oracle."""

from __future__ import annotations


class OracleRefusal(ValueError):
    """A pattern or a schema that is refused: `kind` is for programs.

    Of patterns: `syntax range count escape unsupported utf8 size empty`, and
    `position`. Of schemas: `keyword type value items required empty size`, and
    `pointer`, `keyword`.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        position: int | None = None,
        *,
        pointer: str | None = None,
        keyword: str | None = None,
    ) -> None:
        places = ["" if position is None else f" at position {position}"]
        places += [f" at {pointer or 'the top'}"] * (pointer is not None)
        super().__init__(f"{kind}{''.join(places)}: {message}")
        self.kind = kind
        self.message = message
        self.position = position
        self.pointer = pointer
        self.keyword = keyword
