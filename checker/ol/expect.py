"""What a graded test may say: comparisons whose failures are data.

The tests in `checker/graded/` use these functions only, never a bare `assert`: every
failure carries the call as a learner would type it, what came, what was expected and
the first difference. See `checker/graded/README.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from ol import automata
from ol.failure import Failure, Mismatch, shorten
from ol.plain import first_difference, plain, show

Cause = str | Callable[[Any], str]


def fail(failure: Failure) -> NoReturn:
    """Raise the failure; the only place where the judge says "wrong"."""
    raise Mismatch(failure)


def _cause_text(cause: Cause, yours: Any) -> str:
    if isinstance(cause, str):
        return cause
    try:
        return cause(yours) or ""
    except Exception:  # a guess at the cause must never hide the failure itself
        return ""


def equal(yours: Any, expected: Any, *, input: str, cause: Cause = "") -> None:
    """Compare deeply, by type name and value (see `ol.plain`)."""
    mine, right = plain(yours), plain(expected)
    if mine == right:
        return
    fail(
        Failure(
            input=input,
            yours=shorten(show(yours)),
            expected=shorten(show(expected)),
            first_difference=first_difference(mine, right),
            cause=_cause_text(cause, yours) or _nothing(yours, expected),
        )
    )


def _nothing(yours: Any, expected: Any) -> str:
    """Return the usual reason for a None."""
    none = yours is None and expected is not None
    return "It returns None: is a `return` missing?" if none else ""


def refuses(
    call: Callable[[], Any],
    *,
    input: str,
    kind: str | None = None,
    position: int | None = None,
    pointer: str | None = None,
    keyword: str | None = None,
    cause: Cause = "",
) -> None:
    """Require a ConstrainError with whatever of its fields is given."""
    asked = {"kind": kind, "position": position, "pointer": pointer, "keyword": keyword}
    _refuses(call, "ConstrainError", asked, input, cause)


def answers_error(
    call: Callable[[], Any],
    *,
    status: int,
    param: str,
    input: str,
    code: str | None = None,
    cause: Cause = "",
) -> None:
    """Require a ToolError of this status and field; of a code, where one is given."""
    asked = {"status": status, "param": param, "code": code}
    _refuses(call, "ToolError", asked, input, cause)


def _refuses(
    call: Callable[[], Any],
    name: str,
    asked: Mapping[str, Any],
    input: str,
    cause: Cause,
) -> None:
    """Require a ValueError with the fields that are asked for."""
    wanted = {name: value for name, value in asked.items() if value is not None}
    try:
        value = call()
    except ValueError as error:
        got = {name: getattr(error, name, None) for name in wanted}
        if got == wanted:
            return
        yours = _refusal(type(error).__name__, got)
        text = _cause_text(cause, error)
        if not any(hasattr(error, name) for name in wanted):
            yours = f"{type(error).__name__}: {shorten(str(error), 120)}"
            text = f"That is no {name}: it says nothing of {' or '.join(wanted)}."
    else:
        yours = f"no error; it returned {shorten(show(value), 120)}"
        text = _cause_text(cause, value)
    expected = _refusal(name, wanted)
    fail(Failure(input=input, yours=yours, expected=expected, cause=text))


def _refusal(name: str, fields: Mapping[str, Any]) -> str:
    """Return a refusal in words: `ConstrainError, kind 'count', position 1`."""
    return ", ".join([name, *(f"{field} {value!r}" for field, value in fields.items())])


def same_dfa(yours: Any, expected: Any, *, input: str, cause: Cause = "") -> None:
    """Require the same table, state by state; explain by language first."""
    _judge_automata(automata.explain_dfa(yours, expected), yours, input, cause)


def same_language(yours: Any, expected: Any, *, input: str, cause: Cause = "") -> None:
    """Require that two automata, of either kind, accept the same strings."""
    _judge_automata(automata.explain_language(yours, expected), yours, input, cause)


def _judge_automata(
    difference: automata.Difference | None, yours: Any, input: str, cause: Cause
) -> None:
    if difference is None:
        return
    fail(
        Failure(
            input=input,
            yours=difference.yours,
            expected=difference.expected,
            first_difference=difference.first_difference,
            cause=_cause_text(cause, yours) or difference.cause,
            pictures=difference.pictures,
        )
    )


def accepts(
    yours: Any,
    *,
    yes: Iterable[str | bytes] = (),
    no: Iterable[str | bytes] = (),
    input: str,
    cause: Cause = "",
) -> None:
    """Run an automaton of either kind on strings (str means its UTF-8 bytes)."""
    try:
        machine = automata.as_dfa(yours)
    except automata.Malformed as error:
        kind = "Nfa" if hasattr(yours, "edges") else "Dfa"
        difference = automata.malformed(yours, kind, error)
        _judge_automata(difference, yours, input, cause)
        return
    for strings, wanted in ((yes, True), (no, False)):
        for string in strings:
            data = string.encode() if isinstance(string, str) else string
            if automata.accepts(machine, data) == wanted:
                continue
            word = {True: "accepted", False: "refused"}
            fail(
                Failure(
                    input=f"{input} on {automata.show_bytes(data)}",
                    yours=word[not wanted],
                    expected=word[wanted],
                    cause=_cause_text(cause, yours),
                )
            )
