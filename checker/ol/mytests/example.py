"""`ol.example`: one line that says what an expression is, or that it is refused."""

from __future__ import annotations

import sys
from typing import Any

from ol.plain import plain, show

_NOTHING = object()


def example(expression: str, value: Any = _NOTHING, *, refused: Any = None) -> None:
    """Require that an expression has a value, or that it is refused.

    expression: Python, evaluated where the example stands. refused: the `kind` of the
    error that has to come (its `status` for a ToolError).

    Raises AssertionError, which says what the expression is, where it is not so.

    >>> example("sorted('ba')", ["a", "b"])
    """
    if (value is _NOTHING) == (refused is None):
        raise TypeError("an example needs a value, or refused=…, and not both")
    frame = sys._getframe(1)
    code = compile(expression, "<example>", "eval")
    try:
        found = eval(code, frame.f_globals, frame.f_locals)
    except ValueError as error:
        if refused is None or refused not in reasons(error):
            raise AssertionError(_instead(expression, error, value, refused)) from None
        return
    if refused is not None:
        said = f"{expression} is {show(found)}, and the example says: refused"
        raise AssertionError(said)
    if plain(found) != plain(value):
        said = f"{expression} is {show(found)}, the example says {show(value)}"
        raise AssertionError(said)


def reasons(error: ValueError) -> list[Any]:
    """Return what an error is told apart by: its kind, or its status."""
    found = (getattr(error, "kind", None), getattr(error, "status", None))
    return [reason for reason in found if reason is not None]


def _instead(expression: str, error: ValueError, value: Any, refused: Any) -> str:
    kinds = " ".join(map(repr, reasons(error))) or type(error).__name__
    wanted = f"refused={refused!r}" if refused is not None else show(value)
    return f"{expression} is refused, {kinds}; the example says {wanted}"
