"""What a bug is."""

from __future__ import annotations

from typing import NamedTuple


class Change(NamedTuple):
    """A text in a notebook (by its id) or a file, and what stands there instead."""

    place: str
    old: str
    new: str


class Bug(NamedTuple):
    """A bug: the check that judges it, what was done, and the mutants that it is."""

    id: str
    check: str  # the exercise, or the named test where a given cell is changed
    catalogue: str  # ids of mutants, or ""
    sentence: str
    changes: tuple[Change, ...]

    @property
    def in_second(self) -> bool:
        return self.changes[0].place.endswith(".py")

    @property
    def notebook(self) -> str:
        return "" if self.in_second else self.changes[0].place

    @property
    def exercise(self) -> str:
        return self.check


def one(
    id: str, place: str, check: str, catalogue: str, sentence: str, old: str, new: str
) -> Bug:
    """Return a bug of one change."""
    return Bug(id, check, catalogue, sentence, (Change(place, old, new),))
