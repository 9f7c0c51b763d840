"""The error that all of it raises."""

from __future__ import annotations

from typing import Any


class ConstrainError(ValueError):
    """Something is refused; `kind` says why, the other fields say where."""

    def __init__(self, kind: str, message: str = "", **where: Any) -> None:
        super().__init__(message or kind)
        self.kind = kind
        self.message = message or kind
        self.position = where.get("position")
        self.pointer = where.get("pointer")
        self.keyword = where.get("keyword")
