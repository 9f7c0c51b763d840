"""A failure as data: what was asked, what came, what was expected, where they part.

It is made once, by the judge, and rendered in one place per output (`ol.report` for the
terminal, `ol.kernel` for a notebook, JSON as it stands). Causes come before
consequences.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Failure:
    """Why a test did not pass; every field is text a person can read as it stands."""

    input: str = ""
    yours: str = ""
    expected: str = ""
    first_difference: str = ""
    cause: str = ""
    pictures: list[tuple[str, str]] = field(default_factory=list)  # (title, DOT source)

    def to_json(self) -> dict[str, str]:
        """Return the five text fields that a report carries (pictures stay out)."""
        names = ("input", "yours", "expected", "first_difference", "cause")
        return {name: getattr(self, name) for name in names}


class Mismatch(AssertionError):
    """The code under test gave a wrong answer (never: it crashed)."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.first_difference or failure.cause or failure.yours)
        self.failure = failure


class OutOfTime(BaseException):
    """Raised by a kernel's alarm; no Exception, so that most code lets it by."""


def shorten(value: Any, limit: int = 300) -> str:
    """Return `repr(value)`, or its beginning and its length where it is too long."""
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text):,} characters)"
