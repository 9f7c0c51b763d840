"""Verdicts: what is said of one test, and of all of them.

States: `pass wrong error timeout not_written waiting skipped absent`. `waiting` needs
what is not right yet, `absent` has no notebook in the course yet, `skipped` is a
notebook that the learner let the reference stand in for. Exit code 0 iff at least one
test ran and every counted one passes; absent and skipped do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ol.course import Check
from ol.failure import Failure

STATES = (
    "pass", "wrong", "error", "timeout", "not_written", "waiting", "skipped", "absent",
)  # fmt: skip
FAILED = ("wrong", "error", "timeout")
UNCOUNTED = ("skipped", "absent")
REPEATABLE = ("pass", "wrong", "not_written")  # the same code gives the same again


@dataclass
class Verdict:
    """What one test found; `why` is one sentence, `failure` the data behind it."""

    check: Check
    state: str
    seconds: float = 0.0
    why: str = ""
    failure: Failure | None = None
    printed: str = ""
    file: str = ""  # the file at fault, where it is a whole file and no exercise
    behaves_like: list[str] = field(default_factory=list)  # known mistakes, by id

    @property
    def subject(self) -> str:
        """Return what the verdict is about: an exercise or test, or a whole file."""
        return self.file or self.check.name

    @property
    def points(self) -> tuple[int, int]:
        return (self.check.points if self.state == "pass" else 0, self.check.points)

    @property
    def pass_text(self) -> str:
        """Return the one line that a notebook shows of a check that passed."""
        got, possible = self.points
        noun = "point" if possible == 1 else "points"
        return f"pass   {self.check.name}   {got} of {possible} {noun}"

    def to_json(self) -> dict[str, Any]:
        """Return the record of a JSON report (design: version 1)."""
        return {
            "name": self.check.name,
            "notebook": self.check.notebook,
            "kind": self.check.kind,
            "state": self.state,
            "seconds": round(self.seconds, 3),
            "points": list(self.points),
            "why": self.why,
            "failure": self.failure.to_json() if self.failure else None,
            "behaves_like": self.behaves_like,
        }

    def pack(self) -> dict[str, Any]:
        """Return everything but the check, for the way from a child process or a
        file.
        """
        packed = asdict(self)
        del packed["check"]
        return packed

    @classmethod
    def unpack(cls, check: Check, packed: dict[str, Any]) -> Verdict:
        failure = packed.get("failure")
        rest = {key: value for key, value in packed.items() if key != "failure"}
        return cls(check, failure=Failure(**failure) if failure else None, **rest)


def too_long(check: Check) -> str:
    """Say why a check is `timeout`."""
    return f"it ran longer than {check.seconds:g} s: an endless loop?"


@dataclass
class Outcome:
    """All verdicts of one `ol check`, and what else its reader should know."""

    module: str
    code: str
    verdicts: list[Verdict]
    notes: list[str] = field(default_factory=list)  # about notebooks, one line each
    kept: int = 0  # verdicts taken from an earlier run of the same code

    @property
    def exit(self) -> int:
        return exit_code(self.verdicts)

    @property
    def points(self) -> tuple[int, int]:
        """Return the points got and possible in the notebooks that there are."""
        points = [v.points for v in self.verdicts if v.state != "absent"]
        return sum(p[0] for p in points), sum(p[1] for p in points)

    def to_json(self) -> dict[str, Any]:
        return {
            "version": 1,
            "module": self.module,
            "code": self.code,
            "tests": [verdict.to_json() for verdict in self.verdicts],
            "exit": self.exit,
        }


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """Return 0 when something ran and nothing that counts is short of `pass`."""
    counted = [v for v in verdicts if v.state not in UNCOUNTED]
    return 0 if counted and all(v.state == "pass" for v in counted) else 1
