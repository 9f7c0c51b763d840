"""Read automata of any origin, and say plainly what is wrong with those that are none.

The judge never trusts the object it is handed: fields may be missing, shapes and number
types wrong, targets out of range. What comes out of here is one of `ol.forms`, so that
no later line can fail on a learner's object and be blamed on the tool.

Fields: chapter L10.9, section 4, and "Interface in Python" of the rulings.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ol.dot.labels import byte_name
from ol.failure import shorten
from ol.forms import DEAD, Dfa, Nfa

DFA_FIELDS = ("n_states", "accept", "trans")
NFA_FIELDS = ("start", "accept", "edges", "epsilon")
SHAPES = {
    "Dfa": "a Dfa: n_states int, accept bool[n], trans int32[n, 256]",
    "Nfa": "an Nfa: start int, accept int, edges and epsilon with one tuple per state",
}
NOTHING = "there is no automaton but None: is a `return` missing?"


class Malformed(ValueError):
    """No automaton of the interface; the message says what is wrong with it."""


def kind_of(machine: Any) -> str:
    """Return "Dfa" or "Nfa", by class name or else by fields; raise `Malformed`."""
    name = type(machine).__name__
    if name in ("Dfa", "Nfa"):
        return name
    if hasattr(machine, "trans"):
        return "Dfa"
    if hasattr(machine, "edges"):
        return "Nfa"
    if machine is None:
        raise Malformed(NOTHING)
    raise Malformed(f"this is neither an Nfa nor a Dfa but {said(machine)}, a {name}")


def read(machine: Any) -> Nfa | Dfa:
    """Return the automaton as one of `ol.forms`; raise `Malformed`."""
    return read_dfa(machine) if kind_of(machine) == "Dfa" else read_nfa(machine)


def read_dfa(machine: Any) -> Dfa:
    """Return a Dfa of numpy tables; lists and other integer types are fine here.

    Raises `Malformed` for missing fields, wrong shapes and targets that are no states.
    """
    n_states, accept, trans = _fields(machine, "Dfa", DFA_FIELDS)
    count = _whole(n_states, "n_states")
    if count < 1:
        raise Malformed(f"n_states is {count}; a Dfa has at least its start, state 0")
    flags = _array(accept, "accept", (count,))
    if flags.dtype != np.bool_ and not np.isin(flags, (0, 1)).all():
        raise Malformed(f"accept holds {flags.dtype} numbers, not True and False")
    table = _array(trans, "trans", (count, 256))
    _check_targets(table, count)
    return Dfa(count, flags.astype(np.bool_), table.astype(np.int32))


def _check_targets(table: NDArray[Any], count: int) -> None:
    wrong = np.argwhere((table < DEAD) | (table >= count))
    if len(wrong):
        state, byte = wrong[0].tolist()
        raise Malformed(
            f"trans[{state}, {byte}] (byte {byte_name(byte)}) is {table[state, byte]}, "
            f"but the states are 0 to {count - 1}, and DEAD is -1"
        )


def read_nfa(machine: Any) -> Nfa:
    """Return an Nfa of tuples and frozensets; lists and sets are fine here, too.

    Raises `Malformed` for missing fields, entries of another form and unknown states.
    """
    start, accept, edges, epsilon = _fields(machine, "Nfa", NFA_FIELDS)
    edge_rows, epsilon_rows = _rows(edges, "edges"), _rows(epsilon, "epsilon")
    count = len(edge_rows)
    if len(epsilon_rows) != count:
        raise Malformed(
            f"edges has {count} entries and epsilon {len(epsilon_rows)}; "
            "both have one per state"
        )
    return Nfa(
        _state(start, "start", count),
        _state(accept, "accept", count),
        tuple(_edges(row, f"edges[{q}]", count) for q, row in enumerate(edge_rows)),
        tuple(
            _targets(row, f"epsilon[{q}]", count) for q, row in enumerate(epsilon_rows)
        ),
    )


def _edges(row: Any, name: str, count: int) -> tuple[tuple[frozenset[int], int], ...]:
    found = []
    for place, edge in enumerate(_rows(row, name)):
        here = f"{name}[{place}]"
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            raise Malformed(
                f"{here} is {said(edge)}, not a pair (frozenset of bytes, target)"
            )
        found.append(
            (_byte_set(edge[0], here), _state(edge[1], f"the target of {here}", count))
        )
    return tuple(found)


def _byte_set(values: Any, name: str) -> frozenset[int]:
    if not isinstance(values, set | frozenset | bytes | range | list | tuple):
        raise Malformed(f"{name} reads {said(values)}; it must be a frozenset of bytes")
    for value in values:
        if not 0 <= _whole(value, f"a byte of {name}") <= 255:
            raise Malformed(f"{name} reads {value}; a byte is 0 to 255")
    return frozenset(map(int, values))


def _targets(row: Any, name: str, count: int) -> tuple[int, ...]:
    targets = row if isinstance(row, set | frozenset) else _rows(row, name)
    return tuple(_state(target, f"an entry of {name}", count) for target in targets)


def _fields(machine: Any, kind: str, names: tuple[str, ...]) -> list[Any]:
    if machine is None:
        raise Malformed(NOTHING)
    missing = [name for name in names if not hasattr(machine, name)]
    if missing:
        article = "an" if kind == "Nfa" else "a"
        raise Malformed(
            f"{article} {kind} has the fields {', '.join(names)}; this "
            f"{type(machine).__name__} has no {' and no '.join(missing)}"
        )
    return [getattr(machine, name) for name in names]


def _rows(value: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise Malformed(f"{name} is {_typed(value)}, not a tuple")
    return tuple(value)


def _state(value: Any, name: str, count: int) -> int:
    number = _whole(value, name)
    if not 0 <= number < count:
        known = f"the states are 0 to {count - 1}" if count else "there are no states"
        raise Malformed(f"{name} is {number}, but {known}")
    return number


def _whole(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise Malformed(f"{name} is {_typed(value)}, not an int")
    return int(value)


def _array(value: Any, name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    wanted = f"{'bool' if name == 'accept' else 'int32'}{list(shape)}"
    try:
        array = np.asarray(value)
    except Exception as error:  # rows of different lengths, or a class of their own
        raise Malformed(f"{name} does not read as an array {wanted}") from error
    if array.shape != shape:
        what = f"an array of shape {array.shape}" if array.ndim else said(value)
        raise Malformed(f"{name} is {what}, not {wanted}")
    if array.dtype.kind not in "biu":
        raise Malformed(f"{name} is an array of {array.dtype}, not {wanted}")
    return array


def _typed(value: Any) -> str:
    return f"{said(value)} ({type(value).__name__})"


def said(value: Any) -> str:
    """Return a short repr, or the type's name where a learner's `__repr__` fails."""
    try:
        return shorten(repr(value), 60)
    except Exception:
        return f"a {type(value).__name__}"
