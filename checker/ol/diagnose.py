"""Which known mistake does wrong code behave like? Told by its answers alone.

The code and the reference answer the same questions: every mutant's witness, and the
probes of `ol.mutants`. Only a mutant on whose witness the code is wrong can be meant;
it is planted in the reference, and named when it explains the code: where the code
differs from the reference it answers as the mutant does, and it has most of what the
mutant changes. One answer that neither has, and nothing is said. Which tests failed
plays no part.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from ol.mutants import (
    CATALOGUE,
    CannotPlantError,
    Interface,
    Mutant,
    forget_caches,
    interface_of,
    plant_in,
)
from ol.mutants.probes import PROBES
from ol.plain import plain

Spaces = Sequence[dict[str, Any]]
Answers = dict[str, Any]
Question = Callable[[Interface], object]
QUESTIONS = {**{id: m.witness for id, m in CATALOGUE.items()}, **PROBES}
_UNKNOWN = object()
_UNWRITTEN = ("Missing", "CellFailed", "NotImplementedError", "CannotPlantError")
_LEAST = 0.5  # the share of a mistake's traces that the code has to bear
_MOST_SUSPECTS = 12


def behaves_like(code: Spaces, reference: Spaces) -> list[str]:
    """Return the ids of the one or two mutants that explain what `code` answers.

    code, reference: the globals of two implementations, whole. Nothing is returned
    where the code answers as the reference does, or where two explanations remain.
    """
    right, found = answers(reference), answers(code)
    mine = {name: answer for name, answer in found.items() if answer is not _UNKNOWN}
    if all(right[name] == answer for name, answer in mine.items()):
        return []
    suspects = [id for id in CATALOGUE if id in mine and mine[id] != right[id]]
    for number in (1, 2):
        shares = {
            ids: _explained(ids, mine, right, reference)
            for ids in itertools.combinations(suspects[:_MOST_SUSPECTS], number)
        }
        best = max(shares.values(), default=0)
        if best:
            named = [ids for ids, share in shares.items() if share == best]
            return list(named[0]) if len(named) == 1 else []
    return []


def text(ids: Sequence[str]) -> str:
    """Say what `behaves_like` found, for people."""
    return "; and ".join(
        f"{id}, {CATALOGUE[id].title}: {CATALOGUE[id].shows}" for id in ids
    )


def answers(spaces: Spaces, questions: Mapping[str, Question] = QUESTIONS) -> Answers:
    """Return what an implementation answers, by question, in plain data."""
    forget_caches(spaces)
    interface = interface_of(spaces)
    found = {name: _answer(ask, interface) for name, ask in questions.items()}
    forget_caches(spaces)
    return found


def _answer(question: Question, interface: Interface) -> Any:
    try:
        return plain(question(interface))
    except Exception as error:
        kind = type(error).__name__
        if kind in _UNWRITTEN:
            return _UNKNOWN
        return kind, getattr(error, "kind", None)


def _explained(
    ids: Iterable[str], mine: Answers, right: Answers, reference: Spaces
) -> float:
    """Return the share of what these mutants change in which the code is like them,
    in the way that fits best; 0 where they do not explain it.
    """
    ways = itertools.product(*(CATALOGUE[id].ways() for id in ids))
    return max(_share(planted, mine, right, reference) for planted in ways)


def _share(
    mutants: Sequence[Mutant], mine: Answers, right: Answers, reference: Spaces
) -> float:
    with ExitStack() as stack:
        for mutant in mutants:
            try:
                stack.enter_context(plant_in(reference, mutant))
            except CannotPlantError:
                return 0
        own = answers(reference, {m.id: m.witness for m in mutants})
        if any(mine[id] != answer for id, answer in own.items()):
            return 0
        theirs = answers(reference)
    wrong = [name for name in mine if mine[name] != right[name]]
    if any(mine[name] != theirs[name] for name in wrong):
        return 0
    changed = [name for name in mine if theirs[name] != right[name]]
    share = len(wrong) / len(changed)
    return share if share >= _LEAST else 0
